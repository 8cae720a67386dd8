"""Markdown to HTML that is safe to show: what people write, and the documentation."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

ALLOWED_TAGS = {
    *("h2", "h3", "h4", "p", "br", "hr", "blockquote", "pre", "code"),
    *("ul", "ol", "li", "strong", "em", "a"),
    *("table", "thead", "tbody", "tr", "th", "td"),
}
PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")


def render_markdown(text: str) -> str:
    """Return HTML with text, lists, tables and links only: no images, scripts, styles or forms.

    Headings come out one level lower, since the page around them has its own first heading.
    """
    # Half a surrogate pair, from before requests were checked for it, cannot be sanitized.
    tokens = PARSER.parse(text.encode(errors="replace").decode())
    for token in tokens:
        if token.type.startswith("heading_"):
            token.tag = f"h{min(int(token.tag[1]) + 1, 4)}"
    return _write(tokens, attributes={"a": {"href"}}, link_rel="noopener noreferrer nofollow")


class Heading(NamedTuple):
    """A heading: what an address names it by, what it says, its level, and the words up to the next one."""

    id: str
    title: str
    level: int
    words: str


class Document(NamedTuple):
    """A page of the documentation: its title, the rest as HTML, the headings in it, the words before them."""

    title: str
    html: str
    headings: list[Heading]
    words: str


def render_document(text: str, *, find_address: Callable[[str], str | None]) -> Document:
    """Return a page of the documentation, whose headings have the ids that GitHub gives them.

    find_address: where a link or a picture of the file is on the pages; None where it is not served. Of such
    a link the words stay, of such a picture its description.
    """
    tokens = PARSER.parse(text)
    headings = _name_headings(tokens)
    for token in tokens:
        _mend_links(token, find_address)
    attributes = {"a": {"href"}, "img": {"src", "alt"}, **{f"h{level}": {"id"} for level in (2, 3, 4)}}
    # What follows the title.
    html = _write(tokens[3:], tags={*ALLOWED_TAGS, "img"}, attributes=attributes, link_rel=None)
    return Document(headings[0].title, html, headings[1:], headings[0].words)


def _name_headings(tokens: Sequence[Token]) -> list[Heading]:
    places = [place for place, token in enumerate(tokens) if token.type == "heading_open"]
    found = []
    for place, end in zip(places, [*places[1:], len(tokens)], strict=True):
        title = _words_of(tokens[place + 1])
        tokens[place].attrSet("id", slug_of(title))
        words = " ".join(filter(None, map(_words_of, tokens[place + 3 : end])))
        found.append(Heading(id=slug_of(title), title=title, level=int(tokens[place].tag[1]), words=words))
    return found


def _words_of(token: Token) -> str:
    """Return what a block says, without its marks; nothing of one that holds others."""
    if token.children is None:
        return " ".join(token.content.split())
    breaks = {"softbreak", "hardbreak"}
    return "".join(" " if part.type in breaks else part.content for part in token.children)


def slug_of(title: str) -> str:
    """Return the id of a heading as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def _mend_links(token: Token, find_address: Callable[[str], str | None]) -> None:
    kept: list[Token] = []
    is_served = True
    for part in token.children or ():
        if part.type == "link_open":
            address = find_address(str(part.attrGet("href")))
            is_served = address is not None
            part.attrSet("href", address or "")
        if part.type == "image":
            part = _mended_picture(part, find_address(str(part.attrGet("src"))))
        if is_served or part.type not in {"link_open", "link_close"}:
            kept.append(part)
    token.children = kept


def _mended_picture(picture: Token, address: str | None) -> Token:
    if address is None:
        return Token("text", "", 0, content=picture.content)
    picture.attrSet("src", address)
    return picture


def _write(
    tokens: Sequence[Token],
    *,
    attributes: dict[str, set[str]],
    link_rel: str | None,
    tags: set[str] = ALLOWED_TAGS,
) -> str:
    return nh3.clean(
        PARSER.renderer.render(tokens, PARSER.options, {}),
        tags=tags,
        attributes=attributes,
        url_schemes={"http", "https", "mailto"},
        link_rel=link_rel,
    )
