"""Carry an import out, take it back, and take it up again where a worker died."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, connection, models, transaction
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from annotation.items import selectors
from annotation.items.events import ImportLeaving, ImportMayLeave, ItemsChanged
from annotation.items.formats.records import Kind
from annotation.items.models import (
    Candidate,
    DataImport,
    GoldAnswer,
    Passage,
    Prediction,
    Question,
    RetrievedPassage,
    System,
)
from annotation.items.ports import TAKEN_OUT, take_over_decisions, take_over_verdicts, take_over_votes
from annotation.items.rules import (
    Ballot,
    RecordedDecision,
    RecordedVerdict,
    plain_names,
    shorten_names,
    text_hash,
)
from annotation.items.services.known import KEYS_AT_ONCE, KnownAnswer, KnownSystem
from annotation.items.services.plan import Chunk, NewGold, NewPassage, NewPrediction, NewRetrieval, Plan
from annotation.items.services.reading import (
    SHORTENED,
    SYSTEM_NAMES,
    WITHOUT_COMMON_PREFIX,
    chunks_of,
    read_records,
)
from annotation.items.services.samples import open_answers
from annotation.items.services.uploads import check_import, checking_name, end_check
from annotation.projects.models import Project
from annotation.projects.services.limits import Resource, refuse_in_vain, require_room
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep
from common.clock import now
from common.database.rows import (
    batched,
    in_chunks,
    insert_rows,
    read_rows,
    refresh_statistics,
    reserve_keys,
)
from common.errors import Conflict, DomainError
from common.events import publish
from common.identifiers import new_public_id
from common.tasks import at_work, enqueue_on_commit, has_died

State = DataImport.State
# What these point to answers with is the steps' own to judge: some of it goes with the import.
ASKED_BY_EVENT = ("assignments", "judgments", "decisions")


class ImportInUse(Conflict):
    """People's work rests on what the import brought in."""


def removing_name(public_id: str) -> str:
    """Return what taking an import out is called among what is worked on."""
    return f"undo-{public_id}"


def refuse_if_used(*, data_import: DataImport) -> None:
    """Raise `ImportInUse`, or what later steps raise, where people's work rests on the import."""
    # Whoever was given something of it before it began to go has said so now.
    _wait_for_locks(data_import)
    publish(ImportMayLeave(data_import_id=data_import.pk))
    for rows in (leaving_answers(data_import.pk), _leaving_questions(data_import.pk)):
        _refuse_protected(rows)


def _wait_for_locks(data_import: DataImport) -> None:
    # On SQLite whoever wrote had the only lock, and is through.
    if not connection.features.has_select_for_update:
        return
    answers = Candidate.objects.filter(Q(data_import=data_import) | Q(predictions__data_import=data_import))
    ids = sorted(set(answers.values_list("question_id", flat=True)))
    for chunk in in_chunks(ids):
        with transaction.atomic():
            list(Question.objects.select_for_update().filter(pk__in=chunk).order_by("pk").values_list("pk"))


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
        "You cannot undo this import: annotators have already been given its answers, and their work "
        "would be lost.",
        details={"answers": answers},
    )


