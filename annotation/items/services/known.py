"""What an import finds in its project and has made itself: questions, answers and systems."""

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

from django.db.models import Max

from analysis.text import normalize_answer
from annotation.items import selectors
from annotation.items.formats.records import Gold, ItemRecord, Kind, Record, VoteRecord
from annotation.items.models import (
    Candidate,
    DataImport,
    GoldAnswer,
    Passage,
    Prediction,
    RetrievedPassage,
)
from annotation.items.rules import pool_hash, text_hash
from annotation.items.services.reading import read_records, record_key
from common.database.rows import batched, read_rows

State = Candidate.State
# Keys in one query.
KEYS_AT_ONCE = 2_000
SYSTEM_BITS = 24
FEW_GOLDS = 8
# So many gold answers, of so many questions, are kept, cut to so many letters, to be shown where rows differ.
SHOWN_GOLDS = 3
SHOWN_LETTERS = 60
SHOWN_QUESTIONS = 10_000
SHORT = 2**60 - 1


class GoldTexts:
    """How many gold answers a question has, and what says at once whether a text is among them.

    A file may repeat a question of a hundred thousand gold answers in each of its rows; and there may be a
    million questions, so most have but a tuple.
    """

    __slots__ = ("_count", "_known")

    def __init__(self) -> None:
        self._count = 0
        self._known: tuple[int, ...] | set[int] = ()

    def add(self, text: str) -> None:
        """Take in one more."""
        self._count += 1
        hashed = short_hash(text)
        if isinstance(self._known, set):
            self._known.add(hashed)
        elif hashed not in self._known:
            known = (*self._known, hashed)
            self._known = known if len(known) < FEW_GOLDS else set(known)

    def __contains__(self, text: str) -> bool:
        return short_hash(text) in self._known

    def __len__(self) -> int:
        return self._count

    def are(self, texts: Iterable[str]) -> bool:
        """Say whether these are all of them, in any order."""
        said = set(map(short_hash, texts))
        return len(said) == len(self._known) and said.issuperset(self._known)


class KnownQuestion:
    """A question: one that the project has, or one that this import makes, whose `id` comes with its row.

    `number` tells it from the others; `is_met`: a row of this import was about it.
    """

    __slots__ = (
        "answers", "external_id", "golds", "id", "in_sample", "is_left_out", "is_met", "is_old",
        "next_position", "number", "passages",
    )  # fmt: skip

    def __init__(self, number: int, *, external_id: str, in_sample: bool) -> None:
        self.number = number
        self.id = 0
        self.external_id = external_id
        self.in_sample = in_sample
        self.is_left_out = False
        self.is_old = False
        self.is_met = False
        self.golds = GoldTexts()
        self.next_position = 0
        # Those to judge first, then in the order of their rows; kept where a format asks for all.
        self.answers: tuple[KnownAnswer, ...] | list[KnownAnswer] = ()
        # None as long as no row has any.
        self.passages: KnownPassages | None = None


class KnownPassage:
    """A passage of a question; `id` comes with its row, `systems`: numbers of those that retrieved it."""

    __slots__ = ("id", "systems")

    def __init__(self, pk: int = 0) -> None:
        self.id = pk
        self.systems: tuple[int, ...] = ()


class KnownPassages:
    """The passages of one question, by their hashes: those given for all systems, and those retrieved."""

    __slots__ = ("given", "retrieved")

    def __init__(self) -> None:
        self.given: dict[int, KnownPassage] = {}
        self.retrieved: dict[int, KnownPassage] = {}

    def __len__(self) -> int:
        return len(self.given) + len(self.retrieved)

    def of(self, *, is_given: bool) -> dict[int, KnownPassage]:
        """Return those of one sort."""
        return self.given if is_given else self.retrieved


class KnownAnswer:
    """An answer: one that the project has, or one that this import makes, whose `id` comes with its row."""

    __slots__ = (
        "duplicate", "group", "id", "is_given", "is_judgeable", "is_old", "pool_hash", "position",
        "question", "state", "taken", "text", "text_of_row",
    )  # fmt: skip

    def __init__(
        self,
        question: KnownQuestion,
        text: str,
        *,
        pool_hash: str,
        group: str,
        duplicate: int,
        position: int,
        is_judgeable: bool,
        text_of_row: str = "",
        pk: int = 0,
        state: str = State.UNASKED,
        taken: int = 0,
        is_given: bool = False,
    ) -> None:
        self.question = question
        self.text = text
        self.pool_hash = pool_hash
        self.group = group
        self.duplicate = duplicate
        self.position = position
        self.is_judgeable = is_judgeable
        self.text_of_row = text_of_row
        self.id = pk
        self.is_old = pk > 0
        self.state = state
        self.taken = taken
        # By a system.
        self.is_given = is_given

    @property
    def is_untouched(self) -> bool:
        """Whether nobody holds the answer, has a vote on it, or decided it."""
        return self.taken == 0 and self.state in (State.UNASKED, State.OPEN)


