"""Yes, no, and what is denied."""

from collections.abc import Iterator, Sequence

from judges.methods.fuzzy_match_guarded.words import Word

_YES = frozenset({"yes", "true", "correct", "yeah", "yep"})
_NO = frozenset({"no", "false", "incorrect", "untrue", "nope"})
_YES_OR_NO = _YES | _NO
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
    said = list(_said(words))
    if words and words[0].text in _REPLIES:
        return said[0]
    different = set(said) - {None}
    return different.pop() if len(different) == 1 else None


def is_boolean(words: Sequence[Word]) -> bool:
    """Say whether a text is yes or no and nothing else."""
    return len(words) == 1 and next(_said(words)) is not None


def _said(words: Sequence[Word]) -> Iterator[bool | None]:
    """Yield of each word whether it says yes or no, turned round where its clause denies it before."""
    is_denied = False
    for place, word in enumerate(words):
        if _begins_clause(word):
            is_denied = False
        is_said = word.text in _YES_OR_NO and not (
            word.text == "no" and _follows(words, place, _NO_REPLY_BEFORE)
        )
        yield (word.text in _YES) is not is_denied if is_said else None
        is_denied = is_denied or _denies(words, place)


def denials(words: Sequence[Word], start: int, end: int) -> int:
    """Count the denials among the words from start to end, and those shortly before in the same clause."""
    reached = start
    while reached > max(0, start - _REACH) and not _begins_clause(words[reached]):
        reached -= 1
    return sum(_denies(words, place) for place in range(reached, end))


def _begins_clause(word: Word) -> bool:
    return word.opens or word.text == "but"


def _denies(words: Sequence[Word], place: int) -> bool:
    text = words[place].text
    if text in _DENIALS:
        return not _follows(words, place, _TAKEN_BACK)
    return text.endswith("nt") and text[:-2] in _AUXILIARIES


def _follows(words: Sequence[Word], place: int, texts: frozenset[str]) -> bool:
    return any(word.text in texts and not word.opens for word in words[place + 1 : place + 2])
