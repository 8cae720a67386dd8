"""What verdicts settle an answer, which settled answers go to raters anyway, and what those then say."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from operator import add
from typing import Any, NamedTuple

from analysis.intervals import Figure, Why, confidence_sequence

LARGEST_RULE_COUNT = 20
DEFAULT_AUDIT_SHARE = 0.05
DRAWS = 2**64
SEEDS = 2**53
NOTHING_DRAWN = "No settled answer was drawn for raters, so nobody knows how often the machine is wrong."
UNAUDITED = "Unaudited: {} could not be drawn for raters, so nothing tells how often the machine errs there."
NOBODY_YET = "People have not decided any of the drawn answers yet."


class Condition(StrEnum):
    """What the verdicts of a rule must say."""

    ANY_ACCEPTS = "any_accepts"
    ALL_ACCEPT = "all_accept"
    ANY_REJECTS = "any_rejects"
    ALL_REJECT = "all_reject"
    ALL_AGREE = "all_agree"


class Meaning(StrEnum):
    """What a rule makes of an answer; `AGREED` is what its verdicts agree on."""

    CORRECT = "correct"
    INCORRECT = "incorrect"
    AGREED = "agreed"


MEANINGS = {
    Condition.ANY_ACCEPTS: Meaning.CORRECT,
    Condition.ALL_ACCEPT: Meaning.CORRECT,
    Condition.ANY_REJECTS: Meaning.INCORRECT,
    Condition.ALL_REJECT: Meaning.INCORRECT,
    Condition.ALL_AGREE: Meaning.AGREED,
}
CONDITION_NAMES = {
    Condition.ANY_ACCEPTS: "any of them accepts: correct",
    Condition.ALL_ACCEPT: "all of them accept: correct",
    Condition.ANY_REJECTS: "any of them rejects: incorrect",
    Condition.ALL_REJECT: "all of them reject: incorrect",
    Condition.ALL_AGREE: "all of them agree: what they say",
}
MEANING_NAMES = {
    Meaning.CORRECT: "counts as correct",
    Meaning.INCORRECT: "counts as incorrect",
    Meaning.AGREED: "counts as what they say",
}
ANY = frozenset({Condition.ANY_ACCEPTS, Condition.ANY_REJECTS})


class Rule(NamedTuple):
    """One rule of a policy: the runs whose verdicts it reads, by public id, and what they must say."""

    runs: tuple[str, ...]
    condition: Condition

    @property
    def meaning(self) -> Meaning:
        """What the rule makes of the answers it settles."""
        return MEANINGS[self.condition]

    def to_json(self) -> dict[str, Any]:
        """Return the form that `read_rules` reads."""
        return {"runs": list(self.runs), "condition": self.condition.value}


class UnusablePolicy(ValueError):
    """A policy that cannot be applied; `field` names the place."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def read_rules(given: Sequence[Mapping[str, Any]]) -> tuple[Rule, ...]:
    """Read rules from plain values, in their order; raises `UnusablePolicy`."""
    if len(given) > LARGEST_RULE_COUNT:
        raise UnusablePolicy("rules", f"A policy has at most {LARGEST_RULE_COUNT} rules.")
    return tuple(_read_rule(place, rule) for place, rule in enumerate(given, start=1))


def _read_rule(place: int, given: Mapping[str, Any]) -> Rule:
    if not isinstance(given, Mapping):
        raise UnusablePolicy("rules", f"Rule {place} is no rule.")
    runs, condition = given.get("runs"), given.get("condition")
    if not isinstance(runs, list | tuple) or not runs or not all(isinstance(run, str) for run in runs):
        raise UnusablePolicy("rules", f"Rule {place} must name at least one run.")
    if len(set(runs)) != len(runs):
        raise UnusablePolicy("rules", f"Rule {place} names a run twice.")
    if condition not in list(Condition):
        raise UnusablePolicy("rules", f"Rule {place}: a condition is one of {', '.join(Condition)}.")
    if condition == Condition.ALL_AGREE and len(runs) < 2:
        raise UnusablePolicy("rules", f"Rule {place}: it takes at least two runs to agree.")
    return Rule(runs=tuple(runs), condition=Condition(condition))


