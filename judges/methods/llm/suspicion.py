"""Tell from an answer alone that it holds nothing, or that it talks to the judge."""

import re
import unicodedata
from collections.abc import Sequence

from judges.methods.llm.hidden import hides_something, strip_hidden

EMPTY = "empty"
CONTENT_FREE = "content_free"
HIDDEN_CHARACTERS = "hidden_characters"

_OPENERS = re.compile(
    r"(?:(?:the |my |final |here is |heres )*(?:answer|solution|response|result|explanation|reasoning|"
    r"analysis|thought process|thinking|thoughts)(?: is)?|step by step|step \d+|"
    r"lets (?:solve|think|work)(?: (?:this|the|it|through|about))*"
    r"(?: (?:problem|question))?(?: step by step)?| )+"
)


def find_emptiness(answer: str, *, golds: Sequence[str]) -> str:
    """Return the flag of an answer that says nothing, else nothing; one that equals a gold says something."""
    text = strip_hidden(answer).strip()
    if not text:
        return EMPTY
    if text.casefold() in {gold.strip().casefold() for gold in golds}:
        return ""
    words = " ".join(_bare(text).split())
    return CONTENT_FREE if not words or (len(words) < 80 and _OPENERS.fullmatch(words)) else ""


def _bare(text: str) -> str:
    # Punctuation and marks are nothing by themselves; symbols such as ∞ may be an answer.
    text = unicodedata.normalize("NFKC", text).casefold().replace("'", "").replace("’", "")
    return "".join(" " if unicodedata.category(each)[0] in "PZC" else each for each in text)


def find_suspicions(answer: str) -> tuple[str, ...]:
    """Return a flag for each way in which the answer talks to the judge instead of answering."""
    return (HIDDEN_CHARACTERS,) if hides_something(answer) else ()
