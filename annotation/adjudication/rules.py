"""What votes come to, what a changed protocol makes of that, and what is before the lead and why."""

import hashlib
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import compress, groupby
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import Integers
from annotation.assignments.rules import is_tie_break, lowest_free_slot, round_of
from annotation.judgments.rules import Fate, fate_of
from annotation.projects.rules import Credit, DecisionRule, Protocol, TieBreak


@dataclass(frozen=True)
class Category:
    """A category of decisions.

    `meaning`: when to choose it.
    """

    key: str
    name: str
    meaning: str


CATEGORIES = (
    Category(
        "guideline",
        "Unclear guidelines",
        "The guidelines do not cover this case, or annotators understood them differently. Another "
        "sentence in the guidelines would prevent this.",
    ),
    Category(
        "evidence",
        "Missing knowledge or evidence",
        "The answer can be looked up, but not every annotator found or knew it.",
    ),
    Category(
        "granularity",
        "Borderline granularity",
        "The answer is less precise than the question requires, or more precise: a year instead of a day, or "
        "a town instead of a country.",
    ),
    Category(
        "ambiguous_question",
        "Ambiguous question",
        "The question can be read in more than one way, and the answer is correct in only some of these "
        "readings.",
    ),
    Category(
        "time_dependent", "Time-dependent answer", "The correct answer has changed or will change over time."
    ),
    Category(
        "incorrect_gold",
        "Incorrect gold answer",
        "The gold answer is incorrect, incomplete, or out of date, and an annotator relied on it.",
    ),
    Category(
        "rater_error",
        "Annotator error",
        "Nothing is unclear: the annotator pressed the wrong key, misread the answer, or ignored a "
        "guideline.",
    ),
    Category("other", "Other", "None of these. Explain in your own words."),
)
DECISION_CATEGORIES = tuple(category.key for category in CATEGORIES)


class QueueReason(StrEnum):
    """Why an answer is before the lead.

    REOPENED: a person withdrew the decision. CONFLICT: the raters' votes decided it, and a judge says
    otherwise; it waits for nobody and is listed only where asked for.
    """

    DISPUTED = "disputed"
    CANNOT_JUDGE = "cannot_judge"
    OUT_OF_RATERS = "out_of_raters"
    REOPENED = "reopened"
    CONFLICT = "conflict"


def queue_reason(*, is_disputed: bool, unable: bool, is_reopened: bool = False) -> QueueReason:
    """Return why an answer waits; `unable`: a rater skipped it or could not judge it."""
    if is_disputed:
        return QueueReason.REOPENED if is_reopened else QueueReason.DISPUTED
    return QueueReason.CANNOT_JUDGE if unable else QueueReason.OUT_OF_RATERS


class QueueKind(NamedTuple):
    """What answers before the lead can be filtered by; `pairs`: of raters who differ on them."""

    reason: QueueReason
    flags: frozenset[str]
    pairs: frozenset[str]
    judges: frozenset[str]


class QueueFilter(NamedTuple):
    """Which answers are asked for; an empty part asks for any. A judge implies the conflicts with it."""

    reason: str = ""
    flag: str = ""
    pair: str = ""
    judge: str = ""


def keep(kind: QueueKind, chosen: QueueFilter) -> bool:
    """Whether a filter keeps answers of a kind."""
    wants_conflicts = bool(chosen.judge) or chosen.reason == QueueReason.CONFLICT
    return (
        wants_conflicts == (kind.reason is QueueReason.CONFLICT)
        and chosen.reason in ("", kind.reason)
        and (not chosen.flag or chosen.flag in kind.flags)
        and (not chosen.pair or chosen.pair in kind.pairs)
        and (not chosen.judge or chosen.judge in kind.judges)
    )


def count_choices(*, kinds: Mapping[QueueKind, int], chosen: QueueFilter) -> dict[str, Counter[str]]:
    """Return by part of the filter how many answers each choice would show, the other parts as chosen.

    kinds: how many answers there are of each.
    """
    counts: dict[str, Counter[str]] = {part: Counter() for part in QueueFilter._fields}
    conflicts = chosen._replace(reason=QueueReason.CONFLICT)
    for kind, answers in kinds.items():
        is_conflict = kind.reason is QueueReason.CONFLICT
        if keep(kind, (conflicts if is_conflict else chosen)._replace(reason=kind.reason, judge="")):
            counts["reason"][kind.reason] += answers
        if is_conflict and keep(kind, conflicts._replace(judge="")):
            counts["judge"].update(dict.fromkeys(kind.judges, answers))
        if keep(kind, chosen._replace(flag="")):
            counts["flag"].update(dict.fromkeys(kind.flags, answers))
        if keep(kind, chosen._replace(pair="")):
            counts["pair"].update(dict.fromkeys(kind.pairs, answers))
    return counts


