"""`make neural` takes torch's build for the processor alone where there is one, else says what it takes."""

import subprocess
from pathlib import Path

import pytest

TOOL = Path(__file__).resolve().parent.parent.parent / "tools" / "install-torch"


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A Python whose pip writes down what it is to install, and finds no build for the processor alone."""
    path = tmp_path / "python"
    path.write_text(
        f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\ncase "$*" in *+cpu) test -e {tmp_path}/has-cpu;; esac\n',
        encoding="utf-8",
    )
    path.chmod(0o755)
    return path


def install(python: Path, *asked: str) -> tuple[list[str], str]:
    """Run it, and return what pip was asked for and what it said."""
    done = subprocess.run([TOOL, python, "9.9", *asked], capture_output=True, text=True, check=True)
    lines = (python.parent / "asked").read_text(encoding="utf-8").splitlines()
    return [line.partition("--no-compile ")[2] for line in lines], done.stdout


class TestInstallTorch:
    def test_takes_the_build_for_the_processor_alone_where_there_is_one(self, python: Path) -> None:
        (python.parent / "has-cpu").touch()
        assert install(python) == (["torch==9.9+cpu"], "")

    def test_takes_the_plain_one_else_and_says_what_that_brings(
        self, python: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        uname = python.parent / "uname"
        uname.write_text("#!/bin/sh\necho Linux\n", encoding="utf-8")
        uname.chmod(0o755)
        monkeypatch.setenv("PATH", f"{python.parent}:/usr/bin:/bin")
        asked, said = install(python)
        assert asked == ["torch==9.9+cpu", "torch==9.9"]
        assert "gigabytes" in said

    def test_takes_what_is_named(self, python: Path) -> None:
        assert install(python, "torch==1.0", "--pre") == (["torch==1.0 --pre"], "")
