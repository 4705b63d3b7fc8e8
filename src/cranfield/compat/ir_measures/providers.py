"""Who computes which measure, in ir_measures. Here these are names only: all of them compute alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from cranfield.compat.ir_measures import measures as known
from cranfield.compat.ir_measures.evaluator import Evaluator, FallbackEvaluator
from cranfield.compat.ir_measures.failures import UnsupportedError
from cranfield.compat.ir_measures.measure import NOT_PROVIDED, Measure
from cranfield.compat.ir_measures.provider import Provider
from cranfield.compat.ir_measures.records import CwlMetric
from cranfield.compat.ir_measures.runtime import RuntimeProvider, define, define_byquery

__all__ = [
    "NOT_PROVIDED",
    "CwlMetric",
    "DefaultPipeline",
    "Evaluator",
    "FallbackProvider",
    "Provider",
    "RuntimeProvider",
    "define",
    "define_byquery",
    "register",
    "registry",
]

_PROVIDED_BY = {
    "pytrec_eval": "P RR Rprec AP nDCG R Bpref NumRet NumQ NumRel SetAP SetF SetP SetR Success IPrec infAP",
    "cwl_eval": "P RR AP RBP BPM SDCG NERR8 NERR9 NERR10 NERR11 INST INSQ",
    "compat": "Compat",
    "pyndeval": "ERR_IA nERR_IA alpha_DCG alpha_nDCG NRBP nNRBP AP_IA P_IA StRecall",
    "judged": "Judged",
    "msmarco": "RR",
    "gdeval": "nDCG ERR",
    "accuracy": "Accuracy",
    "ranx": "P SetP RR Rprec AP nDCG R SetR NumRet Success",
    "trectools": "P RR Rprec AP nDCG Bpref RBP",
}

registry: dict[str, Provider] = {}
"""Every provider by its name."""


def register(provider: Provider) -> Provider:
    """Give a provider its place among the others."""
    registry[provider.NAME] = provider
    return provider


class ListedProvider(Provider):
    """Computes measures of the table, whatever the name it goes by."""

    def __init__(self, name: str, measures: Iterable[str]) -> None:
        self.NAME = name
        self.SUPPORTED_MEASURES = [known.registry[measure] for measure in measures]

    def _evaluator(self, measures: Sequence[Measure], qrels: Any) -> Evaluator:
        from cranfield.compat.ir_measures.listed import ListedEvaluator

        for measure in measures:
            if not self.supports(measure):
                raise UnsupportedError(f"{self.NAME} does not compute {measure}")
        return ListedEvaluator(measures, qrels)


class FallbackProvider(Provider):
    """Several providers as one: each measure is computed by the first that supports it."""

    def __init__(self, providers: Sequence[Provider]) -> None:
        self.providers = providers

    def _evaluator(self, measures: Sequence[Measure], qrels: Any) -> Evaluator:
        from cranfield.compat.ir_measures.inputs import repeatable
        from cranfield.compat.ir_measures.listed import ListedEvaluator

        shares = self._shares(measures)
        if len(shares) > 1:
            qrels = repeatable(qrels)
        evaluators: list[Evaluator] = []
        for provider, share in shares.items():
            evaluators.append(provider.evaluator(share, qrels) if provider else ListedEvaluator(share, qrels))
        return evaluators[0] if len(evaluators) == 1 else FallbackEvaluator(measures, evaluators)

    def _shares(self, measures: Sequence[Measure]) -> dict[Provider | None, list[Measure]]:
        """Which provider computes which measures; those of the table, None, rank a run once for all of theirs."""
        shares: dict[Provider | None, list[Measure]] = {}
        for measure in measures:
            provider = next((one for one in self.providers if one.supports(measure)), None)
            if provider is None:
                raise UnsupportedError(f"no provider computes {measure}")
            shares.setdefault(None if isinstance(provider, ListedProvider) else provider, []).append(measure)
        return shares or {None: []}

    def supports(self, measure: Measure) -> bool:
        return any(provider.supports(measure) for provider in self.providers)

    def run_inputs(self, measures: Iterable[Measure]) -> list[str]:
        return self._inputs(measures, "run_inputs")

    def qrel_inputs(self, measures: Iterable[Measure]) -> list[str]:
        return self._inputs(measures, "qrel_inputs")

    def _inputs(self, measures: Iterable[Measure], which: str) -> list[str]:
        needed: dict[str, None] = {}
        for measure in measures:
            provider = next((one for one in self.providers if one.supports(measure)), None)
            needed.update(dict.fromkeys(getattr(provider, which)([measure]) if provider else ()))
        return list(needed)


register(RuntimeProvider())
for _name, _measures in _PROVIDED_BY.items():
    register(ListedProvider(_name, _measures.split()))

DefaultPipeline = FallbackProvider(list(registry.values()))
"""Who computes where nobody is named."""
