"""What exported lines look like, and counts in words, as pure functions over plain values."""

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from analysis.text import normalize_answer
from annotation.adjudication.rules import decide_columns
from annotation.projects.rules import Credit, Protocol

# What a spreadsheet takes for the beginning of a formula, full-width signs and a cell that begins with a
# further line too; apostrophes may stand before it already. frontend/src/lib/csv.ts has the same rule.
_FORMULA = re.compile(r"'*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20\t\r\n]")
_NEUTRALIZED = re.compile(rf"'{_FORMULA.pattern}")
# What ends a cell or a line; without quotation marks around it, it would be read as that.
_PARTS_CELLS = re.compile(r"[\t\r\n]")
UNRESOLVED = "unresolved"


class ReleasedDecision(NamedTuple):
    """An answer and what it was decided to be; `is_listed`: it came with a released list of such answers."""

    text: str
    label: str
    is_listed: bool = False


class ReleasedChange(NamedTuple):
    """A change of the gold ledger; `undone_at` is empty where it is in force."""

    question_id: str
    question: str
    action: str
    answer: str
    kind: str
    rule: str
    reason: str
    changed_at: str
    undone_at: str
    undo_reason: str


class ReleasedPrediction(NamedTuple):
    """What one system answered to one question, and the answer it was pooled into.

    raw_prediction: as the file had it. own_gold: the gold answers of its own file, where these differ.
    """

    system: str
    question_id: str
    question: str
    item_id: str
    answer: str
    prediction: str
    raw_prediction: str
    own_gold: tuple[str, ...]
    confidence: float | None


class ReleasedPassage(NamedTuple):
    """A passage that is given with a question (system: ""), or that a system retrieved for it."""

    question_id: str
    question: str
    system: str
    sha256: str
    text: str
    title: str
    source: str
    is_gold: bool | None = None
    rank: int | None = None
    score: float | None = None


class ReleasedCheck(NamedTuple):
    """What a rater answered to a check about a question: yes or no, first or asked again, and what for."""

    question_id: str
    question: str
    check: str
    rater: str
    round: str
    answer: str
    purpose: str
    answered_at: str


class AnsweredCheck(NamedTuple):
    """What a rater answered to a check about a question, where the question is known."""

    check: str
    rater: str
    round: str
    answer: str


def yes_or_no(answer: bool) -> str:
    """Return an answer to a check as every file says it."""
    return "yes" if answer else "no"


class ReleasedQuestion(NamedTuple):
    """A question with its gold answers as they came, as they stand, and what people decided.

    patterns: the gold answers that are regular expressions.
    """

    id: str
    text: str
    gold: tuple[str, ...]
    amended: tuple[str, ...]
    decided: tuple[ReleasedDecision, ...]
    patterns: frozenset[str] = frozenset()


@dataclass(frozen=True)
class LeftOut:
    """The numbers of added gold answers that a file format leaves out.

    `equal_to_gold`: those that exact match treats as equal to an imported gold answer. `equal_to_addition`:
    those that it treats as equal to another added answer.
    """

    equal_to_gold: int = 0
    equal_to_addition: int = 0

    def plus(self, other: "LeftOut") -> "LeftOut":
        """Return the sums by cause."""
        return LeftOut(
            self.equal_to_gold + other.equal_to_gold, self.equal_to_addition + other.equal_to_addition
        )


class JudgedPrediction(NamedTuple):
    """What a system answered to a question, and the label that people gave it; empty where there is none."""

    answer: str
    label: str


class JudgedQuestion(NamedTuple):
    """A question with its imported gold answers and each system's answer, by name of the system."""

    text: str
    gold: tuple[str, ...]
    predictions: Mapping[str, JudgedPrediction]
    is_improper: bool


class ReleasedOutput(NamedTuple):
    """What one system answered to one question, with the gold answers of its file.

    prediction: a list where its file had one and read as the first of it.
    """

    question: str
    answer: tuple[str, ...]
    prediction: str | list[str]


class ReleasedVote(NamedTuple):
    """What a rater said of an answer, with everything known about it; the rater stands under a pseudonym.

    Training asks apart from sheets: there is neither time nor protocol version.
    """

    item_id: str
    question_id: str
    question: str
    answer: str
    raw_answer: str
    rater: str
    round: str
    label: str
    state: str
    comment: str
    evidence_url: str
    evidence_quote: str
    seconds: float | None
    judged_at: str
    protocol_version: int | None
    protocol_hash: str


class ReleasedJudgment(NamedTuple):
    """What a rater said of an answer, and what for; only a purpose of "vote" makes it count."""

    purpose: str
    said: ReleasedVote


