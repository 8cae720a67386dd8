"""What only later steps know about runs."""

from collections.abc import Iterable

from common.events import Port
from judges.methods.llm.proposer import TagChoices


@Port
def tag_choices(*, run_id: int) -> TagChoices:
    """Return the tags that a run may propose."""
    raise NotImplementedError


@Port
def tagged_verdicts(*, run_id: int, candidate_ids: Iterable[int]) -> dict[int, bool | None]:
    """Return by answer the verdict that is tagged."""
    raise NotImplementedError
