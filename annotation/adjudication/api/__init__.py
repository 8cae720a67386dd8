"""HTTP for the lead's queue, for decisions people make, and for what a changed protocol would mean."""

from annotation.adjudication.api.deciding import (
    DecideTogetherView,
    DecideView,
    ReopenView,
    SendBackView,
    TakeBackView,
)
from annotation.adjudication.api.protocols import ProtocolChangeView
from annotation.adjudication.api.queue import (
    DecisionSerializer,
    DossierSkipSerializer,
    DossierView,
    DossierVoteSerializer,
    QueueView,
    QueueVoteSerializer,
)
from annotation.adjudication.api.reuse import ReusePreviewView, ReuseUndoView, ReuseView
