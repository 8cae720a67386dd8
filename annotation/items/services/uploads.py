"""Files are handed over within quotas, and checked."""

import hashlib
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any, Protocol
from uuid import uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from annotation.accounts.models import User
from annotation.items import selectors
from annotation.items.formats import generic
from annotation.items.formats.columns import ColumnSamples
from annotation.items.formats.documents.conversion import (
    ENCODINGS,
    UTF_8,
    ArchiveLimits,
    NotInEncoding,
    Unpacked,
    UnreadableArchive,
    is_archive,
    is_utf_8,
    marked_encoding,
    recode,
    recoded_path,
    unpack,
)
from annotation.items.formats.documents.parquet import ParquetLimits, UnreadableParquet, convert_parquet
from annotation.items.formats.records import (
    ItemRecord,
    Kind,
    Problem,
    Record,
    Severity,
    VerdictRecord,
    VoteRecord,
)
from annotation.items.formats.registry import FORMATS, detect
from annotation.items.formats.tables import is_parquet
from annotation.items.models import DataImport
from annotation.items.services.plan import Plan
from annotation.items.services.reading import (
    ENCODING,
    BadOption,
    chunks_of,
    option_specs,
    read_source,
    settle_options,
)
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict, Invalid, TooLarge, TooMany
from common.tasks import at_work, enqueue_on_commit

State = DataImport.State
WAITING = (State.CHECKING, State.READY, State.REFUSED, State.FAILED)


class UnusableFile(Invalid):
    """A Parquet file, an archive or a text in UTF-16 is damaged, or larger than is read here."""


class TooManyUploads(TooMany):
    """As many uploads wait to be confirmed as may."""


class UploadQuota(TooLarge):
    """The project or the person has as many bytes of uploads as are kept."""


def save_within_quotas(data_import: DataImport) -> None:
    """Store a new import; raises `TooManyUploads` and `UploadQuota`, for its project and for who uploads."""
    with transaction.atomic():
        # Two uploads at once take turns, so that together they stay within the quotas.
        project = Project.objects.locked(data_import.project_id)
        person = User.objects.select_for_update().get(pk=data_import.created_by_id)
        new = _size_of([data_import.files])
        imports = DataImport.objects.filter(project=project)
        _require_room(imports, new, whose="this project", setting="ASSAY_PROJECT_UPLOAD_BYTES")
        imports = DataImport.objects.filter(created_by=person)
        _require_room(imports, new, whose="yours", setting="ASSAY_PERSON_UPLOAD_BYTES")
        data_import.save()


def _require_room(imports: QuerySet[DataImport], new: int, *, whose: str, setting: str) -> None:
    is_yours = whose == "yours"
    uploads = "of your uploads, in all projects," if is_yours else f"uploads of {whose}"
    most = settings.ASSAY_UPLOADS_WAITING
    if imports.filter(state__in=WAITING).count() >= most:
        raise TooManyUploads(
            f"{most} {uploads} are waiting to be confirmed, which is the maximum. Confirm or "
            "discard some on the Import page.",
            details={"limit": most},
        )
    kept, limit = _size_of(imports.values_list("files", flat=True)), getattr(settings, setting)
    if kept + new > limit:
        raise UploadQuota(
            f"This upload has {new:,} bytes. With it, "
            f"{'your uploads' if is_yours else f'the uploads of {whose}'} would take up "
            f"{kept + new:,} bytes; the limit is {limit:,}. Discard waiting uploads, delete "
            "archived projects, or ask the administrator of this server for more space "
            f"({setting}).",
            details={"size": new, "kept": kept, "limit": limit},
        )


def _size_of(uploads: Iterable[list[dict[str, Any]]]) -> int:
    return sum(int(file["size"]) for files in uploads for file in files)


LEASE = timedelta(minutes=5)
ROWS_BETWEEN_LOOKS = 100
SECONDS_BETWEEN_LOOKS = 0.5
SHOWN_PROBLEMS = 100
# Times the largest upload: what a Parquet file or an archive may come to.
MOST_UNPACKED = 5
MOST_FILES_UNPACKED = 100
# Of each cause, as many places as somebody looks up.
SHOWN_LINES = 20
SHOWN_ROWS = 5
# Of several files, each shows how it was read, as far as a page can hold them.
SHOWN_ROWS_OF_EACH = 2
SHOWN_FILES = 10
BROKEN_CHECK = (
    "Something went wrong on our side, and the check stopped. If it happens again, tell the administrator of "
    "this server."
)


