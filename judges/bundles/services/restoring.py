"""Make a project of a bundle: all of it, or nothing."""

import secrets
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import IO, Any, NamedTuple

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.db.backends.base.operations import BaseDatabaseOperations
from django.db.models import F, Field, Max, Min, Model

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, DataImport, Prediction, RetrievedPassage
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.projects.models import Membership, Project, ProtocolVersion
from annotation.projects.services.making import insert_project
from annotation.projects.services.members import add_member, note_opening
from common.clock import now
from common.database.rows import insert_rows, reserve_keys
from common.errors import Invalid
from common.identifiers import hash_signature, new_public_id
from judges.bundles import rules
from judges.bundles.rules import Damaged, Reader, Renaming
from judges.bundles.selectors.contents import ALL_PARTS, LASTING_STATES, PART_OF, PARTS, PEOPLE, Part
from judges.bundles.selectors.rows import AT_ONCE, UNCHANGED, without_paths
from judges.bundles.services.reading import Bundle, Limits
from judges.prejudging.models import CalibrationSample, Certificate, PolicyApplication, PrejudgedAnswer
from judges.prejudging.rules.certificates import content_hash as certificate_hash
from judges.prejudging.rules.policies import UnusablePolicy, read_rules
from judges.prejudging.rules.policies import content_hash as policy_hash
from judges.prejudging.selectors.certificates import labels_hash
from judges.registry import UnknownJudge, get_entry
from judges.runs.models import JudgeRun, RunBatch
from judges.tagging.models import TaggedItem

# Of a person on the page; whoever administers the server has room for anything.
LIMITS_OF_PAGE = Limits(rows=50_000, bytes=100_000_000)
LIMITS_OF_COMMAND = Limits(rows=200_000_000, bytes=1_000_000_000_000)
# Of rows, as they stand in the file; read, they take up to twenty times as much.
BYTES_AT_ONCE = 4_000_000
RESTORED = (
    "This run was in progress when the bundle was created. Enter the connection’s key again, then resume "
    "the run."
)
# Ids of these are never named by other rows.
UNNAMED = (Judgment, Decision, GoldChange)


class UnusableBundle(Invalid):
    """The file is damaged, none of ours, or of a newer version; the message names part and line."""


def restore_bundle(
    *, file: IO[bytes], by: User, slug: str = "", limits: Limits = LIMITS_OF_PAGE, connects: bool = False
) -> Project:
    """Make a project of a bundle, with `by` as a lead, and return it.

    slug: its address; the one it had, or with an ending by chance where that is taken, if it is empty. The
    people in it become accounts that cannot sign in. connects: those with the username of an account here
    become that account, which only whoever administers the server can know to be right. Public ids stay
    unless one of them is taken here, as by the study itself: then all are made anew. Raises `UnusableBundle`
    and `SlugTaken`, and nothing is there that was not there before.
    """
    try:
        bundle = Bundle(file, limits=limits)
        renaming = _Check(bundle).renaming()
        try:
            return _restore(bundle, renaming, by=by, connects=connects, slug=slug)
        except _Refused:
            # Somebody may have restored the same meanwhile, and have taken the ids that were to stay.
            renaming = None if renaming else _Check(bundle).renaming()
            if renaming is None:
                raise
            return _restore(bundle, renaming, by=by, connects=connects, slug=slug)
    except Damaged as error:
        raise UnusableBundle(f"The bundle cannot be restored: {error}") from None


class _Refused(Damaged):
    """The database took rows for impossible."""


def _restore(bundle: Bundle, renaming: Renaming | None, *, by: User, connects: bool, slug: str) -> Project:
    # One transaction, though it holds SQLite's only lock for seconds: what sweeps up after leases and
    # judgments would meet half a study otherwise (decision 0052).
    with transaction.atomic():
        return _Restore(bundle, renaming, by=by, connects=connects).run(slug)


