"""How many questions people must judge for scores of all systems that are sure enough, and of which parts."""

from dataclasses import dataclass
from typing import NamedTuple

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Why
from analysis.prejudging.planning import NoPromise, plan_labels, soften, uncertainty_strata

# Of whole questions fewer strata tell as much: how unsure a judge is of a question's answers varies less.
STRATA = 8


@dataclass(frozen=True)
class Plan:
    """How many labels scores of ± points need.

    questions, answers: to draw in all; already: questions of these that chance has drawn before.
    plain: questions without a judge; saving: the share of these that the judge spares, which is expected and
    not promised. reached: the half width that is expected of the least sure system, in points. is_better:
    whether the judge is known to err on fewer answers than the best system does. why: why nothing is planned.
    now: the half width of the leaderboard's least sure system over all questions, in points; None where a
    system has no score yet. has_prejudged: rules settled answers, of which more questions tell no more.
    """

    points: float
    judge: str
    questions: int
    answers: int
    already: int
    plain: int
    saving: float
    reached: float
    is_better: bool
    why: Why | None = None
    now: float | None = None
    has_prejudged: bool = False


class Planned(NamedTuple):
    """A plan; each question's stratum, and how many questions are drawn of each."""

    plan: Plan
    strata: Integers
    wanted: Integers


def plan_questions(
    predictions: Floats,
    labels: Floats,
    *,
    drawn: Flags,
    answers: Floats,
    points: float,
    judge: str,
    beyond: bool = True,
) -> Planned:
    """Plan whole questions for all systems at once; those that chance has drawn before stay.

    predictions, labels: systems × questions; NaN = no answer, the judge abstains, no label. drawn: chance has
    brought the question into the sample. answers: how many each question has. beyond: intervals are those of
    the leaderboard; else of just these questions.
    """
    predictions = soften(predictions, labels)
    strata = uncertainty_strata(predictions, strata=STRATA)
    found = plan_labels(
        predictions=predictions,
        labels=labels,
        labelled=drawn,
        strata=strata,
        half_width=points / 100.0,
        beyond=beyond,
    )
    plan = Plan(
        points=points,
        judge=judge,
        questions=found.labels,
        answers=round(found.labels * float(answers.mean())),
        already=int(drawn.sum()),
        plain=found.plain,
        saving=max(0.0, found.expected_saving),
        reached=100.0 * found.half_width,
        is_better=found.why is not NoPromise.NO_BETTER_THAN_JUDGED,
        why=None if 100.0 * found.half_width <= points * 1.0001 else Why.TOO_FEW_TO_PLAN,
    )
    return Planned(plan, strata, found.wanted)
