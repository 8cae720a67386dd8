from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import CALLED_BACK, SENT_BACK, TAKEN_BACK, SendBackRefusal
from annotation.adjudication.selectors.dossier import get_dossier, send_back_refusals
from annotation.adjudication.selectors.queue import read_queue
from annotation.adjudication.services.deciding import (
    DecidedMeanwhile,
    InRatersHands,
    NotSentBack,
    UnusableDecision,
    decide_answer,
    decide_answers,
    reopen_answer,
    send_answers_back,
    send_back,
    take_back,
)
from annotation.assignments.models import Assignment
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment, undo_submit
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import change_member
from annotation.projects.services.protocols import set_protocol
from common.clock import now
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_member, make_project

Client = Callable[[User], Any]
YES, NO = "correct", "incorrect"
LABELS = [
    {"key": YES, "name": "Correct", "credit": "definite"},
    {"key": NO, "name": "Incorrect", "credit": "none"},
    {"key": "unclear", "name": "Unclear", "credit": "possible"},
]
SPEC: dict[str, Any] = {
    "preset": "own",
    "labels": LABELS,
    "decision_rule": "majority",
    "raters_per_answer": 2,
    "tie_break": "lead",
    "sheet_size": 20,
}


class Bench:
    """A project with one answer, raters who vote on it in turn, and a lead who sends it back."""

    def __init__(self, *, raters: int, **spec: Any) -> None:
        self.project = make_project(slug="bench")
        set_protocol(project=self.project, spec={**SPEC, **spec})
        self.project = Project.objects.select_related("protocol").get(pk=self.project.pk)
        self.raters = [make_member(project=self.project) for _ in range(raters)]
        (self.answer,) = make_answers(project=self.project, question="capital of france", texts=["Paris"])
        self.lead = self.project.created_by

    def votes(self, *labels: str) -> "Bench":
        """Let the raters who have not voted yet vote in turn."""
        done = Judgment.objects.filter(candidate=self.answer).values_list("rater", flat=True)
        waiting = [rater for rater in self.raters if rater.pk not in done]
        for rater, label in zip(waiting, labels, strict=False):
            vote(rater=rater, labels={"Paris": label})
        return self

    def send(self, reason: str = "please look it up", **more: Any) -> Decision:
        return send_back(
            project=self.project, candidate_id=self.answer.public_id, by=self.lead, reason=reason, **more
        )

    def call_back(self) -> None:
        take_back(project=self.project, by=self.lead, answer=self.answer.public_id)

    def edit(self, rater: Membership, label: str) -> None:
        judgment = Judgment.objects.get(rater=rater, candidate=self.answer)
        edit_judgment(
            rater=Membership.objects.select_related("project__protocol", "user").get(pk=rater.pk),
            sheet_id=judgment.assignment.sheet.public_id,
            given=AnswerGiven(id=self.answer.public_id, label=label),
            seen_at=judgment.judged_at,
        )

    @property
    def standing(self) -> tuple[str, str]:
        """The answer's state, and what it stands decided to be."""
        self.answer.refresh_from_db()
        current = self.answer.decisions.in_force().first()
        return (self.answer.state, current.label if current else "")

    @property
    def slots(self) -> tuple[int, int]:
        self.answer.refresh_from_db()
        return (self.answer.wanted, self.answer.taken)

    @property
    def rules(self) -> list[str]:
        return list(self.answer.decisions.order_by("number").values_list("rule", flat=True))

    @property
    def refusal(self) -> SendBackRefusal | None:
        self.answer.refresh_from_db()
        found = send_back_refusals(project=self.project, candidates=[self.answer]).get(self.answer.pk)
        told = get_dossier(project=self.project, public_id=self.answer.public_id).send_back_refusal
        assert told == (found.words if found else "")
        return found


