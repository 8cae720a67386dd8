"""Read which runs may stand beside one rater."""

from annotation.projects.models import Project
from common.errors import NotFound
from judges.prejudging.selectors.policies import ChoosableRun, Sureness, list_runs
from judges.runs.models import JudgeRun, Verdict


class RoutingNotFound(NotFound):
    """The project has no such routing."""


def find_run(*, project: Project, run: str) -> ChoosableRun:
    """Return a run that may be named; raises `RoutingNotFound`."""
    found = next((each for each in choosable_runs(project) if each.id == run), None)
    if found is None:
        raise RoutingNotFound("This project has no finished run that has this ID and contains verdicts.")
    return found


def choosable_runs(project: Project) -> list[ChoosableRun]:
    """Return the finished runs with verdicts."""
    runs = list_runs(project=project)
    return [each for each in runs if each.judged and each.state == JudgeRun.State.FINISHED]


def says_how_sure(project: Project, run: ChoosableRun) -> bool:
    """Say whether a threshold would part a run's verdicts: with scores of 0 and 1 alone it parts none."""
    between = Verdict.objects.filter(
        run__project=project, run__public_id=run.id, score__gt=0.0, score__lt=1.0, flags=""
    )
    return run.sureness is not Sureness.NONE and between.exists()
