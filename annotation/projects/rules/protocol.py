"""A protocol: how a study is judged."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from annotation.projects.rules.consistency import problems_of_protocol
from annotation.projects.rules.reading import (
    Choice,
    Credit,
    DecisionRule,
    GoldEqual,
    Label,
    ProtocolError,
    QuestionCheck,
    SpecReader,
    TieBreak,
)


@dataclass(frozen=True)
class Protocol:
    """How a study is judged. Frozen with a hash when work starts."""

    preset: str
    labels: tuple[Label, ...]
    raters_per_answer: int
    decision_rule: DecisionRule
    tie_break: TieBreak
    # All of them together, where more raters are asked one by one.
    most_raters: int = 5
    gold_shown: bool = False
    gold_equal: GoldEqual = GoldEqual.JUDGED
    # Gold answers are judged, too, and look like any other answer.
    gold_among_answers: bool = False
    question_checks: tuple[QuestionCheck, ...] = ()
    # The answers are held back until the checks about the question are answered.
    checks_first: bool = False
    # Labels of this worth are taken in only with evidence, or with a comment.
    evidence_required_for: tuple[Credit, ...] = ()
    comment_required_for: tuple[Credit, ...] = ()
    sheet_size: int = 20
    fill_tie_break_sheets: bool = True
    pool_within_groups: bool = False
    # Raters may read how a person decided the answers they had judged.
    decisions_shown: bool = False
    # Whoever adjudicates sees which systems gave an answer without asking for it.
    adjudication_unblinded: bool = False
    guidelines: str = field(default="", repr=False)

    @classmethod
    def from_spec(cls, spec: Mapping[str, Any]) -> "Protocol":
        """Read the JSON form; raises `ProtocolError` naming the fields that are wrong."""
        read = SpecReader(spec)
        protocol = cls(
            preset=read.text("preset"),
            labels=read.labels(),
            raters_per_answer=read.number("raters_per_answer"),
            decision_rule=read.choice("decision_rule", DecisionRule),
            tie_break=read.choice("tie_break", TieBreak),
            most_raters=read.number("most_raters", 5),
            gold_shown=read.flag("gold_shown", False),
            gold_equal=read.choice("gold_equal", GoldEqual, GoldEqual.JUDGED),
            gold_among_answers=read.flag("gold_among_answers", False),
            question_checks=read.question_checks(),
            checks_first=read.flag("checks_first", False),
            evidence_required_for=read.credits("evidence_required_for"),
            comment_required_for=read.credits("comment_required_for"),
            sheet_size=read.number("sheet_size", 20),
            fill_tie_break_sheets=read.flag("fill_tie_break_sheets", True),
            pool_within_groups=read.flag("pool_within_groups", False),
            decisions_shown=read.flag("decisions_shown", False),
            adjudication_unblinded=read.flag("adjudication_unblinded", False),
            guidelines=read.text("guidelines", ""),
        )
        problems = problems_of_protocol(protocol)
        if problems:
            raise ProtocolError(problems)
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
    def choices(self) -> tuple[Choice, ...]:
        """The labels in the order of their keys, each with what it is taken in only."""
        return tuple(
            Choice(
                key=label.key,
                name=label.name,
                credit=label.credit,
                needs_evidence=label.credit in self.evidence_required_for,
                needs_comment=label.credit in self.comment_required_for,
            )
            for label in self.labels
        )

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
