"""Every field that an annotator receives, and the columns that it is read from: this list and no other.

Nothing here may know of systems, gold marks, verdicts or anybody else's labels, and nothing that is
returned may differ with them: no round, no number of raters, no order that follows systems.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from statistics import median
from typing import Any, Literal, NamedTuple, TypeAlias

from django.db.models import (
    BigIntegerField,
    Case,
    Count,
    F,
    FilteredRelation,
    FloatField,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce

from annotation.assignments.models import UNFINISHED, Assignment, Pilot, Purpose, QuestionFlag, Sheet
from annotation.projects.models import Membership, ProtocolVersion
from annotation.projects.rules import PassagesShown, Protocol, QuestionCheck
from annotation.projects.selectors import unread_guidelines
from common.clock import is_measured, microseconds
from common.database.prepared import prepared
from common.database.rows import Microseconds

SHEET_COLUMNS = (
    "pk",
    "public_id",
    "handed_out_at",
    "version",
    "lease_expires_at",
    "draft",
    "state",
    "asks_again",
    "purpose",
    "protocol_version_id",
    "question_id",
)
SHEET_FIELDS = (*SHEET_COLUMNS, "question__public_id", "question__text")
SHOWN_FIELDS = ("shown__candidate__public_id", "shown__candidate__text")
ANSWER_FIELDS = ("sheet_id", "candidate__public_id", "candidate__text")
PAST_FIELDS = (
    "pk",
    "public_id",
    "handed_out_at",
    "closed_at",
    "purpose",
    "question_id",
    "question__public_id",
    "question__text",
)


@dataclass(frozen=True)
class BlindPassage:
    """A passage that accompanies a question, without its rank, its quality, or the name of the system that
    retrieved it.

    `source`: empty if passages retrieved by systems are included.
    """

    text: str
    title: str
    source: str


@dataclass(frozen=True)
class BlindQuestion:
    """A question as the annotator sees it.

    `references`, `passages`: null if the protocol does not show them. Submitted sheets have no passages.
    `flags`: the kinds of flags that the annotator added.
    """

    id: str
    text: str
    references: list[str] | None
    passages: list[BlindPassage] | None
    flags: list[QuestionFlag.Kind]


@dataclass(frozen=True)
class BlindCheck:
    """A yes-or-no question about the question.

    `skips_answers`: whether a “yes” means that the question’s answers are not judged.
    """

    key: str
    text: str
    skips_answers: bool


@dataclass(frozen=True)
class BlindAnswer:
    """An answer to judge."""

    id: str
    text: str


@dataclass(frozen=True)
class DraftAnswer:
    """The annotator’s judgment of an answer before the submission was undone."""

    id: str
    label: str | None
    skip_reason: str
    comment: str
    evidence_url: str
    evidence_quote: str


@dataclass(frozen=True)
class Draft:
    """The answers on a sheet before its submission was undone."""

    answers: list[DraftAnswer]
    checks: dict[str, bool]


@dataclass(frozen=True)
class BlindSheet:
    """A sheet as the annotator sees it.

    `version`: increases each time the sheet is assigned again, perhaps with other answers. `is_pilot`:
    whether the sheet is part of a pilot, whose judgments do not count as votes. `asks_again`: "checks" or
    "answers" if the annotator has already submitted this question and the protocol asks for these again;
    otherwise empty. The sheet does not reveal how others judged the question. `checks_first`: whether the
    answers are shown only after the checks are answered. `draft`: what the annotator had submitted before
    undoing it, or null.
    """

    id: str
    version: int
    is_pilot: bool
    asks_again: Literal["", "checks", "answers"]
    question: BlindQuestion
    checks: list[BlindCheck]
    checks_first: bool
    answers: list[BlindAnswer]
    lease_expires_at: datetime
    draft: Draft | None


@dataclass(frozen=True)
class Said:
    """An annotator’s current judgment of an answer.

    `judged_at`: changes each time the annotator edits the judgment.
    """

    label: str
    comment: str
    evidence_url: str
    evidence_quote: str
    judged_at: datetime


@dataclass(frozen=True)
class HowDecided:
    """A person’s decision and the explanation that annotators may read. Who decided, when, and any other
    reasons are not included."""

    label: str
    words: str


@dataclass(frozen=True)
class PastAnswer:
    """An answer that the annotator has judged, and their judgment.

    `decided`: a person’s later decision on the answer, if the protocol shows decisions to annotators;
    otherwise null. No other outcome is shown.
    """

    id: str
    text: str
    said: Said
    decided: HowDecided | None


@dataclass(frozen=True)
class PastCheck:
    """A question check and the annotator’s answer to it."""

    text: str
    answer: bool


@dataclass(frozen=True)
class PastSheet:
    """A sheet that its annotator has submitted."""

    id: str
    question: BlindQuestion
    checks: list[PastCheck]
    answers: list[PastAnswer]
    handed_in_at: datetime


@dataclass(frozen=True)
class Progress:
    """An annotator’s own progress and pace, and nothing about anyone else.

    `median_seconds`: the median time per sheet; null if none was measured.
    """

    judged_questions: int
    judged_answers: int
    left_questions: int
    median_seconds: float | None
    can_undo: bool


@dataclass(frozen=True)
class Work:
    """What the judging page needs: the annotator’s open sheets, in order, and progress.

    `guidelines_unread`: the hash of the guidelines that the annotator must read before getting more work;
    empty if there are none. `in_pilot`: whether a pilot is running; until the lead ends it, no other work is
    assigned.
    """

    sheets: list[BlindSheet]
    progress: Progress
    nothing_left: bool
    guidelines_unread: str
    in_pilot: bool


# Text, title and source of passages by question, in the order in which raters see them.
Passages: TypeAlias = Mapping[int, Sequence[tuple[str, str, str]]]


def blind_question(
    *,
    rater: Membership,
    row: Mapping[str, Any],
    references: Mapping[int, list[str]],
    passages: Passages | None,
    flags: list[str],
) -> BlindQuestion:
    """Return the question of a sheet's row; references and passages only where the protocol shows them."""
    protocol = rater.project.protocol
    shown = protocol is not None and protocol.rules.gold_shown
    return BlindQuestion(
        id=row["question__public_id"],
        text=row["question__text"],
        references=references.get(row["question_id"], []) if shown else None,
        passages=blind_passages(rater=rater, passages=passages, question_id=row["question_id"]),
        flags=[QuestionFlag.Kind(flag) for flag in flags],
    )


