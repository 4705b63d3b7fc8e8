"""Looking for good values of parameters, by training and validation topics alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter

from cranfield.errors import UsageError
from cranfield.experiments.parameter_space import Parameter, ParameterSpace, Range, Values
from cranfield.experiments.trial_scores import EngineFor, TrialScores, fold_name, without_name
from cranfield.experiments.trial_search import METHODS, explore, usual_method
from cranfield.experiments.tuned import CrossValidation, Fold, Trial, Tuning
from cranfield.experiments.tuning_material import TuningMaterial
from cranfield.measures import Measure, parse_one

Tell = Callable[[int, int], None]
"""Told how many trials of how many are done."""


def tune(
    material: TuningMaterial,
    engine_for: EngineFor,
    parameters: ParameterSpace,
    measure: str | Measure,
    *,
    trials: int = 50,
    method: str | None = None,
    folds: int = 0,
    seed: int = 0,
    k: int = 1000,
    fields: Sequence[str] = (),
    name: str = "system",
    tell: Tell | None = None,
    accepts: Callable[[Values], bool] | None = None,
) -> Tuning:
    """Try values of parameters, and say which are best.

    Trials are scored by the validation topics, or by those for training where there is no such part; of a measure of
    which less is better the lowest wins, and of equal trials the first. With `folds` training and validation topics are
    put together and divided anew: the best values for all of them are chosen; and for each fold those that are best for
    the others are looked for by themselves, and scored on it, which says what choosing in this way is worth.

    `method` is `tpe` (Optuna), `random` or `grid`; without it a grid, where all of its points can be tried. What was
    tried before is not searched for again. The same seed gives the same trials. `accepts` says whether an engine takes
    some values: where the best is an end of its range, and values beyond it are none, nothing is to be said of that.

    >>> from cranfield.data.qrels import Qrels
    >>> from cranfield.data.topics import Topic, Topics
    >>> from cranfield.engines.python_function import PythonEngine
    >>> from cranfield.experiments.tuning_material import Portion
    >>> def weighted(values):
    ...     return PythonEngine(function=lambda query, k: {"d1": 1.0, "d2": values["weight"]})
    >>> topics = Topics([Topic("1", {"title": "soup"})])
    >>> material = TuningMaterial(topics, {"train": Portion(Qrels.from_dict({"1": {"d2": 1}}))})
    >>> found = tune(material, weighted, ParameterSpace.of("weight=0.5,2.0"), "RR")
    >>> found.best.values, found.best.scores  # d2 stands above d1 with a weight of 2
    ({'weight': 2.0}, {'train': 1.0})
    """
    wanted = parse_one(measure)
    if wanted.more_is_better is None or wanted.definition.aggregate == "none":
        raise UsageError(f"{wanted}: of this measure neither more nor less is better: nothing can be tuned by it")
    chosen = method or usual_method(parameters, trials)
    if chosen not in METHODS:
        raise UsageError(f"unknown method {chosen!r}; there are: {', '.join(METHODS)}")
    scores = TrialScores(material, engine_for, wanted, folds=folds, seed=seed, k=k, fields=fields)
    each = len(parameters.grid(trials)) if chosen == "grid" else trials
    total = each * (1 if chosen == "grid" else 1 + folds)
    begun = perf_counter()

    def explored(portion: str) -> list[Trial]:
        """The trials of one search, which is led by one portion alone."""
        found: dict[int, Trial] = {}

        def score(values: Values) -> float:
            trial = scores.of(values)
            found[trial.number] = trial
            if tell is not None:
                tell(min(len(scores.trials), total), total)
            return trial.scores[portion]

        explore(parameters, score, method=chosen, trials=trials, seed=seed, more_is_better=bool(wanted.more_is_better))
        return list(found.values())

    def best(tried: Sequence[Trial], portion: str) -> Trial:
        sign = 1.0 if wanted.more_is_better else -1.0
        return max(tried, key=lambda trial: (sign * trial.scores[portion], -trial.number))

    def goes_on(parameter: Parameter, values: Values) -> bool:
        """Whether the value of a parameter is an end of its range, beyond which there are others."""
        outside = parameter.beyond(values[parameter.name]) if isinstance(parameter, Range) else None
        return outside is not None and (accepts is None or accepts({**values, parameter.name: outside}))

    tried = explored(scores.chosen_by)
    winner = best(tried, scores.chosen_by)
    crossed = []
    for at, size in enumerate(scores.fold_sizes):
        ours = best(explored(without_name(at)), without_name(at))
        crossed.append(Fold(size, ours.values, ours.scores[without_name(at)], ours.scores[fold_name(at)]))
    return Tuning(
        system=name,
        measure=wanted,
        parameters=parameters,
        method=chosen,
        seed=seed,
        trials=tuple(tried),
        best=winner,
        chosen_by=scores.chosen_by,
        topics={part: len(portion.qrels.queries) for part, portion in material.portions.items()},
        cross_validation=CrossValidation(tuple(crossed)) if crossed else None,
        searches=len(scores.trials),
        seconds=perf_counter() - begun,
        at_the_edge=tuple(one.name for one in parameters if goes_on(one, winner.values)),
    )