class Cell(NamedTuple):
    """A field of a part's rows: its name, what reads its values, and what stands for one that is missing."""

    name: str
    read: Reader
    is_nullable: bool
    default: Callable[[], Any] | None


class _Columns:
    """Reads the rows of a part, each value by its field."""

    def __init__(self, part: Part, bundle: Bundle) -> None:
        self._part, self._bundle = part, bundle
        self._cells = [self._cell(column) for column in part.columns]
        self._names = frozenset(part.fields)

    def rows(self) -> Iterator[tuple[int, list[Any]]]:
        """Yield each row's number and its values in the order of the fields; raises `Damaged`."""
        for number, _, values in self._sized():
            yield number, values

    def chunks(self) -> Iterator[list[tuple[int, list[Any]]]]:
        """Yield the rows, as many at a time as are held at once."""
        chunk: list[tuple[int, list[Any]]] = []
        held = 0
        for number, size, values in self._sized():
            chunk.append((number, values))
            held += size
            if len(chunk) == AT_ONCE or held >= BYTES_AT_ONCE:
                yield chunk
                chunk, held = [], 0
        if chunk:
            yield chunk

    def _sized(self) -> Iterator[tuple[int, int, list[Any]]]:
        for number, size, row in self._bundle.rows(self._part):
            try:
                yield number, size, self._values(row)
            except ValueError as error:
                raise Damaged(f"{error}.", part=self._part.file_name, line=number) from None

    def _values(self, row: Mapping[str, Any]) -> list[Any]:
        if not row.keys() <= self._names:
            unknown = min(row.keys() - self._names)
            raise ValueError(f"this version of Assay does not know the field {unknown[:100]!r}")
        return [self._value(cell, row) for cell in self._cells]

    def _value(self, cell: Cell, row: Mapping[str, Any]) -> Any:
        if cell.name not in row:
            if cell.default is None:
                raise ValueError(f"“{cell.name}” is missing")
            return cell.default()
        value = row[cell.name]
        if value is None and cell.is_nullable:
            return None
        try:
            return cell.read(value)
        except ValueError as error:
            raise ValueError(f"“{cell.name}” {error}") from None

    def _cell(self, column: "Field[Any, Any]") -> Cell:
        default = column.get_default if column.has_default() or column.null else None
        return Cell(column.name, self._reader(column), column.null, default)

    def _reader(self, column: "Field[Any, Any]") -> Reader:
        key = (self._part.model, column.name)
        if key == (RunBatch, "candidate_ids"):
            return _numbers_up_to(self._rows_of(Candidate))
        if key == (CalibrationSample, "newest_answer"):
            return rules.whole_number(0, self._rows_of(Candidate))
        if key == (DataImport, "state"):
            return rules.text_of(None, LASTING_STATES)
        if column.is_relation:
            return rules.whole_number(1, self._rows_of(column.related_model))
        reader = reader_of(column)
        also = ALSO_READ.get(key)
        return reader if also is None else (lambda value: also(reader(value)))

    def _rows_of(self, model: Any) -> int:
        return self._bundle.entry(PART_OF[model]).rows


def reader_of(column: "Field[Any, Any]") -> Reader:
    """Return what reads the values of a plain field: what its column takes."""
    if isinstance(column, models.JSONField):
        # Loaded when asked: it brings pydantic, and most processes restore nothing.
        from judges.bundles.selectors.shapes import reader_of_json

        return reader_of_json(column.model, column.name)
    if isinstance(column, models.BooleanField):
        return rules.read_flag
    if isinstance(column, models.DateTimeField):
        return rules.read_time
    if isinstance(column, models.FloatField):
        return rules.read_number
    if isinstance(column, models.IntegerField):
        # SQLite itself would take more than the field is for, and than other databases do.
        return rules.whole_number(*BaseDatabaseOperations.integer_field_ranges[column.get_internal_type()])
    if isinstance(column, models.SlugField):
        return _slug_reader(column)
    choices = [str(key) for key, _ in column.flatchoices]
    allowed = [*choices, ""] if choices and column.blank else choices
    return rules.text_of(column.max_length, allowed)