def require_share(share: float) -> float:
    """Return an audit share from 0 to 1; raises `UnusablePolicy`."""
    if not 0.0 <= share <= 1.0:
        raise UnusablePolicy("audit_share", "The audit share is a number from 0 to 1.")
    return share


def content_hash(*, rules: Sequence[Rule], audit_share: float, seed: int) -> str:
    """Return the SHA-256 by which equal policies are the same policy."""
    spelled = json.dumps([[rule.to_json() for rule in rules], audit_share, seed], sort_keys=True)
    return hashlib.sha256(spelled.encode()).hexdigest()


def describe_rule(rule: Rule, *, names: Mapping[str, str]) -> str:
    """Return a rule in words; `names` of runs by public id."""
    joint = " or " if rule.condition in ANY else " and "
    judges = joint.join(names.get(run, run) for run in rule.runs)
    return f"{judges} {_verb(rule)}: {MEANING_NAMES[rule.meaning]}"


def _verb(rule: Rule) -> str:
    if rule.meaning is Meaning.AGREED:
        return "agree"
    verb = "accept" if rule.meaning is Meaning.CORRECT else "reject"
    is_plural = len(rule.runs) > 1 and rule.condition not in ANY
    return verb if is_plural else f"{verb}s"


def read_verdicts(condition: Condition, verdicts: Sequence[bool | None]) -> bool | None:
    """Return what verdicts come to under a condition: correct, incorrect, or None where they settle nothing.

    None among the verdicts is a judge that could not judge, or has not yet: it is never "rejects", and with
    it nothing is true of all.
    """
    if condition is Condition.ANY_ACCEPTS:
        return True if any(verdict is True for verdict in verdicts) else None
    if condition is Condition.ANY_REJECTS:
        return False if any(verdict is False for verdict in verdicts) else None
    agreed = verdicts[0] if verdicts and len(set(verdicts)) == 1 else None
    wanted = {Condition.ALL_ACCEPT: {True}, Condition.ALL_REJECT: {False}}.get(condition, {True, False})
    return agreed if agreed in wanted else None


class Finding(NamedTuple):
    """The rule, by its number from 1, that settles an answer, and how."""

    rule: int
    is_accepted: bool


def find_rule(*, rules: Sequence[Rule], verdicts: Mapping[str, bool | None]) -> Finding | None:
    """Return the first rule that settles an answer, or None: then it goes to people.

    `verdicts`: by the public id of the run; runs that said nothing of the answer may be left out.
    """
    for number, rule in enumerate(rules, start=1):
        said = read_verdicts(rule.condition, [verdicts.get(run) for run in rule.runs])
        if said is not None:
            return Finding(rule=number, is_accepted=said)
    return None


def seed_of_application(*, seed: int, number: int) -> int:
    """Return the seed by which an application draws: each its own, so that another draws what one left out.

    With one seed for all, an answer given back would never be drawn, whatever probability is recorded.
    """
    digest = hashlib.sha256(f"application\x00{seed}\x00{number}".encode()).digest()
    return int.from_bytes(digest[:8]) % SEEDS


def is_drawn(*, seed: int, name: str, share: float) -> bool:
    """Say whether an answer is drawn for the audit: with probability `share`, each by itself.

    `name` says what the answer is. The same seed draws the same answers whatever else there is, so what
    comes in later changes no draw; independent of the order of answers on sheets, which hashes otherwise.
    """
    digest = hashlib.sha256(f"audit\x00{seed}\x00{name}".encode()).digest()
    return int.from_bytes(digest[:8]) < share * DRAWS


