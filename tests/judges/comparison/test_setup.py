"""What a project needs before people can judge it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.accounts.outbox.ports import Share
from annotation.items.models import Question, System
from annotation.judgments.models import JudgmentRevision
from annotation.projects.models import Membership, Project
from annotation.projects.presets import find_preset
from annotation.projects.rules import TieBreak
from annotation.projects.services.members import invite
from annotation.projects.services.protocols import set_protocol
from judges.comparison.rules.overview import Load
from judges.comparison.selectors.overview import Setup, read_setup, read_share
from tests.annotation.adjudication.factories import make_answers, vote

Client = Callable[[User], Any]


def read(project: Project) -> Setup:
    return read_setup(project=Project.objects.get(pk=project.pk))


class TestReadSetup:
    def test_an_empty_project_lacks_everything(self, project: Project) -> None:
        setup = read(project)
        assert (setup.questions, setup.coverage.systems, setup.to_judge) == (0, 0, 0)
        assert (setup.judges, setup.is_ready) == ([], False)

    def test_people_are_counted_as_the_protocol_needs_them(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        Membership.objects.filter(pk=annotators[2].pk).update(state="paused")
        setup = read(study)
        # Two judge an answer, and a third where they differ.
        assert (setup.annotators_needed, setup.annotators_present) == (3, 2)
        assert setup.annotators_with_lead == 2
        assert not setup.is_ready
        Membership.objects.filter(pk=annotators[2].pk).update(state="active")
        assert read(study).is_ready

    def test_it_is_ready_once_enough_have_begun_though_a_third_lacks(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        Membership.objects.filter(pk=annotators[2].pk).update(state="paused")
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        assert read(study).is_ready

    def test_each_group_needs_its_own(self, project: Project, annotators: list[Membership]) -> None:
        found = find_preset("evouna")
        assert found is not None
        set_protocol(project=project, spec=found.protocol.to_spec())
        project = Project.objects.get(pk=project.pk)
        (answer,) = make_answers(project=project, question="largest lake", texts=["Baikal"])
        for name in "AB":
            System.objects.create(
                project=project, data_import=answer.data_import, name=name, label=name, group=name
            )
        Membership.objects.filter(pk__in=[rater.pk for rater in annotators]).update(group="A")
        setup = read(project)
        assert (setup.annotators_needed, setup.annotators_present, setup.is_ready) == (2, 1, False)
        # Who has no group judges the answers of every group.
        Membership.objects.filter(pk=annotators[0].pk).update(group="")
        setup = read(project)
        assert (setup.annotators_needed, setup.annotators_present, setup.is_ready) == (2, 2, True)

    def test_links_that_let_an_annotator_in_are_counted(self, study: Project) -> None:
        for role in ("annotator", "annotator", "adjudicator"):
            invite(project=study, by=study.created_by, role=role)
        assert read(study).invited == 2

    def test_what_awaits_each_annotator_is_shared_with_those_invited(
        self, study: Project, django_assert_max_num_queries: Any
    ) -> None:
        # Two votes of 30 seconds on each of five answers, for the three people that the protocol needs.
        assert read_share(project_id=study.pk) == Share(3, 100.0)
        assert read(study).load_of_each == Load(3, 100.0)
        for _ in range(5):
            invite(project=study, by=study.created_by, role=Membership.Role.ANNOTATOR)
        with django_assert_max_num_queries(25):
            assert read_share(project_id=study.pk) == Share(2, 60.0)

    def test_nothing_awaits_anybody_where_nothing_is_imported(self, project: Project) -> None:
        assert read_share(project_id=project.pk) is None
        assert read(project).load_of_each is None

    def test_what_awaits_each_annotator_goes_by_their_pace(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        # Two votes in an hour; eight are left, for three people.
        JudgmentRevision.objects.update(seconds=1_800.0)
        assert read(study).load_of_each == Load(3, 4_800.0)
        # Where nobody can judge yet, nobody has a pace.
        Membership.objects.filter(pk__in=[rater.pk for rater in annotators]).update(state="paused")
        assert read(study).load_of_each == Load(3, 100.0)

    def test_questions_and_answers_are_counted(self, study: Project) -> None:
        setup = read(study)
        assert setup.protocol == "OpenQA-eval"
        assert (setup.questions, setup.without_gold, setup.sampled, setup.to_judge) == (3, 0, 3, 5)
        Question.objects.filter(project=study, text="capital of france").update(in_sample=False)
        setup = read(study)
        assert (setup.questions, setup.sampled, setup.to_judge) == (3, 2, 3)

    def test_an_archived_project_lacks_nothing(self, project: Project) -> None:
        Project.objects.filter(pk=project.pk).update(state="archived")
        assert read(project).is_ready

    def test_only_leads_read_it(
        self, study: Project, annotators: list[Membership], client_of: Client
    ) -> None:
        assert client_of(study.created_by).get("/api/projects/small/setup").status_code == 200
        assert client_of(annotators[0].user).get("/api/projects/small/setup").status_code == 403


class TestAnnotatorsNeeded:
    @pytest.mark.parametrize(("preset", "needed"), [("openqa-eval", 3), ("efficientqa", 3), ("evouna", 1)])
    def test_is_all_whom_a_protocol_asks(self, preset: str, needed: int) -> None:
        found = find_preset(preset)
        assert found is not None
        assert found.protocol.annotators_needed == needed

    def test_leaves_what_a_lead_decides_to_the_lead(self) -> None:
        found = find_preset("openqa-eval")
        assert found is not None
        assert replace(found.protocol, tie_break=TieBreak.LEAD).annotators_needed == 2
