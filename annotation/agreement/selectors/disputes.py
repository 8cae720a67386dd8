"""Find the rows behind a number of agreement: the items on which raters differ, and those of a part."""

from collections.abc import Sequence

from annotation.agreement.rules import OF_ANSWERS, Dimension, disagreeing_items
from annotation.agreement.selectors.parts import read_parts
from annotation.agreement.selectors.reports import Way, read_votes
from annotation.projects.models import Membership, Project
from common.errors import NotFound


class RaterNotFound(NotFound):
    """The project has no such rater."""

    code = "rater_not_found"


def find_disputed(*, project: Project, way: Way, pair: Sequence[str] = ()) -> list[int]:
    """Return the keys of the answers on which the first raters differ, as a report of the same way counts.

    Of a check they are the keys of questions. pair: the pseudonyms of two raters, of whom alone it is
    asked. Raises `CheckNotFound`, `RaterNotFound`.
    """
    known = Membership.objects.filter(project=project, pseudonym__in=pair)
    if pair and known.count() < 2:
        raise RaterNotFound("These are not two raters of this project.")
    return disagreeing_items(read_votes(project, way.check), rule=way.rule, view=way.view, pair=pair)


def items_in_part(*, project: Project, by: Dimension, name: str, check: str = "") -> list[int]:
    """Return the answers of one part of the study by their keys; none where there is no such part.

    Of a check they are questions. Raises `CheckNotFound`.
    """
    if check and by in OF_ANSWERS:
        return []
    votes = read_votes(project, check)
    rows = read_parts(project=project, first_round=votes, by=by).get(name)
    return [] if rows is None else [int(item) for item in votes.items[rows]]
