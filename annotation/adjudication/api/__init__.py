"""HTTP for the lead's queue, for decisions people make, and for what a changed protocol would mean."""

from annotation.adjudication.api.deciding import DecideView, ReopenView
from annotation.adjudication.api.protocols import ProtocolChangeView
from annotation.adjudication.api.queue import (
    DecisionSerializer,
    DossierView,
    DossierVoteSerializer,
    QueueView,
    QueueVoteSerializer,
)

__all__ = [
    "DecideView",
    "DecisionSerializer",
    "DossierView",
    "DossierVoteSerializer",
    "ProtocolChangeView",
    "QueueView",
    "QueueVoteSerializer",
    "ReopenView",
]
