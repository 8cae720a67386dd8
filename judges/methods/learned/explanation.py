"""Why the learned judge decided so: codes with places in the answer, for a page to say in words."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from judges.methods.learned.evidence import likeness_of
from judges.methods.learned.features.measures import best_gold
from judges.methods.learned.features.stance import NEGATIONS, REFUSALS
from judges.methods.learned.features.texts import Gold, Question, prepare
from judges.methods.learned.memory import DecidedAnswer
from judges.methods.learned.model import load_weights
from judges.methods.learned.reading import STOP_WORDS, Text, read

# How many words before the gold answer a denial is looked for; as the features do.
_REACH = 4
# A decided answer that shares less of its new words is none that an answer is like.
_LEAST_SHARED = 0.5


class Ground(StrEnum):
    """What speaks for or against an answer."""

    EQUAL = "equal"
    OVERLAP = "overlap"
    NO_OVERLAP = "no_overlap"
    OTHER_NUMBER = "other_number"
    DENIAL = "denial"
    REFUSAL = "refusal"
    LIKE_ACCEPTED = "like_accepted"
    LIKE_REJECTED = "like_rejected"


@dataclass(frozen=True)
class Span:
    """A range of characters in the answer; `end` is not included."""

    start: int
    end: int


@dataclass(frozen=True)
class Reason:
    """A reason for or against the answer, and where the answer shows it.

    `ground`: the kind of reason. `about`: the gold answer, or the other answer that people decided, with
    which the answer was compared; may be empty. `missing`: words of that answer that are not in this one.
    `spans`: the places in the answer; may be an empty list.
    """

    ground: Ground
    about: str
    missing: list[str]
    spans: list[Span]


def explain(
    *, question: str, golds: Sequence[str], answer: str, decided: Sequence[DecidedAnswer] = ()
) -> list[Reason]:
    """Return what the learned judge saw, the most telling first; nothing where it abstains.

    decided: people's decisions on answers to the same question; that on the answer itself is not used.
    """
    prepared, text = prepare(question, golds, load_weights().rarity), read(answer)
    if not prepared.golds or not text.words:
        return []
    gold = best_gold(prepared, text)
    found = [*_overlap(gold, text), *_numbers(prepared, gold, text), *_denial(gold, text), *_refusal(text)]
    return [*found, *_likeness(prepared, text, decided)]


def _overlap(gold: Gold, text: Text) -> Iterator[Reason]:
    new = gold.new_weights
    places = [place for place, stem in enumerate(text.stems) if stem in new]
    missing = [
        word
        for word, stem in zip(gold.text.words, gold.text.stems, strict=True)
        if stem in new and stem not in text.stems
    ]
    about = gold.text.original
    if not places:
        yield Reason(Ground.NO_OVERLAP, about, missing, [])
        return
    is_equal = not missing and all(stem in gold.stems or stem in STOP_WORDS for stem in text.stems)
    yield Reason(Ground.EQUAL if is_equal else Ground.OVERLAP, about, missing, _spans(text, places))


def _numbers(question: Question, gold: Gold, text: Text) -> Iterator[Reason]:
    wanted = gold.numbers - question.numbers
    said = [place for place in text.numbers if text.words[place] not in question.numbers]
    if wanted and said and wanted.isdisjoint(text.words[place] for place in said):
        yield Reason(Ground.OTHER_NUMBER, gold.text.original, sorted(wanted), _spans(text, said))


def _denial(gold: Gold, text: Text) -> Iterator[Reason]:
    matched = [place for place, stem in enumerate(text.stems) if stem in gold.new_weights]
    if not matched or not NEGATIONS.isdisjoint(gold.text.words):
        return
    before = range(max(0, matched[0] - _REACH), matched[0])
    denials = [place for place in before if text.words[place] in NEGATIONS]
    if denials:
        yield Reason(Ground.DENIAL, gold.text.original, [], _spans(text, denials))


def _refusal(text: Text) -> Iterator[Reason]:
    spans = [Span(match.start(), match.end()) for match in REFUSALS.finditer(text.original)]
    if spans:
        yield Reason(Ground.REFUSAL, "", [], spans)


def _likeness(question: Question, text: Text, decided: Sequence[DecidedAnswer]) -> Iterator[Reason]:
    rarity = load_weights().rarity
    for ground, accepted in ((Ground.LIKE_ACCEPTED, True), (Ground.LIKE_REJECTED, False)):
        others = [row for row in decided if row.accepted is accepted and row.answer != text.original]
        likes = [(likeness_of(question, text, read(row.answer), rarity), row) for row in others]
        likes = [(like, row) for like, row in likes if max(like.covers, like.is_covered) >= _LEAST_SHARED]
        if not likes:
            continue
        _, nearest = max(likes, key=lambda pair: (pair[0].nearness, pair[1].answer))
        shared = set(read(nearest.answer).stems) - STOP_WORDS - question.stems
        places = [place for place, stem in enumerate(text.stems) if stem in shared]
        yield Reason(ground, nearest.answer, [], _spans(text, places))


def _spans(text: Text, places: Sequence[int]) -> list[Span]:
    """Return the stretches of words; neighbors are one."""
    spans: list[Span] = []
    for before, place in zip((None, *places), places, strict=False):
        if before is not None and before == place - 1:
            spans[-1] = Span(spans[-1].start, text.ends[place])
        else:
            spans.append(Span(text.starts[place], text.ends[place]))
    return spans