def _slug_reader(column: "models.SlugField[Any, Any]") -> Reader:
    def read(value: Any) -> str:
        try:
            return str(column.clean(value, None))
        except ValidationError:
            raise ValueError("must consist of letters, digits, hyphens, and underscores") from None

    return read


def _numbers_up_to(most: int) -> Reader:
    one = rules.whole_number(1, most)

    def read(value: Any) -> list[int]:
        if not isinstance(value, list):
            raise ValueError("must be a list")
        return [one(each) for each in value]

    return read


def _read_judge_key(value: str) -> str:
    try:
        get_entry(value)
    except UnknownJudge:
        raise ValueError("does not name a judge that this version of Assay has") from None
    return value


ALSO_READ: Mapping[tuple[type[Model], str], Reader] = {
    (JudgeRun, "judge_key"): _read_judge_key,
    (DataImport, "files"): without_paths,
    **{(part.model, "public_id"): rules.read_public_id for part in PARTS if part.has_public_ids},
}


class _Check:
    """Reads a bundle from end to end before anything is written."""

    def __init__(self, bundle: Bundle) -> None:
        self._bundle = bundle
        self._known: set[str] = set()
        self._is_any_taken = False

    def renaming(self) -> Renaming | None:
        """Return how ids are made anew, None where all may stay; raises `Damaged`."""
        if self._bundle.entry(PART_OF[Project]).rows != 1:
            raise Damaged("a bundle must contain exactly one project.", part=PART_OF[Project].file_name)
        for part in ALL_PARTS:
            for chunk in _Columns(part, self._bundle).chunks():
                if part.has_public_ids:
                    self._note(part, [values[part.fields.index("public_id")] for _, values in chunk])
        return Renaming(secrets.token_bytes(16), frozenset(self._known)) if self._is_any_taken else None

    def _note(self, part: Part, ids: Sequence[str]) -> None:
        if part.model not in UNNAMED:
            self._known.update(ids)
        if not self._is_any_taken:
            self._is_any_taken = part.model._base_manager.filter(public_id__in=ids).exists()


