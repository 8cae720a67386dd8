"""Take over what was decided of equal answers in another project."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Count, Max, QuerySet

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.dossier import free_for_machines
from annotation.adjudication.services.settling import Ruling, decide_together, withdraw_together
from annotation.assignments.services.slots import lock_due_questions
from annotation.items.models import Candidate
from annotation.items.rules import key_of_question, pool_hash
from annotation.items.services.samples import close_unsampled_answers
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Membership, Project
from annotation.projects.rules import labels_across
from common.clock import now
from common.database.rows import in_chunks
from common.errors import Invalid, NotFound

PREVIEWED_ANSWERS = 200
BY_PEOPLE = (Decision.Source.UNANIMOUS, Decision.Source.MAJORITY, Decision.Source.ADJUDICATED)
# The key of a question's text, and what is equal for answers that are pooled.
Place = tuple[str, str]


class SourceNotFound(NotFound):
    """The person leads no such other project, or nothing of it is in use."""


class ReasonMissing(Invalid):
    """Nothing says why decisions are withdrawn."""


class Reusable(NamedTuple):
    """An answer that waits here, with the label that another project's decision would give it."""

    candidate: Candidate
    label: str


class Offer(NamedTuple):
    """What could be taken over from a project; `contested`: answers on which decisions differ."""

    source: Project
    answers: list[Reusable]
    contested: list[Candidate]


@dataclass(frozen=True)
class Reused:
    """Current decisions copied from a project, which may no longer exist.

    `project`: the project’s slug. `at`: the time of the latest of these decisions.
    """

    project: str
    answers: int
    at: datetime


@dataclass(frozen=True)
class ReuseOffer:
    """How many answers could take their decisions from another project.

    `contested`: the number of answers with conflicting decisions, which are left out.
    """

    project: str
    name: str
    answers: int
    contested: int


@dataclass(frozen=True)
class Reuse:
    """What other projects offer, and the decisions copied from them."""

    offers: list[ReuseOffer]
    reused: list[Reused]


@dataclass(frozen=True)
class ReusableAnswer:
    """An answer that could take its decision from another project.

    `label`: null if the decisions on it conflict, so it would be left out.
    """

    id: str
    question: str
    answer: str
    label: str | None


@dataclass(frozen=True)
class ReusePreview:
    """The first answers of an offer, starting with those that would be left out, and the total number of
    answers."""

    answers: list[ReusableAnswer]
    total: int


def read_reuse(*, project: Project, by: User) -> Reuse:
    """Return what `by` may take over, and what was taken over and stands."""
    offers = [
        ReuseOffer(offer.source.slug, offer.source.name, len(offer.answers), len(offer.contested))
        for offer in list_offers(project=project, by=by)
    ]
    return Reuse(offers, list_reused(project=project))


def preview_reuse(*, project: Project, by: User, source: str) -> ReusePreview:
    """Return an offer answer by answer; raises `SourceNotFound`."""
    offer = get_offer(project=project, by=by, source=source)
    rows = [*((answer, None) for answer in offer.contested), *offer.answers]
    answers = [
        ReusableAnswer(answer.public_id, answer.question.text, answer.text, label)
        for answer, label in rows[:PREVIEWED_ANSWERS]
    ]
    return ReusePreview(answers, len(rows))


def list_offers(*, project: Project, by: User) -> list[Offer]:
    """Return what people decided about this project's waiting answers in other projects that `by` leads.

    The question's text and the pooled answer are the same, the protocols know labels of the same worth, and
    nobody here holds, judged or decided the answer. Where decisions differ, nothing is offered.
    """
    waiting = _waiting(project)
    said = {
        source: _labels_said(source, project, waiting)
        for source in _sources(project=project, by=by)
        if waiting
    }
    everywhere: dict[Place, set[str]] = defaultdict(set)
    for labels in said.values():
        for place, found in labels.items():
            everywhere[place] |= found
    offers = [_offer(source, labels, waiting, everywhere) for source, labels in said.items()]
    return [offer for offer in offers if offer.answers or offer.contested]


def _offer(
    source: Project,
    labels: Mapping[Place, set[str]],
    waiting: Mapping[Place, list[Candidate]],
    everywhere: Mapping[Place, set[str]],
) -> Offer:
    agreed = {place: next(iter(everywhere[place])) for place in labels if len(everywhere[place]) == 1}
    return Offer(
        source=source,
        answers=[Reusable(answer, label) for place, label in agreed.items() for answer in waiting[place]],
        contested=[answer for place in labels if place not in agreed for answer in waiting[place]],
    )


def _sources(*, project: Project, by: User) -> QuerySet[Project]:
    led = Membership.objects.filter(
        user=by, role=Membership.Role.LEAD, state=Membership.State.ACTIVE
    ).exclude(project=project)
    return Project.objects.select_related("protocol").filter(pk__in=led.values("project")).order_by("pk")


