"""Where a project stands."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import unread_guidelines
from annotation.projects.services.members import invite
from annotation.projects.services.protocols import read_guidelines
from common.clock import now
from judges.answers.selectors.filters import Wanted, find_answers
from judges.comparison.rules.overview import Forecast, Load, Pace, forecast, load_of_each, votes_per_hour
from judges.comparison.selectors import overview as overview_module
from judges.comparison.selectors.overview import Overview, read_overview
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import vote

Decider = Callable[[str, str], None]
Client = Callable[[User], Any]


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overview_module, "is_worker_running", lambda: False)


def read(project: Project) -> Overview:
    return read_overview(project=Project.objects.get(pk=project.pk))


def stages(overview: Overview) -> dict[str, int]:
    return {stage.key: stage.count for stage in overview.stages}


class TestReadOverview:
    def test_an_empty_project_has_nothing_to_say(self, project: Project) -> None:
        overview = read(project)
        assert (overview.questions, overview.answers, overview.raters, overview.needs) == (0, 0, [], [])
        assert overview.agreement.kappa.value is None
        assert overview.agreement.words == "No answer has votes from two annotators yet."
        assert (overview.movement, overview.why_no_movement) == (None, "No system has answers yet.")
        assert overview.forecast is None

    def test_every_answer_stands_in_one_stage(
        self, study: Project, decide: Decider, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        decide("Pacific", "correct")
        overview = read(study)
        assert stages(overview) == {"waiting": 2, "judging": 2, "disputed": 0, "decided": 1}
        assert overview.answers == 5

    def test_what_waits_for_the_lead_is_counted_as_in_the_queue(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        both = {"Paris": "correct", "the city of Paris": "correct"}
        vote(rater=annotators[0], labels=both)
        vote(rater=annotators[1], labels={**both, "Paris": "incorrect"})
        Membership.objects.filter(pk=annotators[2].pk).update(state="paused")
        overview = read(study)
        assert stages(overview) == {"waiting": 3, "judging": 0, "disputed": 1, "decided": 1}
        (waiting,) = find_answers(project=study, wanted=Wanted(state="disputed")).ids
        assert Candidate.objects.get(pk=waiting).text == "Paris"
        assert not find_answers(project=study, wanted=Wanted(state="judging")).ids

    def test_raters_show_how_much_and_how_fast(self, study: Project, annotators: list[Membership]) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        JudgmentRevision.objects.update(seconds=6.0)
        overview = read(study)
        first, second, _ = overview.raters
        assert (first.judged, first.per_hour) == (2, 600.0)
        assert (second.judged, second.per_hour, second.last_seen) == (0, None, None)
        # Twelve seconds tell no pace of the work that is left.
        assert overview.forecast is None
        JudgmentRevision.objects.update(seconds=900.0)
        # Five answers want two votes each; two of the ten are there.
        assert read(study).forecast == Forecast(seconds=7200.0, votes_per_hour=4.0)

    @pytest.mark.parametrize("seconds", [1e-310, 1e-305, 1e300])
    def test_what_nobody_can_have_measured_is_no_pace(
        self, study: Project, annotators: list[Membership], client_of: Client, seconds: float
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        JudgmentRevision.objects.update(seconds=seconds)
        assert next(rater.per_hour for rater in read(study).raters) is None
        reply = client_of(study.created_by).get("/api/projects/small/overview")
        assert reply.status_code == 200

    def test_whoever_left_is_shown_with_work_that_stands_only(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        vote(rater=annotators[1], labels={"Paris": "correct", "the city of Paris": "correct"})
        Judgment.objects.filter(rater=annotators[1]).update(state="withdrawn")
        Membership.objects.filter(pk__in=[rater.pk for rater in annotators]).update(state="left")
        assert [(rater.pseudonym, rater.judged) for rater in read(study).raters] == [
            (annotators[0].pseudonym, 2)
        ]

    def test_what_waits_for_the_lead_is_named_with_its_page(self, study: Project) -> None:
        needs = {need.key: (need.count, need.href) for need in read(study).needs}
        assert needs == {"nobody": (5, "people")}

    def test_annotators_who_get_no_work_before_they_read_the_guidelines_are_named(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        assert study.protocol is not None
        study.protocol.spec = {**study.protocol.spec, "guidelines": "Accept what people would."}
        study.protocol.save()
        (need,) = [need for need in read(study).needs if need.key == "unread"]
        assert (need.count, need.href) == (len(annotators), "protocol")
        for member in Membership.objects.filter(pk__in=[each.pk for each in annotators]):
            read_guidelines(member=member, seen_hash=unread_guidelines(member=member))
        assert "unread" not in {need.key for need in read(study).needs}

    def test_open_invitations_are_waited_for_before_more_people_are_asked_for(self, study: Project) -> None:
        for role in ("annotator", "annotator", "adjudicator"):
            invite(project=study, by=study.created_by, role=role)
        (need,) = read(study).needs
        assert (need.key, need.count, need.href) == ("invited", 2, "people")
        assert need.text == "invited people have not joined yet; judging starts when the first one joins"

    def test_an_answer_that_waits_for_the_lead_is_not_told_again_for_want_of_raters(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        for rater, label in zip(annotators, ("correct", "incorrect"), strict=False):
            vote(rater=rater, labels={"Paris": "correct", "the city of Paris": label})
        Membership.objects.filter(pk=annotators[2].pk).update(state="left")
        needs = {need.key: need.count for need in read(study).needs}
        assert needs == {"queue": 1, "unread": 2}

    def test_flagged_questions_are_counted_once(self, study: Project, annotators: list[Membership]) -> None:
        question = Question.objects.filter(project=study).first()
        assert question is not None
        for kind in ("list", "unclear"):
            QuestionFlag.objects.create(question=question, rater=annotators[0], kind=kind, flagged_at=now())
        assert [(need.key, need.count) for need in read(study).needs] == [("flags", 1), ("unread", 3)]

    def test_questions_without_an_answer_to_judge_are_told_apart(self, study: Project) -> None:
        assert (read(study).questions, read(study).asked_questions) == (3, 3)
        Candidate.objects.filter(question__position=0).update(is_judgeable=False)
        assert (read(study).questions, read(study).asked_questions) == (3, 2)

    def test_amendment_moves_the_system_it_moves_most(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        movement = read(study).movement
        assert movement is not None
        assert movement.largest_gain == pytest.approx(2 / 3)
        assert (movement.system, movement.label) == ("alpha", "Alpha")

    def test_a_gain_that_is_not_there_has_its_reason(
        self, study: Project, decide: Decider, request: pytest.FixtureRequest
    ) -> None:
        needs_exact_match = (
            "The change is measured relative to exact match, which has not judged the answers yet."
        )
        assert read(study).why_no_movement == needs_exact_match
        request.getfixturevalue("exact_match")
        assert read(study).why_no_movement == ("People have not decided enough answers to score a system.")

    def test_what_programs_settled_is_told_from_what_people_decided(
        self, study: Project, decide: Decider
    ) -> None:
        decide("Pacific", "correct")
        assert (read(study).settled_by_programs, read(study).settled_with_programs) == (0, 0)
        Decision.objects.update(source="prejudged")
        assert (read(study).settled_by_programs, read(study).settled_with_programs) == (1, 0)
        Decision.objects.update(source="routed")
        assert (read(study).settled_by_programs, read(study).settled_with_programs) == (0, 1)

    def test_agreement_comes_with_its_interval(self, study: Project, annotators: list[Membership]) -> None:
        labels = {"Paris": "correct", "the city of Paris": "incorrect"}
        for rater in annotators[:2]:
            vote(rater=rater, labels=labels)
            vote(rater=rater, labels={"Pacific": "correct"})
        agreement = read(study).agreement
        words = "Fleiss’ κ over 3 answers, too few for a conclusion."
        assert (agreement.kappa.value, agreement.words) == (1.0, words)


class TestOverviewView:
    @pytest.mark.parametrize(("who", "status"), [("annotator", 403), ("outsider", 404), ("lead", 200)])
    def test_only_those_who_lead_or_decide_may_read(
        self,
        who: str,
        status: int,
        client_of: Client,
        people: dict[str, User],
    ) -> None:
        reply = client_of(people[who]).get("/api/projects/small/overview")
        assert reply.status_code == status


class TestPace:
    def test_without_measured_time_there_is_no_pace(self) -> None:
        assert votes_per_hour(None) is None
        assert votes_per_hour(Pace(3, 0.0)) is None
        assert forecast(votes_left=3, paces=[]) is None

    def test_work_left_is_at_the_pace_of_all(self) -> None:
        found = forecast(votes_left=10, paces=[Pace(1, 900.0), Pace(3, 900.0)])
        assert found == Forecast(seconds=4500.0, votes_per_hour=8.0)

    @pytest.mark.parametrize(
        ("pace", "is_told"),
        [
            (Pace(49, 120.0), False),
            (Pace(50, 120.0), True),
            (Pace(2, 1799.0), False),
            (Pace(2, 1800.0), True),
        ],
    )
    def test_it_is_told_from_fifty_votes_or_half_an_hour(self, pace: Pace, is_told: bool) -> None:
        assert (forecast(votes_left=1000, paces=[pace]) is not None) is is_told

    def test_no_votes_left_is_no_work(self) -> None:
        assert forecast(votes_left=0, paces=[Pace(100, 100.0)]) is None


class TestLoadOfEach:
    def test_without_a_pace_it_is_their_part_at_thirty_seconds_a_vote(self) -> None:
        assert load_of_each(votes=2 * 1363, people=3, found=None) == Load(910, 27_260.0)

    def test_it_goes_by_the_pace_once_that_is_known(self) -> None:
        found = Forecast(seconds=72_000.0, votes_per_hour=45.0)
        assert load_of_each(votes=2 * 1363, people=3, found=found) == Load(300, 24_000.0)

    @pytest.mark.parametrize("people", [0, 3])
    def test_nothing_left_is_no_work(self, people: int) -> None:
        assert load_of_each(votes=0, people=people, found=None) is None
