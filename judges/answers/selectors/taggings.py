"""Read what people tagged in rounds, a tagged item a row, as the lines of a file."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from django.utils.timezone import localtime

from annotation.projects.models import Project
from annotation.release.rules import csv_lines, json_line, table_rows
from annotation.release.selectors import rows
from judges.tagging.models import Tagging, Taggings


class ReleasedTagging(NamedTuple):
    """What a person said of an item of a round.

    tag_set: key and version. tags: keys of the set. item_id and answer: empty where questions were tagged.
    judge and accepted: signature and verdict of the judge where verdicts were tagged; accepted is empty in
    CSV and null in JSON where it could not judge.
    """

    round: str
    tag_set: str
    question_id: str
    item_id: str
    question: str
    answer: str
    judge: str
    accepted: bool | None
    tags: tuple[str, ...]
    unattributable: bool
    note: str
    tagger: str
    tagged_at: str


def count_taggings(project: Project) -> int:
    """Return how many items are tagged."""
    return _taggings(project).count()


def tagging_json_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Yield a tagged item a line; `limit`: so many."""
    return (json_line(each._asdict()) for each in released_taggings(project, limit=limit))


def tagging_csv_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Yield the header, then a tagged item a row."""
    return csv_lines(table_rows(ReleasedTagging._fields, released_taggings(project, limit=limit)))


def released_taggings(project: Project, *, limit: int | None = None) -> Iterator[ReleasedTagging]:
    """Yield what is said of items now, round by round, and of each round in the order it was drawn."""
    pseudonyms = dict(project.members.values_list("user_id", "pseudonym"))
    found = (
        _taggings(project)
        .select_related("item__round__tag_set", "item__question", "item__candidate")
        .defer("item__round__filter", "item__round__tag_set__tags", "item__round__tag_set__summary")
        .order_by("item__round__created_at", "item__round_id", "item__position")
    )
    for row in found[:limit].iterator(chunk_size=rows.ROWS_AT_ONCE):
        yield _released(row, pseudonyms)


def _taggings(project: Project) -> Taggings:
    return Tagging.objects.in_force().filter(item__round__project=project)


def _released(row: Tagging, pseudonyms: Mapping[int, str]) -> ReleasedTagging:
    item = row.item
    question, candidate = item.question, item.candidate
    return ReleasedTagging(
        round=item.round.name,
        tag_set=str(item.round.tag_set),
        question_id=rows.question_name(question.external_id, question.position),
        item_id=candidate.public_id if candidate else "",
        question=question.text,
        answer=candidate.text if candidate else "",
        judge=item.round.judge_signature,
        accepted=item.accepted,
        tags=tuple(row.tags),
        unattributable=row.is_unattributable,
        note=row.note,
        tagger=pseudonyms.get(row.tagged_by_id, ""),
        tagged_at=localtime(row.tagged_at).isoformat(),
    )