def _waiting(project: Project) -> dict[Place, list[Candidate]]:
    free = free_for_machines(project_id=project.pk).exclude(question__in=improper_questions(project))
    waiting: dict[Place, list[Candidate]] = defaultdict(list)
    for answer in (
        free.exclude(question__text="")
        .select_related("question")
        .order_by("question__position", "question_id", "position", "pk")
    ):
        waiting[_place(answer.question.text, answer.text, project)].append(answer)
    return waiting


def _labels_said(source: Project, project: Project, places: Iterable[Place]) -> dict[Place, set[str]]:
    """Return what people of `source` decided in those places, in the words of `project`."""
    across = _across(source, project)
    keys = Candidate.objects.filter(project=project, state=Candidate.State.OPEN).values("question__key_hash")
    decided = Decision.objects.in_force().filter(
        candidate__project=source,
        candidate__question__key_hash__in=keys,
        source__in=BY_PEOPLE,
        label__in=list(across),
    )
    decided = decided.exclude(candidate__question__in=improper_questions(source))
    wanted = set(places)
    said: dict[Place, set[str]] = defaultdict(set)
    rows = decided.order_by("pk").values_list("candidate__question__text", "candidate__text", "label")
    for question, answer, label in rows:
        place = _place(question, answer, project)
        if place in wanted:
            said[place].add(across[label])
    return said


def _across(source: Project, project: Project) -> dict[str, str]:
    if source.protocol is None or project.protocol is None:
        return {}
    return labels_across(source=source.protocol.rules, target=project.protocol.rules)


def _place(question: str, answer: str, project: Project) -> Place:
    return key_of_question(text=question), pool_hash(answer, pooling=project.pooling)


def get_offer(*, project: Project, by: User, source: str) -> Offer:
    """Return what a project has to offer; raises `SourceNotFound`."""
    found = _sources(project=project, by=by).filter(slug=source).first()
    if found is None:
        raise SourceNotFound("None of the other projects that you lead has this name.")
    offers = list_offers(project=project, by=by)
    return next((offer for offer in offers if offer.source == found), Offer(found, [], []))


def reuse_decisions(*, project: Project, by: User, source: str) -> int:
    """Decide what a project offers as its people did, and return how many answers that were.

    Chunk by chunk; answers that raters got meanwhile stay theirs, and doing it again goes on where it was
    broken off. Raises `SourceNotFound`.
    """
    offer = get_offer(project=project, by=by, source=source)
    reason = f"Taken from the project “{offer.source.name},” where people decided it."
    rulings: dict[int, dict[int, Ruling]] = defaultdict(dict)
    for answer, label in offer.answers:
        ruling = Ruling(label=label, rule=offer.source.slug, reason=reason)
        rulings[answer.question_id][answer.pk] = ruling
    return sum(
        _reuse_chunk(
            project, by, {pk: ruling for question in chunk for pk, ruling in rulings[question].items()}, chunk
        )
        for chunk in in_chunks(sorted(rulings))
    )


@transaction.atomic
def _reuse_chunk(project: Project, by: User, rulings: Mapping[int, Ruling], questions: Sequence[int]) -> int:
    lock_due_questions(question_ids=questions, waits=True)
    made = decide_together(
        project_id=project.pk, rulings=rulings, source=Decision.Source.REUSED, by=by, at=now()
    )
    return len(made)


def list_reused(*, project: Project) -> list[Reused]:
    """Return what was taken over and stands, by the project it came from."""
    rows = _reused(project).values("rule").annotate(answers=Count("pk"), at=Max("decided_at"))
    return [Reused(row["rule"], row["answers"], row["at"]) for row in rows.order_by("rule")]


def _reused(project: Project, **conditions: Any) -> QuerySet[Decision]:
    return Decision.objects.in_force().filter(
        candidate__project=project, source=Decision.Source.REUSED, **conditions
    )


def undo_reuse(*, project: Project, by: User, source: str, reason: str) -> int:
    """Give back to raters what was taken over from a project, and return how many answers that were.

    What people have decided anew since stays. Raises `SourceNotFound`, `ReasonMissing`.
    """
    if not reason.strip():
        raise ReasonMissing(
            "Enter a reason for returning the answers to annotators.",
            details={"fields": {"reason": [("Enter a reason.")]}},
        )
    held: dict[int, list[int]] = defaultdict(list)
    rows = _reused(project, rule=source).order_by("candidate__question_id", "pk")
    for question, pk in rows.values_list("candidate__question_id", "pk"):
        held[question].append(pk)
    if not held:
        raise SourceNotFound("This project uses no decisions from that project.")
    chunks = in_chunks(sorted(held))
    count = sum(_undo_chunk(project, by, chunk, held, reason.strip()) for chunk in chunks)
    # Answers of questions that left the sample meanwhile are not to be judged.
    close_unsampled_answers(project=project)
    return count


@transaction.atomic
def _undo_chunk(
    project: Project, by: User, questions: Sequence[int], held: Mapping[int, list[int]], reason: str
) -> int:
    lock_due_questions(question_ids=questions, waits=True)
    return withdraw_together(
        project=project,
        decision_ids=[pk for question in questions for pk in held[question]],
        source=Decision.Source.REUSED,
        by=by,
        reason=reason,
        at=now(),
    )
