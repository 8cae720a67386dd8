"""Read prompts of the LLM judge side by side: each model, each prompt, system by system."""

from typing import NamedTuple

from analysis.figures import Undefined, Why
from analysis.ranking import PairedDifference
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.judge_board.beside_people import Beside, compare
from judges.comparison.rules.judge_board.intervals import Intervals
from judges.comparison.rules.judge_board.parts import PartBy
from judges.comparison.rules.study import RunFacts
from judges.comparison.selectors.judge_board.judged import Judged, read_judged, sign_beside_people
from judges.comparison.selectors.judge_board.judges import read_judge_intervals
from judges.comparison.selectors.judge_board.pairs import accuracy_difference
from judges.comparison.selectors.judge_board.parts import bound_runs, name_systems
from judges.comparison.selectors.study import name_judges, name_ledger
from judges.runs.models import JudgeRun

LLM = "llm"


class Strategy(NamedTuple):
    """One run of the LLM judge.

    systems: by the system's name, over its decided answers. difference: its accuracy minus that of the
    model's first run, on the answers both scored; rows in it are answers. signature: what produced the
    numbers, after the run's own, which has the prompt's hash.
    """

    run: str
    name: str
    model: str
    prompt: str
    beside: Beside
    systems: dict[str, Beside]
    difference: PairedDifference
    signature: str


class Strategies(NamedTuple):
    """systems: label by name, in the order of the study."""

    systems: dict[str, str]
    rows: list[Strategy]


@kept()
def read_strategies(*, project: Project) -> Strategies:
    """Return the runs of the LLM judge with a verdict on a decided answer, by model, then oldest first."""
    judged = read_judged(project)
    runs = {run.id: run for run in judged.runs if run.judge_key == LLM}
    rows = JudgeRun.objects.filter(pk__in=list(runs)).order_by("connection__model", "created_at", "pk")
    ledger = name_ledger(project)
    found: list[Strategy] = []
    firsts: dict[str, RunFacts] = {}
    for pk, options, model in rows.values_list("pk", "options", "connection__model"):
        run = runs[pk]
        beside = judged.beside(run)
        if beside.confusion.scored:
            first = firsts.setdefault(model or "", run)
            found.append(
                Strategy(
                    run=run.public_id,
                    name=judged.columns[pk].name,
                    model=model or "",
                    prompt=str(options.get("prompt", "")),
                    beside=beside,
                    systems=_by_system(judged, run),
                    difference=_difference(judged, run, first),
                    signature=sign_beside_people(
                        project,
                        run.signature,
                        by=PartBy.SYSTEM.value,
                        difference_from=name_judges([first.signature]),
                        ledger=ledger,
                        is_weighed=judged.is_weighed,
                    ),
                )
            )
    return Strategies({system.name: system.label for system in judged.items.systems}, found)


class StrategyIntervals(NamedTuple):
    """How sure a run's figures are, by their names: over all answers, and by the system's name."""

    run: str
    whole: Intervals
    systems: dict[str, Intervals]


@kept()
def read_strategy_intervals(*, project: Project) -> list[StrategyIntervals]:
    """Return for every row of `read_strategies` what the judge board and its parts by system say."""
    judged = read_judged(project)
    whole = {row.key: row.figures for row in read_judge_intervals(project=project)}
    systems = judged.items.systems
    names = dict(zip(name_systems(systems), (system.name for system in systems), strict=True))
    by_system = bound_runs(project, judged, PartBy.SYSTEM)
    return [
        StrategyIntervals(
            run=run.public_id,
            whole=whole[judged.columns[run.id].key],
            systems={names[name]: figures for name, figures in by_system[run.id].items()},
        )
        for run in judged.runs
        if run.judge_key == LLM and judged.columns[run.id].key in whole
    ]


def _by_system(judged: Judged, run: RunFacts) -> dict[str, Beside]:
    given, systems = judged.items.predictions.candidate, judged.items.predictions.system
    truth, counted, weights = judged.truth[given], judged.counted[given], judged.weights[given]
    verdict = judged.said[run.id].verdict[given]
    return {
        system.name: compare(
            truth=truth, verdict=verdict, counted=counted & (systems == place), weights=weights
        )
        for place, system in enumerate(judged.items.systems)
    }


def _difference(judged: Judged, run: RunFacts, first: RunFacts) -> PairedDifference:
    if run is first:
        nothing = Undefined(Why.THE_FIRST)
        return PairedDifference(0, nothing, nothing, nothing)
    return accuracy_difference(judged, run, first)
