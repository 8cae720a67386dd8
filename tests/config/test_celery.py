"""Celery finds our packages as compose and the documentation start it, and as `make run` does."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = str(Path(sys.executable).parent / "celery")
MODULE = (sys.executable, "-m", "celery")


class TestCelery:
    @pytest.mark.parametrize(
        ("command", "here"),
        [((PROGRAM,), True), (MODULE, True), ((PROGRAM, "--workdir", str(ROOT)), False)],
        ids=["program", "module", "program-started-elsewhere"],
    )
    def test_reads_the_settings_which_need_our_packages(
        self, command: tuple[str, ...], here: bool, tmp_path: Path
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            [*command, "--app", "config", "report"],
            cwd=ROOT if here else tmp_path,
            env=kept | {"ASSAY_DATA": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr[-2_000:]
        assert "ASSAY_SWEEP_SECONDS" in done.stdout
