"""Both results of a study in one reply: the best system, and the judge to trust."""

from dataclasses import dataclass

from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.results.best_system import BestSystem
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.judge_board.judged import read_judged
from judges.comparison.selectors.results.best_system import read_best_system
from judges.comparison.selectors.results.trusted_judge import TrustedJudge, read_trusted_judge
from judges.comparison.selectors.study import sign_comparison


@dataclass(frozen=True)
class Results:
    """The results of a study so far."""

    signature: str
    system: BestSystem
    judge: TrustedJudge


@kept()
def read_results(*, project: Project) -> Results:
    """Say which system is best, and which judge can be trusted for what."""
    system, judge = read_best_system(project=project), read_trusted_judge(project=project)
    judged = read_judged(project)
    signature = sign_comparison(
        project,
        "results",
        wanted=Filter(scope=system.scope),
        judges=[run.signature for run in judged.runs],
        beside="people",
        weights=judged.weighing,
        epsilon=judge.epsilon,
        correction="holm",
    )
    return Results(signature, system, judge)
