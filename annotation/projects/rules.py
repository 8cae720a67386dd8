"""The protocol of a study as plain values, what contradicts itself in one, and the rules about roles."""

import difflib
import hashlib
import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from enum import IntEnum, StrEnum
from functools import cache
from typing import Any, Literal, TypeAlias


class Area(IntEnum):
    """What of a project changed; what was imported is large, and seldom changes while people work.

    ITEMS: questions, gold answers, systems, predictions, answers. VERDICTS: runs and what they said. WORK:
    all else, such as votes, decisions and the protocol, and how far the work on an answer is.
    """

    ITEMS = 1
    VERDICTS = 2
    WORK = 3


# By area the number of changes and the mark of the newest; an area in which nothing has changed is left out.
Revision = Mapping[int, tuple[int, int]]


class Credit(StrEnum):
    """What a label is worth. `MISSING` ("cannot judge") counts as no vote: the next rater is asked."""

    DEFINITE = "definite"
    POSSIBLE = "possible"
    NONE = "none"
    MISSING = "missing"


class TieBreak(StrEnum):
    """Who settles what the first raters disagree on; `MORE_RATERS` one by one, up to a maximum."""

    THIRD_RATER = "third_rater"
    MORE_RATERS = "more_raters"
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


class GoldEqual(StrEnum):
    """What becomes of answers that equal a gold answer: judged like any other, or correct without."""

    JUDGED = "judged"
    CORRECT = "correct"


class PassagesShown(StrEnum):
    """Which passages raters see beside a question: none, those given with it, or those retrieved as well.

    `POOLED`: the union of what is given and what all systems retrieved, whoever did, in an order of its own.
    """

    NONE = "none"
    GIVEN = "given"
    POOLED = "pooled"


@dataclass(frozen=True)
class Label:
    """A label that annotators can choose. Its position in the protocol is its keyboard shortcut."""

    key: str
    name: str
    credit: Credit


@dataclass(frozen=True)
class Choice:
    """A label as offered to annotators.

    `needs_evidence`, `needs_comment`: whether a judgment with this label is accepted only with evidence or a
    comment.
    """

    key: str
    name: str
    credit: Credit
    needs_evidence: bool
    needs_comment: bool


@dataclass(frozen=True)
class QuestionCheck:
    """A yes-or-no question about the question itself, asked before its answers."""

    key: str
    text: str
    rule: CheckRule = CheckRule.ANY
    at_least: int = 1
    # A yes makes judging the answers pointless.
    skips_answers: bool = False


class ProtocolError(ValueError):
    """A protocol that cannot be: `fields` says for each place what is wrong there, in words."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        self.fields = {place: list(messages) for place, messages in fields.items()}
        self.message = next(iter(self.fields.values()))[0]
        super().__init__(self.message)


_HALF_A_PAIR = re.compile("[\ud800-\udfff]")


@cache
def _reader() -> Any:
    # Loaded where a protocol is first read: not every process reads one.
    from pydantic import TypeAdapter

    return TypeAdapter(Protocol)


def _stripped(value: Any) -> Any:
    """Return a JSON value whose texts of one line have no space around them."""
    if isinstance(value, Mapping):
        return {key: _stripped(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_stripped(item) for item in value]
    if not isinstance(value, str):
        return value
    # Older versions stored half an emoji, which no JSON can hold.
    whole = _HALF_A_PAIR.sub("\N{REPLACEMENT CHARACTER}", value)
    return whole if "\n" in whole else whole.strip()


def _in_order(wanted: Collection[Credit]) -> tuple[Credit, ...]:
    """Return a set of credits in the order in which they are defined, so that equal sets are equal."""
    return tuple(credit for credit in Credit if credit in wanted)


# What was sent is quoted as far as it takes to be found again.
LONGEST_ECHO = 60
MOST_MESSAGES = 5


def _what_is_wrong(errors: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return pydantic's errors in our words; an item of a list of words stands at its list."""
    fields: dict[str, list[str]] = {}
    for error in errors:
        place = [str(part) for part in error["loc"]]
        if error["type"] == "missing":
            message = f"“{place[-1]}” is missing from the protocol. Add it."
        else:
            message = f"“{_shortened(str(error['input']))}” is not a valid value here."
        if place and place[-1].isdecimal():
            place.pop()
        messages = fields.setdefault(".".join(place) or "spec", [])
        # A list of thousands is wrong in one way, and is told so once.
        if message not in messages and len(messages) < MOST_MESSAGES:
            messages.append(message)
    return fields


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_ECHO else f"{text[:LONGEST_ECHO]}…"


