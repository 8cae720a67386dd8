"""Which answers a round could have drawn, as boards and as rounds themselves say."""

from collections.abc import Iterator
from copy import deepcopy

import numpy as np
import pytest
from pytest_django import DjangoDbBlocker

from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, System
from annotation.projects.models import Project
from common.clock import now
from judges.comparison.selectors.failures import read_tagged
from judges.comparison.selectors.study import read_beyond_gold, read_items
from judges.runs.models import JudgeRun
from judges.tagging.models import Tagging
from judges.tagging.rules.rounds import Filter, People, Said
from judges.tagging.selectors import find_population
from tests.annotation.adjudication.factories import make_answers
from tests.conftest import made_once
from tests.factories import make_project, make_user
from tests.judges.comparison.conftest import EXACT, make_run
from tests.judges.comparison.failures.conftest import Tagger
from tests.judges.tagging.conftest import decide, fill_study

# answer -> what people decide, and the score of a judge that accepts from one half
SAID_OF: dict[str, tuple[str, float]] = {
    "Pablo Picasso": ("correct", 1.0),
    "P. Picasso": ("correct", 0.0),
    "a cubist": ("possibly", 1.0),
    "a Spaniard": ("possibly", 0.0),
    "Dali": ("incorrect", 1.0),
    "Monet": ("incorrect", 0.0),
}


def make_study() -> tuple[Project, JudgeRun]:
    """Make a study and, beside its own, answers to a question that people and judge say everything of."""
    study = make_project(lead=make_user(username="lead"))
    fill_study(study)
    protocol = study.protocol
    assert protocol is not None
    labels = protocol.spec["labels"]
    protocol.spec = {
        **protocol.spec,
        "labels": [labels[0], {"key": "possibly", "name": "Possibly", "credit": "possible"}, *labels[1:]],
    }
    protocol.save()
    make_answers(project=study, question="painter of guernica", gold=["Picasso"], texts=list(SAID_OF))
    for text, (label, _) in SAID_OF.items():
        decide(study, text, label)
    return study, make_run(study, "bem", EXACT | {text: score for text, (_, score) in SAID_OF.items()})


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[Project, JudgeRun]]:
    with made_once(django_db_blocker, make_study) as made:
        yield made


@pytest.fixture
def study(made: tuple[Project, JudgeRun], db: None) -> Project:
    return deepcopy(made[0])


@pytest.fixture
def bem(made: tuple[Project, JudgeRun], db: None) -> JudgeRun:
    return deepcopy(made[1])


class TestDrawable:
    @pytest.mark.parametrize("people", list(People))
    @pytest.mark.parametrize("said", list(Said))
    @pytest.mark.parametrize("beyond_gold", [False, True])
    def test_is_what_a_round_would_draw_from(
        self, study: Project, bem: JudgeRun, tag: Tagger, people: People, said: Said, beyond_gold: bool
    ) -> None:
        question = Candidate.objects.get(project=study, text="Marlowe").question
        member = study.members.get(user=study.created_by)
        QuestionFlag.objects.create(question=question, rater=member, kind="list", flagged_at=now())
        beta = System.objects.get(project=study, name="beta").public_id
        asked: tuple[dict[str, str], ...] = ({}, {"system": beta}, {"flag": "list"})
        compared = 0
        for more in asked:
            wanted = Filter(people=people, run=bem.public_id, said=said, beyond_gold=beyond_gold, **more)
            population = {answer.id for answer in find_population(project=study, wanted=wanted)}
            if population:
                drawn = tag("kamalloo", wanted, {})
                drawn.items.order_by("position")[0].taggings.create(
                    number=1, tags=["list"], tagged_by=study.created_by, tagged_at=now()
                )
                items = read_items(study)
                found = read_tagged(study, items, beyond=read_beyond_gold(study), set_key="kamalloo").tagged
                assert set(items.candidates.ids[found.cells >= 0].tolist()) == population
                compared += 1
                Tagging.objects.all().delete()
        assert compared, "No answer fits any of these filters, so nothing was compared."

    def test_a_round_whose_judge_is_gone_speaks_for_what_it_drew(
        self, study: Project, exact: JudgeRun, tag: Tagger
    ) -> None:
        drawn = tag("kamalloo", Filter(run=exact.public_id, said=Said.REJECTS), {}, size=1)
        item = drawn.items.get()
        item.taggings.create(number=1, tags=["list"], tagged_by=study.created_by, tagged_at=now())
        exact.delete()
        items = read_items(study)
        tagged = read_tagged(
            study, items, beyond=np.ones(len(items.candidates.ids), bool), set_key="kamalloo"
        ).tagged
        assert items.candidates.ids[tagged.cells >= 0].tolist() == [item.candidate_id]
