"""The protocol of a study as plain values, and the rules about roles."""

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Credit(StrEnum):
    """What a label is worth. `MISSING` ("cannot judge") counts as no vote: the next rater is asked."""

    DEFINITE = "definite"
    POSSIBLE = "possible"
    NONE = "none"
    MISSING = "missing"


class TieBreak(StrEnum):
    """Who settles what the first raters disagree on."""

    THIRD_RATER = "third_rater"
    LEAD = "lead"
    NOBODY = "nobody"


class DecisionRule(StrEnum):
    """How counted votes become a decision (`annotation.adjudication.rules.decide`)."""

    MAJORITY = "majority"
    TWO_OF_THREE = "two_of_three"
    ONLY_RATER = "only_rater"


class CheckRule(StrEnum):
    """When a question check counts as answered yes."""

    ANY = "any"
    AT_LEAST = "at_least"


@dataclass(frozen=True)
class Label:
    """One choice a rater has; its place in the protocol is its key on the keyboard."""

    key: str
    name: str
    credit: Credit


@dataclass(frozen=True)
class QuestionCheck:
    """A yes/no question about the question itself, asked before its answers."""

    key: str
    text: str
    rule: CheckRule = CheckRule.ANY
    at_least: int = 1
    # A yes makes judging the answers pointless.
    skips_answers: bool = False


# Addresses of the browser application that would hide a project of the same name.
RESERVED_SLUGS = frozenset({"api", "join", "new", "sign-in", "static"})


class ProtocolError(ValueError):
    """A protocol that cannot be: `field` names the place."""

    def __init__(self, field_name: str, message: str) -> None:
        super().__init__(message)
        self.field = field_name
        self.message = message


@dataclass(frozen=True)
class Protocol:
    """How a study is judged. Frozen with a hash when work starts."""

    preset: str
    labels: tuple[Label, ...]
    raters_per_answer: int
    decision_rule: DecisionRule
    tie_break: TieBreak
    gold_shown: bool = False
    question_checks: tuple[QuestionCheck, ...] = ()
    sheet_size: int = 20
    fill_tie_break_sheets: bool = True
    pool_within_groups: bool = False
    guidelines: str = field(default="", repr=False)

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Protocol":
        """Read the JSON form; raises `ProtocolError` naming the field that is wrong."""
        try:
            protocol = cls(
                preset=str(spec["preset"]),
                labels=tuple(_label(item) for item in spec["labels"]),
                raters_per_answer=int(spec["raters_per_answer"]),
                decision_rule=DecisionRule(spec["decision_rule"]),
                tie_break=TieBreak(spec["tie_break"]),
                gold_shown=bool(spec.get("gold_shown", False)),
                question_checks=tuple(_check(item) for item in spec.get("question_checks", ())),
                sheet_size=int(spec.get("sheet_size", 20)),
                fill_tie_break_sheets=bool(spec.get("fill_tie_break_sheets", True)),
                pool_within_groups=bool(spec.get("pool_within_groups", False)),
                guidelines=str(spec.get("guidelines", "")),
            )
        except KeyError as error:
            raise ProtocolError(str(error.args[0]), f"The protocol lacks “{error.args[0]}”.") from None
        except (TypeError, ValueError, OverflowError) as error:
            raise ProtocolError("spec", f"The protocol cannot be read: {error}.") from None
        _require_consistent(protocol)
        return protocol

    def to_spec(self) -> dict[str, Any]:
        """Return the JSON form that `from_spec` reads."""
        spec: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return spec

    @property
    def content_hash(self) -> str:
        """SHA-256 over everything the protocol says, guidelines included."""
        return hashlib.sha256(json.dumps(self.to_spec(), sort_keys=True).encode()).hexdigest()

    def label(self, key: str) -> Label | None:
        """Return the label with this key, or None."""
        return next((label for label in self.labels if label.key == key), None)

    def credit(self, key: str) -> Credit:
        """Return what the label is worth; raises `KeyError` for a label the protocol does not have."""
        label = self.label(key)
        if label is None:
            raise KeyError(key)
        return label.credit

    @property
    def skipping_keys(self) -> tuple[str, ...]:
        """The checks about a question whose yes makes judging its answers pointless, in their order."""
        return tuple(check.key for check in self.question_checks if check.skips_answers)

    @property
    def accepted_keys(self) -> frozenset[str]:
        """The labels whose answers join the gold list: definitely correct ones."""
        return frozenset(label.key for label in self.labels if label.credit is Credit.DEFINITE)

    @property
    def rejected_keys(self) -> frozenset[str]:
        """The labels that say an answer is wrong."""
        return frozenset(label.key for label in self.labels if label.credit is Credit.NONE)


