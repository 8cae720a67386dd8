"""Read a round's items, and everything a tag on one of them rests on."""

from dataclasses import dataclass
from typing import NamedTuple

from annotation.adjudication.selectors import current_labels
from annotation.assignments.models import QuestionFlag
from annotation.gold.selectors import gold_lists
from annotation.items.models import Prediction
from common.errors import NotFound
from judges.tagging.models import TaggedItem, Tagging, TaggingRound, TagProposal


class ItemNotFound(NotFound):
    """The round has no such item."""

    code = "tagged_item_not_found"


@dataclass(frozen=True)
class ItemLine:
    """An item in the list of a round."""

    id: str
    question: str
    answer: str | None
    tags: list[str]
    is_done: bool


class ItemView(NamedTuple):
    """Everything a tag rests on. proposal: None where there is none, or the round hides it."""

    item: TaggedItem
    gold: list[str]
    amended_gold: list[str]
    label: str | None
    systems: list[str] | None
    flags: list[str]
    proposal: TagProposal | None
    current: Tagging | None
    history: list[Tagging]


def list_items(*, tagging_round: TaggingRound) -> list[ItemLine]:
    """Return a round's items in the order of the work."""
    current = {
        tagging.item_id: tagging.tags
        for tagging in Tagging.objects.in_force().filter(item__round=tagging_round)
    }
    rows = tagging_round.items.order_by("position").values_list(
        "pk", "public_id", "question__text", "candidate__text"
    )
    return [
        ItemLine(public_id, question, answer, current.get(pk, []), pk in current)
        for pk, public_id, question, answer in rows
    ]


def get_item(*, tagging_round: TaggingRound, public_id: str) -> TaggedItem:
    """Return one item of a round; raises `ItemNotFound`."""
    found = (
        tagging_round.items.select_related(
            "question__project", "candidate", "verdict", "round__tag_set", "proposal"
        )
        .filter(public_id=public_id)
        .first()
    )
    if found is None:
        raise ItemNotFound("This round has no such item.")
    return found


def view_item(*, item: TaggedItem, with_systems: bool = True) -> ItemView:
    """Return everything a tag on an item rests on; without systems these are None."""
    project, question = item.question.project, item.question_id
    history = list(item.taggings.select_related("tagged_by").order_by("-number"))
    current = next((row for row in history if row.is_in_force), None)
    candidates = [item.candidate] if item.candidate else []
    flags = QuestionFlag.objects.filter(question=question).order_by("kind").values_list("kind", flat=True)
    return ItemView(
        item=item,
        gold=list(gold_lists(project, amended=False, question_ids=[question])[question]),
        amended_gold=list(gold_lists(project, amended=True, question_ids=[question])[question]),
        label=next(iter(current_labels(candidates).values()), None),
        systems=_systems(item) if with_systems else None,
        flags=list(flags.distinct()),
        proposal=_visible_proposal(item),
        current=current,
        history=history,
    )


def _systems(item: TaggedItem) -> list[str]:
    rows = Prediction.objects.filter(candidate=item.candidate_id, candidate__isnull=False)
    return list(rows.order_by("system_id").values_list("system__label", flat=True))


def _visible_proposal(item: TaggedItem) -> TagProposal | None:
    """Return the proposal where the round shows it: a hidden one is never seen beside its item."""
    is_shown = item.round.proposals == TaggingRound.Proposals.SHOWN
    return getattr(item, "proposal", None) if is_shown else None
