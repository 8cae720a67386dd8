"""Read files, beside what the project holds already."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from analysis.text import clean_answer
from annotation.items import selectors
from annotation.items.formats.columns import ColumnSamples
from annotation.items.formats.records import (
    Format,
    Gold,
    ItemRecord,
    Kind,
    OptionSpec,
    PredictionRecord,
    Problem,
    Record,
    Severity,
    Source,
    VerdictRecord,
    VoteRecord,
)
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.items.rules import OptionError, checked_options, key_of_question, pool_hash, text_hash
from annotation.projects.models import Project
from common.database import shares
from common.errors import Invalid

# A chunk of this size took 30 to 50 ms of processor time on SQLite; larger ones gained nothing.
CHUNK_ROWS = 100
SYSTEM_NAMES = "system_names"
AS_IN_FILE = "as_in_file"
WITHOUT_COMMON_PREFIX = "without_common_prefix"
BAD_ROWS = "bad_rows"
REFUSE = "refuse"
LEAVE_OUT = "leave_out"
# What is wrong with one row and says nothing of how the file is read.
OF_ONE_ROW = frozenset(
    {
        "bad_pattern",
        "missing_pattern",
        "unknown_question",
        "missing_question",
        "gold_not_text",
        "too_many_golds",
        "id_too_long",
    }
)
# How rows come into the project; the formats' own options say how files are read.
APPLYING_OPTIONS = (
    OptionSpec(
        "candidates",
        "predictions",
        ("predictions", "votes"),
        "Which answers people judge: all predictions, pooled; or only those whose votes were imported, "
        "to which predictions are linked by the exact string, else case-folded.",
    ),
    OptionSpec(
        SYSTEM_NAMES,
        AS_IN_FILE,
        (AS_IN_FILE, WITHOUT_COMMON_PREFIX),
        "What pages call new systems: as their file names them; or without what all systems of this import "
        "begin with, up to a mark such as “_”.",
    ),
    OptionSpec(
        BAD_ROWS,
        REFUSE,
        (REFUSE, LEAVE_OUT),
        "What becomes of rows whose gold answer, pattern or id cannot be used: refuse all files, or leave "
        "these rows out, each named by its line, and import the others.",
    ),
    OptionSpec("group", "", (), "Group of the systems, under a protocol that has a rater for each group."),
)

AnyRecord = TypeVar("AnyRecord", bound=Record)


class BadOption(Invalid):
    """The format does not have such an option or value."""

    code = "bad_option"


def option_specs(found: Format) -> tuple[OptionSpec, ...]:
    """Return the options that an import of this format takes."""
    return (*found.options, *(APPLYING_OPTIONS if found.kind is Kind.ITEMS else ()))


def settle_options(*, found: Format, options: dict[str, Any]) -> dict[str, Any]:
    """Return all options of an import with defaults filled in; raises `BadOption`."""
    try:
        return checked_options(found, options, option_specs(found))
    except OptionError as error:
        raise BadOption(str(error)) from None


def read_source(
    data_import: DataImport, source: Source, *, samples: ColumnSamples | None = None
) -> Iterator[Record | Problem]:
    """Yield every row and problem of one file of an import, and note what its columns hold in `samples`."""
    found = selectors.get_format(data_import.format)
    options = {**data_import.options, "known_questions": lambda: _question_texts(data_import)}
    if samples is not None:
        options["samples"] = samples
    rows = found.read(source, options)
    is_cleaned = data_import.project.cleaning == Project.Cleaning.CHAT
    for row in rows:
        if isinstance(row, Problem):
            yield weighed(row, data_import)
        else:
            yield cleaned(row) if is_cleaned else row


def leaves_out_bad_rows(data_import: DataImport) -> bool:
    """Whether rows that cannot be used keep no other row out."""
    return bool(data_import.options.get(BAD_ROWS) == LEAVE_OUT)


def weighed(problem: Problem, data_import: DataImport) -> Problem:
    """Return a problem as a warning where it is about one row and the lead chose to leave such rows out."""
    if problem.code not in OF_ONE_ROW or not problem.is_error or not leaves_out_bad_rows(data_import):
        return problem
    return replace(problem, severity=Severity.WARNING, message=f"{problem.message} The row is left out.")


def cleaned(row: Record) -> Record:
    """Return a row with its answers cleaned.

    Rows of votes and verdicts are cleaned alike, so that they find the answers they are about.
    """
    if isinstance(row, VoteRecord | VerdictRecord):
        return replace(row, answer=clean_answer(row.answer))
    return replace(row, predictions=tuple(map(_cleaned_prediction, row.predictions)))


def _cleaned_prediction(prediction: PredictionRecord) -> PredictionRecord:
    text = clean_answer(prediction.text)
    return replace(
        prediction,
        text=text,
        further=tuple(map(clean_answer, prediction.further)),
        uncleaned=prediction.text if text != prediction.text else "",
    )


def read_records(data_import: DataImport) -> Iterator[Record]:
    """Yield the rows of all files of an import that was found to be without errors."""
    for source in selectors.sources_of(data_import):
        for record in read_source(data_import, source):
            if not isinstance(record, Problem):
                yield record


def _question_texts(data_import: DataImport) -> Iterable[str]:
    return data_import.project.questions.order_by("pk").values_list("text", flat=True).iterator()


def chunks(records: Iterable[AnyRecord], size: int = CHUNK_ROWS) -> Iterator[list[AnyRecord]]:
    """Yield lists of about `size` records; rows of one question that follow each other stay together."""
    chunk: list[AnyRecord] = []
    size = min(size, shares.LARGEST)
    for record in records:
        if len(chunk) >= size and record_key(record) != record_key(chunk[-1]):
            yield chunk
            chunk = []
        chunk.append(record)
    if chunk:
        yield chunk


def record_key(record: Record) -> str:
    """Return what names the question of a row: the key of its text, else its id.

    A question that stands in a file again as one of its own has its number behind the key; keys have
    spaces around every sign, so no question's text gives such a key.
    """
    if not isinstance(record, ItemRecord):
        return key_of_question(text=record.question)
    question = record.question
    if not question.text:
        return f"id:{question.external_id}"
    key = key_of_question(text=question.text)
    return f"{key} #{question.repeat + 1}" if question.repeat else key


class Surroundings(NamedTuple):
    """Questions by the key of a row, their answers, systems by name, and what these systems answered."""

    questions: dict[str, Question]
    gold_texts: "dict[int, GoldTexts]"
    answers: "AnswerIndex"
    systems: dict[str, System]
    predicted: dict[tuple[int, int], Prediction]


class GoldTexts:
    """How many gold answers a question has, and what says at once whether a text is among them.

    A file may repeat a question of a hundred thousand gold answers in each of its rows.
    """

    def __init__(self) -> None:
        self._count = 0
        self._known: set[str] = set()

    def add(self, text: str) -> None:
        """Take in one more."""
        self._count += 1
        self._known.add(text)

    def __contains__(self, text: str) -> bool:
        return text in self._known

    def __len__(self) -> int:
        return self._count

    def are(self, texts: Collection[str]) -> bool:
        """Say whether these are all of them, in any order."""
        return self._known == set(texts)


class AnswerIndex:
    """The answers to some questions, found as the project pools them, or as votes are linked."""

    def __init__(self, *, pooling: str, is_link_only: bool = False) -> None:
        self._pooling = pooling
        self._is_link_only = is_link_only
        self._by_key: dict[tuple[int, str, str], Candidate] = {}
        # Of answers that are pooled alike, the one that systems gave first, and those typed so.
        self._given: dict[tuple[int, str, str], Candidate] = {}
        self._typed: dict[tuple[int, str, str], Candidate] = {}
        self._by_question: dict[int, list[Candidate]] = defaultdict(list)
        self._equal: dict[tuple[int, str, str], list[Candidate]] = defaultdict(list)
        # For rows of votes, of which a file may have a hundred thousand on one question.
        self._alike: dict[tuple[int, str], Candidate] = {}
        self._waiting: dict[tuple[int, str], deque[Candidate]] = defaultdict(deque)
        self._unclaimed: dict[tuple[int, str], deque[Candidate]] = defaultdict(deque)
        # Numbers to go on with: a line may list a hundred thousand answers.
        self._next_duplicate: Counter[tuple[int, str, str]] = Counter()
        self._next_position: Counter[int] = Counter()

    def add(self, candidate: Candidate, *, is_given: bool = False, is_unclaimed: bool = False) -> None:
        """Take in an answer; the first of several that are equal is the one found later.

        `is_given`: by a system. `is_unclaimed`: no row of a file has said anything of it.
        """
        for key in self._keys(candidate.question_id, candidate.group, candidate.text):
            self._by_key.setdefault(key, candidate)
        question_id = candidate.question_id
        self._by_question[question_id].append(candidate)
        place = (question_id, candidate.group, candidate.pool_hash)
        self._equal[place].append(candidate)
        self._alike.setdefault((question_id, candidate.pool_hash), candidate)
        for text in {candidate.text, candidate.text_of_row or candidate.text}:
            self._waiting[question_id, text].append(candidate)
        if candidate.is_judgeable:
            self._typed.setdefault((question_id, candidate.group, candidate.text), candidate)
            if is_given:
                self.give(candidate)
            if is_unclaimed:
                self._unclaimed[question_id, candidate.pool_hash].append(candidate)
        self._next_duplicate[place] = max(self._next_duplicate[place], candidate.duplicate + 1)
        self._next_position[question_id] = max(self._next_position[question_id], candidate.position + 1)

    def give(self, candidate: Candidate) -> None:
        """Note that a system gave an answer: what others say alike is pooled into the first of these."""
        if candidate.is_judgeable:
            self._given.setdefault((candidate.question_id, candidate.group, candidate.pool_hash), candidate)

    def find(self, *, question_id: int, group: str, text: str) -> Candidate | None:
        """Return the answer that a text is pooled into or linked to, or None.

        Where votes kept several apart that are pooled alike: what systems gave already, else what was typed
        so, else the first. So outputs meet rows of votes as rows meet outputs (`Claims`).
        """
        keys = self._keys(question_id, group, text)
        found = next((self._by_key[key] for key in keys if key in self._by_key), None)
        if found is None or self._is_link_only:
            return found
        return self._given.get(keys[0]) or self._typed.get((question_id, group, text)) or found

    def equal(self, *, question_id: int, group: str, text: str) -> list[Candidate]:
        """Return every answer that is pooled like a text; several only where votes kept them apart."""
        return self._equal[question_id, group, pool_hash(text, pooling=self._pooling)]

    def first_alike(self, *, question_id: int, text: str) -> Candidate | None:
        """Return the first answer of whatever group that is pooled like a text, or None."""
        return self._alike.get((question_id, pool_hash(text, pooling=self._pooling)))

    def first_waiting(self, *, question_id: int, text: str, taken: Collection[str]) -> Candidate | None:
        """Return the first answer of exactly this text that is not taken (by public ids), or None.

        What is found to be taken is forgotten, so asking for one after the other goes through them once.
        """
        waiting = self._waiting.get((question_id, text), deque())
        while waiting and waiting[0].public_id in taken:
            waiting.popleft()
        return waiting[0] if waiting else None

    def first_unclaimed(
        self, *, question_id: int, text: str, is_left: Callable[[Candidate], bool]
    ) -> Candidate | None:
        """Return the first answer pooled like a text that no row of a file has said anything of, or None.

        What is not left for this row is forgotten.
        """
        unclaimed = self._unclaimed.get((question_id, pool_hash(text, pooling=self._pooling)), deque())
        while unclaimed and not is_left(unclaimed[0]):
            unclaimed.popleft()
        return unclaimed[0] if unclaimed else None

    def of_question(self, question_id: int) -> list[Candidate]:
        """Return all answers to a question, those to judge first, then in the order of their rows."""
        return self._by_question[question_id]

    def new_candidate(self, *, question: Question, group: str, text: str) -> Candidate:
        """Make an answer that fits in: its place on the sheet, and its number among equal ones."""
        hashed = pool_hash(text, pooling=self._pooling)
        return Candidate(
            question=question,
            project_id=question.project_id,
            text=text,
            pool_hash=hashed,
            group=group,
            duplicate=self._next_duplicate[question.pk, group, hashed],
            position=self._next_position[question.pk],
        )

    def _keys(self, question_id: int, group: str, text: str) -> list[tuple[int, str, str]]:
        if self._is_link_only:
            return [(question_id, "exact", text), (question_id, "casefold", text.casefold())]
        return [(question_id, group, pool_hash(text, pooling=self._pooling))]


class Claims:
    """Which answers the rows of a votes file stand for; remembered from chunk to chunk.

    Where each row is an answer of its own, it claims an answer of exactly its text, or that a row typed so
    has claimed before; else one that is pooled like it, was in no file of votes, and is left by the rows
    that have its very text. An answer is claimed once. `typed`: short hashes of question and answer of all
    rows.
    """

    def __init__(self, *, keeps_duplicates: bool, typed: frozenset[int] = frozenset()) -> None:
        self.keeps_duplicates = keeps_duplicates
        self._typed = typed
        # Public ids.
        self._taken: set[str] = set()

    def find(self, record: VoteRecord, *, question: Question, answers: AnswerIndex) -> Candidate | None:
        """Return the answer that a row stands for, if there is one; an earlier row may have claimed it."""
        if not self.keeps_duplicates:
            return answers.first_alike(question_id=question.pk, text=record.answer)
        key = record_key(record)
        return answers.first_waiting(
            question_id=question.pk, text=record.answer, taken=self._taken
        ) or answers.first_unclaimed(
            question_id=question.pk,
            text=record.answer,
            is_left=lambda each: (
                each.public_id not in self._taken and row_hash(key, each.text) not in self._typed
            ),
        )

    def take(self, candidate: Candidate) -> bool:
        """Claim an answer for a row and say whether no earlier row has."""
        count = len(self._taken)
        self._taken.add(candidate.public_id)
        return len(self._taken) > count


def claims_of(data_import: DataImport) -> Claims:
    """Return what the rows of an import's files have claimed before the first of them: nothing."""
    if selectors.get_format(data_import.format).kind is not Kind.VOTES:
        return Claims(keeps_duplicates=False)
    if data_import.options.get("keep_duplicate_rows") != "yes":
        return Claims(keeps_duplicates=False)
    # Read beforehand: the row that has an answer's very text may come after others that are pooled like it.
    is_empty = not Candidate.objects.filter(project=data_import.project).exists()
    records = () if is_empty else read_records(data_import)
    rows = (record for record in records if isinstance(record, VoteRecord))
    return Claims(
        keeps_duplicates=True, typed=frozenset(row_hash(record_key(row), row.answer) for row in rows)
    )


