"""Read imports, systems and the sample of a project."""

import json
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from django.conf import settings
from django.db.models import (
    Case,
    Count,
    Exists,
    FloatField,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Cast

from analysis.arrays import Integers
from analysis.text import GoldEntries, gold_entries_of, normalize_answer
from annotation.items.formats.documents.conversion import ENCODINGS, UTF_8, recoded_path
from annotation.items.formats.records import Format, Limits, Source
from annotation.items.formats.registry import FORMATS
from annotation.items.models import (
    Candidate,
    DataImport,
    GoldAnswer,
    Passage,
    Prediction,
    Question,
    RetrievedPassage,
    System,
)
from annotation.items.ports import improper_questions, judged_questions
from annotation.items.rules import pool_hash
from annotation.projects.models import Organization, Project
from annotation.projects.rules import Area, GoldEqual, PassagesShown, Protocol
from annotation.projects.selectors import kept
from common.database.rows import read_rows
from common.errors import Invalid, NotFound


class ImportNotFound(NotFound):
    """The project has no such import."""


class SystemNotFound(NotFound):
    """The project has no such system."""


class QuestionNotFound(NotFound):
    """The project has no such question."""


class UnknownFormat(Invalid):
    """There is no file format of this name."""


class AnswersToJudge(NamedTuple):
    """How many answers people would still judge, by the questions that one may choose.

    Those that equal a gold answer are none of them where the protocol counts these as correct. every: of all
    questions. common: of those that every system answers. judged: of those with votes.
    """

    every: int
    common: int
    judged: int


class Sample(NamedTuple):
    """How much of a project people judge, and how that was chosen.

    predictions: what systems answered, to all questions. answers: the distinct ones among these, each judged
    once. judged: questions of all on which votes or decisions of people stand, sampled or not. matching: of
    `to_judge`, the answers that equal a gold answer; None where the protocol counts these as correct already.
    """

    questions: int
    predictions: int
    answers: int
    sampled: int
    judged: int
    method: str
    options: dict[str, Any]
    to_judge: AnswersToJudge
    matching: AnswersToJudge | None


@dataclass(frozen=True)
class Coverage:
    """How completely a project’s systems answered its questions.

    `behind`: systems without answers to some questions that other systems answered; each answered between
    `fewest` and `most` questions (both 0 if there are no such systems), and `behind_names` are their names on
    pages. `common`: questions that every system answered. `uneven`: questions to judge that at least one
    system did not answer.
    """

    systems: int
    behind: int
    behind_names: list[str]
    fewest: int
    most: int
    common: int
    uneven: int


@dataclass(frozen=True)
class RetrievedBy:
    """A system that retrieved a passage.

    `rank`: counted from 1. `score`: null if unknown.
    """

    system: str
    rank: int
    score: float | None


@dataclass(frozen=True)
class QuestionPassage:
    """A passage that accompanies a question.

    `is_given`: whether it is given to all systems. `is_gold`: whether its file says that the passage contains
    the answer; null if the file does not say. `retrieved_by`: the systems that retrieved it, in the systems’
    order.
    """

    text: str
    title: str
    source: str
    is_given: bool
    is_gold: bool | None
    retrieved_by: list[RetrievedBy]


def get_format(key: str) -> Format:
    """Return a file format; raises `UnknownFormat`."""
    if key not in FORMATS:
        raise UnknownFormat(f"“{key}” is not a format. Use one of: {', '.join(FORMATS)}.")
    return FORMATS[key]


def get_import(*, project: Project, public_id: str) -> DataImport:
    """Return one import of the project; raises `ImportNotFound`."""
    found = list_imports(project=project).filter(public_id=public_id).first()
    if found is None:
        raise ImportNotFound("This project has no such import.")
    return found


def list_imports(*, project: Project) -> QuerySet[DataImport]:
    """Return the project's imports, the newest first."""
    return project.imports.select_related("created_by").order_by("-created_at", "-pk")


def get_question(*, project: Project, public_id: str) -> Question:
    """Return one question of the project; raises `QuestionNotFound`."""
    found = project.questions.filter(public_id=public_id).first()
    if found is None:
        raise QuestionNotFound("This project has no such question.")
    return found


def upload_folder(public_id: str) -> Path:
    """Return where the files of an import are, with copies of them; it may be gone, or never have been."""
    return Path(settings.DATA_DIR) / "uploads" / public_id


def sources_of(data_import: DataImport) -> Iterator[Source]:
    """Yield the stored files of an import, in the order they were handed in.

    Once an encoding is chosen, each has a copy in UTF-8 beside it, without which it cannot be read.
    """
    encoding = str(data_import.options.get("encoding", UTF_8))
    for file in data_import.files:
        path = Path(settings.DATA_DIR) / file["path"]
        if encoding in ENCODINGS and encoding != UTF_8:
            path = recoded_path(path, encoding)
        yield Source(file["name"], path, limits())


def limits() -> Limits:
    """Return how large files may be here."""
    return Limits(
        max_bytes=settings.ASSAY_UPLOAD_MAX_BYTES,
        max_rows=settings.ASSAY_UPLOAD_MAX_ROWS,
        max_line_bytes=settings.ASSAY_UPLOAD_MAX_LINE_BYTES,
    )


def list_systems(*, project: Project) -> QuerySet[System]:
    """Return the project's systems with how many questions each answers, as `prediction_count`."""
    return project.systems.annotate(prediction_count=Count("predictions")).order_by("name", "pk")


def get_system(*, project: Project, public_id: str) -> System:
    """Return one system of the project; raises `SystemNotFound`."""
    system = list_systems(project=project).filter(public_id=public_id).first()
    if system is None:
        raise SystemNotFound("This project has no such system.")
    return system


def get_sample(*, project: Project) -> Sample:
    """Return how many questions there are, and how many of them people judge."""
    questions = project.questions.all()
    judged = judged_questions(project=project)
    to_judge, matching = _count_to_judge(project=project, judged=judged)
    return Sample(
        questions=questions.count(),
        predictions=Prediction.objects.filter(system__project=project).count(),
        answers=_count_pooled(project=project),
        sampled=questions.filter(in_sample=True).count(),
        judged=len(judged),
        method=project.sample_method,
        options=project.sample_options,
        to_judge=to_judge,
        matching=matching,
    )


@kept(Area.ITEMS)
def _count_pooled(project: Project) -> int:
    of_systems = Prediction.objects.filter(system__project=project)
    return of_systems.order_by().values("candidate").distinct().count()


def _count_to_judge(
    *, project: Project, judged: frozenset[int]
) -> tuple[AnswersToJudge, AnswersToJudge | None]:
    undecided = Candidate.objects.filter(project=project, is_judgeable=True, question__is_left_out=False)
    undecided = undecided.exclude(state=Candidate.State.DECIDED).order_by()
    counts = Counter(dict(undecided.values_list("question").annotate(Count("pk"))))
    is_counted = project.protocol is not None and project.protocol.rules.gold_equal is GoldEqual.CORRECT
    # In the sample the rule has had its turn: what is open there is left to people.
    asked = undecided.filter(question__in_sample=False) if is_counted else undecided
    equal = _read_equal_to_gold(project)
    matching = Counter(question for pk, question in asked.values_list("pk", "question") if pk in equal)
    if is_counted:
        counts.subtract(matching)
    improper = improper_questions(project)
    common = frozenset(common_questions(project=project).values_list("pk", flat=True)) - improper
    count = partial(_count_of, common=common, judged=judged - improper, improper=improper)
    return count(counts), None if is_counted else count(matching)


def _count_of(
    answers: Counter[int], *, common: frozenset[int], judged: frozenset[int], improper: Collection[int]
) -> AnswersToJudge:
    """Add up answers by question."""
    return AnswersToJudge(
        every=sum(answers.values()) - sum(answers[question] for question in improper),
        common=sum(answers[question] for question in common),
        judged=sum(answers[question] for question in judged),
    )


@kept(Area.ITEMS)
def _read_equal_to_gold(project: Project) -> frozenset[int]:
    answers = Candidate.objects.filter(project=project).order_by()
    golds = gold_entries(questions=project.questions.all())
    return frozenset(equal_to_gold(answers.values_list("pk", "question_id", "text"), golds=golds))


def equal_to_gold(
    answers: Iterable[tuple[int, int, str]], *, golds: Mapping[int, GoldEntries]
) -> Iterator[int]:
    """Yield the keys of answers, each given as key, question and text, that equal a gold answer of the files.

    Equal after SQuAD's normalization; what normalizes to nothing equals nothing. golds: by question.
    """
    for pk, question, text in answers:
        if normalize_answer(text) and golds[question].equals(text):
            yield pk


def common_questions(*, project: Project) -> QuerySet[Question]:
    """Return the questions that every system with answers answers, but for those left out for good."""
    systems = project.systems.filter(Exists(Prediction.objects.filter(system=OuterRef("pk")))).count()
    answered = project.questions.filter(is_left_out=False).annotate(answers=Count("predictions"))
    return answered.filter(answers=systems, answers__gt=0).order_by("pk")


@kept(Area.ITEMS)
def read_coverage(*, project: Project) -> Coverage:
    """Return how many of the questions the systems answer, and how many of them all do."""
    of_project = Prediction.objects.filter(system__project=project).order_by()
    counts = dict(of_project.values_list("system").annotate(Count("pk")))
    answered = of_project.values("question").distinct().count()
    behind = {system: count for system, count in counts.items() if count < answered}
    labels = project.systems.filter(pk__in=behind).order_by("label", "pk")
    common = common_questions(project=project).aggregate(
        every=Count("pk"), judged=Count("pk", filter=Q(in_sample=True))
    )
    judged = project.questions.filter(in_sample=True, is_left_out=False)
    return Coverage(
        systems=len(counts),
        behind=len(behind),
        behind_names=list(labels.values_list("label", flat=True)),
        fewest=min(behind.values(), default=0),
        most=max(behind.values(), default=0),
        common=common["every"],
        uneven=judged.count() - common["judged"] if counts else 0,
    )


def shown_references(*, question_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return gold answers by question, for protocols that show them to raters."""
    references: dict[int, list[str]] = {}
    gold = references_read(questions=tuple(question_ids)).order_by("question", "position", "pk")
    for question_id, text, _ in gold:
        references.setdefault(question_id, []).append(text)
    return references


def references_read(*, questions: tuple[int, ...]) -> QuerySet[GoldAnswer, tuple[int, str, float]]:
    """Return the read of the same as question, text and place, for whoever reads more along with it."""
    gold = GoldAnswer.objects.filter(question__in=questions)
    return gold.values_list("question_id", "text", Cast("position", FloatField()))


# On a sheet, which raters get with the next ones ahead: so many passages of a question, and letters of them.
MOST_SHOWN = 40
MOST_LETTERS = 100_000


def shown_passages(*, question_ids: Iterable[int], pooled: bool) -> dict[int, list[tuple[str, str, str]]]:
    """Return text, title and source of passages by question, for protocols that show them to raters.

    Those given with the question, as the file has them. pooled: together with what any system retrieved, each
    text once, in the order of their hashes and without sources, so that nothing tells who retrieved which;
    of more than can be shown those that any system ranked highest.
    """
    found: dict[int, dict[str, Passage]] = defaultdict(dict)
    if pooled:
        rows = _ranked(question_ids).order_by("best", "text_hash", "pk")
    else:
        given = Passage.objects.filter(question__in=list(question_ids), is_given=True)
        rows = given.order_by("position", "pk")
    for row in rows:
        found[row.question_id].setdefault(row.text_hash, row)
    return {
        question: [
            (row.text, row.title, "" if pooled else row.source) for row in _few(rows, is_sorted=pooled)
        ]
        for question, rows in found.items()
    }


def passage_texts(*, question_ids: Iterable[int]) -> dict[int, tuple[str, ...]]:
    """Return the passages of questions as texts that begin with their titles, for programs that judge.

    Those given with the question, then what systems retrieved, the best rank first; each text once.
    """
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for row in _ranked(question_ids).order_by("best", "position", "pk"):
        text = f"{row.title}: {row.text}" if row.title and row.text else row.text or row.title or row.source
        found[row.question_id].setdefault(row.text_hash, text)
    return {question: tuple(texts.values()) for question, texts in found.items()}


def _ranked(question_ids: Iterable[int]) -> QuerySet[Passage]:
    return _with_ranks(Passage.objects.filter(question__in=list(question_ids)))


def _with_ranks(passages: QuerySet[Passage]) -> QuerySet[Passage]:
    """Return passages with the best rank that any system gave each, as `best`; given: 0."""
    ranks = RetrievedPassage.objects.filter(passage=OuterRef("pk")).order_by("rank").values("rank")
    best = Case(When(is_given=True, then=0), default=Subquery(ranks[:1]), output_field=IntegerField())
    return passages.annotate(best=best).filter(best__isnull=False)


def hash_passages(*, project: Project) -> str | None:
    """Return the SHA-256 of what `passage_texts` gives for each question, None where no question has any.

    By the hashes of the texts: the texts of a large study take seconds to read.
    """
    found: dict[str, dict[str, str]] = defaultdict(dict)
    rows = _with_ranks(Passage.objects.filter(question__project=project))
    rows = rows.order_by("question__key_hash", "best", "position", "pk")
    for key, text_hash, title in rows.values_list("question__key_hash", "text_hash", "title").iterator():
        found[key].setdefault(text_hash, title)
    digest = sha256()
    for key, passages in found.items():
        digest.update(json.dumps([key, list(passages.items())]).encode())
    return digest.hexdigest() if found else None


def passages_reader(
    protocol: Protocol | None,
) -> Callable[[Iterable[int]], dict[int, list[tuple[str, str, str]]]] | None:
    """Return what reads the passages that a protocol shows to raters, None where it shows none."""
    shown = protocol.passages_shown if protocol else PassagesShown.NONE
    if shown is PassagesShown.NONE:
        return None
    return lambda questions: shown_passages(question_ids=questions, pooled=shown is PassagesShown.POOLED)


def _few(passages: Mapping[str, Passage], *, is_sorted: bool) -> list[Passage]:
    """Return the first passages as far as a sheet has room; is_sorted: in the order of their hashes."""
    few: dict[str, Passage] = {}
    letters = 0
    for text_hash, row in passages.items():
        letters += len(row.text)
        if few and (letters > MOST_LETTERS or len(few) == MOST_SHOWN):
            break
        few[text_hash] = row
    return [few[text_hash] for text_hash in sorted(few)] if is_sorted else list(few.values())


def list_passages(*, question: Question, with_systems: bool) -> list[QuestionPassage]:
    """Return the passages beside a question: those given, then what systems retrieved, the best rank first.

    with_systems: also what systems retrieved; without, as if there were none. Each text once.
    """
    rows = Passage.objects.filter(question=question).order_by("-is_given", "position", "pk")
    passages = list(rows if with_systems else rows.filter(is_given=True))
    found: dict[str, QuestionPassage] = {}
    for each in passages:
        found.setdefault(each.text_hash, _passage(each))
    links = RetrievedPassage.objects.filter(passage__in=passages).order_by("prediction__system_id", "pk")
    cells = ("passage__text_hash", "prediction__system__label", "rank", "score")
    for text_hash, *row in links.values_list(*cells) if with_systems else ():
        found[text_hash].retrieved_by.append(RetrievedBy(*row))
    given = [each for each in found.values() if each.is_given]
    retrieved = [each for each in found.values() if not each.is_given and each.retrieved_by]
    return [*given, *sorted(retrieved, key=lambda each: min(by.rank for by in each.retrieved_by))]


def _passage(row: Passage) -> QuestionPassage:
    return QuestionPassage(row.text, row.title, row.source, row.is_given, row.is_gold, [])


def gold_only(*, project_id: int) -> QuerySet[Candidate]:
    """Return the answers that people judge because they are gold, and that no system gave.

    They say something about the gold list, and nothing about systems or judges.
    """
    given = Prediction.objects.filter(candidate=OuterRef("pk"))
    return Candidate.objects.filter(~Exists(given), project=project_id, from_gold=True)


@kept(Area.ITEMS)
def gold_answers(project: Project, *, pooling: str) -> Integers:
    """Return the keys of the answers that are pooled with a gold answer of their question, in order."""
    candidates = Candidate.objects.filter(project=project).order_by("pk")
    golds = GoldAnswer.objects.filter(question__project=project, kind=GoldAnswer.Kind.STRING)
    keys = {
        (question, pool_hash(text, pooling=pooling))
        for question, text in read_rows(golds, "question_id", "text")
    }
    rows = read_rows(candidates, "pk", "question_id", "pool_hash")
    return np.array([pk for pk, question, key in rows if (question, key) in keys], dtype=np.int64)


def gold_entries(*, questions: QuerySet[Question]) -> Mapping[int, GoldEntries]:
    """Return the gold answers of the files by question id, parted into strings and patterns.

    Of a question without any they are empty.
    """
    golds: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    rows = GoldAnswer.objects.filter(question__in=questions).order_by("question", "position", "pk")
    for question_id, text, kind in rows.values_list("question_id", "text", "kind"):
        golds[question_id].append((text, kind == GoldAnswer.Kind.REGEX))
    return defaultdict(GoldEntries, {key: gold_entries_of(texts) for key, texts in golds.items()})


def answers_by_project(*, organization: Organization) -> dict[int, int]:
    """Return how many answers imports brought into each of its projects, archived ones included.

    Not gold answers among the answers, which come and go with the protocol.
    """
    projects = organization.projects.filter(deleted_at=None)
    answers = Candidate.objects.filter(project__in=projects, from_gold=False).order_by()
    return dict(answers.values_list("project").annotate(Count("pk")))
