"""Which answers a tagging round is about, and which of them it draws."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

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


class Filter(NamedTuple):
    """What a round draws from: decided answers for which all of this holds. Empty words ask nothing.

    run: the judge whose verdicts `said` is about, by public id. system: one that gave the answer, by
    public id. flag: a remark raters made about the question. beyond_gold: it equals no gold answer.
    """

    people: People = People.ANY
    run: str = ""
    said: Said = Said.ANY
    system: str = ""
    flag: str = ""
    beyond_gold: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the form that `from_json` reads."""
        return {**self._asdict(), "people": self.people.value, "said": self.said.value}

    @classmethod
    def from_json(cls, given: Mapping[str, Any]) -> "Filter":
        """Read the JSON form; what is left out asks nothing."""
        values = {name: value for name, value in given.items() if name in cls._fields}
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
