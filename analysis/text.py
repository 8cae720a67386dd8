"""How answers and questions are normalized before they are compared."""

import re
import string
import unicodedata
from functools import lru_cache

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