class _Restore:
    """Inserts a bundle that was checked, part by part."""

    def __init__(self, bundle: Bundle, renaming: Renaming | None, *, by: User, connects: bool) -> None:
        self._bundle, self._renaming = bundle, renaming
        self._by, self._connects = by, connects
        self._keys: dict[type[Model], array[int]] = {}

    def run(self, slug: str) -> Project:
        """Insert everything and return the project."""
        self._keys[User] = array("q", self._people())
        project = self._project(slug)
        self._keys[Project] = array("q", [project.pk])
        for part in PARTS:
            if part.model is not Project:
                self._insert(part, project)
        self._require_agreement(project)
        self._finish(project)
        return project

    def _people(self) -> Iterator[int]:
        for _, (name, username, is_imported) in _Columns(PEOPLE, self._bundle).rows():
            yield self._person(name, username, is_imported=is_imported).pk

    def _person(self, name: str, username: str, *, is_imported: bool) -> User:
        known = User.objects.filter(username=username).first() if self._connects else None
        if known is not None and known.is_active and not known.is_imported and not is_imported:
            return known
        is_free = self._connects and known is None and username != ""
        return User.objects.create(
            username=username if is_free else f"restored-{new_public_id()}",
            name=name,
            is_imported=is_imported,
            is_active=is_imported,
            password=make_password(None),
        )

    def _project(self, slug: str) -> Project:
        part = PART_OF[Project]
        ((_, values),) = _Columns(part, self._bundle).rows()
        given = dict(zip(part.fields, values, strict=True))
        self._protocol = given.pop("protocol")
        given["created_by"] = User.objects.get(pk=self._keys[User][given["created_by"] - 1])
        if self._renaming:
            given["sample_options"] = self._renaming.within(given["sample_options"])
        project = Project(**{**given, "slug": slug or given["slug"]})
        try:
            insert_project(project, tells_taken=bool(slug))
        except (IntegrityError, DataError):
            raise Damaged("the database rejects this row.", part=part.file_name, line=1) from None
        return project

    def _insert(self, part: Part, project: Project) -> None:
        keys = self._keys[part.model] = array("q")
        to_project = [column.name for column in _fields_to_project(part.model)]
        fields = ("id", *to_project, *part.fields)
        prepare = self._preparation(part)
        for chunk in _Columns(part, self._bundle).chunks():
            new = reserve_keys(part.model, len(chunk))
            rows = [
                (key, *([project.pk] * len(to_project)), *prepare(values))
                for key, (_, values) in zip(new, chunk, strict=True)
            ]
            filled, rest = _with_defaults(part, fields, rows)
            try:
                insert_rows(part.model, filled, rest)
            except (IntegrityError, DataError):
                raise _Refused(
                    f"the database rejects a row in lines {chunk[0][0]:,} to {chunk[-1][0]:,}, because rows "
                    "are duplicates or contradict each other.",
                    part=part.file_name,
                ) from None
            keys.extend(new)

    def _preparation(self, part: Part) -> Callable[[list[Any]], list[Any]]:
        """Return what turns a row's values into those of the database, keys in place of numbers."""
        changes = [
            (place, change) for place, name in enumerate(part.fields) if (change := self._change(part, name))
        ]
        finish = _ROWS.get(part.model) if self._renaming else None

        def prepare(values: list[Any]) -> list[Any]:
            former = list(values) if finish else values
            for place, change in changes:
                if values[place] is not None:
                    values[place] = change(values[place])
            return finish(part, former, values) if finish else values

        return prepare

    def _change(self, part: Part, name: str) -> Reader | None:
        column = part.columns[part.fields.index(name)]
        if (part.model, name) == (RunBatch, "candidate_ids"):
            return lambda numbers: [self._keys[Candidate][number - 1] for number in numbers]
        if (part.model, name) == (CalibrationSample, "newest_answer"):
            return lambda number: self._keys[Candidate][number - 1] if number else 0
        if column.is_relation:
            keys = self._keys[column.related_model]  # type: ignore[index]
            return lambda number: keys[number - 1]
        if self._renaming is None:
            return None
        if name == "public_id":
            return self._renaming.new_id
        if name == "group" and part.model in (Decision, GoldChange):
            renaming = self._renaming
            return lambda group: renaming.new_id(group) if group else ""
        return self._renaming.within if name in part.named else None

    def _require_agreement(self, project: Project) -> None:
        for model, one, other in AGREEMENTS:
            part = PART_OF[model]
            rows = model._base_manager.filter(**{part.path: project.pk})
            if rows.filter(**{f"{one}__isnull": False}).exclude(**{one: F(other)}).exists():
                raise Damaged(f"rows contradict each other: {one} and {other} differ.", part=part.file_name)

    def _require_labels(self, project: Project) -> None:
        """Raise `Damaged` for a decision that says what the protocol in force does not know."""
        protocol = ProtocolVersion.objects.filter(current_project=project).first()
        known = [label.key for label in protocol.rules.labels] if protocol else []
        decisions = Decision.objects.in_force().filter(candidate__project=project)
        if decisions.exclude(label__in=known).exists():
            raise Damaged(
                "a decision has a label that the project’s protocol does not have.",
                part=PART_OF[Decision].file_name,
            )

    def _require_rules(self, project: Project) -> None:
        """Raise `Damaged` for an answer that was settled by a rule which its application does not have."""
        settling = PolicyApplication.objects.filter(project=project, answers__isnull=False)
        for application in settling.annotate(
            lowest=Min("answers__rule_number"), highest=Max("answers__rule_number")
        ):
            if application.lowest < 1 or application.highest > len(application.rules):
                raise Damaged(
                    "an answer names a rule that the applied policy does not have.",
                    part=PART_OF[PrejudgedAnswer].file_name,
                )

    def _finish(self, project: Project) -> None:
        if self._protocol is not None:
            project.protocol_id = self._keys[ProtocolVersion][self._protocol - 1]
            project.save(update_fields=["protocol"])
        self._require_labels(project)
        self._require_rules(project)
        at_work = (JudgeRun.State.QUEUED, JudgeRun.State.RUNNING)
        JudgeRun.objects.filter(project=project, state__in=at_work).update(
            state=JudgeRun.State.PAUSED, message=RESTORED
        )
        unchanged = CalibrationSample.objects.filter(project=project, certificates__labels_hash=UNCHANGED)
        for sample in unchanged.distinct():
            _renew_hashes(sample)
        active = project.members.filter(
            user=self._by, role=Membership.Role.LEAD, state=Membership.State.ACTIVE
        )
        member = active.first() or add_member(
            project=project, user=self._by, role=Membership.Role.LEAD, at=now()
        )
        note_opening(member=member)


