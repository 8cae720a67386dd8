"""HTTP for pre-judging: a study's policy, what it would do, did, and how often people disagreed."""

from judges.prejudging.api.outcomes import AuditView, SettledAnswersView
from judges.prejudging.api.policies import ApplyView, PolicyView, PreviewView, UndoView

__all__ = ["ApplyView", "AuditView", "PolicyView", "PreviewView", "SettledAnswersView", "UndoView"]