class EqualToGold:
    """The new answers that equal a gold answer of their question, whichever row of the import has it.

    Equal as for `selectors.equal_to_gold`, but kept as numbers: there may be a million.
    """

    def __init__(self) -> None:
        self._golds: set[int] = set()
        self._answers: dict[KnownAnswer, int] = {}

    def add_gold(self, question: KnownQuestion, gold: Gold) -> None:
        """Take in a gold answer; patterns equal nothing."""
        if not gold.is_regex and (key := normalize_answer(gold.text)):
            self._golds.add(_equal_key(question, key))

    def add(self, answer: KnownAnswer) -> None:
        """Take in a new answer, which still has its text."""
        self._answers[answer] = _equal_key(answer.question, normalize_answer(answer.text))

    def discard(self, answer: KnownAnswer) -> None:
        """Take an answer out again, if it is in."""
        self._answers.pop(answer, None)

    def __len__(self) -> int:
        return sum(key in self._golds for key in self._answers.values())


def _equal_key(question: KnownQuestion, normalized: str) -> int:
    return question.number << 60 | short_hash(normalized)


class KnownSystem:
    """A system; `number` tells it from the others."""

    __slots__ = ("group", "id", "is_old", "name", "number")

    def __init__(self, number: int, name: str, *, group: str = "", pk: int = 0) -> None:
        self.number = number
        self.name = name
        self.group = group
        self.id = pk
        self.is_old = pk > 0


