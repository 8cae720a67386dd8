"""Read a page of the table with all that its columns hold, and what the table can be filtered by."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from analysis.text import count_words
from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.queue import (
    QueueVote,
    flags_of,
    shown_states,
    systems_of,
    votes_of,
)
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, System
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import kept
from common.database.rows import read_integers, snapshot
from common.memory import reading_once
from judges.answers.rules import Sort, cut_page
from judges.answers.selectors.columns import Answers, read_judges
from judges.answers.selectors.filters import EVERYTHING, Wanted, find_answers
from judges.comparison.rules.study import EXACT_MATCH, name_columns
from judges.comparison.selectors.study import read_choices
from judges.runs.models import Verdict

ANSWERS_A_PAGE = 50
# Before which the last rows stand; no id is called so.
THE_END = "end"
# As many judges as a table shows beside its other columns before anybody has chosen some.
JUDGES_UNASKED = 3
# They say of most answers what exact match says.
LIKE_EXACT_MATCH = frozenset({"token_f1", "containment"})


@dataclass(frozen=True)
class JudgedLine:
    """A run’s verdict on the answer.

    `accepted`: null if the run could not judge it; `reason` says why.
    """

    run: str
    accepted: bool | None
    score: float | None
    reason: str


@dataclass(frozen=True)
class AnswerLine:
    """An answer in the table.

    `state`: its own state, or that it is waiting for a lead’s decision. `number`: the number of the latest
    entry in its decision history (0: none). `systems`: null if they are hidden. `verdicts`: by the judges of
    this page, in their order; a run without a verdict on the answer is left out. `flags`: the kinds of flags
    on the question.
    """

    id: str
    question_id: str
    question: str
    dataset: str
    tags: list[str]
    flags: list[str]
    answer: str
    words: int
    state: Candidate.State
    label: str | None
    source: str | None
    number: int
    systems: list[str] | None
    votes: list[QueueVote]
    verdicts: list[JudgedLine]


@dataclass(frozen=True)
class FoundAnswers:
    """Some of the answers that are asked for, `count` in all, of which so many stand before these.

    questions: how many they belong to, if a question check is named. judges: the runs whose verdicts the
    rows contain.
    """

    count: int
    before: int
    questions: int | None
    judges: list[str]
    answers: list[AnswerLine]


@reading_once()
def read_some(
    *,
    project: Project,
    limit: int,
    wanted: Wanted = EVERYTHING,
    sort: str = Sort.QUESTION.value,
    after: str = "",
    before: str = "",
    judges: Collection[str] | None = None,
    with_systems: bool = True,
) -> FoundAnswers | None:
    """Return so many rows of the table; how many queries that takes depends on filters and columns.

    after, before: the public id of an answer, whose place the rows go on from though it may not be asked for
    any more; None is returned where it is gone. before may be `THE_END`. judges: public ids of runs, None:
    exact match, and those that differ most from it.
    Without systems these are null: not shown, which is not the same as none.
    """
    with snapshot():
        found = find_answers(project=project, wanted=wanted, sort=sort)
        beside = _place_of(found.answers, after or before)
        if beside is None and (after or before):
            return None
        start = {"after" if after else "before": beside}
        page = cut_page(found.rank, found.kept, size=limit, **start)
        ids = found.answers.ids[page.places].tolist()
        runs = _chosen_runs(project, judges)
        lines = describe_answers(ids, runs=runs, with_systems=with_systems)
    return FoundAnswers(
        count=page.total,
        before=page.before,
        questions=found.questions if wanted.way.check else None,
        judges=list(runs.values()),
        answers=lines,
    )


def _place_of(answers: Answers, public_id: str) -> int | None:
    if not public_id:
        return None
    if public_id == THE_END:
        return -1
    ids = read_integers(Candidate.objects.filter(public_id=public_id), "pk")[:, 0]
    return next(iter(answers.numbers(ids).tolist()), None)


def _chosen_runs(project: Project, judges: Collection[str] | None) -> dict[int, str]:
    """Return the public ids of the runs that are asked for, by key, in the order of the boards."""
    runs = read_judges(project)
    if judges is None:
        # Exact match, then those that differ from it.
        first = sorted(
            runs, key=lambda run: (run.judge_key != EXACT_MATCH, run.judge_key in LIKE_EXACT_MATCH)
        )
        judges = {run.public_id for run in first[:JUDGES_UNASKED]}
    return {run.id: run.public_id for run in runs if run.public_id in judges}


def describe_answers(ids: Sequence[int], *, runs: dict[int, str], with_systems: bool) -> list[AnswerLine]:
    """Return the lines of a page of answers, in a fixed number of queries; one removed since is left out."""
    rows = Candidate.objects.select_related("question", "project__protocol").in_bulk(list(ids))
    candidates = [rows[answer] for answer in ids if answer in rows]
    decisions = {
        row.candidate_id: row for row in Decision.objects.in_force().filter(candidate__in=candidates)
    }
    numbers = Decision.objects.last_numbers(candidates)
    votes, states = votes_of(candidates), shown_states(candidates)
    systems = systems_of(candidates) if with_systems else None
    flags = flags_of({candidate.question_id for candidate in candidates})
    verdicts = _verdicts_of(ids, runs)
    return [
        AnswerLine(
            id=candidate.public_id,
            question_id=candidate.question.public_id,
            question=candidate.question.text,
            dataset=candidate.question.dataset,
            tags=list(candidate.question.tags),
            flags=list(dict.fromkeys(flag.kind for flag in flags[candidate.question_id])),
            answer=candidate.text,
            words=count_words(candidate.text),
            state=Candidate.State(states[candidate.pk]),
            label=decisions[candidate.pk].label if candidate.pk in decisions else None,
            source=decisions[candidate.pk].source if candidate.pk in decisions else None,
            number=numbers.get(candidate.pk, 0),
            systems=None if systems is None else systems[candidate.pk],
            votes=[QueueVote(vote.letter, vote.label) for vote in votes[candidate.pk]],
            verdicts=verdicts[candidate.pk],
        )
        for candidate in candidates
    ]


def _verdicts_of(ids: Sequence[int], runs: dict[int, str]) -> dict[int, list[JudgedLine]]:
    found: dict[int, dict[int, JudgedLine]] = defaultdict(dict)
    rows = Verdict.objects.filter(run__in=list(runs), candidate__in=list(ids))
    fields = ("candidate_id", "run_id", "accepted", "score", "unscored_reason")
    for candidate, run, accepted, score, reason in rows.values_list(*fields):
        found[candidate][run] = JudgedLine(runs[run], accepted, score, reason)
    return {answer: [found[answer][run] for run in runs if run in found[answer]] for answer in ids}


@dataclass(frozen=True)
class NamedColumn:
    """An option of a filter: a system, identified by its name, or a run, identified by its ID.

    `id`: the value to filter by. `name`: the name to display.
    """

    id: str
    name: str


@dataclass(frozen=True)
class AnswerChoices:
    """The values by which the table can be filtered.

    `systems`, `raters`: null if the caller may not filter by them.
    """

    systems: list[NamedColumn] | None
    judges: list[NamedColumn]
    datasets: list[str]
    tags: list[str]
    flags: list[str]
    sources: list[str]
    raters: list[str] | None


@kept()
def read_answer_choices(*, project: Project, with_systems: bool, with_raters: bool) -> AnswerChoices:
    """Return what there is to choose among in this project."""
    # None of it takes the study's arrays: whoever opens the page first would wait for all texts to be read.
    runs, choices = read_judges(project), read_choices(project=project)
    names = name_columns(runs)
    flags = QuestionFlag.objects.filter(question__project=project).order_by("kind")
    decisions = Decision.objects.in_force().filter(candidate__project=project).order_by("source")
    systems = System.objects.filter(project=project).order_by("pk")
    votes = Judgment.objects.votes().filter(rater=OuterRef("pk"))
    raters = Membership.objects.filter(Exists(votes), project=project).order_by("pseudonym", "pk")
    return AnswerChoices(
        systems=[NamedColumn(*names) for names in systems.values_list("name", "label")]
        if with_systems
        else None,
        judges=[NamedColumn(run.public_id, names[run.id].name) for run in runs],
        datasets=choices.datasets,
        tags=choices.tags,
        flags=list(flags.values_list("kind", flat=True).distinct()),
        sources=list(decisions.values_list("source", flat=True).distinct()),
        raters=list(raters.values_list("pseudonym", flat=True)) if with_raters else None,
    )