def pair_name(one: str, other: str) -> str:
    """Return how two raters together are called in an address; which comes first says nothing."""
    return "~".join(sorted((one, other)))


class WordsOf(NamedTuple):
    """Which words many things have, where few different sets of them occur.

    ids: of those that have any, rising. numbers: the place of each one's words in `sets`, the first of which
    is empty.
    """

    ids: Integers
    numbers: Integers
    sets: tuple[frozenset[str], ...]


def group_words(rows: Iterable[tuple[int, str]]) -> WordsOf:
    """Collect the words of each id; ids rise."""
    places: dict[frozenset[str], int] = {frozenset(): 0}
    found = {
        each: places.setdefault(frozenset(word for _, word in own), len(places))
        for each, own in groupby(rows, key=itemgetter(0))
    }
    ids, numbers = (np.array(list(column), dtype=np.int64) for column in (found, found.values()))
    return WordsOf(ids, numbers, tuple(places))


def group_columns(ids: Integers, words: Sequence[str], has: NDArray[np.bool_]) -> WordsOf:
    """Return the same of a table; ids rise. has: ids × words."""
    is_any = has.any(axis=1)
    found, numbers = np.unique(np.packbits(has[is_any], axis=1), axis=0, return_inverse=True)
    rows = np.unpackbits(found, axis=1, count=len(words))
    sets = (frozenset(compress(words, row)) for row in rows.tolist())
    return WordsOf(ids[is_any], numbers + 1, (frozenset(), *sets))


def places_of(words: WordsOf, ids: Integers) -> Integers:
    """Return for each of these ids the place of its words in `words.sets`."""
    rows = np.searchsorted(words.ids, ids)
    is_among = np.append(words.ids, -1)[rows] == ids
    return np.where(is_among, np.append(words.numbers, 0)[rows], 0)


class JudgeConflicts(NamedTuple):
    """The names of judges by key, and which judged each answer otherwise than the raters' votes decided."""

    names: Mapping[str, str]
    judges: WordsOf


NO_CONFLICTS = JudgeConflicts({}, group_words(()))


def letters_of(*, rater_ids: Iterable[int], salt: str) -> dict[int, str]:
    """Return letters A, B, C … for the raters of one answer, in an order that `salt` shuffles.

    The salt is the answer's own, so that a letter does not follow a rater from answer to answer.
    """
    shuffled = sorted(set(rater_ids), key=lambda rater: hashlib.sha256(f"{salt}:{rater}".encode()).digest())
    return {rater: _letter(place) for place, rater in enumerate(shuffled)}


