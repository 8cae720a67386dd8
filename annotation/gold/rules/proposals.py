"""What is proposed for a question's gold list, and which answers each proposal would make right."""

import hashlib
from collections.abc import Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from analysis.text import GoldEntries, gold_entries_of, normalize_answer, search_any
from annotation.gold.rules.patterns import find_pattern
from annotation.gold.rules.spans import find_spans

# Of a proposal that a lead accepted, in the ledger.
PROPOSAL_RULE = "proposal"


class ProposalKind(StrEnum):
    """What joins the list: a short answer found in a long one, or a pattern of other writings, by family."""

    ALIAS = "alias"
    DATE = "date"
    NUMBER = "number"
    UNIT = "unit"
    NAME = "name"
    SPELLING = "spelling"

    @property
    def is_pattern(self) -> bool:
        """Whether its text is a regular expression, to be searched for, and no string to compare with."""
        return self is not ProposalKind.ALIAS


class Proposal(NamedTuple):
    """One string or pattern that may join a question's gold answers.

    source: the gold or accepted answer that it was made of. examples: writings that it takes.
    """

    kind: ProposalKind
    text: str
    source: str
    examples: tuple[str, ...]

    @property
    def hash(self) -> str:
        """A fixed-length stand-in for kind and text, alike in every copy of a study."""
        return hashlib.sha256(f"{self.kind.is_pattern:d}{self.text}".encode()).hexdigest()

    def matches(self, answer: str) -> bool:
        """Say whether an answer would be right by this alone."""
        if self.kind.is_pattern:
            return search_any((self.text,), answer.strip()).is_found
        return normalize_answer(answer) == normalize_answer(self.text)


def propose(*, question: str, gold: Iterable[str], patterns: Iterable[str] = ()) -> tuple[Proposal, ...]:
    """Return what may join a question's gold list, in the order of the answers it is made of.

    gold: its gold answers that are strings, accepted ones among them; patterns: those that are regular
    expressions. Nothing that is on the list is proposed, and nothing twice.
    """
    gold = tuple(dict.fromkeys(gold))
    known = {normalize_answer(answer) for answer in gold} | set(patterns)
    found: dict[str, Proposal] = {}
    for answer in gold:
        spans = find_spans(question=question, answer=answer)
        proposals = [
            *(Proposal(ProposalKind.ALIAS, span, answer, (span,)) for span in spans),
            *(_pattern(question, each, source=answer) for each in (answer, *spans)),
        ]
        for proposal in proposals:
            if proposal and _key(proposal) not in known:
                found.setdefault(_key(proposal), proposal)
    return tuple(found.values())


def _key(proposal: Proposal) -> str:
    return proposal.text if proposal.kind.is_pattern else normalize_answer(proposal.text)


def _pattern(question: str, answer: str, *, source: str) -> Proposal | None:
    found = find_pattern(question=question, answer=answer)
    if found is None:
        return None
    return Proposal(ProposalKind(found.family), found.regex, source, found.examples)


class Judged(NamedTuple):
    """An answer to a question and what people said: True accepted, False rejected, None neither."""

    text: str
    is_accepted: bool | None


class Effect(NamedTuple):
    """Places of the answers that a proposal matches.

    supported: people accepted them. The others the list does not have yet, and would call right with the
    proposal: right, people accepted them; wrong, they rejected them; open, they said neither.
    """

    supported: tuple[int, ...]
    right: tuple[int, ...]
    wrong: tuple[int, ...]
    open: tuple[int, ...]


def find_effect(proposal: Proposal, *, answers: Sequence[Judged], gold: GoldEntries) -> Effect:
    """Return which answers to its question a proposal matches; gold: the list as it is now."""
    matched = [place for place, answer in enumerate(answers) if proposal.matches(answer.text)]
    new = [place for place in matched if not gold.has(answers[place].text)]
    return Effect(
        supported=tuple(place for place in matched if answers[place].is_accepted),
        right=tuple(place for place in new if answers[place].is_accepted),
        wrong=tuple(place for place in new if answers[place].is_accepted is False),
        open=tuple(place for place in new if answers[place].is_accepted is None),
    )


def gold_with(
    proposals: Iterable[Proposal], *, gold: Iterable[str], patterns: Iterable[str] = ()
) -> GoldEntries:
    """Return the entries of a list that these proposals have joined."""
    return gold_entries_of(
        [
            *((answer, False) for answer in gold),
            *((pattern, True) for pattern in patterns),
            *((proposal.text, proposal.kind.is_pattern) for proposal in proposals),
        ]
    )
