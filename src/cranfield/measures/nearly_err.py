"""User models that come close to expected reciprocal rank, which has none: NERR8, NERR9, NERR10, NERR11."""

from __future__ import annotations

from cranfield.measures.parameters import Patience, Persistence
from cranfield.measures.patience import harmonic, persistent, quadratic, satisfied, tireless
from cranfield.measures.readers import user_model
from cranfield.measures.user_model import UserModel


@user_model("NERR8", at_needed=True, defaults_at=(10,), completion="reading", cites=("azzopardi-2021",))
def nearly_expected_reciprocal_rank_by_equation_8() -> UserModel:
    r"""The gain for each document read by someone who leaves with a chance that is its gain, or after k.

    .. math:: \mathrm{NERR8}@k = \sum_i W(i) \, g_i, \qquad C(i) = 1 - g_i \ \mathrm{for}\ i < k

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. The reader is that of ERR, but the value is the
    gain for each document read. The number in the name is that of an equation of the paper. The `gain` g is 1 for a
    relevant document (`binary`), the grade divided by gmax (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`).
    Without grades it is RR@k. A list shorter than k is filled up with documents without a gain. A query without
    relevant documents scores 0.

    Elsewhere:
        ir_measures: `NERR8(max_rel=3)@10` is `NERR8(gain=linear,gmax=3)@10`.
        cwl_eval: `NERReq8CWLMetric(k)`, with the grades as they are as gains.

    >>> evaluate_one("NERR8(gain=linear,gmax=2)@3", [1, 0, 2])  # V = 1, 1/2, 1/2: (1 · 1/2 + 1/2 · 1) / 2
    0.5
    """
    return satisfied(tireless())


@user_model("NERR9", at_needed=True, defaults_at=(10,), completion="reading", cites=("azzopardi-2021",))
def nearly_expected_reciprocal_rank_by_equation_9() -> UserModel:
    r"""The gain for each document read by someone who leaves satisfied, tired, or after k.

    .. math:: \mathrm{NERR9}@k = \sum_i W(i) \, g_i, \qquad C(i) = \frac{i}{i+1} (1 - g_i) \ \mathrm{for}\ i < k

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. The expected total utility of this reader,
    `value=ETU`, is ERR@k, if the gains are the s of ERR. The number in the name is that of an equation of the paper.
    The `gain` g is 1 for a relevant document (`binary`), the grade divided by gmax (`linear`) or (2^grade − 1) /
    (2^gmax − 1) (`exponential`). A list shorter than k is filled up with documents without a gain. A query without
    relevant documents scores 0.

    Elsewhere:
        ir_measures: `NERR9(max_rel=3)@10` is `NERR9(gain=linear,gmax=3)@10`.
        cwl_eval: `NERReq9CWLMetric(k)`, with the grades as they are as gains.

    >>> evaluate_one("NERR9(gain=linear,gmax=2)@3", [1, 0, 2])  # V = 1, 1/4, 1/6: (1/2 + 1/6) / (17/12)
    0.4706
    """
    return satisfied(harmonic())


@user_model("NERR10", shown=("p",), completion="reading", cites=("azzopardi-2021",))
def nearly_expected_reciprocal_rank_by_equation_10(*, p: Persistence = 0.9) -> UserModel:
    r"""The gain for each document read by someone as persistent as the reader of RBP, who leaves earlier if satisfied.

    .. math:: \mathrm{NERR10} = \sum_i W(i) \, g_i, \qquad C(i) = p \, (1 - g_i)

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. `p` is the chance to go on where a document has
    no gain. The number in the name is that of an equation of the paper. The `gain` g is 1 for a relevant document
    (`binary`), the grade divided by gmax (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`). The list goes on
    for ever, and nothing below its end has a gain. With `cutoff`, as in NERR10@1000, the reader leaves after that rank
    at the latest. A query without relevant documents scores 0.

    Elsewhere:
        ir_measures: `NERR10(p=0.9,max_rel=3)` is `NERR10(p=0.9,gain=linear,gmax=3)@1000`.
        cwl_eval: `NERReq10CWLMetric(phi)` is NERR10@1000 with the grades as they are as gains.

    >>> evaluate_one("NERR10(p=0.5)", [0, 1])  # V = 1, 1/2 and then nothing: (1/2) / (3/2)
    0.3333
    """
    return satisfied(persistent(p))


@user_model("NERR11", shown=("T",), completion="reading", cites=("azzopardi-2021",))
def nearly_expected_reciprocal_rank_by_equation_11(*, T: Patience = 1) -> UserModel:
    r"""The gain for each document read by someone as patient as the reader of INSQ, who leaves earlier if satisfied.

    .. math:: \mathrm{NERR11} = \sum_i W(i) \, g_i, \qquad C(i) = \left(\frac{i + 2T - 1}{i + 2T}\right)^2 (1 - g_i)

    C(i) is the chance that a reader goes on from rank i to the next. The weight W(i) is in proportion to C(1) ···
    C(i−1), the chance that rank i is read, and all weights add up to 1. `T` is the gain that is looked for, as in INSQ.
    The number in the name is that of an equation of the paper. The `gain` g is 1 for a relevant document (`binary`),
    the grade divided by gmax (`linear`) or (2^grade − 1) / (2^gmax − 1) (`exponential`). The list goes on for ever, and
    nothing below its end has a gain. With `cutoff`, as in NERR11@1000, the reader leaves after that rank at the latest.
    A query without relevant documents scores 0.

    Elsewhere:
        ir_measures: `NERR11(T=1,max_rel=3)` is `NERR11(T=1,gain=linear,gmax=3)@1000`.
        cwl_eval: `NERReq11CWLMetric(T)` is NERR11@1000 with the grades as they are as gains.

    >>> evaluate_one("NERR11(T=1)", [0, 1])  # V = 1, (2/3)² and then nothing: (4/9) / (13/9)
    0.3077
    """
    return satisfied(quadratic(T))
