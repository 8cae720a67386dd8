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
# In the order of the contents; the first page is where help begins.
PARTS = {
    "Start here": ("start", "quick-start", "tutorial"),
    "Guides by role": ("annotators", "adjudicators", "guide", "administrators", "developers", "account"),
    "How to": ("rag-answers", "llm-judge", "certificate", "efficientqa", "moving"),
    "Background": ("blindness", "kappa", "missing-votes", "why-prejudge", "comparison"),
    "Reference": (
        *("glossary", "protocols", "organizing", "answers", "judges", "statistics", "failure-modes"),
        *("reports", "formats", "api", "commands", "operations", "scaling"),
    ),
}
PART_OF = {name: part for part, names in PARTS.items() for name in names}
DOCUMENTS = tuple(PART_OF)


@dataclass(frozen=True)
class HelpSection:
    """A section of a documentation page, and its ID for use after `#` in an address."""

    id: str
    title: str


@dataclass(frozen=True)
class HelpEntry:
    """A page of the documentation with its sections."""

    name: str
    title: str
    part: str
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
    return [_entry_of(name) for name in DOCUMENTS]


def _entry_of(name: str) -> HelpEntry:
    document = read_document(name)
    sections = [HelpSection(id=each.id, title=each.title) for each in document.headings if each.level == 2]
    return HelpEntry(name=name, title=document.title, part=PART_OF[name], sections=sections)


def find_document(*, name: str) -> HelpPage:
    """Return a page of the documentation."""
    if name not in DOCUMENTS:
        raise DocumentNotFound("There is no such page in the help.")
    document = read_document(name)
    return HelpPage(name=name, title=document.title, html=document.html)


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
        yield from (f"{name}#{heading.id}" for heading in read_document(name).headings)


def find_place(link: str, *, of: str) -> str | None:
    """Return the place that a link in a file leads to; None where that is not served."""
    file, _, part = link.partition("#")
    name = PurePosixPath(file).stem if file else of
    is_served = name in DOCUMENTS and file in {"", f"{name}.md"}
    return (f"{name}#{part}" if part else name) if is_served else None


@cache
def read_document(name: str) -> Document:
    """Return a page of the documentation, read once."""

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
    return "\n".join(["\n## Statistics in tables\n", *rows, ""])


def _link(place: str) -> str:
    """Return a link to a place, called as its heading is."""
    name, _, part = place.partition("#")
    heading = next(each for each in read_document(name).headings if each.id == part)
    return f"[{heading.title}]({name}.md#{part})"
