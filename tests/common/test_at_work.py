import subprocess
import sys
import threading
from pathlib import Path

import pytest
from django.conf import LazySettings

from common.tasks import at_work, has_died

# Another process, which takes the lock, says so, and is killed in the middle.
OTHER = """
import sys
from pathlib import Path
from django.conf import settings
settings.configure(DATA_DIR=Path(sys.argv[1]))
from common.tasks import at_work
with at_work("import-7") as is_alone:
    print(is_alone, flush=True)
    sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: LazySettings) -> Path:
    settings.DATA_DIR = tmp_path
    return tmp_path


class TestAtWork:
    def test_whoever_ends_leaves_nothing(self, folder: Path) -> None:
        with at_work("import-7") as is_alone:
            assert is_alone
            assert not has_died("import-7")
        assert not has_died("import-7")
        assert not list((folder / "at-work").iterdir())

    def test_only_one_is_at_it(self) -> None:
        with at_work("import-7"), at_work("import-7") as is_alone:
            assert not is_alone
            with at_work("import-8") as is_alone:
                assert is_alone

    def test_nobody_here_ever_was(self) -> None:
        assert not has_died("import-7")

    def test_one_that_an_error_ended_is_seen_at_once_and_can_be_followed(self) -> None:
        with pytest.raises(OSError, match="away"), at_work("import-7"):
            raise OSError("the database is away")
        assert has_died("import-7")
        with at_work("import-7") as is_alone:
            assert is_alone
        assert not has_died("import-7")

    @pytest.mark.services
    def test_one_that_is_killed_is_seen_at_once_and_can_be_followed(self, folder: Path) -> None:
        root = Path(__file__).resolve().parent.parent.parent
        with subprocess.Popen(
            [sys.executable, "-c", OTHER, str(folder)],
            cwd=root,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as other:
            assert other.stdout is not None
            assert other.stdout.readline() == "True\n"
            assert not has_died("import-7")
            other.kill()
            other.wait()
        assert has_died("import-7")
        with at_work("import-7") as is_alone:
            assert is_alone
        assert not has_died("import-7")

    def test_nobody_who_begins_and_ends_is_taken_for_dead(self, folder: Path) -> None:
        is_over = threading.Event()
        seen: list[bool] = []

        def look() -> None:
            while not is_over.is_set():
                seen.append(has_died("import-7"))

        looking = threading.Thread(target=look)
        looking.start()
        alone = []
        for _ in range(300):
            with at_work("import-7") as is_alone:
                alone.append(is_alone)
        is_over.set()
        looking.join()
        assert seen
        assert not any(seen)
        assert all(alone)
        assert list((folder / "at-work").iterdir()) == []

    def test_a_file_system_without_hard_links_will_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def refuse(*_: str) -> None:
            raise PermissionError

        monkeypatch.setattr("os.link", refuse)
        with at_work("import-7") as first, at_work("import-7") as second:
            assert (first, second) == (True, False)
