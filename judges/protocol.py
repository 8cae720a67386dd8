"""What a judge is: a program that says of answers whether they are correct."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeVar

Options = TypeVar("Options")

_TRUE_WORDS = frozenset({"true", "yes", "on", "1"})
_FALSE_WORDS = frozenset({"false", "no", "off", "0"})


class JudgeInput(NamedTuple):
    """One answer to judge.

    `golds` are strings to compare with, `patterns` regular expressions. `verdicts` is what the members of a
    jury said of the answer, in the order of the members; None where one could not judge it. `flags` are
    those of their verdicts. `beside` is what another judge says, from -1 (surely wrong) to 1 (surely
    right); 0 where it says nothing. `passages` stand beside the question, for judges that ask for them.
    """

    question: str
    answer: str
    golds: tuple[str, ...]
    patterns: tuple[str, ...] = ()
    verdicts: tuple[bool | None, ...] = ()
    flags: tuple[str, ...] = ()
    beside: float = 0.0
    passages: tuple[str, ...] = ()


class Verdict(NamedTuple):
    """What a judge says of one answer.

    `accepted` is None where it could not judge; then `unscored_reason` says why, and never means "wrong".
    `score` is in the judge's own unit; `raw_reply` is what a model or a file said, word for word. `flags`
    are words for what a person should look at first (`injection`: the answer addresses the judge).
    """

    accepted: bool | None
    score: float | None = None
    unscored_reason: str = ""
    raw_reply: str = ""
    flags: tuple[str, ...] = ()


class Judge(Protocol):
    """A judge with its options set. One verdict an input, in the same order."""

    Options: ClassVar[type[Any]]

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Judge a batch; raises `JudgeFailed` when it cannot judge any of it."""
        ...


class Reads(StrEnum):
    """What a judge compares an answer with."""

    GOLDS = "golds"
    PATTERNS = "patterns"
    VERDICTS = "verdicts"


class Needs(StrEnum):
    """What a judge is made with besides its options."""

    NOTHING = "nothing"
    CONNECTION = "connection"
    MEMBERS = "members"
    DECISIONS = "decisions"


class JudgeEntry(NamedTuple):
    """A row of the table.

    factory: "module:Class", imported when the judge is used. revision: raised whenever the same options
    may give another verdict. extra: what to install besides the core, and `requires` the modules it brings.
    is_lexical: a quick, pure function of the texts, so its runs take in what every import brings.
    is_automatic: started by itself after an import where there is what it reads. is_startable: false where
    verdicts only come from files or from people. reads: what it compares answers with; an answer without
    any is unscored. needs: what it is made with besides its options. batch_size: how many answers a worker
    takes at a time; a batch must end well within a run's lease. corpus_option: the option that, where it is
    on, has the judge made with all gold answers of the study (`corpus`); the signature holds their hash.
    compares_pairs: its work grows with the letters of an answer times those of its gold answers, so an answer
    is unscored where both are long (`methods.lexical.golds`). states_probability: its score, where it has
    one, is the probability that the answer is right. explains: what it saw can be shown in the answer.
    caution: what whoever reads figures of this judge has to know of its weights, as a sentence.
    package: which other package it comes from, with its version; empty for ours (`judges.packaged`).
    """

    key: str
    name: str
    summary: str
    source: str
    factory: str
    revision: int
    extra: str | None = None
    requires: tuple[str, ...] = ()
    is_lexical: bool = False
    is_automatic: bool = False
    is_startable: bool = True
    reads: Reads = Reads.GOLDS
    needs: Needs = Needs.NOTHING
    batch_size: int = 1_000
    corpus_option: str = ""
    states_probability: bool = False
    compares_pairs: bool = False
    explains: bool = False
    caution: str = ""
    package: str = ""

    @property
    def family(self) -> str:
        """The room of `judges.methods` that it stands in; “package” for those of other packages."""
        return "package" if self.package else self.factory.partition(":")[0].split(".")[2]


class WithOptions(Generic[Options]):
    """A judge that is made of its options alone."""

    def __init__(self, options: Options) -> None:
        self.options = options


class NotWanted(Exception):
    """Nobody wants the verdicts any more: the judge stops where it is."""


_look: ContextVar[Callable[[], None]] = ContextVar("look", default=lambda: None)


def look() -> None:
    """Look whether somebody still wants what a judge works on; raises `NotWanted`.

    For judges whose batch may take longer than a second or two: before each step of about that length.
    """
    _look.get()()


