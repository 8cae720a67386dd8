"""A search through the documentation: every word that was typed, in a heading or in the text below it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from common.help.documents import DOCUMENTS, read_document

MOST_FOUND = 25
# More words narrow nothing down, and each is looked for in every part.
MOST_WORDS = 10
BEFORE, AFTER = 60, 140


@dataclass(frozen=True)
class HelpHit:
    """A section of the documentation that contains all search words: its page, its heading’s ID and text, and
    an excerpt.

    `section`: empty for the beginning of a page; `title` is then the page’s title.
    """

    page: str
    page_title: str
    section: str
    title: str
    excerpt: str


@dataclass(frozen=True)
class HelpHits:
    """The search results, best match first.

    `total`: the number of all results, including those that are left out.
    """

    total: int
    hits: list[HelpHit]


class _Part(NamedTuple):
    """A part of a page, and its texts as they are compared."""

    page: str
    page_title: str
    section: str
    title: str
    words: str
    heading: str
    text: str


def search_help(*, search: str) -> HelpHits:
    """Return the parts of the documentation that have each word or its beginning; none if none was typed."""
    words = re.findall(r"\w+", search.casefold())[:MOST_WORDS]
    patterns = [re.compile(rf"(?<!\w){re.escape(word)}") for word in words]
    if not patterns:
        return HelpHits(total=0, hits=[])
    found = [part for part in _parts() if all(pattern.search(part.text) for pattern in patterns)]
    # Sorting keeps the order of the contents among equals.
    found.sort(key=lambda part: -_fit(part, patterns, " ".join(words)))
    return HelpHits(total=len(found), hits=[_hit(part, patterns) for part in found[:MOST_FOUND]])


def _fit(part: _Part, patterns: Sequence[re.Pattern[str]], phrase: str) -> float:
    """Return how well a part fits: a heading counts more than a phrase, a phrase more than many mentions."""
    in_heading = sum(bool(pattern.search(part.heading)) for pattern in patterns) / len(patterns)
    mentions = sum(len(pattern.findall(part.text)) for pattern in patterns)
    return 4 * in_heading + 2 * (phrase in part.text) + mentions / (mentions + 5)


def _hit(part: _Part, patterns: Sequence[re.Pattern[str]]) -> HelpHit:
    places = [found.start() for pattern in patterns if (found := pattern.search(part.words.casefold()))]
    excerpt = _excerpt(part.words, min(places, default=0))
    return HelpHit(part.page, part.page_title, part.section, part.title, excerpt)


def _excerpt(words: str, place: int) -> str:
    """Return some of a text around a place, cut between words."""
    start, end = max(place - BEFORE, 0), place + AFTER
    cut = words[start:end]
    if start:
        cut = "… " + cut.partition(" ")[2]
    return cut if end >= len(words) else cut.rpartition(" ")[0] + " …"


@cache
def _parts() -> list[_Part]:
    return [part for name in DOCUMENTS for part in _parts_of(name)]


def _parts_of(name: str) -> Iterator[_Part]:
    title, _, headings, words = read_document(name)
    begin = ("", title, words)
    for section, heading, text in [begin, *((each.id, each.title, each.words) for each in headings)]:
        everything = f"{title} {heading} {text}".casefold()
        yield _Part(name, title, section, heading, text, heading.casefold(), everything)
