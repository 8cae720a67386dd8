"""Read imports, systems and the sample of a project."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.db.models import Count, Exists, FloatField, OuterRef, QuerySet
from django.db.models.functions import Cast

from analysis.text import GoldEntries, gold_entries_of
from annotation.items.formats.records import Format, Limits, Source
from annotation.items.formats.registry import FORMATS
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.items.ports import judged_questions
from annotation.items.rules import pool_hash
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.errors import Invalid, NotFound


class ImportNotFound(NotFound):
    """The project has no such import."""


class SystemNotFound(NotFound):
    """The project has no such system."""


class QuestionNotFound(NotFound):
    """The project has no such question."""


class UnknownFormat(Invalid):
    """There is no file format of this name."""


class Sample(NamedTuple):
    """How much of a project people judge, and how that was chosen.

    judged: questions of all on which votes or decisions of people stand, sampled or not.
    """

    questions: int
    sampled: int
    judged: int
    method: str
    options: dict[str, Any]


@dataclass(frozen=True)
class Coverage:
    """How many of a project's questions its systems answer.

    behind: systems that answer fewer questions than another does, from `fewest` to `most` of them (0 where
    there is none). common: questions that every system answers.
    """

    systems: int
    behind: int
    fewest: int
    most: int
    common: int


def get_format(key: str) -> Format:
    """Return a file format; raises `UnknownFormat`."""
    if key not in FORMATS:
        raise UnknownFormat(f"“{key}” is no format. Known are: {', '.join(FORMATS)}.")
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


def sources_of(data_import: DataImport) -> Iterator[Source]:
    """Yield the stored files of an import, in the order they were handed in."""
    for file in data_import.files:
        yield Source(name=file["name"], path=Path(settings.DATA_DIR) / file["path"], limits=limits())


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
    return Sample(
        questions=questions.count(),
        sampled=questions.filter(in_sample=True).count(),
        judged=len(judged_questions(project=project)),
        method=project.sample_method,
        options=project.sample_options,
    )


def common_questions(*, project: Project) -> QuerySet[Question]:
    """Return the questions that every system with answers answers, but for those left out for good."""
    systems = project.systems.filter(Exists(Prediction.objects.filter(system=OuterRef("pk")))).count()
    answered = project.questions.filter(is_left_out=False).annotate(answers=Count("predictions"))
    return answered.filter(answers=systems, answers__gt=0).order_by("pk")


@kept(Area.ITEMS)
def read_coverage(*, project: Project) -> Coverage:
    """Return how many of the questions the systems answer, and how many of them all do."""
    of_project = Prediction.objects.filter(system__project=project).order_by()
    counts = [count for _, count in of_project.values_list("system").annotate(Count("pk"))]
    behind = [count for count in counts if count < max(counts)]
    return Coverage(
        systems=len(counts),
        behind=len(behind),
        fewest=min(behind, default=0),
        most=max(behind, default=0),
        common=common_questions(project=project).count(),
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


def gold_only(*, project_id: int) -> QuerySet[Candidate]:
    """Return the answers that people judge because they are gold, and that no system gave.

    They say something about the gold list, and nothing about systems or judges.
    """
    given = Prediction.objects.filter(candidate=OuterRef("pk"))
    return Candidate.objects.filter(~Exists(given), project=project_id, from_gold=True)


def gold_keys(*, question_ids: Iterable[int], pooling: str) -> dict[int, set[str]]:
    """Return by question what an answer that is pooled with a gold answer is hashed to."""
    keys: dict[int, set[str]] = defaultdict(set)
    for question_id, text in _gold_strings(question_ids):
        keys[question_id].add(pool_hash(text, pooling=pooling))
    return keys


def gold_entries(*, questions: QuerySet[Question]) -> Mapping[int, GoldEntries]:
    """Return the gold answers of the files by question id, parted into strings and patterns.

    Of a question without any they are empty.
    """
    golds: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    rows = GoldAnswer.objects.filter(question__in=questions).order_by("question", "position", "pk")
    for question_id, text, kind in rows.values_list("question_id", "text", "kind"):
        golds[question_id].append((text, kind == GoldAnswer.Kind.REGEX))
    return defaultdict(GoldEntries, {key: gold_entries_of(texts) for key, texts in golds.items()})


def _gold_strings(question_ids: Iterable[int]) -> Iterable[tuple[int, str]]:
    golds = GoldAnswer.objects.filter(question__in=list(question_ids), kind=GoldAnswer.Kind.STRING)
    return golds.order_by("question", "position", "pk").values_list("question_id", "text")
