"""What votes come to, after the reply; who must be asked again."""

import logging
import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services.slots import lock_due_questions
from annotation.items.models import Candidate, Question
from annotation.judgments.events import AnswersJudged
from annotation.judgments.rules import SKIPPED_BY_CHECK, inquire
from annotation.judgments.selectors import marks_on
from annotation.projects.models import Membership, Project, ProtocolVersion
from common.clock import now
from common.database.rows import in_chunks, refresh_statistics
from common.events import publish

Again = Sheet.Again
IN_NOBODYS_HANDS = (Sheet.State.DUE, Sheet.State.EXPIRED)
NOT_HANDED_IN = (*IN_NOBODYS_HANDS, Sheet.State.OPEN)
# One question alone takes six times as long as one of ten; on SQLite raters wait for all of them.
QUESTIONS_AT_ONCE, ANSWERS_AT_ONCE = 10, 20
# A table is counted again once half of its rows are new or changed: whatever was planned is planned anew.
STATISTICS_SECONDS, GROWN_SHARE = 5.0, 0.5


class _Asked(NamedTuple):
    """A question, and the protocol by which its raters are asked."""

    project_id: int
    question_id: int
    version: ProtocolVersion


def ask_again(*, project_id: int, question_ids: Iterable[int], at: datetime | None = None) -> None:
    """Make the sheets that the answers about questions call for, and drop those they do not.

    To be called once such answers came or were taken back; the caller holds the questions' locks. Safe
    to repeat.
    """
    version = Project.objects.select_related("protocol").get(pk=project_id).protocol
    if version is None:
        return
    for question_id in question_ids:
        _ask(_Asked(project_id, question_id, version), at=at or now())


def ask_again_about(*, project_id: int, question_ids: Iterable[int], at: datetime | None = None) -> None:
    """Do the same where decisions changed: the answers that others had still to judge may be settled.

    The caller holds the questions' locks. Safe to repeat.
    """
    version = Project.objects.select_related("protocol").get(pk=project_id).protocol
    if version is None or not version.rules.skipping_keys:
        return
    left = skipped_by_check().filter(
        candidate__question__in=list(question_ids), candidate__state=Candidate.State.OPEN
    )
    ids = left.order_by("candidate__question").values_list("candidate__question", flat=True).distinct()
    for question_id in list(ids):
        _ask(_Asked(project_id, question_id, version), at=at or now())


def ask_again_in_project(*, project_id: int) -> None:
    """Do the same where the protocol changed: fewer raters may be waited for.

    Chunk by chunk, each in a transaction of its own; safe to repeat.
    """
    held = Q(candidates__state=Candidate.State.OPEN, candidates__assignments__in=skipped_by_check())
    questions = Question.objects.filter(held, project=project_id).order_by("pk").distinct()
    for chunk in in_chunks(list(questions.values_list("pk", flat=True))):
        with transaction.atomic():
            ids = lock_due_questions(question_ids=chunk, waits=True)
            ask_again_about(project_id=project_id, question_ids=ids)


def _ask(asked: _Asked, *, at: datetime) -> None:
    protocol = asked.version.rules
    if not protocol.skipping_keys:
        return
    inquiry = inquire(
        protocol=protocol,
        marks=marks_on(question_id=asked.question_id),
        is_waiting=_is_waiting(asked.question_id),
    )
    sheets = Sheet.objects.votes().filter(question=asked.question_id, asks_again=Again.CHECKS)
    sheets.filter(state__in=IN_NOBODYS_HANDS).exclude(rater__in=inquiry.checks).delete()
    already = set(sheets.values_list("rater", flat=True))
    for rater in _present(inquiry.checks - already):
        _make_sheet(asked, rater=rater, again=Again.CHECKS, at=at)
    _ask_for_answers(asked, raters=inquiry.answers, at=at)


def _is_waiting(question_id: int) -> bool:
    """Whether an answer is in a rater's hands or has a free slot: its rater answers the checks first."""
    answers = Candidate.objects.filter(question=question_id, state=Candidate.State.OPEN)
    live = Assignment.objects.votes().filter(candidate__question=question_id, state=Assignment.State.LIVE)
    return answers.filter(taken__lt=F("wanted")).exists() or live.exists()


def _present(raters: Collection[int]) -> QuerySet[Membership]:
    # A file's raters cannot be asked.
    return Membership.objects.filter(pk__in=raters, user__is_imported=False).order_by("pk")


def _make_sheet(asked: _Asked, *, rater: Membership, again: str, at: datetime) -> Sheet:
    return Sheet.objects.create(
        project_id=asked.project_id,
        question_id=asked.question_id,
        rater=rater,
        protocol_version=asked.version,
        state=Sheet.State.DUE,
        asks_again=again,
        handed_out_at=at,
        lease_expires_at=at,
    )


def _ask_for_answers(asked: _Asked, *, raters: Collection[int], at: datetime) -> None:
    """Give answers that a check had skipped back to their raters, on a sheet of their own."""
    skipped = skipped_by_check().filter(
        candidate__question=asked.question_id, candidate__state=Candidate.State.OPEN, rater__in=raters
    )
    by_rater: dict[int, list[Assignment]] = defaultdict(list)
    for assignment in skipped.order_by("pk"):
        by_rater[assignment.rater_id].append(assignment)
    for rater in Membership.objects.filter(pk__in=by_rater).order_by("pk"):
        made = _make_sheet(asked, rater=rater, again=Again.ANSWERS, at=at)
        ids = [assignment.pk for assignment in by_rater[rater.pk]]
        Assignment.objects.filter(pk__in=ids).update(
            sheet=made, state=Assignment.State.EXPIRED, skip_reason=""
        )
    candidate_ids = [item.candidate_id for each in by_rater.values() for item in each]
    if candidate_ids:
        publish(AnswersJudged(project_id=asked.project_id, candidate_ids=candidate_ids))