def row_hash(key: str, answer: str) -> int:
    """Return what tells an answer to a question, by the question's key, from nearly all others."""
    return short_hash(f"{key}\t{answer}")


def short_hash(what: str) -> int:
    """Return 60 bits: among two million rows two share one with a chance of one in half a million."""
    return int(text_hash(what)[:15], 16)


def look_around(
    *,
    project: Project,
    records: Sequence[Record],
    is_link_only: bool = False,
    further_ids: Mapping[str, int] | None = None,
) -> Surroundings:
    """Read what the project holds around these rows; further_ids: of questions that have another, by key."""
    questions = find_questions(project=project, records=records, further_ids=further_ids or {})
    ids = {question.pk for question in questions.values()}
    answers = AnswerIndex(pooling=project.pooling, is_link_only=is_link_only)
    given = set(Prediction.objects.filter(question__in=ids).values_list("candidate_id", flat=True))
    has_votes = any(isinstance(record, VoteRecord) for record in records)
    unclaimed = _unclaimed(ids) if has_votes else frozenset()
    for candidate in Candidate.objects.filter(question__in=ids).order_by(
        "question", "-is_judgeable", "duplicate", "position", "pk"
    ):
        answers.add(candidate, is_given=candidate.pk in given, is_unclaimed=candidate.pk in unclaimed)
    names = {
        each.system for record in records if isinstance(record, ItemRecord) for each in record.predictions
    }
    systems = {system.name: system for system in project.systems.filter(name__in=names)}
    predictions = Prediction.objects.filter(question__in=ids, system__in=list(systems.values()))
    return Surroundings(
        questions=questions,
        gold_texts=_gold_texts(ids),
        answers=answers,
        systems=systems,
        predicted={(each.system_id, each.question_id): each for each in predictions.order_by("pk")},
    )


