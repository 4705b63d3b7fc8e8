"""One step of fitting click models, page after page and rank after rank in Python: what arrays are measured against.

A page is the numbers of its documents and whether each was clicked. Each function takes a model and gives, after the
step, attractiveness by document, examination or the chance to go on, and by document satisfaction, where the model has
it. Priors are those of the models.
"""

from collections import defaultdict
from collections.abc import Sequence

from cranfield.logs.models.dbn import GOING_ON, SATISFIED, DynamicBayesianModel
from cranfield.logs.models.fitting import Prior
from cranfield.logs.models.looking import EXAMINATION
from cranfield.logs.models.pbm import PositionBasedModel
from cranfield.logs.models.ubm import UserBrowsingModel

Page = tuple[Sequence[int], Sequence[bool]]
Result = tuple[dict[int, float], list[float], dict[int, float]]


def pbm(pages: Sequence[Page], model: PositionBasedModel, prior: Prior) -> Result:
    """The position-based model: examination by rank."""
    attracts, theta = model.attractiveness.tolist(), model.chance.tolist()
    clicks, looks = defaultdict[int, float](float), defaultdict[int, float](float)
    looked, shown = [0.0] * len(theta), [0] * len(theta)
    for documents, clicked in pages:
        for rank, document in enumerate(documents):
            if document < 0:
                continue
            attracted, chance = attracts[document], theta[rank]
            look = 1.0 if clicked[rank] else chance * (1 - attracted) / (1 - chance * attracted)
            clicks[document] += clicked[rank]
            looks[document] += look
            looked[rank] += look
            shown[rank] += 1
    return _best(clicks, looks, prior), _examination(looked, shown), {}


def ubm(pages: Sequence[Page], model: UserBrowsingModel, prior: Prior) -> Result:
    """The user browsing model: examination by rank and rank of the last click."""
    attracts, gamma = model.attractiveness.tolist(), model.chance.tolist()
    clicks, looks = defaultdict[int, float](float), defaultdict[int, float](float)
    looked, shown = [0.0] * len(gamma), [0] * len(gamma)
    for documents, clicked in pages:
        last = 0
        for rank, document in enumerate(documents):
            if document < 0:
                continue
            place = rank * len(documents) + last
            attracted, chance = attracts[document], gamma[place]
            look = 1.0 if clicked[rank] else chance * (1 - attracted) / (1 - chance * attracted)
            clicks[document] += clicked[rank]
            looks[document] += look
            looked[place] += look
            shown[place] += 1
            if clicked[rank]:
                last = rank + 1
    return _best(clicks, looks, prior), _examination(looked, shown), {}


def dbn(pages: Sequence[Page], model: DynamicBayesianModel, prior: Prior) -> Result:
    """The dynamic Bayesian network: the chance to go on."""
    attracts, satisfies, goes_on = model.attractiveness.tolist(), model.satisfied.tolist(), model.continuation
    clicks, looks = defaultdict[int, float](float), defaultdict[int, float](float)
    decided, ended = defaultdict[int, float](float), defaultdict[int, float](float)
    on, could = 0.0, 0.0
    for documents, clicked in pages:
        size = sum(document >= 0 for document in documents)
        last = max((rank for rank in range(size) if clicked[rank]), default=-1)
        quiet = [1.0] * (size + 1)
        for rank in range(size - 1, -1, -1):
            quiet[rank] = (1 - attracts[documents[rank]]) * (1 - goes_on + goes_on * quiet[rank + 1])
        looked = 1.0
        for rank in range(size):
            document = documents[rank]
            looks[document] += looked
            clicks[document] += clicked[rank]
            chance = goes_on * (1 - satisfies[document]) if clicked[rank] else goes_on
            ends = 1 - chance + chance * quiet[rank + 1]
            after = 1.0 if rank < last else looked * chance * quiet[rank + 1] / ends
            satisfied = satisfies[document] / ends if rank == last else 0.0
            if rank < size - 1:
                if clicked[rank]:
                    decided[document] += 1
                    ended[document] += satisfied
                on += after
                could += looked - satisfied
            looked = after
    better = (on + GOING_ON.looks * GOING_ON.share) / (could + GOING_ON.looks)
    return _best(clicks, looks, prior), [better], _best(ended, decided, SATISFIED)


def _examination(looked: Sequence[float], shown: Sequence[int]) -> list[float]:
    """By kind of place; the first is looked at always."""
    before = EXAMINATION.looks
    chances = [(of + before * EXAMINATION.share) / (number + before) for of, number in zip(looked, shown, strict=True)]
    return [1.0, *chances[1:]]


def _best(successes: dict[int, float], looks: dict[int, float], prior: Prior) -> dict[int, float]:
    return {
        document: (successes[document] + prior.looks * prior.share) / (number + prior.looks)
        for document, number in looks.items()
    }


LOOPS = {"pbm": pbm, "ubm": ubm, "dbn": dbn}
