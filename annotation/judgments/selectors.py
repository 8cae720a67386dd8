"""Read what raters say about questions, and what one of them has judged."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from django.db.models import Exists, OuterRef, QuerySet

from annotation.assignments.blind_view import (
    HowDecided,
    PastCheck,
    PastSheet,
    Said,
    build_past,
)
from annotation.assignments.models import UNFINISHED, Purpose, Sheet
from annotation.items.selectors import shown_references
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.judgments.ports import how_people_decided
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Protocol, is_improper
from common.errors import NotFound

# Of these a rater is told nothing but that they are work.
TOLD = (Purpose.VOTE, Purpose.REPEAT, Purpose.KNOWN_ANSWER, Purpose.SECOND)


class JudgmentNotFound(NotFound):
    """The rater has no such judgment."""


def get_own_judgment(*, rater: Membership, sheet_id: str, answer_id: str) -> Judgment:
    """Return what the rater says of an answer on a sheet of theirs; raises `JudgmentNotFound`."""
    judgment = (
        Judgment.objects.filter(
            rater=rater, assignment__sheet__public_id=sheet_id, candidate__public_id=answer_id
        )
        .exclude(state=Judgment.State.WITHDRAWN)
        .select_related("candidate", "assignment__sheet__protocol_version")
        .first()
    )
    if judgment is None:
        raise JudgmentNotFound("You have no such judgment.")
    return judgment


def past_sheets(*, rater: Membership, search: str = "") -> QuerySet[Sheet]:
    """Return the sheets a rater has handed in, newest first; `search`: words of the question.

    A question that is in the rater's hands at this moment is not among them: whoever is asked once more
    is not to look up what they said before. Nor is a sheet that was silently handed out once more: the
    later one stands in its place.
    """
    in_hand = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN).values("question")
    sheets = Sheet.objects.filter(rater=rater, state=Sheet.State.SUBMITTED).exclude(question__in=in_hand)
    repeated = Sheet.objects.filter(
        rater=rater,
        question=OuterRef("question"),
        purpose=Purpose.REPEAT,
        state=Sheet.State.SUBMITTED,
        closed_at__gt=OuterRef("closed_at"),
    )
    sheets = sheets.exclude(Exists(repeated))
    if search:
        sheets = sheets.filter(question__text__icontains=search)
    return sheets.order_by("-closed_at", "-pk")


def view_past(*, rater: Membership, sheets: Iterable[Sheet]) -> list[PastSheet]:
    """Return these sheets of the rater's own with what the rater said on them."""
    sheets = list(sheets)
    sheet_ids = [sheet.pk for sheet in sheets]
    judgments = list(
        Judgment.objects.filter(rater=rater, assignment__sheet__in=sheet_ids)
        .exclude(state=Judgment.State.WITHDRAWN)
        .select_related("candidate")
        .order_by("pk")
    )
    return build_past(
        rater=rater,
        sheet_ids=sheet_ids,
        said={judgment.assignment_id: said_by(judgment) for judgment in judgments},
        decided=_how_decided(rater, judgments),
        checks=_past_checks(rater, sheet_ids),
        references=shown_references(question_ids=[sheet.question_id for sheet in sheets]),
    )


def said_by(judgment: Judgment) -> Said:
    """Return what a rater says of an answer, in the form in which they receive it."""
    return Said(
        label=judgment.label,
        comment=judgment.comment,
        evidence_url=judgment.evidence_url,
        evidence_quote=judgment.evidence_quote,
        judged_at=judgment.judged_at,
    )


def _how_decided(rater: Membership, judgments: Iterable[Judgment]) -> dict[int, HowDecided]:
    """Return by assignment how a person decided what this rater had judged, where the protocol shows it.

    Decisions made after the judgment: one that was there before would tell a known answer, or an answer that
    filled the sheet. A repeat stands in its vote's place and reads as it did. Nothing of a pilot, nor about a
    question that the rater is still to be asked about.
    """
    protocol = rater.project.protocol
    if protocol is None or not protocol.rules.decisions_shown:
        return {}
    # What a pilot left unfinished is asked no more, or anew as a vote.
    due = Sheet.objects.filter(rater=rater, state__in=UNFINISHED).exclude(purpose=Purpose.PILOT)
    asked = set(due.values_list("question_id", flat=True))
    told = {
        judgment.assignment_id: judgment.candidate_id
        for judgment in judgments
        if judgment.purpose in TOLD and judgment.candidate.question_id not in asked
    }
    votes = (
        Judgment.objects.votes()
        .filter(rater=rater, candidate__in=list(told.values()))
        .exclude(state=Judgment.State.WITHDRAWN)
    )
    unmarked = [item for item in judgments if item.assignment_id in told and item.purpose != Purpose.REPEAT]
    judged_at = {item.candidate_id: item.judged_at for item in unmarked}
    judged_at |= dict(votes.values_list("candidate_id", "judged_at"))
    decided = how_people_decided(judged_at=judged_at)
    return {pk: decided[candidate] for pk, candidate in told.items() if candidate in decided}


def _past_checks(rater: Membership, sheet_ids: list[int]) -> dict[int, list[PastCheck]]:
    protocol = rater.project.protocol
    texts = {check.key: check.text for check in protocol.rules.question_checks} if protocol else {}
    checks: dict[int, list[PastCheck]] = {}
    answers = CheckAnswer.objects.filter(rater=rater, sheet__in=sheet_ids).order_by("pk")
    for sheet_id, key, answer in answers.values_list("sheet_id", "check_key", "answer"):
        checks.setdefault(sheet_id, []).append(PastCheck(text=texts.get(key, key), answer=answer))
    return checks


def improper_questions(project: Project) -> frozenset[int]:
    """Return the questions that raters took out of every score."""
    protocol = project.protocol.rules if project.protocol else None
    if protocol is None or not protocol.skipping_keys:
        return frozenset()
    answers = CheckAnswer.objects.votes().filter(
        question__project=project, check_key__in=protocol.skipping_keys
    )
    return _improper(
        answers.filter(answer=True).values_list("question_id", "rater_id", "check_key"), protocol
    )


def improper_among(question_ids: Iterable[int], *, protocol: Protocol) -> frozenset[int]:
    """Return those of these questions that raters took out of every score."""
    answers = CheckAnswer.objects.votes().filter(
        question__in=list(question_ids), check_key__in=protocol.skipping_keys
    )
    return _improper(
        answers.filter(answer=True).values_list("question_id", "rater_id", "check_key"), protocol
    )


def marks_on(*, question_id: int) -> dict[int, set[str]]:
    """Return for each rater who answered checks about the question the keys answered yes."""
    marks: dict[int, set[str]] = {}
    answers = CheckAnswer.objects.votes().filter(question=question_id).order_by("pk")
    for rater, key, answer in answers.values_list("rater_id", "check_key", "answer"):
        marks.setdefault(rater, set()).update([key] if answer else [])
    return marks


def _improper(rows: Iterable[tuple[int, int, str]], protocol: Protocol) -> frozenset[int]:
    marks: Mapping[int, dict[int, set[str]]] = defaultdict(dict)
    for question, rater, key in rows:
        marks[question].setdefault(rater, set()).add(key)
    return frozenset(
        question
        for question, by_rater in marks.items()
        if is_improper(protocol=protocol, marks=list(by_rater.values()))
    )
