"""One rater and stop where a judge agrees: what is settled, audited, edited, undone, and kept for people."""

from collections.abc import Callable

import pytest
from pytest_django import DjangoAssertNumQueries

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Weighed
from annotation.adjudication.services.deciding import reopen_answer
from annotation.agreement.selectors.reports import Way, read_agreement
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment, undo_submit
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.prejudging.models import CalibrationAnswer, CalibrationSample, RoutedAnswer, Routing
from judges.prejudging.selectors.routing.figures import read_figures
from judges.prejudging.selectors.routing.replays import replay_routing
from judges.prejudging.selectors.routing.routes import find_routes, read_agreed, routed_unequally
from judges.prejudging.selectors.routing.runs import RoutingNotFound
from judges.prejudging.selectors.routing.switches import read_routing
from judges.prejudging.services.routing import (
    NotRoutable,
    RoutedAlready,
    RoutingEnded,
    UnusableRouting,
    end_routing,
    keep_routes,
    start_routing,
)
from judges.prompts.selectors import decided_items
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_answers, vote
from tests.annotation.assignments.factories import judge
from tests.judges.prejudging.conftest import CORRECT, INCORRECT, make_run

pytestmark = pytest.mark.django_db
ANSWERS = ["Paris", "Lyon", "Nice"]


@pytest.fixture
def answers(project: Project) -> list[Candidate]:
    return make_answers(project=project, question="capital of france", gold=["Paris"], texts=ANSWERS)


@pytest.fixture
def run(project: Project, answers: list[Candidate]) -> JudgeRun:
    """A judge that accepts Paris, rejects Lyon and is not sure of Nice."""
    run = make_run(project, "recorded:sure", {})
    for answer, score in zip(answers, (0.99, 0.02, 0.6), strict=True):
        Verdict.objects.create(run=run, candidate=answer, accepted=score > 0.5, score=score, judged_at=now())
    return run


@pytest.fixture
def switch_on(project: Project, run: JudgeRun, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Routing]:
    """Switch routing on in a study where nothing was judged in full yet."""
    monkeypatch.setattr("judges.prejudging.selectors.routing.replays.LEAST_JUDGED", 0)

    def on(*, drawn: frozenset[str] | set[str] = frozenset(), **fields: object) -> Routing:
        is_drawn = {each.pool_hash for each in project.candidates.filter(text__in=drawn)}
        monkeypatch.setattr(
            "judges.prejudging.selectors.routing.routes.is_drawn",
            lambda *, seed, name, share: bool(is_drawn & set(name.split())),
        )
        given = {"run": run.public_id, "threshold": 0.9, "audit_share": 0.1, "by": project.created_by}
        return start_routing(project=project, **{**given, **fields})

    return on


@pytest.fixture
def agreed(switch_on: Callable[..., Routing], annotators: list[Membership]) -> Routing:
    """Routing under which the first rater has said what the judge says where it is sure."""
    routing = switch_on()
    say(annotators[0], **AS_THE_JUDGE)
    return routing


@pytest.fixture
def undone(switch_on: Callable[..., Routing], annotators: list[Membership], project: Project) -> Routing:
    """Routing that was undone: it had settled Paris, and a second rater has judged the two others."""
    routing = switch_on()
    say(annotators[0], Paris=CORRECT, Lyon=CORRECT, Nice=CORRECT)
    say(annotators[1], Lyon=INCORRECT, Nice=CORRECT)
    end_routing(routing=routing, gives_back=True, reason="", by=project.created_by)
    return routing


def standing(project: Project) -> dict[str, tuple[str, int, int]]:
    """Return each answer's state and slots, by its text."""
    rows = Candidate.objects.filter(project=project).order_by("pk")
    return {text: tuple(row) for text, *row in rows.values_list("text", "state", "wanted", "taken")}


def sources(project: Project) -> dict[str, str]:
    rows = Decision.objects.in_force().filter(candidate__project=project)
    return dict(rows.values_list("candidate__text", "source"))


def say(rater: Membership, **labels: str | None) -> None:
    vote(rater=rater, labels=labels)


def say_in_turn(
    raters: list[Membership], first: dict[str, str | None], second: dict[str, str | None]
) -> dict[str, tuple[str, int, int]]:
    """Let two raters judge, and return what stood between them."""
    say(raters[0], **first)
    between = standing(raters[0].project)
    say(raters[1], **second)
    return between


def edit(rater: Membership, text: str, label: str) -> None:
    judgment = Judgment.objects.get(candidate__text=text, rater=rater)
    edit_judgment(
        rater=Membership.objects.select_related("project__protocol").get(pk=rater.pk),
        sheet_id=judgment.assignment.sheet.public_id,
        given=AnswerGiven(id=judgment.candidate.public_id, label=label),
        seen_at=judgment.judged_at,
    )


