"""Normalize texts, tell when two questions are equal, read gold answers: strings and patterns."""

import re
import string
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

_PUNCTUATION = string.punctuation.encode()
_LOWER_AND_SPACED = bytes(
    ord(" ") if chr(byte).isspace() else ord(chr(byte).lower()) if byte < 128 else byte for byte in range(256)
)
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_BEFORE_NOT = re.compile(r"\b(do|ai|wo|did|ca|does)(n't)\b", re.IGNORECASE)
_RUN_TOGETHER = re.compile(r"\b(?:(wan|gon)(na)|(gim)(me))\b", re.IGNORECASE)


class _Spacing(dict[int, str]):
    """Translation table that sets every visible character outside words apart; filled as it meets them."""

    def __missing__(self, code_point: int) -> str:
        character = chr(code_point)
        major_category = unicodedata.category(character)[0]
        if major_category in "LNM":
            spaced = character
        elif major_category in "ZC":
            spaced = " "
        else:
            spaced = f" {character} "
        self[code_point] = spaced
        return spaced


_SPACING = _Spacing()


# The judges of a study read the same answers in turn, some thousands at a time (`judges.runs.tasks`).
# Longer texts are not kept, so that this holds 40 MB at most.
_KEPT = 16_384
_LONGEST_KEPT = 500


def normalize_answer(text: str) -> str:
    """Lower-case, drop ASCII punctuation and English articles, squeeze white space.

    Accents and other punctuation stay. Nothing may remain: "The" becomes "".
    Source: SQuAD v1.1 evaluation script (Rajpurkar et al. 2016).
    """
    return _normalize_once(text) if len(text) <= _LONGEST_KEPT else _normalize(text)


def _normalize(text: str) -> str:
    if text.isascii():
        bare = text.encode().translate(_LOWER_AND_SPACED, _PUNCTUATION).decode()
        # Else a control character may stand beside an article, which is a word all the same.
        if bare.isprintable():
            return _without_articles(bare)
    # In UTF-8 no byte of an ASCII character stands inside another character, and bytes are deleted faster.
    encoded = text.lower().encode("utf-8", "surrogatepass").translate(None, _PUNCTUATION)
    words = encoded.decode("utf-8", "surrogatepass").split()
    squeezed = " ".join(words)
    unusual = " ".join([word for word in words if not word.isascii()])
    if squeezed.isprintable() and not _ARTICLES.search(unusual):
        return _without_articles(squeezed)
    return " ".join(_ARTICLES.sub(" ", squeezed).split())


_normalize_once = lru_cache(maxsize=_KEPT)(_normalize)


def _without_articles(bare: str) -> str:
    # Replacing is several times as fast as splitting, filtering and joining, or as a regular expression.
    spaced = f" {bare} "
    for unwanted in (" the ", " a ", " an ", "  "):
        # More than once: of "the the" the two share a space.
        while unwanted in spaced:
            spaced = spaced.replace(unwanted, " ")
    return spaced[1:-1]


def tokens(text: str) -> list[str]:
    """Split a normalized answer into its words; empty when nothing remains of it."""
    return normalize_answer(text).split()


def count_words(text: str) -> int:
    """Return how many words a text has, as parted by white space."""
    return len(text.split())


def question_key(text: str) -> str:
    """Return the form in which the same question of two files is equal.

    Files of one data set differ in tokenization ("don't" / "do n't"), in case and in the final question mark.
    Source: reproduction rule QKEY, after the tokenizer with which OpenQA-eval's outputs were written.
    """
    text = text.replace("’", "'").replace("--", "_")
    text = _BEFORE_NOT.sub(r"\1 \2", text)
    text = _RUN_TOGETHER.sub(_split_word, text)
    key = " ".join(text.translate(_SPACING).split()).lower()
    return key.removesuffix("?").rstrip()


def question_letters(text: str) -> str:
    """Return a question's text without blanks, in one case: equal wherever `question_key` is.

    But for the question mark at the end, which stays. Unlike the key it can be made letter by letter: that
    of a text's beginning is the beginning of the text's.
    """
    text = text.replace("’", "'").replace("--", "_")
    return "".join(text.translate(_SPACING).split()).casefold()


