"""Ways of judging: which columns a leaderboard has, and what they are called."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

HUMAN = "human"
HUMAN_DECIDED = "human_decided"
HUMAN_POSSIBLY = "human_possibly"
SETTLED = "settled"
CORRECTED = "corrected"
EXACT_MATCH = "exact_match"
TOKEN_F1 = "token_f1"  # noqa: S105 - a judge's key, no secret
RECORDED_PREFIX = "recorded:"
ORIGINAL_GOLD = "original"
AMENDED_PREFIX = "amended"
PARTIAL = "part of the answers"
_UNNAMED = frozenset({"judge", "gold", "revision", "files", "corpus", "parameters"})
_UNREADABLE = ("hash", "members")


class Kind(StrEnum):
    """Who stands behind a column; `MIXED`: people, and programs that were let settle answers."""

    JUDGE = "judge"
    HUMAN = "human"
    MIXED = "mixed"


class Unit(StrEnum):
    """What a column's numbers are: a share of right answers, or a mean F1."""

    ACCURACY = "accuracy"
    F1 = "f1"


class RunFacts(NamedTuple):
    """What a column needs to know of a judge run.

    `stated`: what makes its verdicts, name by name; `is_partial`: it has not been through all answers.
    """

    id: int
    public_id: str
    judge_key: str
    name: str
    gold_version: str
    signature: str
    stated: tuple[tuple[str, str], ...] = ()
    is_partial: bool = False


class Column(NamedTuple):
    """One way of judging systems."""

    key: str
    name: str
    kind: Kind
    gold: str | None
    signature: str
    unit: Unit


def is_recorded(judge_key: str) -> bool:
    """Say whether a judge's verdicts came from a file."""
    return judge_key.startswith(RECORDED_PREFIX)


def gold_of(gold_version: str) -> str | None:
    """Return "original" or "amended", or None where a run's gold is not ours."""
    if gold_version.startswith(AMENDED_PREFIX):
        return AMENDED_PREFIX
    return ORIGINAL_GOLD if gold_version == ORIGINAL_GOLD else None


def name_columns(runs: Iterable[RunFacts]) -> dict[int, Column]:
    """Return a column for each run, by run id; the first run of a judge has the judge's own key.

    Against amended gold the key gains `:amended`; further runs of the same judge gain their id. Runs that
    would have one name gain the options in which they differ, and partial ones are called so.
    """
    runs = list(runs)
    differences = _differences(runs)
    columns: dict[int, Column] = {}
    taken: set[str] = set()
    for run in runs:
        gold = gold_of(run.gold_version)
        key = f"{run.judge_key}:amended" if gold == AMENDED_PREFIX else run.judge_key
        key = f"{key}:{run.public_id}" if key in taken else key
        taken.add(key)
        words = [
            run.name,
            differences[run.id],
            "amended gold" * (gold == AMENDED_PREFIX),
            PARTIAL * run.is_partial,
        ]
        name = ", ".join(filter(None, words))
        unit = Unit.F1 if run.judge_key == TOKEN_F1 else Unit.ACCURACY
        columns[run.id] = Column(key, name, Kind.JUDGE, gold, run.signature, unit)
    return columns


def _differences(runs: list[RunFacts]) -> dict[int, str]:
    """Return in which options each run differs from the others of its judge, in words."""
    stated = {run.id: _named(run.stated) for run in runs}
    words: dict[int, str] = {}
    for run in runs:
        others = [stated[other.id] for other in runs if other.name == run.name]
        own = stated[run.id].items()
        apart = [f"{name.replace('_', ' ')} {value}" for name, value in own if _differs(name, value, others)]
        words[run.id] = ", ".join(apart)
    return words


def _named(stated: Iterable[tuple[str, str]]) -> dict[str, str]:
    # What nobody can read is left to the signature, and gold has words of its own.
    return {name: value for name, value in stated if name not in _UNNAMED and not name.endswith(_UNREADABLE)}


def _differs(name: str, value: str, others: list[dict[str, str]]) -> bool:
    return any(other.get(name) != value for other in others)


def human_columns(*, has_prejudged: bool, has_possible: bool = False) -> list[Column]:
    """Return the scores people give: over everything by amended gold, and over decided answers.

    has_prejudged: some of the decisions were left to verdicts. Then each column says who spoke: people
    alone; people and programs as they settled answers, and as that amended gold; and people again, with what
    programs settled corrected by the audit. has_possible: the protocol has labels between right and wrong,
    so that there is a second, milder count.
    """
    amended = "human|gold:amended|unjudged:exact_match"
    decided = _column(HUMAN_DECIDED, "People, decided answers", "human|answers:decided")
    possibly = _column(
        HUMAN_POSSIBLY, "People, possibly correct or better", "human|answers:decided|possibly:correct"
    )
    milder = [possibly] * has_possible
    if not has_prejudged:
        return [_column(HUMAN, "People, amended gold", amended, gold=AMENDED_PREFIX), decided, *milder]
    return [
        _column(CORRECTED, "Corrected by the audit", "human|prejudged:corrected|weights:1/probability"),
        decided._replace(
            name="People only, decided answers", signature=f"{decided.signature}|prejudged:left_out"
        ),
        *(each._replace(signature=f"{each.signature}|prejudged:left_out") for each in milder),
        _column(
            SETTLED,
            "As settled, by people and programs",
            "human|answers:decided|prejudged:counted",
            kind=Kind.MIXED,
        ),
        _column(
            HUMAN,
            "As settled, amended gold",
            f"{amended}|prejudged:counted",
            kind=Kind.MIXED,
            gold=AMENDED_PREFIX,
        ),
    ]


def people_key(columns: Iterable[Column]) -> str:
    """Return the key of the column by which people rank systems: never one that counts verdicts as theirs."""
    return CORRECTED if any(column.key == CORRECTED for column in columns) else HUMAN


def _column(
    key: str, name: str, signature: str, *, kind: Kind = Kind.HUMAN, gold: str | None = None
) -> Column:
    return Column(key, name, kind, gold, signature, Unit.ACCURACY)
