"""Bring a checked import into its project, as a whole or not at all.

Rows are written in chunks, each a short transaction, on both databases: a long one would lock everybody
else out of SQLite and hide the progress on PostgreSQL. Until the last chunk is in, no answer of the
import is open, so nobody is asked about half of it; an import that breaks is taken out again whole.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils.module_loading import import_string

from annotation.items import selectors
from annotation.items.formats.records import ItemRecord, Kind, Record, VerdictRecord, VoteRecord
from annotation.items.models import DataImport
from annotation.items.rules import Ballot, RecordedDecision, RecordedVerdict
from annotation.items.services.opening import open_answers
from annotation.items.services.reading import chunks, read_records
from annotation.items.services.removing import take_out
from annotation.items.services.staging import match_verdicts, stage_decided, stage_items, stage_votes
from annotation.items.services.staging_answers import Staging, begin_staging
from annotation.items.services.systems import shorten_names
from common.at_work import at_work
from common.clock import now
from common.errors import Conflict, DomainError
from common.events import publish
from common.tasks import enqueue_on_commit

State = DataImport.State
LEASE = timedelta(minutes=5)
# Votes go through assignment and decision, which takes longer than writing rows.
VOTES_SHARE = 200
# A row with decisions writes these and changes of gold besides its answers.
DECIDED_ROWS = 30
REPLAYED = (Kind.VOTES, Kind.JUDGED_ITEMS)


class ImportNotReady(Conflict):
    """The import has errors, or was confirmed already."""

    code = "import_not_ready"


class AnotherImportRuns(Conflict):
    """Imports of one project come in one after the other."""

    code = "another_import_runs"


class ImportInterrupted(Exception):
    """The import was taken over by somebody else while this process was at work on it."""


def confirm_import(*, data_import: DataImport, in_background: bool = False) -> DataImport:
    """Let a checked import into the project; `in_background`: by a worker.

    Raises `ImportNotReady` and `AnotherImportRuns`. An import that fails says why in its state and
    message; then nothing of it is in the project.
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
            claimed = ready.update(state=State.APPLYING, rows_done=0, message="", lease_expires_at=None)
    except IntegrityError:
        raise AnotherImportRuns(
            "Another import into this project is running. Try again when it is done."
        ) from None
    if not claimed:
        raise ImportNotReady("This import cannot be confirmed: it has errors, or it was confirmed already.")


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
        fail_import(data_import=data_import, message="Something went wrong on our side. Nothing was kept.")
        raise


def fail_import(*, data_import: DataImport, message: str, lease_seen: datetime | None = None) -> None:
    """Take out what a broken import has brought in so far, and say why; it can be confirmed again.

    In shares, and by the sweeper where this process dies over it: failed is only what is gone as a whole.
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
    applier = selectors.get_appliers(data_import.format).apply
    staging = begin_staging(data_import=data_import)
    ballots: list[Ballot] = []
    done = 0
    records = read_records(data_import)
    for chunk in chunks(records, DECIDED_ROWS) if kind is Kind.DECIDED_ITEMS else chunks(records):
        done += len(chunk)
        with transaction.atomic():
            # First, as it locks the row: whoever takes the import over waits for this chunk or stops it.
            lease.renew(rows_done=0 if kind in REPLAYED else done)
            ballots += _write_chunk(staging, kind, applier, chunk)
    with transaction.atomic():
        lease.renew()
        shorten_names(data_import=data_import)
    open_answers(data_import=data_import, after_each=lease.renew)
    if kind in REPLAYED:
        _replay(data_import, lease, applier, ballots)
    _finish(data_import, lease, done)


def _write_chunk(staging: Staging, kind: Kind, applier: str, chunk: list[Record]) -> list[Ballot]:
    """Write one chunk with its decisions and verdicts, and return its votes, which are replayed later."""
    data_import = staging.data_import
    items = [record for record in chunk if isinstance(record, ItemRecord)]
    if kind is Kind.DECIDED_ITEMS:
        _record_decisions(data_import, applier, stage_decided(staging, items))
        return []
    verdicts = [record for record in chunk if isinstance(record, VerdictRecord)]
    _record_verdicts(data_import, applier, match_verdicts(staging, verdicts))
    votes = [record for record in chunk if isinstance(record, VoteRecord)]
    return [*stage_items(staging, items), *stage_votes(staging, votes)]


def _record_decisions(data_import: DataImport, applier: str, decisions: list[RecordedDecision]) -> None:
    if decisions:
        import_string(applier)(project=data_import.project, decisions=decisions, at=data_import.created_at)


def _record_verdicts(data_import: DataImport, applier: str, matched: list[RecordedVerdict]) -> None:
    by_judge: dict[str, list[RecordedVerdict]] = {}
    for each in matched:
        by_judge.setdefault(each.record.judge, []).append(each)
    for judge, rows in by_judge.items():
        import_string(applier)(data_import=data_import, judge=judge, verdicts=rows, at=data_import.created_at)


def _replay(data_import: DataImport, lease: Lease, applier: str, ballots: list[Ballot]) -> None:
    """Hand the votes over question by question, in an order that keeps the rows of a question together."""
    by_question: dict[str, list[Ballot]] = {}
    for ballot in ballots:
        by_question.setdefault(ballot.question_key, []).append(ballot)
    done = 0
    for share in shares(by_question.values(), VOTES_SHARE):
        lease.renew(rows_done=done)
        import_string(applier)(project=data_import.project, ballots=share, at=data_import.created_at)
        done += len(share)


def shares(groups: Iterable[list[Ballot]], size: int) -> Iterator[list[Ballot]]:
    """Yield whole groups together in lists of about `size`."""
    share: list[Ballot] = []
    for group in groups:
        share.extend(group)
        if len(share) >= size:
            yield share
            share = []
    if share:
        yield share


def _finish(data_import: DataImport, lease: Lease, rows: int) -> None:
    lease.renew(rows_done=rows, rows_total=rows)
    # In no transaction: whoever listens writes in shares of their own. An import that breaks here is taken
    # out again whole, and they hear of that, too.
    publish(event="items_changed", project_id=data_import.project_id)
    with transaction.atomic():
        lease.renew()
        DataImport.objects.filter(pk=data_import.pk).update(
            state=State.APPLIED, applied_at=now(), lease_expires_at=None
        )
