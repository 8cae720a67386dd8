"""What is forked is as if it were started anew."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.faults import forks

CELERY = (sys.executable, "-m", "celery", "--app", "config")


class TestRun:
    def test_settings_come_from_its_own_environment(self, tmp_path: Path) -> None:
        environment = {**os.environ, "REDIS_URL": "redis://127.0.0.1:1/7", "ASSAY_DATA": str(tmp_path)}
        log = tmp_path / "log"
        assert forks.run([*CELERY, "report"], environment=environment, log=log, timeout=60) == 0
        assert "redis://127.0.0.1:1/7" in log.read_text(encoding="utf-8")

    def test_an_error_is_its_code_and_its_words(self, tmp_path: Path) -> None:
        command = [sys.executable, "-m", "tests.faults.launch", "nonsense", "{}"]
        log = tmp_path / "log"
        assert forks.run(command, environment=os.environ, log=log, timeout=60) == 1
        assert "KeyError: 'nonsense'" in log.read_text(encoding="utf-8")

    def test_is_ended_when_its_time_is_over(self, tmp_path: Path) -> None:
        environment = {**os.environ, "ASSAY_DATA": str(tmp_path)}
        beat = [*CELERY, "beat", "--schedule", str(tmp_path / "schedule"), "--pidfile", ""]
        with pytest.raises(subprocess.TimeoutExpired):
            forks.run(beat, environment=environment, log=tmp_path / "log", timeout=0.2)


class TestProgramOf:
    @pytest.mark.parametrize(
        "command",
        [
            ["postgres", "-p", "1"],
            [sys.executable, "-c", "pass"],
            [sys.executable, "-m", "granian"],
            [sys.executable, "-W", "error", "-m", "celery"],
            [],
        ],
    )
    def test_other_commands_are_started_as_they_are(self, command: list[str]) -> None:
        assert forks.program_of(command) is None

    def test_warnings_to_leave_out_are_kept(self) -> None:
        command = [sys.executable, "-W", "ignore:You're root", "-m", "celery", "worker"]
        assert forks.program_of(command) == ("celery", ["worker"], ["You're root"])
