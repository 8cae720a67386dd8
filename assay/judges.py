"""Judges without an installation: one answer at a time, a judge by its key, or one of your own.

`token_f1("in 1912", ["1912", "April 1912"])` needs no Django and no database. A package that declares a
judge of its own imports `JudgeEntry`, `JudgeInput`, `Verdict`, `WithOptions` and `option` from here
(docs/judges.md, Judges from other packages).
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from judges.methods.fuzzy.fuzzy_match import best_ratio, fuzzy_form
from judges.methods.lexical.containment import Containment, ContainmentWords
from judges.methods.lexical.exact_match import ExactMatch
from judges.methods.lexical.regex import Regex
from judges.methods.lexical.token_f1 import token_f1 as _token_f1
from judges.protocol import (
    Judge,
    JudgeEntry,
    JudgeFailed,
    JudgeInput,
    Needs,
    Reads,
    UnusableOption,
    Verdict,
    WithOptions,
    look,
    option,
)

__all__ = [
    "Judge",
    "JudgeEntry",
    "JudgeFailed",
    "JudgeInput",
    "Reads",
    "UnusableOption",
    "Verdict",
    "WithOptions",
    "containment",
    "exact_match",
    "fuzzy_match",
    "list_judges",
    "load_judge",
    "look",
    "option",
    "regex_match",
    "sign_judge",
    "token_f1",
]


def exact_match(answer: str, golds: Iterable[str]) -> bool:
    """Say whether an answer equals a gold answer after normalization. Source: Rajpurkar et al. 2016."""
    return _accepts(ExactMatch(ExactMatch.Options()).judge, answer, golds)


def token_f1(answer: str, golds: Iterable[str]) -> float:
    """Return the best F1 over words, 0 to 1; 0 without a gold answer. Source: Rajpurkar et al. 2016."""
    return _token_f1(answer=answer, golds=golds)


def containment(answer: str, golds: Iterable[str], *, whole_words: bool = False) -> bool:
    """Say whether an answer contains a gold answer after normalization. Source: Wang et al. 2023.

    A gold answer that normalization empties matches nothing.
    """
    words, letters = ContainmentWords(ContainmentWords.Options()), Containment(Containment.Options())
    return _accepts(words.judge if whole_words else letters.judge, answer, golds)


def fuzzy_match(answer: str, golds: Iterable[str]) -> float:
    """Return how similar an answer is to the closest gold answer, 0 to 100. Source: Si et al. 2023."""
    return best_ratio(fuzzy_form(answer), [fuzzy_form(gold) for gold in golds])


def regex_match(answer: str, patterns: Iterable[str]) -> bool:
    """Say whether an answer matches a pattern. Source: Baudiš and Šedivý 2015 (CuratedTREC).

    Raises `JudgeFailed` where none matches and one could not be tried.
    """
    asked = JudgeInput(question="", answer=answer, golds=(), patterns=tuple(patterns))
    (verdict,) = Regex(Regex.Options()).judge([asked])
    if verdict.accepted is None:
        raise JudgeFailed(verdict.unscored_reason, retryable=False)
    return verdict.accepted


def _accepts(
    judge: Callable[[Sequence[JudgeInput]], list[Verdict]], answer: str, golds: Iterable[str]
) -> bool:
    (verdict,) = judge([JudgeInput(question="", answer=answer, golds=tuple(golds))])
    return bool(verdict.accepted)


def list_judges() -> list[JudgeEntry]:
    """Return the judges that `load_judge` can make, those of installed packages included."""
    from judges.registry import JUDGES

    return [entry for entry in JUDGES.values() if entry.is_startable and entry.needs is Needs.NOTHING]


def load_judge(key: str, **options: Any) -> Judge:
    """Return a judge of batches; raises `LookupError` for an unknown key, `UnusableOption` for an option."""
    from judges.registry import make_judge

    return make_judge(_find(key), options)


def sign_judge(key: str, **options: Any) -> str:
    """Return the line that names everything that makes a judge's verdicts; raises as `load_judge` does."""
    from judges.registry import make_options, make_signature

    return make_signature(key, make_options(_find(key), options))


def _find(key: str) -> JudgeEntry:
    found = {entry.key: entry for entry in list_judges()}
    if key not in found:
        raise LookupError(f"The judge “{key}” does not exist. Use one of: {', '.join(found)}.")
    return found[key]
