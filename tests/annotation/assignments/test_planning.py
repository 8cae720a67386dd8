import re
from collections import Counter
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.adjudication.selectors.queue import count_waiting
from annotation.assignments.models import Assignment, WorkPlan
from annotation.assignments.rules import shortage_words
from annotation.assignments.selectors.open_work import (
    count_questions_left,
    open_candidates,
    rank_by_plan,
    rank_questions,
)
from annotation.assignments.selectors.planning import find_gap
from annotation.assignments.selectors.raters_at_work import list_raters_at_work
from annotation.assignments.services.handing_out import hand_out
from annotation.assignments.services.work_plans import RaterWish, UnusablePlan, renew_priorities, save_plan
from annotation.items.models import Candidate, Question
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import MemberNotFound, change_member
from tests.annotation.assignments.factories import judge_next, make_question
from tests.conftest import ClientOf
from tests.factories import make_member, make_project

NAMED, SHARES = WorkPlan.Sharing.NAMED, WorkPlan.Sharing.SHARES


def wish(rater: Membership, **fields: object) -> RaterWish:
    return RaterWish(member_id=rater.public_id, **fields)


def questions_of(rater: Membership) -> list[int]:
    """Return the places of the questions that a rater may be handed, in the order of the work."""
    ranked = rank_questions(rater=rater, limit=1_000)
    places = Question.objects.in_bulk(ranked)
    return [places[pk].position for pk in ranked]


def work_until_nothing_is_left(raters: list[Membership]) -> None:
    """Let raters take turns until nobody is given anything."""
    while any(bool(hand_out(rater=rater)) and judge_next(rater) for rater in raters):
        pass


