"""What a project already holds around the rows of one chunk, read in a handful of queries."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from annotation.items.formats.records import Gold, ItemRecord, Record
from annotation.items.models import Candidate, GoldAnswer, Prediction, Question, System
from annotation.items.rules import pool_hash, text_hash
from annotation.items.services.reading import record_key
from annotation.projects.models import Project


class Surroundings(NamedTuple):
    """Questions by the key of a row, their answers, systems by name, and what these systems answered."""

    questions: dict[str, Question]
    gold_texts: dict[int, list[str]]
    answers: "AnswerIndex"
    systems: dict[str, System]
    predicted: dict[tuple[int, int], Prediction]


class AnswerIndex:
    """The answers to some questions, found as the project pools them, or as votes are linked."""

    def __init__(self, *, pooling: str, is_link_only: bool = False) -> None:
        self._pooling = pooling
        self._is_link_only = is_link_only
        self._by_key: dict[tuple[int, str, str], Candidate] = {}
        self._by_question: dict[int, list[Candidate]] = defaultdict(list)
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
        self._next_duplicate[place] = max(self._next_duplicate[place], candidate.duplicate + 1)
        self._next_position[question_id] = max(self._next_position[question_id], candidate.position + 1)

    def find(self, *, question_id: int, group: str, text: str) -> Candidate | None:
        """Return the answer that a text is pooled into or linked to, or None."""
        keys = self._keys(question_id, group, text)
        return next((self._by_key[key] for key in keys if key in self._by_key), None)

    def equal(self, *, question_id: int, group: str, text: str) -> list[Candidate]:
        """Return every answer that is pooled like a text; several only where votes kept them apart."""
        hashed = pool_hash(text, pooling=self._pooling)
        known = self._by_question[question_id]
        return [each for each in known if (each.group, each.pool_hash) == (group, hashed)]

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


def look_around(*, project: Project, records: Sequence[Record], is_link_only: bool = False) -> Surroundings:
    """Read what the project holds around these rows."""
    questions = find_questions(project=project, records=records)
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


def find_questions(*, project: Project, records: Iterable[Record]) -> dict[str, Question]:
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
    return found


def own_golds(golds: Iterable[Gold], known: Sequence[str]) -> list[str] | None:
    """Return the gold answers of a row where they differ from those the question has, else None."""
    texts = [gold.text for gold in golds]
    return texts if texts and known and set(texts) != set(known) else None


def _gold_texts(question_ids: set[int]) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = defaultdict(list)
    golds = GoldAnswer.objects.filter(question__in=question_ids).order_by("question", "position")
    for question_id, text in golds.values_list("question_id", "text"):
        texts[question_id].append(text)
    return texts
