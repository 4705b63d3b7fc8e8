"""Several runs made into one: by the scores of documents, by their ranks, or by votes between documents."""

from cranfield.engines.fusion.fuse import fuse
from cranfield.engines.fusion.methods import METHODS
from cranfield.engines.fusion.normalisations import NORMALISATIONS

__all__ = ["METHODS", "NORMALISATIONS", "fuse"]
