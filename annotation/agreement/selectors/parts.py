"""Read which part of a study each item belongs to, one way of cutting it at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import TypeAlias

import numpy as np
from django.db.models import Max, Min, QuerySet

from analysis.arrays import Integers
from analysis.raters.agreement import NOT_RATED
from annotation.agreement.rules.slices import Dimension, group_rows, length_band, question_type
from annotation.agreement.rules.votes import FirstRound
from annotation.agreement.selectors.votes import first_answers
from annotation.assignments.models import Assignment, QuestionFlag
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.items.selectors import gold_entries
from annotation.projects.models import Project
from common.identifiers import tell_apart

Parts: TypeAlias = Mapping[str, Integers]

HIT, MISS = "equals a gold answer", "equals no gold answer"
NOT_NAMED = "not named"
NOT_DESCRIBED = "not described"
SEVERAL_VERSIONS = "several versions"
NOT_FLAGGED = "not flagged"
FLAGS: Mapping[str, str] = {
    QuestionFlag.Kind.AMBIGUOUS: "ambiguous",
    QuestionFlag.Kind.TIME_DEPENDENT: "time-dependent",
    QuestionFlag.Kind.LIST: "asks for a list",
    QuestionFlag.Kind.GOLD_IMPROPER: "incorrect gold answer",
    QuestionFlag.Kind.UNCLEAR: "unclear",
}


def read_parts(*, project: Project, first_round: FirstRound, by: Dimension) -> Parts:
    """Return each part's name with the rows of `first_round` that belong to it.

    An answer that several systems gave, or several raters judged, is in the part of each; so is one to a
    question with several flags.
    """
    if by is Dimension.RATER:
        return _by_rater(first_round)
    if by is Dimension.FLAG:
        return _by_flag(project, first_round)
    if by in BY_QUESTION:
        names = BY_QUESTION[by](project)
        return group_rows(names.get(int(question)) for question in first_round.questions)
    if by in (Dimension.SYSTEM, Dimension.SYSTEM_FAMILY):
        return _by_system(project, first_round, in_families=by is Dimension.SYSTEM_FAMILY)
    if by in BY_ANSWER:
        names = BY_ANSWER[by](project)
    else:
        names = (_weeks if by is Dimension.WEEK else _versions)(project, first_round)
    return group_rows(names.get(int(item)) for item in first_round.items)


def _by_rater(first_round: FirstRound) -> Parts:
    given = first_round.has_turns | (first_round.votes != NOT_RATED)
    parts = {
        name: np.flatnonzero(((first_round.raters == number) & given).any(axis=1))
        for number, name in enumerate(first_round.names)
    }
    return {name: parts[name] for name in sorted(parts) if len(parts[name])}


def _by_flag(project: Project, first_round: FirstRound) -> Parts:
    flagged: dict[str, set[int]] = defaultdict(set)
    flags = QuestionFlag.objects.filter(question__project=project).order_by()
    for question, kind in flags.values_list("question_id", "kind"):
        flagged[FLAGS[kind]].add(question)
    rows = {name: _rows_of(first_round, flagged[name]) for name in FLAGS.values()}
    free = np.setdiff1d(np.arange(len(first_round.questions)), np.concatenate(list(rows.values())))
    return {name: own for name, own in {**rows, NOT_FLAGGED: free}.items() if len(own)}


def _rows_of(first_round: FirstRound, questions: set[int]) -> Integers:
    return np.flatnonzero(np.isin(first_round.questions, list(questions)))


def _question_types(project: Project) -> dict[int, str]:
    rows = Question.objects.filter(project=project).values_list("pk", "text")
    return {pk: question_type(text) for pk, text in rows}


def _datasets(project: Project) -> dict[int, str]:
    rows = Question.objects.filter(project=project).values_list("pk", "dataset")
    return {pk: dataset or NOT_NAMED for pk, dataset in rows}


def _lengths(project: Project) -> dict[int, str]:
    rows = Candidate.objects.filter(project=project).values_list("pk", "text")
    return {pk: length_band(text) for pk, text in rows.iterator(chunk_size=20_000)}


def _exact_matches(project: Project) -> dict[int, str]:
    golds = gold_entries(questions=project.questions.all())
    rows = Candidate.objects.filter(project=project).values_list("pk", "question_id", "text")
    return {
        pk: HIT if golds[question].has(text) else MISS
        for pk, question, text in rows.iterator(chunk_size=20_000)
    }


BY_QUESTION: Mapping[Dimension, Callable[[Project], dict[int, str]]] = {
    Dimension.QUESTION_TYPE: _question_types,
    Dimension.DATASET: _datasets,
}
BY_ANSWER: Mapping[Dimension, Callable[[Project], dict[int, str]]] = {
    Dimension.ANSWER_LENGTH: _lengths,
    Dimension.EXACT_MATCH: _exact_matches,
}


def _by_system(project: Project, first_round: FirstRound, *, in_families: bool) -> Parts:
    row_of = {int(item): row for row, item in enumerate(first_round.items)}
    rows: dict[str, set[int]] = defaultdict(set)
    given = Prediction.objects.filter(system__project=project, question__in_sample=True)
    names = _families(project) if in_families else _system_names(project)
    found = given.values_list("candidate_id", "system_id")
    for candidate, system in found.iterator(chunk_size=20_000):
        if candidate in row_of:
            rows[names[system]].add(row_of[candidate])
    return {name: np.array(sorted(rows[name]), dtype=np.int64) for name in sorted(rows)}


def _families(project: Project) -> dict[int, str]:
    systems = System.objects.filter(project=project).values_list("pk", "description")
    return {pk: family_of(description) for pk, description in systems}


def _system_names(project: Project) -> dict[int, str]:
    """Return what each system is called: two of one label, as NQ_DPR and TQ_DPR, by their names as well."""
    systems = list(System.objects.filter(project=project).values_list("pk", "label", "name"))
    names = tell_apart((label, name) for _, label, name in systems)
    return {pk: name for (pk, *_), name in zip(systems, names, strict=True)}


def family_of(description: Mapping[str, object]) -> str:
    """Name a system's family by its description: open or closed book, and its track where it has one."""
    is_closed = description.get("closed_book")
    book = "" if is_closed is None else "closed book" if is_closed else "open book"
    words: Sequence[str] = [str(word) for word in (book, description.get("track")) if word]
    return ", ".join(words) or NOT_DESCRIBED