def take_out(*, import_id: int) -> None:
    """Delete everything that only this import brought in; what others rely on is handed over to them.

    Of an import that is being taken out: in chunks, each in a transaction of its own, and safe to repeat.
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
            undoing.filter(undone_at=None).update(state=State.FAILED, applied_at=None)
            undoing.exclude(undone_at=None).update(state=State.UNDONE)
            ask_upkeep(ItemsChanged(project_id=data_import.project_id))
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
    publish(ImportLeaving(data_import_id=data_import.pk))
    take_out_more = TAKEN_OUT.get(selectors.get_format(data_import.format).kind)
    if take_out_more:
        take_out_more(data_import=data_import)
    _delete(RetrievedPassage.objects.filter(mine))
    _delete(Prediction.objects.filter(mine))
    _delete(Passage.objects.filter(mine, is_given=True).exclude(question__data_import=data_import))
    _hand_over(data_import)
    for table in (Passage, Candidate, GoldAnswer, Question, System):
        _delete(table._base_manager.filter(mine))


def _delete(rows: QuerySet[Any]) -> None:
    for chunk in in_chunks(list(rows.order_by("pk").values_list("pk", flat=True))):
        rows.filter(pk__in=chunk).delete()


def _hand_over(data_import: DataImport) -> None:
    """Give answers, questions and systems that later imports use to the first of these."""
    mine = Q(data_import=data_import)
    _give(Candidate.objects.filter(mine), Prediction.objects.filter(candidate=OuterRef("pk")))
    _give(Question.objects.filter(mine), Prediction.objects.filter(question=OuterRef("pk")))
    _give(Question.objects.filter(mine), Candidate.objects.filter(question=OuterRef("pk")).exclude(mine))
    _give(System.objects.filter(mine), Prediction.objects.filter(system=OuterRef("pk")))
    retrieved = Passage.objects.filter(mine, is_given=False)
    _give(retrieved, RetrievedPassage.objects.filter(passage=OuterRef("pk")))
    # Gold answers and passages stay where the question stays that came with them.
    _follow(GoldAnswer.objects.filter(mine).exclude(question__data_import=data_import))
    _follow(Passage.objects.filter(mine, is_given=True).exclude(question__data_import=data_import))


def _follow(rows: QuerySet[Any]) -> None:
    """Give rows to the import that their question was given to."""
    of_question = Question.objects.filter(pk=OuterRef("question")).values("data_import")
    for chunk in in_chunks(list(rows.order_by("pk").values_list("pk", flat=True))):
        rows.model._base_manager.filter(pk__in=chunk).update(data_import=Subquery(of_question))


def _give(rows: QuerySet[Any], users: QuerySet[Any]) -> None:
    heir = users.order_by("data_import").values("data_import")[:1]
    inherited = rows.annotate(heir=Subquery(heir)).filter(heir__isnull=False)
    for chunk in in_chunks(list(inherited.order_by("pk").values_list("pk", flat=True))):
        rows.filter(pk__in=chunk).annotate(heir=Subquery(heir)).update(data_import=Subquery(heir))


LEASE = timedelta(minutes=5)
BROKEN_IMPORT = (
    "Something went wrong on the server, and nothing was saved. Confirm the import again. If it fails again, "
    "tell the administrator of this server."
)
# Votes go through assignment and decision, which takes longer than writing rows.
VOTES_AT_ONCE = 200
# A row with decisions writes these and changes of gold besides its answers.
DECIDED_ROWS = 30
REPLAYED = (Kind.VOTES, Kind.JUDGED_ITEMS)


class ImportNotReady(Conflict):
    """The import has errors, or was confirmed already."""


class AnotherImportRuns(Conflict):
    """Imports of one project come in one after the other."""


class ImportInterrupted(Exception):
    """The import was taken over by somebody else while this process was at work on it."""


def confirm_import(*, data_import: DataImport, in_background: bool = False) -> DataImport:
    """Let a checked import into the project; `in_background`: by a worker.

    Raises `ImportNotReady`, `AnotherImportRuns`, and `OrganizationLimitReached` where its answers would not
    fit. An import that fails says why in its state and message; then nothing of it is in the project.
    """
    _claim_project(data_import)
    if in_background:
        with transaction.atomic():
            enqueue_on_commit("annotation.items.apply_import", data_import.pk)
    else:
        apply_import(import_id=data_import.pk)
    data_import.refresh_from_db()
    return data_import


def _claim_project(data_import: DataImport) -> None:
    ready = DataImport.objects.filter(pk=data_import.pk, state__in=(State.READY, State.FAILED))
    try:
        with transaction.atomic():
            # From here on the project stays with its organization until the import is through.
            project = Project.objects.locked(data_import.project_id)
            claimed = ready.update(state=State.APPLYING, rows_done=0, message="", lease_expires_at=None)
            refuse_in_vain(
                organization_id=project.organization_id,
                resource=Resource.ANSWERS,
                asked=data_import.counts.get("answers", 0),
            )
    except IntegrityError:
        raise AnotherImportRuns(
            "Another import into this project is running. Try again when it is done."
        ) from None
    if not claimed:
        raise ImportNotReady("You cannot confirm this import: it has errors, or it was already confirmed.")


def apply_import(*, import_id: int) -> None:
    """Bring a confirmed import in; one that somebody else is at work on is left to them."""
    public_id = _waiting(import_id).values_list("public_id", flat=True).first()
    # A doorbell that rings again for what somebody died over must not wipe out that sign of it.
    if public_id is None:
        return
    with at_work(applying_name(public_id)) as is_alone:
        lease = Lease.take(import_id) if is_alone else None
        if lease is not None:
            _apply(import_id, lease)


def _waiting(import_id: int) -> QuerySet[DataImport]:
    return DataImport.objects.filter(pk=import_id, state=State.APPLYING, lease_expires_at=None)


def applying_name(public_id: str) -> str:
    """Return what bringing an import in is called among what is worked on."""
    return f"import-{public_id}"


def _apply(import_id: int, lease: "Lease") -> None:
    data_import = DataImport.objects.select_related("project__protocol").get(pk=import_id)
    try:
        _write(data_import, lease)
    except ImportInterrupted:
        return
    except DomainError as error:
        fail_import(data_import=data_import, message=error.message)
    except Exception:
        fail_import(data_import=data_import, message=BROKEN_IMPORT)
        raise


def fail_import(*, data_import: DataImport, message: str, lease_seen: datetime | None = None) -> None:
    """Take out what a broken import has brought in so far, and say why; it can be confirmed again.

    In chunks, and by the sweeper where this process dies over it: failed is only what is gone as a whole.
    `lease_seen`: only if nobody has renewed it since.
    """
    applying = DataImport.objects.filter(pk=data_import.pk, state=State.APPLYING)
    if lease_seen is not None:
        applying = applying.filter(lease_expires_at=lease_seen)
    if applying.update(state=State.UNDOING, message=message, lease_expires_at=None, rows_done=0):
        take_out(import_id=data_import.pk)


@dataclass
class Lease:
    """The right of one process to work on an import; its end is the token that proves it."""

    import_id: int
    expires_at: datetime

    @classmethod
    def take(cls, import_id: int) -> "Lease | None":
        """Take the import up if nobody has."""
        expires_at = now() + LEASE
        taken = _waiting(import_id).update(lease_expires_at=expires_at)
        return cls(import_id, expires_at) if taken else None

    def renew(self, **changes: Any) -> None:
        """Prolong the lease and store how far the work is; raises `ImportInterrupted` if it was lost."""
        expires_at = max(now() + LEASE, self.expires_at + timedelta(microseconds=1))
        mine = DataImport.objects.filter(
            pk=self.import_id, state=State.APPLYING, lease_expires_at=self.expires_at
        )
        if not mine.update(lease_expires_at=expires_at, **changes):
            raise ImportInterrupted
        self.expires_at = expires_at


def _write(data_import: DataImport, lease: Lease) -> None:
    kind = selectors.get_format(data_import.format).kind
    # Then progress is counted by their replay.
    has_votes = kind in REPLAYED or bool(data_import.counts.get("votes"))
    plan = Plan(data_import, is_preview=False)
    ballots: list[Ballot] = []
    done = 0
    records = read_records(data_import)
    for chunk in chunks_of(records, DECIDED_ROWS) if kind is Kind.DECIDED_ITEMS else chunks_of(records):
        refresh_statistics()
        done += len(chunk)
        # Planned before the lock is taken: one import at a time adds to a project.
        planned = plan.take(chunk)
        with transaction.atomic():
            # First, as it locks the row: whoever takes the import over waits for this chunk or stops it.
            lease.renew(rows_done=0 if has_votes else done)
            write_chunk(plan, planned)
            ballots += planned.ballots()
            # Last, so that whoever holds the organization waits for nobody.
            require_room(
                organization_id=data_import.project.organization_id,
                resource=Resource.ANSWERS,
                grown=len(planned.answers),
            )
    with transaction.atomic():
        lease.renew()
        _shorten_names(data_import=data_import)
    open_answers(data_import=data_import, after_each=lease.renew)
    if ballots:
        _replay(data_import, lease, ballots)
    _finish(data_import, lease, done)


def write_chunk(plan: Plan, planned: Chunk) -> None:
    """Write one chunk with its decisions and verdicts; its votes are replayed later."""
    _insert(plan.data_import, planned)
    plan.note_inserted(planned)
    _record_decisions(plan.data_import, planned.decisions())
    _record_verdicts(plan.data_import, planned.verdicts)


def _insert(data_import: DataImport, chunk: Chunk) -> None:
    _insert_questions(data_import, chunk)
    _insert_systems(data_import, chunk.systems)
    _insert_golds(data_import, chunk.golds)
    _insert_answers(data_import, chunk.answers)
    _insert_predictions(data_import, chunk.predictions)
    if chunk.passages:
        _insert_passages(data_import, chunk.passages)
    if chunk.retrievals:
        _insert_retrievals(data_import, chunk.retrievals)
    Candidate.objects.bulk_update(
        [Candidate(pk=answer.id, text_of_row=text) for answer, text in chunk.typed], ["text_of_row"]
    )


def _insert_questions(data_import: DataImport, chunk: Chunk) -> None:
    Question.objects.filter(pk__in=[question.id for question in chunk.entering]).update(in_sample=True)
    new = chunk.questions
    for each, key in zip(new, reserve_keys(Question, len(new)) if new else (), strict=True):
        each.known.id = key
    insert_rows(
        Question,
        (
            "id", "public_id", "project", "data_import", "key", "key_hash", "external_id", "text", "dataset",
            "tags", "reference_count", "position", "in_sample", "is_left_out",
        ),
        [
            (
                each.known.id, new_public_id(), data_import.project_id, data_import.pk, each.key,
                text_hash(each.key), each.said.external_id, each.said.text, each.said.dataset,
                list(each.said.tags), each.said.reference_count, each.position, each.known.in_sample, False,
            )
            for each in new
        ],
    )  # fmt: skip


def _insert_systems(data_import: DataImport, systems: Sequence[KnownSystem]) -> None:
    made = System.objects.bulk_create(
        System(
            project=data_import.project,
            data_import=data_import,
            name=system.name,
            label=system.name,
            group=system.group,
        )
        for system in systems
    )
    for system, row in zip(systems, made, strict=True):
        system.id = row.pk


def _insert_golds(data_import: DataImport, golds: Sequence[NewGold]) -> None:
    kinds = GoldAnswer.Kind
    insert_rows(
        GoldAnswer,
        ("question", "data_import", "kind", "text", "position"),
        [
            (
                each.question.id,
                data_import.pk,
                kinds.REGEX.value if each.gold.is_regex else kinds.STRING.value,
                each.gold.text,
                each.position,
            )
            for each in golds
        ],
    )


def _insert_answers(data_import: DataImport, answers: Sequence[KnownAnswer]) -> None:
    for answer, key in zip(answers, reserve_keys(Candidate, len(answers)) if answers else (), strict=True):
        answer.id = key
    insert_rows(
        Candidate,
        (
            "id", "public_id", "question", "project", "data_import", "text", "text_of_row", "pool_hash",
            "group", "duplicate", "position", "is_judgeable", "from_gold", "state", "wanted", "taken",
            "least_votes", "goes_first",
        ),
        [
            (
                each.id, new_public_id(), each.question.id, data_import.project_id, data_import.pk, each.text,
                "", each.pool_hash, each.group, each.duplicate, each.position, each.is_judgeable, False,
                Candidate.State.UNASKED.value, 0, 0, 0, False,
            )
            for each in answers
        ],
    )  # fmt: skip


def _insert_predictions(data_import: DataImport, predictions: Sequence[NewPrediction]) -> None:
    insert_rows(
        Prediction,
        ("system", "question", "candidate", "data_import", "text", "raw", "golds", "confidence", "metadata"),
        [
            (
                each.system.id,
                each.question.id,
                each.answer.id,
                data_import.pk,
                each.said.text,
                list(each.said.raw) if each.said.raw is not None else each.said.uncleaned or None,
                each.golds,
                each.said.confidence,
                dict(each.said.metadata),
            )
            for each in predictions
        ],
    )


def _insert_passages(data_import: DataImport, passages: Sequence[NewPassage]) -> None:
    for each, key in zip(passages, reserve_keys(Passage, len(passages)), strict=True):
        each.known.id = key
    insert_rows(
        Passage,
        (
            "id", "question", "data_import", "is_given", "text", "text_hash", "title", "source", "is_gold",
            "position",
        ),
        [
            (
                each.known.id, each.question.id, data_import.pk, each.is_given, each.said.text, each.hashed,
                each.said.title, each.said.source, each.said.is_gold, each.position,
            )
            for each in passages
        ],
    )  # fmt: skip


def _insert_retrievals(data_import: DataImport, retrievals: Sequence[NewRetrieval]) -> None:
    predictions: dict[tuple[int, int], int] = {}
    systems = {each.system.id for each in retrievals}
    for questions in batched(sorted({each.question.id for each in retrievals}), KEYS_AT_ONCE):
        rows = Prediction.objects.filter(question__in=questions, system__in=systems).order_by()
        predictions |= {
            (system, question): pk
            for pk, system, question in read_rows(rows, "pk", "system_id", "question_id")
        }
    insert_rows(
        RetrievedPassage,
        ("prediction", "passage", "data_import", "rank", "score"),
        [
            (
                predictions[each.system.id, each.question.id],
                each.passage.id,
                data_import.pk,
                each.said.rank,
                each.said.score,
            )
            for each in retrievals
        ],
    )


def _record_decisions(data_import: DataImport, decisions: list[RecordedDecision]) -> None:
    if decisions:
        take_over_decisions(project=data_import.project, decisions=decisions, at=data_import.created_at)


def _record_verdicts(data_import: DataImport, matched: list[RecordedVerdict]) -> None:
    by_judge: dict[str, list[RecordedVerdict]] = {}
    for each in matched:
        by_judge.setdefault(each.record.judge, []).append(each)
    for judge, rows in by_judge.items():
        take_over_verdicts(data_import=data_import, judge=judge, verdicts=rows, at=data_import.created_at)


def _shorten_names(*, data_import: DataImport) -> None:
    """Shorten what pages call an import's systems, if the lead chose so."""
    wanted = data_import.options.get(SYSTEM_NAMES)
    if wanted not in (WITHOUT_COMMON_PREFIX, SHORTENED):
        return
    new = list(data_import.systems.annotate(asked=Count("predictions")).order_by("pk"))
    others = data_import.project.systems.exclude(data_import=data_import)
    taken = set(others.values_list("label", flat=True))
    if wanted == SHORTENED:
        labels = plain_names({system.name: system.asked for system in new}, taken=taken)
    else:
        labels = shorten_names([system.name for system in new], taken=taken)
    for system in new:
        system.label = labels[system.name]
    System.objects.bulk_update(new, ["label"], batch_size=500)


