"""Judges two by two: agreement, and tested differences."""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from analysis.ranking import PairedDifference, mcnemar_by_cluster, mcnemar_exact, paired_difference
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.memory import computed
from judges.comparison.rules.boards import ComparedPairs, Uncorrected, correct_pairs
from judges.comparison.rules.judge_board.pairs import JudgePair, pair_judges
from judges.comparison.rules.study import NO_VERDICT, UNSCORED, Codes, Flags, Floats, RunFacts
from judges.comparison.selectors.judge_board.judged import Judged, read_judged
from judges.comparison.selectors.study import sign_comparison

# Who people are where judges are named by their runs.
PEOPLE = "people"


class PairedJudges(NamedTuple):
    """names: what each is called, by run id (or `PEOPLE`), in the order of the board.

    signature: what produced the numbers; it names judges by the beginnings of their own signatures' hashes.
    """

    names: dict[str, str]
    pairs: list[JudgePair]
    signature: str


@kept()
def read_judge_pairs(*, project: Project) -> PairedJudges:
    """Compare people and every run that has verdicts on the judged sample with each other."""
    judged = read_judged(project)
    verdicts = {
        name: verdict for name, verdict in _verdicts(judged).items() if (verdict[judged.shared] >= 0).any()
    }
    names = {run.public_id: judged.columns[run.id].name for run in judged.runs}
    questions = judged.items.candidates.question
    pairs = computed(
        pair_judges,
        verdicts,
        shared=judged.shared,
        questions=questions,
        question_count=len(judged.items.questions.ids),
        weights={PEOPLE: judged.weights},
    )
    signature = sign_comparison(
        project,
        "judges two by two",
        judges=[run.signature for run in judged.runs if run.public_id in verdicts],
        people="decisions" if PEOPLE in verdicts else None,
        weights="1/probability" if judged.is_weighed else None,
        answers="judged by both",
    )
    return PairedJudges({name: names.get(name, "People") for name in verdicts}, pairs, signature)


def _verdicts(judged: Judged) -> dict[str, Codes]:
    people = np.where(judged.counted, judged.truth.astype(np.int8), NO_VERDICT).astype(np.int8)
    return {PEOPLE: people} | {run.public_id: judged.said[run.id].verdict for run in judged.runs}


def find_judged_answers(
    *, project: Project, accepted_by: str = "", rejected_by: str = "", unscored_by: str = ""
) -> list[int]:
    """Return the ids of answers of the sample of which these (a run's id, or `PEOPLE`) say so.

    Who is not named does not matter; somebody unknown said nothing of any answer. What people have decided
    and a run has no verdict on counts as unscored by it, as on the judge board.
    """
    judged = read_judged(project)
    verdicts = _verdicts(judged)
    nothing = np.full(len(judged.shared), NO_VERDICT, dtype=np.int8)
    found = judged.shared.copy()
    for name, value in ((accepted_by, 1), (rejected_by, 0)):
        if name:
            found &= verdicts.get(name, nothing) == value
    if unscored_by:
        found &= _is_unscored(verdicts.get(unscored_by), judged)
    ids: list[int] = judged.items.candidates.ids[found].tolist()
    return ids


def find_errors(*, project: Project, run: str) -> list[int]:
    """Return the ids of answers on which the judge board counts an error of this run (a public id).

    A run of another project erred nowhere.
    """
    judged = read_judged(project)
    verdict = _verdicts(judged).get(run)
    if verdict is None:
        return []
    errs = judged.counted & (verdict >= 0) & ((verdict == 1) != judged.truth)
    ids: list[int] = judged.items.candidates.ids[errs].tolist()
    return ids


def _is_unscored(verdict: Codes | None, judged: Judged) -> Flags:
    if verdict is None:
        return np.zeros(len(judged.shared), dtype=bool)
    unscored: Flags = (verdict == UNSCORED) | (judged.counted & (verdict == NO_VERDICT))
    return unscored


class ComparedJudges(NamedTuple):
    """names: what each run is called, by its public id, in the order of the board."""

    names: dict[str, str]
    found: ComparedPairs


@kept()
def read_judge_differences(*, project: Project) -> ComparedJudges:
    """Compare every two runs by how often they say what people decided, on the answers both scored.

    Answers that a rule of pre-judging settled are none that people decided: a judge would be held against
    itself.
    """
    judged = read_judged(project)
    runs = [run for run in judged.runs if scored_by(judged, run).any()]
    pairs = correct_pairs([_uncorrected(judged, first, second) for first, second in combinations(runs, 2)])
    signature = sign_comparison(
        project,
        "accuracy of judges two by two",
        beside="people",
        answers="decided and judged by both",
        weights="1/probability" if judged.is_weighed else None,
        judges=[run.signature for run in runs],
        correction="holm",
    )
    return ComparedJudges(
        {run.public_id: judged.columns[run.id].name for run in runs}, ComparedPairs(pairs, signature)
    )


def scored_by(judged: Judged, run: RunFacts) -> Flags:
    """Say of which answers that count a run has a verdict."""
    found: Flags = judged.counted & (judged.said[run.id].verdict >= 0)
    return found


def accuracy_difference(judged: Judged, run: RunFacts, other: RunFacts) -> PairedDifference:
    """Return the accuracy of a run minus that of another, on the answers both scored; rows are answers."""
    both = scored_by(judged, run) & scored_by(judged, other)
    # So that the mean of what both scored is that of the answers they stand for.
    size = judged.weights[both].mean() if both.any() else 1.0
    own, others = (
        np.where(both, _is_right(judged, each) * judged.weights / size, np.nan) for each in (run, other)
    )
    return computed(paired_difference, first=own, second=others, clusters=judged.items.candidates.question)


def _uncorrected(judged: Judged, first: RunFacts, second: RunFacts) -> Uncorrected:
    difference = accuracy_difference(judged, first, second)
    both = scored_by(judged, first) & scored_by(judged, second)
    own, other = _is_right(judged, first)[both] == 1, _is_right(judged, second)[both] == 1
    # Where answers stand for others, counts of answers are not what the difference is of.
    p_value = (
        difference.p_value
        if judged.is_weighed
        else mcnemar_by_cluster(
            first_right=own, second_right=other, clusters=judged.items.candidates.question[both]
        )
    )
    return Uncorrected(
        first=first.public_id,
        second=second.public_id,
        difference=difference,
        p_value=p_value,
        mcnemar=None if judged.is_weighed else mcnemar_exact(first_right=own, second_right=other),
    )


def _is_right(judged: Judged, run: RunFacts) -> Floats:
    is_right: Floats = ((judged.said[run.id].verdict == 1) == judged.truth).astype(np.float64)
    return is_right
