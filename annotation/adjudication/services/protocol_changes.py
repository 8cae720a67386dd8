"""What a change of the protocol would do to decisions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Move, Moved, move_of
from annotation.adjudication.services.settling import (
    BY_RULE,
    Settlement,
    affected_answers,
    count_gold_equal,
    find_settlements,
    is_held_by_a_person,
    renumbered,
)
from annotation.assignments.models import Sheet
from annotation.items.models import Candidate
from annotation.items.services.samples import count_gold_to_join
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from annotation.projects.rules import GoldEqual, Protocol
from annotation.projects.services.protocols import read_protocol
from common.database.rows import in_chunks

# One answer, several answers; {votes}: what lacks.
MOVE_WORDS = {
    Move.DECIDED: (
        "{n} answer is decided by its existing votes.",
        "{n} answers are decided by their existing votes.",
    ),
    Move.RELABELLED: (
        "{n} decided answer gets a different decision.",
        "{n} decided answers get a different decision.",
    ),
    Move.REOPENED: (
        "{n} decided answer is reopened and waits for {votes}.",
        "{n} decided answers are reopened and wait for {votes} each.",
    ),
    Move.FOR_LEAD: ("{n} answer goes to the queue.", "{n} answers go to the queue."),
    Move.FROM_LEAD: (
        "{n} answer leaves the queue and waits for {votes}.",
        "{n} answers leave the queue and wait for {votes} each.",
    ),
    Move.MORE_RATERS: (
        "{n} open answer needs more annotators than before.",
        "{n} open answers need more annotators than before.",
    ),
    Move.FEWER_RATERS: (
        "{n} open answer needs fewer annotators than before.",
        "{n} open answers need fewer annotators than before.",
    ),
}


# In the order of `GoldEffects`.
GOLD_WORDS = (
    (
        "{n} gold answer is added to the answers that annotators judge.",
        "{n} gold answers are added to the answers that annotators judge.",
    ),
    (
        "{n} open answer equals a gold answer and counts as correct without being judged.",
        "{n} open answers equal a gold answer and count as correct without being judged.",
    ),
    (
        "{n} answer goes to annotators. Until now, it counted as correct because it equals a gold answer.",
        "{n} answers go to annotators. Until now, they counted as correct because they equal a gold answer.",
    ),
)


class GoldEffects(NamedTuple):
    """How many answers join as gold, count as correct because they equal it, and go back to raters."""

    joining: int = 0
    settled: int = 0
    given_back: int = 0


class ChangeEffects(NamedTuple):
    """What putting a protocol in force would mean for work done.

    `number`: of the version it would be. `judgments`: those that stand, by version. `by_others`: answers
    that a person, a machine or a file decided. `readers`: raters who would be shown changed guidelines.
    """

    is_same: bool
    number: int
    judgments: dict[int, int]
    moved: Mapping[Moved, int]
    by_others: int
    sheets_out: int
    readers: int
    gold: GoldEffects


def foresee_change(*, project: Project, spec: dict[str, Any]) -> ChangeEffects:
    """Return what putting `spec` in force would mean for work done, changing nothing.

    Raises `UnusableProtocol`.
    """
    protocol = read_protocol(project=project, spec=spec)
    current = project.protocol
    assert current is not None
    chunks = in_chunks(affected_answers(project))
    moved = Counter(each for chunk in chunks for each in _moved(chunk, protocol))
    is_same = current.rules == protocol
    return ChangeEffects(
        is_same=is_same,
        number=current.number + (current.frozen_at is not None and not is_same),
        judgments=_judgments_by_version(project),
        moved=moved,
        by_others=_decided_by_others(project),
        sheets_out=Sheet.objects.filter(project=project, state=Sheet.State.OPEN).count(),
        readers=_readers(project) if current.rules.guidelines != protocol.guidelines else 0,
        gold=_gold_effects(project, current.rules, protocol),
    )


@dataclass(frozen=True)
class ProtocolChange:
    """The effects of publishing a protocol.

    `is_same`: whether it equals the current version. `number`: the version number it would have. `effects`:
    what would happen to existing work, in sentences.
    """

    is_same: bool
    number: int
    effects: list[str]


def tell_change(*, project: Project, spec: dict[str, Any]) -> ProtocolChange:
    """Say what putting `spec` in force would mean, changing nothing; raises `UnusableProtocol`."""
    effects = foresee_change(project=project, spec=spec)
    return ProtocolChange(effects.is_same, effects.number, words_of_change(effects))


def _gold_effects(project: Project, before: Protocol, after: Protocol) -> GoldEffects:
    joins = after.gold_among_answers and not before.gold_among_answers
    joining = count_gold_to_join(project=project) if joins else 0
    if before.gold_equal is after.gold_equal:
        return GoldEffects(joining=joining)
    equal, settled = count_gold_equal(project=project)
    if after.gold_equal is GoldEqual.CORRECT:
        return GoldEffects(joining=joining, settled=equal)
    return GoldEffects(joining=joining, given_back=settled)


def _moved(candidate_ids: Sequence[int], protocol: Protocol) -> list[Moved]:
    settlements = find_settlements(
        candidate_ids=candidate_ids, protocol=protocol, renumbered=renumbered(candidate_ids)
    )
    return [_move_of(settlement) for settlement in settlements if not is_held_by_a_person(settlement)]


def _move_of(settlement: Settlement) -> Moved:
    current = settlement.current
    return move_of(
        label_before=current.label if current is not None and not current.is_reopening else None,
        was_disputed=settlement.candidate.state == Candidate.State.DISPUTED,
        wanted_before=settlement.candidate.wanted,
        outcome=settlement.outcome,
        wanted_after=settlement.wanted,
    )


def _judgments_by_version(project: Project) -> dict[int, int]:
    """Return how many standing judgments were made under each version, by its number."""
    standing = (
        Judgment.objects.votes().filter(candidate__project=project).exclude(state=Judgment.State.WITHDRAWN)
    )
    version = "assignment__sheet__protocol_version__number"
    return dict(standing.values_list(version).annotate(n=Count("pk")).order_by(version))


def _decided_by_others(project: Project) -> int:
    decided = Decision.objects.in_force().filter(candidate__project=project)
    return decided.exclude(source__in=BY_RULE).count()


def _readers(project: Project) -> int:
    """Return how many raters have begun: they are shown guidelines that changed."""
    sheets = Sheet.objects.filter(project=project, rater__user__is_imported=False)
    return sheets.filter(rater__state=Membership.State.ACTIVE).values("rater").distinct().count()


def words_of_change(effects: ChangeEffects) -> list[str]:
    """Return in sentences what a change of the protocol means for work done."""
    words = [
        _counted_words(
            count,
            f"{{n}} judgment was made under version {number} and keeps that version.",
            f"{{n}} judgments were made under version {number} and keep that version.",
        )
        for number, count in effects.judgments.items()
    ] or ["No judgments have been made yet."]
    for moved, count in sorted(effects.moved.items()):
        if moved.move in MOVE_WORDS:
            one, several = MOVE_WORDS[moved.move]
            votes = (
                "one more annotator" if moved.votes_missing == 1 else f"{moved.votes_missing} more annotators"
            )
            words.append(_counted_words(count, one, several).replace("{votes}", votes))
    if effects.judgments and effects.by_others:
        words.append(
            _counted_words(
                effects.by_others,
                "{n} answer was decided by a person, a judge, or a file and keeps that decision.",
                "{n} answers were decided by a person, a judge, or a file and keep that decision.",
            )
        )
    if effects.sheets_out:
        words.append(
            _counted_words(
                effects.sheets_out,
                "{n} open sheet can still be submitted as it is.",
                "{n} open sheets can still be submitted as they are.",
            )
        )
    words += [
        _counted_words(count, *words_of_gold)
        for count, words_of_gold in zip(effects.gold, GOLD_WORDS, strict=True)
        if count
    ]
    if effects.readers:
        words.append(
            _counted_words(
                effects.readers,
                "{n} annotator must read the changed guidelines before continuing.",
                "{n} annotators must read the changed guidelines before continuing.",
            )
        )
    return words


def _counted_words(count: int, one: str, several: str) -> str:
    return (one if count == 1 else several).replace("{n}", f"{count:,}")