def skipped_by_check() -> QuerySet[Assignment]:
    """Return the answers left unjudged because their rater, no file's, said yes to a check."""
    return Assignment.objects.votes().filter(
        state=Assignment.State.SKIPPED,
        skip_reason__startswith=SKIPPED_BY_CHECK,
        rater__user__is_imported=False,
    )


def merge_later_sheets(*, sheet: Sheet, at: datetime) -> None:
    """Move what the same rater has at hand of the same question onto a sheet that is taken back.

    What a later sheet asked again is asked anew when this one is handed in.
    """
    later = Sheet.objects.filter(
        question=sheet.question_id, rater=sheet.rater_id, purpose=sheet.purpose, state__in=NOT_HANDED_IN
    ).exclude(pk=sheet.pk)
    Assignment.objects.filter(sheet__in=later).update(sheet=sheet)
    # Another tab may hand in what it shows: an older version of what now stands on this sheet.
    shown = later.exclude(state=Sheet.State.DUE).exclude(asks_again=Again.CHECKS)
    shown.update(state=Sheet.State.SKIPPED, version=F("version") + 1, closed_at=at)
    later.delete()


logger = logging.getLogger(__name__)


def mark_due(*, sheet: Sheet) -> None:
    """Have the answers on a sheet settled after this transaction, which holds the question's lock."""
    Sheet.objects.filter(pk=sheet.pk).update(settling_due=True)
    sheet.settling_due = True
    settle_at_once(question_id=sheet.question_id)


def settle_at_once(*, question_id: int) -> None:
    """Settle in the act itself where the installation's settings ask for it, as tests of rules do."""
    if settings.ASSAY_SETTLES_AT_ONCE:
        _settle([question_id], waits=True)


def settle_and_count_tables() -> bool:
    """Settle what was handed in, and return whether all of it could be done.

    Tables that raters fill are counted as well: they were empty when the import had them counted, and until
    then PostgreSQL keeps to what it planned for a few rows.
    """
    is_done = settle_due()
    refresh_statistics(seconds_between=STATISTICS_SECONDS, changed_share=GROWN_SHARE)
    return is_done


def settle_due(*, project_id: int | None = None, waits: bool = False) -> bool:
    """Settle whatever is due, a few questions a transaction, and return whether all of it could be done.

    Of one project or of all. Questions that somebody else holds are left to the next round, and half of the
    time to other writers, unless `waits`: somebody does, for the reply.
    Safe to repeat and to be ended at any moment. What fails is logged and stays due: it keeps nobody from
    the rest.
    """
    due = Sheet.objects.filter(settling_due=True)
    if project_id is not None:
        due = due.filter(project=project_id)
    is_done = True
    for question_ids in _together(due):
        began = time.monotonic()
        is_done = _settle_apart(question_ids, waits=waits) and is_done
        if not waits:
            # On SQLite raters wait for the same lock, and look for it only now and then.
            time.sleep(time.monotonic() - began)
    return is_done


def _together(due: QuerySet[Sheet]) -> Iterator[list[int]]:
    """Yield the questions of due sheets, of one project and with few answers on these sheets at a time."""
    rows = due.order_by("project", "question").values_list("project", "question")
    counted = list(rows.annotate(answers=Count("assignments")))
    for _, group in groupby(counted, key=itemgetter(0)):
        chunk: list[int] = []
        room = ANSWERS_AT_ONCE
        for _, question_id, answers in group:
            room -= max(answers, ANSWERS_AT_ONCE // QUESTIONS_AT_ONCE)
            if chunk and room < 0:
                yield chunk
                chunk, room = [], ANSWERS_AT_ONCE - answers
            chunk.append(question_id)
        yield chunk


def _settle_apart(question_ids: Sequence[int], *, waits: bool) -> bool:
    """Settle questions together or, where that fails, each by itself; return whether all were settled."""
    try:
        _settle(question_ids, waits=waits)
    except Exception:
        if len(question_ids) == 1:
            logger.exception("could not settle question %s", *question_ids)
            return False
        settled = [_settle_apart([question_id], waits=waits) for question_id in question_ids]
        return all(settled)
    return True


def settle_before_reading(*, project_id: int) -> None:
    """Let whoever may see results see those of everything that was handed in."""
    settle_due(project_id=project_id, waits=True)


@transaction.atomic
def _settle(question_ids: Sequence[int], *, waits: bool) -> None:
    """Settle questions of one project."""
    locked = lock_due_questions(question_ids=question_ids, waits=waits)
    # Read under the locks: another process may have settled some meanwhile.
    due = Sheet.objects.filter(question__in=locked, settling_due=True).order_by("question", "pk")
    sheets = list(due.values_list("pk", "question", "project"))
    if not sheets:
        return
    ids, questions, (project_id, *_) = zip(*sheets, strict=True)
    Sheet.objects.filter(pk__in=ids).update(settling_due=False)
    votes = Assignment.objects.votes().filter(sheet__in=ids).order_by("candidate")
    candidate_ids = list(votes.values_list("candidate", flat=True))
    publish(AnswersJudged(project_id=project_id, candidate_ids=candidate_ids))
    ask_again(project_id=project_id, question_ids=sorted(set(questions)))