def _split_word(match: re.Match[str]) -> str:
    return " ".join(part for part in match.groups() if part)


def transliterate(text: str) -> str:
    """Return the text in ASCII letters: "Zoë" becomes "Zoe"; scripts are spelled by sound, roughly."""
    if text.isascii():
        return text
    # Imported here: its tables are for texts that need them.
    from text_unidecode import unidecode

    ascii_text: str = unidecode(text)
    return ascii_text


_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹"
# A number behind these is a power, not a citation, though they are as long as words.
_UNITS = ("feet", "inch", "inches", "meter", "meters", "metre", "metres", "mile", "miles", "yard", "yards")
_CITATION = re.compile(
    rf"(?P<word>[^\W\d_{_SUPERSCRIPTS}]{{0,20}})"
    # Runs are taken whole and from their start: tried in every division, thirty would take minutes.
    rf"(?P<mark>[ \t]{{0,4}}(?<![{_SUPERSCRIPTS}])[{_SUPERSCRIPTS}]++"
    rf"(?:[ \t]?,?[ \t]?[{_SUPERSCRIPTS}]++)*)"
    r"(?![^\W_])"
)
_MARKED_CITATION = re.compile(r"[ \t]{0,4}(?:\[\^\d{1,3}\^\](?:\[\d{1,3}\]|\([^()\s]{0,500}\))?[ \t]{0,4})+")
_BOLD = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]+?)(?<=\S)\*\*(?![\w*])")
_SOURCE = re.compile(r"(?:(?<=^)|(?<=[\s.?!)]))Source:\s*Conversation with\b[^\n(]*", re.IGNORECASE)
_SOURCE_ENTRY = re.compile(
    r"\s*\(\d{1,3}\)[^\n]{0,600}?\bhttps?://\S+(?:\s+Accessed\s+[\d/.\-]{4,12})?", re.IGNORECASE
)
_SOURCE_LINE = re.compile(r"[ \t]*\(\d{1,3}\)[^\n]*")
_SMILES = r"[\s\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F]*"
_GREETING = re.compile(
    r"\s*(?:hello|hi|hey|greetings)"
    r"(?:\s+(?:there|again))?"
    r"(?:\s*,\s*(?:this is|i am|i['’]m|my name is)\s+[^.!?\n]{1,40})?"
    rf"[.!]{_SMILES}(?=[\"“'‘(]?[A-Z0-9])",
    re.IGNORECASE,
)
_OPENING = "\"“'‘("
# A closing offer and its smiles.
_LONGEST_CLOSING = 400
_REST = r"[^.?!\n]{0,160}"
_OFFERS = "|".join(
    (
        rf"is there (?:anything|something) else\b{_REST}",
        rf"(?:do|would) you (?:have any (?:other|more|further) (?:question|quer)|(?:like|want) to know "
        rf"(?:more|anything|something)|need (?:any )?(?:more|further|other) (?:help|information)){_REST}",
        rf"(?:what else|how else|is there any other way) (?:can|may|would|could) (?:i|you)\b{_REST}",
        rf"(?:can|may|could) i help you with (?:anything|something)\b{_REST}",
        rf"(?:please )?(?:let me know|feel free to (?:ask|let me know)|(?:don['’]t|do not) hesitate to ask)\b"
        rf"{_REST}",
        rf"if you (?:have any (?:other|more|further)|need (?:any )?(?:more|further)) {_REST}",
        rf"i hope (?:this|that|it) (?:helps|was helpful|answers)\b{_REST}",
        r"have a (?:nice|great|good|lovely|wonderful) day",
    )
)
_CLOSING = re.compile(
    rf"(?:^|(?<=[.?!…\n)\"”])|(?<=[.?!…\n)\"”]\s))\s{{0,4}}(?:{_OFFERS})[.?!]*{_SMILES}$", re.IGNORECASE
)