@contextmanager
def looking(how: Callable[[], None]) -> Iterator[None]:
    """Have judges look in this way, which raises `NotWanted` or returns."""
    token = _look.set(how)
    try:
        yield
    finally:
        _look.reset(token)


class JudgeFailed(Exception):
    """The world failed the judge (no model, a silent server).

    retryable: trying again may help, not before `retry_after_seconds` where the provider said so.
    pauses_run: nothing will go better until a person acts (a refused key, a spent cap), so the run pauses.
    may_be_billed: a provider may have done the work all the same, and charge for it.
    """

    def __init__(
        self,
        reason: str,
        *,
        retryable: bool,
        retry_after_seconds: float | None = None,
        pauses_run: bool = False,
        may_be_billed: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retryable = retryable
        self.retry_after_seconds = retry_after_seconds
        self.pauses_run = pauses_run
        self.may_be_billed = may_be_billed


class UnusableOption(ValueError):
    """An option that the judge does not have, or a value it cannot take; `option` names it."""

    def __init__(self, option: str, reason: str) -> None:
        super().__init__(f"{option}: {reason}")
        self.option = option
        self.reason = reason


class OptionDescription(NamedTuple):
    """What a form needs to ask for an option; `type` is one of bool, int, float, str.

    between: the least and the largest number it may be; None where any will do.
    """

    name: str
    type: str
    default: Any
    choices: tuple[str, ...] | None
    help: str
    between: tuple[float, float] | None = None


def option(
    default: Any,
    *,
    help: str,  # noqa: A002 - the word argparse and click use for it
    choices: Sequence[str] | None = None,
    between: tuple[float, float] | None = None,
) -> Any:
    """Declare a field of an options dataclass that describes itself."""
    described = {"help": help, "choices": tuple(choices) if choices else None, "between": between}
    return dataclasses.field(default=default, metadata=described)


def describe_options(options_class: type[Any]) -> list[OptionDescription]:
    """Return what the options of a judge are, in the order of its dataclass."""
    return [
        OptionDescription(
            name=field.name,
            type=type(field.default).__name__,
            default=field.default,
            choices=field.metadata["choices"],
            help=field.metadata["help"],
            between=field.metadata["between"],
        )
        for field in dataclasses.fields(options_class)
    ]


def parse_options(options_class: type[Options], given: Mapping[str, Any]) -> Options:
    """Return options with `given` in place of defaults; values may be text, as from a command line.

    Raises `UnusableOption`, naming the option.
    """
    fields = {field.name: field for field in dataclasses.fields(options_class)}  # type: ignore[arg-type]
    for name in given:
        if name not in fields:
            known = ", ".join(fields) or "none"
            raise UnusableOption(name, f"this judge has no such option; its options: {known}")
    return options_class(**{name: _parse_value(fields[name], value) for name, value in given.items()})


def _parse_value(field: "dataclasses.Field[Any]", value: Any) -> Any:
    wanted = type(field.default)
    try:
        parsed = _PARSERS[wanted](value)
    except (TypeError, ValueError, OverflowError):
        raise UnusableOption(field.name, f"{value!r} is not {_TYPE_NAMES[wanted]}") from None
    choices, between = field.metadata["choices"], field.metadata["between"]
    if choices and parsed not in choices:
        raise UnusableOption(field.name, f"{value!r} is not one of {', '.join(choices)}")
    if between and not between[0] <= parsed <= between[1]:
        raise UnusableOption(field.name, f"{value!r} is not between {between[0]} and {between[1]}")
    return parsed


def _parse_bool(value: Any) -> bool:
    word = str(value).strip().lower()
    if word not in _TRUE_WORDS | _FALSE_WORDS:
        raise ValueError
    return word in _TRUE_WORDS


def _parse_number(value: Any) -> float:
    if isinstance(value, bool):
        raise TypeError
    # Adding 0 spells -0.0 as 0.0: equal options, one signature.
    return float(value) + 0.0


def _parse_integer(value: Any) -> int:
    number = _parse_number(value)
    if number != int(number):
        raise ValueError
    return int(number)


def _parse_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


_PARSERS: dict[type, Callable[[Any], Any]] = {
    bool: _parse_bool,
    float: _parse_number,
    int: _parse_integer,
    str: _parse_text,
}
_TYPE_NAMES = {bool: "true or false", float: "a number", int: "a whole number", str: "text"}