class AnswerIndex:
    """Answers, found as the project pools them, or as votes are linked.

    What names an answer are numbers, as there may be a million.
    """

    def __init__(self, *, pooling: str, kind: Kind, is_link_only: bool) -> None:
        self._pooling = pooling
        self._is_link_only = is_link_only
        self._has_rows_of_votes = kind is Kind.VOTES
        self._keeps_lists = kind in (Kind.DECIDED_ITEMS, Kind.VERDICTS)
        # Else only what systems gave is compared, by its hash.
        self.keeps_texts = kind is not Kind.ITEMS
        self._groups: dict[str, int] = {}
        self._first: dict[int, KnownAnswer] = {}
        # Where votes kept several apart that are pooled alike: all, the one given first, and those typed so.
        self._equal: dict[int, list[KnownAnswer]] = {}
        self._given: dict[int, KnownAnswer] = {}
        self._typed: dict[tuple[int, str], KnownAnswer] = {}
        self._linked: dict[int, KnownAnswer] = {}
        # For rows of votes, of which a file may have a hundred thousand on one question.
        self._alike: dict[tuple[int, str], KnownAnswer] = {}
        self._waiting: dict[tuple[int, str], deque[KnownAnswer]] = defaultdict(deque)
        self._unclaimed: dict[tuple[int, str], deque[KnownAnswer]] = defaultdict(deque)
        self._next_duplicate: Counter[int] = Counter()

    def hashed(self, text: str) -> str:
        """Return what is equal for answers that are pooled."""
        return pool_hash(text, pooling=self._pooling)

    def add(self, answer: KnownAnswer, *, is_unclaimed: bool = False) -> None:
        """Take in an answer; the first of several that are equal is the one found later.

        `is_unclaimed`: no row of a file has said anything of it.
        """
        question = answer.question
        question.next_position = max(question.next_position, answer.position + 1)
        place = self._place(question, answer.group, answer.pool_hash)
        first = self._first.setdefault(place, answer)
        if first is not answer:
            self._add_equal(place, first, answer)
        if self._is_link_only:
            for key in self._links(question, answer.text):
                self._linked.setdefault(key, answer)
        if self._has_rows_of_votes:
            self._add_row(answer, is_unclaimed=is_unclaimed)
        if self._keeps_lists:
            if isinstance(question.answers, tuple):
                question.answers = []
            question.answers.append(answer)

    def _add_equal(self, place: int, first: KnownAnswer, answer: KnownAnswer) -> None:
        if place not in self._equal:
            self._equal[place] = [first]
            self._next_duplicate[place] = first.duplicate + 1
            self._note(place, first)
        self._equal[place].append(answer)
        self._next_duplicate[place] = max(self._next_duplicate[place], answer.duplicate + 1)
        self._note(place, answer)

    def _note(self, place: int, answer: KnownAnswer) -> None:
        if answer.is_judgeable:
            self._typed.setdefault((place, answer.text), answer)
            if answer.is_given:
                self._given.setdefault(place, answer)

    def _add_row(self, answer: KnownAnswer, *, is_unclaimed: bool) -> None:
        number = answer.question.number
        self._alike.setdefault((number, answer.pool_hash), answer)
        for text in {answer.text, answer.text_of_row or answer.text}:
            self._waiting[number, text].append(answer)
        if answer.is_judgeable and is_unclaimed:
            self._unclaimed[number, answer.pool_hash].append(answer)

    def give(self, answer: KnownAnswer) -> None:
        """Note that a system gave an answer: what others say alike is pooled into the first of these."""
        answer.is_given = True
        # What is new among many, and forgot its texts, is the only one of its sort.
        if self._equal and answer.is_judgeable and answer.pool_hash:
            place = self._place(answer.question, answer.group, answer.pool_hash)
            if place in self._equal:
                self._given.setdefault(place, answer)

    def find(self, question: KnownQuestion, group: str, text: str, hashed: str) -> KnownAnswer | None:
        """Return the answer that a text is pooled into or linked to, or None.

        Where votes kept several apart that are pooled alike: what systems gave already, else what was typed
        so, else the first. So outputs meet rows of votes as rows meet outputs (`Claims`).
        """
        if self._is_link_only:
            keys = self._links(question, text)
            return next((self._linked[key] for key in keys if key in self._linked), None)
        place = self._place(question, group, hashed)
        if place not in self._equal:
            return self._first.get(place)
        return self._given.get(place) or self._typed.get((place, text)) or self._first[place]

    def equal(self, question: KnownQuestion, group: str, hashed: str) -> Sequence[KnownAnswer]:
        """Return every answer that is pooled alike; several only where votes kept them apart."""
        place = self._place(question, group, hashed)
        return self._equal.get(place) or [self._first[place]]

    def first_alike(self, question: KnownQuestion, text: str) -> KnownAnswer | None:
        """Return the first answer of whatever group that is pooled like a text, or None."""
        return self._alike.get((question.number, self.hashed(text)))

    def first_waiting(
        self, question: KnownQuestion, text: str, *, is_left: Callable[[KnownAnswer], bool]
    ) -> KnownAnswer | None:
        """Return the first answer of exactly this text that is left, or None; what is not is forgotten."""
        return _first_left(self._waiting.get((question.number, text)), is_left)

    def first_unclaimed(
        self, question: KnownQuestion, text: str, *, is_left: Callable[[KnownAnswer], bool]
    ) -> KnownAnswer | None:
        """Do the same among answers pooled like a text that no row of a file has said anything of."""
        return _first_left(self._unclaimed.get((question.number, self.hashed(text))), is_left)

    def make(
        self, question: KnownQuestion, group: str, text: str, hashed: str, *, is_judgeable: bool = True
    ) -> KnownAnswer:
        """Make an answer that fits in: its place on the sheet, and its number among equal ones."""
        place = self._place(question, group, hashed)
        first = self._first.get(place)
        duplicate = 0 if first is None else self._next_duplicate.get(place, first.duplicate + 1)
        made = KnownAnswer(
            question,
            text,
            pool_hash=hashed,
            group=group,
            duplicate=duplicate,
            position=question.next_position,
            is_judgeable=is_judgeable,
        )
        self.add(made)
        return made

    def _place(self, question: KnownQuestion, group: str, hashed: str) -> int:
        number = self._groups.setdefault(group, len(self._groups))
        return (number << 136) | (question.number << 96) | int(hashed[:24], 16)

    def _links(self, question: KnownQuestion, text: str) -> list[int]:
        named = (f"{question.number}\texact\t{text}", f"{question.number}\tcasefold\t{text.casefold()}")
        return [int(text_hash(each)[:24], 16) for each in named]


def _first_left(
    answers: deque[KnownAnswer] | None, is_left: Callable[[KnownAnswer], bool]
) -> KnownAnswer | None:
    while answers and not is_left(answers[0]):
        answers.popleft()
    return answers[0] if answers else None


