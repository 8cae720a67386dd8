"""Take the rows of an import out again, in shares; once it began nobody is given anything of it."""

from typing import Any

from django.db import connection, models, transaction
from django.db.models import OuterRef, Q, QuerySet, Subquery
from django.utils.module_loading import import_string

from annotation.items import selectors
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.projects.services import ask_upkeep, do_upkeep
from common.at_work import at_work
from common.errors import Conflict, DomainError
from common.events import publish
from common.shares import in_shares

State = DataImport.State
# Rows taken out at a time; with an answer go its verdicts.
SHARE = 200
# What these point to answers with is the steps' own to judge: some of it goes with the import.
ASKED_BY_EVENT = ("assignments", "judgments", "decisions")


class ImportInUse(Conflict):
    """People's work rests on what the import brought in."""

    code = "import_in_use"


def removing_name(public_id: str) -> str:
    """Return what taking an import out is called among what is worked on."""
    return f"undo-{public_id}"


def refuse_if_used(*, data_import: DataImport) -> None:
    """Raise `ImportInUse`, or what later steps raise, where people's work rests on the import."""
    # Whoever was given something of it before it began to go has said so now.
    _wait_for_locks(data_import)
    publish(event="import_may_leave", data_import_id=data_import.pk)
    for rows in (leaving_answers(data_import.pk), _leaving_questions(data_import.pk)):
        _refuse_protected(rows)


def _wait_for_locks(data_import: DataImport) -> None:
    # On SQLite whoever wrote had the only lock, and is through.
    if not connection.features.has_select_for_update:
        return
    answers = Candidate.objects.filter(Q(data_import=data_import) | Q(predictions__data_import=data_import))
    ids = sorted(set(answers.values_list("question_id", flat=True)))
    for share in in_shares(ids, of=SHARE):
        with transaction.atomic():
            list(Question.objects.select_for_update().filter(pk__in=share).order_by("pk").values_list("pk"))


def leaving_answers(import_id: int) -> QuerySet[Candidate]:
    """Return the answers that go with an import: no other import's system gave them."""
    others = Prediction.objects.filter(candidate=OuterRef("pk")).exclude(data_import=import_id)
    return Candidate.objects.filter(~models.Exists(others), data_import=import_id)


def _leaving_questions(import_id: int) -> QuerySet[Question]:
    predictions = Prediction.objects.filter(question=OuterRef("pk")).exclude(data_import=import_id)
    answers = Candidate.objects.filter(question=OuterRef("pk")).exclude(data_import=import_id)
    stays = models.Exists(predictions) | models.Exists(answers)
    return Question.objects.filter(~stays, data_import=import_id)


def _refuse_protected(rows: QuerySet[Any]) -> None:
    """Refuse where anything protects these rows by pointing to them, as the models say."""
    for relation in rows.model._meta.related_objects:
        if relation.on_delete is models.PROTECT and relation.get_accessor_name() not in (
            *ASKED_BY_EVENT,
            "predictions",
            "check_answers",
        ):
            pointing = relation.related_model._base_manager.filter(**{f"{relation.field.name}__in": rows})
            if count := pointing.count():
                raise in_use(count)


def in_use(answers: int) -> ImportInUse:
    """Return the refusal of an import that people work on; `answers`: how many of their rows."""
    return ImportInUse(
        "Raters have been handed answers of this import. Their work would be lost, so it stays.",
        details={"answers": answers},
    )


def take_out(*, import_id: int) -> None:
    """Delete everything that only this import brought in; what others rely on is handed over to them.

    Of an import that is being taken out: in shares, each in a transaction of its own, and safe to repeat.
    Left to whoever is at it already.
    """
    data_import = DataImport.objects.select_related("project").filter(pk=import_id).first()
    if data_import is None:
        return
    with at_work(removing_name(data_import.public_id)) as is_alone:
        undoing = DataImport.objects.filter(pk=import_id, state=State.UNDOING)
        if not is_alone or not undoing.exists():
            return
        # From here on there is no way back: whoever finishes this does not ask again.
        undoing.update(rows_done=0)
        _remove_rows(data_import)
        with transaction.atomic():
            undoing.filter(undone_at=None).update(state=State.FAILED)
            undoing.exclude(undone_at=None).update(state=State.UNDONE)
            ask_upkeep(project_id=data_import.project_id, event="items_changed")
    do_upkeep(project_id=data_import.project_id)


def confirm_undoing(*, import_id: int) -> None:
    """See that nobody's work rests on an import that is to be undone, now that nobody is given any of it.

    Raises `ImportInUse` and what later steps raise; then it is what it was.
    """
    data_import = DataImport.objects.get(pk=import_id)
    try:
        refuse_if_used(data_import=data_import)
    except DomainError:
        undoing = DataImport.objects.filter(pk=import_id, state=State.UNDOING).exclude(undone_at=None)
        undoing.update(state=State.APPLIED, undone_at=None)
        raise


def _remove_rows(data_import: DataImport) -> None:
    mine = Q(data_import=data_import)
    # The steps that made something of the rows take it back.
    publish(event="import_leaving", data_import_id=data_import.pk)
    undo = selectors.get_appliers(data_import.format).undo
    if undo:
        import_string(undo)(data_import=data_import)
    _delete(Prediction.objects.filter(mine))
    _hand_over(data_import)
    for table in (Candidate, GoldAnswer, Question, System):
        _delete(table._base_manager.filter(mine))


def _delete(rows: QuerySet[Any]) -> None:
    for share in in_shares(list(rows.order_by("pk").values_list("pk", flat=True)), of=SHARE):
        rows.filter(pk__in=share).delete()


def _hand_over(data_import: DataImport) -> None:
    """Give answers, questions and systems that later imports use to the first of these."""
    mine = Q(data_import=data_import)
    _give(Candidate.objects.filter(mine), Prediction.objects.filter(candidate=OuterRef("pk")))
    _give(Question.objects.filter(mine), Prediction.objects.filter(question=OuterRef("pk")))
    _give(Question.objects.filter(mine), Candidate.objects.filter(question=OuterRef("pk")).exclude(mine))
    _give(System.objects.filter(mine), Prediction.objects.filter(system=OuterRef("pk")))
    # Gold answers stay where their question stays.
    strangers = GoldAnswer.objects.filter(mine).exclude(question__data_import=data_import)
    for share in in_shares(list(strangers.order_by("pk").values_list("pk", flat=True)), of=SHARE):
        GoldAnswer.objects.filter(pk__in=share).update(
            data_import=Subquery(Question.objects.filter(pk=OuterRef("question")).values("data_import"))
        )


def _give(rows: "QuerySet[Candidate] | QuerySet[Question] | QuerySet[System]", users: QuerySet[Any]) -> None:
    heir = users.order_by("data_import").values("data_import")[:1]
    inherited = rows.annotate(heir=Subquery(heir)).filter(heir__isnull=False)
    for share in in_shares(list(inherited.order_by("pk").values_list("pk", flat=True)), of=SHARE):
        rows.filter(pk__in=share).annotate(heir=Subquery(heir)).update(data_import=Subquery(heir))
