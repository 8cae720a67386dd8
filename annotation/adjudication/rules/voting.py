"""How votes become a decision, and what is still needed where they do not, as pure functions."""

from collections import Counter
from collections.abc import Sequence
from enum import StrEnum
from typing import NamedTuple

from annotation.projects.rules import Credit, DecisionRule, Protocol, TieBreak

# What a decision says that came with a file of answers listed by what people decided.
RELEASED_LIST = "released list"

# Of answers that equal a gold answer, where the protocol has them count as correct unjudged.
GOLD_EQUAL_RULE = "gold_equal"

# What a machine's decision says when it is withdrawn with all others of its kind, not by itself.
WITHDRAWN_TOGETHER = "withdrawn together"


# What the row says by which a person sends an answer back to raters.
SENT_BACK = "sent_back"
# And the row by which that ends before a rater was given the answer: the votes there are speak again.
CALLED_BACK = "called_back"

# What a row says that takes a decision back right after it was made: what stood before stands again.
TAKEN_BACK = "taken back"


class Need(StrEnum):
    """What an answer waits for: nothing, more raters, one who breaks the tie, or the lead."""

    NOTHING = "nothing"
    RATERS = "raters"
    TIE_BREAK = "tie_break"
    LEAD = "lead"


class Basis(StrEnum):
    """On what a rule's decision rests."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"


class Outcome(NamedTuple):
    """A decision, or what is still needed for one; `votes_missing` counts the votes still to come."""

    label: str | None
    basis: Basis | None
    need: Need
    votes_missing: int = 0


def decide(
    *, votes: Sequence[str], protocol: Protocol, tie_breaks: Sequence[str] = (), least_votes: int = 0
) -> Outcome:
    """Return what the counted votes on one answer come to.

    `votes`: labels of the raters every answer has, in any order; `tie_breaks`: labels of those asked
    only because the others disagreed, which matter only while they do. Labels whose credit is
    "missing" are no votes, and surplus votes must not be passed. `least_votes`: how many an answer that
    was sent back needs in all; beyond the protocol's raters they weigh alike, and a rule that reads a
    fixed number of votes asks for no more. Raises `KeyError` for a label the protocol does not have.
    """
    first = _counted(votes, protocol)
    lacking = protocol.raters_per_answer - len(first)
    if lacking > 0:
        return Outcome(label=None, basis=None, need=Need.RATERS, votes_missing=lacking)
    if protocol.decision_rule is DecisionRule.TWO_OF_THREE:
        return _decided(label=_two_of_three(first, protocol), votes=first)
    further = _counted(tie_breaks, protocol)
    least_votes = least_votes if takes_further_votes(protocol) else 0
    lacking = least_votes - len(first) - len(further)
    if lacking > 0:
        return Outcome(label=None, basis=None, need=Need.TIE_BREAK, votes_missing=lacking)
    if least_votes > protocol.raters_per_answer:
        first, further = [*first, *further], []
    label = _majority(first) or _majority([*first, *further])
    if label is not None:
        return _decided(label=label, votes=first)
    if len(tie_breaks) < _most_tie_breaks(protocol):
        return Outcome(label=None, basis=None, need=Need.TIE_BREAK, votes_missing=1)
    return Outcome(label=None, basis=None, need=Need.LEAD)


def decide_columns(*, columns: Sequence[str], protocol: Protocol) -> Outcome:
    """Return what a file's row comes to when its votes are replayed.

    `columns`: labels by rater, empty where one gave none. As many columns as the protocol asks raters
    are the first round; later votes count while more are needed, one by one. Raises `KeyError` as
    `decide` does.
    """
    first = _counted(columns[: protocol.raters_per_answer], protocol)
    tie_breaks: list[str] = []
    outcome = decide(votes=first, protocol=protocol)
    for vote in _counted(columns[protocol.raters_per_answer :], protocol):
        if outcome.need is Need.RATERS:
            first.append(vote)
        elif outcome.need is Need.TIE_BREAK:
            tie_breaks.append(vote)
        else:
            break
        outcome = decide(votes=first, tie_breaks=tie_breaks, protocol=protocol)
    return outcome


def takes_further_votes(protocol: Protocol) -> bool:
    """Whether the rule reads any number of votes; "two of three" and "only rater" read theirs alone."""
    return protocol.decision_rule is DecisionRule.MAJORITY


def _most_tie_breaks(protocol: Protocol) -> int:
    if protocol.tie_break is TieBreak.MORE_RATERS:
        return protocol.most_raters - protocol.raters_per_answer
    return 1 if protocol.tie_break is TieBreak.THIRD_RATER else 0


def _counted(votes: Sequence[str], protocol: Protocol) -> list[str]:
    return [vote for vote in votes if vote and protocol.credit(vote) is not Credit.MISSING]


def _majority(votes: Sequence[str]) -> str | None:
    label, count = Counter(votes).most_common(1)[0]
    return label if 2 * count > len(votes) else None


def _two_of_three(votes: Sequence[str], protocol: Protocol) -> str:
    """Return the label of the EfficientQA rule (Min et al. 2021).

    Definitely correct if at least two say so; else possibly correct if at least two say definitely or
    possibly; else incorrect.
    """
    count = Counter(protocol.credit(vote) for vote in votes)
    if count[Credit.DEFINITE] >= 2:
        return _label_worth(Credit.DEFINITE, protocol)
    if count[Credit.DEFINITE] + count[Credit.POSSIBLE] >= 2:
        return _label_worth(Credit.POSSIBLE, protocol)
    return _label_worth(Credit.NONE, protocol)


def _label_worth(credit: Credit, protocol: Protocol) -> str:
    return next(label.key for label in protocol.labels if label.credit is credit)


def _decided(*, label: str, votes: Sequence[str]) -> Outcome:
    basis = Basis.UNANIMOUS if set(votes) == {label} else Basis.MAJORITY
    return Outcome(label=label, basis=basis, need=Need.NOTHING)


def wanted_slots(*, taken: int, votes_missing: int, held_for_them: int) -> int:
    """Return how many slots an answer may have filled: those taken, and the votes nobody is at yet.

    `held_for_them`: slots handed out, not yet judged, that will bring missing votes. Slots that are
    taken never go, whoever holds one may finish.
    """
    return taken + max(0, votes_missing - held_for_them)


WORDS_BY_CREDIT = {
    Credit.DEFINITE: frozenset({"yes", "correct", "true", "1", "acceptable", "definitely correct"}),
    Credit.POSSIBLE: frozenset({"possibly", "possibly correct", "partially correct"}),
    Credit.NONE: frozenset(
        {"no", "incorrect", "false", "0", "wrong", "unacceptable", "definitely incorrect"}
    ),
}


def label_of_word(word: str, *, protocol: Protocol) -> str | None:
    """Return the protocol's label that a word in a file means, or None where it means none.

    A label's own key or name goes before the usual words for right and wrong; case does not matter.
    """
    word = " ".join(word.split()).casefold()
    for label in protocol.labels:
        if word in (label.key.casefold(), label.name.casefold()):
            return label.key
    for label in protocol.labels:
        if word in WORDS_BY_CREDIT.get(label.credit, ()):
            return label.key
    return None
