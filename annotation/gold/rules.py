"""Which gold answers a question has once people have judged, as pure functions."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

AMEND_RULE = "amend"
# Of a lead who corrects the list by hand.
CORRECTION_RULE = "correction"


class Action(StrEnum):
    """What a change does to a question's gold answers."""

    ADDED = "added"
    REMOVED = "removed"


class Change(NamedTuple):
    """One string that joins or leaves the gold answers."""

    action: Action
    text: str


def wanted_changes(
    *, original: Sequence[str], accepted: Iterable[str], rejected: Iterable[str]
) -> dict[Change, tuple[str, ...]]:
    """Return what has to change so that the gold answers agree with what people decided.

    Every accepted answer joins, then every rejected one leaves: the string as typed, or, where that
    is no gold answer, its lower-case form. Each rejected string is looked up among *all* gold answers
    after the additions, so the order of the decisions does not matter. A string both accepted and
    rejected (a row that stands twice) leaves. Each change comes with the judged strings that call for
    it, as typed.

    Source: the amendment of Kamalloo et al. 2023 (OpenQA-eval), reproduction rule AMEND.
    """
    known = set(original)
    added = [text for text in dict.fromkeys(accepted) if text not in known]
    full = known | set(added)
    changes: dict[Change, tuple[str, ...]] = {Change(Action.ADDED, text): (text,) for text in added}
    for text in dict.fromkeys(rejected):
        form = _form_in_gold(text, full)
        if form is not None:
            change = Change(Action.REMOVED, form)
            changes[change] = (*changes.get(change, ()), text)
    return changes


def _form_in_gold(text: str, gold: set[str]) -> str | None:
    if text in gold:
        return text
    return text.lower() if text.lower() in gold else None


def amended_gold(*, original: Sequence[str], changes: Iterable[Change]) -> tuple[str, ...]:
    """Return the gold answers with the changes in force applied: all additions, then all removals.

    Original answers keep their order, added ones follow in the order given. May be empty.
    """
    changes = tuple(changes)
    removed = {change.text for change in changes if change.action is Action.REMOVED}
    added = [change.text for change in changes if change.action is Action.ADDED]
    return tuple(text for text in dict.fromkeys([*original, *added]) if text not in removed)


def gold_list_version(gold_lists: Mapping[str, Sequence[str]]) -> str:
    """Return a name for a state of the gold list: equal states have equal names, in any installation.

    `gold_lists` maps a question's key to its gold answers; the order of questions and of answers
    does not matter.
    """
    state = sorted((key, sorted(answers)) for key, answers in gold_lists.items())
    digest = hashlib.sha256(json.dumps(state, ensure_ascii=False).encode()).hexdigest()
    return f"amended-{digest[:16]}"
