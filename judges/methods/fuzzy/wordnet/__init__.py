"""WordNet 3.1's sets of synonyms, compiled by `tools/wordnet.py`; Princeton's licence stands beside them."""

import gzip
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

VERSION = "3.1"
TABLE = Path(__file__).parent / "synonyms-3.1.txt.gz"
LICENSE = Path(__file__).parent / "LICENSE.txt"


class Synonyms(NamedTuple):
    """The table: lines of words parted by tabs, and in which lines a word stands."""

    lines: list[str]
    places: Mapping[str, list[int]]

    def of(self, word: str) -> set[str]:
        """Return every word of every set that `word` is in, itself included; empty where there is none.

        Words are as the fuzzy judges compare them: lower-case ASCII without punctuation and articles.
        """
        return {other for place in self.places.get(word, ()) for other in self.lines[place].split("\t")}

    def knows(self, word: str) -> bool:
        """Say whether WordNet has the word."""
        return word in self.places


@cache
def load_synonyms() -> Synonyms:
    """Read the table, once a process."""
    lines = gzip.decompress(TABLE.read_bytes()).decode().split("\n")
    places: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        for word in line.split("\t"):
            places[word].append(place)
    return Synonyms(lines, dict(places))
