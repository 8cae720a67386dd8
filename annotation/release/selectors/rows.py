"""What several forms of export read: votes that stand, names of questions, answers as files had them.

Readers take rows out of the database a share at a time, with what else is known of just these, so that no
study is too large for memory.
"""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from django.db.models import QuerySet

from annotation.items.models import Prediction
from annotation.items.rules import raw_answer
from annotation.judgments.models import Judgment
from annotation.projects.models import Project

# Rows in memory together.
SHARE = 1_000


def question_name(external_id: str, position: int) -> str:
    """Return the name under which a question leaves: the file's own, else its place counted from one."""
    return external_id or str(position + 1)


def in_shares(rows: QuerySet[Any, Any]) -> Iterator[list[Any]]:
    """Yield the rows of a query in lists of at most `SHARE`."""
    found = rows.iterator(chunk_size=SHARE)
    while share := list(islice(found, SHARE)):
        yield share


def standing_votes(project: Project) -> QuerySet[Judgment]:
    """Return the votes that leave, in the order in which they do; those taken back do not."""
    return (
        Judgment.objects.votes()
        .filter(candidate__project=project)
        .exclude(state=Judgment.State.WITHDRAWN)
        .order_by("candidate__question__position", "candidate__question_id", "candidate__position", "pk")
    )


def raw_answers(candidate_ids: Iterable[int]) -> dict[int, str]:
    """Return by candidate what the file of the first system that gave it had, where that is another text."""
    rows = Prediction.objects.filter(candidate__in=set(candidate_ids), raw__isnull=False)
    # The first system comes last and stays.
    last_first = rows.order_by("-system_id", "-pk").values_list("candidate_id", "raw")
    return {candidate: raw_answer(raw) or "" for candidate, raw in last_first}