# What programs ask any server for; there is no page at these.
PROGRAMS_WORDS = frozenset(
    {"admin", "graphql", "health", "healthz", "livez", "metrics", "readyz", "redoc", "swagger", "wp-admin"}
)
# Addresses of the browser application that would hide a project of the same name.
RESERVED_SLUGS = PROGRAMS_WORDS | {
    *("account", "api", "compare", "help", "join", "new", "password", "sign-in", "static")
}


def pseudonym_for(*, chance: str, taken: Sequence[str]) -> str:
    """Return a rater's pseudonym made from chance characters that say nothing about the person.

    `chance` is longer than needed; more of it is used until the pseudonym is free.
    """
    for length in range(4, len(chance) + 1):
        pseudonym = f"R-{chance[:length].upper()}"
        if pseudonym not in taken:
            return pseudonym
    raise ValueError("no unused pseudonym can be made from the given random characters")


Problem = tuple[str, str]
LONGEST_KEY = 60
LONGEST_NAME = 60
LONGEST_CHECK = 300
LONGEST_GUIDELINES = 100_000
MOST_CHECKS = 5
MOST_RATERS = 9
LARGEST_SHEET = 20


def problems_of_protocol(protocol: "Protocol") -> dict[str, list[str]]:
    """Return what is wrong with a protocol, in words by field; nothing where it can be."""
    problems: dict[str, list[str]] = {}
    found = (_of_labels, _of_raters, _of_checks, _of_gold, _of_passages, _of_sheets)
    for place, message in (problem for part in found for problem in part(protocol)):
        problems.setdefault(place, []).append(message)
    return problems


def problems_of_texts(protocol: "Protocol") -> dict[str, list[str]]:
    """Return what is wrong with texts that are to be saved, by field; older versions took them, and stay."""
    lines = {f"labels.{index}.name": label.name for index, label in enumerate(protocol.labels)}
    lines |= {
        f"question_checks.{index}.text": check.text for index, check in enumerate(protocol.question_checks)
    }
    problems = {
        place: ["Write this on one line."]
        for place, text in lines.items()
        if len(text.splitlines()) > 1 or text != text.strip()
    }
    if len(protocol.guidelines) > LONGEST_GUIDELINES:
        problems["guidelines"] = [
            (
                f"Guidelines can have at most {LONGEST_GUIDELINES:,} characters, not "
                f"{len(protocol.guidelines):,}."
            )
        ]
    if len(protocol.preset) > LONGEST_NAME or "\n" in protocol.preset:
        problems["preset"] = [f"“Based on” can have at most {LONGEST_NAME} characters."]
    return problems


def _of_labels(protocol: "Protocol") -> Iterator[Problem]:
    if not 2 <= len(protocol.labels) <= 5:
        yield "labels", "A protocol needs two to five labels."
    elif not protocol.accepted_keys or not protocol.rejected_keys:
        yield "labels", "One label must mean correct and one must mean incorrect."
    if _repeats(label.key for label in protocol.labels):
        yield "labels", "Two labels have the same key."
    names = _repeats(label.name.casefold() for label in protocol.labels)
    for index, label in enumerate(protocol.labels):
        if not label.name or len(label.name) > LONGEST_NAME:
            yield f"labels.{index}.name", f"Enter a name of at most {LONGEST_NAME} characters."
        elif label.name.casefold() in names:
            yield f"labels.{index}.name", "Another label has this name."
        if not label.key or len(label.key) > LONGEST_KEY:
            yield f"labels.{index}.key", f"Enter a key of at most {LONGEST_KEY} characters."