def blind_passages(
    *, rater: Membership, passages: Passages | None, question_id: int
) -> list[BlindPassage] | None:
    """Return the passages of a question as raters see them; None where the protocol shows none."""
    protocol = rater.project.protocol
    if passages is None or protocol is None or protocol.rules.passages_shown is PassagesShown.NONE:
        return None
    return [BlindPassage(*each) for each in passages.get(question_id, ())]


# A question, a word and a number: what is shown beside the answers of a question, and how far a rater is.
Told: TypeAlias = tuple[int, str, float]
# What reads the gold answers of questions, in order, as such rows.
References: TypeAlias = Callable[..., QuerySet[Any, Any]]


class _Beside(NamedTuple):
    """What a reply shows beside the answers: references and own flags by question, checks, and figures."""

    references: dict[int, list[str]]
    flags: list[tuple[int, str, int]]
    submitted: list[tuple[int, str, int]]
    figures: list[list[float]]


def _read_beside(
    rater: Membership, questions: Iterable[int], *, pilot: Pilot | None, references: References | None
) -> _Beside:
    """Read all of it by one statement; `questions`: of the sheets that are shown."""
    of_pilot = {} if pilot is None else {"pilot": pilot.pk}
    found: list[list[Told]] = [[] for _ in range(2 + len(FIGURES) + (references is not None))]
    for place, *told in _beside(references, rater=rater.pk, questions=tuple(questions), **of_pilot):
        found[place].append((told[0], told[1], told[2]))
    flags, submitted, *rest = found
    gold: dict[int, list[str]] = defaultdict(list)
    for question, text, _ in sorted(
        rest[len(FIGURES)] if references else [], key=lambda row: (row[0], row[2])
    ):
        gold[question].append(text)
    return _Beside(
        references=gold,
        flags=[(question, kind, int(flagged_at)) for question, kind, flagged_at in flags],
        submitted=[(question, purpose, int(version)) for question, purpose, version in submitted],
        figures=[[number for _, _, number in rows] for rows in rest[: len(FIGURES)]],
    )


