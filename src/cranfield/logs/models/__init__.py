"""Click models: how users look at pages of results, and what their clicks say about documents."""

from __future__ import annotations

from collections.abc import Mapping

from cranfield.logs.models.cascade import CascadeModel
from cranfield.logs.models.dbn import DynamicBayesianModel
from cranfield.logs.models.dcm import DependentClickModel
from cranfield.logs.models.fitting import ClickModel
from cranfield.logs.models.pbm import PositionBasedModel
from cranfield.logs.models.ubm import UserBrowsingModel

MODELS: Mapping[str, type[ClickModel]] = {
    model.name: model
    for model in (PositionBasedModel, CascadeModel, DependentClickModel, DynamicBayesianModel, UserBrowsingModel)
}
"""Click models by name."""
