"""What a file holds: records, gold answers, repeats."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from analysis.text import question_key

# Of a column in a problem: a file may name one with a whole line.
LONGEST_NAME = 200
# As in requests: what is nested deeper could be stored, but not written again.
DEEPEST = 50


class Severity(StrEnum):
    """An error keeps the whole import out; a warning is shown and the import can go on."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong with a file. `line` counts from 1 and is 0 where the whole file is meant.

    file: "" where all files of an import together are meant.
    """

    file: str
    line: int
    column: str
    severity: Severity
    code: str
    message: str

    @property
    def is_error(self) -> bool:
        """Whether the import cannot go on."""
        return self.severity is Severity.ERROR


@dataclass(frozen=True, slots=True)
class Limits:
    """How large a file may be; each is refused before anything is built from it."""

    max_bytes: int = 200_000_000
    max_rows: int = 2_000_000
    max_line_bytes: int = 1_000_000
    # Every answer of a row is looked at beside its question, so the columns bound what a row may cost.
    max_columns: int = 2_000


@dataclass(frozen=True, slots=True)
class Source:
    """A file to read: its name as the user knows it, and where its bytes lie."""

    name: str
    path: Path
    limits: Limits = field(default_factory=Limits)

    @property
    def stem(self) -> str:
        """The name without folder and last ending."""
        return Path(self.name).stem

    def error(self, code: str, message: str, *, line: int = 0, column: str = "") -> Problem:
        """Make an error in this file."""
        return Problem(self.name, line, column[:LONGEST_NAME], Severity.ERROR, code, message)

    def warning(self, code: str, message: str, *, line: int = 0, column: str = "") -> Problem:
        """Make a warning about this file."""
        return Problem(self.name, line, column[:LONGEST_NAME], Severity.WARNING, code, message)


# Of the fields that an import leaves out, as many as a message can name.
MOST_NAMED = 12


def left_out(source: Source, names: Iterable[str]) -> Iterator[Problem]:
    """Warn of the fields of a file that are not imported, if there are any."""
    named = list(dict.fromkeys(names))
    if not named:
        return
    words = ", ".join(f"“{name[:60]}”" for name in named[:MOST_NAMED])
    more = f" and {len(named) - MOST_NAMED:,} more" if len(named) > MOST_NAMED else ""
    fields = "This field of the file is" if len(named) == 1 else "These fields of the file are"
    yield source.warning(
        "left_out_fields",
        (
            f"{fields} not imported: {words}{more}. To import a field, choose the format “Questions and "
            "answers” and say what the field contains."
        ),
    )


class Row(NamedTuple):
    """A row of a table or a JSON object: the line it begins on, and its values by column name."""

    line: int
    values: dict[str, Any]


# Of what JSON is parsed into: types that hold others.
NESTING: frozenset[type] = frozenset({dict, list})


def is_too_deep(value: dict[str, Any] | list[Any], *, deepest: int = DEEPEST) -> bool:
    """Whether a list or an object is nested more than 50 levels deep; without recursion, as files say how."""
    level = [value]
    for _ in range(deepest):
        level = [each for outer in level for each in _nested_in(outer)]
        if not level:
            return False
    return True


def _nested_in(value: dict[str, Any] | list[Any]) -> list[dict[str, Any] | list[Any]]:
    held = value.values() if isinstance(value, dict) else value
    # Most hold texts and numbers alone, and every row is asked: this is one call for all of them.
    if NESTING.isdisjoint(map(type, held)):
        return []
    return [each for each in held if type(each) in NESTING]


class Gold(NamedTuple):
    """A gold answer: a string, or a regular expression in RE2's syntax."""

    text: str
    is_regex: bool = False


class Vote(NamedTuple):
    """One rater's cell; `label` is the cell as typed, empty where the rater gave none.

    line: where it stands, if not in the line of its record.
    """

    rater: str
    label: str
    comment: str = ""
    evidence_url: str = ""
    evidence_quote: str = ""
    line: int = 0


class PassageRecord(NamedTuple):
    """A passage; without a text it is named by its title or source. `rank` counts from 1."""

    text: str
    title: str = ""
    source: str = ""
    is_gold: bool | None = None
    rank: int = 1
    score: float | None = None


class Retrieved(NamedTuple):
    """What a system retrieved before it answered."""

    system: str
    passages: tuple[PassageRecord, ...]


