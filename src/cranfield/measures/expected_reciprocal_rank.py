"""Expected reciprocal rank: ERR, nERR."""

from __future__ import annotations

from cranfield.data.query_sums import reached, totals
from cranfield.data.rankings import Rankings
from cranfield.data.strings import Floats
from cranfield.measures.gains import Gain, Gains, HighestGrade, Ideal, gain_of, grades_up_to_gmax, highest_gain
from cranfield.measures.parameters import Cutoff
from cranfield.measures.patience import harmonic, satisfied
from cranfield.measures.registry import measure, ratio
from cranfield.measures.tie_forms import SHARES, TieForm
from cranfield.measures.user_model import Reader


def _reader(
    r: Rankings, *, gmax: float, gain: str, gains: tuple[tuple[float, float], ...] | None, cutoff: int | None
) -> Reader:
    highest = highest_gain(gmax, gain, gains)
    stop, most = gain_of(r.grade, gain, gains) / (highest + 1.0), highest / (highest + 1.0)
    return Reader(satisfied(harmonic()), r, stop, cutoff, most, own="ETU")


@measure(
    "ERR",
    aliases=("expected_reciprocal_rank",),
    at="cutoff",
    shown=("gmax",),
    check=grades_up_to_gmax,
    perfect=False,
    reader=_reader,
    own_value="ETU",
    endless=("EU", "EC", "ETC", "ED"),
    completion="corners",
    ties=TieForm(lambda parameters: parameters["value"] == "ETU"),
    cites=("chapelle-2009",),
)
def expected_reciprocal_rank(
    r: Rankings, *, gmax: HighestGrade = 4, gain: Gain = "exponential", gains: Gains = None, cutoff: Cutoff = None
) -> Floats:
    r"""The reciprocal rank at which a reader is expected to stop who is the likelier to stop the better a document is.

    .. math:: \mathrm{ERR}@k = \sum_{i=1}^{k} \frac{s_i}{i} \prod_{j=1}^{i-1} (1 - s_j), \qquad
        s_i = \frac{2^{g_i} - 1}{2^{g_\mathrm{max}}}

    `gmax` is the highest grade there can be, not the highest that was given: the name always shows it, and a grade
    above it is an error. With `gain=linear` the chance of stopping is s = g / (gmax + 1); in general it is the gain of
    the grade, divided by one more than the gain of gmax. `gains=1:1;2:4;3:9` names the gains of single grades. The
    reader passes over documents that are not judged. Even the best ranking stays below 1: nERR corrects that. A query
    without relevant documents scores 0.

    ERR is the expected total utility of the user model of NERR9, C(i) = i/(i+1) · (1 − s_i). Its other values, but for
    `value=residual`, need a cutoff, for without one this reader goes on for ever.

    Elsewhere:
        gdeval: `err@k`, with gmax 4, to five places; it stops at a higher grade.
        ir_measures: `ERR@k`, computed by gdeval.
        Elasticsearch: `expected_reciprocal_rank`, with gmax as `maximum_relevance`.
        NTCIREVAL: `ERR` is `ERR(gain=linear)`, with gmax and gains as its `-g` says.

    >>> evaluate_one("ERR@2", [2, 4])  # s = 3/16, 15/16: 3/16 + (13/16) · (15/16) / 2
    0.5684
    >>> evaluate_one("ERR(gmax=2)", [0, 2, 1])  # s = 0, 3/4, 1/4: (3/4)/2 + (1/4) · (1/4) / 3
    0.3958
    """
    top = r if cutoff is None else r.cut(cutoff)
    worth, most = gain_of(top.grade, gain, gains), highest_gain(gmax, gain, gains) + 1.0
    stop = worth / most
    chance = top.reached(stop)
    for column, values in (("gain", worth), (f"stop = gain / {most:g}", stop), ("reached", chance)):
        top.show(column, values)
    return top.sum(chance * stop / top.rank, name="ERR", column="reached · stop / i")


@measure(
    "nERR",
    at="cutoff",
    shown=("gmax",),
    check=grades_up_to_gmax,
    completion="cells",
    ties=SHARES,
    cites=("chapelle-2009", "sakai-song-2011"),
)
def normalised_expected_reciprocal_rank(
    r: Rankings, *, gmax: HighestGrade = 4, gain: Gain = "exponential", gains: Gains = None, cutoff: Cutoff = None
) -> Floats:
    r"""ERR divided by the ERR of the best possible ranking of all judged documents.

    .. math:: \mathrm{nERR}@k = \frac{\mathrm{ERR}@k}{\mathrm{ERR}^*@k}

    `gmax` is the highest grade there can be, as in ERR; a grade above it is an error. The chance of stopping at a
    document follows from its `gain`, (2^g − 1) / 2^gmax, or g / (gmax + 1) with `gain=linear`. `gains=1:1;2:4;3:9`
    names the gains of single grades. A query without relevant documents scores 0.

    Elsewhere:
        NTCIREVAL: `nERR@k` is `nERR(gain=linear)@k`, with gmax and gains as its `-g` says.
        ir_measures: `NERR8` to `NERR11` are other measures, nearly ERR and not normalised.

    >>> evaluate_one("nERR(gmax=2)@2", [0, 2, 1])  # s* = 3/4, 1/4: (3/8) / (3/4 + (1/4) · (1/4) / 2)
    0.48
    """
    ideal = Ideal.of(r, gain, gains)
    keep = slice(None) if cutoff is None else ideal.rank <= cutoff
    value = expected_reciprocal_rank(r, gmax=gmax, gain=gain, gains=gains, cutoff=cutoff)
    stop = ideal.gain[keep] / (highest_gain(gmax, gain, gains) + 1.0)
    chance = reached(ideal.query[keep], stop, len(r))
    worth = chance * stop / ideal.rank[keep]
    best = totals(ideal.query[keep], worth, len(r))
    columns = {"gain": ideal.gain[keep], "stop": stop, "reached": chance, "reached · stop / i": worth}
    r.show_ideal(columns, name="IdealERR", total=best)
    return r.step("nERR", "ERR / IdealERR", ratio(value, best))