class Known:
    """The project as an import finds it, read where rows ask for it, with what the import adds.

    equal_to_gold: is given the gold answers, too.
    """

    def __init__(self, data_import: DataImport, *, equal_to_gold: EqualToGold | None = None) -> None:
        self._equal_to_gold = equal_to_gold
        self._shown_golds: dict[int, tuple[str, ...]] = {}
        self._project = data_import.project
        self._kind = selectors.get_format(data_import.format).kind
        self._is_link_only = data_import.options.get("candidates") == "votes"
        self._last_number = 0
        self.forget()

    def forget(self) -> None:
        """Read everything anew from here on."""
        self.answers = AnswerIndex(
            pooling=self._project.pooling, kind=self._kind, is_link_only=self._is_link_only
        )
        # By the hash of a row's key.
        self._questions: dict[int, KnownQuestion] = {}
        # By id, as rows name them by it: a question's own, and the other ids of rows with its text.
        self._by_external_id: dict[str, KnownQuestion] = {}
        self._by_further_id: dict[str, KnownQuestion] = {}
        self._asked_ids: set[str] = set()
        self._by_pk: dict[int, KnownQuestion] = {}
        # What systems answered, as short hashes, and 0 where the project had it before.
        self._predicted: dict[int, int] = {}
        found = self._project.systems.order_by("pk").values_list("name", "group", "pk")
        self.systems = {
            name: KnownSystem(number, name, group=group, pk=pk)
            for number, (name, group, pk) in enumerate(found)
        }
        self.last_answer_id = self._last_id()
        last = self._project.questions.aggregate(last=Max("position"))["last"]
        self.next_position = 0 if last is None else last + 1
        self._is_empty = last is None

    @property
    def is_stale(self) -> bool:
        """Whether somebody else has added answers meanwhile; rows of votes keep what they claimed."""
        return self._kind is not Kind.VOTES and self._last_id() > self.last_answer_id

    def _last_id(self) -> int:
        ids = Candidate.objects.filter(project=self._project).order_by("-pk").values_list("pk", flat=True)
        return ids.first() or 0

    def read_around(self, records: Sequence[Record]) -> None:
        """Read what the project has of the questions of these rows, if that is not read yet."""
        if self._is_empty:
            return
        keys = {record_key(record) for record in records}
        ids = {key.removeprefix("id:") for key in keys if key.startswith("id:")} - self._asked_ids
        self._asked_ids |= ids
        found: list[KnownQuestion] = []
        hashes = sorted(each for each in map(text_hash, keys) if _number(each) not in self._questions)
        for chunk in batched(hashes, KEYS_AT_ONCE):
            for pk, hashed, external_id, in_sample, is_left_out in self._rows_of_questions(
                key_hash__in=chunk
            ):
                question = self._by_pk.get(pk) or self._old(pk, external_id, in_sample, is_left_out, found)
                self._questions[_number(hashed)] = question
        for chunk in batched(sorted(ids), KEYS_AT_ONCE):
            for pk, _, external_id, in_sample, is_left_out in self._rows_of_questions(external_id__in=chunk):
                question = self._by_pk.get(pk) or self._old(pk, external_id, in_sample, is_left_out, found)
                self._by_external_id.setdefault(external_id, question)
        for some in batched(found, KEYS_AT_ONCE):
            self._read_answers({question.id: question for question in some})
        self._read_passages_around(records)

    def _rows_of_questions(self, **which: object) -> Iterator[tuple[int, str, str, bool, bool]]:
        rows = self._project.questions.filter(**which).order_by("pk")
        return iter(rows.values_list("pk", "key_hash", "external_id", "in_sample", "is_left_out"))

    def _old(
        self, pk: int, external_id: str, in_sample: bool, is_left_out: bool, found: list[KnownQuestion]
    ) -> KnownQuestion:
        question = self._numbered(external_id=external_id, in_sample=in_sample)
        question.id, question.is_left_out, question.is_old = pk, is_left_out, True
        self._by_pk[pk] = question
        found.append(question)
        return question

    def _numbered(self, *, external_id: str, in_sample: bool) -> KnownQuestion:
        self._last_number += 1
        return KnownQuestion(self._last_number, external_id=external_id, in_sample=in_sample)

    def _read_answers(self, questions: dict[int, KnownQuestion]) -> None:
        golds = GoldAnswer.objects.filter(question__in=list(questions)).order_by("question", "position")
        for question_id, text, kind in read_rows(golds, "question_id", "text", "kind"):
            self.add_gold(questions[question_id], Gold(text, kind == GoldAnswer.Kind.REGEX))
        systems = {system.id: system for system in self.systems.values()}
        given: set[int] = set()
        predictions = Prediction.objects.filter(question__in=list(questions)).order_by()
        for question_id, system_id, answer_id in read_rows(
            predictions, "question_id", "system_id", "candidate_id"
        ):
            given.add(answer_id)
            self._predicted[_cell(systems[system_id], questions[question_id])] = 0
        unclaimed = _unclaimed(list(questions)) if self._kind is Kind.VOTES else frozenset()
        answers = Candidate.objects.filter(question__in=list(questions))
        for row in answers.order_by("question", "-is_judgeable", "duplicate", "position", "pk").values_list(
            "pk", "question_id", "text", "text_of_row", "pool_hash", "group", "duplicate", "position",
            "is_judgeable", "state", "taken",
        ):  # fmt: skip
            answer = KnownAnswer(
                questions[row[1]],
                row[2],
                text_of_row=row[3],
                pool_hash=row[4],
                group=row[5],
                duplicate=row[6],
                position=row[7],
                is_judgeable=row[8],
                pk=row[0],
                state=row[9],
                taken=row[10],
                is_given=row[0] in given,
            )
            self.answers.add(answer, is_unclaimed=answer.id in unclaimed)

    def _read_passages_around(self, records: Iterable[Record]) -> None:
        """Read passages only of questions to which these rows bring some: most files have none."""
        found: dict[int, KnownPassages] = {}
        for record in records:
            if not isinstance(record, ItemRecord) or not record.has_passages:
                continue
            question = self.find_question(record)
            if question is not None and question.is_old and question.passages is None:
                question.passages = found[question.id] = KnownPassages()
        for keys in batched(sorted(found), KEYS_AT_ONCE):
            self._read_passages({key: found[key] for key in keys})

    def _read_passages(self, questions: dict[int, KnownPassages]) -> None:
        by_id: dict[int, KnownPassage] = {}
        rows = Passage.objects.filter(question__in=list(questions)).order_by("pk")
        for pk, question_id, is_given, hashed in read_rows(
            rows, "pk", "question_id", "is_given", "text_hash"
        ):
            by_id[pk] = questions[question_id].of(is_given=bool(is_given))[_number(hashed)] = KnownPassage(pk)
        numbers = {system.id: system.number for system in self.systems.values()}
        retrieved = RetrievedPassage.objects.filter(passage__question__in=list(questions)).order_by()
        for passage_id, system_id in read_rows(retrieved, "passage_id", "prediction__system_id"):
            # While files are checked, another import may bring more between two reads.
            if passage_id in by_id and system_id in numbers:
                by_id[passage_id].systems += (numbers[system_id],)

    def passage(self, question: KnownQuestion, hashed: str, *, is_given: bool) -> tuple[KnownPassage, bool]:
        """Return the passage of a question with this hash, and whether it had to be made."""
        if question.passages is None:
            question.passages = KnownPassages()
        known = question.passages.of(is_given=is_given)
        count = len(known)
        key = _number(hashed)
        found = known.get(key) or known.setdefault(key, KnownPassage())
        return found, len(known) > count

    def find_question(self, record: Record) -> KnownQuestion | None:
        """Return the question that a row is about, or None."""
        key = record_key(record)
        if not key.startswith("id:"):
            return self._questions.get(_key_number(key))
        external_id = key.removeprefix("id:")
        return self._by_external_id.get(external_id) or self._by_further_id.get(external_id)

    def add_question(self, record: Record, *, in_sample: bool) -> KnownQuestion:
        """Make the question of a row."""
        external_id = record.question.external_id if isinstance(record, ItemRecord) else ""
        question = self._numbered(external_id=external_id, in_sample=in_sample)
        self._questions[_key_number(record_key(record))] = question
        if external_id:
            self._by_external_id.setdefault(external_id, question)
        self.next_position += 1
        return question

    def name_further(self, question: KnownQuestion, external_id: str) -> None:
        """Note another id by which rows of this import name a question."""
        if question.external_id != external_id:
            self._by_further_id[external_id] = question

    def add_gold(self, question: KnownQuestion, gold: Gold) -> None:
        """Note a gold answer of a question."""
        question.golds.add(gold.text)
        if question.number <= SHOWN_QUESTIONS:
            shown = self._shown_golds.get(question.number, ())
            self._shown_golds[question.number] = (*shown, _cut(gold.text))[: SHOWN_GOLDS + 1]
        if self._equal_to_gold is not None:
            self._equal_to_gold.add_gold(question, gold)

    def shown_golds(self, question: KnownQuestion) -> Sequence[str]:
        """Return the first gold answers of a question, cut to be shown; none of those that come late."""
        return self._shown_golds.get(question.number, ())

    def add_system(self, name: str, *, group: str) -> KnownSystem:
        """Make a system."""
        self.systems[name] = KnownSystem(len(self.systems), name, group=group)
        return self.systems[name]

    def prediction(self, system: KnownSystem, question: KnownQuestion) -> int | None:
        """Return the short hash of what a system answers, 0 where it did before this import, or None."""
        return self._predicted.get(_cell(system, question))

    def add_prediction(self, system: KnownSystem, question: KnownQuestion, text: str) -> None:
        """Note what a system answers to a question."""
        self._predicted[_cell(system, question)] = short_hash(text)