def _fields_to_project(model: type[Model]) -> "list[Field[Any, Any]]":
    return [column for column in model._meta.concrete_fields if column.related_model is Project]


def _with_defaults(
    part: Part, fields: Sequence[str], rows: Sequence[Sequence[Any]]
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """Add what is left out of bundles, as Django would."""
    missing = [
        column
        for column in part.model._meta.concrete_fields
        if column.name not in fields and not column.primary_key
    ]
    values = [column.get_default() for column in missing]
    return [*fields, *(column.name for column in missing)], [[*row, *values] for row in rows]


def _renew_hashes(sample: CalibrationSample) -> None:
    """Let the certificates of a sample know its labels again, by the keys they have here."""
    labels = labels_hash(sample)
    for certificate in sample.certificates.filter(labels_hash=UNCHANGED):
        content = certificate_hash(
            rule=certificate.rule,
            before=certificate.before,
            signatures=certificate.signatures,
            alpha=certificate.alpha,
            delta=certificate.delta,
            labels_hash=labels,
        )
        Certificate.objects.filter(pk=certificate.pk).update(labels_hash=labels, content_hash=content)


def _sign_anew(part: Part, former: list[Any], values: list[Any]) -> list[Any]:
    signature, hashed = part.fields.index("signature"), part.fields.index("signature_hash")
    if former[hashed] == hash_signature(former[signature]):
        values[hashed] = hash_signature(values[signature])
    return values


def _hash_anew(part: Part, former: list[Any], values: list[Any]) -> list[Any]:
    """Name a policy by its rules again, whose runs have new ids."""
    place = part.fields.index("content_hash")
    if former[place] == _policy_hash(part, former):
        values[place] = _policy_hash(part, values)
    return values


def _policy_hash(part: Part, values: list[Any]) -> str:
    given = dict(zip(part.fields, values, strict=True))
    try:
        found = read_rules(given["rules"])
    except UnusablePolicy:
        return ""
    return policy_hash(rules=found, audit_share=given["audit_share"], seed=given["seed"])


_ROWS: Mapping[type[Model], Callable[[Part, list[Any], list[Any]], list[Any]]] = {
    JudgeRun: _sign_anew,
    PolicyApplication: _hash_anew,
}

# What rows say twice: by themselves, and by what they point to.
AGREEMENTS: tuple[tuple[type[Model], str, str], ...] = (
    (Prediction, "question", "candidate__question"),
    (RetrievedPassage, "passage__question", "prediction__question"),
    (Assignment, "rater", "sheet__rater"),
    (Assignment, "candidate__question", "sheet__question"),
    (Judgment, "candidate", "assignment__candidate"),
    (Judgment, "rater", "assignment__rater"),
    (CheckAnswer, "question", "sheet__question"),
    (GoldChange, "decision__candidate__question", "question"),
    (PrejudgedAnswer, "decision__candidate", "candidate"),
    (TaggedItem, "candidate__question", "question"),
)