@dataclass
class Cause:
    """What is wrong for one reason in one file: the first such problem, how many there are, and where."""

    first: Problem
    count: int = 0
    lines: list[int] = field(default_factory=list)

    def note(self, problem: Problem) -> None:
        """Count one more."""
        self.count += 1
        if problem.line and len(self.lines) < SHOWN_LINES:
            self.lines.append(problem.line)

    def to_json(self) -> dict[str, Any]:
        """Return the first problem with the count and the first lines."""
        return {**asdict(self.first), "count": self.count, "lines": self.lines}


@dataclass
class Findings:
    """What a check found; errors are shown before warnings, and the first of each sort first of all.

    Problems are counted by cause besides, so that a thousand of one sort hide none of another.
    """

    counts: Counter[str] = field(default_factory=Counter)
    errors: list[Problem] = field(default_factory=list)
    warnings: list[Problem] = field(default_factory=list)
    causes: dict[tuple[Severity, str, str], Cause] = field(default_factory=dict)
    problem_count: int = 0
    error_count: int = 0
    rows: int = 0
    sample: list[dict[str, Any]] = field(default_factory=list)
    files: tuple[str, ...] = ()
    columns: ColumnSamples = field(default_factory=ColumnSamples)

    def note(self, problem: Problem) -> None:
        """Count a problem by its cause, and keep it if it is among the first."""
        self.causes.setdefault((problem.severity, problem.file, problem.code), Cause(problem)).note(problem)
        self.problem_count += 1
        self.error_count += problem.is_error
        kept = self.errors if problem.severity is Severity.ERROR else self.warnings
        if len(kept) < SHOWN_PROBLEMS:
            kept.append(problem)

    def take(self, problems: list[Problem]) -> None:
        """Note problems, and empty the list."""
        for problem in problems:
            self.note(problem)
        problems.clear()

    def show(self, record: Record, *, file: str) -> None:
        """Keep a row as it was understood, if it is among the first of its file."""
        is_alone = len(self.files) == 1
        row = _preview(record) if is_alone else {"file": file, **_preview(record)}
        if is_alone or file in self.files[:SHOWN_FILES]:
            self.sample.append(row)

    def in_order(self, problems: Iterable[Problem]) -> list[Problem]:
        """Return problems as they stand in the files, those of the whole before, not as they are found."""
        places = {name: place for place, name in enumerate(("", *self.files))}
        return sorted(problems, key=lambda each: (places.get(each.file, len(places)), each.line))

    @property
    def by_cause(self) -> list[dict[str, Any]]:
        """Every cause as JSON, those that stop the import first, then in the order of the files."""
        firsts = {id(cause.first): cause for cause in self.causes.values()}
        ordered = self.in_order(cause.first for cause in firsts.values())
        return [firsts[id(first)].to_json() for first in sorted(ordered, key=lambda each: not each.is_error)]

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The problems that are kept, as JSON."""
        kept = (*self.in_order(self.errors), *self.in_order(self.warnings))
        return [asdict(problem) for problem in kept[:SHOWN_PROBLEMS]]


class NotBeingChecked(Conflict):
    """There is no check to cancel: it is over."""


class CheckStopped(Exception):
    """The check was cancelled, or its import is gone, while this process was at it."""


class CheckTooLong(Exception):
    """The check took longer than this installation allows."""


@dataclass
class Watch:
    """Looks now and then whether a check is still wanted, renews its lease and says how far it is."""

    import_id: int
    ends_at: datetime
    rows: int = 0
    looked_at: float = -SECONDS_BETWEEN_LOOKS

    def tick(self) -> None:
        """Count a row or a problem; raises `CheckStopped` and `CheckTooLong`."""
        self.rows += 1
        if self.rows % ROWS_BETWEEN_LOOKS == 0 and monotonic() - self.looked_at >= SECONDS_BETWEEN_LOOKS:
            self.look()
            self.looked_at = monotonic()

    def look(self) -> None:
        """Look now."""
        at = now()
        if at > self.ends_at:
            raise CheckTooLong
        if not _waiting(self.import_id).update(lease_expires_at=at + LEASE, rows_done=self.rows):
            raise CheckStopped


def cancel_check(*, data_import: DataImport) -> None:
    """End a check that waits or goes on; the files can be checked again. Raises `NotBeingChecked`."""
    if not end_check(import_id=data_import.pk, message="The check was canceled."):
        raise NotBeingChecked("The check has already ended. Reload the page.")


def end_check(*, import_id: int, message: str) -> bool:
    """Let an import be checked no more, and say why; returns whether it still was."""
    ended = _waiting(import_id).update(
        state=DataImport.State.REFUSED,
        message=message,
        counts={},
        sample=[],
        columns=[],
        problems=[],
        causes=[],
        problem_count=0,
        rows_total=0,
        rows_done=0,
        lease_expires_at=None,
    )
    return bool(ended)


def _waiting(import_id: int) -> QuerySet[DataImport]:
    return DataImport.objects.filter(pk=import_id, state=DataImport.State.CHECKING)


def check_import(*, import_id: int) -> None:
    """Check an import that waits for it; one that is checked already stays as it is."""
    # One that somebody died over is not begun again by a doorbell that rings again.
    begun_by_nobody = _waiting(import_id).filter(lease_expires_at=None)
    public_id = begun_by_nobody.values_list("public_id", flat=True).first()
    if public_id is None:
        return
    with at_work(checking_name(public_id)) as is_alone:
        if is_alone and begun_by_nobody.update(lease_expires_at=now() + LEASE, rows_done=0):
            _check(import_id)


def checking_name(public_id: str) -> str:
    """Return what checking an import is called among what is worked on."""
    return f"check-{public_id}"


def _check(import_id: int) -> None:
    waiting = _waiting(import_id)
    data_import = waiting.select_related("project__protocol").first()
    if data_import is None:
        return
    limit = timedelta(seconds=settings.ASSAY_CHECK_SECONDS)
    try:
        findings = inspect(data_import, watch=Watch(import_id, ends_at=now() + limit))
    except CheckStopped:
        return
    except CheckTooLong:
        minutes = settings.ASSAY_CHECK_SECONDS / 60
        message = (
            f"The check took longer than {minutes:g} minutes and was stopped. Import fewer rows at once."
        )
        end_check(import_id=import_id, message=message)
        return
    except Exception:
        # Now rather than by the sweeper, who would say that the worker stopped.
        end_check(import_id=import_id, message=BROKEN_CHECK)
        raise
    is_refused = findings.error_count > 0
    waiting.update(
        state=DataImport.State.REFUSED if is_refused else DataImport.State.READY,
        counts=dict(findings.counts),
        sample=findings.sample,
        columns=findings.columns.to_json(),
        problems=findings.shown,
        causes=findings.by_cause,
        problem_count=findings.problem_count,
        rows_total=findings.rows,
        rows_done=0,
        message=_message(findings),
        lease_expires_at=None,
    )


def inspect(data_import: DataImport, *, watch: Watch) -> Findings:
    """Read all files of an import and return what was found; raises what its watch does."""
    sources = list(selectors.sources_of(data_import))
    findings = Findings(files=tuple(source.name for source in sources))
    plan = Plan(data_import, is_preview=True)
    # Elsewhere what a column means is fixed.
    samples = findings.columns if data_import.format == generic.FORMAT.key else None
    for source in sources:
        found = read_source(data_import, source, samples=samples)
        for chunk in chunks_of(_records(found, findings, watch, file=source.name)):
            plan.forget_texts(plan.take(chunk, file=source.name))
            findings.take(plan.problems)
    plan.finish()
    findings.take(plan.problems)
    findings.counts = plan.counts
    if not findings.rows and not findings.error_count:
        for source in sources:
            findings.note(source.error("no_rows", "The file contains no rows.", line=1))
    return findings


def _records(
    found: Iterable[Record | Problem], findings: Findings, watch: Watch, *, file: str
) -> Iterator[Record]:
    most = SHOWN_ROWS if len(findings.files) == 1 else SHOWN_ROWS_OF_EACH
    seen = 0
    for one in found:
        watch.tick()
        if isinstance(one, Problem):
            findings.note(one)
            continue
        findings.rows += 1
        if seen < most:
            findings.show(one, file=file)
            seen += 1
        yield one


def _preview(record: Record) -> dict[str, Any]:
    if isinstance(record, ItemRecord):
        return {
            "line": record.line,
            "question": record.question.text or record.question.external_id,
            "gold": [gold.text for gold in record.question.golds],
            "answers": {each.system: each.text for each in record.predictions},
            **({"decided": {each.text: each.word for each in record.listed}} if record.listed else {}),
        }
    if isinstance(record, VoteRecord):
        votes = {vote.rater: vote.label for vote in record.votes}
        return {"line": record.line, "question": record.question, "answer": record.answer, "votes": votes}
    return _preview_verdict(record)


def _preview_verdict(record: VerdictRecord) -> dict[str, Any]:
    return {
        "line": record.line,
        "question": record.question,
        "answer": record.answer,
        "judge": record.judge,
        "verdict": record.verdict,
    }


def _message(findings: Findings) -> str:
    if not findings.errors:
        return ""
    first = findings.in_order(findings.errors)[0]
    place = f"{first.file}, line {first.line}" if first.line else first.file
    more = f" (and {findings.error_count - 1:,} more)" if findings.error_count > 1 else ""
    return f"{place}: {first.message}{more}"


UNCONFIRMED = (State.CHECKING, State.READY, State.REFUSED, State.FAILED)


class FileTooLarge(Invalid):
    """The file is larger than this installation allows."""


class NoFiles(Invalid):
    """There is nothing to import."""


class MixedFormats(Invalid):
    """The files cannot be read together."""


class ImportNotWaiting(Conflict):
    """The import was confirmed, undone or is being checked, so this cannot be done to it."""


class Upload(Protocol):
    """A file as Django hands it over."""

    name: str | None

    @property
    def size(self) -> int:
        """The number of bytes."""

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes."""