@dataclass(frozen=True, slots=True)
class QuestionRecord:
    """A question of a file; `text` is empty where the file names it by its id only.

    `reference_count`: how many of the people who were asked for a gold answer gave one, if the file says so.
    `repeat`: earlier rows of the file with the same question, where each row is a question of its own.
    """

    text: str
    external_id: str = ""
    golds: tuple[Gold, ...] = ()
    dataset: str = ""
    tags: tuple[str, ...] = ()
    reference_count: int | None = None
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class PredictionRecord:
    """A system's answer.

    `raw`: the list, where the file had one; `further`: elements to judge besides; `group`: of the systems
    that one rater judges together; `votes`: what raters said of the answer, each once; `uncleaned`: the text
    as the file has it, where the project cleans answers and this one changed.
    """

    system: str
    text: str
    raw: tuple[str, ...] | None = None
    further: tuple[str, ...] = ()
    confidence: float | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)
    group: str = ""
    votes: tuple[Vote, ...] = ()
    uncleaned: str = ""


class ListedAnswer(NamedTuple):
    """An answer that stands on a list of decided ones; `word` says what was decided of those on it."""

    text: str
    word: str


@dataclass(frozen=True, slots=True)
class ItemRecord:
    """One row of a file of questions: the question and what systems answered.

    `marked_by`: the raters who took the question out of the scores. `listed`: answers that people decided
    on, list by list in the order of the file, whoever gave them. `passages`: given for all systems.
    """

    line: int
    question: QuestionRecord
    predictions: tuple[PredictionRecord, ...] = ()
    marked_by: tuple[str, ...] = ()
    listed: tuple[ListedAnswer, ...] = ()
    passages: tuple[PassageRecord, ...] = ()
    retrieved: tuple[Retrieved, ...] = ()

    @property
    def has_passages(self) -> bool:
        """Whether the row has any."""
        return bool(self.passages or self.retrieved)


@dataclass(frozen=True, slots=True)
class VoteRecord:
    """One row of a file of votes, blank cells kept.

    `row` counts the rows from 1, `final` is the file's own label.
    """

    line: int
    row: int
    question: str
    answer: str
    final: str
    votes: tuple[Vote, ...]


@dataclass(frozen=True, slots=True)
class VerdictRecord:
    """One recorded verdict of a program. `row` counts the rows from 1.

    `verdict` is the file's own column ("Yes", "No" or blank); `accepted` is None where that is blank.
    `raw_reply` is an LLM's reply, or the JSON of BEM's probabilities; `score` is BEM's largest P(yes).
    """

    line: int
    row: int
    judge: str
    question: str
    answer: str
    verdict: str
    accepted: bool | None
    score: float | None = None
    raw_reply: str = ""


Record = ItemRecord | VoteRecord | VerdictRecord
Reader = Callable[[Source, Mapping[str, Any]], Iterator[Record | Problem]]


class Kind(StrEnum):
    """What a format's rows are."""

    ITEMS = "items"
    JUDGED_ITEMS = "judged_items"
    DECIDED_ITEMS = "decided_items"
    VOTES = "votes"
    VERDICTS = "verdicts"


class OptionSpec(NamedTuple):
    """A choice the user has when reading a file; `choices` is empty for free text."""

    name: str
    default: str
    choices: tuple[str, ...]
    help: str


@dataclass(frozen=True, slots=True)
class Look:
    """What a format is recognized by: a file's layout, its first row, and how it begins.

    first: the first row's cells by column, as far as the beginning of the file shows it. document: that
    beginning of an object that holds rows, lists cut after three elements. lines: the first of them.
    """

    source: Source
    layout: str
    first: Mapping[str, Any] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict)
    lines: tuple[str, ...] = ()

    def has(self, *names: str) -> bool:
        """Whether the first row has all of these columns."""
        return all(name in self.first for name in names)


def _never(_look: Look) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how it is called, recognized, read and set.

    recognized_by: the same in words, for people.
    """

    key: str
    name: str
    summary: str
    kind: Kind
    read: Reader
    options: tuple[OptionSpec, ...] = ()
    recognizes: Callable[[Look], bool] = _never
    recognized_by: str = "not recognized automatically; choose the format yourself"


OPTION = OptionSpec(
    "keep_duplicate_rows",
    "yes",
    ("yes", "no"),
    "Whether a question that appears twice in a file counts as two questions. If no, only the first row "
    "counts.",
)


class Repeats:
    """Numbers the rows of each question of a file; released figures are over rows."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def numbered(self, record: ItemRecord) -> ItemRecord:
        """Return the record with how many rows of the file had its question before."""
        key = question_key(record.question.text)
        question = replace(record.question, repeat=self._seen[key])
        self._seen[key] += 1
        return replace(record, question=question)
