"""Jury: a verdict from the verdicts of other runs, by a rule."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from judges.protocol import JudgeInput, Verdict, WithOptions, option

UNDECIDED = "members_undecided"
TIED = "members_tied"
Said = Sequence[bool | None]


@dataclass(frozen=True)
class JuryOptions:
    """Who sits on the jury, and how it decides."""

    members: str = option("", help="The IDs of at least two runs in this project, separated by commas.")
    rule: str = option(
        "majority",
        choices=("any", "all", "majority", "first_decided"),
        help="How to combine the members’ verdicts: accept if any member accepts, if all accept, "
        "or if more than half accept; or use the first verdict.",
    )


class Jury(WithOptions[JuryOptions]):
    """Other judges' verdicts combined. A rule decides only what no missing verdict could turn around."""

    Options = JuryOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Combine the members' verdicts; the score is the share that accept of those with a verdict.

        Flags of any member are the jury's too, whatever the rule: they are about the answer.
        """
        return [self._decide(item.verdicts)._replace(flags=item.flags) for item in batch]

    def _decide(self, said: Said) -> Verdict:
        accepted = RULES[self.options.rule](said)
        known = [verdict for verdict in said if verdict is not None]
        score = sum(known) / len(known) if known else None
        if accepted is None:
            is_tied = bool(said) and len(known) == len(said)
            return Verdict(accepted=None, score=score, unscored_reason=TIED if is_tied else UNDECIDED)
        return Verdict(accepted=accepted, score=score)


def members_of(options: JuryOptions) -> list[str]:
    """Return the ids of the members in the order in which they were named."""
    return [member.strip() for member in options.members.split(",") if member.strip()]


def decide_any(said: Said) -> bool | None:
    """Accept if any member does; reject only if every one rejects."""
    if any(verdict is True for verdict in said):
        return True
    return False if said and None not in said else None


def decide_all(said: Said) -> bool | None:
    """Reject if any member does; accept only if every one accepts."""
    if any(verdict is False for verdict in said):
        return False
    return True if said and None not in said else None


def decide_majority(said: Said) -> bool | None:
    """Decide as more than half of *all* members do, whatever those without a verdict would have said."""
    for wanted in (True, False):
        if 2 * sum(verdict is wanted for verdict in said) > len(said):
            return wanted
    return None


def decide_first(said: Said) -> bool | None:
    """Decide as the first member that has a verdict."""
    return next((verdict for verdict in said if verdict is not None), None)


RULES: dict[str, Callable[[Said], bool | None]] = {
    "any": decide_any,
    "all": decide_all,
    "majority": decide_majority,
    "first_decided": decide_first,
}
