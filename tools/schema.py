"""Write the API's schema, its types, words of figures and terms, and the page of commands; or check drift."""

import difflib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
API = ROOT / "frontend" / "src" / "api"
FILES = ("schema.json", "schema.d.ts", "figures.ts", "terms.ts", "annotators-terms.ts", "help-places.d.ts")
COMMANDS = ROOT / "docs" / "commands.md"

sys.path.insert(0, str(ROOT))


def write_schema(folder: Path) -> None:
    """Write all `FILES` into `folder`."""
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
    # Pages import the shapes by the server's names.
    command += ["--root-types", "--root-types-no-schema-prefix"]
    subprocess.run(command, cwd=ROOT / "frontend", check=True, stdout=subprocess.DEVNULL)
    (folder / "figures.ts").write_text(figures_module())
    (folder / "terms.ts").write_text(terms_module("TERMS", is_for_annotators=False))
    (folder / "annotators-terms.ts").write_text(terms_module("ANNOTATORS_TERMS", is_for_annotators=True))
    (folder / "help-places.d.ts").write_text(places_module())


def figures_module() -> str:
    """Return the words of `common.figures` as a module whose texts the pages can translate."""
    from common.figures import FIGURES, JUDGE_MEASURES, WHY
    from common.help.glossary import read_terms

    terms = {term.key: {"about": term.about, "see": term.see} for term in read_terms()}
    names = {key: figure._asdict() for key, figure in FIGURES.items()}
    for words in names.values():
        words |= terms.get(words.pop("term"), {})
    lines = ["/** What figures are called, and why there may be none: made from `common/figures.py`. */"]
    for name, entries in (("WHY", WHY), ("FIGURES", names)):
        said = [f"  {key}: {json.dumps(words, ensure_ascii=False)}," for key, words in entries.items()]
        lines += [f"export const {name} = {{", *said, "} as const;"]
    measures = [{"key": key, "name": name} for key, name in JUDGE_MEASURES.items()]
    lines += [f"export const JUDGE_MEASURES = {json.dumps(measures, ensure_ascii=False)} as const;", ""]
    return "\n".join(lines)


def terms_module(name: str, *, is_for_annotators: bool) -> str:
    """Return the terms that annotators meet, or the others: annotators' pages do not load these."""
    from common.help.glossary import read_terms

    terms = [term for term in read_terms() if term.is_for_annotators is is_for_annotators]
    whose = "annotators meet" if is_for_annotators else "leads and adjudicators meet"
    lines = [
        f"/** What the words mean that {whose}: made from `docs/glossary.md`. */",
        f"export const {name} = {{",
    ]
    for term in terms:
        said = json.dumps({"about": term.about, "see": term.see}, ensure_ascii=False)
        lines.append(f"  {json.dumps(term.key)}: {said},")
    return "\n".join([*lines, "} as const;", ""])


def places_module() -> str:
    """Return the places of the documentation as a type, so that no page leads to one that is not there."""
    from common.help.documents import list_places

    lines = [
        "/** Pages of the help and the headings on them: made from `docs/`. */",
        "export type HelpPlace =",
    ]
    return "\n".join([*lines, *(f"  | {json.dumps(place)}" for place in list_places()), ";", ""])


def drifted() -> list[str]:
    """Return what differs between the committed files and those that would be written now."""
    with tempfile.TemporaryDirectory() as folder:
        write_schema(Path(folder))
        texts = {name: ((API / name).read_text(), (Path(folder) / name).read_text()) for name in FILES}
    texts["commands.md"] = (COMMANDS.read_text(), commands_page())
    return [
        line
        for name, (committed, current) in texts.items()
        for line in difflib.unified_diff(
            committed.splitlines(),
            current.splitlines(),
            f"committed {name}",
            f"current {name}",
            lineterm="",
        )
    ]


def commands_page() -> str:
    """Return the page of all commands; their parsers are those of a Django that is set up."""
    import django

    from tools import commands

    django.setup()
    return commands.commands_page()


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if "--check" not in sys.argv:
        # First, since its headings are places, too.
        COMMANDS.write_text(commands_page(), encoding="utf-8")
        write_schema(API)
    elif difference := drifted():
        sys.exit("\n".join([*difference[:40], "The API's schema has drifted: run make schema."]))
