"""The rows of a study as a bundle holds them: in the order in which they were made, each by its number."""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import DateTimeField, Field, JSONField, Model, QuerySet

from annotation.accounts.models import User
from annotation.items.models import Candidate, DataImport
from annotation.items.models.imports import COPY_SIZE
from annotation.projects.models import Project
from judges.bundles.rules import in_order, row_text, time_text
from judges.bundles.selectors.contents import PARTS, PEOPLE, Part
from judges.prejudging.models import CalibrationSample, Certificate
from judges.prejudging.selectors.certificates import labels_hash
from judges.runs.models import RunBatch

AT_ONCE = 2_000
# Of a certificate whose hashes name rows of this database, in their place: people still say the same.
UNCHANGED = "unchanged"
Converter = Callable[[Any], Any]


class Keys:
    """The keys of a part's rows, in order, and so the number of each."""

    def __init__(self) -> None:
        self._keys = array("q")

    def add(self, key: int) -> int:
        """Take in the next key and return its number."""
        self._keys.append(key)
        return len(self._keys)

    def number_of(self, key: int) -> int | None:
        """Return the number of the row with this key, None where there is none."""
        place = bisect_left(self._keys, key)
        return place + 1 if place < len(self._keys) and self._keys[place] == key else None

    def number_up_to(self, key: int) -> int:
        """Return the number of the last row whose key is at most this one, 0 where there is none."""
        return bisect_right(self._keys, key)


class StudyRows:
    """Reads a study part by part; a part is read after all that its rows point to."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._keys: dict[type[Model], Keys] = {}

    def lines(self, part: Part) -> Iterator[str]:
        """Yield the rows of a part as lines."""
        keys = self._keys[part.model] = Keys()
        columns = part.columns
        adjust = self._adjuster(part.model)
        converters = [self._converter(part.model, column) for column in columns]
        rows = self._rows(part).values_list("pk", *(column.attname for column in columns))
        for pk, *values in rows.iterator(chunk_size=AT_ONCE):
            number = keys.add(pk)
            cells = {
                name: convert(value) if convert else value
                for name, convert, value in zip(part.fields, converters, values, strict=True)
            }
            yield row_text(number, adjust(cells) if adjust else cells)

    def _rows(self, part: Part) -> QuerySet[Model]:
        if part is PEOPLE:
            return User.objects.filter(pk__in=people_of(self._project)).order_by("pk")
        of_project = part.model._base_manager.filter(**{part.path: self._project.pk})
        return of_project.filter(part.only).order_by("pk")

    def _converter(self, model: type[Model], column: "Field[Any, Any]") -> Converter | None:
        special = self._special(model, column.name)
        if special is not None:
            return special
        if column.is_relation:
            return self._number_in(column.related_model)
        if isinstance(column, JSONField):
            return in_order
        return time_text if isinstance(column, DateTimeField) else None

    def _special(self, model: type[Model], name: str) -> Converter | None:
        if (model, name) == (Project, "protocol"):
            versions = self._project.protocol_versions.order_by("pk").values_list("pk", flat=True)
            places = {key: number for number, key in enumerate(versions, start=1)}
            return places.get
        if (model, name) == (RunBatch, "candidate_ids"):
            return lambda keys: [found for key in keys if (found := self._keys[Candidate].number_of(key))]
        if (model, name) == (CalibrationSample, "newest_answer"):
            return self._keys[Candidate].number_up_to
        if (model, name) == (DataImport, "files"):
            return without_paths
        return None

    def _adjuster(self, model: type[Model]) -> Callable[[dict[str, Any]], dict[str, Any]] | None:
        if model is not Certificate:
            return None
        samples = CalibrationSample.objects.filter(project=self._project)
        current = {labels_hash(sample) for sample in samples.order_by("pk")}
        unchanged = dict.fromkeys(("labels_hash", "content_hash"), UNCHANGED)
        return lambda cells: {**cells, **unchanged} if cells["labels_hash"] in current else cells

    def _number_in(self, model: Any) -> Converter:
        def number_of(key: int | None) -> int | None:
            return None if key is None else self._keys[model].number_of(key)

        return number_of


def without_paths(files: list[Any]) -> list[Any]:
    """Return what is known of uploaded files, which stay where they are, as do their copies."""
    return [
        {**{name: cell for name, cell in in_order(file).items() if name != COPY_SIZE}, "path": ""}
        if isinstance(file, dict)
        else file
        for file in files
    ]


def people_of(project: Project) -> set[int]:
    """Return the keys of everybody who did something in a study."""
    found: set[int] = set()
    for part in PARTS:
        for column in part.columns:
            if column.is_relation and column.related_model is User:
                rows = part.model._base_manager.filter(**{part.path: project.pk}).filter(part.only)
                found.update(rows.order_by().values_list(column.attname, flat=True).distinct())
    return found - {None}


def bundle_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Yield which tables a bundle of the study has, each with its rows; limit: so many at most."""
    for part in PARTS[1:][:limit]:
        rows = part.model._base_manager.filter(**{part.path: project.pk}).filter(part.only)
        yield f"{part.file_name}: {rows.count():,} rows\n"