def _unclaimed(question_ids: set[int]) -> frozenset[int]:
    """Return the answers of which no file has votes or decisions."""
    answers = Candidate.objects.filter(question__in=question_ids)
    voted = answers.filter(assignments__rater__user__is_imported=True).values("pk")
    decided = answers.filter(decisions__source="imported").values("pk")
    left = answers.exclude(pk__in=voted).exclude(pk__in=decided)
    return frozenset(left.values_list("pk", flat=True))


def find_questions(
    *, project: Project, records: Iterable[Record], further_ids: Mapping[str, int] | None = None
) -> dict[str, Question]:
    """Return the questions that the rows are about, by the key of the row, where the project has them."""
    keys = {record_key(record) for record in records}
    ids = {key.removeprefix("id:") for key in keys if key.startswith("id:")}
    hashes = {text_hash(key): key for key in keys}
    found = {
        hashes[question.key_hash]: question
        for question in project.questions.filter(key_hash__in=list(hashes))
    }
    for question in project.questions.filter(external_id__in=ids).order_by("-pk") if ids else ():
        found[f"id:{question.external_id}"] = question
    others = {key: pk for key, pk in (further_ids or {}).items() if key in keys and key not in found}
    by_pk = project.questions.in_bulk(list(others.values())) if others else {}
    return found | {key: by_pk[pk] for key, pk in others.items() if pk in by_pk}


def own_golds(golds: Sequence[Gold], known: GoldTexts | None) -> list[str] | None:
    """Return the gold answers of a row where they differ from those the question has, else None.

    None for patterns, too: a prediction keeps strings only, and as one a pattern matches nothing.
    """
    is_kept = golds_differ(golds, known) and not any(gold.is_regex for gold in golds)
    return [gold.text for gold in golds] if is_kept else None


def golds_differ(golds: Sequence[Gold], known: GoldTexts | None) -> bool:
    """Say whether a row has gold answers that are not those of its question."""
    texts = [gold.text for gold in golds]
    return bool(texts and known and not known.are(texts))


def _gold_texts(question_ids: set[int]) -> dict[int, GoldTexts]:
    texts: dict[int, GoldTexts] = defaultdict(GoldTexts)
    golds = GoldAnswer.objects.filter(question__in=question_ids).order_by("question", "position")
    for question_id, text in golds.values_list("question_id", "text"):
        texts[question_id].add(text)
    return texts
