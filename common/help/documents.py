"""Which files of `docs/` the product serves, and what each is as a page."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

from django.conf import settings

from common.errors import NotFound
from common.figures import FIGURES
from common.web.markdown import Document, render_document

FOLDER = Path(settings.BASE_DIR) / "docs"
PICTURES = FOLDER / "images"
# The first is where help begins.
FOR_STUDIES = (
    *("guide", "tutorial", "glossary", "protocols", "organizing", "answers", "judges"),
    *("statistics", "failure-modes", "reports", "formats", "api"),
)
FOR_OPERATORS = ("operations", "scaling")
DOCUMENTS = (*FOR_STUDIES, *FOR_OPERATORS)


@dataclass(frozen=True)
class HelpSection:
    """A part of a page of the documentation, and what an address calls it after `#`."""

    id: str
    title: str


@dataclass(frozen=True)
class HelpEntry:
    """A page of the documentation with its parts."""

    name: str
    title: str
    is_for_operators: bool
    sections: list[HelpSection]


@dataclass(frozen=True)
class HelpPage:
    """A page of the documentation: everything below its title, as HTML."""

    name: str
    title: str
    html: str


class DocumentNotFound(NotFound):
    """There is no such page of the documentation, or it is not served."""


class PictureNotFound(NotFound):
    """The documentation has no such picture."""


def list_documents() -> list[HelpEntry]:
    """Return the contents of the documentation."""
    entries = []
    for name in DOCUMENTS:
        title, _, headings = _read(name)
        sections = [HelpSection(id=each.id, title=each.title) for each in headings if each.level == 2]
        entries.append(
            HelpEntry(name=name, title=title, is_for_operators=name in FOR_OPERATORS, sections=sections)
        )
    return entries


def find_document(*, name: str) -> HelpPage:
    """Return a page of the documentation."""
    if name not in DOCUMENTS:
        raise DocumentNotFound("There is no such page in the help.")
    title, html, _ = _read(name)
    return HelpPage(name=name, title=title, html=html)


def find_picture(*, name: str) -> Path:
    """Return the file of a picture in the documentation; raises `PictureNotFound`."""
    found = next((path for path in PICTURES.glob("*.png") if path.name == name), None)
    if found is None:
        raise PictureNotFound("There is no such picture in the help.")
    return found


def list_places() -> Iterator[str]:
    """Yield every place that can be linked to: a page, or a heading on one, as `judges#llm`."""
    for name in DOCUMENTS:
        yield name
        yield from (f"{name}#{heading.id}" for heading in _read(name).headings)


def find_place(link: str, *, of: str) -> str | None:
    """Return the place that a link in a file leads to; None where that is not served."""
    file, _, part = link.partition("#")
    name = PurePosixPath(file).stem if file else of
    is_served = name in DOCUMENTS and file in {"", f"{name}.md"}
    return (f"{name}#{part}" if part else name) if is_served else None


@cache
def _read(name: str) -> Document:
    def find_address(link: str) -> str | None:
        if link.startswith("https://"):
            return link
        if PurePosixPath(link).parent.name == PICTURES.name:
            return f"/api/help/pictures/{PurePosixPath(link).name}"
        place = find_place(link, of=name)
        return None if place is None else f"/help/{place}"

    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    if name == "glossary":
        text += figures_text()
    return render_document(text, find_address=find_address)


def figures_text() -> str:
    """Return what figures mean as a part of the glossary, which so says it once."""
    explained = {figure.plain: figure for figure in FIGURES.values() if figure.about}
    rows = [f"- **{name}**: {figure.about} {_link(figure.see)}" for name, figure in explained.items()]
    return "\n".join(["\n## Figures in tables\n", *rows, ""])


def _link(place: str) -> str:
    """Return a link to a place, called as its heading is."""
    name, _, part = place.partition("#")
    heading = next(each for each in _read(name).headings if each.id == part)
    return f"[{heading.title}]({name}.md#{part})"
