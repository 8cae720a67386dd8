"""What the learned judge measures of a question, its gold answers and an answer: some 160 numbers."""

import math
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from judges.methods.fuzzy.fuzzy_match_guarded import DAYS, MONTHS
from judges.methods.fuzzy.wordnet import load_synonyms
from judges.methods.learned.reading import STOP_WORDS, Text, is_year, read

# Of many gold answers only these, the nearest by shared words, are compared in full.
MOST_COMPARED = 4
# So many missing words of a gold answer are looked for by their letters.
_MOST_SOUGHT = 12
NEGATIONS = frozenset(
    [
        "not",
        "no",
        "never",
        "nor",
        "neither",
        "none",
        "nobody",
        "nothing",
        "without",
        "cannot",
        "isnt",
        "wasnt",
        "arent",
        "werent",
        "doesnt",
        "dont",
        "didnt",
        "hasnt",
        "havent",
        "hadnt",
        "cant",
        "couldnt",
        "wont",
        "wouldnt",
    ]
)
_HEDGES = frozenset(
    [
        "may",
        "might",
        "could",
        "possibly",
        "perhaps",
        "likely",
        "probably",
        "unclear",
        "unknown",
        "uncertain",
        "believed",
        "thought",
        "reportedly",
        "allegedly",
        "approximately",
        "about",
        "around",
        "roughly",
        "estimated",
        "various",
        "several",
        "depends",
        "varies",
        "vary",
        "generally",
        "typically",
        "usually",
        "however",
        "although",
    ]
)
REFUSALS = re.compile(
    r"\b(?:i(?:['’]m| am)? (?:sorry|unable|not (?:sure|able|aware))|sorry|apologi[sz]e|as an ai|"
    r"language model|i (?:do ?n[o'’]t|cannot|can['’]?t|could ?n[o'’]t|couldn['’]t) |"
    r"(?:no|not enough|insufficient|lack of) "
    r"(?:specific |enough |clear |reliable |further )?(?:information|context|answer|evidence|data)|"
    r"more (?:information|context)|please (?:provide|check|specify|clarify)|knowledge cut|"
    r"not (?:clear|known|specified|mentioned|possible|available|provided|certain)|"
    r"(?:is|are|was) unknown|could you|can you|"
    r"(?:did|do|does|could|can)(?: not|n['’]t) (?:find|have|know|provide|determine|specify|exist))",
    re.IGNORECASE,
)
_CONTRASTS = frozenset(
    ["but", "however", "although", "though", "actually", "instead", "rather", "while", "whereas", "yet"]
)
_YES, _NO = frozenset({"yes", "true", "correct"}), frozenset({"no", "false", "incorrect"})
_UNITS = frozenset(
    [
        "year",
        "years",
        "month",
        "months",
        "week",
        "weeks",
        "day",
        "days",
        "hour",
        "hours",
        "minute",
        "minutes",
        "second",
        "seconds",
        "percent",
        "mile",
        "miles",
        "kilometer",
        "kilometers",
        "km",
        "meter",
        "meters",
        "metres",
        "feet",
        "foot",
        "inch",
        "inches",
        "pound",
        "pounds",
        "kg",
        "dollar",
        "dollars",
        "euro",
        "euros",
        "degree",
        "degrees",
        "episode",
        "episodes",
        "season",
        "seasons",
        "people",
        "times",
    ]
)
_MONTHS = frozenset(MONTHS)
_BEFORE = frozenset({"bc", "bce"})
_COPULAS = frozenset(["is", "are", "was", "were", "by", "called", "named", "as"])
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


class Rarity(NamedTuple):
    """How rare words are: log(questions / questions that have it); `unseen` for words that are not listed."""

    of: Mapping[str, float]
    unseen: float

    def weight(self, stem: str) -> float:
        """Return the weight of a word, by its stem."""
        return self.of.get(stem, self.unseen)


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
    initials: str
    trigrams: frozenset[str]
    synonyms: dict[str, frozenset[str]]
    other_names: tuple[str, ...]
    month: str
    day: str

    @property
    def polarity(self) -> bool | None:
        """Whether it says yes (True) or no (False), None where neither."""
        if len(self.text.words) != 1:
            return None
        word = self.text.words[0]
        return True if word in _YES else False if word in _NO else None


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
        initials="".join(word[0] for word in text.words if word not in STOP_WORDS),
        trigrams=_trigrams(joined),
        synonyms=_synonyms(text, new),
        other_names=tuple(sorted(load_synonyms().of(joined) - {joined})) if not numbers else (),
        month=next((word for word in text.words if word in _MONTHS), ""),
        day=next((word for word in text.words if word in DAYS), "")
        if not _MONTHS.isdisjoint(text.words)
        else "",
    )


