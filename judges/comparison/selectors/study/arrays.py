"""Read a study into arrays, each part once for as long as its rows stay the same."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from numpy.typing import NDArray

from analysis.text import normalize_answer
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Basis
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.judgments.models import CheckAnswer
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Area, Credit
from annotation.projects.selectors import kept
from common.database.columns import read_integers, read_numbers, read_rows
from judges.comparison.rules.study.arrays import (
    ACCEPTED,
    NO_VERDICT,
    POSSIBLE,
    REJECTED,
    UNDECIDED,
    UNSCORED,
    Candidates,
    Codes,
    Decided,
    Flags,
    Floats,
    Integers,
    Items,
    Predictions,
    Questions,
    Said,
    SystemFacts,
    count_words,
)
from judges.comparison.rules.study.selection import FEWEST_REFERENCES, Filter, Selection, Traits, select
from judges.prejudging.models import PrejudgedAnswer
from judges.runs.models import Verdict

# The key of the check by which raters say that a question has several answers (EfficientQA's).
AMBIGUOUS = "ambiguous"

VOTES = frozenset(basis.value for basis in Basis)
WORTH = {Credit.DEFINITE: ACCEPTED, Credit.POSSIBLE: POSSIBLE}


@kept(Area.ITEMS)
def read_items(project: Project) -> Items:
    """Return what was imported; shared, so nobody may write to it."""
    questions = _read_questions(project)
    systems = [
        SystemFacts(*row)
        for row in System.objects.filter(project=project)
        .order_by("pk")
        .values_list("pk", "name", "label", "description")
    ]
    candidates = _read_candidates(project, questions)
    predictions = _read_predictions(project, systems, questions, candidates)
    candidates.is_given[predictions.candidate] = True
    return Items(systems, questions, candidates, predictions)


@kept(Area.ITEMS)
def read_words(project: Project) -> Integers:
    """Return how many words every prediction has."""
    return count_words(read_items(project).predictions)


def _flag(condition: Q) -> Case:
    return Case(When(condition, then=Value(1)), default=Value(0), output_field=IntegerField())


def _read_questions(project: Project) -> Questions:
    rows = Question.objects.filter(project=project).order_by("pk")
    ids, in_sample = read_integers(rows.annotate(flag=_flag(Q(in_sample=True))), "pk", "flag").T
    return Questions(ids=ids, in_sample=in_sample.astype(bool))


def _read_candidates(project: Project, questions: Questions) -> Candidates:
    rows = Candidate.objects.filter(project=project).order_by("pk")
    flags = {"judgeable": _flag(Q(is_judgeable=True)), "gold": _flag(Q(from_gold=True))}
    found = read_integers(rows.annotate(**flags), "pk", "question_id", "judgeable", "gold")
    # What was imported between two of these queries belongs to the next state.
    found = found[questions.numbers(found[:, 1]) >= 0]
    ids, question, judgeable, gold = found.T
    return Candidates(
        ids=ids,
        question=questions.numbers(question),
        is_judgeable=judgeable.astype(bool),
        is_from_gold=gold.astype(bool),
        is_given=np.zeros(len(ids), dtype=bool),
    )


def _read_predictions(
    project: Project, systems: list[SystemFacts], questions: Questions, candidates: Candidates
) -> Predictions:
    rows = Prediction.objects.filter(system__project=project).order_by("system_id", "question_id")
    places = {system.id: place for place, system in enumerate(systems)}
    known = frozenset(candidates.ids.tolist())
    found = [
        row
        for row in read_rows(rows, "system_id", "question_id", "candidate_id", "text")
        if row[0] in places and row[2] in known
    ]
    strings: dict[str, int] = {}
    columns = np.array(
        [
            (places[system], question, candidate, strings.setdefault(normalize_answer(text), len(strings)))
            for system, question, candidate, text in found
        ],
        dtype=np.int64,
    ).reshape(-1, 4)
    system, question, candidate, string = columns.T
    numbers = {(row[0], row[1]): number for number, row in enumerate(found)}
    return Predictions(
        system=system,
        question=questions.numbers(question),
        candidate=candidates.numbers(candidate),
        string=string,
        strings=strings,
        own_golds=_own_golds(rows, numbers),
    )


def _own_golds(
    rows: QuerySet[Prediction], numbers: Mapping[tuple[int, int], int]
) -> dict[int, tuple[str, ...]]:
    own = rows.filter(golds__isnull=False).values_list("system_id", "question_id", "golds")
    return {
        numbers[system, question]: tuple(golds)
        for system, question, golds in own
        if golds is not None and (system, question) in numbers
    }


def _ruled(project: Project) -> QuerySet[PrejudgedAnswer]:
    return PrejudgedAnswer.objects.filter(application__project=project, undone_at=None)


@kept()
def read_decided(project: Project) -> Decided:
    """Return what every answer was decided to be, by whatever settled it."""
    items = read_items(project)
    labels = project.protocol.rules.labels if project.protocol else ()
    worths = {label.key: WORTH.get(label.credit, REJECTED) for label in labels}
    worth = np.full(len(items.candidates.ids), UNDECIDED, dtype=np.int8)
    by_people, by_votes = np.zeros((2, len(worth)), dtype=bool)
    rows = Decision.objects.in_force().filter(candidate__project=project)
    numbers = {pk: number for number, pk in enumerate(items.candidates.ids.tolist())}
    for candidate, label, source in read_rows(rows, "candidate_id", "label", "source"):
        if candidate in numbers:
            worth[numbers[candidate]] = worths.get(label, REJECTED)
            by_people[numbers[candidate]] = source != Decision.Source.PREJUDGED
            by_votes[numbers[candidate]] = source in VOTES
    ruled, is_drawn, probability = _read_ruled(project, numbers, worths)
    # Whatever else left a decision to programs could draw none of it for people.
    unknown = (worth != UNDECIDED) & ~by_people & (ruled == UNDECIDED)
    ruled[unknown], probability[unknown] = worth[unknown], 0.0
    return Decided(worth, by_people, by_votes, ruled, is_drawn, probability)


def _read_ruled(
    project: Project, numbers: Mapping[int, int], worths: Mapping[str, int]
) -> tuple[Codes, Flags, Floats]:
    ruled = np.full(len(numbers), UNDECIDED, dtype=np.int8)
    is_drawn, probability = np.zeros(len(numbers), dtype=bool), np.ones(len(numbers))
    rows = _ruled(project).annotate(drawn=_flag(Q(is_audited=True)))
    for candidate, label, drawn, share in read_rows(
        rows, "candidate_id", "label", "drawn", "audit_probability"
    ):
        if candidate in numbers:
            place = numbers[candidate]
            ruled[place], is_drawn[place], probability[place] = worths.get(label, REJECTED), drawn, share
    return ruled, is_drawn, probability


def read_said(project: Project, run_ids: Iterable[int]) -> dict[int, Said]:
    """Return what each of these runs of the project said, by run."""
    return {run: _read_said(project, run) for run in run_ids}


@kept(Area.ITEMS, Area.VERDICTS)
def _read_said(project: Project, run_id: int) -> Said:
    items = read_items(project)
    said = Case(
        When(accepted=True, then=Value(1)),
        When(accepted=False, then=Value(0)),
        default=Value(UNSCORED),
        output_field=IntegerField(),
    )
    rows = Verdict.objects.filter(run=run_id).annotate(
        said=said, number=Coalesce("score", 0.0), has_score=_flag(Q(score__isnull=False))
    )
    found = read_numbers(rows, "candidate_id", "said", "number", "has_score")
    places = items.candidates.numbers(found[:, 0].astype(np.int64))
    is_known = places >= 0
    places = places[is_known]
    _, verdicts, scores, has_score = found[is_known].T
    verdict = np.full(len(items.candidates.ids), NO_VERDICT, dtype=np.int8)
    score = np.full(len(verdict), np.nan)
    verdict[places] = verdicts
    score[places] = np.where(has_score > 0, scores, np.nan)
    return Said(verdict, score)


@kept()
def read_improper(project: Project) -> Flags:
    """Say of every question whether raters took it out of the scores."""
    items = read_items(project)
    found: NDArray[np.int64] = np.array(sorted(improper_questions(project)), dtype=np.int64)
    flags: Any = np.isin(items.questions.ids, found)
    return flags  # type: ignore[no-any-return]


def read_selection(project: Project, items: Items, *, improper: Flags, wanted: Filter) -> Selection:
    """Return the questions and predictions that count under a filter."""
    traits = read_traits(project) if wanted.needs_traits else None
    return select(items, traits=traits, improper=improper, wanted=wanted)


class Sources(NamedTuple):
    """Where questions come from, one value a question; has_references: as in `Traits`."""

    datasets: list[str]
    tags: list[frozenset[str]]
    has_references: Flags


@kept(Area.ITEMS)
def read_sources(project: Project) -> Sources:
    """Return what the files say of questions besides their texts."""
    rows = Question.objects.filter(project=project).order_by("pk")
    found = list(rows.values_list("dataset", "tags", "reference_count"))
    return Sources(
        datasets=[dataset for dataset, _, _ in found],
        tags=[frozenset(tags) for _, tags, _ in found],
        has_references=np.array(
            [count is None or count >= FEWEST_REFERENCES for _, _, count in found], dtype=bool
        ),
    )


@kept()
def read_traits(project: Project) -> Traits:
    """Return what questions are sorted by."""
    items, sources = read_items(project), read_sources(project)
    called = {pk for rows in called_ambiguous(project) for pk in rows.values_list("question_id", flat=True)}
    return Traits(
        sources.datasets,
        sources.tags,
        is_ambiguous=np.isin(items.questions.ids, np.array(sorted(called), dtype=np.int64)),
        was_asked=_was_asked(project, items),
        has_references=sources.has_references,
    )


def _was_asked(project: Project, items: Items) -> Flags:
    """Say of which questions raters said if they are ambiguous; of all where nobody was asked of any."""
    said = CheckAnswer.objects.votes().filter(question__project=project, check_key=AMBIGUOUS)
    asked = sorted(set(said.values_list("question_id", flat=True)))
    flags: Flags = np.isin(items.questions.ids, np.array(asked, dtype=np.int64))
    return flags if asked else np.ones(len(items.questions.ids), dtype=bool)


def called_ambiguous(project: Project) -> tuple[QuerySet[CheckAnswer], QuerySet[QuestionFlag]]:
    """Return by which checks and which flags raters called questions ambiguous."""
    answers = CheckAnswer.objects.votes().filter(question__project=project, check_key=AMBIGUOUS, answer=True)
    flags = QuestionFlag.objects.filter(question__project=project, kind=QuestionFlag.Kind.AMBIGUOUS)
    return answers, flags
