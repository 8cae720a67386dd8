"""Read what a run said, answer by answer, for leads."""

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.db.models import Q, QuerySet

from judges.protocol import JudgeInput
from judges.runs.models import Call, JudgeRun, Verdict
from judges.runs.selectors.inputs import judge_inputs

VERDICTS = {"accepted": True, "rejected": False, "unscored": None}


class VerdictLine(NamedTuple):
    """A verdict with what the judge was given and what it asked for it."""

    verdict: Verdict
    given: JudgeInput | None
    calls: list[Call]

    @property
    def golds(self) -> list[str]:
        """What the answer was compared with, as it stands now."""
        return [*self.given.golds, *self.given.patterns] if self.given else []

    @property
    def flags(self) -> list[str]:
        """What a person should look at first."""
        return [flag for flag in self.verdict.flags.split(",") if flag]


def find_verdicts(
    *, run: JudgeRun, verdict: str = "", reason: str = "", flag: str = "", search: str = ""
) -> QuerySet[Verdict]:
    """Return a run's verdicts, question by question.

    verdict: one of `VERDICTS`. reason: why unscored. flag: a whole flag. search: words of question or answer.
    """
    found = Verdict.objects.filter(run=run)
    if verdict in VERDICTS:
        found = found.filter(accepted=VERDICTS[verdict])
    if reason:
        found = found.filter(accepted=None, unscored_reason=reason)
    if flag:
        found = found.filter(flags__regex=rf"(^|,){re.escape(flag)}(,|$)")
    if search:
        found = found.filter(
            Q(candidate__text__icontains=search) | Q(candidate__question__text__icontains=search)
        )
    ordered = found.order_by("candidate__question__position", "candidate__question_id", "candidate_id")
    return ordered.select_related("candidate__question")


def describe_verdicts(run: JudgeRun, verdicts: Iterable[Verdict]) -> list[VerdictLine]:
    """Return verdicts with golds and calls."""
    verdicts = list(verdicts)
    ids = [verdict.candidate_id for verdict in verdicts]
    inputs = judge_inputs(run, ids)
    calls: dict[int | None, list[Call]] = defaultdict(list)
    for call in Call.objects.filter(run=run, candidate__in=ids).order_by("created_at", "pk"):
        calls[call.candidate_id].append(call)
    return [
        VerdictLine(verdict, inputs.get(verdict.candidate_id), calls[verdict.candidate_id])
        for verdict in verdicts
    ]
