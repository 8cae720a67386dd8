"""Which answers a round could have drawn, as boards and as rounds themselves say."""

import numpy as np
import pytest

from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, System
from annotation.projects.models import Project
from common.clock import now
from judges.comparison.selectors.failures.tagged import read_tagged
from judges.comparison.selectors.study.arrays import read_items
from judges.comparison.selectors.study.matching import read_beyond_gold
from judges.runs.models import JudgeRun
from judges.tagging.models import Tagging
from judges.tagging.rules import Filter, People, Said
from judges.tagging.selectors import find_population
from tests.judges.comparison.failures.conftest import Tagger


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
        for more in ({}, {"system": beta}, {"flag": "list"}):
            wanted = Filter(people=people, run=bem.public_id, said=said, beyond_gold=beyond_gold, **more)
            population = {answer.id for answer in find_population(project=study, wanted=wanted)}
            if population:
                drawn = tag("kamalloo", wanted, {})
                drawn.items.order_by("position")[0].taggings.create(
                    number=1, tags=["list"], tagged_by=study.created_by, tagged_at=now()
                )
                items = read_items(study)
                found = read_tagged(
                    study, items, beyond=read_beyond_gold(study, items), set_key="kamalloo"
                ).tagged
                assert set(items.candidates.ids[found.cells >= 0].tolist()) == population
                Tagging.objects.all().delete()

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