def _replay(data_import: DataImport, lease: Lease, ballots: list[Ballot]) -> None:
    """Hand the votes over question by question, in an order that keeps the rows of a question together."""
    by_question: dict[str, list[Ballot]] = {}
    for ballot in ballots:
        by_question.setdefault(ballot.question_key, []).append(ballot)
    done = 0
    for chunk in _whole_groups(by_question.values(), VOTES_AT_ONCE):
        refresh_statistics()
        lease.renew(rows_done=done)
        take_over_votes(project=data_import.project, ballots=chunk, at=data_import.created_at)
        done += len(chunk)


def _whole_groups(groups: Iterable[list[Ballot]], size: int) -> Iterator[list[Ballot]]:
    """Yield whole groups together in lists of about `size`."""
    chunk: list[Ballot] = []
    for group in groups:
        chunk.extend(group)
        if len(chunk) >= size:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _finish(data_import: DataImport, lease: Lease, rows: int) -> None:
    # Before anybody hears of it: by this time judges know which verdicts are older than its gold answers.
    lease.renew(rows_done=rows, rows_total=rows, applied_at=now())
    refresh_statistics()
    # In no transaction: whoever listens writes in chunks of their own. An import that breaks here is taken
    # out again whole, and they hear of that, too.
    publish(ItemsChanged(project_id=data_import.project_id))
    with transaction.atomic():
        lease.renew()
        DataImport.objects.filter(pk=data_import.pk).update(state=State.APPLIED, lease_expires_at=None)