def _number(hashed: str) -> int:
    return int(hashed[:24], 16)


@lru_cache(maxsize=50_000)
def _key_number(key: str) -> int:
    """Return the number of a question's key; remembered, as each system's rows name the same questions."""
    return _number(text_hash(key))


def _cell(system: KnownSystem, question: KnownQuestion) -> int:
    return question.number << SYSTEM_BITS | system.number


def _unclaimed(question_ids: Iterable[int]) -> frozenset[int]:
    """Return the answers of which no file has votes or decisions."""
    answers = Candidate.objects.filter(question__in=question_ids)
    voted = answers.filter(assignments__rater__user__is_imported=True).values("pk")
    decided = answers.filter(decisions__source="imported").values("pk")
    left = answers.exclude(pk__in=voted).exclude(pk__in=decided)
    return frozenset(left.values_list("pk", flat=True))


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
        self._taken: set[KnownAnswer] = set()

    def find(self, record: VoteRecord, question: KnownQuestion, answers: AnswerIndex) -> KnownAnswer | None:
        """Return the answer that a row stands for, if there is one; an earlier row may have claimed it."""
        if not self.keeps_duplicates:
            return answers.first_alike(question, record.answer)
        key = record_key(record)
        return answers.first_waiting(
            question, record.answer, is_left=lambda each: each not in self._taken
        ) or answers.first_unclaimed(
            question,
            record.answer,
            is_left=lambda each: each not in self._taken and row_hash(key, each.text) not in self._typed,
        )

    def take(self, answer: KnownAnswer) -> bool:
        """Claim an answer for a row and say whether no earlier row has."""
        count = len(self._taken)
        self._taken.add(answer)
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
    """Return 60 bits, never all 0; each process has others for the same text.

    Among two million rows two share them with a chance of one in half a million.
    """
    return hash(what) & SHORT or SHORT


