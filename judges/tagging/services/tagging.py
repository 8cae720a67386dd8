"""Record what a person says of an item, and take it back; the history only grows."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from annotation.projects.models import Membership
from common.clock import now
from common.errors import Conflict, Forbidden, Invalid
from judges.tagging.models import TaggedItem, Tagging
from judges.tagging.rules import Subject
from judges.tagging.selectors import may_tag, offered_tags


class NotATagger(Forbidden):
    """The round names others."""

    code = "not_a_tagger"


class StaleTagging(Conflict):
    """Somebody else was faster."""

    code = "stale_tagging"


class UnusableTagging(Invalid):
    """The tags do not fit the round's set."""

    code = "unusable_tagging"


@transaction.atomic
def tag_item(
    *,
    item: TaggedItem,
    by: Membership,
    tags: Sequence[str],
    seen_number: int,
    note: str = "",
    is_unattributable: bool = False,
    at: datetime | None = None,
) -> Tagging:
    """Say what an item is tagged with; what was said before stays in its history.

    seen_number: of the last row of the history the person saw, 0 where there was none. Raises `NotATagger`,
    `UnusableTagging`, `StaleTagging`.
    """
    _require_tagger(item, by)
    chosen = _check(item, tags, is_unattributable=is_unattributable)
    return _append(
        item,
        Tagging(
            item=item,
            number=seen_number + 1,
            tags=chosen,
            is_unattributable=is_unattributable,
            note=note.strip(),
            tagged_by=by.user,
            tagged_at=at or now(),
        ),
    )


@transaction.atomic
def withdraw_tagging(
    *, item: TaggedItem, by: Membership, seen_number: int, at: datetime | None = None
) -> Tagging:
    """Take back what was said of an item, which is then open again. Raises `NotATagger`, `StaleTagging`."""
    _require_tagger(item, by)
    if not Tagging.objects.in_force().filter(item=item).exists():
        raise StaleTagging("Nothing is said of this item that could be taken back.")
    return _append(
        item,
        Tagging(
            item=item,
            number=seen_number + 1,
            is_withdrawal=True,
            tagged_by=by.user,
            tagged_at=at or now(),
        ),
    )


def _require_tagger(item: TaggedItem, member: Membership) -> None:
    if not may_tag(tagging_round=item.round, member=member):
        raise NotATagger("This round is tagged by others. Its lead can name you in a new one.")


def _check(item: TaggedItem, tags: Sequence[str], *, is_unattributable: bool) -> list[str]:
    tag_set = item.round.tag_set
    offered = [tag.key for tag in offered_tags(item.round)]
    unknown = sorted(set(tags) - set(offered))
    if unknown:
        raise UnusableTagging(f"This round has no tag “{unknown[0]}”.")
    if not tags and not is_unattributable:
        raise UnusableTagging("Choose a tag first.")
    if len(set(tags)) > 1 and not tag_set.several:
        raise UnusableTagging("This set gives each item one tag. Choose the main one.")
    if is_unattributable and tag_set.subject == Subject.QUESTION:
        raise UnusableTagging("Only an answer can be unattributable.")
    return [key for key in offered if key in tags]


def _append(item: TaggedItem, row: Tagging) -> Tagging:
    # The item's row is the lock: of two who saw the same history one is told to look again.
    TaggedItem.objects.select_for_update().get(pk=item.pk)
    last = item.taggings.order_by("-number").values_list("number", flat=True).first() or 0
    if last != row.number - 1:
        raise StaleTagging("Somebody tagged this item meanwhile. Look at it again.")
    item.taggings.filter(is_current=True).update(is_current=False)
    row.save()
    return row
