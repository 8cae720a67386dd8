"""Switch routing on and off, take back what it settled, and note what first raters say on a route."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from annotation.accounts.models import User
from annotation.adjudication.rules import Weighed
from annotation.projects.models import Project
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep
from common.clock import now
from common.errors import Conflict, Invalid
from judges.prejudging.events import RoutingChanged
from judges.prejudging.models import RoutedAnswer, Routing
from judges.prejudging.rules.audit import SEEDS
from judges.prejudging.rules.policies import LEAST_SURE
from judges.prejudging.rules.routing import SMALLEST_AUDIT, describe, seed_of_routing
from judges.prejudging.selectors.policies import Sureness, read_judge_names
from judges.prejudging.selectors.routing.runs import find_run
from judges.prejudging.selectors.routing.switches import read_routing
from judges.prejudging.services.seeds import secret_number

SEED_SALT = "judges.prejudging.routing"
State = Routing.State


class NotRoutable(Conflict):
    """The protocol leaves nothing to save, or too few answers are judged in full to try the rule on."""


class UnusableRouting(Invalid):
    """The threshold or the share of the audit is none that could be used."""


class RoutedAlready(Conflict):
    """A rule is switched on."""


class RoutingEnded(Conflict):
    """The rule was switched off or undone before."""


def start_routing(
    *,
    project: Project,
    run: str,
    threshold: float | None,
    audit_share: float,
    by: User | None = None,
    at: datetime | None = None,
) -> Routing:
    """Ask one rater first, and no further one where a run says the same, surely enough.

    A share of what would be settled so goes on to further raters, drawn at random. Raises
    `RoutingNotFound`, `NotRoutable`, `UnusableRouting`, `RoutedAlready`.
    """
    chosen = find_run(project=project, run=run)
    refusal = read_routing(project=project).why_not
    if refusal:
        raise NotRoutable(refusal)
    if threshold is not None and chosen.sureness is Sureness.NONE:
        raise _unusable(
            "threshold",
            f"{chosen.name} does not report its confidence. Remove the minimum confidence.",
        )
    if threshold is not None and not LEAST_SURE <= threshold <= 1.0:
        raise _unusable("threshold", "Enter a minimum confidence from 0.5 to 1.")
    if not SMALLEST_AUDIT <= audit_share <= 1.0:
        raise _unusable("audit_share", "Enter an audit share from 0.01 to 1.")
    with transaction.atomic():
        # The project's row is the lock under which rules are numbered.
        locked = Project.objects.locked(project.pk)
        if Routing.objects.filter(project=project, state=State.ON).exists():
            raise RoutedAlready("Routing is already turned on. Turn it off first.")
        number = Routing.objects.filter(project=project).count() + 1
        judge = read_judge_names(project)[run]
        routing = Routing.objects.create(
            project=project,
            number=number,
            run_public_id=run,
            signature=chosen.signature,
            text=describe(judge=judge, least=threshold),
            threshold=threshold,
            audit_share=audit_share,
            seed=_seed(project, number),
            started_by=by,
            started_at=at or now(),
        )
        _bring_in_line(locked)
    do_upkeep(project_id=project.pk)
    return routing


def _unusable(field: str, message: str) -> UnusableRouting:
    return UnusableRouting(message, details={"fields": {field: [message]}})


def _seed(project: Project, number: int) -> int:
    return seed_of_routing(seed=secret_number(project=project, salt=SEED_SALT) % SEEDS, number=number)


def _bring_in_line(project: Project, *, why: str = "") -> None:
    """Say of a project, whose row is locked, how its answers are routed now, and have them follow."""
    routings = Routing.objects.filter(project=project)
    project.starts_with_one = routings.filter(state=State.ON).exists()
    project.has_routes = routings.exclude(state=State.UNDONE).exists()
    project.save(update_fields=["starts_with_one", "has_routes"])
    ask_upkeep(RoutingChanged(project_id=project.pk, why=why))


def end_routing(
    *, routing: Routing, gives_back: bool, reason: str, by: User | None = None, at: datetime | None = None
) -> Routing:
    """Ask as many raters as the protocol says again; gives_back: of what the rule has settled, too.

    One that is switched off can still be undone. Votes stay in any case. Raises `RoutingEnded`.
    """
    with transaction.atomic():
        project = Project.objects.locked(routing.project_id)
        open_ = (State.ON, State.OFF) if gives_back else (State.ON,)
        ended = Routing.objects.filter(pk=routing.pk, state__in=open_).update(
            state=State.UNDONE if gives_back else State.OFF,
            ended_by=by,
            ended_at=at or now(),
            reason=reason.strip(),
        )
        if not ended:
            raise RoutingEnded("This routing was already turned off or undone. Reload the page.")
        why = f"Routing {routing.number} was undone. {reason.strip()}".strip()
        _bring_in_line(project, why=why)
    do_upkeep(project_id=routing.project_id)
    routing.refresh_from_db()
    return routing


def keep_routes(*, project_id: int, weighed: Sequence[Weighed], at: datetime | None = None) -> None:
    """Note what first raters say; the first time also what the judge says, which holds for the answer then.

    The caller holds the questions' locks. Safe to repeat.
    """
    rows = RoutedAnswer.objects.in_force().filter(
        routing__project=project_id, candidate__in=[each.candidate_id for each in weighed]
    )
    noted = {row.candidate_id: row for row in rows.order_by("pk")}
    changed = []
    for each in weighed:
        row = noted.get(each.candidate_id)
        if row is not None and row.first_label != each.first_label:
            row.first_label = each.first_label
            changed.append(row)
    RoutedAnswer.objects.bulk_update(changed, ["first_label"])
    new = [
        each for each in weighed if each.candidate_id not in noted and each.is_alone and each.route.is_noted
    ]
    if not new:
        return
    named = Routing.objects.filter(project=project_id, number__in={each.route.number for each in new})
    routings = {each.number: each for each in named}
    RoutedAnswer.objects.bulk_create(
        RoutedAnswer(
            routing=routings[each.route.number],
            candidate_id=each.candidate_id,
            label=each.route.label,
            confidence=each.route.confidence,
            is_drawn=each.route.is_drawn,
            audit_probability=routings[each.route.number].audit_share,
            first_label=each.first_label,
            weighed_at=at or now(),
        )
        for each in new
    )
