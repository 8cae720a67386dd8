"""What the learned judge measures of a question, its gold answers and an answer: some 190 numbers."""

import math
from collections.abc import Mapping, Sequence
from functools import cache

from rapidfuzz import fuzz, process

from judges.methods.learned.features.quantities import (
    UNITS,
    of_all_dates,
    of_all_numbers,
    of_dates,
    of_numbers,
)
from judges.methods.learned.features.stance import COPULAS, of_answer, of_denial
from judges.methods.learned.features.texts import Gold, Question, Rarity, Said, prepare
from judges.methods.learned.reading import STOP_WORDS, Text, read

# Of many gold answers only these, the nearest by shared words, are compared in full.
MOST_COMPARED = 4
# So many missing words of a gold answer are looked for by their letters.
_MOST_SOUGHT = 12
# Kinds of questions that differ in how much of the gold answer people let an answer lack.
_STRICT = ("who", "when", "where", "count", "what", "kind", "show")
_TITLES = frozenset(
    {"dr", "mr", "mrs", "ms", "sir", "lord", "lady", "king", "queen", "president", "saint", "st"}
)


def measure(question: Question, answer: Text) -> dict[str, float]:
    """Return every feature of an answer by name, as `feature_names` has them; there must be a usable gold."""
    said = Said(question, answer)
    nearest = _nearest_golds(question, said)
    compared = [_compare(gold, said) for gold in nearest]
    best_place = max(range(len(compared)), key=lambda place: (_closeness(compared[place]), -place))
    best, gold = compared[best_place], nearest[best_place]
    return (
        best
        | _over_golds(question, compared, said)
        | _of_gold(gold)
        | of_numbers(question, gold, said)
        | of_dates(gold, said)
        | of_all_dates(question, said)
        | of_all_numbers(question, gold, said)
        | _of_context(question, gold, said)
        | of_denial(gold, said)
        | of_answer(said)
        | question.fixed
        | {
            f"lacking_{kind}": question.fixed[f"question_{kind}"] * (1.0 - best["recall_new"])
            for kind in _STRICT
        }
    )


def best_gold(question: Question, answer: Text) -> Gold:
    """Return the gold answer that an answer is measured against."""
    said = Said(question, answer)
    nearest = _nearest_golds(question, said)
    return max(nearest, key=lambda gold: _closeness(_compare(gold, said)))


def _nearest_golds(question: Question, said: Said) -> list[Gold]:
    places = sorted(
        range(len(question.golds)), key=lambda place: (-said.nearness(question.golds[place]), place)
    )
    return [question.golds[place] for place in places[:MOST_COMPARED]]


def _closeness(compared: Mapping[str, float]) -> float:
    return (
        compared["recall_new"]
        + compared["recall"]
        + compared["is_equal"]
        + compared["contained_words"]
        + compared["precision"] / 2
        + compared["ratio"] / 2
    )


def _compare(gold: Gold, said: Said) -> dict[str, float]:
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
        "recall_idf": sum(weight for stem, weight in gold.weights.items() if stem in stems) / (total or 1.0),
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
        "after_copula": float(first > 0 and said.words[first - 1] in COPULAS),
        "spread": _spread(gold, said),
        **_of_gaps(gold, said, missing),
    }


def _of_gaps(gold: Gold, said: Said, missing: Sequence[str]) -> dict[str, float]:
    """Say of missing words whether a name stands in their place beside a word that is there, or nothing.

    "Shawnee, Oklahoma" replaces a word of "Woodward, Oklahoma"; "Oklahoma" drops it.
    """
    replaced = dropped = 0.0
    stems, lost = gold.text.stems, frozenset(missing)
    for place, stem in enumerate(stems):
        if stem not in lost:
            continue
        weight = gold.new_weights[stem]
        for step in (-1, 1):
            neighbor = place + step
            at = said.first.get(stems[neighbor], -1) if 0 <= neighbor < len(stems) else -1
            if at < 0:
                continue
            beside = at - step
            is_other = (
                0 <= beside < len(said.words)
                and said.text.capitals[beside]
                and said.text.sentences[beside] == said.text.sentences[at]
                and said.stems[beside] not in gold.stems
                and said.stems[beside] not in said.question.stems
                and said.stems[beside] not in STOP_WORDS
                and said.words[beside] not in _TITLES
            )
            replaced, dropped = (replaced + weight, dropped) if is_other else (replaced, dropped + weight)
    total = sum(gold.new_weights.values()) or 1.0
    return {"replaced": replaced / total, "dropped": dropped / total}


def _nearest(missing: Sequence[str], said: Said) -> dict[str, float]:
    """Return for each missing word how like it the most similar word of the answer is, 0 to 1."""
    near = dict.fromkeys(missing, 0.0)
    for stem in missing[:_MOST_SOUGHT]:
        if stem[0].isdigit() or len(stem) < 3:
            continue
        found = process.extractOne(stem, said.distinct, scorer=fuzz.ratio, score_cutoff=60)
        near[stem] = found[1] / 100.0 if found and not found[0][0].isdigit() else 0.0
    return near


def _longest_run(gold: Sequence[str], said: Said) -> int:
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


def _spread(gold: Gold, said: Said) -> float:
    """Return over how many words of the answer those of the gold answer are spread, in its own length."""
    places = [said.first[stem] for stem in gold.new_weights if stem in said.first]
    if len(places) < 2:
        return 0.0
    return math.log1p((max(places) - min(places)) / len(places))


def _share_initials(gold: Gold, said: Said) -> bool:
    if len(said.words) == 1 and len(said.words[0]) > 1:
        return said.words[0] == gold.initials
    if len(gold.text.words) == 1 and 1 < len(gold.joined) < 6 and gold.text.original.isupper():
        return gold.joined in "".join(
            word[0] for word, is_capital in zip(said.words, said.text.capitals, strict=True) if is_capital
        )
    return False


def _over_golds(question: Question, compared: Sequence[Mapping[str, float]], said: Said) -> dict[str, float]:
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
        "gold_has_unit": float(not UNITS.isdisjoint(gold.text.words)),
    }


def _of_context(question: Question, gold: Gold, said: Said) -> dict[str, float]:
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


def _synonym_share(gold: Gold, said: Said) -> float:
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


@cache
def feature_names() -> tuple[str, ...]:
    """Return the features' names in their order; the first call reads WordNet, so no module does it."""
    return tuple(measure(prepare("who", ("x",), Rarity({}, 1.0)), read("x")))