def _of_raters(protocol: "Protocol") -> Iterator[Problem]:
    raters = protocol.raters_per_answer
    if not 1 <= raters <= MOST_RATERS:
        yield "raters_per_answer", "An answer needs one to nine annotators."
    if protocol.decision_rule is DecisionRule.TWO_OF_THREE and raters != 3:
        yield "raters_per_answer", "The rule “two of three” needs three annotators."
    if protocol.decision_rule is DecisionRule.ONLY_RATER and raters != 1:
        yield "raters_per_answer", "The rule “only annotator” needs exactly one annotator."
    if protocol.tie_break is TieBreak.MORE_RATERS and not raters < protocol.most_raters <= MOST_RATERS:
        yield (
            "most_raters",
            f"The maximum number of annotators must be more than {raters} and at most {MOST_RATERS}.",
        )


def _of_checks(protocol: "Protocol") -> Iterator[Problem]:
    if len(protocol.question_checks) > MOST_CHECKS:
        yield "question_checks", f"A protocol can have at most {MOST_CHECKS} question checks."
    if _repeats(check.key for check in protocol.question_checks):
        yield "question_checks", "Two checks have the same key."
    for index, check in enumerate(protocol.question_checks):
        if not check.text or len(check.text) > LONGEST_CHECK:
            yield f"question_checks.{index}.text", f"Enter a question of at most {LONGEST_CHECK} characters."
        if not check.key or len(check.key) > LONGEST_KEY:
            yield (
                f"question_checks.{index}.key",
                f"Enter a key of at most {LONGEST_KEY} characters.",
            )
        if not 1 <= check.at_least <= MOST_RATERS:
            yield f"question_checks.{index}.at_least", "Choose how many annotators must say yes: one to nine."


def _of_gold(protocol: "Protocol") -> Iterator[Problem]:
    if not protocol.gold_among_answers:
        return
    field = "gold_among_answers"
    if protocol.gold_shown:
        yield (
            field,
            (
                "Annotators who see the gold answers cannot judge them blind. "
                "Choose only one of these two settings."
            ),
        )
    if protocol.gold_equal is GoldEqual.CORRECT:
        yield (
            field,
            (
                "Answers that equal a gold answer are not judged. That includes gold answers mixed with the "
                "answers to judge. Choose only one of these two settings."
            ),
        )
    if protocol.pool_within_groups:
        yield (
            field,
            (
                "Each annotator judges one group of systems, but gold answers belong to no group. "
                "Choose only one of these two settings."
            ),
        )


# The check whether the question can be answered from its passages.
ATTRIBUTABLE = "attributable"


def _of_passages(protocol: "Protocol") -> Iterator[Problem]:
    if protocol.passages_shown is not PassagesShown.NONE:
        return
    for index, check in enumerate(protocol.question_checks):
        if check.key == ATTRIBUTABLE:
            yield (
                f"question_checks.{index}.text",
                "This check is about passages, but annotators see none. Show passages, or remove the check.",
            )


def _of_sheets(protocol: "Protocol") -> Iterator[Problem]:
    if not 1 <= protocol.sheet_size <= LARGEST_SHEET:
        yield "sheet_size", "A sheet can contain one to twenty answers."


def _repeats(names: Iterable[str]) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}


