"""What makes a handed-in sheet complete, and what becomes of each of its answers."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from annotation.projects.rules import CheckRule, Credit, Protocol, is_improper

# What a skip is called where a yes to a question check made judging pointless.
SKIPPED_BY_CHECK = "check:"
# The same from somebody who does not judge blindly: it passes the answers on and marks nothing.
SKIPPED_UNBLINDED = "unblinded, check:"
LATE_WORDS = (
    "This question was no longer yours: its time had run out, or a lead had recalled it. {answers} gone to "
    "other annotators. Your labels are kept, but labels for reassigned answers do not count."
)
UNBLINDED_WORDS = (
    "Since you received this question, you have seen which system gave an answer or how others "
    "judged it. Your labels are kept but do not count, and other annotators will judge these "
    "answers."
)
CAME_BACK_WORDS = (
    "You have since been given this question again with other answers. Your labels for the earlier answers "
    "are kept."
)
# The first judgment stands: its rater can change it among those they have made.
KNOWN_WORDS = (
    "You had already judged {count} of this question’s answers in another tab. Your earlier labels count."
)


DECIDED_WORDS = (
    "A lead has since decided this answer, so you can no longer change your judgment. If you "
    "have changed your mind, tell the lead."
)


def edit_refusal(*, is_decided_by_person: bool) -> str:
    """Return why a rater cannot change a judgment any more, in words, or nothing where they can.

    Only what a person decided closes it. Refusing because the other raters agreed, or because they did
    not and the answer waits for the lead, would tell the rater how others judged before the work is
    decided; such an edit is taken in and the answer settled anew.
    """
    return DECIDED_WORDS if is_decided_by_person else ""


@dataclass(frozen=True)
class AnswerGiven:
    """What a rater says of one answer: a label, or why there is none."""

    id: str
    label: str | None
    skip_reason: str = ""
    comment: str = ""
    evidence_url: str = ""
    evidence_quote: str = ""


class Fate(StrEnum):
    """What becomes of an answer on a sheet that is handed in."""

    COUNTED = "counted"
    MISSING = "missing"
    SURPLUS = "surplus"
    SKIPPED = "skipped"


def fate_of(*, credit: Credit | None, holds_slot: bool, is_needless: bool) -> Fate:
    """Return what becomes of an answer.

    `credit`: of its label, None where it was skipped. `is_needless`: the slot was to break a tie that
    was settled otherwise since.
    """
    if credit is None:
        return Fate.SKIPPED
    if not holds_slot:
        return Fate.SURPLUS
    if credit is Credit.MISSING:
        return Fate.MISSING
    return Fate.SURPLUS if is_needless else Fate.COUNTED


def skipping_check(*, protocol: Protocol, checks: Mapping[str, bool]) -> str:
    """Return the key of a check whose yes makes judging the answers pointless, or nothing."""
    yes = (check.key for check in protocol.question_checks if check.skips_answers and checks.get(check.key))
    return next(yes, "")


def heard_checks(
    *, protocol: Protocol, asked: Collection[str], checks: Mapping[str, bool]
) -> dict[str, bool | None]:
    """Return the checks that count on a sheet, in their order, with their answers, None where one lacks.

    A yes that makes judging pointless ends the questions: what comes after it is neither wanted nor kept.
    """
    heard: dict[str, bool | None] = {}
    for check in protocol.question_checks:
        if check.key in asked:
            heard[check.key] = checks.get(check.key)
            if check.skips_answers and heard[check.key]:
                break
    return heard


@dataclass(frozen=True)
class Inquiry:
    """Whom the raters' answers about a question call for once more.

    `checks`: raters who found nothing wrong with a question that the others took out of the scores: they
    are asked about it again. `answers`: raters whose yes did not prevail: they judge the answers after all.
    """

    is_improper: bool
    checks: frozenset[int] = frozenset()
    answers: frozenset[int] = frozenset()


def inquire(*, protocol: Protocol, marks: Mapping[int, Collection[str]], is_waiting: bool) -> Inquiry:
    """Return what becomes of a question and whom to ask again.

    `marks`: for each rater who answered the checks, the keys answered yes; `is_waiting`: somebody may
    still answer them for the first time. Whoever insists changes nothing: the rule counts raters.
    """
    skipping = set(protocol.skipping_keys)
    yes = frozenset(rater for rater, keys in marks.items() if skipping & set(keys))
    if not is_improper(protocol=protocol, marks=list(marks.values())):
        return Inquiry(is_improper=False, answers=frozenset() if is_waiting else yes)
    asks = any(check.skips_answers and check.rule is CheckRule.AT_LEAST for check in protocol.question_checks)
    return Inquiry(is_improper=True, checks=frozenset(marks) - yes if asks else frozenset())


def problems_of_sheet(
    *,
    protocol: Protocol,
    given: Sequence[AnswerGiven],
    required: Collection[str],
    allowed: Collection[str],
    checks: Mapping[str, bool],
    asked: Collection[str],
) -> dict[str, list[str]]:
    """Return what is wrong with a handed-in sheet, in words by field; nothing where it is complete.

    `required`: answers that need a label or a reason, unless a check skips them; `allowed`: answers
    that may have one; `asked`: keys of the checks to answer.
    """
    problems: dict[str, list[str]] = {}
    ids = [answer.id for answer in given]
    if len(set(ids)) != len(ids):
        problems.setdefault("answers", []).append("An answer appears twice in this request.")
    if set(ids) - set(allowed):
        problems.setdefault("answers", []).append("An answer does not belong to this question.")
    if None in heard_checks(protocol=protocol, asked=asked, checks=checks).values():
        problems["checks"] = ["Answer the question checks first."]
    if skipping_check(protocol=protocol, checks=checks):
        return problems
    missing = len(set(required) - set(ids))
    if missing:
        problems.setdefault("answers", []).append(
            f"Label all answers first. Answers without a label: {missing}."
        )
    for answer in given:
        wrong = problem_of_answer(answer=answer, protocol=protocol)
        if wrong:
            problems.setdefault(f"answers.{answer.id}", []).append(wrong)
    return problems


def problem_of_answer(*, answer: AnswerGiven, protocol: Protocol) -> str:
    """Return what is wrong with what is said of one answer, in words, or nothing."""
    if answer.label is None:
        return "" if answer.skip_reason.strip() else "Label this answer, or say why you are skipping it."
    label = protocol.label(answer.label)
    if label is None:
        return "There is no such label in this project."
    if label.credit in protocol.evidence_required_for and not _has_evidence(answer):
        return f"“{label.name}” needs evidence: the address of a page, or a quote from it."
    if label.credit in protocol.comment_required_for and not answer.comment.strip():
        return f"“{label.name}” needs a comment."
    return ""


def _has_evidence(answer: AnswerGiven) -> bool:
    return bool(answer.evidence_url.strip() or answer.evidence_quote.strip())