def _synonyms(text: Text, stems: Mapping[str, float]) -> dict[str, frozenset[str]]:
    """Return the words that WordNet says mean the same as a word of a text, by the word's stem."""
    table = load_synonyms()
    found = {
        stem: frozenset(table.of(word)) - {word}
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


def measure(question: Question, answer: Text) -> dict[str, float]:
    """Return every feature of an answer by name, in the order of `FEATURES`; there must be a usable gold."""
    said = _Said(question, answer)
    ranked = sorted(
        range(len(question.golds)), key=lambda place: (-said.nearness(question.golds[place]), place)
    )[:MOST_COMPARED]
    compared = [_compare(question.golds[place], said) for place in ranked]
    places = range(len(compared))
    best_place = max(places, key=lambda place: (_closeness(compared[place]), -place))
    best = compared[best_place]
    gold = question.golds[ranked[best_place]]
    return (
        best
        | _over_golds(question, compared, said)
        | _of_gold(gold)
        | _of_numbers(question, gold, said)
        | _of_dates(gold, said)
        | _of_context(question, gold, said)
        | _of_denial(gold, said)
        | _of_answer(said)
        | question.fixed
    )


def best_gold(question: Question, answer: Text) -> Gold:
    """Return the gold answer that an answer is measured against."""
    said = _Said(question, answer)
    ranked = sorted(
        range(len(question.golds)), key=lambda place: (-said.nearness(question.golds[place]), place)
    )[:MOST_COMPARED]
    return max(
        (question.golds[place] for place in ranked),
        key=lambda gold: _closeness(_compare(gold, said)),
    )


def _closeness(compared: Mapping[str, float]) -> float:
    return (
        compared["recall_new"]
        + compared["recall"]
        + compared["is_equal"]
        + compared["contained_words"]
        + compared["precision"] / 2
        + compared["ratio"] / 2
    )


class _Said:
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


def _compare(gold: Gold, said: _Said) -> dict[str, float]:
    stems, joined = said.stem_set, said.joined
    total, total_new = sum(gold.weights.values()), sum(gold.new_weights.values())
    shared = {stem for stem in gold.stems if stem in stems}
    missing = [stem for stem in gold.new_weights if stem not in stems]
    near = _nearest(missing, said)
    recall_new = sum(weight for stem, weight in gold.new_weights.items() if stem in stems) / (
        total_new or 1.0
    )
    soft = sum(
        weight * (1.0 if stem in stems else near[stem]) for stem, weight in gold.new_weights.items()
    ) / (total_new or 1.0)
    answer_content = frozenset(said.content)
    new_shared = [stem for stem in said.new if stem in gold.stems]
    precision = len(answer_content & gold.stems) / len(answer_content) if answer_content else 0.0
    recall = len(shared) / len(gold.stems)
    is_contained = f" {gold.joined} " in said.spaced
    at = joined.find(gold.joined)
    first = min((said.first[stem] for stem in gold.new_weights if stem in said.first), default=-1)
    long_ratio = len(joined) <= 600
    head = said.new[: max(3, len(gold.new_weights) + 1)]
    last = said.text.sentences[-1] + 1 if said.words else 1
    return {
        "is_equal": float(gold.joined == joined),
        "is_equal_compact": float(gold.compact == said.compact),
        "contained": float(at >= 0),
        "contained_words": float(is_contained),
        "contained_compact": float(gold.compact in said.compact and len(gold.compact) > 2),
        "is_part_of_gold": float(bool(joined) and f" {joined} " in f" {gold.joined} "),
        "precision": precision,
        "recall": recall,
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "recall_idf": sum(gold.weights[stem] for stem in shared) / (total or 1.0),
        "recall_new": recall_new,
        "recall_new_soft": soft,
        "new_is_empty": float(gold.new_weights is gold.weights),
        "missing_weight": math.log1p(total_new * (1.0 - recall_new)),
        "missing_nearest": min(near.values(), default=1.0),
        "missing_count": float(min(len(missing), 6)),
        "precision_new": len(new_shared) / len(said.new) if said.new else 0.0,
        "extra_new": math.log1p(len(said.new_set - gold.stems)),
        "ratio": fuzz.ratio(joined[:600], gold.joined) / 100.0,
        "partial_ratio": fuzz.partial_ratio(joined[:600], gold.joined) / 100.0 if joined else 0.0,
        "token_set_ratio": fuzz.token_set_ratio(joined, gold.joined) / 100.0
        if long_ratio and joined
        else soft,
        "trigram_recall": len(gold.trigrams & said.trigrams) / len(gold.trigrams),
        "trigram_precision": len(gold.trigrams & said.trigrams) / (len(said.trigrams) or 1),
        "first_word_in": float(gold.text.stems[0] in stems),
        "last_word_in": float(gold.text.stems[-1] in stems),
        "longest_run": _longest_run(gold.text.stems, said) / len(gold.text.stems),
        "at_share": first / len(said.words) if first >= 0 else 1.0,
        "at_word": math.log1p(first) if first >= 0 else 6.0,
        "at_sentence": said.text.sentences[first] / last if first >= 0 else 1.0,
        "in_first_sentence": float(first >= 0 and said.text.sentences[first] == 0),
        "head_recall": sum(stem in gold.stems for stem in head) / len(head) if head else 0.0,
        "head_first": float(bool(said.new) and said.new[0] in gold.stems),
        "initials": float(_share_initials(gold, said)),
        "repeats": math.log1p(said.joined.count(gold.joined)),
        "after_copula": float(first > 0 and said.words[first - 1] in _COPULAS),
        "spread": _spread(gold, said),
    }


def _nearest(missing: Sequence[str], said: _Said) -> dict[str, float]:
    """Return for each missing word how like it the most similar word of the answer is, 0 to 1."""
    near = dict.fromkeys(missing, 0.0)
    for stem in missing[:_MOST_SOUGHT]:
        if stem[0].isdigit() or len(stem) < 3:
            continue
        found = process.extractOne(stem, said.distinct, scorer=fuzz.ratio, score_cutoff=60)
        near[stem] = found[1] / 100.0 if found and not found[0][0].isdigit() else 0.0
    return near


def _longest_run(gold: Sequence[str], said: _Said) -> int:
    best = 0
    for start, stem in enumerate(gold):
        if len(gold) - start <= best:
            break
        at = said.first.get(stem)
        if at is None:
            continue
        length = 0
        while (
            start + length < len(gold)
            and at + length < len(said.stems)
            and (gold[start + length] == said.stems[at + length])
        ):
            length += 1
        best = max(best, length)
    return best


def _spread(gold: Gold, said: _Said) -> float:
    """Return over how many words of the answer those of the gold answer are spread, in its own length."""
    places = [said.first[stem] for stem in gold.new_weights if stem in said.first]
    if len(places) < 2:
        return 0.0
    return math.log1p((max(places) - min(places)) / len(places))


def _share_initials(gold: Gold, said: _Said) -> bool:
    if len(said.words) == 1 and len(said.words[0]) > 1:
        return said.words[0] == gold.initials
    if len(gold.text.words) == 1 and 1 < len(gold.joined) < 6 and gold.text.original.isupper():
        return gold.joined in "".join(
            word[0] for word, is_capital in zip(said.words, said.text.capitals, strict=True) if is_capital
        )
    return False


def _over_golds(question: Question, compared: Sequence[Mapping[str, float]], said: _Said) -> dict[str, float]:
    golds = question.golds
    stems = said.stem_set
    full = sum(gold.new_weights.keys() <= stems for gold in golds)
    union = {stem: weight for gold in golds for stem, weight in gold.new_weights.items()}
    total = sum(union.values()) or 1.0
    return {
        "golds_full_share": full / len(golds),
        "golds_full": math.log1p(full),
        "golds_union_recall": sum(weight for stem, weight in union.items() if stem in stems) / total,
        "golds_extra_new": math.log1p(sum(stem not in union for stem in said.new_set)),
        "golds_any_equal": max(each["is_equal_compact"] for each in compared),
        "golds_any_contained": max(each["contained_words"] for each in compared),
        "golds_max_ratio": max(each["ratio"] for each in compared),
        "golds_max_recall": max(each["recall_new"] for each in compared),
        "golds_max_precision": max(each["precision_new"] for each in compared),
        "golds_second_recall": sorted([each["recall_new"] for each in compared])[-2:][0],
        "golds_second_contained": sorted([each["contained_words"] for each in compared])[-2:][0],
        "golds_min_recall": min(each["recall_new"] for each in compared),
    }


def _of_gold(gold: Gold) -> dict[str, float]:
    original = gold.text.original
    capitals = sum(gold.text.capitals)
    return {
        "gold_words": math.log1p(len(gold.text.words)),
        "gold_new_words": math.log1p(len(gold.new_weights)),
        "gold_new_weight": math.log1p(sum(gold.new_weights.values())),
        "gold_rarest": max(gold.new_weights.values()),
        "gold_commonest": min(gold.new_weights.values()),
        "gold_letters": math.log1p(len(gold.compact)),
        "gold_is_number": float(len(gold.numbers) == len(gold.text.words)),
        "gold_has_number": float(bool(gold.numbers)),
        "gold_has_year": float(bool(gold.years)),
        "gold_is_name": float(
            2 <= len(gold.text.words) <= 3 and capitals == len(gold.text.words) > len(gold.numbers)
        ),
        "gold_is_lower": float(capitals == 0),
        "gold_capital_share": capitals / len(gold.text.words),
        "gold_is_foreign": float(not original.isascii()),
        "gold_has_dash": float("-" in original or "–" in original),
        "gold_has_comma": float("," in original),
        "gold_has_bracket": float("(" in original),
        "gold_has_and": float("and" in gold.text.words or "&" in original),
        "gold_is_yes": float(gold.polarity is True),
        "gold_is_no": float(gold.polarity is False),
        "gold_has_unit": float(not _UNITS.isdisjoint(gold.text.words)),
    }


def _of_numbers(question: Question, gold: Gold, said: _Said) -> dict[str, float]:
    there = said.number_set
    asked = question.numbers
    wanted = gold.numbers - asked or gold.numbers
    shared = wanted & there
    others = [number for number in said.numbers if number not in gold.numbers and number not in asked]
    years = {number for number in there if is_year(number)}
    stated = _floats(wanted)
    gap = min(
        (abs(one - other) / max(abs(one), abs(other), 1.0) for one in stated for other in _floats(there)),
        default=1.0,
    )
    return {
        "numbers_all": float(bool(wanted) and wanted <= there),
        "numbers_share": len(shared) / len(wanted) if wanted else 0.0,
        "numbers_none": float(bool(wanted) and not shared),
        "numbers_other": math.log1p(len(others)),
        "numbers_contradict": float(bool(wanted) and not shared and bool(others)),
        "numbers_begin": float(
            bool(wanted)
            and not shared
            and any(other.startswith(number) for number in wanted if len(number) > 2 for other in there)
        ),
        "numbers_gap": min(gap, 1.0) if stated and there else 1.0,
        "years_differ": float(bool(gold.years) and bool(years) and not gold.years & years),
        "years_equal": float(bool(gold.years & years)),
        "years_extra": float(len(years - gold.years - asked)),
        "first_number_right": float(
            bool(wanted) and next((number in wanted for number in said.numbers if number not in asked), False)
        ),
        "has_number": float(bool(there)),
        "has_unit": float(not _UNITS.isdisjoint(said.words)),
        "unit_shared": float(any(word in _UNITS and word in said.words for word in gold.text.words)),
        "number_for_name": float(not gold.numbers and len(said.numbers) == len(said.words)),
        "name_for_number": float(bool(wanted) and not there),
    }


def _of_dates(gold: Gold, said: _Said) -> dict[str, float]:
    month, day = gold.month, gold.day
    months = [place for place, word in enumerate(said.words) if word in _MONTHS]
    same_month = [place for place in months if said.words[place] == month]
    days = {
        word for place in same_month for word in said.words[max(0, place - 1) : place + 2] if word in DAYS
    }
    decades = {year[:3] for year in said.number_set if is_year(year)}
    nearest = min(
        (abs(int(one) - int(other)) for one in gold.years for other in said.number_set if is_year(other)),
        default=99,
    )
    return {
        "month_equal": float(bool(same_month)),
        "month_differs": float(bool(month) and bool(months) and not same_month),
        "month_missing": float(bool(month) and not months),
        "month_added": float(not month and bool(months)),
        "day_equal": float(bool(day) and day in days),
        "day_differs": float(bool(day) and bool(days) and day not in days),
        "year_gap": math.log1p(nearest) if nearest < 99 else 5.0,
        "decade_equal": float(any(year[:3] in decades for year in gold.years)),
        **_of_periods(gold, said),
    }


def _of_periods(gold: Gold, said: _Said) -> dict[str, float]:
    """Compare centuries and eras: "957 BC" lies in "the 10th century BC"; all 0 where one side has none."""
    own, theirs = _centuries(gold.text), _centuries(said.text)
    eras, said_eras = not _BEFORE.isdisjoint(gold.text.words), not _BEFORE.isdisjoint(said.words)
    both = bool(own) and bool(theirs)
    return {
        "century_equal": float(both and not own.isdisjoint(theirs)),
        "century_differs": float(both and own.isdisjoint(theirs)),
        "century_named": float("century" in gold.text.words) - float("century" in said.words),
        "era_equal": float(eras and said_eras),
        "era_differs": float(eras != said_eras and (both or bool(gold.numbers))),
    }


def _centuries(text: Text) -> set[int]:
    found = set()
    for place in text.numbers:
        number = text.words[place]
        if is_year(number):
            found.add(int(number) // 100 + 1)
        elif text.words[place + 1 : place + 2] in (("century",), ("centuries",)) and number.isdigit():
            found.add(int(number[:3]))
        elif not _BEFORE.isdisjoint(text.words[place + 1 : place + 2]) and number.isdigit():
            found.add(int(number[:6]) // 100 + 1)
    return found


def _of_context(question: Question, gold: Gold, said: _Said) -> dict[str, float]:
    asked = question.content
    by_sentence: dict[int, set[str]] = {}
    for stem, sentence in zip(said.stems, said.text.sentences, strict=True):
        by_sentence.setdefault(sentence, set()).add(stem)
    total = sum(gold.new_weights.values()) or 1.0
    best_both = best_recall = best_asked = 0.0
    for stems in by_sentence.values():
        recall = sum([weight for stem, weight in gold.new_weights.items() if stem in stems]) / total
        share = len(asked & stems) / (len(asked) or 1)
        if recall > best_recall or (recall == best_recall and share > best_asked):
            best_recall, best_asked = recall, share
        best_both = max(best_both, recall * (0.3 + share))
    match = [said.first[stem] for stem in gold.new_weights if stem in said.first]
    places = [place for place, stem in enumerate(said.stems) if stem in asked] if match else []
    middle = sum(match) / len(match) if match else 0.0
    first = min(by_sentence) if by_sentence else 0
    return {
        "sentence_both": best_both,
        "sentence_recall": best_recall,
        "sentence_asked": best_asked,
        "first_asked": len(asked & by_sentence.get(first, set())) / (len(asked) or 1),
        "distance_to_asked": math.log1p(min((abs(place - middle) for place in places), default=30.0)),
        "asked_before": sum(place < middle for place in places) / (len(places) or 1),
        "synonyms": _synonym_share(gold, said),
        "other_name": float(any(f" {name} " in said.spaced for name in gold.other_names)),
        "asked_missing": math.log1p(len(asked - said.stem_set)),
    }


def _synonym_share(gold: Gold, said: _Said) -> float:
    """Return the share of the weight of the gold's new words that stand in the answer, or a synonym does."""
    if not said.words:
        return 0.0
    total = sum(gold.new_weights.values()) or 1.0
    return (
        sum(
            [
                weight
                for stem, weight in gold.new_weights.items()
                if stem in said.stem_set or not said.words_set.isdisjoint(gold.synonyms.get(stem, ()))
            ]
        )
        / total
    )


def _floats(numbers: frozenset[str]) -> list[float]:
    return [float(number) for number in numbers if len(number) < 16]


def _of_denial(gold: Gold, said: _Said) -> dict[str, float]:
    denials = [place for place, word in enumerate(said.words) if word in NEGATIONS]
    match = [said.first[stem] for stem in gold.new_weights if stem in said.first]
    first = min(match, default=-1)
    before = [place for place in denials if 0 <= first - place <= 4]
    same = [
        place
        for place in denials
        if first >= 0
        and said.text.sentences[place] == said.text.sentences[first]
        and said.text.pauses[place] == said.text.pauses[first]
    ]
    said_yes = bool(said.words) and said.words[0] in _YES
    said_no = bool(said.words) and said.words[0] in _NO
    polarity = gold.polarity
    original = said.text.original
    return {
        "denials": math.log1p(len(denials)),
        "denied_before": float(bool(before)),
        "denied_clause": float(bool(same)),
        "gold_denies": float(not NEGATIONS.isdisjoint(gold.text.words)),
        "denied_first": float(bool(denials) and said.text.sentences[denials[0]] == 0),
        "refusals": math.log1p(len(REFUSALS.findall(original))),
        "refuses_first": float(bool(REFUSALS.search(original[:120]))),
        "hedges": math.log1p(sum(word in _HEDGES for word in said.words)),
        "contrasts": math.log1p(sum(word in _CONTRASTS for word in said.words)),
        "contrast_before": float(
            first > 0 and any(word in _CONTRASTS for word in said.words[max(0, first - 8) : first])
        ),
        "says_yes": float(said_yes),
        "says_no": float(said_no),
        "yes_agrees": float(polarity is not None and ((polarity and said_yes) or (not polarity and said_no))),
        "yes_differs": float(
            polarity is not None and ((polarity and said_no) or (not polarity and said_yes))
        ),
        "asks_back": float("?" in original),
        "speaks_of_itself": float("i" in said.words[:30]),
    }


def _of_answer(said: _Said) -> dict[str, float]:
    words, text = said.words, said.text
    count = len(words)
    capitals = [
        stem
        for stem, is_capital, word in zip(said.stems, text.capitals, words, strict=True)
        if is_capital and not word[0].isdigit()
    ]
    gold_stems = frozenset(stem for gold in said.question.golds for stem in gold.text.stems)
    strange = [
        stem
        for stem in capitals
        if stem not in STOP_WORDS and stem not in said.question.stems and stem not in gold_stems
    ]
    before = 0
    for stem, is_capital in zip(said.stems, text.capitals, strict=True):
        if stem in gold_stems and stem not in said.question.stems and stem not in STOP_WORDS:
            break
        before += is_capital and stem not in said.question.stems and stem not in STOP_WORDS
    shared = sum(stem in said.stem_set for stem in said.question.stems)
    return {
        "words": math.log1p(count),
        "letters": math.log1p(len(text.original)),
        "sentences": math.log1p(text.sentences[-1] if count else 0),
        "is_short": float(count <= 5),
        "is_one_word": float(count == 1),
        "is_long": float(count > 40),
        "new_words": math.log1p(len(said.new_set)),
        "new_share": len(said.new) / (len(said.content) or 1),
        "stop_share": 1.0 - len(said.content) / (count or 1),
        "restates": shared / (len(said.question.stems) or 1),
        "commas": math.log1p(text.original.count(",")),
        "ands": math.log1p(words.count("and")),
        "ors": math.log1p(words.count("or")),
        "capitals_strange": math.log1p(len(strange)),
        "capitals_strange_share": len(strange) / (len(capitals) or 1),
        "capitals_before": math.log1p(before),
        "is_foreign": float(not text.original.isascii()),
        "has_dash": float("-" in text.original or "–" in text.original),
        "has_bracket": float("(" in text.original),
        "has_quote": float('"' in text.original or "“" in text.original),
        "has_list": float(bool(re.search(r"(?:^|\n)\s*(?:\d+[.)]|[-*•])\s", text.original))),
        "is_cut": float(bool(text.original) and text.original.rstrip()[-1:] not in ".!?\"')”"),
        "is_lower": float(not capitals),
    }


_SAMPLE = prepare("who", ("x",), Rarity({}, 1.0))
FEATURES: tuple[str, ...] = tuple(measure(_SAMPLE, read("x")))
