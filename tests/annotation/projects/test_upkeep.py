"""What follows from a lead's choice is carried through, whoever dies over it."""

from datetime import timedelta

import pytest

from annotation.adjudication.services import settling
from annotation.items.events import ItemsChanged
from annotation.items.models import Candidate, Question
from annotation.items.services import samples
from annotation.items.services.samples import set_sample
from annotation.projects.models import Project, Upkeep
from annotation.projects.services import upkeep
from annotation.projects.services.protocols import set_protocol
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep, sweep_upkeep
from common.clock import now
from tests.annotation.items.conftest import import_into, outputs
from tests.dying import killed_at

pytestmark = pytest.mark.django_db
FILE = {"s.jsonl": outputs(**{f"q{number}": "x" for number in range(10)})}


@pytest.fixture(autouse=True)
def filled(project: Project) -> None:
    import_into(project, files=FILE)
    project.refresh_from_db()


def later() -> None:
    sweep_upkeep(at=now() + timedelta(minutes=1))


def wanted() -> set[int]:
    return set(Candidate.objects.values_list("wanted", flat=True))


def ask_three(project: Project) -> None:
    assert project.protocol is not None
    set_protocol(project=project, spec={**project.protocol.spec, "raters_per_answer": 3})


class TestDying:
    def test_a_protocol_is_in_force_at_once_and_carried_through_by_the_sweeper(
        self, project: Project
    ) -> None:
        with killed_at(2, settling):
            ask_three(project)
        project.refresh_from_db()
        assert project.protocol is not None
        assert project.protocol.rules.raters_per_answer == 3
        assert wanted() == {2, 3}
        sweep_upkeep()
        assert wanted() == {2, 3}, "whoever chose is given time"
        later()
        assert wanted() == {3}
        assert Upkeep.objects.get().due == []

    def test_a_sample_is_carried_through_by_the_sweeper(self, project: Project) -> None:
        with killed_at(2, samples):
            set_sample(project=project, method="seed", size=2, seed=1)
        assert Question.objects.filter(in_sample=True).count() > 2
        later()
        assert Question.objects.filter(in_sample=True).count() == 2
        assert Candidate.objects.filter(state="open").count() == 2

    def test_the_last_of_two_choices_stands(self, project: Project) -> None:
        with killed_at(2, samples):
            set_sample(project=project, method="seed", size=2, seed=1)
        set_sample(project=project, method="seed", size=5, seed=2)
        later()
        assert Question.objects.filter(in_sample=True).count() == 5


class TestTelling:
    def test_what_is_asked_for_meanwhile_is_told_again(
        self, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        told: list[ItemsChanged] = []
        event = ItemsChanged(project_id=project.pk)

        def tell(event: ItemsChanged) -> None:
            told.append(event)
            if len(told) == 1:
                ask_upkeep(event)

        monkeypatch.setattr(upkeep, "publish", tell)
        ask_upkeep(event)
        do_upkeep(project_id=project.pk)
        assert told == [event, event]
