"""The commands `bundle` and `restore`."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.items.models import DataImport
from annotation.projects.models import Project
from tests.world import make_world


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def own(db: None, settings: Any, tmp_path: Path) -> Project:
    settings.DATA_DIR = tmp_path / "data"
    return make_world(slug="own").project


class TestBundle:
    def test_one_writes_what_the_other_reads(self, own: Project, tmp_path: Path) -> None:
        path = tmp_path / "own.zip"
        assert run("bundle", "own", str(path)).startswith(f"{path}: {path.stat().st_size:,} bytes, ")
        assert run("restore", str(path), "--slug", "copy") == "Restored the project copy.\n"
        assert Project.objects.get(slug="copy").candidates.count() == own.candidates.count()

    def test_not_while_files_come_in(self, own: Project, tmp_path: Path) -> None:
        DataImport.objects.filter(project=own).update(state="applying")
        with pytest.raises(CommandError, match="An import is in progress"):
            run("bundle", "own", str(tmp_path / "own.zip"))
        assert not (tmp_path / "own.zip").exists()

    def test_refusals(self, own: Project, tmp_path: Path) -> None:
        path = tmp_path / "own.zip"
        run("bundle", "own", str(path))
        with pytest.raises(CommandError, match="is taken"):
            run("restore", str(path), "--slug", "own")
        path.write_bytes(path.read_bytes()[:-10])
        with pytest.raises(CommandError, match="cannot be restored: this is not a zip file"):
            run("restore", str(path), "--slug", "copy")
        with pytest.raises(CommandError, match="No such file"):
            run("restore", str(tmp_path / "none.zip"), "--slug", "copy")
        assert Project.objects.count() == 1
