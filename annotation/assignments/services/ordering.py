"""Put the answers of a sheet in the order of its rater."""

from collections.abc import Iterable

from annotation.assignments.rules import own_order
from annotation.items.models import Candidate
from annotation.projects.models import Membership


def in_own_order(rater: Membership, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return answers to one question in the order in which this rater sees them."""
    names = {f"{item.pool_hash} {item.group} {item.duplicate}": item for item in candidates}
    order = own_order(seed=rater.project.seed, rater=rater.public_id, names=names)
    return [names[name] for name in order]