def create_import(
    *,
    project: Project,
    by: User,
    files: Iterable[Upload],
    format_key: str = "",
    options: dict[str, Any] | None = None,
    in_background: bool = False,
    at: datetime | None = None,
) -> DataImport:
    """Store files and check them; `in_background`: by a worker, as no request may wait for that.

    Nothing of them enters the project before `confirm_import`. Raises `NoFiles`, `FileTooLarge`,
    `UnusableFile`, `UnknownFormat`, `MixedFormats` and `BadOption`.
    """
    files = list(files)
    _require_acceptable(files)
    data_import = DataImport(project=project, created_by=by, created_at=at or now())
    try:
        data_import.files = [
            stored for number, file in enumerate(files) for stored in _store(data_import, file, number)
        ]
        _set_format(data_import, format_key, options or {})
        save_within_quotas(data_import)
    except BaseException:
        _remove_files(data_import)
        raise
    _start_check(data_import, in_background=in_background)
    return data_import


def recheck_import(
    *, data_import: DataImport, format_key: str, options: dict[str, Any], in_background: bool = False
) -> DataImport:
    """Read the files again with another format or other options; raises `ImportNotWaiting`."""
    if data_import.state not in UNCONFIRMED:
        raise _no_longer_waiting()
    _set_format(data_import, format_key, options)
    changed = DataImport.objects.filter(pk=data_import.pk, state__in=UNCONFIRMED).update(
        state=State.CHECKING,
        format=data_import.format,
        options=data_import.options,
        lease_expires_at=None,
        message="",
    )
    if not changed:
        raise _no_longer_waiting()
    _remove_other_copies(data_import)
    _start_check(data_import, in_background=in_background)
    return data_import