class AuditCounts(NamedTuple):
    """Answers that a rule settled, and those of them drawn for raters: decided by people, and otherwise.

    unaudited: settled ones that could not be drawn. The weights are sums over decided answers of one over the
    probability with which each was drawn, of its square, and over those people decided otherwise.
    """

    settled: int = 0
    drawn: int = 0
    decided: int = 0
    disagreed: int = 0
    unaudited: int = 0
    weight: float = 0.0
    weight_squares: float = 0.0
    weight_disagreed: float = 0.0

    def plus(self, other: "AuditCounts") -> "AuditCounts":
        """Add counts of different answers."""
        return AuditCounts(*map(add, self, other))


class Choices(NamedTuple):
    """Among how many results a lead may choose by undoing: of one rule, and of all that are kept together."""

    rules: int
    pooled: int


def count_choices(places: Iterable[int]) -> Choices:
    """Count what may be kept; places: of each rule ever applied, in how many applications it was.

    A rule can be undone in each application by itself, and whoever sees its audit undoes what looks bad: any
    selection of places may be what is left in the end.
    """
    counts = list(places)
    rules = sum(2**count - 1 for count in counts)
    return Choices(max(1, rules), max(1, 2 ** sum(counts) - 1))


@dataclass(frozen=True)
class AuditFigures:
    """How often people disagreed with the machine, over what is decided of what was drawn; `words` say it.

    open: drawn and not decided yet. unaudited: settled answers that could not be drawn.
    """

    settled: int
    drawn: int
    decided: int
    open: int
    disagreed: int
    unaudited: int
    share: Figure
    words: str


@dataclass(frozen=True)
class AuditRow:
    """One rule's audit."""

    number: int
    text: str
    figures: AuditFigures


@dataclass(frozen=True)
class AuditReport:
    """The audit of applications: each rule, and all of them together; audit_share: None where it differs.

    Intervals hold at every look, those of all rules together, whichever of the `watched` rules that were ever
    applied, each counted once an application, are kept.
    """

    audit_share: float | None
    rules: list[AuditRow]
    pooled: AuditFigures
    watched: int


def measure_audit(counts: AuditCounts, *, choices: int = 1) -> AuditFigures:
    """Return the share of audited answers on which people decided otherwise, with a 95 % interval.

    Over the drawn answers that people have decided, each weighing one over the probability with which it was
    drawn. Leads watch the audit grow and undo rules by it, so the interval is a confidence sequence, which
    holds at all looks together; choices: for how many results it must hold together, see `count_choices`.
    With differing weights it is over as many equal answers as say as much (Kish 1965; Korn and Graubard
    1998).
    """
    return AuditFigures(
        settled=counts.settled,
        drawn=counts.drawn,
        decided=counts.decided,
        open=counts.drawn - counts.decided,
        disagreed=counts.disagreed,
        unaudited=counts.unaudited,
        share=_share(counts, choices),
        words=_words(counts),
    )


def _share(counts: AuditCounts, choices: int) -> Figure:
    if not counts.decided:
        return Figure(None, why=Why.NOTHING_SAMPLED)
    share = counts.weight_disagreed / counts.weight
    total = counts.weight**2 / counts.weight_squares
    return Figure.of(share, confidence_sequence(successes=share * total, total=total, families=choices))


def _words(counts: AuditCounts) -> str:
    answers = "answer" if counts.unaudited == 1 else "answers"
    unaudited = UNAUDITED.format(f"{counts.unaudited:,} {answers}") if counts.unaudited else ""
    if not counts.decided:
        nothing = NOBODY_YET if counts.drawn else NOTHING_DRAWN
        return unaudited if counts.unaudited == counts.settled > 0 else nothing
    left = counts.drawn - counts.decided
    waiting = f" {left} of the drawn answers are still open." if left else ""
    found = f"People disagreed with {counts.disagreed} of {counts.decided} answers they audited.{waiting}"
    return " ".join(filter(None, (found, unaudited)))
