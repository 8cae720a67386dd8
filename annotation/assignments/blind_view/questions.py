"""Build what a rater sees of a question: its text, the rater's own flags, the checks to answer."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from annotation.assignments.blind_view.fields import BlindCheck, BlindQuestion
from annotation.assignments.models import Purpose, QuestionFlag, Sheet
from annotation.projects.models import Membership, ProtocolVersion
from annotation.projects.rules import Protocol, QuestionCheck


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
    """Return the checks a rater is asked by sheet, and has to answer before it is handed in.

    They are those of the version under which the sheet was handed out, each once: what an earlier sheet of
    the question asked is not asked again, but what was added since is. A sheet that asks again asks those
    that skip answers.
    """
    rows = list(rows)
    rules = _rules_of(rater, {row["protocol_version_id"] for row in rows})
    if not any(each.question_checks for each in rules.values()):
        return {row["pk"]: [] for row in rows}
    asked = _asked_before(rater, {row["question_id"] for row in rows}, rules)
    return {
        row["pk"]: [
            BlindCheck(check.key, check.text, check.skips_answers)
            for check in rules[row["protocol_version_id"]].question_checks
            if _is_asked(check, row, asked[row["question_id"], row["purpose"]])
        ]
        for row in rows
    }


def asked_keys(*, rater: Membership, sheet: Sheet) -> list[str]:
    """Return the keys of the checks that one sheet asks."""
    fields = ("pk", "question_id", "purpose", "asks_again", "protocol_version_id")
    row = {field: getattr(sheet, field) for field in fields}
    return [check.key for check in asked_checks(rater=rater, rows=[row])[sheet.pk]]


def _is_asked(check: QuestionCheck, row: Mapping[str, Any], before: set[str]) -> bool:
    if row["asks_again"] == Sheet.Again.CHECKS:
        return check.skips_answers
    # A second opinion is about answers alone.
    return row["purpose"] != Purpose.SECOND and check.key not in before


def _asked_before(
    rater: Membership, questions: Collection[int], rules: dict[int, Protocol]
) -> dict[tuple[int, str], set[str]]:
    submitted = Sheet.objects.filter(rater=rater, question__in=questions, state=Sheet.State.SUBMITTED)
    sheets = list(submitted.values_list("question_id", "purpose", "protocol_version_id"))
    rules = rules | _rules_of(rater, {version for *_, version in sheets} - rules.keys())
    found: dict[tuple[int, str], set[str]] = defaultdict(set)
    for question_id, purpose, version in sheets:
        found[question_id, purpose] |= {check.key for check in rules[version].question_checks}
    return found


def _rules_of(rater: Membership, versions: Collection[int]) -> dict[int, Protocol]:
    current = rater.project.protocol
    if current is not None and set(versions) <= {current.pk}:
        return {current.pk: current.rules}
    return {pk: version.rules for pk, version in ProtocolVersion.objects.in_bulk(versions).items()}
