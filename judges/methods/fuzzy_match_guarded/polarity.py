"""Yes, no, and what is denied."""

from collections.abc import Sequence

from judges.methods.fuzzy_match_guarded.words import Word

_YES = frozenset({"yes", "true", "correct", "yeah", "yep"})
_NO = frozenset({"no", "false", "incorrect", "untrue", "nope"})
# "True or false" is no reply, "no, that is true" is one.
_REPLIES = frozenset({"yes", "yeah", "yep", "no", "nope"})
# "No one knows" and "I have no idea" say neither.
_NO_REPLY_BEFORE = frozenset({"1", "idea", "doubt", "matter"})
_DENIALS = frozenset({"not", "never", "no", "nor", "neither", "without", "cannot"})
# "Not only" denies nothing.
_TAKEN_BACK = frozenset({"only", "just", "merely"})
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
    if text not in _YES | _NO or (text == "no" and _follows(words, place, _NO_REPLY_BEFORE)):
        return None
    start = _clause_start(words, place, reach=len(words))
    is_denied = any(_denies(words, before) for before in range(start, place))
    return (text in _YES) is not is_denied


def denials(words: Sequence[Word], start: int, end: int) -> int:
    """Count the denials among the words from start to end, and those shortly before in the same clause."""
    reached = _clause_start(words, start, reach=_REACH)
    return sum(_denies(words, place) for place in range(reached, end))


def _clause_start(words: Sequence[Word], place: int, *, reach: int) -> int:
    """Return where the clause of a word begins, at most `reach` words before it."""
    start = place
    while start > max(0, place - reach) and not (words[start].opens or words[start].text == "but"):
        start -= 1
    return start


def _denies(words: Sequence[Word], place: int) -> bool:
    text = words[place].text
    if text in _DENIALS:
        return not _follows(words, place, _TAKEN_BACK)
    return text.endswith("nt") and text[:-2] in _AUXILIARIES


def _follows(words: Sequence[Word], place: int, texts: frozenset[str]) -> bool:
    return any(word.text in texts and not word.opens for word in words[place + 1 : place + 2])