AS_THE_JUDGE: dict[str, str | None] = {"Paris": CORRECT, "Lyon": INCORRECT, "Nice": CORRECT}


class TestSwitchingOn:
    def test_every_open_answer_has_one_slot(
        self, project: Project, switch_on: Callable[..., Routing]
    ) -> None:
        switch_on()
        assert set(standing(project).values()) == {("open", 1, 0)}
        assert Project.objects.get().starts_with_one

    def test_answers_that_come_later_have_one_as_well(
        self, project: Project, switch_on: Callable[..., Routing]
    ) -> None:
        switch_on()
        project.refresh_from_db()
        assert project.raters_at_first == 1

    def test_a_slot_that_somebody_holds_stays(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        hand_out(rater=annotators[0])
        hand_out(rater=annotators[1])
        switch_on()
        assert set(standing(project).values()) == {("open", 2, 2)}

    def test_an_answer_with_one_vote_is_weighed_at_once(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        say(annotators[0], **AS_THE_JUDGE)
        switch_on()
        assert sources(project) == {"Paris": "routed", "Lyon": "routed"}

    def test_it_is_refused_before_it_was_tried(self, project: Project, run: JudgeRun) -> None:
        with pytest.raises(NotRoutable, match="59 more answers"):
            start_routing(project=project, run=run.public_id, threshold=0.9, audit_share=0.1)

    def test_it_is_refused_twice(self, switch_on: Callable[..., Routing]) -> None:
        switch_on()
        with pytest.raises(RoutedAlready):
            switch_on()

    @pytest.mark.parametrize("fields", [{"threshold": 0.4}, {"audit_share": 0.0}, {"audit_share": 1.5}])
    def test_what_cannot_be_used_is_refused(
        self, switch_on: Callable[..., Routing], fields: dict[str, float | None]
    ) -> None:
        with pytest.raises(UnusableRouting):
            switch_on(**fields)

    def test_a_run_of_nobody_is_refused(self, switch_on: Callable[..., Routing]) -> None:
        with pytest.raises(RoutingNotFound):
            switch_on(run="nobody")


class TestSettling:
    def test_where_the_judge_agrees_one_rater_is_enough(self, project: Project, agreed: Routing) -> None:
        assert sources(project) == {"Paris": "routed", "Lyon": "routed"}
        found = standing(project)
        assert found["Paris"] == ("decided", 1, 1)
        assert found["Nice"] == ("open", 2, 1)
        reason = Decision.objects.get(candidate__text="Paris").reason
        assert "at least 90.0% sure, agreed" in reason

    def test_no_prompt_is_tried_on_what_a_judge_agreed_to(
        self, project: Project, annotators: list[Membership], agreed: Routing
    ) -> None:
        say(annotators[1], Nice=CORRECT)
        assert [item.answer for item in decided_items(project=project)] == ["Nice"]

    def test_where_it_differs_the_protocol_goes_on(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        switch_on()
        first = {"Paris": INCORRECT, "Lyon": INCORRECT, "Nice": INCORRECT}
        between = say_in_turn(annotators, first, {"Paris": CORRECT, "Nice": INCORRECT})
        assert between["Paris"] == ("open", 2, 1)
        assert standing(project)["Paris"] == ("open", 3, 2)
        assert sources(project) == {"Lyon": "routed", "Nice": "unanimous"}

    def test_an_audited_answer_has_all_its_raters(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        switch_on(drawn={"Paris"})
        say(annotators[0], **AS_THE_JUDGE)
        assert sources(project) == {"Lyon": "routed"}
        say(annotators[1], Paris=CORRECT, Nice=CORRECT)
        assert sources(project)["Paris"] == "unanimous"
        project.refresh_from_db()
        (paris,) = (each for each in read_agreed(project=project) if each.is_drawn)
        assert (paris.label, paris.probability) == (CORRECT, 0.1)

    def test_a_skip_leaves_the_one_slot_to_another(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        switch_on()
        between = say_in_turn(annotators, AS_THE_JUDGE | {"Paris": None}, {"Paris": CORRECT, "Nice": CORRECT})
        assert between["Paris"] == ("open", 1, 0)
        assert sources(project)["Paris"] == "routed"

    def test_a_verdict_that_comes_later_moves_nothing(
        self, project: Project, annotators: list[Membership], agreed: Routing
    ) -> None:
        Verdict.objects.filter(candidate__text="Paris").update(accepted=False, score=0.01)
        Verdict.objects.filter(candidate__text="Nice").update(accepted=True, score=0.99)
        edit(annotators[0], "Lyon", CORRECT)
        edit(annotators[0], "Paris", CORRECT)
        assert sources(project) == {"Paris": "routed"}

    def test_a_second_vote_on_its_way_is_waited_for_and_counts(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        sheets = [hand_out(rater=rater)[0] for rater in annotators[:2]]
        switch_on()
        judge(sheets[0], AS_THE_JUDGE)
        assert sources(project) == {}
        judge(sheets[1], {"Paris": CORRECT, "Lyon": CORRECT, "Nice": CORRECT})
        assert sources(project) == {"Paris": "unanimous", "Nice": "unanimous"}
        assert set(Judgment.objects.values_list("state", flat=True)) == {"counted"}
        assert not RoutedAnswer.objects.exists()

    def test_a_calibration_sample_is_for_people_alone(
        self,
        project: Project,
        answers: list[Candidate],
        annotators: list[Membership],
        switch_on: Callable[..., Routing],
    ) -> None:
        sample = CalibrationSample.objects.create(
            project=project, number=1, seed=1, population=3, probability=1, newest_answer=9, drawn_at=now()
        )
        CalibrationAnswer.objects.create(sample=sample, candidate=answers[0])
        switch_on()
        say(annotators[0], **AS_THE_JUDGE)
        assert sources(project) == {"Lyon": "routed"}
        assert not RoutedAnswer.objects.filter(candidate=answers[0]).exists()

    def test_what_the_lead_reopens_is_for_people_alone(
        self,
        project: Project,
        answers: list[Candidate],
        annotators: list[Membership],
        agreed: Routing,
    ) -> None:
        reopen_answer(
            project=project, candidate_id=answers[0].public_id, by=project.created_by, reason="Doubtful."
        )
        assert standing(project)["Paris"] == ("open", 2, 1)
        say(annotators[1], Paris=CORRECT, Nice=CORRECT)
        assert sources(project)["Paris"] == "unanimous"

    def test_what_is_noted_is_read_at_once(
        self,
        project: Project,
        annotators: list[Membership],
        agreed: Routing,
        django_assert_num_queries: DjangoAssertNumQueries,
    ) -> None:
        ids = list(project.candidates.values_list("pk", flat=True))
        # What was noted with its rules, the rule that is switched on, and how their runs are called.
        with django_assert_num_queries(3):
            routes = find_routes(project_id=project.pk, candidate_ids=ids)
        weighed = [Weighed(pk, route, CORRECT, is_alone=True) for pk, route in routes.items()]
        keep_routes(project_id=project.pk, weighed=weighed)
        with django_assert_num_queries(1):
            keep_routes(project_id=project.pk, weighed=weighed)
        assert set(RoutedAnswer.objects.values_list("first_label", flat=True)) == {CORRECT}


class TestChangingTheVote:
    def test_an_edit_reopens_and_an_edit_back_settles_again(
        self, project: Project, annotators: list[Membership], agreed: Routing
    ) -> None:
        edit(annotators[0], "Paris", INCORRECT)
        assert standing(project)["Paris"] == ("open", 2, 1)
        edit(annotators[0], "Paris", CORRECT)
        assert standing(project)["Paris"] == ("decided", 1, 1)

    def test_taking_the_sheet_back_leaves_nothing_decided(
        self, project: Project, annotators: list[Membership], agreed: Routing
    ) -> None:
        rater = Membership.objects.select_related("project__protocol").get(pk=annotators[0].pk)
        undo_submit(rater=rater)
        assert sources(project) == {}
        assert set(RoutedAnswer.objects.values_list("first_label", flat=True)) == {""}


class TestEnding:
    def test_switched_off_it_keeps_what_it_settled(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        routing = switch_on()
        make_answers(project=project, question="largest ocean", texts=["Pacific"])
        say(annotators[0], **AS_THE_JUDGE)
        end_routing(routing=routing, gives_back=False, reason="", by=project.created_by)
        assert sources(project) == {"Paris": "routed", "Lyon": "routed"}
        assert standing(project)["Pacific"] == ("open", 2, 0)
        edit(annotators[0], "Paris", INCORRECT)
        assert standing(project)["Paris"] == ("open", 2, 1)

    def test_undone_it_gives_everything_back(self, project: Project, agreed: Routing) -> None:
        end_routing(routing=agreed, gives_back=False, reason="", by=project.created_by)
        end_routing(routing=agreed, gives_back=True, reason="The judge errs.", by=project.created_by)
        assert sources(project) == {}
        assert set(standing(project).values()) == {("open", 2, 1)}
        last = Decision.objects.current().get(candidate__text="Paris")
        assert last.is_reopening
        assert last.reason == "Routing 1 was undone. The judge errs."
        with pytest.raises(RoutingEnded):
            end_routing(routing=agreed, gives_back=True, reason="", by=project.created_by)

    def test_after_an_undo_none_counts_for_agreement_before_all_have_their_votes(
        self, project: Project, annotators: list[Membership], undone: Routing
    ) -> None:
        project.refresh_from_db()
        way = Way(with_intervals=False)
        assert len(routed_unequally(project=project)) == 3
        assert read_agreement(project=project, way=way).items == 0
        say(annotators[1], Paris=CORRECT)
        say(annotators[2], Lyon=CORRECT)
        assert routed_unequally(project=project) == frozenset()
        assert read_agreement(project=project, way=way).items == 3

    def test_switched_off_it_settles_nothing_further(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        routing = switch_on()
        say(annotators[0], Paris=INCORRECT, Lyon=INCORRECT, Nice=CORRECT)
        end_routing(routing=routing, gives_back=False, reason="", by=project.created_by)
        edit(annotators[0], "Paris", CORRECT)
        assert sources(project) == {"Lyon": "routed"}
        assert standing(project)["Paris"] == ("open", 2, 1)

    def test_what_was_undone_is_for_people_alone(
        self, project: Project, undone: Routing, switch_on: Callable[..., Routing]
    ) -> None:
        switch_on()
        assert sources(project) == {"Nice": "unanimous"}
        assert standing(project)["Paris"] == ("open", 2, 1)
        assert not RoutedAnswer.objects.in_force().exists()

    def test_another_rule_goes_by_its_own_number(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        end_routing(routing=switch_on(), gives_back=False, reason="", by=project.created_by)
        switch_on(threshold=0.5)
        say(annotators[0], **AS_THE_JUDGE)
        assert set(RoutedAnswer.objects.values_list("routing__number", flat=True)) == {2}
        assert sources(project)["Nice"] == "routed"


class TestFigures:
    def test_what_it_came_to_so_far(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        switch_on(drawn={"Lyon"})
        say(annotators[0], **AS_THE_JUDGE)
        say(annotators[1], Lyon=CORRECT, Nice=CORRECT)
        say(annotators[2], Lyon=CORRECT)
        found = read_figures(project=project)
        assert (found.weighed, found.open, found.labels, found.stopped) == (3, 0, 6, 1)
        assert (found.drawn, found.decided, found.changed) == (1, 1, 1)
        assert found.labels_an_answer == 2.0
        assert found.error.value == 1.0
        assert found.residual.value == pytest.approx(1 / 3)
        (line,) = read_routing(project=project).rules
        assert (line.weighed, line.stopped, line.text) == (
            3,
            1,
            "one annotator and sure (recorded), at least 90.0% sure",
        )

    def test_answers_without_a_second_vote_by_choice_are_known(
        self, project: Project, annotators: list[Membership], switch_on: Callable[..., Routing]
    ) -> None:
        switch_on(drawn={"Lyon"})
        say(annotators[0], **AS_THE_JUDGE)
        project.refresh_from_db()
        unequal = Candidate.objects.filter(pk__in=routed_unequally(project=project))
        assert set(unequal.values_list("text", flat=True)) == {"Paris", "Nice"}


class TestReplay:
    def test_it_tries_the_rule_on_answers_judged_in_full(
        self,
        project: Project,
        run: JudgeRun,
        annotators: list[Membership],
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        say(annotators[0], Paris=CORRECT, Lyon=INCORRECT, Nice=CORRECT)
        say(annotators[1], Paris=CORRECT, Lyon=CORRECT, Nice=CORRECT)
        say(annotators[2], Lyon=CORRECT)
        monkeypatch.setattr("judges.prejudging.selectors.routing.replays.LEAST_JUDGED", 3)
        found = replay_routing(project=project, run=run.public_id, audit_share=0.0)
        row = next(each for each in found.rows if each.threshold == 0.9)
        # Paris stops with either rater; Lyon with the first, who was outvoted; Nice never.
        assert row.labels_an_answer == pytest.approx((1 + (1 + 3) / 2 + 2) / 3)
        assert row.fixed == pytest.approx(7 / 3)
        assert row.same_share.value == pytest.approx((1 + 0.5 + 1) / 3)
        assert found.answers == 3

    def test_of_a_judge_without_scores_between_only_every_verdict_is_tried(
        self, project: Project, annotators: list[Membership], monkeypatch: pytest.MonkeyPatch, run: JudgeRun
    ) -> None:
        Verdict.objects.filter(accepted=True).update(score=1.0)
        Verdict.objects.filter(accepted=False).update(score=0.0)
        for rater in annotators[:2]:
            say(rater, **AS_THE_JUDGE)
        monkeypatch.setattr("judges.prejudging.selectors.routing.replays.LEAST_JUDGED", 3)
        (row,) = replay_routing(project=project, run=run.public_id, audit_share=0.0).rows
        assert row.threshold is None

    def test_without_enough_it_says_how_many_more(self, project: Project, run: JudgeRun) -> None:
        found = replay_routing(project=project, run=run.public_id, audit_share=0.1)
        assert found.rows == []
        assert found.why_not.startswith("First, people must judge 59 more answers")
