"""A question with its gold answers, and an answer beside it, read once for all that is measured of them."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from judges.methods.fuzzy.fuzzy_match_guarded import DAYS, MONTHS
from judges.methods.fuzzy.wordnet import load_synonyms
from judges.methods.learned.features.nations import load_nations
from judges.methods.learned.reading import STOP_WORDS, Text, is_year, read

YES, NO = frozenset({"yes", "true", "correct"}), frozenset({"no", "false", "incorrect"})
MONTH_WORDS = frozenset(MONTHS)
# Which part of a period a word before it names; a little wide, as people are.
_PARTS = {"early": (0.0, 0.5), "mid": (0.25, 0.75), "late": (0.5, 1.0)}
_QUESTION_TYPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("who", re.compile(r"\b(?:who|whom|whose)\b")),
    ("when", re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time)\b")),
    ("where", re.compile(r"\bwhere\b|\b(?:what|which) (?:country|state|city|place|county|town)\b")),
    ("count", re.compile(r"\bhow (?:many|much|long|old|far|tall|big|high|often|large|deep|fast)\b")),
    ("how", re.compile(r"\bhow\b")),
    ("why", re.compile(r"\bwhy\b|\bwhat (?:is|was) the (?:purpose|reason|meaning)\b")),
    ("kind", re.compile(r"\b(?:what|which) (?:type|kind|is|are|does|do)\b")),
    ("what", re.compile(r"\b(?:what|which)\b")),
    ("yes_no", re.compile(r"^(?:is|are|was|were|do|does|did|can|could|has|have|will)\b")),
)


# Who played, sang or said what, in which season: people want the very name or date there.
_SHOWS = re.compile(
    r"\b(?:seasons?|episodes?|series|shows?|movies?|films?|cast|plays?|played|sings?|sang|sung|songs?|voices?|"
    r"voiced|characters?)\b"
)


class Rarity(NamedTuple):
    """How rare words are: log(questions / questions that have it); `unseen` for words that are not listed."""

    of: Mapping[str, float]
    unseen: float

    def weight(self, stem: str) -> float:
        """Return the weight of a word, by its stem."""
        return self.of.get(stem, self.unseen)


class Date(NamedTuple):
    """A month with the day beside it and the year after it; empty where there is none."""

    day: str
    month: str
    year: str


class Gold(NamedTuple):
    """A gold answer and what is the same for all answers compared with it."""

    text: Text
    joined: str
    compact: str
    stems: frozenset[str]
    weights: dict[str, float]
    new_weights: dict[str, float]
    numbers: frozenset[str]
    years: frozenset[str]
    text_years: tuple[str, ...]
    periods: tuple[tuple[int, int], ...]
    initials: str
    trigrams: frozenset[str]
    synonyms: dict[str, frozenset[str]]
    other_names: tuple[str, ...]
    month: str
    day: str
    dates: tuple[Date, ...]

    @property
    def polarity(self) -> bool | None:
        """Whether it says yes (True) or no (False), None where neither."""
        if len(self.text.words) != 1:
            return None
        word = self.text.words[0]
        return True if word in YES else False if word in NO else None


class Question(NamedTuple):
    """A question and its gold answers, read once for all answers to it."""

    text: Text
    stems: frozenset[str]
    numbers: frozenset[str]
    golds: tuple[Gold, ...]
    content: frozenset[str]
    fixed: dict[str, float]


def prepare(question: str, golds: Sequence[str], rarity: Rarity) -> Question:
    """Read a question and its gold answers; a gold of which no word remains is left out."""
    text = read(question)
    stems = frozenset(text.stems)
    read_golds = [_read_gold(gold, stems, rarity) for gold in dict.fromkeys(golds)]
    usable = tuple(gold for gold in read_golds if gold.text.words)
    return Question(
        text=text,
        stems=stems,
        numbers=frozenset(text.words[place] for place in text.numbers),
        golds=usable,
        content=stems - STOP_WORDS,
        fixed=_of_question(question.lower(), text, usable),
    )


def _read_gold(gold: str, question: frozenset[str], rarity: Rarity) -> Gold:
    text = read(gold)
    content = [stem for stem in text.stems if stem not in STOP_WORDS] or list(text.stems)
    weights = {stem: rarity.weight(stem) for stem in content}
    new = {stem: weight for stem, weight in weights.items() if stem not in question}
    numbers = frozenset(text.words[place] for place in text.numbers)
    joined = " ".join(word for word in text.words if word not in {"the", "a", "an"}) or " ".join(text.words)
    compact = joined.replace(" ", "")
    return Gold(
        text=text,
        joined=joined,
        compact=compact,
        stems=frozenset(content),
        weights=weights,
        new_weights=new or weights,
        numbers=numbers,
        years=frozenset(filter(is_year, numbers)),
        text_years=tuple(
            text.words[place]
            for place in text.numbers
            if is_year(text.words[place]) and place not in text.decades
        ),
        periods=tuple(periods_of(text)),
        initials="".join(word[0] for word in text.words if word not in STOP_WORDS),
        trigrams=_trigrams(joined),
        synonyms=_synonyms(text, new),
        other_names=tuple(sorted(load_synonyms().of(joined) - {joined})) if not numbers else (),
        month=next((word for word in text.words if word in MONTH_WORDS), ""),
        day=next((word for word in text.words if word in DAYS), "")
        if not MONTH_WORDS.isdisjoint(text.words)
        else "",
        dates=tuple(dates_of(text)),
    )


def dates_of(text: Text) -> list[Date]:
    """Return the dates of a text that name a month."""
    words, found = text.words, []
    for place, word in enumerate(words):
        if word in MONTH_WORDS:
            beside = words[place + 1 : place + 2] + words[max(0, place - 1) : place]
            beside += (
                words[max(0, place - 2) : place - 1] if words[max(0, place - 1) : place] == ("of",) else ()
            )
            day = next((other for other in beside if other in DAYS), "")
            year = next((other for other in words[place + 1 : place + 4] if is_year(other)), "")
            found.append(Date(day, word, year))
    return found


def periods_of(text: Text) -> list[tuple[int, int]]:
    """Return the first and the last year of each decade and century that a text names."""
    found = []
    for place in text.numbers:
        number = text.words[place]
        if place in text.decades:
            low, length = int(number), 100 if number.endswith("00") else 10
        elif text.words[place + 1 : place + 2] in (("century",), ("centuries",)) and number.isdigit():
            low, length = (int(number[:2]) - 1) * 100, 100
        else:
            continue
        before = text.words[place - 1] if place else ""
        start, end = _PARTS.get(before, (0.0, 1.0))
        found.append((low + round(start * length), low + round(end * length) - 1))
    return found


def _synonyms(text: Text, stems: Mapping[str, float]) -> dict[str, frozenset[str]]:
    """Return the words that WordNet says mean the same as a word of a text, by the word's stem."""
    table, nations = load_synonyms(), load_nations()
    found = {
        stem: (frozenset(table.of(word)) - {word}) | nations.get(word, frozenset())
        for word, stem in zip(text.words, text.stems, strict=True)
        if stem in stems and not word[0].isdigit()
    }
    return {stem: words for stem, words in found.items() if words}