def _letter(place: int) -> str:
    return string.ascii_uppercase[place % 26] * (place // 26 + 1)


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
    # One rater, and a judge that says the same.
    ROUTED = "routed"


class VoteOutcome(NamedTuple):
    """A decision, or what is still needed for one; `votes_missing` counts the votes still to come."""

    label: str | None
    basis: Basis | None
    need: Need
    votes_missing: int = 0


def decide(
    *, votes: Sequence[str], protocol: Protocol, tie_breaks: Sequence[str] = (), least_votes: int = 0
) -> VoteOutcome:
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
        return VoteOutcome(label=None, basis=None, need=Need.RATERS, votes_missing=lacking)
    if protocol.decision_rule is DecisionRule.TWO_OF_THREE:
        return _decided(label=_two_of_three(first, protocol), votes=first)
    further = _counted(tie_breaks, protocol)
    least_votes = least_votes if takes_further_votes(protocol) else 0
    lacking = least_votes - len(first) - len(further)
    if lacking > 0:
        return VoteOutcome(label=None, basis=None, need=Need.TIE_BREAK, votes_missing=lacking)
    if least_votes > protocol.raters_per_answer:
        first, further = [*first, *further], []
    label = _majority(first) or _majority([*first, *further])
    if label is not None:
        return _decided(label=label, votes=first)
    if len(tie_breaks) < _most_tie_breaks(protocol):
        return VoteOutcome(label=None, basis=None, need=Need.TIE_BREAK, votes_missing=1)
    return VoteOutcome(label=None, basis=None, need=Need.LEAD)


class Route(NamedTuple):
    """Where one rater and a judge who agree may settle an answer, what that judge says of this one.

    label: what it says, as surely as was asked for; empty where it stops nothing. confidence: None where it
    states none. is_drawn: goes on to further raters whatever the first one says, for the audit.
    asks_one_first: without a vote one rater is asked; False for what a route that ended has settled.
    is_noted: part of the route; False for what people alone are to judge. is_over: its rule was switched off,
    so that what it has settled stands, and nothing further is settled by it. number: of the route.
    """

    label: str
    confidence: float | None
    is_drawn: bool
    asks_one_first: bool
    is_noted: bool
    is_over: bool
    number: int
    reason: str


class Weighed(NamedTuple):
    """An answer on a route, and what its first rater says: empty before they have.

    is_alone: no second vote is there, or on its way, so that the judge was asked.
    """

    candidate_id: int
    route: Route
    first_label: str
    is_alone: bool


def may_be_routed(protocol: Protocol) -> bool:
    """Whether one rater less than the protocol's is fewer, and no fixed number of votes is read."""
    return takes_further_votes(protocol) and protocol.raters_per_answer > 1


def follow_route(
    outcome: VoteOutcome,
    *,
    route: Route | None,
    votes: Sequence[str],
    held: int,
    protocol: Protocol,
    is_routed: bool,
) -> VoteOutcome:
    """Return what votes come to on a route: one rater first, and none further where a judge agrees.

    votes: of the first round, the oldest first; held: slots of that round somebody is at. With two votes, or
    a second one on its way, the protocol alone decides. is_routed: the answer is settled by its route now.
    """
    if route is None or outcome.need is not Need.RATERS or not may_be_routed(protocol):
        return outcome
    given = _counted(votes, protocol)
    if not given:
        return outcome._replace(votes_missing=1) if route.asks_one_first else outcome
    if len(given) > 1 or held or route.is_drawn or given[0] != route.label:
        return outcome
    if route.is_over and not is_routed:
        return outcome
    return VoteOutcome(label=route.label, basis=Basis.ROUTED, need=Need.NOTHING)


def weigh(candidate_id: int, *, route: Route, votes: Sequence[str], held: int, protocol: Protocol) -> Weighed:
    """Return what is to be noted of an answer on a route."""
    given = _counted(votes, protocol)
    is_alone = len(given) == 1 and not held and may_be_routed(protocol)
    return Weighed(candidate_id, route, given[0] if given else "", is_alone)


def decide_columns(*, columns: Sequence[str], protocol: Protocol) -> VoteOutcome:
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


def _decided(*, label: str, votes: Sequence[str]) -> VoteOutcome:
    basis = Basis.UNANIMOUS if set(votes) == {label} else Basis.MAJORITY
    return VoteOutcome(label=label, basis=basis, need=Need.NOTHING)


def wanted_slots(*, taken: int, votes_missing: int, held_for_them: int) -> int:
    """Return how many slots an answer may have filled: those taken, and the votes nobody is at yet.

    `held_for_them`: slots handed out, not yet judged, that will bring missing votes. Slots that are
    taken never go, whoever holds one may finish.
    """
    return taken + max(0, votes_missing - held_for_them)


class Turn(NamedTuple):
    """What one rater's turn at an answer comes to: the slot they were given, why, and what becomes of it."""

    slot: int
    round: str
    fate: Fate


@dataclass
class Standing:
    """An answer while recorded votes on it are read one by one, as raters would have handed them in.

    held: slots that are taken; turns: at the answer so far, those skipped included; live_first and live_ties:
    slots that raters of this place hold.
    """

    is_open: bool
    wanted: int
    least_votes: int = 0
    held: set[int] = field(default_factory=set)
    turns: int = 0
    first: list[str] = field(default_factory=list)
    tie_breaks: list[str] = field(default_factory=list)
    live_first: int = 0
    live_ties: int = 0

    @property
    def has_free_slot(self) -> bool:
        """Whether the next rater is asked."""
        return self.is_open and len(self.held) < self.wanted

    def take(self, *, label: str | None, protocol: Protocol, is_marked: bool) -> Turn:
        """Give the next rater the lowest free slot, take in what they say, and see what is asked further.

        `label`: None where they passed the answer on. `is_marked`: they took its question out of the scores,
        so their vote is kept and never counts.
        """
        raters = protocol.raters_per_answer
        slot = lowest_free_slot(held=self.held)
        turn = Turn(
            slot=slot,
            round=round_of(slot=slot, raters_per_answer=raters, turns_before=self.turns),
            fate=fate_of(
                credit=None if label is None else protocol.credit(label),
                holds_slot=not is_marked,
                is_needless=False,
            ),
        )
        self.turns += 1
        breaks_tie = is_tie_break(slot=slot, raters_per_answer=raters)
        if turn.fate is Fate.COUNTED and label is not None:
            self.held.add(slot)
            (self.tie_breaks if breaks_tie else self.first).append(label)
        self._settle(protocol)
        return turn

    def _settle(self, protocol: Protocol) -> None:
        outcome = decide(
            votes=self.first, tie_breaks=self.tie_breaks, protocol=protocol, least_votes=self.least_votes
        )
        held = self.live_ties if outcome.need is Need.TIE_BREAK else self.live_first
        self.wanted = wanted_slots(
            taken=len(self.held), votes_missing=outcome.votes_missing, held_for_them=held
        )
        self.is_open = outcome.label is None and outcome.need is not Need.LEAD


WORDS_BY_CREDIT = {
    Credit.DEFINITE: frozenset(
        {"yes", "correct", "right", "true", "1", "acceptable", "definitely correct"}
        | {"ja", "richtig", "korrekt"}
    ),
    Credit.POSSIBLE: frozenset({"possibly", "possibly correct", "partially correct"}),
    Credit.NONE: frozenset(
        {"no", "incorrect", "false", "0", "wrong", "unacceptable", "definitely incorrect"}
        | {"nein", "falsch", "inkorrekt"}
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


class Move(StrEnum):
    """What a changed protocol does to an answer that people judge."""

    STAYS = "stays"
    DECIDED = "decided"
    RELABELLED = "relabelled"
    REOPENED = "reopened"
    FOR_LEAD = "for_lead"
    FROM_LEAD = "from_lead"
    MORE_RATERS = "more_raters"
    FEWER_RATERS = "fewer_raters"


class Moved(NamedTuple):
    """A sort of move and the votes that lack after it; of interest where an answer goes back to raters."""

    move: Move
    votes_missing: int = 0


def move_of(
    *,
    label_before: str | None,
    was_disputed: bool,
    wanted_before: int,
    outcome: VoteOutcome,
    wanted_after: int,
) -> Moved:
    """Return what becomes of an answer whose votes come to `outcome` under a changed protocol."""
    if outcome.label is not None:
        if label_before is None:
            return Moved(Move.DECIDED)
        return Moved(Move.STAYS if label_before == outcome.label else Move.RELABELLED)
    if outcome.need is Need.LEAD:
        return Moved(Move.STAYS if was_disputed else Move.FOR_LEAD)
    if label_before is not None:
        return Moved(Move.REOPENED, outcome.votes_missing)
    if was_disputed:
        return Moved(Move.FROM_LEAD, outcome.votes_missing)
    if wanted_after == wanted_before:
        return Moved(Move.STAYS)
    return Moved(Move.MORE_RATERS if wanted_after > wanted_before else Move.FEWER_RATERS)


class SendBackRefusal(StrEnum):
    """Why an answer cannot be sent back."""

    NOT_BY_VOTES = "not_by_votes"
    FIXED_VOTES = "fixed_votes"
    MOST_RATERS = "most_raters_reached"
    NO_RATER_LEFT = "no_rater_left"
    NOT_WAITING = "not_waiting"

    @property
    def words(self) -> str:
        """What a lead reads."""
        return REFUSAL_WORDS[self]


REFUSAL_WORDS = {
    SendBackRefusal.NOT_BY_VOTES: (
        "This answer was not decided by annotators’ votes. Reopen it first, on the answer’s page."
    ),
    SendBackRefusal.FIXED_VOTES: (
        "This project’s decision rule uses a fixed number of votes, so another vote would change "
        "nothing. Decide the answer yourself."
    ),
    SendBackRefusal.MOST_RATERS: (
        "This answer already has the maximum number of annotators. Decide it yourself, or raise the maximum "
        "in the protocol."
    ),
    SendBackRefusal.NO_RATER_LEFT: (
        "Every active annotator has already received this answer. Decide it yourself, or invite another "
        "annotator."
    ),
    SendBackRefusal.NOT_WAITING: "This answer is not waiting for a decision, so you cannot send it back.",
}


class Situation(NamedTuple):
    """What sending an answer back depends on; `votes`: those that count, tie-breaks among them."""

    is_disputed: bool
    is_decided_by_votes: bool
    is_decided: bool
    votes: int
    has_rater_left: bool


def why_not_sent_back(*, situation: Situation, protocol: Protocol) -> SendBackRefusal | None:
    """Return why an answer cannot be given one more rater, or None where it can."""
    most = protocol.most_raters if protocol.tie_break is TieBreak.MORE_RATERS else None
    reasons = (
        (situation.is_decided and not situation.is_decided_by_votes, SendBackRefusal.NOT_BY_VOTES),
        (not takes_further_votes(protocol), SendBackRefusal.FIXED_VOTES),
        (most is not None and situation.votes >= most, SendBackRefusal.MOST_RATERS),
        (not situation.has_rater_left, SendBackRefusal.NO_RATER_LEFT),
        (not situation.is_decided and not situation.is_disputed, SendBackRefusal.NOT_WAITING),
    )
    return next((reason for applies, reason in reasons if applies), None)