class VoteColumns(NamedTuple):
    """The labels of one answer's votes by column, and without those of surplus votes."""

    all: tuple[str, ...]
    counted: tuple[str, ...]


class ReleasedAnswer(NamedTuple):
    """An answer with its votes, and what it was decided to be by whom."""

    item_id: str
    question_id: str
    question: str
    answer: str
    raw_answer: str
    votes: VoteColumns
    label: str
    source: str
    category: str = ""
    reason: str = ""


class CastVote(NamedTuple):
    """A vote's place among the votes on one answer."""

    round: str
    slot: int
    number: int
    label: str
    is_surplus: bool = False


def count_of(count: int, noun: str) -> str:
    """Return "1 system", "12 systems"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def vote_columns(votes: Iterable[CastVote], raters_per_answer: int) -> VoteColumns:
    """Return labels by column: the first-round raters by slot, then all other votes in their order.

    A first-round column stays empty where its rater gave no vote; of two first-round votes for one
    slot (one came after its time) the earlier one has the column.
    """
    in_order = sorted(votes, key=lambda vote: vote.number)
    cast = _columns(in_order, raters_per_answer)
    if not any(vote.is_surplus for vote in in_order):
        return VoteColumns(cast, cast)
    return VoteColumns(cast, _columns([vote for vote in in_order if not vote.is_surplus], raters_per_answer))


def _columns(votes: Sequence[CastVote], raters_per_answer: int) -> tuple[str, ...]:
    first: dict[int, str] = {}
    later = []
    for vote in votes:
        if vote.round == "first" and 0 < vote.slot <= raters_per_answer and vote.slot not in first:
            first[vote.slot] = vote.label
        else:
            later.append(vote.label)
    return (*(first.get(slot, "") for slot in range(1, raters_per_answer + 1)), *later)


def json_line(values: Mapping[str, Any]) -> str:
    """Return one line of JSON Lines, keys in the order given, text beyond ASCII escaped."""
    return json.dumps(values) + "\n"


def efficientqa_line(question: ReleasedQuestion, *, protocol: Protocol) -> str:
    """Return a question in the release form of EfficientQA: six keys, always in this order.

    Gold answers that people rejected stay in `answer`; an accepted answer that is a gold answer
    letter by letter is not repeated. Lists that were imported come out as they went in. Regular expressions
    stand apart behind the six keys, as that form's readers compare strings.
    """
    gold = [text for text in question.gold if text not in question.patterns]
    patterns = [text for text in question.gold if text in question.patterns]
    by_credit: dict[Credit, list[str]] = {credit: [] for credit in Credit}
    seen = {(Credit.DEFINITE, text) for text in gold}
    for text, label, is_listed in question.decided:
        credit = protocol.credit(label)
        if is_listed or (credit, text) not in seen:
            by_credit[credit].append(text)
        seen.add((credit, text))
    accepted = by_credit[Credit.DEFINITE]
    return json_line(
        {
            "question": question.text,
            "answer": gold,
            "def_correct_predictions": accepted,
            "poss_correct_predictions": by_credit[Credit.POSSIBLE],
            "def_incorrect_predictions": by_credit[Credit.NONE],
            "answer_and_def_correct_predictions": gold + accepted,
            **({"patterns": patterns} if patterns else {}),
        }
    )


def gold_line(question: ReleasedQuestion) -> str:
    """Return a question with its amended gold answers, as the dataset of OpenQA-eval's command.

    That compares strings, so regular expressions stand apart: among the answers they would be strings, too.
    An added answer that exact match holds equal to one before it is left out, as it changes no score;
    gold answers of the files stay as they came.
    """
    answers, _ = _without_equal_additions(question)
    patterns = [text for text in question.amended if text in question.patterns]
    line = {"id": question.id, "question": question.text, "answer": answers}
    return json_line({**line, "patterns": patterns} if patterns else line)


def equal_additions(question: ReleasedQuestion) -> LeftOut:
    """Count the added answers that `gold_line` leaves out."""
    return _without_equal_additions(question)[1]


def _without_equal_additions(question: ReleasedQuestion) -> tuple[list[str], LeftOut]:
    original = frozenset(question.gold)
    answers: list[str] = []
    left_out: Counter[str] = Counter()
    # What exact match compares, and the cause for which an equal addition is left out.
    seen: dict[str, str] = {}
    # Gold answers of the files come before added ones.
    for text in question.amended:
        if text in question.patterns:
            continue
        normalized = normalize_answer(text)
        if text in original or normalized not in seen:
            answers.append(text)
        else:
            left_out[seen[normalized]] += 1
        seen.setdefault(normalized, "equal_to_gold" if text in original else "equal_to_addition")
    return answers, LeftOut(**left_out)


def evouna_lines(
    questions: Iterable[JudgedQuestion], *, systems: Sequence[str], protocol: Protocol
) -> Iterator[str]:
    """Yield the pieces of EVOUNA's JSON list, a question each, laid out as released.

    A verdict is true, false, or null where nobody decided; whatever is not definitely correct is false.
    There is no line end behind the list, as in the released files.
    """
    opening = "["
    for question in questions:
        values = _evouna_values(question, systems, protocol)
        # No text holds a line end of its own here: JSON escapes them.
        lines = json.dumps(values, indent=1).split("\n")
        yield f"{opening}\n " + "\n ".join(lines)
        opening = ","
    yield "[]" if opening == "[" else "\n]"


def _evouna_values(
    question: JudgedQuestion, systems: Sequence[str], protocol: Protocol
) -> Mapping[str, str | bool | None]:
    values: dict[str, str | bool | None] = {
        "question": question.text,
        "golden_answer": "/".join(question.gold) if question.gold else None,
    }
    for system in systems:
        given = question.predictions.get(system)
        values[f"answer_{system}"] = given.answer if given else None
        values[f"judge_{system}"] = _verdict(given.label, protocol) if given else None
    return {**values, "improper": question.is_improper}


def _verdict(label: str, protocol: Protocol) -> bool | None:
    found = protocol.label(label)
    if found is None or found.credit is Credit.MISSING:
        return None
    return found.credit is Credit.DEFINITE


def output_line(output: ReleasedOutput) -> str:
    """Return a line of OpenQA-eval's model outputs."""
    return json_line(output._asdict())