@pytest.mark.django_db
class TestSendBack:
    def test_one_more_rater_is_asked_and_the_majority_of_all_decides(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        assert bench.standing == ("disputed", "")
        bench.send()
        assert (bench.standing, bench.slots) == (("open", ""), (3, 2))
        assert read_queue(project=bench.project).items == []
        bench.votes(NO)
        assert bench.standing == ("decided", NO)

    def test_the_history_says_by_whom_and_why(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        bench.send("  the map shows it  ")
        (row,) = get_dossier(project=bench.project, public_id=bench.answer.public_id).history
        assert (row.rule, row.reason, row.by, row.label) == (
            SENT_BACK,
            "the map shows it",
            bench.lead.name,
            "",
        )

    def test_it_comes_back_to_the_queue_as_disputed_and_can_go_again(self) -> None:
        bench = Bench(raters=4).votes(YES, NO)
        bench.send()
        bench.votes("unclear")
        assert [item.reason for item in read_queue(project=bench.project).items] == ["disputed"]
        bench.send()
        bench.votes(NO)
        assert bench.standing == ("disputed", "")
        assert bench.slots == (4, 4)

    def test_what_came_back_disputed_still_follows_an_edited_vote(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        bench.send()
        bench.votes("unclear")
        bench.edit(bench.raters[0], NO)
        assert bench.standing == ("decided", NO)

    def test_what_votes_decided_is_open_until_one_more_was_heard(self) -> None:
        bench = Bench(raters=3).votes(YES, YES)
        assert bench.refusal is None
        bench.send()
        assert bench.standing == ("open", "")
        bench.votes(NO)
        assert bench.standing == ("decided", YES)
        assert Judgment.objects.filter(candidate=bench.answer, state="counted").count() == 3
        assert bench.rules == ["unanimous", SENT_BACK, "majority"]

    def test_agreement_of_the_first_two_does_not_set_the_further_vote_aside(self) -> None:
        bench = Bench(raters=4, tie_break="third_rater").votes(YES, NO, "unclear")
        bench.send()
        bench.edit(bench.raters[1], YES)
        assert bench.standing == ("open", "")
        bench.votes(NO)
        assert bench.standing == ("disputed", "")
        assert Judgment.objects.filter(candidate=bench.answer, state="counted").count() == 4

    def test_a_withdrawn_decision_is_in_the_votes_hands_again(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        chosen = {"project": bench.project, "candidate_id": bench.answer.public_id, "by": bench.lead}
        decide_answer(**chosen, label=YES, reason="obvious")
        assert bench.refusal is SendBackRefusal.NOT_BY_VOTES
        reopen_answer(**chosen, reason="not so obvious")
        bench.send()
        bench.votes(NO)
        assert bench.standing == ("decided", NO)

    def test_a_person_may_decide_it_meanwhile_and_the_late_vote_changes_nothing(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        bench.send()
        (sheet,) = hand_out(rater=bench.raters[2])
        decide_answer(
            project=bench.project,
            candidate_id=bench.answer.public_id,
            by=bench.lead,
            label=YES,
            reason="obvious",
        )
        vote(rater=bench.raters[2], labels={"Paris": NO})
        assert bench.standing == ("decided", YES)
        assert Judgment.objects.get(assignment__sheet=sheet).state == Judgment.State.SURPLUS

    def test_whoever_marked_it_for_a_common_decision_is_told(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        bench.send()
        with pytest.raises(DecidedMeanwhile):
            decide_answers(
                project=bench.project,
                seen_numbers={bench.answer.public_id: 0},
                by=bench.lead,
                label=YES,
                reason="obvious",
            )

    def test_who_looked_at_something_older_is_told(self) -> None:
        bench = Bench(raters=3).votes(YES, YES)
        with pytest.raises(DecidedMeanwhile):
            bench.send(seen_number=0)
        assert bench.standing == ("decided", YES)

    def test_a_vote_taken_back_is_asked_for_again_beside_the_further_one(self) -> None:
        bench = Bench(raters=4).votes(YES, NO)
        bench.send()
        bench.votes(NO)
        assert bench.standing == ("decided", NO)
        undo_submit(rater=bench.raters[2])
        assert bench.standing == ("open", "")
        vote(rater=bench.raters[2], labels={"Paris": YES})
        assert bench.standing == ("decided", YES)

    def test_reason_is_needed(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        with pytest.raises(UnusableDecision) as refusal:
            bench.send("  ")
        assert list(refusal.value.details["fields"]) == ["reason"]

    def test_the_database_refuses_one_without_a_name_or_a_reason(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        row = {"candidate": bench.answer, "number": 1, "rule": SENT_BACK, "source": "adjudicated"}
        row |= {"decided_at": now(), "is_reopening": True, "decided_by": bench.lead, "reason": "why"}
        for lack in ({"decided_by": None}, {"reason": ""}, {"is_reopening": False}, {"label": YES}):
            with pytest.raises(IntegrityError), transaction.atomic():
                Decision.objects.create(**{**row, **lack})


@pytest.mark.django_db
class TestSendAnswersBack:
    """Several at once: all of them or none."""

    @pytest.fixture
    def bench(self) -> Bench:
        """Return one whose raters differ on two of three answers."""
        bench = Bench(raters=3)
        made = make_answers(project=bench.project, question="largest ocean", texts=["Pacific", "Arctic"])
        for rater, label in zip(bench.raters[:2], (YES, NO), strict=True):
            vote(rater=rater, labels={"Paris": label})
            vote(rater=rater, labels={"Pacific": label, "Arctic": NO})
        assert len(made) == 2
        return bench

    def send(self, bench: Bench, *texts: str, **more: Any) -> str:
        chosen = Candidate.objects.filter(project=bench.project, text__in=texts)
        seen = Decision.objects.last_numbers(chosen)
        numbers = {each.public_id: seen.get(each.pk, 0) for each in chosen}
        wish = {"reason": "look it up", "seen_numbers": numbers, **more}
        return send_answers_back(project=bench.project, by=bench.lead, **wish)

    def test_all_go_and_are_called_back_together(self, bench: Bench) -> None:
        group = self.send(bench, "Paris", "Pacific")
        sent = Candidate.objects.filter(text__in=["Paris", "Pacific"])
        assert set(sent.values_list("state", "wanted", "least_votes")) == {("open", 3, 3)}
        rows = Decision.objects.filter(rule="sent_back")
        assert set(rows.values_list("candidate__text", "reason", "group")) == {
            ("Paris", "look it up", group),
            ("Pacific", "look it up", group),
        }
        taken = take_back(project=bench.project, by=bench.lead, group=group)
        assert (len(taken.answers), taken.begun) == (2, [])
        assert set(sent.values_list("state", flat=True)) == {"disputed"}

    def test_what_a_rater_was_given_meanwhile_stays_and_is_named(self, bench: Bench) -> None:
        group = self.send(bench, "Paris", "Pacific")
        (sheet,) = hand_out(rater=bench.raters[2])
        (begun,) = Candidate.objects.filter(assignments__sheet=sheet, least_votes=3)
        (other,) = Candidate.objects.filter(least_votes=3).exclude(pk=begun.pk)
        taken = take_back(project=bench.project, by=bench.lead, group=group)
        assert taken == ([other.public_id], [begun.public_id])
        begun.refresh_from_db()
        other.refresh_from_db()
        assert (begun.state, other.state) == ("open", "disputed")
        with pytest.raises(InRatersHands, match="An annotator already has this answer") as refusal:
            take_back(project=bench.project, by=bench.lead, group=group)
        assert refusal.value.details == {"answers": [begun.public_id]}

    @pytest.mark.parametrize("act", ["send", "take back"])
    def test_queries_are_as_many_however_many_answers(self, act: str) -> None:
        bench = Bench(raters=3)
        texts = [f"answer {number}" for number in range(9)]
        for text in texts:
            make_answers(project=bench.project, question=f"about {text}", texts=[text])
        for _ in [*texts, "Paris"]:
            for rater, label in zip(bench.raters[:2], (YES, NO), strict=True):
                vote(rater=rater, labels=dict.fromkeys([*texts, "Paris"], label))

        def count(*chosen: str) -> int:
            if act == "send":
                with CaptureQueriesContext(connection) as asked:
                    self.send(bench, *chosen)
            else:
                group = self.send(bench, *chosen)
                with CaptureQueriesContext(connection) as asked:
                    take_back(project=bench.project, by=bench.lead, group=group)
            return len(asked)

        assert count(*texts[:1]) == count(*texts[1:])

    def test_one_that_cannot_go_keeps_all_and_is_named(self, bench: Bench) -> None:
        decide_answer(
            project=bench.project,
            candidate_id=Candidate.objects.get(text="Pacific").public_id,
            by=bench.lead,
            label=YES,
            reason="seen",
        )
        before = list(Candidate.objects.values()), Decision.objects.count()
        with pytest.raises(NotSentBack) as refusal:
            self.send(bench, "Paris", "Pacific")
        assert before == (list(Candidate.objects.values()), Decision.objects.count())
        assert refusal.value.error_code == "not_by_votes"
        assert "because “Pacific” cannot be sent back." in refusal.value.message
        assert refusal.value.details == {"answers": [Candidate.objects.get(text="Pacific").public_id]}

    def test_what_was_decided_meanwhile_keeps_all(self, bench: Bench) -> None:
        numbers = {each.public_id: 7 for each in Candidate.objects.filter(text="Paris")}
        with pytest.raises(DecidedMeanwhile, match="none were sent back"):
            self.send(bench, seen_numbers=numbers)

    @pytest.mark.parametrize("wish", [{"reason": " "}, {"seen_numbers": {}}])
    def test_needs_a_reason_and_answers(self, bench: Bench, wish: dict[str, Any]) -> None:
        with pytest.raises(UnusableDecision):
            self.send(bench, "Paris", **wish)

    def test_is_one_request(self, bench: Bench, client_of: Client) -> None:
        ids = Candidate.objects.filter(text__in=["Paris", "Pacific"]).values_list("public_id", flat=True)
        body = {"answers": [{"id": each, "seen_number": 0} for each in ids], "reason": "look it up"}
        client = client_of(bench.lead)
        reply = client.post("/api/projects/bench/queue/send-back", body, format="json")
        assert (reply.status_code, reply.json()["sent_back"]) == (200, 2)
        again = client.post("/api/projects/bench/queue/send-back", body, format="json")
        assert (again.status_code, again.json()["error"]["code"]) == (409, "decided_meanwhile")


@pytest.mark.django_db
class TestRefusals:
    def refused(self, bench: Bench) -> str:
        before = list(Candidate.objects.values()), Decision.objects.count()
        with pytest.raises(NotSentBack) as refusal:
            bench.send()
        assert before == (list(Candidate.objects.values()), Decision.objects.count())
        assert bench.refusal == refusal.value.error_code
        assert refusal.value.message == SendBackRefusal(refusal.value.error_code).words
        return refusal.value.error_code

    def test_everybody_has_judged_it(self) -> None:
        assert self.refused(Bench(raters=2).votes(YES, NO)) == "no_rater_left"

    def test_whoever_is_left_is_paused_or_has_seen_systems(self) -> None:
        bench = Bench(raters=4).votes(YES, NO)
        change_member(project=bench.project, public_id=bench.raters[2].public_id, state="paused")
        Membership.objects.filter(pk=bench.raters[3].pk).update(unblinded_at=now())
        assert self.refused(bench) == "no_rater_left"

    def test_the_protocols_maximum_is_reached(self) -> None:
        bench = Bench(raters=5, tie_break="more_raters", most_raters=3).votes(YES, NO, "unclear")
        assert self.refused(bench) == "most_raters_reached"

    def test_raters_are_at_it_still(self) -> None:
        assert self.refused(Bench(raters=3).votes(YES)) == "not_waiting"

    def test_it_was_sent_back_a_moment_ago(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        bench.send()
        assert self.refused(bench) == "not_waiting"

    def test_the_rule_reads_a_fixed_number_of_votes(self) -> None:
        labels = [
            {"key": "yes", "name": "Yes", "credit": "definite"},
            {"key": "maybe", "name": "Maybe", "credit": "possible"},
            {"key": "no", "name": "No", "credit": "none"},
        ]
        bench = Bench(raters=4, raters_per_answer=3, decision_rule="two_of_three", labels=labels)
        bench.votes("yes", "yes", "no")
        assert self.refused(bench) == "fixed_votes"


@pytest.mark.django_db
class TestCallBack:
    def test_what_stood_before_stands_again(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        bench.send()
        bench.call_back()
        assert (bench.standing, bench.slots) == (("disputed", ""), (2, 2))
        assert [item.reason for item in read_queue(project=bench.project).items] == ["disputed"]
        assert bench.rules == [SENT_BACK, CALLED_BACK]

    def test_what_votes_had_decided_is_decided_again(self) -> None:
        bench = Bench(raters=3).votes(YES, YES)
        bench.send()
        bench.call_back()
        assert (bench.standing, bench.slots) == (("decided", YES), (2, 2))

    def test_votes_that_changed_meanwhile_speak(self) -> None:
        bench = Bench(raters=3).votes(YES, YES)
        bench.send()
        bench.edit(bench.raters[0], NO)
        bench.call_back()
        assert bench.standing == ("disputed", "")

    def test_a_withdrawn_decision_waits_for_a_person_again(self) -> None:
        bench = Bench(raters=3).votes(YES, YES)
        reopen_answer(
            project=bench.project, candidate_id=bench.answer.public_id, by=bench.lead, reason="really?"
        )
        bench.send()
        bench.call_back()
        assert bench.standing == ("disputed", "")
        assert bench.rules[-1] == TAKEN_BACK

    def test_after_the_second_time_the_first_further_vote_still_counts(self) -> None:
        bench = Bench(raters=4).votes(YES, NO)
        bench.send()
        bench.votes("unclear")
        bench.send()
        bench.call_back()
        bench.edit(bench.raters[1], YES)
        assert bench.standing == ("decided", YES)
        assert Judgment.objects.filter(candidate=bench.answer, state="counted").count() == 3

    def test_the_second_time_in_vain_leaves_no_trace_in_the_rule(self) -> None:
        bench = Bench(raters=3).votes(YES, YES)
        for _ in range(2):
            bench.send()
            bench.call_back()
        assert bench.standing == ("decided", YES)
        bench.answer.refresh_from_db()
        assert bench.answer.least_votes == 0

    def test_is_refused_once_a_rater_has_it(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        bench.send()
        hand_out(rater=bench.raters[2])
        with pytest.raises(InRatersHands):
            bench.call_back()
        assert bench.standing == ("open", "")


@pytest.mark.django_db
class TestOtherProtocols:
    def test_with_more_raters_the_next_vote_is_asked_for_as_before(self) -> None:
        bench = Bench(raters=5, tie_break="more_raters", most_raters=5).votes(YES, YES)
        bench.send()
        bench.votes(NO)
        assert bench.standing == ("decided", YES)
        bench.send()
        bench.votes(NO)
        assert (bench.standing, bench.slots) == (("open", ""), (5, 4))
        bench.votes(NO)
        assert bench.standing == ("decided", NO)

    def test_more_raters_for_all_take_in_the_further_vote(self) -> None:
        bench = Bench(raters=4).votes(YES, NO)
        bench.send()
        bench.votes(NO)
        set_protocol(project=bench.project, spec={**SPEC, "raters_per_answer": 4})
        assert (bench.standing, bench.slots) == (("open", ""), (4, 3))
        bench.votes(NO)
        assert bench.standing == ("decided", NO)

    def test_fewer_raters_do_not_take_the_further_vote_away(self) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        bench.send()
        set_protocol(project=bench.project, spec={**SPEC, "raters_per_answer": 1})
        assert bench.standing == ("open", "")
        bench.votes(NO)
        assert bench.standing == ("decided", NO)


@pytest.mark.django_db
class TestBlindness:
    def test_the_sheet_is_like_any_other(self, client_of: Client) -> None:
        bench = Bench(raters=3, fill_tie_break_sheets=True)
        question = bench.answer.question
        Candidate.objects.create(
            question=question,
            project=bench.project,
            data_import=question.data_import,
            text="Lyon",
            pool_hash="f" * 64,
            state=Candidate.State.OPEN,
            wanted=2,
        )
        address = f"/api/projects/{bench.project.slug}/sheets/next"
        ordinary = client_of(bench.raters[0].user).post(address).json()
        for rater in bench.raters[:2]:
            vote(rater=rater, labels={"Paris": YES if rater == bench.raters[0] else NO, "Lyon": NO})
        bench.send()
        sheet = client_of(bench.raters[2].user).post(address).json()
        assert sheet["sheets"]
        assert shape_of(sheet) == shape_of(ordinary)
        assert "sent" not in str(sheet)
        assert set(Assignment.objects.filter(rater=bench.raters[2]).values_list("state", flat=True)) == {
            "live",
            "filler",
        }

    def test_those_who_judged_it_read_nothing_of_it(self, client_of: Client) -> None:
        bench = Bench(raters=3, decisions_shown=True).votes(YES, NO)
        address = f"/api/projects/{bench.project.slug}/judged"
        before = client_of(bench.raters[0].user).get(address).json()
        bench.send()
        assert client_of(bench.raters[0].user).get(address).json() == before


def shape_of(value: Any) -> Any:
    """Return what fields a reply has, and of which type."""
    if isinstance(value, dict):
        return {key: shape_of(each) for key, each in value.items()}
    if isinstance(value, list):
        return [shape_of(each) for each in value]
    return type(value).__name__


@pytest.mark.django_db
class TestApi:
    def test_sends_back_and_says_so(self, client_of: Client) -> None:
        bench = Bench(raters=3).votes(YES, NO)
        client = client_of(bench.lead)
        address = f"/api/projects/{bench.project.slug}/answers/{bench.answer.public_id}/send-back"
        assert client.post(address, {"reason": ""}, format="json").status_code == 400
        reply = client.post(address, {"reason": "look it up", "seen_number": 0}, format="json")
        assert reply.status_code == 200
        assert reply.json()["state"] == "open"
        assert reply.json()["history"][0]["rule"] == "sent_back"
        again = client.post(address, {"reason": "look it up"}, format="json")
        assert (again.status_code, again.json()["error"]["code"]) == (409, "not_waiting")
        back = client.post(
            f"/api/projects/{bench.project.slug}/queue/take-back",
            {"answer": bench.answer.public_id},
            format="json",
        )
        assert back.json()["answers"] == [bench.answer.public_id]
        assert bench.standing == ("disputed", "")
