"""Take the rows of an import out again."""

from typing import Any

from django.db.models import OuterRef, ProtectedError, Q, QuerySet, Subquery
from django.utils.module_loading import import_string

from annotation.items import selectors
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from common.errors import Conflict
from common.events import publish


class ImportInUse(Conflict):
    """People's work rests on what the import brought in."""

    code = "import_in_use"


def remove_rows(*, data_import: DataImport) -> None:
    """Delete everything that only this import brought in; what others rely on is handed over to them.

    To be called in a transaction. Raises `ImportInUse` where raters were handed answers of it.
    """
    mine = Q(data_import=data_import)
    _take_back(data_import)
    Prediction.objects.filter(mine).delete()
    _hand_over(data_import)
    try:
        Candidate.objects.filter(mine).delete()
        GoldAnswer.objects.filter(mine).delete()
        Question.objects.filter(mine).delete()
        System.objects.filter(mine).delete()
    except ProtectedError as error:
        raise ImportInUse(
            "Raters have been handed answers of this import. Their work would be lost, so it stays.",
            details={"answers": len(error.protected_objects)},
        ) from None


def _take_back(data_import: DataImport) -> None:
    """Let the steps that made something of the rows take it back."""
    publish(event="import_leaving", data_import_id=data_import.pk)
    undo = selectors.get_appliers(data_import.format).undo
    if undo:
        import_string(undo)(data_import=data_import)


def _hand_over(data_import: DataImport) -> None:
    """Give answers, questions and systems that later imports use to the first of these."""
    mine = Q(data_import=data_import)
    _give(Candidate.objects.filter(mine), Prediction.objects.filter(candidate=OuterRef("pk")))
    _give(Question.objects.filter(mine), Prediction.objects.filter(question=OuterRef("pk")))
    _give(Question.objects.filter(mine), Candidate.objects.filter(question=OuterRef("pk")).exclude(mine))
    _give(System.objects.filter(mine), Prediction.objects.filter(system=OuterRef("pk")))
    # Gold answers stay where their question stays.
    GoldAnswer.objects.filter(mine).exclude(question__data_import=data_import).update(
        data_import=Subquery(Question.objects.filter(pk=OuterRef("question")).values("data_import"))
    )


def _give(rows: "QuerySet[Candidate] | QuerySet[Question] | QuerySet[System]", users: QuerySet[Any]) -> None:
    heir = users.order_by("data_import").values("data_import")[:1]
    rows.annotate(heir=Subquery(heir)).filter(heir__isnull=False).update(data_import=Subquery(heir))
