"""How often raters are right where nobody knows the truth, estimated from how their votes agree."""

from analysis.dawid_skene.fitting import Fit, fit
from analysis.dawid_skene.models import DAWID_SKENE, ONE_COIN, WEAK, Model, Prior
from analysis.dawid_skene.votes import Votes, list_votes

__all__ = [
    "DAWID_SKENE",
    "ONE_COIN",
    "WEAK",
    "Fit",
    "Model",
    "Prior",
    "Votes",
    "fit",
    "list_votes",
]
