"""A tagging round as plain values: what it draws, what came out, how far proposals agree with people."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from analysis.intervals import Figure, Undefined, wilson_interval
from judges.tagging.rules.sets import Tag

FLAGS = ("ambiguous", "time_dependent", "list", "gold_improper", "unclear")


class People(StrEnum):
    """What people decided of an answer."""

    ANY = "any"
    ACCEPT = "accept"
    POSSIBLY = "possibly"
    ACCEPT_OR_POSSIBLY = "accept_or_possibly"
    REJECT = "reject"


class Said(StrEnum):
    """What the judge said of it; `ERRS`: something else than people, who either accept or do not."""

    ANY = "any"
    ACCEPTS = "accepts"
    REJECTS = "rejects"
    ERRS = "errs"


@dataclass(frozen=True)
class Filter:
    """The decided answers from which a round is sampled. All conditions must be met; empty ones are ignored.

    `run`: the ID of the run whose verdicts `said` refers to. `system`: the ID of a system that gave the
    answer. `flag`: a flag on the question. `beyond_gold`: whether to take only answers that equal no gold
    answer. `by_hand`: whether the answers were selected individually, so that they represent no others.
    """

    people: People = People.ANY
    run: str = ""
    said: Said = Said.ANY
    system: str = ""
    flag: str = ""
    beyond_gold: bool = False
    by_hand: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the form that `from_json` reads."""
        return {**asdict(self), "people": self.people.value, "said": self.said.value}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "Filter":
        """Read the JSON form; what is left out asks nothing."""
        values = {name: value for name, value in given.items() if name in cls.__dataclass_fields__}
        return cls(
            **{
                **values,
                "people": People(values.get("people", People.ANY)),
                "said": Said(values.get("said", Said.ANY)),
            }
        )


class AnswerFacts(NamedTuple):
    """What a filter asks of an answer. credit: of its decision; accepted: by the judge, None: no verdict."""

    id: int
    name: str
    question: int
    question_name: str
    credit: str
    accepted: bool | None
    equals_gold: bool


_CREDITS: Mapping[People, frozenset[str]] = {
    People.ANY: frozenset({"definite", "possible", "none"}),
    People.ACCEPT: frozenset({"definite"}),
    People.POSSIBLY: frozenset({"possible"}),
    People.ACCEPT_OR_POSSIBLY: frozenset({"definite", "possible"}),
    People.REJECT: frozenset({"none"}),
}


def fits(answer: AnswerFacts, wanted: Filter) -> bool:
    """Say whether an answer is one of those a round is about, its system and flags apart."""
    if answer.credit not in _CREDITS[wanted.people]:
        return False
    if wanted.beyond_gold and answer.equals_gold:
        return False
    if not wanted.run:
        return True
    return answer.accepted is not None and _says(wanted.said, answer)


def _says(said: Said, answer: AnswerFacts) -> bool:
    if said is Said.ERRS:
        # As on the judge board: only a definitely correct answer is one to accept.
        return answer.accepted != (answer.credit == "definite")
    return said is Said.ANY or answer.accepted == (said is Said.ACCEPTS)


def draw(answers: Iterable[AnswerFacts], *, size: int | None, seed: int, by_question: bool) -> list[int]:
    """Return the ids of the answers that are tagged, in the order of their work; None draws all.

    Each answer has a place that depends on the seed and its own name only, so the same seed draws the same
    ones whatever order they come in, and a larger size draws further ones. by_question: one answer a
    question, which stands for it.
    """
    placed = sorted(answers, key=lambda answer: (_place(seed, answer.name), answer.id))
    if by_question:
        placed = _one_a_question(placed, seed=seed)
    return [answer.id for answer in placed[:size]]


def _place(seed: int, name: str) -> str:
    return hashlib.sha256(f"tagging\x00{seed}\x00{name}".encode()).hexdigest()


def _one_a_question(answers: Sequence[AnswerFacts], *, seed: int) -> list[AnswerFacts]:
    first = {answer.question: answer for answer in reversed(answers)}
    # By the question's own place: a question with many answers is no likelier to be drawn.
    return sorted(first.values(), key=lambda answer: (_place(seed, answer.question_name), answer.id))


class TagPair(NamedTuple):
    """An item on which somebody spoke, beside what was proposed for it."""

    proposed: frozenset[str]
    said: frozenset[str]


@dataclass(frozen=True)
class TagCount:
    """One tag: how many of the compared items got it from a model or rule, from people, and from both."""

    tag: str
    proposed: int
    said: int
    both: int


@dataclass(frozen=True)
class ProposalComparison:
    """Proposed tags compared with people’s.

    `compared`: the number of tagged items with a proposal. `agreed`: how many of these got exactly the
    proposed tags.
    """

    compared: int
    agreed: int
    share: Figure
    tags: list[TagCount]


def compare_tags(*, pairs: Sequence[TagPair], offered: Iterable[str]) -> ProposalComparison:
    """Count agreement over items that have a proposal and somebody's tags; tags in the order offered."""
    agreed = sum(pair.proposed == pair.said for pair in pairs)
    return ProposalComparison(
        compared=len(pairs),
        agreed=agreed,
        share=_share(agreed, of=len(pairs)),
        tags=[_count(tag, pairs) for tag in offered],
    )


def _count(tag: str, pairs: Sequence[TagPair]) -> TagCount:
    return TagCount(
        tag=tag,
        proposed=sum(tag in pair.proposed for pair in pairs),
        said=sum(tag in pair.said for pair in pairs),
        both=sum(tag in pair.proposed & pair.said for pair in pairs),
    )


@dataclass(frozen=True)
class TagShare:
    """One tag: the number of tagged items for which people chose it, and their share."""

    key: str
    name: str
    items: int
    share: Figure


@dataclass(frozen=True)
class RoundResults:
    """The results of a round.

    `tags`: in the order of the tag set. An item may have several tags.
    """

    tagged: int
    unattributable: int
    tags: list[TagShare]


def count_tags(
    *,
    said: Sequence[frozenset[str]],
    unattributable: int,
    offered: Iterable[Tag],
    is_sample: bool = True,
) -> RoundResults:
    """Count each tag over the tagged items. `said`: an item's tags, none where no tag fits.

    is_sample: they were drawn, so that shares say how sure they are; chosen ones stand for no others.
    """
    total = len(said)
    counts = ((tag, sum(tag.key in tags for tags in said)) for tag in offered)
    return RoundResults(
        tagged=total,
        unattributable=unattributable,
        tags=[
            TagShare(tag.key, tag.name, count, _share(count, of=total, is_sample=is_sample))
            for tag, count in counts
        ],
    )


def _share(count: int, *, of: int, is_sample: bool = True) -> Figure:
    bounds = wilson_interval(successes=count, total=of)
    if isinstance(bounds, Undefined):
        return Figure.of(bounds, bounds)
    return Figure.of(count / of, bounds if is_sample else None)