def _no_longer_waiting() -> ImportNotWaiting:
    return ImportNotWaiting("This import is no longer waiting to be confirmed. Reload the page.")


def _start_check(data_import: DataImport, *, in_background: bool) -> None:
    if in_background:
        with transaction.atomic():
            enqueue_on_commit("annotation.items.check_import", data_import.pk)
    else:
        check_import(import_id=data_import.pk)
    data_import.refresh_from_db()


def discard_import(*, data_import: DataImport) -> None:
    """Forget an import that was never applied, with its files; raises `ImportNotWaiting`."""
    deleted, _ = DataImport.objects.filter(pk=data_import.pk, state__in=UNCONFIRMED).delete()
    if not deleted:
        raise ImportNotWaiting("This import was applied, so you cannot discard it. Undo it instead.")
    _remove_files(data_import)


def _require_acceptable(files: list[Upload]) -> None:
    if not files:
        raise NoFiles("Choose at least one file.")
    limit = settings.ASSAY_UPLOAD_MAX_BYTES
    for file in files:
        if file.size > limit:
            raise FileTooLarge(
                f"{_base_name(file)} has {file.size:,} bytes; at most {limit:,} are allowed.",
                details={"file": _base_name(file), "size": file.size, "limit": limit},
            )


def _base_name(file: Upload) -> str:
    return Path(file.name or "file").name


def _folder(data_import: DataImport) -> Path:
    return Path(settings.DATA_DIR) / "uploads" / data_import.public_id


def _store(data_import: DataImport, file: Upload, number: int) -> list[dict[str, Any]]:
    """Keep a file as text in UTF-8, as far as it says what it is; an archive as the files in it."""
    folder = _folder(data_import)
    folder.mkdir(parents=True, exist_ok=True)
    # A number instead of the user's name: nothing a user types becomes a path.
    path = folder / str(number)
    digest = hashlib.sha256()
    with path.open("wb") as stored:
        for chunk in file.chunks():
            digest.update(chunk)
            stored.write(chunk)
    sha256, name = digest.hexdigest(), _base_name(file)
    if not is_archive(path):
        return [_kept(path, name, sha256)]
    unpacked = _unpack(path, name)
    path.unlink()
    # Of several files each has its own.
    is_alone = len(unpacked) == 1
    if packed := next((each.name for each in unpacked if is_parquet(each.path)), None):
        raise UnusableFile(
            f"{name} cannot be read: {packed} in it is a Parquet file. Extract that file from the archive "
            "and upload it by itself."
        )
    return [_kept(each.path, each.name, sha256 if is_alone else _sha256_of(each.path)) for each in unpacked]


