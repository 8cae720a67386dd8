"""HTTP for judges, their runs and what these said."""

from judges.runs.api.judges import JudgesView, WorkerView
from judges.runs.api.runs import (
    RunCancelView,
    RunContinueView,
    RunEstimateView,
    RunPauseView,
    RunResumeView,
    RunRetryView,
    RunScopesView,
    RunsView,
    RunView,
)
from judges.runs.api.verdicts import RunVerdictsView