def clean_answer(text: str) -> str:
    """Return the answer without bold marks, citation numbers, greetings, offers of help and source block.

    Everything else stays as it is, so that text without any of these is returned unchanged; so is text of
    which nothing would be left. Cleaning again changes nothing.
    """
    while True:
        cleaned = _clean_once(text)
        if cleaned == text:
            return text
        text = cleaned


def _clean_once(text: str) -> str:
    for rule in _RULES:
        changed = rule(text)
        # Every rule shortens what it changes, so this comes to an end.
        if changed != text and _says_something(changed):
            text = changed.strip()
    return text


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _without_sources(text: str) -> str:
    kept, start = [], 0
    while found := _SOURCE.search(text, start):
        kept.append(text[start : found.start()].rstrip())
        start = _end_of_sources(text, found.end())
    return "\n".join([*kept, text[start:].lstrip(". \n")]) if kept else text


def _end_of_sources(text: str, end: int) -> int:
    while entry := _SOURCE_ENTRY.match(text, end):
        end = entry.end()
    # An entry that is cut short has no link: its line goes.
    line = _SOURCE_LINE.match(text, end)
    return line.end() if line else end


def _without_citations(text: str) -> str:
    return _CITATION.sub(_kept_of_citation, _MARKED_CITATION.sub("", text))


def _kept_of_citation(found: re.Match[str]) -> str:
    word, mark = found["word"], found["mark"]
    if mark[0] in " \t":
        return word
    # Right behind a digit or a short word a superscript may be a power: 10⁶, km².
    before = found.string[found.start() - 1 : found.start()]
    is_power = (0 < len(word) <= 3 or word.lower().endswith(_UNITS)) or (not word and before.isalnum())
    return found[0] if is_power else word


def _without_bold(text: str) -> str:
    return _BOLD.sub(r"\1", text)


def _without_greeting(text: str) -> str:
    start = 0
    # Whatever follows a greeting begins a sentence: “Hello! magazine” is none.
    while (found := _GREETING.match(text, start)) and not text[found.end() : found.end() + 2].lstrip(
        _OPENING
    )[:1].islower():
        start = found.end()
    return text[start:]


def _without_closing(text: str) -> str:
    end = len(text)
    while found := _CLOSING.search(text, max(0, end - _LONGEST_CLOSING), end):
        end = found.start()
    return text[:end]


# Sources before offers, which stand above them; citations before bold, which may end at one.
_RULES: tuple[Callable[[str], str], ...] = (
    _without_sources,
    _without_citations,
    _without_bold,
    _without_greeting,
    _without_closing,
)


# What one pattern may hold, program and automaton together; at most `_KEPT` are held at a time.
MEMORY_BYTES = 1 << 20
# A larger program would leave ordinary answers without a verdict.
LARGEST_PROGRAM = 5_000
# RE2 needs at worst about 10 ns for an instruction and a byte: 40 ms at this bound.
LARGEST_WORK = 4_000_000
# All patterns of a question together may take so many times what one may.
MOST_WORK = 20 * LARGEST_WORK
TOO_COSTLY = "pattern_too_costly"
UNUSABLE = "bad_pattern"
_KEPT = 128
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class UnusablePattern(ValueError):
    """No regular expression that RE2 takes, or one that is too large; the reason is the message."""


class TooCostly(Exception):
    """Searching this text for this pattern could take too long; it was not begun."""


@lru_cache(maxsize=_KEPT)
def compile_pattern(pattern: str) -> Any:
    """Return the compiled pattern: case-insensitive, multi-line, in NFD; raises `UnusablePattern`.

    In NFD a letter with an accent is two characters, in a pattern as in a text: `[é]` matches either.
    An escaped character beyond ASCII is itself, as in Perl and Python, where RE2 would refuse it.
    RE2 knows no back-references and no look-around; `\\w`, `\\d`, `\\b` are ASCII, `\\p{L}` any letter.
    """
    # Imported here: only studies with such golds need it.
    import re2

    decomposed = _encode(_without_needless_escapes(pattern))
    try:
        compiled = re2.compile(b"(?m)" + decomposed, _options())
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        spoken = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise UnusablePattern(spoken) from None
    if compiled.programsize > LARGEST_PROGRAM:
        raise UnusablePattern(
            f"too large: it compiles to {compiled.programsize:,} steps, and the limit is {LARGEST_PROGRAM:,}"
        )
    return compiled