def _trigrams(text: str) -> frozenset[str]:
    padded = f" {text} "
    return frozenset(padded[place : place + 3] for place in range(len(padded) - 2))


def _of_question(lower: str, text: Text, golds: Sequence[Gold]) -> dict[str, float]:
    kind = next((name for name, pattern in _QUESTION_TYPES if pattern.search(lower)), "other")
    lengths = [len(gold.text.words) for gold in golds]
    found = {f"question_{name}": float(name == kind) for name, _ in _QUESTION_TYPES}
    return found | {
        "question_show": float(bool(_SHOWS.search(lower))),
        "question_words": math.log1p(len(text.words)),
        "question_has_number": float(bool(text.numbers)),
        "question_has_or": float("or" in text.words),
        "question_is_plural": float(bool(re.search(r"\b(?:are|were|names of|list|all)\b", lower))),
        "question_superlative": float(
            bool(re.search(r"\b(?:most|first|last|new|latest|current|next)\b", lower))
        ),
        "gold_count": math.log(max(1, len(golds))),
        "gold_is_single": float(len(golds) == 1),
        "gold_shortest": math.log1p(min(lengths, default=0)),
        "gold_longest": math.log1p(max(lengths, default=0)),
    }


class Said:
    """An answer beside its question: what several features need of it, computed once."""

    def __init__(self, question: Question, answer: Text) -> None:
        self.question, self.text = question, answer
        self.words, self.stems = answer.words, answer.stems
        self.joined = " ".join([word for word in answer.words if word not in ("the", "a", "an")])
        self.spaced = f" {self.joined} "
        self.compact = self.joined.replace(" ", "")
        self.stem_set = frozenset(answer.stems)
        self.content = [stem for stem in answer.stems if stem not in STOP_WORDS]
        self.new = [stem for stem in self.content if stem not in question.stems]
        self.new_set = frozenset(self.new)
        self.first: dict[str, int] = {}
        for place, stem in enumerate(answer.stems):
            self.first.setdefault(stem, place)
        self.numbers = [answer.words[place] for place in answer.numbers]
        self.number_set = frozenset(self.numbers)
        self.words_set = frozenset(answer.words)
        self.distinct = list(dict.fromkeys(answer.words))
        self.trigrams = _trigrams(self.joined[:400])

    def nearness(self, gold: Gold) -> float:
        """Return a quick measure of how near a gold answer is."""
        if gold.compact == self.compact:
            return 4.0
        shared = sum(weight for stem, weight in gold.new_weights.items() if stem in self.stem_set)
        return shared / (sum(gold.new_weights.values()) or 1.0) + 0.5 * (gold.joined in self.joined)