UNDO_TASK = "annotation.items.undo_import"
# Up to this many rows an import is taken out within the request.
INLINE_ROWS = 2_000


class ImportNotApplied(Conflict):
    """Only an import that was applied can be undone."""


def undo_import(
    *, data_import: DataImport, at: datetime | None = None, in_background: bool = False
) -> DataImport:
    """Take an import out again as a whole, and what programs said of it; what other imports use stays.

    From one moment to the next nobody is given anything of it. Its rows go in chunks, and are seen to by the
    sweeper where this process dies over it; until the last is gone it is "undoing". `in_background`: a large
    one by a worker. Raises `ImportNotApplied`, `AnotherImportRuns`, and `ImportInUse` where people's work
    rests on it.
    """
    _begin(data_import, at=at or now())
    confirm_undoing(import_id=data_import.pk)
    if in_background and data_import.rows_total > INLINE_ROWS:
        with transaction.atomic():
            enqueue_on_commit(UNDO_TASK, data_import.pk)
    else:
        take_out(import_id=data_import.pk)
    data_import.refresh_from_db()
    return data_import


def _begin(data_import: DataImport, *, at: datetime) -> None:
    applied = DataImport.objects.filter(pk=data_import.pk, state=State.APPLIED)
    try:
        with transaction.atomic():
            begun = applied.update(state=State.UNDOING, undone_at=at)
    except IntegrityError:
        raise AnotherImportRuns(
            "Another import into this project is running. Try again when it is done."
        ) from None
    if not begun:
        raise ImportNotApplied("You can undo only an import that was confirmed, and only once.")


