"""Judging over HTTP under a closed loop of raters, beside other platforms, and what that takes."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict
from functools import partial
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

from benchmarks.apparatus.databases import scratch_database
from benchmarks.apparatus.processes import run_apart
from benchmarks.peers.environments import find_environment
from benchmarks.raters.assay import ROOT, assay
from benchmarks.raters.load import Measured, Plan
from benchmarks.raters.platforms import Platform, read_items, read_meter
from benchmarks.raters.reports import Row, table, write_between
from tools.with_services import running_postgres

PEERS = ("doccano", "doccano_least", "label_studio", "potato")
DOCUMENT = ROOT / "docs" / "benchmarks.md"


def run(*arguments: str) -> None:
    """Measure every combination that is asked for, print a table, and write it where that is asked for."""
    asked = _read(arguments)
    # Servers that were started and databases that were made go however this ends.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    rows: list[Row] = []
    try:
        with tempfile.TemporaryDirectory(prefix="assay-load-") as folder:
            for database in _present(asked.databases):
                for row in _measure_on(database, Path(folder), asked):
                    print(row.line(rows), flush=True)
                    rows.append(row)
    finally:
        # What was measured until it was stopped is worth having.
        text = table(rows, command=f"python -m benchmarks http_judging {' '.join(arguments)}".strip())
        print(f"\n{text}")
        if asked.write:
            write_between(DOCUMENT, mark=asked.write, text=text)


def _read(arguments: tuple[str, ...]) -> Namespace:
    parser = ArgumentParser(prog="python -m benchmarks http_judging", description=__doc__)
    for name, default, kind, words in (
        ("--databases", "sqlite,postgresql", str, "where studies are kept"),
        ("--raters", "1,8,32,64", int, "at once"),
        ("--think", "0", float, "seconds on average between a reply and the next hand-in"),
        ("--answers", "14900", int, "in the study; NQ301 has 1,490, which 32 raters judge within seconds"),
        ("--sheets", "single,nq", str, "one answer a sheet, or as NQ301 has them"),
        ("--peers", ",".join(PEERS), str, "see benchmarks/peers/README.md"),
    ):
        parser.add_argument(name, default=default, type=partial(_several, kind), help=words)
    parser.add_argument("--seconds", default=20.0, type=float, help="of each measurement")
    parser.add_argument(
        "--warm-up", default=3.0, type=float, help="seconds before; tables are counted anew every 30"
    )
    parser.add_argument(
        "--write", default="", metavar="MARK", help="where in docs/benchmarks.md the table goes"
    )
    return parser.parse_args(arguments)


def _several(kind: Callable[[str], Any], text: str) -> list[Any]:
    return [kind(part) for part in text.split(",") if part]


def _present(databases: list[str]) -> Iterator[str]:
    for database in databases:
        if database == "postgresql" and running_postgres() is None:
            print("PostgreSQL skipped: none runs on this machine")
        else:
            yield database


def _measure_on(database: str, folder: Path, asked: Namespace) -> Iterator[Row]:
    """Measure the other platforms, then Assay beside them."""
    cases = list(product(asked.think, asked.raters))
    for peer in asked.peers:
        yield from _measure_peer(peer, database, folder, cases, asked)
    for answers, sheets in product(asked.answers, asked.sheets):
        with _filled(database, folder, str(answers), sheets) as copied:
            for think, raters in cases:
                with copied() as environment, assay(environment=environment, raters=raters) as platform:
                    given = Plan(
                        platform.module, platform.url, platform.people, asked.seconds, asked.warm_up, think
                    )
                    yield _measure(platform, given, database=database, answers=answers, sheets=sheets)


def _measure_peer(
    peer: str, database: str, folder: Path, cases: list[tuple[float, int]], asked: Namespace
) -> Iterator[Row]:
    module = import_module(f"benchmarks.peers.{peer}")
    environment = find_environment(peer.removesuffix("_least"))
    if environment is None:
        print(f"{peer} skipped: not installed (see benchmarks/peers/README.md)")
        return
    if database not in (module.DATABASES or asked.databases[:1]):
        return
    answers = min(asked.answers)
    items = read_items(answers, single=True)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=folder)))
        url = stack.enter_context(_empty(database, name=f"assay_load_{peer}"))
        everybody = sum(raters for _, raters in cases)
        start = module.platform(
            environment=environment, folder=home, database=url, items=items, raters=everybody
        )
        platform = stack.enter_context(start)
        people = iter(platform.people)
        for think, raters in cases:
            # Nobody has done anything yet.
            fresh = [next(people) for _ in range(raters)]
            given = Plan(platform.module, platform.url, fresh, asked.seconds, think_seconds=think)
            kept_in = database if module.DATABASES else "files"
            yield _measure(platform, given, database=kept_in, answers=answers, sheets="single")


@contextmanager
def _empty(database: str, *, name: str, template: str = "template1") -> Iterator[str]:
    """Yield the address of a PostgreSQL database; empty for SQLite, which is a file of whoever has it."""
    server = running_postgres()
    if database == "sqlite" or server is None:
        yield ""
        return
    with scratch_database(server, name, template=template) as url:
        yield url


@contextmanager
def _filled(
    database: str, folder: Path, answers: str, sheets: str
) -> Iterator[Callable[[], AbstractContextManager[dict[str, str]]]]:
    """Fill a study once; what is yielded makes a copy of it each time, to be used up."""
    with _installation(database, folder, name="assay_load_full") as environment:
        run_apart("raters.studies", "fill", answers, sheets, environment=environment)
        yield partial(_installation, database, folder, name="assay_load", copied=environment)


@contextmanager
def _installation(
    database: str, folder: Path, *, name: str, copied: dict[str, str] | None = None
) -> Iterator[dict[str, str]]:
    """Yield what a process is given to work on a database of its own, empty or a copy."""
    with (
        tempfile.TemporaryDirectory(dir=folder) as home,
        _empty(database, name=name, template="assay_load_full" if copied else "template1") as url,
    ):
        file = Path(home) / "db.sqlite3"
        if copied and not url:
            shutil.copy(Path(copied["ASSAY_DATA"]) / file.name, file)
        others = {key: value for key, value in os.environ.items() if key != "REDIS_URL"}
        yield {**others, "ASSAY_DATA": home, "DATABASE_URL": url or f"sqlite:///{file}"}


def _measure(platform: Platform, plan: Plan, *, database: str, answers: int, sheets: str) -> Row:
    """Let the load run in a process of its own, and read the meters when it begins and ends."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(asdict(plan), file)
        file.flush()
        command = [sys.executable, "-m", "benchmarks.raters.load", file.name]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as load:
            assert load.stdout is not None
            meters = []
            for moment in ("begin", "end"):
                assert load.stdout.readline().strip() == moment
                meters.append(read_meter(platform))
            measured = Measured(**json.loads(load.stdout.read()))
    server, of_database = meters[1].since(meters[0])
    return Row(
        platform=platform.name,
        database=database,
        answers=answers,
        sheets=sheets,
        raters=len(plan.people),
        think_seconds=plan.think_seconds,
        measured=measured,
        server_seconds=server,
        database_seconds=of_database,
        load=os.getloadavg()[0],
        over=platform.count_over(),
    )
