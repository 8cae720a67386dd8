"""Which of our files something goes through: an imported votes' file, a leaderboard, a paid run."""

import importlib
import pkgutil
import sys
import threading
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType

import judges

ROOT = Path(judges.__file__).resolve().parent.parent
OURS = ("annotation", "judges", "common", "analysis", "config")
# These bring libraries that the core does without.
NEURAL = ("bertscore", "bem", "bleurt", "pretrained", "migrations")


class Touched:
    """The files whose functions are called, in every thread; what runs at import does not count."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    def __enter__(self) -> "Touched":
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & CO_OPTIMIZED and code.co_filename.startswith(f"{ROOT}/"):
            self.files.add(code.co_filename.removeprefix(f"{ROOT}/"))

    def ours(self) -> set[str]:
        return {file for file in self.files if file.split("/")[0] in OURS}


def load_all() -> None:
    """Load every module, so that what runs at import counts for nobody."""
    for module in pkgutil.walk_packages(judges.__path__, "judges."):
        if not any(name in module.name for name in NEURAL):
            importlib.import_module(module.name)
