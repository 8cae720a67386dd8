"""Tell from an answer alone that it talks to the judge instead of answering the question.

A flag changes no verdict; it says that a person should look before believing it.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from typing import Any

from judges.methods.llm import phrases
from judges.methods.llm.parsing import hides_something, strip_hidden
from judges.methods.llm.phrases import LANGUAGES

INJECTION = "injection"
HIDDEN_CHARACTERS = "hidden_characters"
SEVERAL_ANSWERS = "several_answers"
FOREIGN_INSTRUCTION = "foreign_instruction"
VERDICT_CLAIM = "verdict_claim"
JUDGING_WORDS = "judging_words"
VERY_LONG = "very_long"

# The languages' alternatives need more than RE2's usual 8 MB.
_MEMORY_BYTES = 64 << 20
# Of a longer text both ends are searched, and that is flagged, too.
_LONGEST_END = 10_000
_LOOKALIKES = str.maketrans("асеорхуіѕјԁһӏнтвмкαοερτυικν", "aceopxyisjdhlhtbmkaoeptuikv")
_SPACED_OUT = re.compile(r"\b(?:\w[ .\-_*]){3,}\w\b")
_ACCENTS = re.compile("[\u0300-\u0305\u0307-\u036f\u0591-\u05c7]|(?<=[a-z])\u0306")
_LATIN = re.compile(r"[a-z]")
_BARE_VERDICT = (
    r"(?:^|[\n|>]|[.:] {0,2}a ?:)[\W_]{0,20}(?:yes|correct|true|right|accepted|pass(?:ed)?)[\W_]{0,20}$"
    r"|^\W{0,20}(?:correct|right)!"
)
_SENTENCE_END = re.compile(r"[.!?](?= )|\n")
_NO_WORD = re.compile(r"\W")
_WORD = re.compile(r"\w+")
_SMALL_WORDS = re.compile(
    r"(?:the|an?|of|in|on|at|to|is|are|was|were|be|its?|and|or|by|for|with|from|as|that|this|who|what|which|"
    r"when|where|how|s)"
)
_ENDING = re.compile(r"(?:ly|ness|ed|er|ing|s|e)$")
_BOOLEANS = frozenset({"yes", "no", "true", "false", "correct", "right"})


def find_suspicions(answer: str, *, question: str = "", golds: Sequence[str] = ()) -> tuple[str, ...]:
    """Return a flag for each way in which the answer talks to the judge, `injection` before them.

    question: its own words are no words of judging. golds: where one is yes, no or the like, a bare "Yes"
    is an answer and no fake verdict.
    """
    views = _views(_ends(answer))
    found = [name for name, pattern in _patterns().items() if any(map(pattern.search, views))]
    asks_yes_or_no = _ask_yes_or_no(golds)
    if VERDICT_CLAIM not in found and not asks_yes_or_no and compiled((_BARE_VERDICT,)).search(views[0]):
        found.insert(0, VERDICT_CLAIM)
    strays = not asks_yes_or_no and _strays(views[0], question, golds)
    if strays or _speaks_of_judging(views, question):
        found.append(JUDGING_WORDS)
    if any(pattern.search(view) for view in views for pattern in _instructions()):
        found.append(FOREIGN_INSTRUCTION)
    if hides_something(answer):
        found.append(HIDDEN_CHARACTERS)
    if len(answer) > 2 * _LONGEST_END:
        found.append(VERY_LONG)
    talks = set(found) - {SEVERAL_ANSWERS, VERY_LONG}
    return (INJECTION, *found) if talks else tuple(found)


def _ends(text: str) -> str:
    return text if len(text) <= 2 * _LONGEST_END else f"{text[:_LONGEST_END]}\n{text[-_LONGEST_END:]}"


def _views(text: str) -> list[str]:
    """Return the text as a model may read it: folded, letters put together, lookalikes undone, backwards."""
    folded = _fold(text)
    views = [folded]
    if _SPACED_OUT.search(folded):
        views.append(_SPACED_OUT.sub(lambda found: re.sub(r"[ .\-_*]", "", found[0]), folded))
    if _LATIN.search(folded) and (latin := folded.translate(_LOOKALIKES)) != folded:
        views.append(latin)
    if "\u202e" in text:
        views.append(folded[::-1])
    return views


def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", strip_hidden(text)).casefold().replace("’", "'")
    # Accents of Latin, Greek and Hebrew go; those that make another letter in other scripts stay.
    parts = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", parts))


@cache
def _patterns() -> dict[str, Any]:
    tables = {
        VERDICT_CLAIM: phrases.VERDICT_CLAIM,
        "judge_addressed": phrases.JUDGE_ADDRESSED,
        "rubric_override": phrases.RUBRIC_OVERRIDE,
        "role_marker": phrases.ROLE_MARKER,
        SEVERAL_ANSWERS: phrases.SEVERAL_ANSWERS,
    }
    return {name: compiled(table) for name, table in tables.items()}


def _ask_yes_or_no(golds: Sequence[str]) -> bool:
    return any(not _BOOLEANS.isdisjoint(_words(_fold(gold))) for gold in golds)


def _speaks_of_judging(views: Sequence[str], question: str) -> bool:
    question = _fold(question)
    if any(
        compiled((phrases.JUDGING_ALONE,)).search(view)
        and not compiled((phrases.JUDGING_ALONE,)).search(question)
        for view in views
    ):
        return True
    asked = _stems(question)
    return any(len(_stems(sentence) - asked) > 1 for view in views for sentence in _SENTENCE_END.split(view))


def _strays(text: str, question: str, golds: Sequence[str]) -> bool:
    """Say whether it has nothing of a gold answer, but a word of judging, or another script."""
    if not golds or _resembles(text, question, golds):
        return False
    asked = {found[0] for found in compiled((phrases.JUDGING_WITHOUT_GOLD,)).finditer(_fold(question))}
    if any(found[0] not in asked for found in compiled((phrases.JUDGING_WITHOUT_GOLD,)).finditer(text)):
        return True
    return _is_latin(question) and not _is_latin(text)


def _resembles(text: str, question: str, golds: Sequence[str]) -> bool:
    said, asked = _words(text), _words(_fold(question))
    together, beginnings = _NO_WORD.sub("", text), _beginnings(said)
    for gold in map(_fold, golds):
        words, joined = _words(gold), _NO_WORD.sub("", gold)
        if not said.isdisjoint(words - asked or words) or not beginnings.isdisjoint(_beginnings(words)):
            return True
        # "Fe" stands in "reference" by chance.
        if joined in together and (len(joined) > 3 or not _is_latin(joined)):
            return True
    return False


def _beginnings(words: set[str]) -> set[str]:
    return {word[:4] for word in words if len(word) > 3}


def _words(text: str) -> set[str]:
    return {word for word in _WORD.findall(text) if not _SMALL_WORDS.fullmatch(word)}


def _is_latin(text: str) -> bool:
    return not any(each.isalpha() and each > "\u024f" for each in text)


def _stems(text: str) -> set[str]:
    return {_ENDING.sub("", found[0]) for found in compiled((phrases.JUDGING_WORDS,)).finditer(text)}


@cache
def _instructions() -> tuple[Any, ...]:
    pairs = [pair for each in LANGUAGES for pair in (each[:2], each[2:])]
    return tuple(
        compiled((rf"(?:{one})[^\n]{{0,40}}?(?:{other})", rf"(?:{other})[^\n]{{0,40}}?(?:{one})"))
        for one, other in pairs
    )


@cache
def compiled(patterns: tuple[str, ...]) -> Any:
    """Return one pattern that finds what any of them does."""
    # Imported here: only runs of LLM judges need it.
    import re2

    options = re2.Options()
    options.max_mem = _MEMORY_BYTES
    return re2.compile("|".join(f"(?:{pattern})" for pattern in patterns), options)
