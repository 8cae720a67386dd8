"""A figure: a number with its interval, or the reason why there is none."""

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias


class Why(StrEnum):
    """Why there is no number, or no interval of one; `common.figures` says each in words."""

    TOO_FEW_QUESTIONS = "too_few_questions"
    TOO_FEW_VALUES = "too_few_values"
    SAYS_NOTHING = "says_nothing"
    NEVER_VARIES = "never_varies"
    NO_VALUE = "no_value"
    NOTHING_COUNTED = "nothing_counted"
    NOTHING_SAMPLED = "nothing_sampled"
    NOT_BOTH = "not_both"
    NO_SCORED = "no_scored"
    NONE_ACCEPTED = "none_accepted"
    NONE_CORRECT = "none_correct"
    NONE_EITHER = "none_either"
    NONE_RIGHT = "none_right"
    NONE_WRONG = "none_wrong"
    NO_SCORES = "no_scores"
    ONE_CLASS = "one_class"
    OUTSIDE_ZERO_TO_ONE = "outside_zero_to_one"
    TOO_FEW_TO_TEST = "too_few_to_test"
    NO_TWO_VOTES = "no_two_votes"
    ONE_LABEL = "one_label"
    NOTHING_SHARED = "nothing_shared"
    TOO_FEW_SYSTEMS = "too_few_systems"
    ALL_TIED = "all_tied"
    NOT_ANSWERED = "not_answered"
    NONE_APART = "none_apart"
    TOO_MANY_PAIRS = "too_many_pairs"
    NO_SHARED_VOTES = "no_shared_votes"
    ONE_LABEL_SHARED = "one_label_shared"
    MODEL_BASED = "model_based"
    FEW_RATERS = "few_raters"
    NO_REPEATS = "no_repeats"
    FEW_REPEATS = "few_repeats"
    FEW_SHARED = "few_shared"
    ITSELF = "itself"
    NO_HUMAN = "no_human"
    HUMAN_NEVER_ERRS = "human_never_errs"
    CHOSEN_HERE = "chosen_here"
    NOT_PROBABILITIES = "not_probabilities"
    NOTHING_BESIDE_PEOPLE = "nothing_beside_people"
    NOTHING_DECIDED = "nothing_decided"
    NOTHING_DECIDED_HERE = "nothing_decided_here"
    NOT_ALL_DECIDED = "not_all_decided"
    NOT_AUDITED = "not_audited"
    NOT_RANKED = "not_ranked"
    STARTS_FROM_ZERO = "starts_from_zero"
    THE_FIRST = "the_first"
    FROM_A_FILE = "from_a_file"
    NOT_PAID = "not_paid"
    NOT_FINISHED = "not_finished"
    NO_RANKING = "no_ranking"
    NOT_ON_COMMON = "not_on_common"
    NO_COST_OF_PEOPLE = "no_cost_of_people"
    TAU_HAS_NONE = "tau_has_none"
    PEOPLE_THEMSELVES = "people_themselves"


@dataclass(frozen=True)
class Undefined:
    """Say why there is no number, where others return NaN."""

    why: Why


Value: TypeAlias = float | Undefined


class Interval(NamedTuple):
    """Both ends, in the unit of the statistic."""

    low: float
    high: float


@dataclass(frozen=True)
class Figure:
    """A value between its bounds, 95 %; without a value, or without bounds, `why` says why.

    No bounds and no reason: they were not asked for.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    why: Why | None = None

    @classmethod
    def of(cls, value: Value, interval: Interval | Undefined | None = None) -> "Figure":
        """Return the figure of a statistic; no interval: it was not asked for."""
        if isinstance(value, Undefined):
            return cls(None, why=value.why)
        if isinstance(interval, Undefined):
            return cls(value, why=interval.why)
        return cls(value) if interval is None else cls(value, *interval)

    def within(self, interval: Interval | Undefined | None) -> "Figure":
        """Return the same number with its interval."""
        return self if self.value is None else Figure.of(self.value, interval)

    @property
    def number(self) -> Value:
        """The value, or why there is none."""
        if self.value is not None:
            return self.value
        assert self.why is not None
        return Undefined(self.why)

    @property
    def interval(self) -> tuple[float, float] | None:
        """Both ends, where there are any."""
        return None if self.low is None or self.high is None else (self.low, self.high)


def number_or_none(value: Value) -> float | None:
    """Return the number itself, or None where it is undefined (for JSON, which has no NaN)."""
    return None if isinstance(value, Undefined) else value
