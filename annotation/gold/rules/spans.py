"""The short answer within a long one, as gold answers are written."""

import re
from collections.abc import Iterator

from annotation.gold.rules.patterns import tokens_of
from annotation.gold.rules.vocabulary import CLAUSES, COPULAS, FILLERS, MONTHS, plain

# NQ-open has no gold answer of more than five words (Lee et al. 2019).
MOST_SPAN_WORDS = 5
# A part of a sentence repeats the question where so many of its words stand there.
_ECHO_SHARE = 0.6
_PARENTHESES = re.compile(r"^([^()]*\w[^()]*?)\s*\(([^()]*)\)\s*([^()]*)$")
_SENTENCE_END = re.compile(r"(?<=[^\W\d_]{3})[.!?](?:\s|$)|\n")
_POSSESSIVE = re.compile(r"^(?:his|her|their|its)\s+\w+\s+(\w.*)$", re.IGNORECASE)
_BREAK = re.compile(rf"[,;:–—]\s|\s\(|\s(?:{'|'.join(CLAUSES)})\s", re.IGNORECASE)

_WHO = re.compile(r"\bwho(?:m|se)?\b", re.IGNORECASE)
_WHERE = re.compile(r"\bwhere\b", re.IGNORECASE)
_PARTICIPLE = re.compile(r"^[^\W\d_]+\s(?:by|in|at|on|to|from|as)\s", re.IGNORECASE)
_CIRCUMSTANCE = re.compile(r"\s(?:in|on|at|for|from|during)\s", re.IGNORECASE)
_VERB = re.compile(rf"\s(?:{'|'.join(COPULAS)})\s", re.IGNORECASE)
_JOINT = re.compile(rf"\s(?:{'|'.join(COPULAS)}|in|at|by|on|of|with|from)\s", re.IGNORECASE)


def find_spans(*, question: str, answer: str) -> tuple[str, ...]:
    """Return the short answers within an answer, at most `MOST_SPAN_WORDS` words each, none twice.

    They are what stands before and within parentheses, before the comma of a place, behind "his cousin", and
    what a sentence says besides the question. Empty where the answer is as short as it can be.
    """
    answer = answer.strip()
    spans = [*_of_parentheses(answer), *_of_place(question, answer), *_of_possessive(answer)]
    if len(tokens_of(answer)) > MOST_SPAN_WORDS:
        spans += [span for span in _of_sentence(question, answer) if _fits(span, question)]
    kept = (span.strip(" .,;:\"'") for span in spans)
    return tuple(dict.fromkeys(span for span in kept if _is_short(span, answer)))


def _is_short(span: str, answer: str) -> bool:
    count = len(tokens_of(span))
    return 0 < count <= MOST_SPAN_WORDS and count < len(tokens_of(answer)) and len(span) > 1


def _of_parentheses(answer: str) -> Iterator[str]:
    found = _PARENTHESES.match(answer.rstrip(". "))
    if not found:
        return
    outside = " ".join(filter(None, (found[1].strip(), found[3].strip())))
    yield outside
    if _is_short_form(found[2], of=outside):
        yield found[2]


def _is_short_form(text: str, *, of: str) -> bool:
    """Say whether a text is made of the first letters of words, as ADP of adenosine diphosphate."""
    letters = [letter for letter in text.lower() if letter.isalnum()]
    if not 2 <= len(letters) <= 6 or " " in text.strip():
        return False
    rest = iter(plain(of))
    return all(letter in rest for letter in letters)


def _of_place(question: str, answer: str) -> Iterator[str]:
    if _WHERE.search(question) and answer.count(",") == 1:
        yield answer.partition(",")[0]


def _of_possessive(answer: str) -> Iterator[str]:
    found = _POSSESSIVE.match(answer)
    if found:
        yield found[1]


def _of_sentence(question: str, answer: str) -> Iterator[str]:
    """Yield what the first sentence says besides the question, before or behind its verb."""
    sentence = _SENTENCE_END.split(answer, maxsplit=1)[0]
    asked = {plain(token) for token in tokens_of(question)}
    for found in _JOINT.finditer(sentence):
        before, after = sentence[: found.start()], sentence[found.end() :]
        is_verb = found[0].strip().lower() in COPULAS
        if _repeats(before, asked):
            # Of "the capital of France is Paris" the verb comes later.
            if is_verb or not _VERB.search(after):
                yield _until_break(_without_fillers(_PARTICIPLE.sub("", after)), question)
            # A place is often said twice: "in the north, on the coast". Of all else the first is the answer.
            if is_verb and not _WHERE.search(question):
                return
        elif is_verb and _repeats(after, asked):
            yield _until_break(before, question)


def _repeats(part: str, asked: set[str]) -> bool:
    words = [plain(token) for token in tokens_of(part)]
    said = sum(word in asked or word in FILLERS or word in COPULAS for word in words)
    return bool(words) and said >= _ECHO_SHARE * len(words)


def _without_fillers(part: str) -> str:
    words = part.split()
    while len(words) > 1 and plain(words[0]).strip(".,") in FILLERS:
        words = words[1:]
    return " ".join(words)


def _until_break(part: str, question: str) -> str:
    part = _BREAK.split(part, maxsplit=1)[0]
    # When and where somebody did it is no part of who it was.
    return _CIRCUMSTANCE.split(part, maxsplit=1)[0] if _WHO.search(question) else part


def _fits(span: str, question: str) -> bool:
    """Say whether a span can be what was asked: people and places are no numbers, times mostly have one."""
    words = [plain(token) for token in tokens_of(span)]
    has_number = any(character.isdecimal() for word in words for character in word)
    if _WHO.search(question) or _WHERE.search(question):
        return not has_number
    is_time = has_number or any(word in MONTHS for word in words) or "century" in words
    return is_time or not re.search(r"\bwhen\b", question, re.IGNORECASE)
