"""Build what a rater sees of a question: its text, the rater's own flags, the checks to answer."""

from collections.abc import Iterable, Mapping
from typing import Any

from annotation.assignments.blind_view.fields import BlindCheck, BlindQuestion
from annotation.assignments.models import Purpose, QuestionFlag, Sheet
from annotation.projects.models import Membership


def blind_question(
    *, rater: Membership, row: Mapping[str, Any], references: Mapping[int, list[str]], flags: list[str]
) -> BlindQuestion:
    """Return the question of a sheet's row, with its references only where the protocol shows them."""
    protocol = rater.project.protocol
    shown = protocol is not None and protocol.rules.gold_shown
    return BlindQuestion(
        id=row["question__public_id"],
        text=row["question__text"],
        references=references.get(row["question_id"], []) if shown else None,
        flags=flags,
    )


def flags_of(*, rater: Membership, rows: Iterable[Mapping[str, Any]]) -> dict[int, list[str]]:
    """Return the kinds of the rater's own flags by sheet.

    Of one that comes a second time, those since then: what was flagged before would tell that it is one.
    """
    rows = list(rows)
    questions = [row["question_id"] for row in rows]
    own = QuestionFlag.objects.filter(rater=rater, question__in=questions).order_by("kind", "pk")
    flags = list(own.values_list("question_id", "kind", "flagged_at"))
    return {
        row["pk"]: [
            kind
            for question_id, kind, flagged_at in flags
            if question_id == row["question_id"]
            and (row["purpose"] != Purpose.REPEAT or flagged_at >= row["handed_out_at"])
        ]
        for row in rows
    }


def asked_checks(*, rater: Membership, rows: Iterable[Mapping[str, Any]]) -> dict[int, list[BlindCheck]]:
    """Return the checks to answer by sheet: each once, and those that skip answers when asked again."""
    protocol = rater.project.protocol
    rows = list(rows)
    if protocol is None or not protocol.rules.question_checks:
        return {row["pk"]: [] for row in rows}
    checks = [
        BlindCheck(check.key, check.text, check.skips_answers) for check in protocol.rules.question_checks
    ]
    questions = [row["question_id"] for row in rows]
    submitted = Sheet.objects.filter(rater=rater, question__in=questions, state=Sheet.State.SUBMITTED)
    answered = set(submitted.values_list("question_id", "purpose"))
    skipping = [check for check in checks if check.skips_answers]
    return {
        row["pk"]: skipping
        if row["asks_again"] == Sheet.Again.CHECKS
        else []
        # A second opinion is about answers alone.
        if (row["question_id"], row["purpose"]) in answered or row["purpose"] == Purpose.SECOND
        else checks
        for row in rows
    }
