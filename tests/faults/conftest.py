"""Places, servers and workshops for faults."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.arena import open_arena
from tests.faults.guard import Guard
from tests.faults.proof import Proof
from tests.faults.servers import OwnPostgres, own_postgres
from tests.faults.workshop import Workshop


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A folder with a short path: the address of a Unix socket must be short."""
    folder = Path(tempfile.mkdtemp(prefix="assay-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def workshop(tmp_path: Path, short_folder: Path) -> Iterator[Workshop]:
    """A workshop on a database of its own, on the server under test."""
    with open_arena(tmp_path) as arena, Guard(log=short_folder / "processes.log") as guard:
        yield Workshop(arena, guard=guard, folder=short_folder)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnPostgres]:
    """A PostgreSQL that may be stopped, whatever database is under test."""
    with own_postgres(log=tmp_path_factory.mktemp("postgres") / "log") as server:
        yield server


@pytest.fixture
def stoppable_workshop(postgres: OwnPostgres, tmp_path: Path, short_folder: Path) -> Iterator[Workshop]:
    """A workshop whose database server may be stopped."""
    with (
        open_arena(tmp_path, server=postgres.url) as arena,
        Guard(log=short_folder / "processes.log") as guard,
    ):
        yield Workshop(arena, guard=guard, folder=short_folder)


@pytest.fixture
def proof() -> Proof:
    """Where long proofs write what they measured."""
    return Proof()