def as_read(raw: str | Sequence[str] | None, text: str) -> str | list[str]:
    """Return what a file of outputs says so that reading it gives `text`: the file's list, where it does.

    raw: as the file had it, where `text` is not: a list, or the answer before it was cleaned.
    """
    if raw is None or isinstance(raw, str) or not raw or raw[0] != text:
        return text
    return list(raw)


def vote_line(vote: ReleasedVote) -> str:
    """Return a vote as one line of JSON."""
    return json_line(vote._asdict())


def judgment_line(judgment: ReleasedJudgment) -> str:
    """Return a judgment of any purpose as one line of JSON."""
    return json_line({"purpose": judgment.purpose, **judgment.said._asdict()})


def openqa_word(label: str, *, protocol: Protocol) -> str:
    """Return Yes, No or nothing, as OpenQA-eval's files say it; possibly correct is No."""
    found = protocol.label(label)
    if found is None or found.credit is Credit.MISSING:
        return ""
    return "Yes" if found.credit is Credit.DEFINITE else "No"


def openqa_rows(
    answers: Iterable[ReleasedAnswer], *, votes: Iterable[VoteColumns], protocol: Protocol
) -> Iterator[list[str]]:
    """Yield header and rows of an OpenQA-eval file of votes, at least three annotator columns wide.

    votes: those of all the answers, in any order; the header comes first and knows the widest row.
    """
    width = max(3, max((len(_openqa_columns(each, protocol)) for each in votes), default=0))
    yield ["id", "Question", "Model answer", "Acceptable?", *_annotators(width)]
    for answer in answers:
        labels = _padded(_openqa_columns(answer.votes, protocol), width)
        words = [openqa_word(label, protocol=protocol) for label in labels]
        final = openqa_word(answer.label, protocol=protocol)
        yield [answer.question_id, answer.question, answer.answer, final, *words]


def _openqa_columns(votes: VoteColumns, protocol: Protocol) -> tuple[str, ...]:
    """Return the labels a row holds; the form has no place to say that a vote is surplus.

    So surplus votes leave only where whoever reads them as counted comes to the same.
    """
    if votes.all == votes.counted:
        return votes.all
    with_surplus = decide_columns(columns=votes.all, protocol=protocol)
    without = decide_columns(columns=votes.counted, protocol=protocol)
    return votes.all if with_surplus == without else votes.counted


def wide_rows(answers: Iterable[ReleasedAnswer], *, votes: Iterable[VoteColumns]) -> Iterator[list[str]]:
    """Yield header and rows, one answer a row and one column a vote.

    votes: those of all the answers, in any order; the header comes first and knows the widest row.
    """
    width = max((len(each.all) for each in votes), default=0)
    yield [
        "item_id",
        "question_id",
        "question",
        "answer",
        "raw_answer",
        *_annotators(width),
        "final",
        "source",
        "category",
        "reason",
    ]
    for answer in answers:
        decided = [answer.label, answer.source or UNRESOLVED, answer.category, answer.reason]
        yield [*answer[:5], *_padded(answer.votes.all, width), *decided]


