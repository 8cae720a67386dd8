"""Read what a model that proposes tags is asked with."""

from collections.abc import Iterable

from judges.methods.llm.proposer import TagChoice, TagChoices
from judges.tagging.models import TaggedItem, TaggingRound
from judges.tagging.selectors.rounds import offered_tags


def choices_of(tagging_round: TaggingRound) -> TagChoices:
    """Return the tags that can be proposed in a round."""
    tags = (TagChoice(tag.key, tag.name, tag.meaning, tag.example) for tag in offered_tags(tagging_round))
    return TagChoices(tagging_round.tag_set.subject, tagging_round.tag_set.several, tuple(tags))


def tag_choices(*, run_id: int) -> TagChoices:
    """Return the tags that a run may propose."""
    return choices_of(round_of(run_id))


def tagged_verdicts(*, run_id: int, candidate_ids: Iterable[int]) -> dict[int, bool | None]:
    """Return by answer the verdict that is tagged; nothing where a round is not about verdicts."""
    items = TaggedItem.objects.filter(
        round__proposer_run=run_id, candidate__in=list(candidate_ids), accepted__isnull=False
    )
    return dict(items.values_list("candidate_id", "accepted"))


def round_of(run_id: int) -> TaggingRound:
    """Return the round in which a run proposes."""
    return TaggingRound.objects.select_related("tag_set", "run").get(proposer_run=run_id)