# A doorbell that rang is answered sooner than this.
PATIENCE = timedelta(seconds=20)


def sweep_imports() -> None:
    """Take up what nobody works on; where a worker died within an import, take that out again."""
    at = now()
    for pk in _ids(state=State.CHECKING, lease_expires_at=None, created_at__lt=at - PATIENCE):
        check_import(import_id=pk)
    # Not taken up again by itself: the file may be what the worker died of.
    for data_import in _left_lying(State.CHECKING, checking_name, at=at):
        end_check(
            import_id=data_import.pk,
            message="The background worker stopped before the check was done. Check the files again.",
        )
    for data_import in _left_lying(State.APPLYING, applying_name, at=at):
        fail_import(
            data_import=data_import,
            message=(
                "The background worker stopped before the import was done. Nothing was saved. Confirm the "
                "import again."
            ),
            lease_seen=data_import.lease_expires_at,
        )
    for data_import in DataImport.objects.filter(state=State.UNDOING).order_by("pk"):
        _finish_undoing(data_import)
    for pk in _ids(state=State.APPLYING, lease_expires_at=None, created_at__lt=at - PATIENCE):
        apply_import(import_id=pk)


def _finish_undoing(data_import: DataImport) -> None:
    """Take out what somebody died over, or leave it where people's work was found to rest on it."""
    with suppress(Conflict):
        if data_import.undone_at is not None and data_import.rows_done:
            confirm_undoing(import_id=data_import.pk)
        take_out(import_id=data_import.pk)


def _left_lying(state: State, name_of: Callable[[str], str], *, at: datetime) -> list[DataImport]:
    """Return what was begun and is not worked on: its lease is over, or its process on this machine gone."""
    begun = DataImport.objects.filter(state=state).exclude(lease_expires_at=None).order_by("pk")
    return [each for each in begun if _is_over(each, at=at) or has_died(name_of(each.public_id))]


def _is_over(data_import: DataImport, *, at: datetime) -> bool:
    return data_import.lease_expires_at is not None and data_import.lease_expires_at < at


def _ids(**conditions: object) -> list[int]:
    return list(DataImport.objects.filter(**conditions).order_by("pk").values_list("pk", flat=True))