@dataclass(frozen=True)
class Protocol:
    """How a study is judged. It is frozen, with a hash, when work starts."""

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
    passages_shown: PassagesShown = PassagesShown.NONE
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
        from pydantic import ValidationError

        try:
            # As JSON, where words stand for members of a closed list; strict, so that "no" is no answer.
            protocol: Protocol = _reader().validate_json(json.dumps(_stripped(spec)), strict=True)
        except ValidationError as error:
            raise ProtocolError(_what_is_wrong(error.errors())) from None
        protocol = replace(
            protocol,
            evidence_required_for=_in_order(protocol.evidence_required_for),
            comment_required_for=_in_order(protocol.comment_required_for),
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
    def annotators_needed(self) -> int:
        """How many annotators there must be so that every answer can be settled by votes where one can be."""
        asks_more = self.tie_break in (TieBreak.THIRD_RATER, TieBreak.MORE_RATERS)
        return self.raters_per_answer + asks_more

    @property
    def accepted_keys(self) -> frozenset[str]:
        """The labels whose answers join the gold list: definitely correct ones."""
        return frozenset(label.key for label in self.labels if label.credit is Credit.DEFINITE)

    @property
    def rejected_keys(self) -> frozenset[str]:
        """The labels that say an answer is wrong."""
        return frozenset(label.key for label in self.labels if label.credit is Credit.NONE)


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


def labels_across(*, source: Protocol, target: Protocol) -> dict[str, str]:
    """Return what each label of one protocol is called in another: by key, else the only one worth as much.

    Nothing where the two do not know the same worths ("cannot judge" aside) or a label has no clear match:
    then decisions under one say nothing under the other.
    """
    theirs = [label for label in source.labels if label.credit is not Credit.MISSING]
    ours = [label for label in target.labels if label.credit is not Credit.MISSING]
    if {label.credit for label in theirs} != {label.credit for label in ours}:
        return {}
    across: dict[str, str] = {}
    for label in theirs:
        equal = [other.key for other in ours if other.credit is label.credit]
        match = [key for key in equal if key == label.key] or equal
        if len(match) != 1:
            return {}
        across[label.key] = match[0]
    return across


NAMES = {
    "preset": "Based on",
    "labels": "Labels",
    "raters_per_answer": "Annotators per answer",
    "decision_rule": "Decision rule",
    "tie_break": "If annotators disagree",
    "most_raters": "Maximum annotators per answer",
    "gold_shown": "Gold answers shown",
    "gold_equal": "Answers that equal a gold answer",
    "gold_among_answers": "Gold answers mixed with the answers to judge",
    "passages_shown": "Passages that annotators see",
    "question_checks": "Question checks",
    "checks_first": "Answers shown only after the checks",
    "evidence_required_for": "Evidence required for",
    "comment_required_for": "Comment required for",
    "sheet_size": "Maximum answers per sheet",
    "fill_tie_break_sheets": "Add decided answers to tie-break sheets",
    "pool_within_groups": "One group of systems per annotator",
    "decisions_shown": "Annotators can read decisions",
    "adjudication_unblinded": "Adjudicators see systems",
}
# Lines that stay the same, around those that do not.
CONTEXT_LINES = 1


@dataclass(frozen=True)
class Difference:
    """A field of the protocol that differs, with its value before and after the change, in words."""

    field: str
    name: str
    before: str
    after: str


LineKind: TypeAlias = Literal["added", "removed", "same", "gap"]


@dataclass(frozen=True)
class Line:
    """A line of a comparison of guidelines.

    `kind`: "added", "removed", "same", or "gap" if unchanged lines are left out here.
    """

    kind: LineKind
    text: str


def differences(old: Protocol, new: Protocol) -> list[Difference]:
    """Return the fields that differ, in the protocol's order; guidelines are told by `guideline_lines`."""
    pairs = ((field, getattr(old, field), getattr(new, field)) for field in NAMES)
    return [
        Difference(field, NAMES[field], _words(before), _words(after))
        for field, before, after in pairs
        if before != after
    ]


def guideline_lines(old: str, new: str) -> list[Line]:
    """Return the lines of the guidelines that came and went, with one line around them."""
    kinds: dict[str, LineKind] = {"+": "added", "-": "removed", " ": "same", "@": "gap"}
    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=CONTEXT_LINES)
    # The first two name the files.
    lines = [Line(kinds[line[0]], "" if line[0] == "@" else line[1:]) for line in list(diff)[2:]]
    return lines[1:] if lines and lines[0].kind == "gap" else lines


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return _words_of_all(value)
    return value.replace("_", " ") if isinstance(value, StrEnum) else str(value)


def _words_of_all(values: Sequence[Any]) -> str:
    return " · ".join(_words_of_item(value) for value in values) or "nothing"


def _words_of_item(value: Any) -> str:
    if isinstance(value, Label):
        return f"{value.name} ({value.credit})"
    if isinstance(value, QuestionCheck):
        if value.rule is CheckRule.ANY:
            enough = "any annotator says yes"
        elif value.at_least == 1:
            enough = "at least 1 annotator says yes"
        else:
            enough = f"at least {value.at_least} annotators say yes"
        skips = "; a yes skips the remaining checks and all answers" if value.skips_answers else ""
        return f"{value.text} (result is yes if {enough}{skips})"
    return _words(value)
