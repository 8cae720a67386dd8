"""Files are handed over within quotas, and checked."""

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple, Protocol

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
    NoRoom,
    NotInEncoding,
    recoded_path,
)
from annotation.items.formats.documents.keeping import Keeper, Room, Unusable, keep_copy
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
from annotation.items.models import DataImport
from annotation.items.models.imports import COPY_SIZE
from annotation.items.services.plan import Plan
from annotation.items.services.reading import (
    ENCODING,
    SYSTEM_NAMES,
    BadOption,
    chunks_of,
    option_specs,
    read_source,
    settle_options,
)
from annotation.projects.models import Project
from common.clock import now
from common.database.rows import batched
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


class Quota(NamedTuple):
    """Whose uploads, how many bytes of them are kept, and how many may be, by which setting."""

    imports: QuerySet[DataImport]
    whose: str
    kept: int
    limit: int
    setting: str

    @property
    def room(self) -> int:
        """How many bytes more may be kept."""
        return max(0, self.limit - self.kept)


def save_within_quotas(data_import: DataImport) -> None:
    """Store a new import; raises `TooManyUploads` and `UploadQuota`, for its project and for who uploads."""
    with _quotas_held(data_import) as quotas:
        _require_place(quotas)
        _require_room(quotas, _size_of([data_import.files]))
        data_import.save()


@contextmanager
def _quotas_held(data_import: DataImport) -> Iterator[list[Quota]]:
    """Read its quotas and write within them: two uploads at once take turns, so that both stay within."""
    with transaction.atomic():
        Project.objects.locked(data_import.project_id)
        User.objects.select_for_update().get(pk=data_import.created_by_id)
        yield _quotas(data_import)


def _quotas(data_import: DataImport) -> list[Quota]:
    """Return the quotas that an import falls under, and what they hold besides it."""
    scopes = {
        "ASSAY_PROJECT_UPLOAD_BYTES": ("this project", {"project": data_import.project_id}),
        "ASSAY_PERSON_UPLOAD_BYTES": ("yours", {"created_by": data_import.created_by_id}),
    }
    quotas = []
    for setting, (whose, scope) in scopes.items():
        imports = DataImport.objects.filter(**scope).exclude(pk=data_import.pk)
        kept = _size_of(imports.values_list("files", flat=True))
        quotas.append(Quota(imports, whose, kept, getattr(settings, setting), setting))
    return quotas


def _require_place(quotas: list[Quota]) -> None:
    most = settings.ASSAY_UPLOADS_WAITING
    for quota in quotas:
        if quota.imports.filter(state__in=WAITING).count() >= most:
            is_yours = quota.whose == "yours"
            uploads = "of your uploads, in all projects," if is_yours else f"uploads to {quota.whose}"
            raise TooManyUploads(
                f"{most} {uploads} are waiting to be confirmed, which is the maximum. Confirm or "
                "discard some on the Import page.",
                details={"limit": most},
            )


def _require_room(quotas: list[Quota], new: int) -> None:
    for quota in quotas:
        if new > quota.room:
            raise _over(quota, f"This upload is {new:,} bytes. With it,", f"{quota.kept + new:,}", size=new)


def _out_of_room(quotas: list[Quota]) -> UploadQuota:
    """Return what is told where writing was stopped: how large it would have become, nobody knows."""
    quota = min(quotas, key=lambda each: each.room)
    words = f"Unpacked or converted to UTF-8, this upload is more than {quota.room:,} bytes. With it,"
    return _over(quota, words, f"more than {quota.limit:,}", size=quota.room + 1)


def _over(quota: Quota, beginning: str, total: str, *, size: int) -> UploadQuota:
    whose = "your uploads" if quota.whose == "yours" else f"the uploads to {quota.whose}"
    return UploadQuota(
        f"{beginning} {whose} would take up {total} bytes; the limit is {quota.limit:,}. Discard waiting "
        "uploads, delete archived projects, or ask the administrator of this server for more space "
        f"({quota.setting}).",
        details={"size": size, "kept": quota.kept, "limit": quota.limit},
    )


def _size_of(uploads: Iterable[list[dict[str, Any]]]) -> int:
    """Return how many bytes uploads take up here, with their copies in UTF-8.

    Those of restored studies stayed where they were, and their sizes are what somebody wrote into a bundle.
    """
    here = (file for files in uploads for file in files if file["path"])
    return sum(int(file["size"]) + int(file.get(COPY_SIZE, 0)) for file in here)


