"""When raters take a question out of the scores."""

from collections.abc import Collection, Sequence

from annotation.projects.rules.protocol import Protocol
from annotation.projects.rules.values import CheckRule


def is_improper(*, protocol: Protocol, marks: Sequence[Collection[str]]) -> bool:
    """Say whether raters took a question out of the scores by checks that make its answers pointless.

    `marks`: for each rater the keys of the checks answered yes. A yes skips the checks that follow, so
    a rater counts towards "at least n" by a yes to any check of that rule (Wang et al. 2023: a question
    is improper when two of three raters marked it, for whichever reason).
    """
    skipping = [check for check in protocol.question_checks if check.skips_answers]
    alone = {check.key for check in skipping if check.rule is CheckRule.ANY}
    together = {check.key for check in skipping if check.rule is CheckRule.AT_LEAST}
    if any(alone & set(keys) for keys in marks):
        return True
    count = sum(bool(together & set(keys)) for keys in marks)
    return bool(together) and count >= min(check.at_least for check in skipping if check.key in together)


def skipping_check_key(protocol: Protocol) -> str:
    """Return the check whose yes takes a question out of the scores, for files that name none, or nothing.

    Of several it is the last: in the published protocol that the gold answers are improper.
    """
    keys = protocol.skipping_keys
    return keys[-1] if keys else ""