@prepared
def _beside(
    references: References | None, *, rater: int, questions: tuple[int, ...] = (), pilot: int | None = None
) -> list[QuerySet[Any, Any]]:
    flags = QuestionFlag.objects.filter(rater=rater, question__in=questions)
    submitted = Sheet.objects.filter(rater=rater, question__in=questions, state=Sheet.State.SUBMITTED)
    reads = [
        flags.values_list("question_id", "kind", Cast(Microseconds("flagged_at"), FloatField())),
        submitted.values_list("question_id", "purpose", Cast("protocol_version_id", FloatField())),
        *_figures(rater, pilot),
    ]
    return reads if references is None else [*reads, references(questions=questions)]


def flags_of(*, rater: Membership, rows: Iterable[Mapping[str, Any]]) -> dict[int, list[str]]:
    """Return the kinds of the rater's own flags by sheet; see `_flags_shown`."""
    rows = list(rows)
    own = QuestionFlag.objects.filter(rater=rater, question__in=[row["question_id"] for row in rows])
    flags = own.values_list("question_id", "kind", Microseconds("flagged_at"))
    return _flags_shown(rows, list(flags))


def _flags_shown(
    rows: Iterable[Mapping[str, Any]], flags: Sequence[tuple[int, str, int]]
) -> dict[int, list[str]]:
    """Return flags by sheet. Of one that comes a second time, those since then: what was flagged before would
    tell that it is one."""
    return {
        row["pk"]: sorted(
            kind
            for question_id, kind, flagged_at in flags
            if question_id == row["question_id"]
            and (row["purpose"] != Purpose.REPEAT or flagged_at >= microseconds(row["handed_out_at"]))
        )
        for row in rows
    }


def asked_checks(
    *, rater: Membership, rows: Iterable[Mapping[str, Any]], submitted: Sequence[tuple[int, str, int]]
) -> dict[int, list[BlindCheck]]:
    """Return the checks a rater is asked by sheet, and has to answer before it is handed in.

    They are those of the version under which the sheet was handed out, each once: what an earlier sheet of
    the question asked is not asked again, but what was added since is. A sheet that asks again asks those
    that skip answers. `submitted`: question, purpose and version of the rater's sheets of these questions.
    """
    rows = list(rows)
    rules = _rules_of(rater, {row["protocol_version_id"] for row in rows})
    if not any(each.question_checks for each in rules.values()):
        return {row["pk"]: [] for row in rows}
    asked = _asked_before(rater, submitted, rules)
    return {
        row["pk"]: [
            BlindCheck(check.key, check.text, check.skips_answers)
            for check in rules[row["protocol_version_id"]].question_checks
            if _is_asked(check, row["asks_again"], row["purpose"], asked[row["question_id"], row["purpose"]])
        ]
        for row in rows
    }


def asked_keys(*, sheet: Sheet, own: Iterable[Sheet]) -> list[str]:
    """Return the keys of the checks that one sheet asks; `own`: the same rater's sheets of its question."""
    submitted = [each for each in own if (each.state, each.purpose) == (Sheet.State.SUBMITTED, sheet.purpose)]
    before = {check.key for each in submitted for check in each.protocol_version.rules.question_checks}
    checks = sheet.protocol_version.rules.question_checks
    return [check.key for check in checks if _is_asked(check, sheet.asks_again, sheet.purpose, before)]


def _is_asked(check: QuestionCheck, again: str, purpose: str, before: set[str]) -> bool:
    if again == Sheet.Again.CHECKS:
        return check.skips_answers
    # A second opinion is about answers alone.
    return purpose != Purpose.SECOND and check.key not in before


