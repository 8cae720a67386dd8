"""NQ301 as one file: bundled on SQLite, restored on PostgreSQL, and every export is the same (P20)."""

from pathlib import Path

import pytest

from annotation.release.selectors.formats import EXPORT_FORMATS
from tests.commands.backups.servers import Server, server_with_tables, sqlite_with_tables
from tests.faults.proof import Proof
from tests.tables import IS_POSTGRES

STUDY = """
import sys, django
django.setup()
from pathlib import Path
from annotation.accounts.models import User
from commands.reproduction.openqa_eval import reproduce_openqa_eval
lead = User.objects.create_user(username="lea", name="Lea Lead", password="a long enough one")
reproduce_openqa_eval(folder=Path(sys.argv[1]), slug="nq301", lead=lead)
"""


@pytest.mark.prove
@pytest.mark.skipif(not IS_POSTGRES, reason="restores on PostgreSQL, where make prove runs it")
def test_a_bundle_from_sqlite_gives_the_same_exports_on_postgresql(data_folder: Path, tmp_path: Path) -> None:
    bundle = tmp_path / "nq301.zip"
    source = sqlite_with_tables(tmp_path / "source")
    source.run(STUDY, str(data_folder / "openqa-eval"))
    before = files_of(source, tmp_path / "before")
    source.manage("bundle", "nq301", str(bundle))
    with server_with_tables(tmp_path / "target", "nq301") as target:
        target.run(
            "import django; django.setup(); from annotation.accounts.models import User;"
            "User.objects.create_user(username='somebody', name='Somebody Else', password='long enough')"
        )
        target.manage("restore", str(bundle), "--slug", "nq301", "--lead", "somebody")
        after = files_of(target, tmp_path / "after")
    assert set(before) == set(after) == {form.key for form in EXPORT_FORMATS}
    different = [key for key in before if before[key].read_bytes() != after[key].read_bytes()]
    # The bundle itself names who restored it.
    assert different == ["bundle"]
    Proof().record(
        "P20",
        "a bundle of NQ301, taken on SQLite and restored by somebody else",
        promised="every export the same, byte for byte",
        measured=f"{len(before) - 1} of {len(before)}; the bundle itself names who restored it",
        database="PostgreSQL",
    )


def files_of(server: Server, folder: Path) -> dict[str, Path]:
    """Return every export of the study by its key."""
    return {key: folder / "nq301" / key for key in server.exports(folder)["nq301"]}