def _unpack(path: Path, name: str) -> list[Unpacked]:
    most = settings.ASSAY_UPLOAD_MAX_BYTES
    limits = ArchiveLimits(MOST_FILES_UNPACKED, most, MOST_UNPACKED * most)
    try:
        return unpack(path, name, limits=limits)
    except UnreadableArchive as error:
        raise UnusableFile(f"{name} cannot be read: {error}.") from None


def _kept(path: Path, name: str, sha256: str) -> dict[str, Any]:
    if is_parquet(path):
        _unpack_parquet(path, name)
    elif encoding := marked_encoding(path):
        copy = path.with_name(f"{path.name}.text")
        try:
            recode(path, copy, encoding)
        except NotInEncoding as error:
            raise UnusableFile(f"{name} looks like {encoding.upper()}, but {error}.") from None
        copy.replace(path)
    return {
        "name": name,
        "size": path.stat().st_size,
        "path": str(path.relative_to(settings.DATA_DIR)),
        "sha256": sha256,
    }


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _unpack_parquet(path: Path, name: str) -> None:
    """Keep a Parquet file as the lines that it holds, which are read as any others."""
    limits = ParquetLimits(settings.ASSAY_UPLOAD_MAX_ROWS, MOST_UNPACKED * settings.ASSAY_UPLOAD_MAX_BYTES)
    lines = path.with_name(f"{path.name}.lines")
    try:
        convert_parquet(path, lines, limits=limits)
    except UnreadableParquet as error:
        raise UnusableFile(f"{name} cannot be read: {error}.") from None
    lines.replace(path)


def _remove_files(data_import: DataImport) -> None:
    shutil.rmtree(_folder(data_import), ignore_errors=True)


def _set_format(data_import: DataImport, format_key: str, options: dict[str, Any]) -> None:
    data_import.options = options
    _recode(data_import)
    if not format_key:
        format_key, options = _detected(data_import, options)
    data_import.format = format_key
    found = selectors.get_format(data_import.format)
    data_import.options = settle_options(found=found, options=options)


def _recode(data_import: DataImport) -> None:
    """Write every file anew in UTF-8, where the options name another encoding; raises `BadOption`.

    Files that are in UTF-8 stay as they are. Copies from other encodings stay, too, until the options hold:
    the import may be confirmed with those that it has.
    """
    encoding = data_import.options.get(ENCODING.name)
    if encoding == UTF_8 or encoding not in ENCODINGS:
        return
    for file in data_import.files:
        path = Path(settings.DATA_DIR) / file["path"]
        copy = recoded_path(path, encoding)
        if copy.is_file():
            continue
        begun = copy.with_name(f"{copy.name}.{uuid4().hex}")
        try:
            recode(path, begun, UTF_8 if is_utf_8(path) else encoding)
        except NotInEncoding as error:
            raise BadOption(f"{file['name']} cannot be read as {encoding}: {error}.") from None
        begun.replace(copy)


def _remove_other_copies(data_import: DataImport) -> None:
    for file in data_import.files:
        path = Path(settings.DATA_DIR) / file["path"]
        for encoding in set(ENCODINGS) - {data_import.options.get(ENCODING.name)}:
            recoded_path(path, encoding).unlink(missing_ok=True)


def _option_names(format_key: str) -> set[str]:
    return {spec.name for spec in option_specs(FORMATS[format_key])}


def _detected(data_import: DataImport, options: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the format of the files, and the options; files of several formats are each read in its own."""
    keys = {detect(source).key for source in selectors.sources_of(data_import)}
    if all(FORMATS[key].kind is Kind.ITEMS for key in keys):
        if len(keys) == 1 and set(options) <= _option_names(next(iter(keys))):
            return keys.pop(), options
        # Where somebody says what columns mean, they are read by their names.
        is_each = len(keys) > 1 and not options.get("map")
        return generic.FORMAT.key, {"recognize": "yes", **options} if is_each else options
    if len(keys) == 1:
        return keys.pop(), options
    raise MixedFormats(
        ("These files are in different formats. Import questions, votes and verdicts separately."),
        details={"formats": sorted(keys)},
    )