def _without_needless_escapes(pattern: str) -> str:
    if "\\Q" in pattern:
        # Between \Q and \E a backslash is one.
        return pattern
    return _ESCAPE.sub(lambda found: found[0] if found[1].isascii() else found[1], pattern)


def matches_pattern(pattern: str, text: str, *, anchored: bool = False) -> bool:
    """Say whether the pattern is found anywhere in the text, or with `anchored` matches all of it.

    Raises `TooCostly` where the search could take longer than 50 ms, and `UnusablePattern`.
    """
    if search_work(pattern, text) > LARGEST_WORK:
        raise TooCostly
    compiled, encoded = compile_pattern(pattern), _encode(text)
    find: Callable[[bytes], object] = compiled.fullmatch if anchored else compiled.search
    return find(encoded) is not None


class PatternSearch(NamedTuple):
    """Whether any pattern was found; else `failure` says why one could not be tried, empty if all were."""

    is_found: bool
    failure: str = ""


def search_any(patterns: Iterable[str], text: str, *, anchored: bool = False) -> PatternSearch:
    """Search a text for patterns until one is found, within bounded work; raises nothing."""
    failure, left = "", MOST_WORK
    for pattern in patterns:
        try:
            left -= search_work(pattern, text)
            if left < 0:
                raise TooCostly
            if matches_pattern(pattern, text, anchored=anchored):
                return PatternSearch(is_found=True)
        except TooCostly:
            failure = TOO_COSTLY
        except UnusablePattern:
            # Imports refuse such patterns; this one came in before they did.
            failure = UNUSABLE
    return PatternSearch(is_found=False, failure=failure)


def search_work(pattern: str, text: str) -> int:
    """Return how many instructions searching a text may take at worst; raises `UnusablePattern`."""
    return int(compile_pattern(pattern).programsize) * len(_encode(text))


def _options() -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    # Where the groups stand is never asked for, and finding out is slower.
    options.never_capture = True
    options.max_mem = MEMORY_BYTES
    return options


def _encode(text: str) -> bytes:
    # Half a surrogate pair is no character; it must not break the judge, and matches nothing.
    return unicodedata.normalize("NFD", text).encode("utf-8", "surrogatepass")


class GoldEntries(NamedTuple):
    """The gold answers of a question: strings, normalized, and patterns, which are no strings."""

    strings: frozenset[str] = frozenset()
    patterns: tuple[str, ...] = ()

    def has(self, answer: str) -> bool:
        """Say whether an answer equals a string, normalized, or a pattern is found in it.

        A pattern that costs too much to search for, or that nobody can use, is not found.
        """
        return self.equals(answer) or search_any(self.patterns, answer.strip()).is_found

    def equals(self, answer: str) -> bool:
        """Say whether an answer equals a string, normalized; patterns are left out.

        For what no person looks at again: a pattern is found in a long answer that says something else, too.
        """
        return normalize_answer(answer) in self.strings


def gold_entries_of(golds: Iterable[tuple[str, bool]]) -> GoldEntries:
    """Return the entries of texts, each with whether it is a regular expression."""
    golds = tuple(golds)
    return GoldEntries(
        strings=frozenset(normalize_answer(text) for text, is_regex in golds if not is_regex),
        patterns=tuple(sorted({text for text, is_regex in golds if is_regex})),
    )


LONGEST_ADDRESS = 254
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


def name_of_rater(name: str) -> str:
    """Return a name as it is compared and kept: an email address is one however it is capitalized."""
    return name.casefold() if len(name) <= LONGEST_ADDRESS and _ADDRESS.fullmatch(name) else name
