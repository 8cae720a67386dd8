"""What verdicts settle an answer: rules, read from plain values and said in words."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from enum import StrEnum
from math import floor
from types import MappingProxyType
from typing import Any, NamedTuple

from analysis.intervals import ROUNDING

LARGEST_RULE_COUNT = 20
DEFAULT_AUDIT_SHARE = 0.05
LEAST_SURE = 0.5


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
    Condition.ALL_AGREE: "all of them agree: their verdict",
}
MEANING_NAMES = {
    Meaning.CORRECT: "counts as correct",
    Meaning.INCORRECT: "counts as incorrect",
    Meaning.AGREED: "the verdict counts",
}
ANY = frozenset({Condition.ANY_ACCEPTS, Condition.ANY_REJECTS})


class Rule(NamedTuple):
    """One rule of a policy: the runs it reads, by public id, what they must say, and how sure they must be.

    threshold: how sure, from .5 to 1, by their scores; None: their verdicts count, however sure. certificate:
    the public id of the one that it carries, empty for none.
    """

    runs: tuple[str, ...]
    condition: Condition
    threshold: float | None = None
    certificate: str = ""

    @property
    def meaning(self) -> Meaning:
        """What the rule makes of the answers it settles."""
        return MEANINGS[self.condition]

    def to_json(self) -> dict[str, Any]:
        """Return the form that `read_rules` reads, without what is not set."""
        given: dict[str, Any] = {"runs": list(self.runs), "condition": self.condition.value}
        if self.threshold is not None:
            given["threshold"] = self.threshold
        if self.certificate:
            given["certificate"] = self.certificate
        return given


class UnusablePolicy(ValueError):
    """A policy that cannot be applied; `field` names the place."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def read_rules(given: Sequence[Mapping[str, Any]]) -> tuple[Rule, ...]:
    """Read rules from plain values, in their order; raises `UnusablePolicy`."""
    if len(given) > LARGEST_RULE_COUNT:
        raise UnusablePolicy("rules", f"A policy can have at most {LARGEST_RULE_COUNT} rules.")
    return tuple(_read_rule(place, rule) for place, rule in enumerate(given, start=1))


def _read_rule(place: int, given: Mapping[str, Any]) -> Rule:
    if not isinstance(given, Mapping):
        raise UnusablePolicy("rules", f"Rule {place} is not an object with “runs” and “condition” as keys.")
    runs, condition = given.get("runs"), given.get("condition")
    if not isinstance(runs, list | tuple) or not runs or not all(isinstance(run, str) for run in runs):
        raise UnusablePolicy("rules", f"Rule {place} must name at least one judge.")
    if len(set(runs)) != len(runs):
        raise UnusablePolicy("rules", f"Rule {place} names a judge twice.")
    if condition not in list(Condition):
        raise UnusablePolicy("rules", f"Rule {place}: choose a condition from {', '.join(Condition)}.")
    threshold = _read_threshold(place, given.get("threshold"))
    certificate = given.get("certificate") or ""
    if not isinstance(certificate, str):
        raise UnusablePolicy("rules", f"Rule {place}: enter the certificate’s ID.")
    if condition == Condition.ALL_AGREE and len(runs) < 2 and threshold is None and not certificate:
        raise UnusablePolicy(
            "rules",
            f"Rule {place}: a single judge cannot agree with others. Add a judge, choose another "
            "condition, or enter a minimum confidence.",
        )
    return Rule(tuple(runs), Condition(condition), threshold, certificate)


def _read_threshold(place: int, given: object) -> float | None:
    if given is None:
        return None
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise UnusablePolicy(
            "rules", f"Rule {place}: enter the minimum confidence as a number from 0.5 to 1."
        )
    if not LEAST_SURE <= given <= 1.0:
        raise UnusablePolicy("rules", f"Rule {place}: enter a minimum confidence from 0.5 to 1.")
    return float(given)


def require_share(share: float) -> float:
    """Return an audit share from 0 to 1; raises `UnusablePolicy`."""
    if not 0.0 <= share <= 1.0:
        raise UnusablePolicy("audit_share", "Enter an audit share from 0 to 1.")
    return share


def content_hash(*, rules: Sequence[Rule], audit_share: float, seed: int) -> str:
    """Return the SHA-256 by which equal policies are the same policy."""
    spelled = json.dumps([[rule.to_json() for rule in rules], audit_share, seed], sort_keys=True)
    return hashlib.sha256(spelled.encode()).hexdigest()


def describe_rule(
    rule: Rule,
    *,
    names: Mapping[str, str],
    probable: Collection[str] = (),
    is_threshold_open: bool = False,
) -> str:
    """Return a rule in words; `names` of runs by public id, and those whose scores are probabilities.

    is_threshold_open: how sure its judges must be is not known, whatever its threshold says.
    """
    joint = " or " if rule.condition in ANY else " and "
    judges = joint.join(names.get(run, run) for run in rule.runs)
    certified = ", with a certificate" if rule.certificate else ""
    is_plural = len(rule.runs) > 1 and rule.condition not in ANY
    is_open = is_threshold_open and rule.threshold is not None
    verb = f"{'are' if is_plural else 'is'} sure enough" if is_open else _verb(rule, probable)
    return f"{judges} {verb}: {MEANING_NAMES[rule.meaning]}{certified}"


