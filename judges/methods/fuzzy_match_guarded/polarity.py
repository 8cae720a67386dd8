"""Yes, no, and what is denied."""

from collections.abc import Sequence

from judges.methods.fuzzy_match_guarded.words import Word

_YES = frozenset({"yes", "true", "correct", "yeah", "yep"})
_NO = frozenset({"no", "false", "incorrect", "untrue", "nope"})
# "True or false" is no reply, "no, that is true" is one.
_REPLIES = frozenset({"yes", "yeah", "yep", "no", "nope"})
_DENIALS = frozenset({"not", "never", "no", "nor", "neither", "without", "cannot"})
_AUXILIARIES = frozenset(
    [
        "is",
        "are",
        "was",
        "were",
        "do",
        "does",
        "did",
        "has",
        "have",
        "had",
        "ca",
        "could",
        "wo",
        "would",
        "should",
        "must",
        "ai",
        "need",
    ]
)
# How many words a "not" reaches: "was not written by Paul".
_REACH = 3


def polarity(words: Sequence[Word]) -> bool | None:
    """Say whether a text says yes or no: by its first word, else by the only such word; None if neither."""
    if words and words[0].text in _REPLIES:
        return _said(words, 0)
    said = {_said(words, place) for place in range(len(words))} - {None}
    return said.pop() if len(said) == 1 else None


def is_boolean(words: Sequence[Word]) -> bool:
    """Say whether a text is yes or no and nothing else."""
    return len(words) == 1 and _said(words, 0) is not None


def _said(words: Sequence[Word], place: int) -> bool | None:
    text = words[place].text
    if text not in _YES | _NO:
        return None
    is_denied = place > 0 and words[place - 1].text == "not"
    return (text in _YES) is not is_denied


def denials(words: Sequence[Word], start: int, end: int) -> int:
    """Count the denials among the words from start to end, and those shortly before in the same clause."""
    reached = start
    while reached > max(0, start - _REACH) and not (words[reached].opens or words[reached].text == "but"):
        reached -= 1
    return sum(_denies(word) for word in words[reached:end])


def _denies(word: Word) -> bool:
    return word.text in _DENIALS or (word.text.endswith("nt") and word.text[:-2] in _AUXILIARIES)