def _label(item: Mapping[str, Any]) -> Label:
    return Label(key=str(item["key"]), name=str(item["name"]), credit=Credit(item["credit"]))


def _check(item: Mapping[str, Any]) -> QuestionCheck:
    return QuestionCheck(
        key=str(item["key"]),
        text=str(item["text"]),
        rule=CheckRule(item.get("rule", CheckRule.ANY)),
        at_least=int(item.get("at_least", 1)),
        skips_answers=bool(item.get("skips_answers", False)),
    )


def _require_consistent(protocol: Protocol) -> None:
    keys = [label.key for label in protocol.labels]
    if not 2 <= len(keys) <= 5:
        raise ProtocolError("labels", "A protocol has two to five labels.")
    if len(set(keys)) != len(keys):
        raise ProtocolError("labels", "Two labels have the same key.")
    if not protocol.accepted_keys or not protocol.rejected_keys:
        raise ProtocolError("labels", "One label must mean correct and one must mean incorrect.")
    if not 1 <= protocol.raters_per_answer <= 9:
        raise ProtocolError("raters_per_answer", "An answer has one to nine raters.")
    if not 1 <= protocol.sheet_size <= 20:
        raise ProtocolError("sheet_size", "A sheet holds one to twenty answers.")
    if protocol.decision_rule is DecisionRule.TWO_OF_THREE and protocol.raters_per_answer != 3:
        raise ProtocolError("raters_per_answer", "The rule “two of three” needs three raters.")
    if protocol.decision_rule is DecisionRule.ONLY_RATER and protocol.raters_per_answer != 1:
        raise ProtocolError("raters_per_answer", "The rule “only rater” needs exactly one rater.")


def is_improper(*, protocol: Protocol, marks: Sequence[Collection[str]]) -> bool:
    """Say whether raters took a question out of the scores by checks that make its answers pointless.

    `marks`: for each rater the keys of the checks answered yes. A yes skips the checks that follow, so
    a rater counts towards "at least n" by a yes to any check of that rule (Wang et al. 2023: a question
    is improper when two of three raters marked it, for whichever reason).
    """
    skipping = [check for check in protocol.question_checks if check.skips_answers]
    alone = {check.key for check in skipping if check.rule is CheckRule.ANY}
    together = {check.key for check in skipping if check.rule is CheckRule.AT_LEAST}
    if any(alone & set(keys) for keys in marks):
        return True
    count = sum(bool(together & set(keys)) for keys in marks)
    return bool(together) and count >= min(check.at_least for check in skipping if check.key in together)


def skipping_check_key(protocol: Protocol) -> str:
    """Return the check whose yes takes a question out of the scores, for files that name none, or nothing.

    Of several it is the last: in the published protocol that the gold answers are improper.
    """
    keys = protocol.skipping_keys
    return keys[-1] if keys else ""


def pseudonym_for(*, chance: str, taken: Sequence[str]) -> str:
    """Return a rater's pseudonym made from chance characters that say nothing about the person.

    `chance` is longer than needed; more of it is used until the pseudonym is free.
    """
    for length in range(4, len(chance) + 1):
        pseudonym = f"R-{chance[:length].upper()}"
        if pseudonym not in taken:
            return pseudonym
    raise ValueError("no free pseudonym in the given chance characters")
