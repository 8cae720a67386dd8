"""Read a protocol's values, and say what is wrong with them by field."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar


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


@dataclass(frozen=True)
class Label:
    """One choice a rater has; its place in the protocol is its key on the keyboard."""

    key: str
    name: str
    credit: Credit


class Choice(NamedTuple):
    """A label as raters are offered it: with what it is taken in only."""

    key: str
    name: str
    credit: Credit
    needs_evidence: bool
    needs_comment: bool


@dataclass(frozen=True)
class QuestionCheck:
    """A yes/no question about the question itself, asked before its answers."""

    key: str
    text: str
    rule: CheckRule = CheckRule.ANY
    at_least: int = 1
    # A yes makes judging the answers pointless.
    skips_answers: bool = False


ChoiceT = TypeVar("ChoiceT", bound=StrEnum)
Value = TypeVar("Value")
MISSING = object()


class ProtocolError(ValueError):
    """A protocol that cannot be: `fields` says for each place what is wrong there, in words."""

    def __init__(self, fields: Mapping[str, list[str]]) -> None:
        self.fields = {place: list(messages) for place, messages in fields.items()}
        self.message = next(iter(self.fields.values()))[0]
        super().__init__(self.message)


class SpecReader:
    """One object of the JSON form; `place` stands before the names of its fields."""

    def __init__(self, spec: Any, *, place: str = "") -> None:
        self._place = place
        if not isinstance(spec, Mapping):
            raise ProtocolError({place.rstrip(".") or "spec": ["The protocol cannot be read here."]})
        self._spec = spec

    def text(self, name: str, default: Any = MISSING) -> str:
        """Return a text."""
        return self._read(name, default, _as_text)

    def number(self, name: str, default: Any = MISSING) -> int:
        """Return a whole number."""
        return self._read(name, default, _as_number)

    def flag(self, name: str, default: bool) -> bool:
        """Return whether something is so."""
        return self._read(name, default, _as_flag)

    def choice(self, name: str, choices: type[ChoiceT], default: Any = MISSING) -> ChoiceT:
        """Return one of a closed list."""
        return self._read(name, default, choices)

    def credits(self, name: str) -> tuple[Credit, ...]:
        """Return a set of credits, in the order in which they are defined."""
        wanted = self._read(name, (), lambda value: {Credit(each) for each in value})
        return tuple(credit for credit in Credit if credit in wanted)

    def labels(self) -> tuple[Label, ...]:
        """Return the labels in their order."""
        return tuple(
            Label(key=item.text("key"), name=item.text("name"), credit=item.choice("credit", Credit))
            for item in self._items("labels")
        )

    def question_checks(self) -> tuple[QuestionCheck, ...]:
        """Return the checks about the question in their order."""
        return tuple(
            QuestionCheck(
                key=item.text("key"),
                text=item.text("text"),
                rule=item.choice("rule", CheckRule, CheckRule.ANY),
                at_least=item.number("at_least", 1),
                skips_answers=item.flag("skips_answers", False),
            )
            for item in self._items("question_checks", ())
        )

    def _items(self, name: str, default: Any = MISSING) -> list["SpecReader"]:
        items: list[Any] = self._read(name, default, list)
        return [SpecReader(item, place=f"{name}.{index}.") for index, item in enumerate(items)]

    def _read(self, name: str, default: Any, convert: Callable[[Any], Value]) -> Value:
        value = self._spec.get(name, default)
        if value is MISSING:
            raise ProtocolError({self._place + name: [f"The protocol lacks “{name}”."]})
        try:
            return convert(value)
        except (TypeError, ValueError, OverflowError):
            raise ProtocolError({self._place + name: [f"“{value}” cannot be read here."]}) from None


def _as_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value.strip() if "\n" not in value else value


def _as_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError
    return value


def _as_number(value: Any) -> int:
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        raise TypeError
    return int(value)