def quoted_golds(texts: Sequence[str]) -> str:
    """Return the first gold answers in quotation marks and parentheses, after a space; "" for none."""
    shown = [f"“{_cut(text)}”" for text in texts[:SHOWN_GOLDS]]
    more = ["…"] if len(texts) > SHOWN_GOLDS else []
    return f" ({', '.join(shown + more)})" if shown else ""


def _cut(text: str) -> str:
    """Return a text in one line and short; anywhere, since not all scripts have spaces."""
    found = " ".join(text[: 4 * SHOWN_LETTERS].split())
    is_whole = len(text) <= 4 * SHOWN_LETTERS and len(found) <= SHOWN_LETTERS
    return found if is_whole else f"{found[: SHOWN_LETTERS - 1]}…"


def own_golds(golds: Sequence[Gold], known: GoldTexts) -> list[str] | None:
    """Return the gold answers of a row where they differ from those the question has, else None.

    None for patterns, too: a prediction keeps strings only, and as one a pattern matches nothing.
    """
    is_kept = golds_differ(golds, known) and not any(gold.is_regex for gold in golds)
    return [gold.text for gold in golds] if is_kept else None


def golds_differ(golds: Sequence[Gold], known: GoldTexts) -> bool:
    """Say whether a row has gold answers that are not those of its question."""
    return bool(golds and len(known)) and not known.are([gold.text for gold in golds])
