"""Which gold answers a question has once people have judged, as pure functions."""

from collections.abc import Collection, Iterable, Sequence
from enum import StrEnum
from typing import NamedTuple

from analysis.text import normalize_answer

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
    *,
    original: Sequence[str],
    accepted: Iterable[str],
    rejected: Iterable[str],
    kept: Collection[str] = frozenset(),
) -> dict[Change, tuple[str, ...]]:
    """Return what has to change so that the gold answers agree with what people decided.

    Every accepted answer joins, then every rejected one leaves: the string as typed, or, where that
    is no gold answer, its lower-case form. Each rejected string is looked up among *all* gold answers
    after the additions, so the order of the decisions does not matter. A string both accepted and
    rejected (a row that stands twice) leaves, unless it is among `kept`. Each change comes with the
    judged strings that call for it, as typed.

    kept: what people accepted, which no removal takes away. People who accept "abraham" and reject
    "Abraham" contradict each other, as exact match holds the two equal: neither decision is the better
    one, and taking the answer away would turn every system that gave it to wrong without a word. So it
    stays, and `find_conflicts` names both for people to settle. What a program accepted is not kept:
    people go before programs.

    Source: the amendment of Kamalloo et al. 2023 (OpenQA-eval), reproduction rule AMEND, which has
    nothing kept; recorded judges are scored by it as published. Among the released votes of people
    no accepted string is taken away, so keeping them changes no published figure.
    """
    known = set(original)
    added = [text for text in dict.fromkeys(accepted) if text not in known]
    full = known | set(added)
    changes: dict[Change, tuple[str, ...]] = {Change(Action.ADDED, text): (text,) for text in added}
    for text in dict.fromkeys(rejected):
        form = _form_in_gold(text, full)
        if form is not None and form not in kept:
            change = Change(Action.REMOVED, form)
            changes[change] = (*changes.get(change, ()), text)
    return changes


def _form_in_gold(text: str, gold: set[str]) -> str | None:
    if text in gold:
        return text
    return text.lower() if text.lower() in gold else None


class Judged(NamedTuple):
    """An answer that people decided; `id` is its public one."""

    id: str
    text: str
    is_accepted: bool


class Contradiction(NamedTuple):
    """Answers to one question that exact match holds equal, of which people accepted one and rejected one."""

    accepted: Judged
    rejected: Judged


def find_conflicts(judged: Iterable[Judged]) -> list[Contradiction]:
    """Return the contradictions among what people decided of one question, one for each rejected answer.

    The accepted answer named is the one with the same text where there is one, else the first.
    """
    judged = tuple(judged)
    accepted: dict[str, list[Judged]] = {}
    for answer in judged:
        if answer.is_accepted:
            accepted.setdefault(normalize_answer(answer.text), []).append(answer)
    found = []
    for answer in judged:
        equal = accepted.get(normalize_answer(answer.text), [])
        if equal and not answer.is_accepted:
            same = (each for each in equal if each.text == answer.text)
            found.append(Contradiction(next(same, equal[0]), answer))
    return found
