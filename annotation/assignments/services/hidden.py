"""Hand out sheets that are no work, unmarked among it: known answers, and what was judged before."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.selectors.hidden_work import (
    hidden_candidates,
    known_candidates,
    known_questions,
    longest_known_sheet,
    next_turn,
    repeatable_sheets,
    turn_number,
)
from annotation.assignments.selectors.open_work import work_sizes
from annotation.assignments.services.slots import in_own_order, lease_end, try_lock_question
from annotation.items.models import Candidate, Question
from annotation.known_answers.models import QualityPlan
from annotation.known_answers.rules import Turn, draw_size
from annotation.projects.models import Membership, ProtocolVersion
from common.database.rows import insert_objects

# Questions that others hold at the moment are passed over; what is left out comes another time.
MOST_TRIES = 3


def hand_out_hidden(
    *,
    rater: Membership,
    version: ProtocolVersion,
    plan: QualityPlan | None,
    room: int,
    at: datetime,
) -> list[Sheet]:
    """Return the hidden sheets whose turn it is, as many as there is room for.

    `plan`: None where none can come. The caller has taken the rater's turn and goes on with work, of which
    it keeps the shortest for the end (`shortest_last`): nothing hidden comes where none is left.
    """
    made: list[Sheet] = []
    while plan is not None and len(made) < room:
        sheet = _next_hidden(rater, version, plan, at=at)
        if sheet is None:
            break
        made.append(sheet)
    return made


def shortest_last(*, rater: Membership, plan: QualityPlan | None, ranked: list[int]) -> list[int]:
    """Return the questions in their order, but the shortest of all that waits at the end.

    Known answers are as long as work that is yet to come: were only longer work left, those foreseen could
    not come, and the count of what is left would tell of a question too many. Where known answers come at
    all it is kept for good, so that the order of work does not tell when the last of them came. What goes
    first is not kept back.
    """
    sizes = work_sizes(rater=rater) if plan is not None and plan.known_share > 0 else {}
    first = {part.question_id for part in sizes if part.goes_first}
    rest = {part.question_id: size for part, size in sizes.items() if part.question_id not in first}
    if not rest:
        return ranked
    shortest = min(rest.values())
    kept = [question_id for question_id, size in rest.items() if size == shortest][-1]
    return sorted(ranked, key=lambda question_id: question_id == kept)


def _next_hidden(
    rater: Membership, version: ProtocolVersion, plan: QualityPlan, *, at: datetime
) -> Sheet | None:
    turn = next_turn(rater=rater, plan=plan)
    # All kinds are looked for whatever comes, so that the time of a reply does not tell it.
    known = _find_known(rater) if plan.known_share > 0 else None
    repeats = repeatable_sheets(rater=rater, plan=plan, at=at) if plan.repeat_share > 0 else []
    if known is not None and turn is not Turn.KNOWN:
        _read_known(rater, known)
    if turn is not Turn.REPEAT:
        _read_repeat(repeats)
    if turn is Turn.KNOWN and known is not None:
        return _known(rater, version, known, at=at)
    return _repeat(rater, version, repeats, at=at) if turn is Turn.REPEAT else None


class KnownFound(NamedTuple):
    """Questions with known answers that may come now, and how many answers their sheet is to hold."""

    question_ids: list[int]
    size: int


def _find_known(rater: Membership) -> KnownFound | None:
    # Of sizes that can come: one that could not would leave a sheet owed that pages have told of.
    longest = longest_known_sheet(rater=rater)
    waiting = work_sizes(rater=rater)
    # While what goes first is handed out, a sheet of another size would stand out.
    is_first = any(part.goes_first for part in waiting)
    sizes = [size for part, size in waiting.items() if part.goes_first == is_first and size <= longest]
    if not sizes:
        return None
    size = draw_size(
        seed=rater.project.seed, rater=rater.public_id, number=turn_number(rater=rater), sizes=sizes
    )
    return KnownFound(known_questions(rater=rater, size=size)[:MOST_TRIES], size)


def _read_known(rater: Membership, found: KnownFound) -> None:
    """Read the answers of the known question that would come first, as is done where it comes."""
    for question_id in found.question_ids[:1]:
        _answers_with_known(rater, question_id, size=found.size)


def _read_repeat(sheet_ids: list[int]) -> None:
    """Read the answers of the sheet that would come again first, as is done where it comes."""
    for sheet_id in sheet_ids[:1]:
        _answers_judged(Sheet.objects.get(pk=sheet_id))


def _known(rater: Membership, version: ProtocolVersion, found: KnownFound, *, at: datetime) -> Sheet | None:
    for question_id in found.question_ids:
        question = try_lock_question(question_id=question_id)
        chosen = _answers_with_known(rater, question_id, size=found.size) if question else []
        if question is not None and chosen:
            return make_sheet(rater, version, question, Purpose.KNOWN_ANSWER, chosen, at=at)
    return None


def _answers_with_known(rater: Membership, question_id: int, *, size: int) -> list[Candidate]:
    """Return the known answers to a question and others as far as there is room; none where none is known."""
    known = known_candidates(rater=rater, question_id=question_id)
    # Alone they would make a shorter sheet than work does.
    others = hidden_candidates(rater=rater).filter(question=question_id)
    others = others.exclude(pk__in=[item.pk for item in known])
    chosen = in_own_order(rater, known)[:size]
    chosen += in_own_order(rater, list(others.order_by("pk")))[: size - len(chosen)]
    return in_own_order(rater, chosen) if known else []


def _repeat(rater: Membership, version: ProtocolVersion, repeats: list[int], *, at: datetime) -> Sheet | None:
    for sheet_id in repeats[:MOST_TRIES]:
        former = Sheet.objects.get(pk=sheet_id)
        question = try_lock_question(question_id=former.question_id)
        chosen = _answers_judged(former)
        if question is not None and chosen:
            return make_sheet(rater, version, question, Purpose.REPEAT, in_own_order(rater, chosen), at=at)
    return None


def _answers_judged(sheet: Sheet) -> list[Candidate]:
    judged = Candidate.objects.filter(
        assignments__sheet=sheet,
        assignments__state__in=(Assignment.State.DONE, Assignment.State.SURPLUS),
    )
    return list(judged.order_by("pk"))


def make_sheet(
    rater: Membership,
    version: ProtocolVersion,
    question: Question,
    purpose: Purpose,
    chosen: Sequence[Candidate],
    *,
    at: datetime,
) -> Sheet:
    """Hand out answers that are judged without a vote; the caller holds the question's lock."""
    sheet = Sheet.objects.create(
        project_id=rater.project_id,
        question=question,
        rater=rater,
        protocol_version=version,
        purpose=purpose,
        handed_out_at=at,
        lease_expires_at=lease_end(at=at),
    )
    sheet.on_it = [
        Assignment(sheet=sheet, candidate=candidate, rater=rater, slot=0, purpose=purpose, position=position)
        for position, candidate in enumerate(chosen)
    ]
    insert_objects(sheet.on_it)
    return sheet


def reopen_sheet(sheet: Sheet, version: ProtocolVersion, *, at: datetime) -> Sheet:
    """Put a sheet without votes into its rater's hands again; the caller holds the question's lock."""
    sheet.on_it = None
    sheet.assignments.filter(state=Assignment.State.EXPIRED).update(state=Assignment.State.LIVE)
    sheet.state = Sheet.State.OPEN
    sheet.version += 1
    sheet.protocol_version = version
    sheet.lease_expires_at = lease_end(at=at)
    sheet.closed_at = None
    sheet.save()
    return sheet
