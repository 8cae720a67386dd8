"""Keep published numbers beside a study's own, and draw the sample that sure scores need."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import IntegrityError, transaction

from analysis.intervals import Why
from annotation.accounts.models import User
from annotation.items.selectors import Sample
from annotation.items.services.samples import Stratum, draw_strata
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict, Invalid
from common.figures import WHY
from judges.comparison.models import ReferenceScore
from judges.comparison.rules.leaderboard.references import (
    FileProblem,
    Reference,
    Unreadable,
    identity_of,
    is_web_address,
    measure_key,
    measure_words,
    place,
    read_references,
)
from judges.comparison.selectors.leaderboard.corrected import read_plan
from judges.comparison.selectors.leaderboard.references import get_reference, list_references, read_places


class ReferenceTaken(Conflict):
    """A number of this name, measure and subject matter is there."""

    code = "reference_score_taken"


class ReferenceMoved(Conflict):
    """The number was taken out, or put back, before."""

    code = "reference_score_moved"


class AddressUnusable(Invalid):
    """The source's address is none that a browser may be sent to."""

    code = "invalid_input"


class PlaceUnknown(Invalid):
    """The number is said to belong to what the study does not have, or what such a number has not."""

    code = "invalid_input"


class Read(NamedTuple):
    """What a file holds, and why it was not kept where there are problems."""

    references: list[Reference]
    problems: list[FileProblem]


def add_reference(
    *, project: Project, by: User, reference: Reference, at: datetime | None = None
) -> ReferenceScore:
    """Keep a published number; raises `ReferenceTaken`, `AddressUnusable`, `PlaceUnknown`."""
    if reference.source_url and not is_web_address(reference.source_url):
        message = "Enter an address that begins with https:// or http://."
        raise AddressUnusable(message, details={"fields": {"source_url": [message]}})
    try:
        reference = place(reference, **read_places(project=project)._asdict())
    except Unreadable as fault:
        raise PlaceUnknown(str(fault), details={"fields": {fault.column: [str(fault)]}}) from None
    row = _row(project, by, reference, at or now())
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        raise _taken(reference) from None
    return row


def _row(project: Project, by: User, reference: Reference, at: datetime) -> ReferenceScore:
    values = {**reference._asdict(), "measure": measure_key(reference.measure, reference.subject)}
    return ReferenceScore(project=project, added_by=by, added_at=at, **values)


def _taken(reference: Reference) -> ReferenceTaken:
    message = (
        f"“{reference.name}” already has a result for this measure. Add a note that distinguishes the two."
    )
    return ReferenceTaken(message, details={"fields": {"name": [message]}})


@transaction.atomic
def import_references(
    *, project: Project, by: User, text: str, is_dry_run: bool = False, at: datetime | None = None
) -> Read:
    """Keep all numbers of a CSV file, or none where a line has a problem or `is_dry_run` says so."""
    # The project's row is the lock: of two imports at once the second sees what the first kept.
    Project.objects.locked(project.pk)
    references, problems = read_references(text)
    references, misplaced = _place_all(project, references)
    problems += [*misplaced, *_clashes(project, references)]
    if not problems and not references:
        problems = [FileProblem(0, "", "The file has no rows.")]
    if not problems and not is_dry_run:
        ReferenceScore.objects.bulk_create(_row(project, by, each, at or now()) for each in references)
    return Read(references, problems)


def _place_all(
    project: Project, references: Sequence[Reference]
) -> tuple[list[Reference], list[FileProblem]]:
    places = read_places(project=project)._asdict()
    placed: list[Reference] = []
    problems: list[FileProblem] = []
    for reference in references:
        try:
            placed.append(place(reference, **places))
        except Unreadable as fault:
            problems.append(FileProblem(0, fault.column, f"“{reference.name}”: {fault}"))
    return placed, problems


def _clashes(project: Project, references: Sequence[Reference]) -> list[FileProblem]:
    taken = {identity_of(row.as_reference()) for row in list_references(project=project)}
    return [
        FileProblem(0, "name", f"“{each.name}” already has a result for {measure_words(each)}.")
        for each in references
        if identity_of(each) in taken
    ]


def remove_reference(
    *, project: Project, public_id: str, by: User, at: datetime | None = None
) -> ReferenceScore:
    """Take a number out of every table; raises `ReferenceNotFound`, `ReferenceMoved`."""
    row = get_reference(project=project, public_id=public_id)
    changed = ReferenceScore.objects.filter(pk=row.pk, removed_at=None).update(
        removed_by=by, removed_at=at or now()
    )
    if not changed:
        raise ReferenceMoved("This result was already removed.")
    return get_reference(project=project, public_id=public_id)


def restore_reference(*, project: Project, public_id: str) -> ReferenceScore:
    """Put a number back; raises `ReferenceNotFound`, `ReferenceMoved`, `ReferenceTaken`."""
    row = get_reference(project=project, public_id=public_id)
    try:
        with transaction.atomic():
            changed = ReferenceScore.objects.filter(pk=row.pk, removed_at__isnull=False).update(
                removed_by=None, removed_at=None
            )
    except IntegrityError:
        raise _taken(row.as_reference()) from None
    if not changed:
        raise ReferenceMoved("This result was already restored.")
    return get_reference(project=project, public_id=public_id)


class NothingToPlan(Invalid):
    """No sample can be planned yet."""

    code = "nothing_to_plan"


def draw_planned_sample(*, project: Project, points: float, seed: int) -> Sample:
    """Draw the sample that a plan names as what people judge, and write its probabilities down.

    Raises `NothingToPlan`, and `UnusableSample` where questions came meanwhile.
    """
    planned = read_plan(project=project, points=points)
    if not planned.strata:
        raise NothingToPlan(WHY[Why.NO_JUDGE_OF_ALL])
    return draw_strata(
        project=project,
        strata=[Stratum(*each) for each in planned.strata],
        seed=seed,
        options={"points": points, "judge": planned.signature},
    )
