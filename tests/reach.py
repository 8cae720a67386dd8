"""With `-p tests.reach` only tests run that could reach PostgreSQL or Redis.

The others would do there what `make test` has shown already; how many there are is said at the end.
"""

from functools import cache

import grimp
import pytest
from grimp.exceptions import ModuleNotPresent
from xdist.workermanage import WorkerController

OURS = (
    *("analysis", "annotation", "assay", "benchmarks", "commands", "common", "config", "judges"),
    *("tests", "tools"),
)
# Whoever imports none of these, itself or through others, starts nothing and is connected to nothing. Django
# finds what it connects to by its settings.
WAYS = (
    *("celery", "django", "kombu", "multiprocessing", "psycopg2", "pytest_django", "redis", "rest_framework"),
    *("socket", "sqlite3", "subprocess"),
)
DATABASE = frozenset({"db", "transactional_db", "django_db_setup", "live_server"})
MARKS = ("django_db", "services", "browser")
# Fixtures of `tests/conftest.py`, which imports Django for others: what all tests use, and two more.
HARMLESS = frozenset(
    {
        *("_check_statuses", "_draw_by_name", "_forget_other_tests", "_share_as_a_quick_machine_does"),
        "_share_replies",
        *("data_folder", "little_garbage"),
    }
)


@cache
def modules_that_reach() -> frozenset[str]:
    """Return our modules that import one of `WAYS`, themselves or through others."""
    graph = grimp.build_graph(*OURS, include_external_packages=True, cache_dir=None)
    found: set[str] = set()
    for way in WAYS:
        try:
            found |= graph.find_downstream_modules(way)
        except ModuleNotPresent:
            continue
    return frozenset(found)


def reaches_services(item: pytest.Item) -> bool:
    """Whether a test could reach a database, Redis or another process; where it cannot be told, it could."""
    if not isinstance(item, pytest.Function) or any(map(item.get_closest_marker, MARKS)):
        return True
    if DATABASE & {*item.fixturenames} or item.module.__name__ in modules_that_reach():
        return True
    fixtures = item._fixtureinfo.name2fixturedefs
    return any(
        definition.func.__module__ in modules_that_reach()
        for name, definitions in fixtures.items()
        if name not in HARMLESS
        for definition in definitions
    )


# How many tests a process has left out; all processes find the same, and the first says it.
LEFT_OUT = pytest.StashKey[int]()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what reaches nothing that differs on another server."""
    left_out = [item for item in items if not reaches_services(item)]
    items[:] = [item for item in items if reaches_services(item)]
    config.hook.pytest_deselected(items=left_out)
    config.stash[LEFT_OUT] = len(left_out)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the first process."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: WorkerController) -> None:
    """Hear of another process."""
    node.config.stash[LEFT_OUT] = getattr(node, "workeroutput", {}).get("left_out", 0)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say how many were left out."""
    if count := config.stash.get(LEFT_OUT, 0):
        terminalreporter.write_line(
            f"{count:,} tests reach no database, no Redis and no process: left out here, run by make test."
        )
