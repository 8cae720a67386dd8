"""Files that compare answers in pairs: they say which of two is better, and not whether one is correct."""

import re
from collections.abc import Iterable
from typing import NamedTuple

from annotation.items.formats.columns.names import LONGEST_WIDE, key_of

_OF_ANSWER = (
    r"(?:answer|response|output|completion|reply|generation|model|generator|system|conversation|antwort)"
)
# “response_a” and “response_b,” “output_1” and “output_2,” “model_a_response” and “model_b_response.”
_SIDE = re.compile(
    rf"(?:(?P<before>(?:\w+_)?{_OF_ANSWER})_(?P<side>a|b|1|2|left|right)|"
    rf"(?:model_|system_)?(?P<first>a|b|1|2|left|right)_(?P<after>{_OF_ANSWER}))"
)
_SIDES = ({"a", "b"}, {"1", "2"}, {"left", "right"})
_PREFERRED = re.compile(
    r"(?:\w+_)?(?:winner|winning|preference|preferences|preferred|better|bevorzugt|besser)(?:_\w+)?"
)
# Of the better and the worse answer, one column each.
_CHOSEN = ("chosen", "rejected")


class Comparison(NamedTuple):
    """Which columns hold the two answers, and which say which of them is better."""

    answers: tuple[str, str]
    preferred: tuple[str, ...]

    def words(self) -> str:
        """Say why the file cannot be read, and what to save instead."""
        first, second = (name[:60] for name in self.answers)
        said = " and ".join(f"“{name[:60]}”" for name in self.preferred[:2])
        one = "is" if len(self.preferred) == 1 else "are"
        return (
            f"The file compares answers in pairs (“{first}” with “{second}”), and {said} {one} about "
            "which is better. A better answer may still be incorrect, so preferences cannot be imported as "
            "votes. To have the answers judged, save a table with a row for each answer and the columns "
            "question, system, and response. To import the file without its preferences, set "
            f"{said} to “ignore.”"
        )


def comparison_in(names: Iterable[str]) -> Comparison | None:
    """Return how a file with these columns compares answers in pairs, or None where it does not."""
    by_key = {key_of(name): name for name in names if len(name) <= LONGEST_WIDE}
    if all(name in by_key for name in _CHOSEN):
        chosen, rejected = (by_key[name] for name in _CHOSEN)
        return Comparison((chosen, rejected), (chosen, rejected))
    preferred = tuple(name for key, name in by_key.items() if _PREFERRED.fullmatch(key))
    if not preferred:
        return None
    sides: dict[tuple[str, str], dict[str, str]] = {}
    for key, name in by_key.items():
        if name not in preferred and (match := _SIDE.fullmatch(key)):
            kind = match["before"] or "", match["after"] or ""
            sides.setdefault(kind, {})[match["side"] or match["first"]] = name
    for found in sides.values():
        if found.keys() in _SIDES:
            first, second = (found[side] for side in sorted(found))
            return Comparison((first, second), preferred)
    return None