LEASE = timedelta(minutes=5)
ROWS_BETWEEN_LOOKS = 100
SECONDS_BETWEEN_LOOKS = 0.5
SHOWN_PROBLEMS = 100
# Longer than any upload takes to be written.
LEFT_BEHIND = timedelta(hours=24)
FOLDERS_AT_ONCE = 500
# Of each cause, as many places as somebody looks up.
SHOWN_LINES = 20
SHOWN_ROWS = 5
# Of several files, each shows how it was read, as far as a page can hold them.
SHOWN_ROWS_OF_EACH = 2
SHOWN_FILES = 10
BROKEN_CHECK = (
    "Something went wrong on the server, and the check stopped. If it happens again, tell the administrator "
    "of this server."
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
    questions: generic.ReadQuestions = {}
    for source in sources:
        found = read_source(data_import, source, questions=questions, samples=samples)
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
    quotas = _quotas(data_import)
    _require_place(quotas)
    _require_room(quotas, sum(file.size for file in files))
    try:
        with _within(quotas) as room:
            _store(data_import, files, room=room)
            _set_format(data_import, format_key, options or {}, room=room)
        save_within_quotas(data_import)
    except BaseException:
        _remove_files(data_import)
        raise
    _start_check(data_import, in_background=in_background)
    return data_import


@contextmanager
def _within(quotas: list[Quota]) -> Iterator[Room]:
    """Write files in the room that quotas leave; raises `UploadQuota` beyond it, before all is written."""
    try:
        yield Room(min(quota.room for quota in quotas))
    except NoRoom:
        raise _out_of_room(quotas) from None


def recheck_import(
    *, data_import: DataImport, format_key: str, options: dict[str, Any], in_background: bool = False
) -> DataImport:
    """Read the files again with another format or other options.

    Raises `ImportNotWaiting`, `UploadQuota` and, as the import is then as it was, what `create_import` does.
    """
    if data_import.state not in UNCONFIRMED:
        raise _no_longer_waiting()
    copies = _copies(data_import)
    try:
        _set_anew(data_import, format_key, options)
    except BaseException:
        for copy in _copies(data_import) - copies:
            copy.unlink(missing_ok=True)
        raise
    _remove_other_copies(data_import)
    _start_check(data_import, in_background=in_background)
    return data_import


def _set_anew(data_import: DataImport, format_key: str, options: dict[str, Any]) -> None:
    quotas = _quotas(data_import)
    with _within(quotas) as room:
        room.take(sum(int(file["size"]) for file in data_import.files))
        _set_format(data_import, format_key, options, room=room)
    with _quotas_held(data_import) as quotas:
        _require_room(quotas, _size_of([data_import.files]))
        changed = DataImport.objects.filter(pk=data_import.pk, state__in=UNCONFIRMED).update(
            state=State.CHECKING,
            format=data_import.format,
            options=data_import.options,
            files=data_import.files,
            lease_expires_at=None,
            message="",
        )
    if not changed:
        raise _no_longer_waiting()


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
        raise ImportNotWaiting("This import is already confirmed, so you cannot discard it. Undo it instead.")
    _remove_files(data_import)


def _require_acceptable(files: list[Upload]) -> None:
    if not files:
        raise NoFiles("Choose at least one file.")
    limit = settings.ASSAY_UPLOAD_MAX_BYTES
    for file in files:
        if file.size > limit:
            raise FileTooLarge(
                f"{_base_name(file)} is {file.size:,} bytes; at most {limit:,} bytes are allowed.",
                details={"file": _base_name(file), "size": file.size, "limit": limit},
            )


def _base_name(file: Upload) -> str:
    return Path(file.name or "file").name


def _folder(data_import: DataImport) -> Path:
    return selectors.upload_folder(data_import.public_id)


def _store(data_import: DataImport, files: list[Upload], *, room: Room) -> None:
    keeper = Keeper(
        _folder(data_import), room, settings.ASSAY_UPLOAD_MAX_BYTES, settings.ASSAY_UPLOAD_MAX_ROWS
    )
    try:
        kept = [
            each
            for number, file in enumerate(files)
            for each in keeper.keep(file.chunks(), name=_base_name(file), number=number)
        ]
    except Unusable as error:
        raise UnusableFile(str(error)) from None
    data_import.files = [
        {
            "name": each.name,
            "size": each.size,
            "path": str(each.path.relative_to(settings.DATA_DIR)),
            "sha256": each.sha256,
        }
        for each in kept
    ]


def _remove_files(data_import: DataImport) -> None:
    shutil.rmtree(_folder(data_import), ignore_errors=True)


def sweep_uploads(*, at: datetime | None = None) -> int:
    """Remove what uploads left behind whose server was killed, and return how many folders and files.

    Only what no import has, and nobody has written to for `LEFT_BEHIND`: a file is there before its row.
    """
    before = ((at or now()) - LEFT_BEHIND).timestamp()
    uploads = Path(settings.DATA_DIR) / "uploads"
    folders = {path.name: path for path in uploads.iterdir() if path.is_dir()} if uploads.is_dir() else {}
    removed = 0
    for names in batched(sorted(folders), FOLDERS_AT_ONCE):
        found = {each.public_id: each for each in DataImport.objects.filter(public_id__in=names)}
        for name in names:
            # Somebody may be discarding it just now.
            with suppress(FileNotFoundError):
                left = _without_row(folders[name], found.get(name))
                if left and max(_changed_at(path) for path in left) < before:
                    removed += len(left)
                    _remove(left)
    return removed


def _remove(paths: list[Path]) -> None:
    for path in paths:
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def _without_row(folder: Path, data_import: DataImport | None) -> list[Path]:
    """Return what of a folder belongs to no import: all of it, or what was being written into it."""
    if data_import is None:
        return [folder]
    own = {Path(settings.DATA_DIR) / file["path"] for file in data_import.files}
    return [path for path in folder.iterdir() if path not in own | _copies(data_import)]


def _changed_at(path: Path) -> float:
    """Return when something in a folder was last written, or a file; in seconds since 1970."""
    return max(each.stat().st_mtime for each in [path, *path.rglob("*")])


def _set_format(data_import: DataImport, format_key: str, options: dict[str, Any], *, room: Room) -> None:
    data_import.options = options
    _recode(data_import, room=room)
    if not format_key:
        format_key, options = _detected(data_import, options)
    data_import.format = format_key
    found = selectors.get_format(data_import.format)
    data_import.options = settle_options(found=found, options=options)


def _recode(data_import: DataImport, *, room: Room) -> None:
    """Write every file anew in UTF-8, where the options name another encoding; raises `BadOption`, `NoRoom`.

    Files that are in UTF-8 stay as they are. Copies from other encodings stay, too, until the options hold:
    the import may be confirmed with those that it has.
    """
    encoding = data_import.options.get(ENCODING.name)
    for file in data_import.files:
        file.pop(COPY_SIZE, None)
        if encoding == UTF_8 or encoding not in ENCODINGS:
            continue
        path = Path(settings.DATA_DIR) / file["path"]
        copy = recoded_path(path, encoding)
        if copy.is_file():
            file[COPY_SIZE] = copy.stat().st_size
            room.take(file[COPY_SIZE])
            continue
        try:
            file[COPY_SIZE] = keep_copy(path, encoding=encoding, room=room)
        except NotInEncoding as error:
            raise BadOption(f"{file['name']} cannot be read as {encoding}: {error}.") from None


def _remove_other_copies(data_import: DataImport) -> None:
    for copy in _copies(data_import, but=data_import.options.get(ENCODING.name)):
        copy.unlink(missing_ok=True)


def _copies(data_import: DataImport, *, but: Any = None) -> set[Path]:
    """Return the copies in UTF-8 that its files have, by encoding; but for one."""
    return {
        copy
        for file in data_import.files
        for encoding in ENCODINGS
        if encoding != but
        for copy in [recoded_path(Path(settings.DATA_DIR) / file["path"], encoding)]
        if copy.is_file()
    }


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
        # Whoever leaves the format open cannot know that such files bring no systems to name.
        return keys.pop(), {name: value for name, value in options.items() if name != SYSTEM_NAMES}
    raise MixedFormats(
        ("These files are in different formats. Import questions, votes, and verdicts separately."),
        details={"formats": sorted(keys)},
    )