def _weeks(project: Project, first_round: FirstRound) -> dict[int, str]:
    """Return the ISO week in which an item's last first-round vote was given, by item."""
    if first_round.has_turns:
        rows: Iterable[tuple[int, datetime]] = (
            _first_votes(project)
            .filter(judgment__judged_at__isnull=False)
            .values_list("candidate_id")
            .annotate(Max("judgment__judged_at"))
        )
    else:
        rows = first_answers(project).order_by().values_list("question_id").annotate(Max("answered_at"))
    return {item: _week(time) for item, time in rows}


def _week(time: datetime) -> str:
    year, week, _ = time.isocalendar()
    return f"{year}, week {week}"


def _versions(project: Project, first_round: FirstRound) -> dict[int, str]:
    """Return the protocol's version under which an item's raters were asked, by item."""
    number = "sheet__protocol_version__number"
    ends = (Min(number), Max(number))
    rows: Iterable[tuple[int, int, int]]
    if first_round.has_turns:
        rows = _first_votes(project).values_list("candidate_id").annotate(*ends)
    else:
        rows = first_answers(project).order_by().values_list("question_id").annotate(*ends)
    return {
        item: f"version {oldest}" if oldest == newest else SEVERAL_VERSIONS for item, oldest, newest in rows
    }


def _first_votes(project: Project) -> QuerySet[Assignment]:
    rows = Assignment.objects.votes().filter(
        candidate__project=project,
        round=Assignment.Round.FIRST,
        state__in=(Assignment.State.DONE, Assignment.State.SKIPPED),
    )
    return rows.order_by()
