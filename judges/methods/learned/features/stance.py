"""What an answer makes of what it says: it denies, refuses, hedges, or says yes or no."""

import math
import re

from judges.methods.learned.features.texts import NO, YES, Gold, Said
from judges.methods.learned.reading import STOP_WORDS

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
COPULAS = frozenset(["is", "are", "was", "were", "by", "called", "named", "as"])


def of_denial(gold: Gold, said: Said) -> dict[str, float]:
    """Say whether the answer denies, and whether it denies what the gold answer says."""
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
    said_yes = bool(said.words) and said.words[0] in YES
    said_no = bool(said.words) and said.words[0] in NO
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


def of_answer(said: Said) -> dict[str, float]:
    """Describe the answer by itself: its length and form, and how sure it sounds."""
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
