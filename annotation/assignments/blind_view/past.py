"""Build what a rater sees of the sheets that they have handed in."""

from collections.abc import Mapping, Sequence

from annotation.assignments.blind_view.fields import (
    ANSWER_FIELDS,
    PAST_FIELDS,
    HowDecided,
    PastAnswer,
    PastCheck,
    PastSheet,
    Said,
)
from annotation.assignments.blind_view.questions import blind_question, flags_of
from annotation.assignments.models import Assignment, Sheet
from annotation.projects.models import Membership


def build_past(
    *,
    rater: Membership,
    sheet_ids: Sequence[int],
    said: Mapping[int, Said],
    decided: Mapping[int, HowDecided],
    checks: Mapping[int, list[PastCheck]],
    references: Mapping[int, list[str]],
) -> list[PastSheet]:
    """Return sheets that the rater has handed in, in this order.

    `said`: what this rater says, by assignment; `checks`: this rater's answers, by sheet; `decided`: by
    assignment, dropped unless the protocol shows decisions. Whether a vote was counted, and what others
    made of it, does not show.
    """
    rows = {row["pk"]: row for row in Sheet.objects.filter(pk__in=sheet_ids).values(*PAST_FIELDS)}
    flags = flags_of(rater=rater, rows=rows.values())
    protocol = rater.project.protocol
    decisions_shown = protocol is not None and protocol.rules.decisions_shown
    answers: dict[int, list[PastAnswer]] = {}
    judged = Assignment.objects.filter(sheet__in=sheet_ids, pk__in=list(said)).order_by("position", "pk")
    for pk, sheet_id, public_id, text in judged.values_list("pk", *ANSWER_FIELDS):
        told = decided.get(pk) if decisions_shown else None
        answer = PastAnswer(id=public_id, text=text, said=said[pk], decided=told)
        answers.setdefault(sheet_id, []).append(answer)
    return [
        PastSheet(
            id=row["public_id"],
            question=blind_question(rater=rater, row=row, references=references, flags=flags[row["pk"]]),
            checks=checks.get(row["pk"], []),
            answers=answers.get(row["pk"], []),
            handed_in_at=row["closed_at"],
        )
        for row in (rows[sheet_id] for sheet_id in sheet_ids)
    ]
