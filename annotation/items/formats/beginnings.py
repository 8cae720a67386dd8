"""Which known question a text begins with, found in one walk over the text however long it is."""

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import takewhile

from analysis.text import question_key, question_letters

# Questions that differ in their blanks alone are told apart by trying; more than so many are not.
MOST_TRIES = 8
# What `question_letters` turns into one letter.
_PIECE = re.compile("--|.", re.DOTALL)


class Beginnings:
    """Known questions, sorted by their letters so that the longest one is looked up.

    Making the key of every beginning of a text would take time with the square of its length.
    """

    def __init__(self, questions: Iterable[str]) -> None:
        self._keys = {question_key(text) for text in questions} - {""}
        self._known = sorted({question_letters(key) for key in self._keys})
        # For each the longest other one that it begins with: those that begin one text form a chain.
        self._shorter: list[int] = []
        chain: list[int] = []
        for number, letters in enumerate(self._known):
            while chain and not letters.startswith(self._known[chain[-1]]):
                chain.pop()
            self._shorter.append(chain[-1] if chain else -1)
            chain.append(number)

    def end_in(self, text: str) -> int:
        """Return where the longest known question that `text` begins with ends; 0 where there is none.

        A question mark and blanks behind it belong to it.
        """
        letters = question_letters(text)
        number = bisect_right(self._known, letters) - 1
        shared = _shared(letters, self._known[number]) if number >= 0 else 0
        ends = _ends_by_count(text)
        for _ in range(MOST_TRIES):
            while number >= 0 and len(self._known[number]) > shared:
                number = self._shorter[number]
            if number < 0:
                return 0
            count = len(self._known[number])
            # A mark at the end is in no key.
            end = ends.get(count + 1 if letters[count : count + 1] == "?" else count, 0)
            if question_key(text[:end]) in self._keys:
                return end
            number = self._shorter[number]
        return 0


def _shared(left: str, right: str) -> int:
    """Return how many letters two texts have in common from their beginning."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(left, right, strict=False))
    return sum(1 for _ in alike)


def _ends_by_count(text: str) -> dict[int, int]:
    """Return where a text has so many letters, blanks behind the last of them included."""
    ends, count = {}, 0
    for piece in _PIECE.finditer(text):
        count += len(question_letters(piece[0]))
        ends[count] = piece.end()
    return ends