def _verb(rule: Rule, probable: Collection[str]) -> str:
    is_plural = len(rule.runs) > 1 and rule.condition not in ANY
    if rule.threshold is not None:
        return _sure_words(rule, rule.threshold, is_plural=is_plural, probable=probable)
    if rule.meaning is Meaning.AGREED:
        return "agree"
    verb = "accept" if rule.meaning is Meaning.CORRECT else "reject"
    return verb if is_plural else f"{verb}s"


def _sure_words(rule: Rule, threshold: float, *, is_plural: bool, probable: Collection[str]) -> str:
    if all(run in probable for run in rule.runs):
        agree = "agree and " if rule.meaning is Meaning.AGREED and is_plural else ""
        # Rounded down: what is at least as sure is at least so sure, too.
        percent = floor(round(1_000 * threshold, 6)) / 10
        return f"{agree}{'are' if is_plural else 'is'} at least {percent:.1f}% sure"
    most, least = f"at least {threshold:.6g}", f"at most {1.0 - threshold:.6g}"
    bounds = {
        Meaning.CORRECT: most,
        Meaning.INCORRECT: least,
        Meaning.AGREED: f"all {most} or all {least}" if is_plural else f"{most} or {least}",
    }
    return f"{'score' if is_plural else 'scores'} {bounds[rule.meaning]}"


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


class Said(NamedTuple):
    """What judges say of an answer by their scores, and how sure they are of it, from .5 to 1."""

    is_accepted: bool
    confidence: float


def read_scores(condition: Condition, scores: Sequence[float | None]) -> Said | None:
    """Return what scores come to under a condition, and the highest threshold at which they still do.

    scores: from 0, surely incorrect, to 1, surely correct; None, and what lies outside, is a judge that does
    not say, which is never sure of anything. None is returned where they say nothing at any threshold.
    """
    known = [score for score in scores if score is not None and 0.0 <= score <= 1.0]
    if not known or (condition not in ANY and len(known) < len(scores)):
        return None
    said = {
        Condition.ANY_ACCEPTS: [Said(True, max(known))],
        Condition.ALL_ACCEPT: [Said(True, min(known))],
        Condition.ANY_REJECTS: [Said(False, 1.0 - min(known))],
        Condition.ALL_REJECT: [Said(False, 1.0 - max(known))],
        Condition.ALL_AGREE: [Said(True, min(known)), Said(False, 1.0 - max(known))],
    }[condition]
    return next((each for each in said if each.confidence >= LEAST_SURE), None)


def is_sure(said: Said, *, threshold: float) -> bool:
    """Say whether judges are as sure as a threshold demands; 1 - .9 is not less than .1 for its rounding."""
    return said.confidence >= threshold - ROUNDING


def say(
    rule: Rule, *, verdicts: Mapping[str, bool | None], scores: Mapping[str, float | None]
) -> bool | None:
    """Return what a rule says of an answer: correct, incorrect, or None where it settles nothing."""
    said = hear(rule, verdicts=verdicts, scores=scores)
    is_said = said is not None and (rule.threshold is None or is_sure(said, threshold=rule.threshold))
    return said.is_accepted if said is not None and is_said else None


def hear(
    rule: Rule, *, verdicts: Mapping[str, bool | None], scores: Mapping[str, float | None]
) -> Said | None:
    """Return what the judges of a rule say of an answer, and how sure they are, whatever its threshold.

    Where verdicts count, all are equally sure. A judge without a verdict says nothing by its score, either.
    """
    accepted = [verdicts.get(run) for run in rule.runs]
    if rule.threshold is None:
        verdict = read_verdicts(rule.condition, accepted)
        return None if verdict is None else Said(verdict, 1.0)
    known = [
        None if verdict is None else scores.get(run) for run, verdict in zip(rule.runs, accepted, strict=True)
    ]
    return read_scores(rule.condition, known)


class Finding(NamedTuple):
    """The rule, by its number from 1, that settles an answer, and how."""

    rule: int
    is_accepted: bool


def find_rule(
    *,
    rules: Sequence[Rule],
    verdicts: Mapping[str, bool | None],
    scores: Mapping[str, float | None] = MappingProxyType({}),
) -> Finding | None:
    """Return the first rule that settles an answer, or None: then it goes to people.

    `verdicts`, `scores`: by the public id of the run; runs that said nothing of the answer may be left out.
    """
    for number, rule in enumerate(rules, start=1):
        said = say(rule, verdicts=verdicts, scores=scores)
        if said is not None:
            return Finding(rule=number, is_accepted=said)
    return None
