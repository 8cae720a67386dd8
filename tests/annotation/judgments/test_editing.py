"""Changing one's mind about an answer, until a person has decided it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import DecidedByPerson, decide_answer, reopen_answer
from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.services.handing_out import NotHandedOut, hand_out
from annotation.assignments.services.slots import release_slots
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.selectors import JudgmentNotFound, past_sheets, view_past
from annotation.judgments.services.revising import JudgmentChanged, UnusableEdit, edit_judgment, undo_submit
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import unread_guidelines
from annotation.projects.services.members import change_member
from annotation.projects.services.protocols import read_guidelines
from tests.annotation.assignments.factories import judge, judge_next, make_question, one_candidate
from tests.annotation.judgments.test_services import LABELS_WITH_CANNOT_JUDGE, change_protocol
from tests.conftest import ClientOf
from tests.factories import make_member

EVENING = datetime(2030, 3, 1, 20, tzinfo=UTC)


def vote_of(rater: Membership) -> Judgment:
    return Judgment.objects.get(rater=rater)


def edit(rater: Membership, label: str, **said: Any) -> Judgment:
    """Change the rater's one judgment."""
    judgment = vote_of(rater)
    seen_at = said.pop("seen_at", judgment.judged_at)
    return edit_judgment(
        rater=rater,
        sheet_id=judgment.assignment.sheet.public_id,
        given=AnswerGiven(id=judgment.candidate.public_id, label=label, **said),
        seen_at=seen_at,
        at=EVENING,
    )


@pytest.fixture
def candidate(project: Project, annotators: list[Membership]) -> Candidate:
    """An answer that the first rater finds correct."""
    candidate = one_candidate(make_question(project=project, answers=1))
    (sheet,) = hand_out(rater=annotators[0])
    judge(sheet, "correct", seconds=8.0)
    return candidate


def state_of(candidate: Candidate) -> str:
    candidate.refresh_from_db()
    return candidate.state