def _asked_before(
    rater: Membership, sheets: Sequence[tuple[int, str, int]], rules: dict[int, Protocol]
) -> dict[tuple[int, str], set[str]]:
    rules = rules | _rules_of(rater, {version for *_, version in sheets} - rules.keys())
    found: dict[tuple[int, str], set[str]] = defaultdict(set)
    for question_id, purpose, version in sheets:
        found[question_id, purpose] |= {check.key for check in rules[version].question_checks}
    return found


def _rules_of(rater: Membership, versions: Collection[int]) -> dict[int, Protocol]:
    current = rater.project.protocol
    if current is not None and set(versions) <= {current.pk}:
        return {current.pk: current.rules}
    return {pk: version.rules for pk, version in ProtocolVersion.objects.in_bulk(versions).items()}


def build_past(
    *,
    rater: Membership,
    sheet_ids: Sequence[int],
    said: Mapping[int, Said],
    decided: Mapping[int, HowDecided],
    checks: Mapping[int, list[PastCheck]],
    references: Mapping[int, list[str]],
) -> list[PastSheet]:
    """Return sheets that the rater has handed in, in this order.

    `said`: what this rater says, by assignment; `checks`: this rater's answers, by sheet; `decided`: by
    assignment, dropped unless the protocol shows decisions. Whether a vote was counted, and what others
    made of it, does not show.
    """
    rows = {row["pk"]: row for row in Sheet.objects.filter(pk__in=sheet_ids).values(*PAST_FIELDS)}
    flags = flags_of(rater=rater, rows=rows.values())
    protocol = rater.project.protocol
    decisions_shown = protocol is not None and protocol.rules.decisions_shown
    answers: dict[int, list[PastAnswer]] = {}
    judged = Assignment.objects.filter(sheet__in=sheet_ids, pk__in=list(said)).order_by("position", "pk")
    for pk, sheet_id, public_id, text in judged.values_list("pk", *ANSWER_FIELDS):
        told = decided.get(pk) if decisions_shown else None
        answer = PastAnswer(id=public_id, text=text, said=said[pk], decided=told)
        answers.setdefault(sheet_id, []).append(answer)
    return [
        PastSheet(
            id=row["public_id"],
            question=blind_question(
                rater=rater, row=row, references=references, passages=None, flags=flags[row["pk"]]
            ),
            checks=checks.get(row["pk"], []),
            answers=answers.get(row["pk"], []),
            handed_in_at=row["closed_at"],
        )
        for row in (rows[sheet_id] for sheet_id in sheet_ids)
    ]


ON_A_SHEET = (Assignment.State.LIVE, Assignment.State.FILLER)
# Whatever its rater says of an answer, be it no vote: a state would tell what became of it.
IS_JUDGED = Q(judgment__isnull=False) & ~Q(judgment__state="withdrawn")
IS_PILOT = Q(purpose=Purpose.PILOT)
# A question that comes a second time, unmarked or for a second opinion, may be judged already.
IS_REPEAT = Q(purpose__in=(Purpose.REPEAT, Purpose.SECOND))
# Enough sheets for a steady pace, few enough to follow the rater's present one.
PACE_SHEETS = 30


def build_work(
    *,
    rater: Membership,
    sheets: Sequence[Sheet],
    left_questions: int,
    references: References | None,
    passages: Callable[[Iterable[int]], Passages] | None = None,
    as_given: bool = False,
) -> Work:
    """Return what a rater receives for these sheets of theirs.

    A sheet that was handed in or taken back since it was read has nothing left to show and is left
    out. `references`, `passages`: read what the protocol shows of them, None where it shows none. `as_given`:
    the sheets were read or made a moment ago; those of which `Sheet.on_it` is known are then not read again.
    """
    pilot = Pilot.objects.open_in(project_id=rater.project_id)
    unread = unread_guidelines(member=rater)
    if as_given and all(sheet.on_it is not None for sheet in sheets):
        rows, answers = _given_sheets(sheets)
    else:
        rows, answers = _read_sheets([sheet.pk for sheet in sheets])
    questions = dict.fromkeys(row["question_id"] for row in rows.values())
    beside = _read_beside(rater, questions, pilot=pilot, references=references)
    return Work(
        sheets=_sheets(
            rater,
            [rows[sheet.pk] for sheet in sheets if sheet.pk in rows],
            answers,
            beside,
            passages(questions) if passages and questions else None,
        ),
        progress=_progress(beside.figures, rater=rater, left_questions=left_questions),
        # Nothing new comes before the guidelines are read, whatever is left.
        nothing_left=not sheets and not unread,
        guidelines_unread=unread,
        in_pilot=pilot is not None,
    )