class TestHeadOfTheOrder:
    @pytest.mark.parametrize("seed", range(8))
    def test_the_head_of_the_order_is_the_order_of_the_plan(
        self, seed: int, project: Project, annotators: list[Membership]
    ) -> None:
        chance = Random(seed)
        for _ in range(9):
            make_question(project=project, answers=chance.randint(1, 3))
        for candidate in Candidate.objects.filter(project=project):
            Candidate.objects.filter(pk=candidate.pk).update(
                state=chance.choice(["open", "open", "decided"]),
                wanted=2,
                taken=chance.randint(0, 2),
                goes_first=chance.random() < 0.2,
            )
        rater = annotators[0]
        if seed % 4 == 1:
            part = wish(rater, takes_part=True, first_question=2, last_question=8)
            save_plan(project=project, sharing=NAMED, raters=[part])
        if seed % 4 == 3:
            wishes = [wish(each, share=share) for share, each in enumerate(annotators, start=1)]
            save_plan(project=project, sharing=SHARES, raters=wishes)
        for _ in range(2):
            hand_out(rater=rater, ahead=chance.randint(1, 3))
        held = rater.sheets.values("question")
        free = open_candidates(rater=rater).exclude(question__in=held)
        ranked = rank_by_plan(free, project, limit=60)
        for limit in (1, 2, 4, 60):
            assert rank_questions(rater=rater, limit=limit) == ranked[:limit]

    def test_it_is_read_from_the_head_of_an_index(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        with CaptureQueriesContext(connection) as asked:
            rank_questions(rater=annotators[0], limit=60)
        # PostgreSQL is only told the name of what it has planned.
        (both,) = (each["sql"] for each in asked if re.match(r"EXECUTE|.*DISTINCT", each["sql"]))
        plan = explained(both)
        heads = {"candidate_going_first", "candidate_begun", "candidate_with_open_slot"}
        assert heads <= {*re.findall(r"\w+", plan)}
        assert not re.search("TEMP B-TREE|Sort|Seq Scan on annotation_candidate", plan), plan


def explained(sql: str) -> str:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # A table of a few rows is read as a whole otherwise.
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute("SET LOCAL enable_sort = off")
            cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {'QUERY PLAN ' if connection.vendor == 'sqlite' else ''}{sql}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


class TestNamedRaters:
    def test_only_those_named_are_given_work(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project)
        save_plan(project=project, sharing=NAMED, raters=[wish(annotators[0], takes_part=True)])
        assert [len(hand_out(rater=rater)) for rater in annotators] == [1, 0, 0]
        assert [count_questions_left(rater=rater) for rater in annotators] == [1, 0, 0]

    def test_a_part_goes_from_its_first_question_to_its_last(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(5):
            make_question(project=project)
        parts = [
            wish(annotators[0], takes_part=True, first_question=2, last_question=3),
            wish(annotators[1], takes_part=True, first_question=4),
            wish(annotators[2], takes_part=True),
        ]
        save_plan(project=project, sharing=NAMED, raters=parts)
        assert [questions_of(rater) for rater in annotators] == [[1, 2], [3, 4], [0, 1, 2, 3, 4]]

    def test_a_plan_that_names_nobody_is_refused(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        with pytest.raises(UnusablePlan, match="at least one annotator"):
            save_plan(project=project, sharing=NAMED, raters=[wish(annotators[0])])
        assert not WorkPlan.objects.exists()

    def test_a_part_can_be_judged_by_another_beside_their_own(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(5):
            make_question(project=project, answers=1)
        first, second, third = annotators
        parts = [
            wish(first, takes_part=True, first_question=1, last_question=2, stand_in=second.public_id),
            wish(second, takes_part=True, first_question=4, last_question=4),
            wish(third, takes_part=True),
        ]
        save_plan(project=project, sharing=NAMED, raters=parts)
        assert [questions_of(rater) for rater in annotators] == [[], [0, 1, 3], [0, 1, 2, 3, 4]]
        gap = find_gap(project=project)
        # Two raters are needed; only the third is left for two of the questions.
        assert (gap.raters_present, gap.answers) == (2, 2)

    def test_who_stands_in_need_not_have_a_part(self, project: Project, annotators: list[Membership]) -> None:
        for _ in range(5):
            make_question(project=project, answers=1)
        first, second, _ = annotators
        whole = wish(first, takes_part=True, stand_in=second.public_id)
        save_plan(project=project, sharing=NAMED, raters=[whole])
        assert [questions_of(rater) for rater in annotators] == [[], [0, 1, 2, 3, 4], []]

    def test_parts_are_not_handed_on_twice_or_to_oneself(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        first, second, third = annotators
        to_second = wish(first, takes_part=True, stand_in=second.public_id)
        for other, words in (
            (wish(second, takes_part=True, stand_in=third.public_id), "cannot have a replacement"),
            (wish(third, takes_part=True, stand_in=third.public_id), "Choose another annotator"),
        ):
            with pytest.raises(UnusablePlan, match=words):
                save_plan(project=project, sharing=NAMED, raters=[to_second, other])

    def test_foreign_members_cannot_be_named(self, project: Project) -> None:
        stranger = make_member(project=make_project(slug="foreign"))
        with pytest.raises(MemberNotFound):
            save_plan(project=project, sharing=NAMED, raters=[wish(stranger, takes_part=True)])

    def test_nor_can_they_stand_in(self, project: Project, annotators: list[Membership]) -> None:
        stranger = make_member(project=make_project(slug="foreign"))
        named = wish(annotators[0], takes_part=True, stand_in=stranger.public_id)
        with pytest.raises(MemberNotFound):
            save_plan(project=project, sharing=NAMED, raters=[named])


class TestShares:
    @pytest.fixture
    def many(self, project: Project) -> Project:
        for _ in range(200):
            make_question(project=project, answers=1)
        return project

    def test_votes_come_in_the_proportion_asked_for(
        self, many: Project, annotators: list[Membership]
    ) -> None:
        shares = [wish(rater, share=share) for rater, share in zip(annotators, (50, 30, 20), strict=True)]
        save_plan(project=many, sharing=SHARES, raters=shares)
        own = [len(questions_of(rater)) for rater in annotators]
        # 200 answers with two votes each: half, three and two tenths of 400.
        assert own == pytest.approx([200, 120, 80], abs=12)
        assert sum(own) == 400

    def test_every_question_is_the_share_of_as_many_raters_as_it_needs(
        self, many: Project, annotators: list[Membership]
    ) -> None:
        shares = [wish(rater, share=share) for rater, share in zip(annotators, (2, 2, 3), strict=True)]
        save_plan(project=many, sharing=SHARES, raters=shares)
        raters = Counter(place for rater in annotators for place in questions_of(rater))
        assert set(raters.values()) == {2}
        assert len(raters) == 200

    def test_the_seed_decides_which_questions_are_whose(
        self, many: Project, annotators: list[Membership]
    ) -> None:
        save_plan(project=many, sharing=SHARES, raters=[wish(rater, share=1) for rater in annotators])
        before = questions_of(annotators[0])
        assert before == questions_of(annotators[0])
        many.seed = annotators[0].project.seed = 2
        many.save()
        assert questions_of(annotators[0]) != before

    def test_without_a_share_there_is_no_work(self, many: Project, annotators: list[Membership]) -> None:
        save_plan(project=many, sharing=SHARES, raters=[wish(annotators[0], share=1)])
        assert hand_out(rater=annotators[1]) == []

    def test_the_share_of_somebody_paused_goes_to_the_others(
        self, many: Project, annotators: list[Membership]
    ) -> None:
        save_plan(project=many, sharing=SHARES, raters=[wish(rater, share=1) for rater in annotators])
        assert len(questions_of(annotators[0])) < 200
        change_member(project=many, public_id=annotators[2].public_id, state="paused")
        assert len(questions_of(annotators[0])) == 200

    def test_all_slots_are_filled_whatever_the_shares(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(12):
            make_question(project=project, answers=1)
        shares = [wish(rater, share=share) for rater, share in zip(annotators, (8, 1, 1), strict=True)]
        save_plan(project=project, sharing=SHARES, raters=shares)
        work_until_nothing_is_left(annotators)
        assert set(Candidate.objects.values_list("state", "taken")) == {("decided", 2)}

    def test_a_third_vote_is_anybodys(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project, answers=1)
        save_plan(project=project, sharing=SHARES, raters=[wish(rater, share=1) for rater in annotators])
        first = [rater for rater in annotators if open_candidates(rater=rater).exists()]
        judge_next(first[0], "correct")
        judge_next(first[1], "incorrect")
        (third,) = [rater for rater in annotators if rater not in first]
        assert len(hand_out(rater=third)) == 1


class TestLimits:
    def test_nobody_gets_more_answers_than_the_plan_allows(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(3):
            make_question(project=project, answers=2)
        save_plan(project=project, raters=[wish(annotators[0], answers_at_most=3)])
        sizes = [judge_next(annotators[0]).assignments.count() for _ in range(2)]
        assert sizes == [2, 1]
        assert hand_out(rater=annotators[0]) == []
        assert len(hand_out(rater=annotators[1])) == 1

    def test_a_question_begun_is_finished_at_the_limit_of_questions(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        assert project.protocol is not None
        project.protocol.spec["sheet_size"] = 2
        project.protocol.save()
        annotators[0].project.protocol.refresh_from_db()
        for _ in range(2):
            make_question(project=project, answers=3)
        save_plan(project=project, raters=[wish(annotators[0], questions_at_most=1)])
        work_until_nothing_is_left(annotators[:1])
        assert Assignment.objects.filter(state="done").values("candidate__question").distinct().count() == 1
        assert Assignment.objects.filter(state="done").count() == 3


class TestOrder:
    def test_what_is_chosen_goes_first_then_what_others_have_begun(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        questions = [make_question(project=project) for _ in range(5)]
        Question.objects.filter(pk=questions[4].pk).update(external_id="late")
        Question.objects.filter(pk=questions[2].pk).update(tags=["hard"])
        hand_out(rater=annotators[1], only_question=questions[3])
        save_plan(project=project, goes_first=["late", " hard "])
        assert questions_of(annotators[0]) == [4, 2, 3, 0, 1]

    def test_an_order_by_seed_is_always_the_same_and_not_the_imported_one(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(20):
            make_question(project=project)
        save_plan(project=project, order=WorkPlan.Order.SEED)
        order = questions_of(annotators[0])
        assert order == questions_of(annotators[1])
        assert sorted(order) == list(range(20)) != order

    def test_a_line_that_names_no_question_is_refused(self, project: Project) -> None:
        make_question(project=project)
        with pytest.raises(UnusablePlan, match="nonsense"):
            save_plan(project=project, goes_first=["nonsense"])
        assert not WorkPlan.objects.exists()

    def test_questions_that_come_later_find_their_place(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        Question.objects.filter(pk=make_question(project=project).pk).update(dataset="nq")
        save_plan(project=project, goes_first=["nq"])
        make_question(project=project)
        Question.objects.filter(pk=make_question(project=project).pk).update(dataset="nq")
        renew_priorities(project_id=project.pk)
        assert questions_of(annotators[0]) == [0, 2, 1]


class TestGap:
    def test_answers_that_too_few_raters_may_judge_are_counted(self, project: Project) -> None:
        make_question(project=project, answers=4)
        make_member(project=project)
        assert find_gap(project=project) == (2, 1, 4)

    def test_with_enough_raters_nothing_waits(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project)
        judge_next(annotators[0])
        assert find_gap(project=project) == (2, 3, 0)

    def test_where_one_rater_is_asked_first_one_is_needed(self, project: Project) -> None:
        make_question(project=project, answers=4)
        make_member(project=project)
        project.starts_with_one = True
        project.save()
        assert find_gap(project=project).raters_needed == 1

    def test_a_part_that_one_rater_has_waits_for_a_second(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(3):
            make_question(project=project)
        parts = [wish(annotators[0], takes_part=True), wish(annotators[1], takes_part=True, last_question=1)]
        save_plan(project=project, sharing=NAMED, raters=parts)
        assert find_gap(project=project) == (2, 2, 4)

    def test_who_has_reached_a_limit_is_no_longer_counted(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        make_question(project=project)
        save_plan(project=project, raters=[wish(rater, questions_at_most=1) for rater in annotators])
        judge_next(annotators[0])
        assert find_gap(project=project).raters_present == 2

    def test_what_the_plan_leaves_to_nobody_comes_to_the_lead(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=1)
        save_plan(project=project, sharing=NAMED, raters=[wish(annotators[0], takes_part=True)])
        judge_next(annotators[0])
        assert count_waiting(project=project) == 1

    @pytest.mark.parametrize(
        ("present", "answers", "words"),
        [
            (2, 140, "140 answers will wait: each needs 3 annotators, but only 2 are available."),
            (0, 1, "1 answer needs 3 annotators. Nobody is available yet."),
            (0, 1200, "1,200 answers need 3 annotators each. Nobody is available yet."),
            (3, 0, ""),
        ],
    )
    def test_it_is_said_plainly(self, present: int, answers: int, words: str) -> None:
        assert shortage_words(raters_needed=3, raters_present=present, answers=answers) == words


def at_work(project: Project) -> list[str]:
    return [row.member_id for row in list_raters_at_work(project=project)]


class TestRatersAtWork:
    def test_each_with_what_is_held_done_and_left(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for _ in range(3):
            make_question(project=project)
        judge_next(annotators[0])
        hand_out(rater=annotators[0])
        save_plan(project=project, raters=[wish(annotators[1], answers_at_most=5)])
        rows = list_raters_at_work(project=project)
        figures = [
            (row.open_sheets, row.judged_answers, row.judged_questions, row.left_answers) for row in rows
        ]
        assert figures == [(1, 2, 1, 2), (0, 0, 0, 5), (0, 0, 0, 6)]

    def test_whoever_left_with_a_part_stays_until_it_is_somebody_elses(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        parts = [wish(rater, takes_part=True) for rater in annotators[:2]]
        save_plan(project=project, sharing=NAMED, raters=parts)
        Membership.objects.filter(pk__in=[annotators[0].pk, annotators[2].pk]).update(state="left")
        assert at_work(project) == [rater.public_id for rater in annotators[:2]]
        save_plan(project=project, sharing=NAMED, raters=parts[1:])
        assert at_work(project) == [annotators[1].public_id]


class TestApi:
    def test_a_lead_saves_and_reads_the_plan(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project)
        lead = ClientOf(project.created_by)
        body = {
            "sharing": "named",
            "order": "seed",
            "goes_first": [],
            "raters": [{"member_id": annotators[0].public_id, "takes_part": True, "answers_at_most": 9}],
        }
        assert lead.put("/api/projects/small/work", body, format="json").status_code == 200
        told = lead.get("/api/projects/small/work").json()
        assert (told["sharing"], told["order"], told["questions"]) == ("named", "seed", 1)
        assert "2 answers will wait: each needs 2 annotators, but only 1 is available." in told["shortage"]
        assert [rater["takes_part"] for rater in told["raters"]] == [True, False, False]
        assert told["raters"][0]["answers_at_most"] == 9

    def test_what_cannot_be_is_named(self, project: Project, annotators: list[Membership]) -> None:
        body = {"sharing": "shares", "order": "seed", "raters": []}
        reply = ClientOf(project.created_by).put("/api/projects/small/work", body, format="json")
        assert reply.status_code == 400
        assert reply.json()["error"]["details"]["fields"]["raters"] == [
            "Give at least one annotator a share above 0."
        ]
