"""Put an empty SQLite database with this version's tables into the wheel, so that a first start copies it."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SHIPPED = "assay/files/tables.sqlite3"


class TablesHook(BuildHookInterface[Any]):
    """Runs the migrations once, at the build; where Django is not installed the wheel goes without."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the tables and name the file for the wheel."""
        if find_spec("django") is None:
            self.app.display_warning("Django is not installed: the first start of this wheel takes longer.")
            return
        folder = Path(mkdtemp())
        kept = {name: value for name, value in os.environ.items() if not name.startswith("ASSAY_")}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=self.root,
            env={
                **kept,
                "ASSAY_DATA": str(folder),
                "DATABASE_URL": f"sqlite:///{folder / 'made.sqlite3'}",
                "DJANGO_SETTINGS_MODULE": "config.settings",
            },
            check=True,
        )
        # One file, without what is still in its log.
        with closing(sqlite3.connect(folder / "made.sqlite3")) as made:
            made.execute("VACUUM INTO ?", [str(folder / "tables.sqlite3")])
        build_data["force_include"][str(folder / "tables.sqlite3")] = SHIPPED