def _sheets(
    rater: Membership,
    rows: Sequence[Mapping[str, Any]],
    answers: dict[int, list[BlindAnswer]],
    beside: _Beside,
    passages: Passages | None,
) -> list[BlindSheet]:
    flags = _flags_shown(rows, beside.flags)
    checks = asked_checks(rater=rater, rows=rows, submitted=beside.submitted)
    answers |= {row["pk"]: [] for row in rows if row["pk"] not in answers and _asks_checks_only(row)}
    protocol = rater.project.protocol
    return [
        BlindSheet(
            id=row["public_id"],
            version=row["version"],
            is_pilot=row["purpose"] == Purpose.PILOT,
            asks_again=row["asks_again"],
            question=blind_question(
                rater=rater,
                row=row,
                references=beside.references,
                passages=passages,
                flags=flags[row["pk"]],
            ),
            checks=checks[row["pk"]],
            checks_first=protocol is not None and protocol.rules.checks_first,
            answers=answers[row["pk"]],
            lease_expires_at=row["lease_expires_at"],
            draft=_draft(row["draft"]),
        )
        for row in rows
        if row["pk"] in answers
    ]


def _draft(stored: Mapping[str, Any] | None) -> Draft | None:
    if stored is None:
        return None
    names = [field.name for field in fields(DraftAnswer)]
    answers = [DraftAnswer(**{name: answer[name] for name in names}) for answer in stored["answers"]]
    return Draft(answers, stored["checks"])


def _asks_checks_only(row: Mapping[str, Any]) -> bool:
    return (row["asks_again"], row["state"]) == (Sheet.Again.CHECKS, Sheet.State.OPEN)


@prepared
def _sheets_and_answers(*, sheets: tuple[int, ...] = ()) -> QuerySet[Sheet, dict[str, Any]]:
    # Named twice: PostgreSQL without statistics reads all that anybody holds otherwise.
    on_these = Q(assignments__sheet__in=sheets, assignments__state__in=ON_A_SHEET)
    shown = FilteredRelation("assignments", condition=on_these)
    found = Sheet.objects.filter(pk__in=sheets).annotate(shown=shown).order_by("shown__position", "shown__pk")
    return found.values(*SHEET_FIELDS, *SHOWN_FIELDS)


def _read_sheets(
    sheet_ids: list[int],
) -> tuple[dict[int, dict[str, Any]], dict[int, list[BlindAnswer]]]:
    """Return the rows of sheets and the answers on them, by sheet, read at one moment."""
    rows: dict[int, dict[str, Any]] = {}
    answers: dict[int, list[BlindAnswer]] = {}
    for row in _sheets_and_answers(sheets=tuple(sheet_ids)):
        rows[row["pk"]] = row
        public_id, text = (row[name] for name in SHOWN_FIELDS)
        if public_id is not None:
            answers.setdefault(row["pk"], []).append(BlindAnswer(id=public_id, text=text))
    return rows, answers


def _given_sheets(
    sheets: Sequence[Sheet],
) -> tuple[dict[int, dict[str, Any]], dict[int, list[BlindAnswer]]]:
    """Return the same as `_read_sheets` of sheets that are in memory with what is on them."""
    rows: dict[int, dict[str, Any]] = {}
    answers: dict[int, list[BlindAnswer]] = {}
    for sheet in sheets:
        rows[sheet.pk] = {name: getattr(sheet, name) for name in SHEET_COLUMNS} | {
            "question__public_id": sheet.question.public_id,
            "question__text": sheet.question.text,
        }
        for item in sheet.on_it or ():
            if item.state in ON_A_SHEET:
                answer = BlindAnswer(id=item.candidate.public_id, text=item.candidate.text)
                answers.setdefault(sheet.pk, []).append(answer)
    return rows, answers


