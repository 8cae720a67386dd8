"""What a project already holds around the rows of one chunk, read in a handful of queries."""

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from annotation.items.formats.records import Gold, ItemRecord, Record
from annotation.items.models import Candidate, GoldAnswer, Prediction, Question, System
from annotation.items.rules import pool_hash, text_hash
from annotation.items.services.reading import record_key
from annotation.projects.models import Project


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
        self._by_question: dict[int, list[Candidate]] = defaultdict(list)
        self._equal: dict[tuple[int, str, str], list[Candidate]] = defaultdict(list)
        # For rows of votes, of which a file may have a hundred thousand on one question.
        self._alike: dict[tuple[int, str], Candidate] = {}
        self._waiting: dict[tuple[int, str], deque[Candidate]] = defaultdict(deque)
        # Numbers to go on with: a line may list a hundred thousand answers.
        self._next_duplicate: Counter[tuple[int, str, str]] = Counter()
        self._next_position: Counter[int] = Counter()

    def add(self, candidate: Candidate) -> None:
        """Take in an answer; the first of several that are equal is the one found later."""
        for key in self._keys(candidate.question_id, candidate.group, candidate.text):
            self._by_key.setdefault(key, candidate)
        question_id = candidate.question_id
        self._by_question[question_id].append(candidate)
        place = (question_id, candidate.group, candidate.pool_hash)
        self._equal[place].append(candidate)
        self._alike.setdefault((question_id, candidate.pool_hash), candidate)
        self._waiting[question_id, candidate.text].append(candidate)
        self._next_duplicate[place] = max(self._next_duplicate[place], candidate.duplicate + 1)
        self._next_position[question_id] = max(self._next_position[question_id], candidate.position + 1)

    def find(self, *, question_id: int, group: str, text: str) -> Candidate | None:
        """Return the answer that a text is pooled into or linked to, or None."""
        keys = self._keys(question_id, group, text)
        return next((self._by_key[key] for key in keys if key in self._by_key), None)

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
    for candidate in Candidate.objects.filter(question__in=ids).order_by(
        "question", "-is_judgeable", "duplicate", "position", "pk"
    ):
        answers.add(candidate)
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
