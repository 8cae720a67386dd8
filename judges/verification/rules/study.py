"""A study as it is stored: everything its numbers rest on, as plain rows that a file holds line by line."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from common.errors import Invalid

FORMAT = "assay-study/1"


class UnreadableStudy(Invalid):
    """The file is no study, or a line of it cannot be read."""

    code = "unreadable_study"


class Head(NamedTuple):
    """The project's short name; protocol: as `Protocol.to_spec` gives it, null before there is one."""

    project: str
    protocol: dict[str, Any] | None
    format: str = FORMAT


class Question(NamedTuple):
    """golds: pairs of kind (string or regex) and text, in the order of the file.

    stratum: the part of a random draw that it could be drawn in, null where it could not. probability: with
    which it was drawn, null where it was not.
    """

    id: str
    text: str
    in_sample: bool
    golds: list[list[str]]
    stratum: int | None = None
    probability: float | None = None


class Check(NamedTuple):
    """A rater's yes to a check about a question."""

    question: str
    rater: str
    key: str


class System(NamedTuple):
    """A system, by its short name."""

    name: str


class Answer(NamedTuple):
    """An answer that is judged once for all systems; position: among those of its question.

    pool: equal where the project's pooling holds two answers of a question equal.
    """

    id: str
    question: str
    text: str
    position: int
    is_judgeable: bool
    is_from_gold: bool
    is_open: bool
    is_asked: bool
    least_votes: int
    pool: str


class Prediction(NamedTuple):
    """What a system said; golds: of its own file, where that has others than the question."""

    system: str
    question: str
    answer: str
    text: str
    golds: list[str] | None


class Passage(NamedTuple):
    """A passage of a question; id: the SHA-256 of its text. is_given: with the question, else retrieved."""

    question: str
    id: str
    is_given: bool
    text: str
    title: str
    source: str
    is_gold: bool | None


class Retrieved(NamedTuple):
    """That a system retrieved a passage for its prediction; rank: from 1."""

    system: str
    question: str
    passage: str
    rank: int
    score: float | None


class Rater(NamedTuple):
    """A rater by pseudonym, and the letter under which the judge board has them; empty for none."""

    name: str
    letter: str


class Turn(NamedTuple):
    """A first-round turn that has ended; label: null where it brought no vote."""

    answer: str
    rater: str
    label: str | None


class Vote(NamedTuple):
    """A vote that stands; submitted: the label of the rater's last act on it."""

    answer: str
    rater: str
    slot: int
    round: str
    state: str
    purpose: str
    label: str
    submitted: str


class Decision(NamedTuple):
    """A decision in force."""

    answer: str
    label: str
    source: str


class Change(NamedTuple):
    """A change of the gold list; is_undone: taken out of force, by_person: by somebody, not by a rule."""

    question: str
    action: str
    text: str
    is_undone: bool
    by_person: bool


class Run(NamedTuple):
    """A judge's run that gives verdicts.

    gold: "original", or the version it was judged against. revision: of the judge's code, empty where none.
    """

    id: str
    judge: str
    revision: str
    gold: str
    options: dict[str, Any]
    is_finished: bool


class Verdict(NamedTuple):
    """What a run said."""

    run: str
    answer: str
    accepted: bool | None
    score: float | None


class Rule(NamedTuple):
    """A rule of pre-judging that was ever applied, in how many applications, those taken back included."""

    text: str
    places: int


class Settled(NamedTuple):
    """An answer that a rule in force speaks for; probability: with which it was to be drawn for people."""

    rule: str
    answer: str
    label: str
    is_drawn: bool
    probability: float


class Calibrated(NamedTuple):
    """An answer of any calibration sample, whether that stands or was closed."""

    answer: str


class Routing(NamedTuple):
    """A rule of routing that was ever switched on, those undone included; text: in words."""

    text: str


class Routed(NamedTuple):
    """An answer whose first rater judged it on a route: what the judge said, empty for nothing, and they say.

    probability: with which it was to be drawn for further raters. routing: the number of its rule, from 1.
    is_undone: that rule was.
    """

    answer: str
    label: str
    first_label: str
    is_drawn: bool
    probability: float
    routing: int = 1
    is_undone: bool = False


KINDS_OF_ROWS = (
    *(Head, Question, Check, System, Answer, Prediction, Rater, Turn, Vote, Decision, Change, Run),
    *(Verdict, Rule, Settled, Routing, Routed, Passage, Retrieved, Calibrated),
)
Row = (
    Head | Question | Check | System | Answer | Prediction | Rater | Turn | Vote | Decision | Change
    | Run | Verdict | Rule | Settled | Routing | Routed | Passage | Retrieved | Calibrated
)  # fmt: skip
KINDS: dict[str, type[Any]] = {kind.__name__.lower(): kind for kind in KINDS_OF_ROWS}


class StoredStudy(NamedTuple):
    """All rows by kind, each kind in the order in which it was stored."""

    head: Head
    questions: list[Question]
    checks: list[Check]
    systems: list[System]
    answers: list[Answer]
    predictions: list[Prediction]
    raters: list[Rater]
    turns: list[Turn]
    votes: list[Vote]
    decisions: list[Decision]
    changes: list[Change]
    runs: list[Run]
    verdicts: list[Verdict]
    rules: list[Rule]
    settled: list[Settled]
    routings: list[Routing]
    routed: list[Routed]
    passages: list[Passage]
    retrieved: list[Retrieved]
    calibrated: list[Calibrated]


def gather(rows: Iterable[Row]) -> StoredStudy:
    """Sort rows by kind; raises `UnreadableStudy` where there is no head."""
    by_kind: dict[type[Any], list[Any]] = {kind: [] for kind in KINDS.values()}
    for row in rows:
        by_kind[type(row)].append(row)
    heads = by_kind.pop(Head)
    if len(heads) != 1:
        raise UnreadableStudy(
            f"A study file must have exactly one “head” line, but this file has {len(heads)}."
        )
    return StoredStudy(heads[0], *by_kind.values())


def study_line(row: Row) -> str:
    """Return a row as a line of the file."""
    return json.dumps({"kind": type(row).__name__.lower(), **row._asdict()}, ensure_ascii=False)


def read_lines(lines: Iterable[str]) -> Iterator[Row]:
    """Read rows; raises `UnreadableStudy` with the number of the line and what is wrong with it."""
    for number, line in enumerate(lines, start=1):
        if line.strip():
            yield _read_line(line, number)


def _read_line(line: str, number: int) -> Row:
    try:
        cells = json.loads(line)
        kind = KINDS[cells.pop("kind")]
        row: Row = kind(**cells)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UnreadableStudy(f"Line {number} is not a row of a study file: {error}.") from None
    if isinstance(row, Head) and row.format != FORMAT:
        raise UnreadableStudy(f"Line {number}: the format is “{row.format}” instead of {FORMAT}.")
    return row
