"""Open answers for raters, and close those that nobody is to judge."""

from collections.abc import Callable, Collection, Iterator, Sequence

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Greatest

from annotation.items.models import Candidate, DataImport
from annotation.projects.models import Project
from common.shares import in_shares

State = Candidate.State
# One UPDATE of this many rows took 4 ms of processor time on SQLite.
SHARE = 1_000


def open_answers(*, data_import: DataImport, after_each: Callable[[], None]) -> None:
    """Open what an import brought in for judging, in shares of their own transactions."""
    waiting = _waiting(data_import.project).filter(data_import=data_import)
    _in_shares(waiting, data_import.project, after_each)


def open_sampled_answers(*, project: Project) -> None:
    """Open every answer of the sample that waits to be judged."""
    _in_shares(_waiting(project), project, lambda: None)


def open_again(*, candidate_ids: Collection[int], project: Project) -> None:
    """Open those of these answers that are in the sample; the caller holds the locks of their questions."""
    assert project.protocol is not None
    raters = project.protocol.rules.raters_per_answer
    # By key, as an UPDATE cannot look at other tables and at what it writes at once.
    ids = list(_waiting(project).filter(pk__in=candidate_ids).values_list("pk", flat=True))
    Candidate.objects.filter(pk__in=ids).update(state=State.OPEN, wanted=Greatest("taken", raters))


def close_unsampled_answers(*, project: Project) -> None:
    """Close every open answer outside the sample; votes already given are kept, and so are decisions."""
    outside = Candidate.objects.filter(project=project, state=State.OPEN, question__in_sample=False)
    for ids in _shares(outside):
        # Asked again: what was open may be decided by now, or in the sample.
        outside.filter(pk__in=ids).update(state=State.UNASKED, wanted=F("taken"))


def _waiting(project: Project) -> QuerySet[Candidate]:
    return Candidate.objects.filter(
        project=project, state=State.UNASKED, is_judgeable=True, question__in_sample=True
    )


def _in_shares(waiting: QuerySet[Candidate], project: Project, after_each: Callable[[], None]) -> None:
    assert project.protocol is not None
    raters = project.protocol.rules.raters_per_answer
    for ids in _shares(waiting):
        with transaction.atomic():
            after_each()
            Candidate.objects.filter(pk__in=ids, state=State.UNASKED).update(
                state=State.OPEN, wanted=Greatest("taken", raters)
            )


def _shares(candidates: QuerySet[Candidate]) -> Iterator[Sequence[int]]:
    return in_shares(list(candidates.order_by("pk").values_list("pk", flat=True)), of=SHARE)
