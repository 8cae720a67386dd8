"""Read which rules of routing were switched on, and whether another can be."""

from dataclasses import dataclass
from datetime import datetime

from annotation.adjudication.models import Decision
from annotation.projects.models import Project
from judges.prejudging.models import Routing
from judges.prejudging.selectors.policies import ChoosableRun
from judges.prejudging.selectors.routing.figures import RoutingFigures, find_figures
from judges.prejudging.selectors.routing.replays import judged_in_full, why_not_routed, why_not_tried
from judges.prejudging.selectors.routing.runs import RoutingNotFound, choosable_runs

State = Routing.State


@dataclass(frozen=True)
class RoutingLine:
    """A routing rule that is or was on.

    `weighed`: the number of answers that a first annotator has judged under this rule. `stopped`: the number
    settled by one annotator and the judge.
    """

    id: str
    number: int
    text: str
    run: str
    signature: str
    threshold: float | None
    audit_share: float
    state: State
    weighed: int
    stopped: int
    started_by: str
    started_at: datetime
    ended_by: str
    ended_at: datetime | None
    reason: str


@dataclass(frozen=True)
class RoutingState:
    """How a project routes answers.

    `runs`: the runs that a rule can use. `why_not`: why routing cannot be turned on; otherwise empty.
    `judged`: the number of answers that people judged in full, on which rules can be tested. `figures`: the
    results so far; null if no rule was ever on, or if all were undone.
    """

    runs: list[ChoosableRun]
    why_not: str
    judged: int
    rules: list[RoutingLine]
    figures: RoutingFigures | None


def read_routing(*, project: Project) -> RoutingState:
    """Return how a project routes answers, and what came of it, the newest rule first."""
    judged = len(judged_in_full(project).ids) if not why_not_routed(project) else 0
    routings = list(Routing.objects.filter(project=project).select_related("started_by", "ended_by"))
    return RoutingState(
        runs=choosable_runs(project),
        why_not=why_not_tried(project, judged=judged),
        judged=judged,
        rules=[_line(each) for each in sorted(routings, key=lambda each: -each.number)],
        figures=find_figures(project=project),
    )


def get_routing(*, project: Project, public_id: str) -> Routing:
    """Return one rule; raises `RoutingNotFound`."""
    found = Routing.objects.filter(project=project, public_id=public_id).first()
    if found is None:
        raise RoutingNotFound("This project has no such routing rule.")
    return found


def _line(routing: Routing) -> RoutingLine:
    weighed = routing.answers.exclude(first_label="")
    stopped = weighed.filter(
        candidate__decisions__source=Decision.Source.ROUTED,
        candidate__decisions__is_current=True,
        candidate__decisions__is_reopening=False,
    )
    return RoutingLine(
        id=routing.public_id,
        number=routing.number,
        text=routing.text,
        run=routing.run_public_id,
        signature=routing.signature,
        threshold=routing.threshold,
        audit_share=routing.audit_share,
        state=State(routing.state),
        weighed=weighed.count(),
        stopped=0 if routing.state == State.UNDONE else stopped.count(),
        started_by=routing.started_by.name if routing.started_by else "",
        started_at=routing.started_at,
        ended_by=routing.ended_by.name if routing.ended_by else "",
        ended_at=routing.ended_at,
        reason=routing.reason,
    )
