"""Write the API's schema and the TypeScript types made from it, or check that they are up to date."""

import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
API = ROOT / "frontend" / "src" / "api"


def write_schema(folder: Path) -> None:
    """Write `schema.json` and `schema.d.ts` into `folder`."""
    schema = folder / "schema.json"
    arguments = [
        "spectacular",
        "--validate",
        "--fail-on-warn",
        "--format",
        "openapi-json",
        "--file",
        str(schema),
    ]
    subprocess.run([sys.executable, "manage.py", *arguments], cwd=ROOT, check=True)
    command = ["npx", "--no-install", "openapi-typescript", str(schema), "-o", str(folder / "schema.d.ts")]
    # What has a default may be left out of a request.
    command.append("--default-non-nullable=false")
    subprocess.run(command, cwd=ROOT / "frontend", check=True, stdout=subprocess.DEVNULL)


def drifted() -> list[str]:
    """Return what differs between the committed files and those that would be written now."""
    with tempfile.TemporaryDirectory() as folder:
        write_schema(Path(folder))
        return [
            line
            for name in ("schema.json", "schema.d.ts")
            for line in difflib.unified_diff(
                (API / name).read_text().splitlines(),
                (Path(folder) / name).read_text().splitlines(),
                f"committed {name}",
                f"current {name}",
                lineterm="",
            )
        ]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if "--check" not in sys.argv:
        write_schema(API)
    elif difference := drifted():
        sys.exit("\n".join([*difference[:40], "The API's schema has drifted: run make schema."]))
