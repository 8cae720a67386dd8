"""Read what people said of answers in all rounds about one set of tags, as arrays."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from django.db.models import QuerySet

from annotation.assignments.models import QuestionFlag
from annotation.items.models import System
from annotation.projects.models import Project
from judges.comparison.rules.failures import Known, Row, Tagged, cells_of, could_draw
from judges.comparison.rules.study import NO_VERDICT, Flags, Integers, Items
from judges.comparison.selectors.study import read_decided, read_said
from judges.tagging.models import TaggedItem, Tagging, TaggingRound, TagSet
from judges.tagging.rules import Filter, Subject, Tag
from judges.tagging.selectors import find_spec


class TaggedSet(NamedTuple):
    """A set of tags that somebody has used."""

    key: str
    name: str


class Spoken(NamedTuple):
    """One thing people said: of an answer, or where `candidate` is None of all answers to a question."""

    round: int
    candidate: int | None
    question: int
    accepted: bool | None
    tags: list[str]
    is_marked: bool


class SaidOfAnswers(NamedTuple):
    """What was said, and in which rounds, by public id; `items` counts what people looked at."""

    tagged: Tagged
    rounds: tuple[str, ...]
    items: int


def used_sets(project: Project, *, subjects: Iterable[Subject]) -> list[TaggedSet]:
    """Return the sets about these subjects with which something is tagged, by name, newest version first."""
    said = Tagging.objects.in_force().filter(item__round__project=project).order_by()
    used = TagSet.objects.filter(pk__in=said.values("item__round__tag_set"), subject__in=list(subjects))
    newest = {row.key: TaggedSet(row.key, row.name) for row in used.order_by("version")}
    return sorted(newest.values(), key=lambda each: (each.name, each.key))


def nothing_said(items: Items) -> SaidOfAnswers:
    """Return what is there before anybody has tagged anything."""
    size = len(items.candidates.ids)
    return SaidOfAnswers(_as_arrays(items, (), (), cells_of([], size=size)), (), 0)


def tagged_runs(project: Project, *, set_key: str) -> frozenset[int]:
    """Return the runs of whose verdicts something is tagged with this set."""
    said = Tagging.objects.in_force().filter(item__round__project=project, item__round__tag_set__key=set_key)
    return frozenset(said.filter(item__round__run__isnull=False).values_list("item__round__run", flat=True))


def read_tagged(
    project: Project, items: Items, *, beyond: Flags, set_key: str = "", run: int | None = None
) -> SaidOfAnswers:
    """Return what stands of people's tags of one set, or without a key every mark as unattributable.

    Of an answer tagged in several rounds the last word counts; a mark counts wherever it was made. run: only
    rounds about this run's verdicts. beyond: answers that equal no gold answer. Raises `TagSetNotFound`.
    """
    rounds = TaggingRound.objects.filter(project=project).select_related("tag_set")
    if set_key:
        rounds = rounds.filter(tag_set__key=set_key)
    if run is not None:
        rounds = rounds.filter(run=run)
    spoken = list(_spoken(rounds))
    used = list(rounds.filter(pk__in={each.round for each in spoken}).order_by("pk"))
    rows = _rows(project, set_key, used) if set_key else ()
    drawable = _drawable(project, items, used, beyond)
    cells = cells_of(drawable, size=len(items.candidates.ids))
    arrays = _as_arrays(items, spoken, rows, cells)
    return SaidOfAnswers(arrays, tuple(each.public_id for each in used), len(spoken))


def _spoken(rounds: QuerySet[TaggingRound]) -> Iterable[Spoken]:
    rows = Tagging.objects.in_force().filter(item__round__in=rounds.order_by()).order_by("tagged_at", "pk")
    fields = ("item__round_id", "item__candidate_id", "item__question_id", "item__accepted", "tags")
    return (Spoken(*row) for row in rows.values_list(*fields, "is_unattributable"))


def _rows(project: Project, set_key: str, used: Sequence[TaggingRound]) -> tuple[Row, ...]:
    """Return the tags of the newest version, then those that only earlier rounds could say."""
    newest = find_spec(project=project, key=set_key).tags
    former = (tag for each in reversed(used) for tag in each.tag_set.as_spec().tags)
    tags: dict[str, Tag] = {}
    for tag in (*newest, *former):
        tags.setdefault(tag.key, tag)
    return tuple(Row(tag.key, tag.name, tag.group, tag.meaning) for tag in tags.values())


def _as_arrays(items: Items, spoken: Iterable[Spoken], rows: tuple[Row, ...], cells: Integers) -> Tagged:
    size = len(items.candidates.ids)
    places = {row.key: place for place, row in enumerate(rows)}
    tags = np.zeros((len(rows), size), dtype=bool)
    is_tagged, is_marked = np.zeros(size, dtype=bool), np.zeros(size, dtype=bool)
    said = np.full(size, NO_VERDICT, dtype=np.int8)
    for each in spoken:
        own = _candidates(items, each)
        is_tagged[own] = True
        is_marked[own] |= each.is_marked
        said[own] = NO_VERDICT if each.accepted is None else each.accepted
        tags[:, own] = False
        for key in each.tags:
            if key in places:
                tags[places[key], own] = True
    return Tagged(rows, is_tagged, tuple(tags), cells, said, is_marked)


def _candidates(items: Items, spoken: Spoken) -> Integers:
    if spoken.candidate is not None:
        found = items.candidates.numbers(np.array([spoken.candidate]))
        return found[found >= 0]
    question = items.questions.numbers(np.array([spoken.question]))[0]
    return np.flatnonzero((items.candidates.question == question) & (question >= 0))


def _drawable(project: Project, items: Items, rounds: Sequence[TaggingRound], beyond: Flags) -> list[Flags]:
    """Say for each round which answers it could have drawn: those that fit it now, and those it drew."""
    # Rounds draw what people decided; what programs settled is never among it.
    worth = read_decided(project).said_by_people
    filters = {each.pk: Filter.from_json(each.filter) for each in rounds}
    verdicts = read_said(project, [each.run_id for each in rounds if each.run_id is not None])
    given = {key: _given(project, items, key) for key in {each.system for each in filters.values()} - {""}}
    flagged = {kind: _flagged(project, items, kind) for kind in {f.flag for f in filters.values()} - {""}}
    drawn = _drawn(items, rounds)
    found = []
    for each in rounds:
        wanted = filters[each.pk]
        known = Known(
            worth=worth,
            verdict=verdicts[each.run_id].verdict if each.run_id is not None else None,
            is_given=given.get(wanted.system),
            is_flagged=flagged.get(wanted.flag),
            is_beyond_gold=beyond,
        )
        found.append(could_draw(wanted, known) | drawn[each.pk])
    return found


def _drawn(items: Items, rounds: Sequence[TaggingRound]) -> Mapping[int, Flags]:
    found = {each.pk: np.zeros(len(items.candidates.ids), dtype=bool) for each in rounds}
    rows = TaggedItem.objects.filter(round__in=rounds, candidate__isnull=False).order_by()
    pairs = np.array(list(rows.values_list("round_id", "candidate_id")), dtype=np.int64).reshape(-1, 2)
    for pk, own in found.items():
        places = items.candidates.numbers(pairs[pairs[:, 0] == pk, 1])
        own[places[places >= 0]] = True
    return found


def _given(project: Project, items: Items, public_id: str) -> Flags | None:
    pk = System.objects.filter(project=project, public_id=public_id).values_list("pk", flat=True).first()
    place = next((place for place, system in enumerate(items.systems) if system.id == pk), None)
    return None if place is None else given_by(items, place)


def given_by(items: Items, place: int) -> Flags:
    """Say of every answer whether a system, by its place, gave it."""
    found = np.zeros(len(items.candidates.ids), dtype=bool)
    found[items.predictions.candidate[items.predictions.system == place]] = True
    return found


def _flagged(project: Project, items: Items, kind: str) -> Flags:
    rows = QuestionFlag.objects.filter(question__project=project, kind=kind).order_by()
    questions = items.questions.numbers(np.array(list(rows.values_list("question_id", flat=True)), np.int64))
    found: Flags = np.isin(items.candidates.question, questions[questions >= 0])
    return found
