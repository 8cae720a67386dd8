"""The seeds of drawing: of the secret key, and the same for good, so that studies stay as they were drawn."""

from datetime import UTC, datetime

from django.conf import LazySettings

from annotation.projects.models import Project
from judges.prejudging.services import certificates, policies, routing

BORN = datetime(2026, 1, 2, 3, 4, 5, 6, tzinfo=UTC)


def seeds_of(project: Project) -> tuple[int, int, int]:
    return (
        policies._first_seed(project),
        certificates._seed(project, 3),
        routing._seed(project, 3),
    )


def test_studies_that_are_at_work_keep_theirs(settings: LazySettings) -> None:
    settings.SECRET_KEY = "pinned"
    found = seeds_of(Project(pk=7, created_at=BORN))
    assert found == (140427844, 2298249252911147, 2126613058843401)


def test_another_key_another_project_or_sample_gives_others(settings: LazySettings) -> None:
    own = seeds_of(Project(pk=7, created_at=BORN))
    assert certificates._seed(Project(pk=7, created_at=BORN), 4) != own[1]
    others = seeds_of(Project(pk=8, created_at=BORN))
    settings.SECRET_KEY = "another"
    assert not set(own) & {*others, *seeds_of(Project(pk=7, created_at=BORN))}