class TestEditJudgment:
    def test_keeps_what_was_said_before(self, candidate: Candidate, annotators: list[Membership]) -> None:
        edit(annotators[0], "incorrect", comment="a namesake", evidence_url="https://example.org/")
        revisions = JudgmentRevision.objects.values_list("number", "action", "label", "comment", "seconds")
        assert list(revisions) == [
            (1, "submit", "correct", "", 8.0),
            (2, "edit", "incorrect", "a namesake", 8.0),
        ]
        vote = vote_of(annotators[0])
        assert (vote.label, vote.comment, vote.judged_at) == ("incorrect", "a namesake", EVENING)

    def test_the_same_again_changes_nothing(self, candidate: Candidate, annotators: list[Membership]) -> None:
        seen_at = vote_of(annotators[0]).judged_at
        for _ in range(2):
            edit(annotators[0], "incorrect", seen_at=seen_at)
        assert JudgmentRevision.objects.count() == 2

    def test_what_another_tab_changed_is_not_overwritten(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        seen_at = vote_of(annotators[0]).judged_at
        edit(annotators[0], "incorrect", comment="first")
        with pytest.raises(JudgmentChanged, match="another tab"):
            edit(annotators[0], "incorrect", comment="second", seen_at=seen_at)
        assert vote_of(annotators[0]).comment == "first"

    def test_settles_the_answer_anew(self, candidate: Candidate, annotators: list[Membership]) -> None:
        judge_next(annotators[1])
        assert state_of(candidate) == Candidate.State.DECIDED
        edit(annotators[0], "incorrect")
        assert (state_of(candidate), candidate.wanted) == (Candidate.State.OPEN, 3)
        edit(annotators[1], "incorrect")
        assert state_of(candidate) == Candidate.State.DECIDED
        assert Decision.objects.current().get(candidate=candidate).label == "incorrect"

    def test_makes_a_tie_break_that_is_needless_surplus(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        judge_next(annotators[1], "incorrect")
        judge_next(annotators[2], "incorrect")
        edit(annotators[0], "incorrect")
        assert vote_of(annotators[2]).state == Judgment.State.SURPLUS
        assert Decision.objects.current().get(candidate=candidate).source == "unanimous"

    def test_an_answer_that_waits_for_the_lead_can_be_changed(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        change_protocol(project, tie_break="lead")
        judge_next(annotators[1], "incorrect")
        assert state_of(candidate) == Candidate.State.DISPUTED
        edit(annotators[0], "incorrect")
        assert state_of(candidate) == Candidate.State.DECIDED

    def test_what_a_person_decided_is_closed_until_it_is_reopened(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        by = {"project": project, "candidate_id": candidate.public_id, "by": project.created_by}
        decide_answer(**by, label="incorrect", reason="read it up")
        with pytest.raises(DecidedByPerson, match="can no longer change your judgment"):
            edit(annotators[0], "incorrect")
        assert (vote_of(annotators[0]).label, JudgmentRevision.objects.count()) == ("correct", 1)
        reopen_answer(**by, reason="new facts")
        assert edit(annotators[0], "incorrect").label == "incorrect"

    def test_needs_what_the_label_needs(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        change_protocol(project, comment_required_for=["none"])
        read_guidelines(member=annotators[0], seen_hash=unread_guidelines(member=annotators[0]))
        with pytest.raises(UnusableEdit, match="needs a comment"):
            edit(annotators[0], "incorrect")
        with pytest.raises(UnusableEdit, match="no such label"):
            edit(annotators[0], "elephant")
        assert edit(annotators[0], "incorrect", comment="a namesake").comment == "a namesake"

    def test_nobody_changes_the_judgment_of_another(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        with pytest.raises(JudgmentNotFound):
            edit_judgment(
                rater=annotators[1],
                sheet_id=vote_of(annotators[0]).assignment.sheet.public_id,
                given=AnswerGiven(id=candidate.public_id, label="incorrect"),
                seen_at=vote_of(annotators[0]).judged_at,
            )

    def test_who_is_paused_changes_nothing(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        change_member(project=project, public_id=annotators[0].public_id, state="paused")
        annotators[0].refresh_from_db()
        with pytest.raises(NotHandedOut):
            edit(annotators[0], "incorrect")

    def test_what_was_taken_back_is_no_judgment(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        undo_submit(rater=annotators[0])
        with pytest.raises(JudgmentNotFound):
            edit(annotators[0], "incorrect")


class TestWhatIsNoVote:
    @pytest.fixture
    def known(self, candidate: Candidate, annotators: list[Membership]) -> Judgment:
        """The first rater's judgment, as if of a known answer put in unmarked."""
        judgment = vote_of(annotators[0])
        not_counted = {"purpose": Purpose.KNOWN_ANSWER, "slot": 0, "state": "surplus"}
        Assignment.objects.filter(pk=judgment.assignment_id).update(**not_counted)
        Judgment.objects.filter(pk=judgment.pk).update(**not_counted)
        release_slots(candidate_ids=[candidate.pk])
        return judgment

    def test_is_refused_as_a_vote_is_only_because_of_a_decision_made_since(
        self, project: Project, candidate: Candidate, known: Judgment, annotators: list[Membership]
    ) -> None:
        decision = {
            "project": project,
            "candidate_id": candidate.public_id,
            "by": project.created_by,
            "label": "incorrect",
            "reason": "read it up",
        }
        decide_answer(**decision, at=known.judged_at - timedelta(days=1))
        assert edit(annotators[0], "incorrect").state == Judgment.State.SURPLUS
        assert state_of(candidate) == Candidate.State.DECIDED
        decide_answer(**decision, at=EVENING + timedelta(days=1))
        with pytest.raises(DecidedByPerson):
            edit(annotators[0], "correct")

    def test_takes_no_slot_and_settles_nothing(
        self, candidate: Candidate, known: Judgment, annotators: list[Membership]
    ) -> None:
        edit(annotators[0], "incorrect")
        assert (state_of(candidate), candidate.taken) == (Candidate.State.OPEN, 0)
        assert not Decision.objects.exists()

    def test_a_silent_repeat_stands_in_the_place_of_the_first(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        first = Sheet.objects.get()
        again = Sheet.objects.get()
        again.pk, again.public_id, again.submission_key = None, "again", "again"
        again.purpose, again.closed_at = Purpose.REPEAT, EVENING
        again.save()
        assert [sheet.pk for sheet in past_sheets(rater=annotators[0])] == [again.pk]
        Sheet.objects.filter(pk=again.pk).update(state=Sheet.State.OPEN)
        assert first not in past_sheets(rater=annotators[0])


class TestSlots:
    @pytest.fixture(autouse=True)
    def with_cannot_judge(self, project: Project) -> None:
        change_protocol(project, labels=LABELS_WITH_CANNOT_JUDGE, raters_per_answer=1)

    def test_who_cannot_judge_after_all_passes_the_slot_on(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        edit(annotators[0], "cannot")
        assert (state_of(candidate), candidate.taken) == (Candidate.State.OPEN, 0)
        judge_next(annotators[1])
        assert state_of(candidate) == Candidate.State.DECIDED

    def test_who_can_judge_after_all_takes_a_free_slot(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        edit(annotators[0], "cannot")
        edit(annotators[0], "incorrect")
        vote = vote_of(annotators[0])
        assert (vote.state, vote.assignment.state) == (Judgment.State.COUNTED, Assignment.State.DONE)
        assert state_of(candidate) == Candidate.State.DECIDED

    def test_or_is_kept_uncounted_where_another_has_judged(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        edit(annotators[0], "cannot")
        judge_next(annotators[1])
        edit(annotators[0], "incorrect")
        assert vote_of(annotators[0]).state == Judgment.State.SURPLUS
        assert Decision.objects.current().get(candidate=candidate).label == "correct"


def decide(project: Project, candidate: Candidate, **said: Any) -> None:
    decide_answer(project=project, candidate_id=candidate.public_id, by=project.created_by, **said)


def told(rater: Membership) -> dict[str, Any]:
    """Return what the rater reads of decisions, by answer."""
    page = ClientOf(rater.user).get(f"/api/projects/{rater.project.slug}/judged").json()
    return {answer["text"]: answer["decided"] for sheet in page["sheets"] for answer in sheet["answers"]}


class TestPast:
    def test_newest_first_and_found_by_words_of_the_question(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        for text in ("Capital of France?", "Capital of Spain?", "Longest river?"):
            make_question(project=project, answers=1, text=text)
        judged = [judge_next(annotators[0]).question.text for _ in range(3)]
        judge_next(annotators[1])
        found = view_past(rater=annotators[0], sheets=past_sheets(rater=annotators[0]))
        assert [sheet.question.text for sheet in found] == judged[::-1]
        searched = past_sheets(rater=annotators[0], search="capital")
        assert {sheet.question.text for sheet in searched} == {"Capital of France?", "Capital of Spain?"}

    def test_a_question_in_hand_is_not_among_them(
        self, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        undo_submit(rater=annotators[0])
        assert not past_sheets(rater=annotators[0]).exists()

    def test_shows_nothing_of_what_became_of_a_vote(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        client = ClientOf(annotators[0].user)
        before = client.get(f"/api/projects/{project.slug}/judged").content
        judge_next(annotators[1], "incorrect")
        judge_next(annotators[2], "incorrect")
        decide_answer(
            project=project,
            candidate_id=candidate.public_id,
            by=project.created_by,
            label="incorrect",
            reason="read it up",
        )
        assert client.get(f"/api/projects/{project.slug}/judged").content == before

    def test_says_how_a_person_decided_once_the_first_raters_judged_the_question(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        change_protocol(project, decisions_shown=True)
        question = make_question(project=project, answers=2)
        judge_next(annotators[0], "correct")
        first, second = question.candidates.order_by("position")
        decide(project, first, label="incorrect", reason="read it up", is_reason_shown=True)
        assert told(annotators[0]) == {"answer 0": None, "answer 1": None}
        judge_next(annotators[1], "incorrect")
        # Although the raters differ about the other answer: when they agree must not show.
        assert told(annotators[0]) == {
            "answer 0": {"label": "incorrect", "words": "read it up"},
            "answer 1": None,
        }
        decide(project, second, label="correct", reason="between us")
        assert told(annotators[0]) == {
            "answer 0": {"label": "incorrect", "words": "read it up"},
            "answer 1": {"label": "correct", "words": ""},
        }
        change_protocol(project, decisions_shown=False)
        assert told(annotators[0]) == {"answer 0": None, "answer 1": None}

    def test_says_nothing_of_what_a_rule_decided_or_a_person_reopened(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        change_protocol(project, decisions_shown=True)
        judge_next(annotators[1])
        assert (state_of(candidate), told(annotators[0])) == ("decided", {"answer 0": None})
        decide(project, candidate, label="incorrect", reason="read it up")
        assert told(annotators[0]) == {"answer 0": {"label": "incorrect", "words": ""}}
        reopen_answer(
            project=project, candidate_id=candidate.public_id, by=project.created_by, reason="new facts"
        )
        assert told(annotators[0]) == {"answer 0": None}

    @pytest.mark.parametrize("purpose", ["repeat", "pilot", "training"])
    def test_says_nothing_beside_what_is_no_vote(
        self, project: Project, candidate: Candidate, annotators: list[Membership], purpose: str
    ) -> None:
        change_protocol(project, decisions_shown=True)
        decide(project, candidate, label="incorrect", reason="read it up")
        Judgment.objects.update(purpose=purpose, state="surplus")
        assert told(annotators[0]) == {"answer 0": None}

    def test_says_beside_a_known_answer_what_was_decided_since_as_beside_a_vote(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        change_protocol(project, decisions_shown=True)
        decide(project, candidate, label="incorrect", reason="read it up")
        Judgment.objects.update(purpose="known_answer", state="surplus")
        assert told(annotators[0]) == {"answer 0": {"label": "incorrect", "words": ""}}
        Judgment.objects.update(judged_at=EVENING)
        assert told(annotators[0]) == {"answer 0": None}

    def test_a_repeat_reads_as_the_vote_in_whose_place_it_stands(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        change_protocol(project, decisions_shown=True)
        decide(project, candidate, label="incorrect", reason="read it up")
        vote = vote_of(annotators[0])
        sheet, again = vote.assignment.sheet, vote.assignment
        sheet.pk, sheet.public_id, sheet.submission_key = None, "again", "again"
        sheet.purpose, sheet.closed_at = Purpose.REPEAT, EVENING
        sheet.save()
        again.pk, again.sheet, again.purpose = None, sheet, Purpose.REPEAT
        again.state, again.slot, again.round = Assignment.State.SURPLUS, 0, Assignment.Round.FIRST
        again.save()
        vote.pk, vote.public_id, vote.assignment, vote.purpose = None, "again", again, Purpose.REPEAT
        vote.state, vote.judged_at = Judgment.State.SURPLUS, EVENING
        vote.save()
        assert told(annotators[0]) == {"answer 0": {"label": "incorrect", "words": ""}}

    def test_says_nothing_that_was_decided_before_the_rater_judged(
        self, project: Project, candidate: Candidate, annotators: list[Membership]
    ) -> None:
        change_protocol(project, decisions_shown=True)
        decide(project, candidate, label="incorrect", reason="read it up")
        Judgment.objects.update(judged_at=EVENING)
        assert told(annotators[0]) == {"answer 0": None}

    def test_is_read_and_changed_over_http(self, project: Project, candidate: Candidate) -> None:
        rater = make_member(project=project)
        judge_next(rater)
        client = ClientOf(rater.user)
        page = client.get(f"/api/projects/{project.slug}/judged?search=question").json()
        (sheet,) = page["sheets"]
        (answer,) = sheet["answers"]
        assert (page["count"], answer["text"], answer["said"]["label"]) == (1, "answer 0", "correct")
        path = f"/api/projects/{project.slug}/judged/{sheet['id']}/answers/{answer['id']}/edit"
        body = {"label": "incorrect", "seen_at": answer["said"]["judged_at"]}
        reply = client.post(path, body, format="json")
        assert (reply.status_code, reply.json()["label"]) == (200, "incorrect")
        refused = client.post(path, {**body, "label": "correct"}, format="json")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "judgment_changed")
