"""Read whether judges may take a rater's place."""

from dataclasses import dataclass

import numpy as np

from analysis.arrays import Floats, Integers
from analysis.raters.agreement import NOT_RATED
from analysis.raters.alternative_annotator import FALSE_DISCOVERIES
from annotation.assignments.models import Assignment
from annotation.judgments.models import Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.memory import computed
from judges.comparison.rules.judge_board.replacement import Replacement, VoteTable, judge_replacements
from judges.comparison.rules.study import NO_VERDICT
from judges.comparison.selectors.judge_board.judged import Judged, read_judged, read_votes
from judges.comparison.selectors.study import sign_comparison


@dataclass(frozen=True)
class Replacements:
    """Whether each judge can replace an annotator, by the alternative annotator test.

    `epsilon`: how far, from 0 to 1, `judge_ahead` may be below `rater_ahead` for the judge still to count as
    able to replace the annotator. `false_discoveries`: the false discovery rate that the
    test allows, that is, among the annotators whom a judge is found to match, the share for whom this finding
    is wrong. `raters`: the number of annotators with votes on shared answers. `tie_breakers`: the number of
    others, who only broke ties; their votes do not count. `raters_per_answer`: from the protocol.
    """

    signature: str
    epsilon: float
    false_discoveries: float
    raters: int
    tie_breakers: int
    raters_per_answer: int
    judges: list[Replacement]


@kept()
def read_replacements(*, project: Project, epsilon: float) -> Replacements:
    """Test every run with a verdict on an answer that raters share; raters stand under their pseudonyms.

    What counts are blind votes of the first round, and of a second pass where one rater judges an answer: a
    tie-break is asked for only where two differ. A run that could not judge an answer agrees with nobody.
    """
    judged = read_judged(project)
    table = _read_table(project, judged)
    verdicts = {
        run.public_id: said
        for run in judged.runs
        if ((said := judged.said[run.id].verdict)[table.answers] != NO_VERDICT).any()
    }
    names = {run.public_id: judged.columns[run.id].name for run in judged.runs}
    judges = computed(judge_replacements, table, verdicts=verdicts, names=names, epsilon=epsilon)
    signature = sign_comparison(
        project,
        "alternative annotator test",
        judges=[run.signature for run in judged.runs if run.public_id in verdicts],
        epsilon=epsilon,
        correction="benjamini-yekutieli",
        false_discoveries=FALSE_DISCOVERIES,
        answers="judged by two annotators",
        weights="1/probability" if (table.weights != 1.0).any() else None,
    )
    return Replacements(
        signature=signature,
        epsilon=epsilon,
        false_discoveries=FALSE_DISCOVERIES,
        raters=len(table.raters),
        tie_breakers=_count_tie_breakers(project),
        raters_per_answer=project.protocol.rules.raters_per_answer if project.protocol else 0,
        judges=judges,
    )


def _count_tie_breakers(project: Project) -> int:
    """Count the raters who broke ties and cast no vote that counts for the test."""
    broke = Judgment.objects.votes().filter(
        state=Judgment.State.COUNTED,
        round=Assignment.Round.TIE_BREAK,
        candidate__project=project,
        candidate__question__in_sample=True,
        candidate__is_judgeable=True,
    )
    broke = broke.exclude(candidate__question__in=improper_questions(project))
    raters = frozenset(broke.order_by().values_list("rater_id", flat=True).distinct())
    return len(raters.difference(read_votes(project).votes[:, 1].tolist()))


def _read_table(project: Project, judged: Judged) -> VoteTable:
    """Return the votes on answers that stand for something and that two raters judged."""
    said = read_votes(project)
    votes, known, candidates = said.votes, said.in_order, judged.items.candidates
    columns = {rater: place for place, rater in enumerate(known)}
    # What was judged between two reads belongs to the next state.
    votes = votes[(candidates.numbers(votes[:, 0]) >= 0) & np.isin(votes[:, 1], known)]
    answers, rows = np.unique(candidates.numbers(votes[:, 0]), return_inverse=True)
    table = np.full((len(answers), len(known)), NOT_RATED, dtype=np.int64)
    places = np.array([columns[rater] for rater in votes[:, 1].tolist()], dtype=np.int64)
    table[rows.reshape(-1), places] = votes[:, 3]
    weights: Floats = judged.weights_of_votes[answers]
    kept_rows = ((table != NOT_RATED).sum(axis=1) > 1) & (weights > 0)
    questions: Integers = candidates.question[answers]
    return VoteTable(
        votes=table[kept_rows],
        answers=answers[kept_rows],
        raters=tuple(said.pseudonyms[rater] for rater in known),
        questions=questions[kept_rows],
        weights=weights[kept_rows],
    )