def long_rows(votes: Iterable[ReleasedVote]) -> Iterator[list[str]]:
    """Yield header and rows with one vote a row."""
    return table_rows(ReleasedVote._fields, votes)


def judgment_rows(judgments: Iterable[ReleasedJudgment]) -> Iterator[list[str]]:
    """Yield header and rows with one judgment a row, whatever it was for."""
    rows = ((judgment.purpose, *judgment.said) for judgment in judgments)
    return table_rows(["purpose", *ReleasedVote._fields], rows)


def change_rows(changes: Iterable[ReleasedChange]) -> Iterator[list[str]]:
    """Yield header and rows with one change of the gold ledger a row."""
    return table_rows(ReleasedChange._fields, changes)


def prediction_rows(predictions: Iterable[ReleasedPrediction]) -> Iterator[list[str]]:
    """Yield header and rows with one prediction a row; a list stands in its cell as JSON."""
    cells = (each._replace(own_gold=_list_cell(each.own_gold)) for each in predictions)  # type: ignore[arg-type]
    return table_rows(ReleasedPrediction._fields, cells)


def _list_cell(values: Sequence[str]) -> str:
    return json.dumps(values) if values else ""


def prediction_line(prediction: ReleasedPrediction) -> str:
    """Return a prediction as one line of JSON."""
    return json_line(prediction._asdict())


def passage_line(passage: ReleasedPassage) -> str:
    """Return a passage as one line of JSON, which an import reads."""
    row = passage._asdict()
    said = {name: row.pop(name) for name in ("sha256", "text", "title", "source", "is_gold", "rank", "score")}
    if not row["system"]:
        del row["system"]
    column = "retrieved" if passage.system else "passages"
    return json_line({**row, column: [{name: each for name, each in said.items() if each not in ("", None)}]})


def check_rows(checks: Iterable[ReleasedCheck]) -> Iterator[list[str]]:
    """Yield header and rows with one answer to a check a row."""
    return table_rows(ReleasedCheck._fields, checks)


def check_line(check: ReleasedCheck) -> str:
    """Return an answer to a check as one line of JSON."""
    return json_line(check._asdict())


def table_rows(header: Sequence[str], rows: Iterable[tuple[object, ...]]) -> Iterator[list[str]]:
    """Yield header and rows as cells: nothing for None, `true` or `false`, and a comma between several."""
    yield list(header)
    for row in rows:
        yield [_cell(value) for value in row]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _annotators(width: int) -> list[str]:
    return [f"annotator{number}" for number in range(1, width + 1)]


def _padded(columns: Sequence[str], width: int) -> list[str]:
    return [*columns, *[""] * (width - len(columns))]


def csv_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield lines of CSV in which no cell is a spreadsheet formula."""
    return separated([neutralize(cell) for cell in row] for row in rows)


def tsv_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield lines of TSV with every cell quoted, the header too: that tells a reader to take quotes off."""
    return separated(rows, delimiter="\t", quoting=csv.QUOTE_ALL)


def plain_tsv_lines(rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """Yield lines of TSV without quotation marks; no cell may hold what `fits_plain_tsv` looks for."""
    return ("\t".join(row) + "\n" for row in rows)


def fits_plain_tsv(cells: Iterable[str]) -> bool:
    """Whether these cells can stand between tabs as they are."""
    return not any(_PARTS_CELLS.search(cell) for cell in cells)


def separated(
    rows: Iterable[Sequence[str]], *, delimiter: str = ",", quoting: Literal[0, 1] = csv.QUOTE_MINIMAL
) -> Iterator[str]:
    """Yield lines of cells as they are; whoever gives cells of others' texts neutralizes them."""
    for row in rows:
        buffer = io.StringIO()
        # The writer quotes a lone carriage return only where that is part of its line end.
        csv.writer(buffer, delimiter=delimiter, quoting=quoting, lineterminator="\r\n").writerow(row)
        yield f"{buffer.getvalue()[:-2]}\n"


def neutralize(cell: str) -> str:
    """Put an apostrophe before what a spreadsheet would run; `restore` takes exactly that one away."""
    return f"'{cell}" if _FORMULA.match(cell) else cell


def restore(cell: str) -> str:
    """Return the cell that `neutralize` was given."""
    return cell[1:] if _NEUTRALIZED.match(cell) else cell
