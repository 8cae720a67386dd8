"""How many processes, cores and disks raters and verdicts need, from what one operation takes."""

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.raters.reports import write_between

DOCUMENT = Path(__file__).resolve().parents[1] / "docs" / "scaling.md"
RATERS = (10, 100, 1_000, 10_000)
# From the moment a sheet is seen to its hand-in; NQ301's have 4.95 answers.
SECONDS_A_SHEET = (2.0, 5.0, 20.0)
VERDICTS = (10**6, 10**7, 10**8, 10**9)
# Each process has eight threads and its rounds.
CONNECTIONS_A_PROCESS = 9
# Above this share of a core at work, waiting grows faster than work.
BUSY_SHARE = 0.6
SIMULATED_SECONDS = 120.0
SEED = 5


@dataclass(frozen=True)
class Costs:
    """What one operation takes: seconds of a core, and bytes on disk with all indexes.

    A sheet is one of NQ301's, handed in, with the next one made and the votes settled. `answer`: a candidate
    with its share of a question. `vote`: an assignment, a judgment and its revision, with a share of a sheet.
    """

    sheet_web: float
    sheet_database: float
    verdict_worker: float
    verdict_database: float
    row_process: float
    row_database: float
    verdicts_a_message: float
    answer_bytes: float
    vote_bytes: float
    decision_bytes: float
    verdict_bytes: float


# From docs/benchmarks.md, docs/speed.md and `python -m benchmarks sizes runs`; docs/scaling.md says which.
MEASURED = Costs(
    sheet_web=0.0137,
    sheet_database=0.0165,
    verdict_worker=33e-6,
    verdict_database=18e-6,
    row_process=69e-6,
    row_database=62e-6,
    verdicts_a_message=300_000 / 33,
    answer_bytes=934,
    vote_bytes=873,
    decision_bytes=313,
    verdict_bytes=183,
)


class Machines(NamedTuple):
    """Cores for the web server's processes, one each, and for the database."""

    web: int
    database: int


class Simulated(NamedTuple):
    """Sheets a second, milliseconds that 95 of 100 hand-ins take at most, and shares of cores at work."""

    sheets: float
    p95: float
    web_share: float
    database_share: float


def machines_for(*, raters: int, seconds_a_sheet: float, costs: Costs) -> Machines:
    """Return the fewest cores that raters at this pace leave free for 40 of 100 seconds."""
    sheets = raters / seconds_a_sheet
    return Machines(
        *(max(1, math.ceil(sheets * cost / BUSY_SHARE)) for cost in (costs.sheet_web, costs.sheet_database))
    )


def simulate(
    *,
    raters: int,
    seconds_a_sheet: float,
    machines: Machines,
    costs: Costs,
    seconds: float = SIMULATED_SECONDS,
) -> Simulated:
    """Let raters think, queue for a web process, then for a core of the database, and think again.

    First come first served; thinking and service times are exponential, which is more varied than measured.
    The first fifth of the time is left out. Locks, network and disk are not in it.
    """
    draw = np.random.default_rng(SEED)
    free = [[0.0] * machines.web, [0.0] * machines.database]
    means = (costs.sheet_web, costs.sheet_database)
    busy, took = [0.0, 0.0], []
    # When, at which station, and since when it is on its way; station 2 is the rater.
    events = [(float(at), 0, float(at)) for at in draw.exponential(seconds_a_sheet, raters)]
    heapq.heapify(events)
    while events[0][0] < seconds:
        at, station, since = heapq.heappop(events)
        if station == 2:
            if at > seconds / 5:
                took.append(at - since)
            again = at + draw.exponential(seconds_a_sheet)
            heapq.heappush(events, (again, 0, again))
            continue
        needed = draw.exponential(means[station])
        done = max(at, heapq.heappop(free[station])) + needed
        heapq.heappush(free[station], done)
        # What is begun after the end is not counted.
        busy[station] += min(done, seconds) - min(done - needed, seconds)
        heapq.heappush(events, (done, station + 1, since))
    return Simulated(
        sheets=len(took) / (seconds * 0.8),
        p95=1_000 * float(np.percentile(took, 95)) if took else 0.0,
        web_share=busy[0] / seconds / machines.web,
        database_share=busy[1] / seconds / machines.database,
    )


def run(*arguments: str) -> None:
    """Print the tables; with `--write`, into docs/scaling.md."""
    text = "\n\n".join((raters_table(MEASURED), verdicts_table(MEASURED), studies_table(MEASURED)))
    print(text)
    if "--write" in arguments:
        write_between(DOCUMENT, mark="capacity", text=text)


def raters_table(costs: Costs) -> str:
    """Return what raters need, and what they wait for in the simulation."""
    head = (
        "raters",
        "s a sheet",
        "sheets/s",
        "web processes",
        "database cores",
        "connections",
        "p95 ms",
        "busy: web, database",
    )
    rows = []
    for raters in RATERS:
        for pace in SECONDS_A_SHEET:
            machines = machines_for(raters=raters, seconds_a_sheet=pace, costs=costs)
            came = simulate(raters=raters, seconds_a_sheet=pace, machines=machines, costs=costs)
            shares = f"{100 * came.web_share:.0f}%, {100 * came.database_share:.0f}%"
            cells = (
                f"{raters:,}",
                f"{pace:g}",
                f"{came.sheets:,.1f}",
                *map(str, machines),
                f"{CONNECTIONS_A_PROCESS * machines.web:,}",
                f"{came.p95:.0f}",
                shares,
            )
            rows.append(cells)
    return _table(head, rows)


def verdicts_table(costs: Costs) -> str:
    """Return what so many verdicts of judges without a model take."""
    head = ("verdicts", "core hours, workers", "core hours, database", "messages", "GB on disk")
    rows = [
        (
            f"10^{round(math.log10(verdicts))}",
            f"{verdicts * costs.verdict_worker / 3_600:,.2f}",
            f"{verdicts * costs.verdict_database / 3_600:,.2f}",
            f"{verdicts / costs.verdicts_a_message:,.0f}",
            f"{verdicts * costs.verdict_bytes / 1e9:,.1f}",
        )
        for verdicts in VERDICTS
    ]
    return _table(head, rows)


def studies_table(costs: Costs) -> str:
    """Return what a study takes with two votes an answer, a decision, and verdicts of six judges."""
    head = (
        "answers",
        "core hours to import",
        "GB: answers",
        "votes and decisions",
        "six judges' verdicts",
        "all",
    )
    rows = []
    for answers in (10**5, 10**6, 10**7, 10**8):
        parts = (costs.answer_bytes, 2 * costs.vote_bytes + costs.decision_bytes, 6 * costs.verdict_bytes)
        hours = answers * (costs.row_process + costs.row_database) / 3_600
        gigabytes = [answers * part / 1e9 for part in parts]
        rows.append(
            (f"{answers:,}", f"{hours:,.2f}", *(f"{value:,.1f}" for value in (*gigabytes, sum(gigabytes))))
        )
    return _table(head, rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (head, ["---:"] * len(head), *rows))
