"""Ways of judging: which columns a leaderboard has, and what they are called."""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

HUMAN = "human"
HUMAN_DECIDED = "human_decided"
EXACT_MATCH = "exact_match"
TOKEN_F1 = "token_f1"  # noqa: S105 - a judge's key, no secret
RECORDED_PREFIX = "recorded:"
ORIGINAL_GOLD = "original"
AMENDED_PREFIX = "amended"


class Kind(StrEnum):
    """Who stands behind a column."""

    JUDGE = "judge"
    HUMAN = "human"


class Unit(StrEnum):
    """What a column's numbers are: a share of right answers, or a mean F1."""

    ACCURACY = "accuracy"
    F1 = "f1"


class RunFacts(NamedTuple):
    """What a column needs to know of a judge run."""

    id: int
    public_id: str
    judge_key: str
    name: str
    gold_version: str
    signature: str


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

    Against amended gold the key gains `:amended`; further runs of the same judge gain their id.
    """
    columns: dict[int, Column] = {}
    taken: set[str] = set()
    for run in runs:
        gold = gold_of(run.gold_version)
        key = f"{run.judge_key}:amended" if gold == AMENDED_PREFIX else run.judge_key
        key = f"{key}:{run.public_id}" if key in taken else key
        taken.add(key)
        name = f"{run.name}, amended gold" if gold == AMENDED_PREFIX else run.name
        unit = Unit.F1 if run.judge_key == TOKEN_F1 else Unit.ACCURACY
        columns[run.id] = Column(key, name, Kind.JUDGE, gold, run.signature, unit)
    return columns


def human_columns(*, has_prejudged: bool) -> list[Column]:
    """Return the two scores people give: over everything by amended gold, and over decided answers.

    has_prejudged: some of the decisions were left to verdicts, which the signatures then say.
    """
    counted = "|prejudged:counted" if has_prejudged else ""
    return [
        Column(
            key=HUMAN,
            name="People, amended gold",
            kind=Kind.HUMAN,
            gold=AMENDED_PREFIX,
            signature=f"human|gold:amended|unjudged:exact_match{counted}",
            unit=Unit.ACCURACY,
        ),
        Column(
            key=HUMAN_DECIDED,
            name="People, decided answers",
            kind=Kind.HUMAN,
            gold=None,
            signature=f"human|answers:decided{counted}",
            unit=Unit.ACCURACY,
        ),
    ]
