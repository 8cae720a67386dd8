"""Read a verdict out of what a model said: strictly, and never "wrong" for what cannot be read.

The parsers are named and part of a run's signature.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from judges.protocol import Verdict

ABSTAINED = "abstained"
CONTRADICTORY = "contradictory"
EMPTY_REPLY = "empty_reply"
FILTERED = "filtered"
TRUNCATED = "truncated"
UNPARSABLE = "unparsable"

LABELS: dict[str, bool | None] = {
    "correct": True,
    "incorrect": False,
    "not_attempted": False,
    "cannot_judge": None,
}
LABEL_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"verdict": {"type": "string", "enum": list(LABELS)}},
    "required": ["verdict"],
    "additionalProperties": False,
}

_FIRST_WORD = re.compile(r"[\W_]*(yes|no)\b", re.IGNORECASE)
_BOTH_WORDS = re.compile(r"[\W_]*(?:yes\W+(?:(?:and|or)\W+)?no|no\W+(?:(?:and|or)\W+)?yes)\b", re.IGNORECASE)
_RATED = r"(?P<word>(?:in)?correct|right|wrong|(?:in)?accurate|(?:un)?acceptable|accepted|rejected|yes|no)\b"
_STRESSED = (
    r"(?:(?:in\s+fact|actually|indeed|also|still|therefore|thus|definitely|clearly|completely|entirely|fully|quite|"
    r"really|wholly|totally|strictly|exactly|(?:considered|marked|judged|deemed|counted|graded)(?:\s+as)?)\s+){0,2}"
)
# What is said of the candidate itself, not of the gold answer, of some other answer or of a fact.
_SAID_OF_CANDIDATE = re.compile(
    r"\b(?:(?:(?:the|this|that)\s+)?(?:candidate|(?:candidate|ai|model)(?:['’]s|-generated|\s+generated)?\s+"
    r"(?:answer|response)|(?:given|generated|proposed)\s+answer)|(?:the|this|that)\s+(?:answer|response|reply))\s+"
    r"(?:is|was|seems|appears(?:\s+to\s+be)?|(?:should|must|can|could|would)(?P<forbidden>n['’]t|\s+not)?\s+be)"
    rf"(?P<negation>n['’]t|\s+not)?\s+{_STRESSED}{_RATED}",
    re.IGNORECASE,
)
# "It" may be anything, so the sentence has to end there.
_SAID_OF_IT = re.compile(
    rf"\b(?:it|that|this)(?:['’]s|\s+is)(?P<negation>n['’]t|\s+not)?\s+{_STRESSED}{_RATED}(?=\s{{0,9}}(?:[.,;!]|$))",
    re.IGNORECASE,
)
_VERDICT_NAMED = re.compile(
    r"\b(?:verdict|judge?ment|final\s+(?:answer|decision|conclusion|rating)|conclusion)(?:\s+is|\W{0,3}[:=])\W{1,5}"
    rf"(?P<negation>not\s+)?{_STRESSED}{_RATED}",
    re.IGNORECASE,
)
# A sentence that begins with a verdict as the whole reply does, perhaps taking one back.
_SAID_ANEW = re.compile(
    r"(?:^|[.!?;\n…—–])\W{0,5}(?:(?:so|therefore|thus|hence|overall|actually|wait|correction|rather|sorry|but|hmm|oh|"
    r"or\s+rather|in\s+fact|in\s+conclusion|in\s+short|on\s+(?:second|further)\s+(?:thought|reflection)s?)\W{1,5}){0,3}"
    rf"(?P<negation>not\s+)?{_STRESSED}{_RATED}(?=\s{{0,9}}(?:[.,;!…—–\n*]|$))",
    re.IGNORECASE,
)
_TAKES_BACK = (_SAID_OF_CANDIDATE, _SAID_OF_IT, _VERDICT_NAMED, _SAID_ANEW)
_POSITIVE = frozenset({"correct", "right", "accurate", "acceptable", "accepted", "yes"})
_ABSTENTION = re.compile(
    r"\b(?:(?:cannot|can['’]?t|can\s+not|could\s+not|couldn['’]t|unable\s+to|impossible\s+to|not\s+possible\s+to)"
    r"\s+(?:be\s+)?(?:determined?|judged?|verif(?:y|ied)|assess(?:ed)?|decided?|sa(?:y|id)|tell|confirm(?:ed)?)"
    r"|(?:not\s+enough|insufficient)\s+(?:information|context)"
    r"|(?:i|we)\s+(?:do\s+not|don['’]t)\s+know|not\s+sure)\b",
    re.IGNORECASE,
)
_THOUGHTS_BEGIN = re.compile(r"\s*<(think|thinking|thought|reasoning)>")
# Our own prompts ask for a verdict after the bar; many models name it first.
_VERDICT_LABEL = re.compile(
    r"[\W_]*(?:final\s+)?(?:verdict|judge?ment|decision|answer)\s{0,3}[:=]", re.IGNORECASE
)
_BLOCK_BEGINS = re.compile(r"```(?:json)?\s*\n")
_BLOCK_ENDS = "```"


def read_reply(*, reply: str, finish_reason: str, parser: str) -> Verdict:
    """Return the verdict a reply holds; one that was cut off or held back holds none.

    finish_reason: as the server gave it; "length" means cut off. parser: a key of `READERS`.
    """
    if finish_reason == "length":
        return unscored(TRUNCATED, reply)
    if finish_reason == "content_filter":
        return unscored(FILTERED, reply)
    said = without_thoughts(reply)
    if not said.strip():
        return unscored(EMPTY_REPLY, reply)
    return READERS[parser](said)._replace(raw_reply=reply)


def without_thoughts(reply: str) -> str:
    """Return what a reasoning model said after the thoughts with which its reply begins, if it does.

    Only blocks at the very beginning, and only closed ones: what stands later may be quoted from an answer.
    """
    said = reply
    while (begun := _THOUGHTS_BEGIN.match(said)) is not None:
        _, closed, rest = said[begun.end() :].partition(f"</{begun[1]}>")
        if not closed:
            return reply
        said = rest
    return said


def unscored(reason: str, reply: str) -> Verdict:
    """Return that nothing could be judged, with what was said."""
    return Verdict(accepted=None, unscored_reason=reason, raw_reply=reply)


def read_first_word(reply: str) -> Verdict:
    """Accept or reject by the first word, yes or no; case and leading punctuation are ignored.

    A reply that begins otherwise is unscored. Source: Kamalloo et al. 2023, the published behavior.
    """
    found = _FIRST_WORD.match(reply)
    if found is None:
        return unscored(UNPARSABLE, reply)
    return Verdict(accepted=found[1].lower() == "yes", raw_reply=reply)


def read_strictly(reply: str) -> Verdict:
    """Read the first word, but not where the reply takes it back or the model will not say."""
    verdict = read_first_word(reply)
    if verdict.accepted is None:
        return unscored(ABSTAINED if _ABSTENTION.search(reply) else UNPARSABLE, reply)
    if _BOTH_WORDS.match(reply) or (not verdict.accepted) in _said_after_all(reply):
        return unscored(CONTRADICTORY, reply)
    return verdict


def _said_after_all(reply: str) -> set[bool]:
    """Return the verdicts in what follows the first word."""
    first = _FIRST_WORD.match(reply)
    rest = reply[first.end() :] if first else reply
    return {_is_positive(found) for pattern in _TAKES_BACK for found in pattern.finditer(rest)}


def _is_positive(found: re.Match[str]) -> bool:
    denials = sum(bool(said) for name, said in found.groupdict().items() if name != "word")
    return (found["word"].lower() in _POSITIVE) != bool(denials % 2)


def read_after_last_bar(reply: str) -> Verdict:
    """Read what follows the last "|", where a chain of thought ends; without one there is no verdict.

    What follows may call itself the verdict, as in "Thoughts … | Verdict: Yes".
    """
    _, bar, said = reply.rpartition("|")
    said = _VERDICT_LABEL.sub("", said, count=1) if _VERDICT_LABEL.match(said) else said
    return read_strictly(said)._replace(raw_reply=reply) if bar else unscored(UNPARSABLE, reply)


def read_label(reply: str) -> Verdict:
    """Read `{"verdict": label}`, the label from the closed set; anything else is no verdict."""
    try:
        # Pairs, so that a second verdict cannot win over the first; a tuple, which no list becomes.
        pairs = json.loads(strip_code_block(reply), object_pairs_hook=tuple)
        ((name, label),) = pairs
        accepted = {"verdict": LABELS}[name][label]
    except (ValueError, TypeError, LookupError, RecursionError):
        return unscored(UNPARSABLE, reply)
    if not isinstance(pairs, tuple):
        return unscored(UNPARSABLE, reply)
    return unscored(ABSTAINED, reply) if accepted is None else Verdict(accepted=accepted, raw_reply=reply)


def strip_code_block(reply: str) -> str:
    """Return what stands in the one code block that a reply is, or the reply itself."""
    # Not by one pattern: whatever stands between two of its spaces would be tried at every space.
    bare = reply.strip()
    begins = _BLOCK_BEGINS.match(bare)
    inside = bare[begins.end() :] if begins else ""
    return inside.removesuffix(_BLOCK_ENDS).removesuffix("\n") if inside.endswith(_BLOCK_ENDS) else reply


READERS: dict[str, Callable[[str], Verdict]] = {
    "first-word": read_first_word,
    "strict": read_strictly,
    "last-after-bar": read_after_last_bar,
    "label": read_label,
}
