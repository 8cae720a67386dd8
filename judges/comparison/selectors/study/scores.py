"""Read what each way of judging says of each prediction."""

from collections.abc import Sequence
from typing import NamedTuple

from annotation.projects.models import Project
from annotation.projects.rules import Credit
from judges.comparison.rules import (
    Column,
    RunFacts,
    Said,
    Scores,
    Settled,
    human_columns,
    human_scores,
    is_recorded,
    judge_by_people,
    judge_scores,
    matched_scores,
    with_own,
)
from judges.comparison.rules.study.arrays import UNDECIDED, Decided, Flags, Integers, Items
from judges.comparison.selectors.study.arrays import (
    read_decided,
    read_improper,
    read_items,
    read_said,
    read_words,
)
from judges.comparison.selectors.study.matching import judge_by_own_golds, match_people, match_recorded


class StudyScores(NamedTuple):
    """A study's predictions under every way of judging; `judges` by run id, in the order of the runs.

    words: of every string that was predicted. said: what runs said of answers, by run id. improper: of every
    question, whether raters took it out.
    """

    items: Items
    words: Integers
    decided: Decided
    improper: Flags
    settled: Settled
    said: dict[int, Said]
    judges: dict[int, Scores]
    people: list[Scores]


def read_scores(*, project: Project, runs: Sequence[RunFacts], columns: dict[int, Column]) -> StudyScores:
    """Return the scores of these runs, each under its column, and of people once they decided something.

    Answers whose file has other gold answers than the question are judged by those where the judge is
    lexical: the stored verdict is about the question's.
    """
    items, decided = read_items(project), read_decided(project)
    settled = judge_by_people(items, decided=decided, is_match=match_people(project))
    said = read_said(project, [run.id for run in runs])
    recorded = match_recorded(project, items, run_ids=[run.id for run in runs if is_recorded(run.judge_key)])
    own = judge_by_own_golds(items, runs=runs)
    judges = {
        run.id: matched_scores(columns[run.id], recorded[run.id])
        if run.id in recorded
        else with_own(judge_scores(columns[run.id], said[run.id], items=items), own.get(run.id, {}))
        for run in runs
    }
    return StudyScores(
        items=items,
        words=read_words(project),
        decided=decided,
        improper=read_improper(project),
        settled=settled,
        said=said,
        judges=judges,
        people=_people(project, items, decided, settled),
    )


def _people(project: Project, items: Items, decided: Decided, settled: Settled) -> list[Scores]:
    if not (decided.worth != UNDECIDED).any():
        return []
    columns = human_columns(has_prejudged=decided.has_ruled, has_possible=has_possible(project))
    return human_scores(columns, items=items, decided=decided, settled=settled)


def has_possible(project: Project) -> bool:
    """Say whether people can call an answer possibly correct."""
    labels = project.protocol.rules.labels if project.protocol else ()
    return any(label.credit is Credit.POSSIBLE for label in labels)
