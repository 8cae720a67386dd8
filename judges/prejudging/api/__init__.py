"""HTTP for pre-judging: a study's policy, what it would do, did, and how often people disagreed."""

from judges.prejudging.api.applications import ApplyView, UndoView
from judges.prejudging.api.outcomes import AuditView, SettledAnswersView
from judges.prejudging.api.policies import PolicyView
from judges.prejudging.api.previews import PreviewView
