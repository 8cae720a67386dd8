"""What a backup looks like, and which manifests are refused."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError

from common.identifiers import VERSION
from judges.bundles.rules import MANIFEST, Damaged, PartEntry, parse_json

FORMAT: Literal["assay-backup"] = "assay-backup"
# Raised when an older version of Assay could misread what a newer one writes.
FORMAT_VERSION = 1
FILES = "files.jsonl"
# Of one line. Nothing that Assay takes in is near it; longer ones would only cost memory.
LONGEST_LINE = 64_000_000
README_TEXT = """This is a backup of a whole Assay server.

manifest.json   when it was made, by which version, the state of the database’s migrations, and the columns,
                rows, size, and SHA-256 of each part
rows/*.jsonl    one part per table: one row per line, as a JSON array in the order of the columns
files.jsonl     the stored files: path, size, and SHA-256
files/          the stored files: uploads and exports

It contains the names, email addresses, and password hashes of people, their IDs at the single sign-on
provider, the IP addresses and browsers they signed in from, and all votes. It also contains the
connections’ keys, webhook secrets, and authenticator app keys, encrypted with the server’s secret key,
as in the database.
The secret key itself is not in the backup. Keep it (the file secret-key in the data folder, or
SECRET_KEY) in another place.

To restore the backup into an empty database, run: assay restore FILE
"""

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Part(_Strict):
    """What is said of a part: rows, bytes, and the SHA-256 of its bytes."""

    rows: NonNegativeInt
    bytes: NonNegativeInt
    sha256: Sha256

    @property
    def entry(self) -> PartEntry:
        """The same as bundles say it."""
        return PartEntry(self.rows, self.bytes, self.sha256)


class Table(Part):
    """A table's rows; `last_key` is the highest key that the database gave, perhaps to a row that is gone."""

    columns: list[str]
    last_key: Annotated[int, Field(ge=0, lt=2**63)] | None


class StoredFile(_Strict):
    """A file of the data folder, by its path in it."""

    path: str
    bytes: NonNegativeInt
    sha256: Sha256


class Manifest(_Strict):
    """What a backup says of itself.

    migrations: the last of each app that the database had. secret_keys: marks of the keys by which secrets
    in it can be read; they do not tell the keys.
    """

    format: Literal["assay-backup"]
    format_version: int
    assay: str
    made_at: str
    migrations: dict[str, Annotated[list[str], Field(min_length=1)]]
    secret_keys: list[str]
    tables: dict[str, Table]
    files: Part

    @property
    def nodes(self) -> list[tuple[str, str]]:
        """The migrations as Django names them."""
        return [(app, name) for app, names in sorted(self.migrations.items()) for name in names]

    @property
    def parts(self) -> dict[str, PartEntry]:
        """All parts by the name of their entry."""
        tables = {rows_name(label): table.entry for label, table in self.tables.items()}
        return {**tables, FILES: self.files.entry}


def rows_name(label: str) -> str:
    """Return the entry of a table's rows."""
    return f"rows/{label}.jsonl"


def file_name(path: str) -> str:
    """Return the entry of a stored file."""
    return f"files/{path}"


def is_backup(text: bytes) -> bool:
    """Say whether a manifest is one of a backup; raises `Damaged` where it is no JSON."""
    found = parse_json(text, part=MANIFEST, line=0)
    return isinstance(found, dict) and found.get("format") == FORMAT


def read_manifest(text: bytes) -> Manifest:
    """Return the manifest; raises `Damaged`, also for a file of something else or of a newer version."""
    if not is_backup(text):
        raise Damaged("this is not a backup of an Assay server.", part=MANIFEST)
    found = parse_json(text, part=MANIFEST, line=0)
    version = found.get("format_version")
    if isinstance(version, int) and version > FORMAT_VERSION:
        raise Damaged(
            f"a newer version of Assay ({str(found.get('assay'))[:20]}) wrote this backup; this server "
            f"runs {VERSION}. Install the newer version.",
            part=MANIFEST,
        )
    try:
        return Manifest.model_validate(found)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(each)[:40] for each in first["loc"][:4])
        raise Damaged(f"{place}: {first['msg'].lower()}.", part=MANIFEST) from None