def _progress(figures: Sequence[Sequence[float]], *, rater: Membership, left_questions: int) -> Progress:
    seconds, last_is_of_pilot, *counts = figures
    questions, repeats, answers = (int(sum(count)) for count in counts)
    # Of a pilot that is over nothing is taken back any more.
    last = _last_first(rater.pk).first() if list(last_is_of_pilot) == [1] else None
    is_past = last is not None and Pilot.objects.has_ended_for(sheet=last)
    return Progress(
        judged_questions=questions + repeats,
        judged_answers=answers,
        left_questions=left_questions,
        median_seconds=median(seconds) if seconds else None,
        can_undo=bool(last_is_of_pilot) and not is_past,
    )


def _last_first(rater: int) -> QuerySet[Sheet]:
    # Of every purpose that is not told: what is silently not counted must move a rater's own figures like
    # anything else. A pilot is told, and its questions may come again as work, so it is counted by itself.
    return Sheet.objects.filter(rater=rater, state=Sheet.State.SUBMITTED).order_by("-closed_at", "-pk")


OF_NO_QUESTION = (Value(0), Value(""))
FIGURES = ("seconds", "last is of a pilot", "questions", "repeats", "answers")


def _figures(rater: int, pilot: int | None) -> list[QuerySet[Any, Any]]:
    """Return `FIGURES`, a number a row: many seconds of sheets, in no order, and nothing for a count of 0."""
    recent = _last_first(rater).filter(Q(seconds=0) | is_measured("seconds"))
    last_is_of_pilot = Case(When(IS_PILOT, then=1.0), default=0.0, output_field=FloatField())
    # What goes first of a question is counted by itself, as it comes by itself.
    part = F("question") * 2 + Case(When(goes_first=True, then=1), default=0, output_field=BigIntegerField())
    sheets = Sheet.objects.filter(_of_phase(pilot, "question"), rater=rater).annotate(part=part)
    submitted = sheets.filter(state=Sheet.State.SUBMITTED)
    # A question that comes back is left, not judged: it would otherwise be "question 4 of 3".
    unfinished = sheets.filter(state__in=UNFINISHED).exclude(IS_REPEAT)
    is_over = ~IS_REPEAT & ~Q(part__in=unfinished.values("part"))
    return [
        recent.values_list(*OF_NO_QUESTION, Coalesce("seconds", 0.0))[:PACE_SHEETS],
        _last_first(rater).values_list(*OF_NO_QUESTION, last_is_of_pilot)[:1],
        _count(submitted.filter(is_over), Count("part", distinct=True)),
        # One that came a second time unmarked is a question like any other.
        _count(submitted.filter(IS_REPEAT), Count("pk")),
        _judged_answers(rater, pilot),
    ]


def _judged_answers(rater: int, pilot: int | None) -> Any:
    if pilot is not None:
        judged = Assignment.objects.filter(_of_phase(pilot, "candidate__question"), IS_JUDGED, rater=rater)
        return _count(judged, Count("pk"))
    # Not by assignments: thousands of them joined to their judgments take several times as long.
    counts = ~Q(judgments__purpose=Purpose.PILOT) & ~Q(judgments__state="withdrawn")
    said = FilteredRelation("judgments", condition=counts)
    members = Membership.objects.filter(pk=rater).annotate(said=said).order_by().values("pk")
    counted = members.annotate(count=Cast(Count("said"), FloatField()))
    return counted.values_list(*OF_NO_QUESTION, "count")


def _count(rows: QuerySet[Any, Any], count: Count) -> Any:
    counted = rows.order_by().values("rater").annotate(count=Cast(count, FloatField()))
    return counted.values_list(*OF_NO_QUESTION, "count")


def _of_phase(pilot: int | None, question: str) -> Q:
    """Return what counts for a rater's progress: this pilot, or without one all that is of no pilot."""
    return ~IS_PILOT if pilot is None else IS_PILOT & Q(**{f"{question}__in_pilot__pilot": pilot})
