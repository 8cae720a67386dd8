from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import DecidedByPerson, decide_answer
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.selectors.open_work import SheetNotFound
from annotation.assignments.services.handing_out import NotHandedOut, hand_out
from annotation.assignments.services.slots import expire_leases
from annotation.items.models import Candidate, Question
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.selectors import improper_questions
from annotation.judgments.services.recording import (
    IncompleteSheet,
    SheetChanged,
    SheetClosed,
    SubmissionKeyReused,
    SubmitOutcome,
    outcome_of,
)
from annotation.judgments.services.revising import NothingToUndo, edit_judgment, undo_submit
from annotation.judgments.services.submitting import skip_sheet, submit_sheet
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import change_member, note_opening
from annotation.projects.services.protocols import set_protocol
from tests.annotation.assignments.factories import (
    given_for,
    judge,
    judge_next,
    make_question,
    new_key,
    one_candidate,
)
from tests.factories import make_member, make_project

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = timedelta(seconds=settings.ASSAY_LEASE_SECONDS)
LABELS_WITH_CANNOT_JUDGE: list[dict[str, str]] = [
    {"key": "correct", "name": "Correct", "credit": "definite"},
    {"key": "incorrect", "name": "Incorrect", "credit": "none"},
    {"key": "cannot", "name": "Cannot judge", "credit": "missing"},
]


def change_protocol(project: Project, **changes: Any) -> None:
    assert project.protocol is not None
    set_protocol(project=project, spec={**project.protocol.spec, **changes})


class Texts:
    """The answers of a question by their texts."""

    def __init__(self, question: Question) -> None:
        self.question = question

    def of(self, *texts: str) -> QuerySet[Candidate]:
        return self.question.candidates.filter(text__in=texts)

    def given(self, *texts: str, label: str = "correct") -> list[AnswerGiven]:
        return [AnswerGiven(id=item.public_id, label=label) for item in self.of(*texts)]

    def states(self, rater: Membership) -> dict[str, str]:
        """Return what became of each answer that the rater has judged."""
        own = Judgment.objects.filter(rater=rater, candidate__question=self.question)
        return dict(own.values_list("candidate__text", "state"))

    def shown(self, sheet: Sheet) -> list[str]:
        shown = sheet.assignments.filter(state__in=("live", "filler"))
        return list(shown.values_list("candidate__text", flat=True))


def submit(sheet: Sheet, given: list[AnswerGiven], *, version: int | None, key: str = "") -> SubmitOutcome:
    """Hand in what a tab shows of a sheet, after its first lease ended."""
    return submit_sheet(
        rater=sheet.rater,
        sheet_id=sheet.public_id,
        submission_key=key or new_key(),
        answers=given,
        version=version,
        at=NOON + LEASE,
    )


def counted(candidate: Candidate) -> int:
    return candidate.judgments.filter(state=Judgment.State.COUNTED).count()


class TestSubmitSheet:
    def test_stores_a_label_for_every_answer_with_its_history(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        outcome = judge(sheet, {"answer 0": "correct", "answer 1": "incorrect"}, seconds=9.0)
        assert outcome == SubmitOutcome(2, 0, "")
        labels = dict(Judgment.objects.values_list("candidate__text", "label"))
        assert labels == {"answer 0": "correct", "answer 1": "incorrect"}
        revisions = JudgmentRevision.objects.values_list("number", "action", "seconds")
        assert list(revisions) == [(1, "submit", 4.5), (1, "submit", 4.5)]

    def test_the_same_key_again_is_the_same_act(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        first = judge(sheet, "correct", submission_key="the same key")
        second = judge(sheet, "incorrect", submission_key="the same key")
        assert first == second
        assert JudgmentRevision.objects.count() == 2
        assert set(Judgment.objects.values_list("label", flat=True)) == {"correct"}

    def test_another_request_for_a_closed_sheet_is_told_so(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        judge(sheet)
        with pytest.raises(SheetClosed, match="already submitted"):
            judge(sheet)

    def test_a_key_belongs_to_one_sheet(self, project: Project, annotators: list[Membership]) -> None:
        make_question(project=project)
        make_question(project=project)
        first, second = hand_out(rater=annotators[0], ahead=2)
        judge(first, submission_key="used before")
        with pytest.raises(SubmissionKeyReused):
            judge(second, submission_key="used before")
        assert Judgment.objects.count() == 2

    def test_nobody_hands_in_the_sheet_of_another(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        with pytest.raises(SheetNotFound):
            submit_sheet(
                rater=annotators[1],
                sheet_id=sheet.public_id,
                submission_key=new_key(),
                answers=given_for(sheet, "correct"),
            )

    def test_an_incomplete_sheet_changes_nothing(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        with pytest.raises(IncompleteSheet) as refused:
            submit_sheet(
                rater=annotators[0],
                sheet_id=sheet.public_id,
                submission_key=new_key(),
                answers=given_for(sheet, "correct")[:1],
            )
        assert "answers" in refused.value.details["fields"]
        assert not Judgment.objects.exists()
        sheet.refresh_from_db()
        assert sheet.state == Sheet.State.OPEN

    def test_two_equal_votes_decide(self, project: Project, annotators: list[Membership]) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        judge_next(annotators[0])
        judge_next(annotators[1])
        candidate.refresh_from_db()
        assert (candidate.state, candidate.taken, candidate.wanted) == (Candidate.State.DECIDED, 2, 2)

    def test_an_answer_skipped_goes_to_the_next_rater_as_a_replacement(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=["known", "unknown"])
        judge_next(annotators[0], {"known": "correct", "unknown": None})
        judge_next(annotators[1])
        (sheet,) = hand_out(rater=annotators[2])
        assignment = sheet.assignments.get()
        assert (assignment.candidate.text, assignment.slot, assignment.round) == ("unknown", 2, "replacement")

    def test_cannot_judge_is_kept_without_counting_and_goes_to_the_next_rater(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        change_protocol(project, labels=LABELS_WITH_CANNOT_JUDGE)
        candidate = one_candidate(make_question(project=project, answers=1))
        judge_next(annotators[0], "cannot")
        judge_next(annotators[1])
        judgment = Judgment.objects.get(rater=annotators[0])
        assert (judgment.label, judgment.state) == ("cannot", Judgment.State.MISSING)
        sheet = judge_next(annotators[2])
        assert sheet.assignments.get().round == Assignment.Round.REPLACEMENT
        assert counted(candidate) == 2

    def test_a_slot_is_counted_once_whatever_the_code_does(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=1)
        judge_next(annotators[0])
        judge_next(annotators[1])
        with pytest.raises(IntegrityError), transaction.atomic():
            Judgment.objects.filter(rater=annotators[1]).update(slot=1)


class TestLateSubmits:
    def late_sheet(self, rater: Membership) -> Sheet:
        (sheet,) = hand_out(rater=rater, at=NOON)
        return sheet

    def test_work_handed_in_late_counts_while_the_slot_is_free(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        sheet = self.late_sheet(annotators[0])
        hand_out(rater=annotators[1], at=NOON + LEASE)
        sheet.refresh_from_db()
        assert sheet.state == Sheet.State.EXPIRED
        assert judge(sheet, at=NOON + LEASE) == SubmitOutcome(1, 0, "")
        assert counted(candidate) == 1

    def test_work_handed_in_late_counts_where_nobody_asked_for_work_meanwhile(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        assert judge(self.late_sheet(annotators[0]), at=NOON + 9 * LEASE) == SubmitOutcome(1, 0, "")
        assert counted(candidate) == 1

    def test_where_others_were_faster_it_is_kept_as_surplus_and_said_so(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        sheet = self.late_sheet(annotators[0])
        for rater in annotators[1:]:
            (other,) = hand_out(rater=rater, at=NOON + LEASE)
            judge(other, at=NOON + LEASE)
        outcome = judge(sheet, "incorrect", at=NOON + LEASE)
        assert (outcome.counted, outcome.surplus) == (0, 1)
        assert "kept" in outcome.message
        assert counted(candidate) == 2
        assert Judgment.objects.get(rater=annotators[0]).state == Judgment.State.SURPLUS

    def test_a_sheet_that_came_back_smaller_still_takes_all_of_an_old_tabs_labels(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        question = make_question(project=project, answers=["open", "gone"])
        sheet = self.late_sheet(annotators[0])
        old_tab = given_for(sheet, "correct")
        gone = question.candidates.filter(text="gone")
        gone.update(state=Candidate.State.DECIDED)
        hand_out(rater=annotators[0], at=NOON + LEASE)
        outcome = submit_sheet(
            rater=annotators[0],
            sheet_id=sheet.public_id,
            submission_key=new_key(),
            answers=old_tab,
            at=NOON + LEASE,
        )
        assert (outcome.counted, outcome.surplus) == (1, 1)


class TestOlderVersions:
    """A tab hands in what a sheet showed before it was given anew; see `services/older_versions.py`."""

    @pytest.fixture
    def texts(self, project: Project) -> Texts:
        """Three answers: one on both versions of the sheet, one on the first, one on the second only."""
        question = make_question(project=project, answers=["both", "first", "second"])
        second = question.candidates.filter(text="second")
        second.update(state=Candidate.State.UNASKED)
        return Texts(question)

    def given_anew(self, rater: Membership, texts: Texts) -> Sheet:
        """Let the lease end and others be quicker, and give the sheet anew with other answers."""
        (sheet,) = hand_out(rater=rater, at=NOON)
        texts.of("first").update(state=Candidate.State.UNASKED)
        texts.of("second").update(state=Candidate.State.OPEN)
        (again,) = hand_out(rater=rater, at=NOON + LEASE)
        assert (again, again.version) == (sheet, 2)
        return again

    @pytest.mark.parametrize("version", [1, None])
    def test_every_label_is_kept_and_what_is_new_stays_to_be_judged(
        self, annotators: list[Membership], texts: Texts, version: int | None
    ) -> None:
        sheet = self.given_anew(annotators[0], texts)
        given = texts.given("both", "first")
        outcome = submit(sheet, given, version=version, key="first tab")
        assert (outcome.counted, outcome.surplus, outcome.came_back) == (1, 1, True)
        assert "again with other answers" in outcome.message
        assert texts.states(annotators[0]) == {"both": "counted", "first": "surplus"}
        (left,) = hand_out(rater=annotators[0], at=NOON + LEASE)
        assert texts.shown(left) == ["second"]
        again = submit(sheet, given, version=version, key="first tab")
        assert (again, JudgmentRevision.objects.count()) == (outcome, 2)

    @pytest.mark.parametrize("version", [2, None])
    def test_what_came_again_with_fewer_answers_is_kept_after_that_lease_ended_too(
        self, annotators: list[Membership], texts: Texts, version: int | None
    ) -> None:
        sheet = self.given_anew(annotators[0], texts)
        expire_leases(project_id=sheet.project_id, at=NOON + 2 * LEASE)
        outcome = submit(sheet, texts.given("both", "second"), version=version)
        assert (outcome.counted, outcome.surplus) == (2, 0)
        assert texts.states(annotators[0]) == {"both": "counted", "second": "counted"}
        sheet.refresh_from_db()
        assert sheet.state == Sheet.State.SUBMITTED

    def test_it_is_kept_where_the_other_tab_was_quicker(
        self, annotators: list[Membership], texts: Texts
    ) -> None:
        sheet = self.given_anew(annotators[0], texts)
        assert submit(sheet, texts.given("both", "second"), version=2).came_back is False
        outcome = submit(sheet, texts.given("both", "first", label="incorrect"), version=1)
        assert (outcome.counted, outcome.surplus) == (0, 1)
        assert "You had already judged 1 of this question’s answers" in outcome.message
        assert Judgment.objects.get(candidate__text="both").label == "correct"
        assert texts.states(annotators[0]) == {"both": "counted", "first": "surplus", "second": "counted"}

    def test_the_other_tab_still_hands_in_what_it_shows(
        self, annotators: list[Membership], texts: Texts
    ) -> None:
        sheet = self.given_anew(annotators[0], texts)
        submit(sheet, texts.given("both", "first"), version=1)
        outcome = submit(sheet, texts.given("both", "second"), version=2)
        assert (outcome.counted, outcome.surplus) == (1, 0)
        assert texts.states(annotators[0]) == {"both": "counted", "first": "surplus", "second": "counted"}
        assert not Sheet.objects.filter(state=Sheet.State.OPEN).exists()

    def test_who_brings_nothing_new_is_told_that_it_was_handed_in(
        self, annotators: list[Membership], texts: Texts
    ) -> None:
        sheet = self.given_anew(annotators[0], texts)
        submit(sheet, texts.given("both", "first"), version=1)
        with pytest.raises(SheetClosed, match="already submitted these answers"):
            submit(sheet, texts.given("both", "first"), version=1)

    def test_an_answer_that_the_rater_never_had_is_refused(
        self, project: Project, annotators: list[Membership], texts: Texts
    ) -> None:
        sheet = self.given_anew(annotators[0], texts)
        strange = one_candidate(make_question(project=project, answers=["strange"]))
        given = [*texts.given("both"), AnswerGiven(id=strange.public_id, label="correct")]
        with pytest.raises(IncompleteSheet, match="does not belong"):
            submit(sheet, given, version=1)
        assert not Judgment.objects.exists()

    def test_taken_back_it_is_one_sheet_again_and_the_other_tab_loses_nothing(
        self, annotators: list[Membership], texts: Texts
    ) -> None:
        sheet = self.given_anew(annotators[0], texts)
        submit(sheet, texts.given("both", "first"), version=1, key="first tab")
        undone = undo_submit(rater=annotators[0], at=NOON + LEASE)
        assert sorted(texts.shown(undone)) == ["both", "first", "second"]
        with pytest.raises(SubmissionKeyReused):
            submit(sheet, texts.given("both", "first"), version=1, key="first tab")
        submit(sheet, texts.given("both", "second"), version=2)
        assert texts.states(annotators[0]) == {
            "both": "counted",
            "first": "withdrawn",
            "second": "counted",
        }
        assert texts.shown(undone) == ["first"]

    def test_what_was_not_seen_is_not_skipped(self, annotators: list[Membership], texts: Texts) -> None:
        sheet = self.given_anew(annotators[0], texts)
        skip = {"rater": annotators[0], "sheet_id": sheet.public_id, "reason": "too hard"}
        with pytest.raises(SheetChanged):
            skip_sheet(**skip, submission_key=new_key(), version=1)
        skip_sheet(**skip, submission_key=new_key(), version=2)
        sheet.refresh_from_db()
        assert sheet.state == Sheet.State.SKIPPED


class TestUnblindedRaters:
    """A rater holds a sheet, reads how others judged as an adjudicator, and hands it in as an annotator."""

    @pytest.fixture
    def question(self, project: Project) -> Question:
        return make_question(project=project, answers=1)

    def unblind(self, rater: Membership) -> None:
        change_member(project=rater.project, public_id=rater.public_id, role="adjudicator")
        note_opening(member=rater)
        change_member(project=rater.project, public_id=rater.public_id, role="annotator")
        rater.refresh_from_db()

    def test_their_labels_are_kept_and_never_counted(
        self, question: Question, annotators: list[Membership]
    ) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        sheet.rater = annotators[0]
        self.unblind(annotators[0])
        outcome = judge(sheet)
        assert (outcome.counted, outcome.surplus, outcome.unblinded) == (0, 1, True)
        assert "do not count" in outcome.message
        judgment = Judgment.objects.get()
        assert (judgment.state, judgment.label) == (Judgment.State.SURPLUS, "correct")
        for rater in annotators[1:]:
            judge_next(rater)
        assert counted(one_candidate(question)) == 2

    def test_nor_after_the_lease_ended(self, question: Question, annotators: list[Membership]) -> None:
        (sheet,) = hand_out(rater=annotators[0], at=NOON)
        sheet.rater = annotators[0]
        hand_out(rater=annotators[1], at=NOON + LEASE)
        self.unblind(annotators[0])
        judge(sheet, at=NOON + LEASE)
        assert counted(one_candidate(question)) == 0

    def test_their_word_about_the_question_marks_nothing(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        check = {"key": "improper", "text": "Improper?", "rule": "any", "skips_answers": True}
        change_protocol(project, question_checks=[check])
        project.refresh_from_db()
        make_question(project=project, answers=1)
        rater = Membership.objects.get(pk=annotators[0].pk)
        (sheet,) = hand_out(rater=rater)
        sheet.rater = rater
        self.unblind(rater)
        judge(sheet, checks={"improper": True})
        assert not CheckAnswer.objects.exists()
        assert not improper_questions(project)

    @pytest.mark.parametrize("act", [edit_judgment, undo_submit])
    def test_what_they_said_before_stays_as_it_was(
        self, question: Question, annotators: list[Membership], act: Callable[..., object]
    ) -> None:
        sheet = judge_next(annotators[0])
        judgment = Judgment.objects.get()
        self.unblind(annotators[0])
        edit = {
            "sheet_id": sheet.public_id,
            "given": AnswerGiven(id=one_candidate(question).public_id, label="incorrect"),
            "seen_at": judgment.judged_at,
        }
        with pytest.raises(NotHandedOut):
            act(rater=annotators[0], **(edit if act is edit_judgment else {}))
        judgment.refresh_from_db()
        assert (judgment.label, judgment.state) == ("correct", Judgment.State.COUNTED)

    def test_who_does_not_annotate_hands_in_nothing(
        self, question: Question, annotators: list[Membership]
    ) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        annotators[0].role = Membership.Role.ADJUDICATOR
        sheet.rater = annotators[0]
        with pytest.raises(NotHandedOut):
            judge(sheet)

    def test_who_is_paused_hands_in_what_they_hold(
        self, question: Question, annotators: list[Membership]
    ) -> None:
        (sheet,) = hand_out(rater=annotators[0])
        annotators[0].state = Membership.State.PAUSED
        sheet.rater = annotators[0]
        assert judge(sheet).counted == 1


class TestSkipSheet:
    def test_frees_every_slot_and_repeats_harmlessly(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        for _ in range(2):
            skip_sheet(
                rater=annotators[0], sheet_id=sheet.public_id, submission_key="one key", reason="not my field"
            )
        assert set(Candidate.objects.values_list("taken", flat=True)) == {0}
        assert set(sheet.assignments.values_list("skip_reason", flat=True)) == {"not my field"}

    def test_what_was_skipped_never_comes_back_to_the_same_rater(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        skip_sheet(rater=annotators[0], sheet_id=sheet.public_id, submission_key=new_key(), reason="no")
        assert hand_out(rater=annotators[0]) == []

    def test_a_sheet_handed_in_cannot_be_skipped(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        sheet = judge_next(annotators[0])
        with pytest.raises(SheetClosed):
            skip_sheet(rater=annotators[0], sheet_id=sheet.public_id, submission_key=new_key(), reason="no")


class TestUndoSubmit:
    def test_opens_the_sheet_again_with_what_was_said_as_a_draft(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project, answers=["first", "second"])
        make_question(project=project)
        sheet = judge_next(annotators[0], {"first": "incorrect", "second": None})
        undone = undo_submit(rater=annotators[0])
        assert undone == sheet
        assert hand_out(rater=annotators[0], ahead=2)[0] == sheet
        assert undone.draft is not None
        said = {answer["id"]: (answer["label"], answer["skip_reason"]) for answer in undone.draft["answers"]}
        ids = dict(undone.question.candidates.values_list("text", "public_id"))
        assert said == {ids["first"]: ("incorrect", ""), ids["second"]: (None, "I do not know")}

    def test_keeps_the_slot_and_adds_to_the_history(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        judge_next(annotators[0])
        judge(undo_submit(rater=annotators[0]), "incorrect")
        candidate.refresh_from_db()
        assert (candidate.taken, counted(candidate)) == (1, 1)
        history = JudgmentRevision.objects.order_by("number").values_list("action", "state", "label")
        assert list(history) == [
            ("submit", "counted", "correct"),
            ("withdraw", "withdrawn", "correct"),
            ("submit", "counted", "incorrect"),
        ]

    def test_withdraws_the_decision_that_rested_on_it(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        judge_next(annotators[0])
        judge_next(annotators[1])
        undo_submit(rater=annotators[1])
        candidate.refresh_from_db()
        assert (candidate.state, candidate.taken, candidate.wanted) == (Candidate.State.OPEN, 2, 2)
        assert not Decision.objects.in_force().exists()

    def test_a_tie_break_that_became_needless_does_not_count_twice(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        judge_next(annotators[0], "correct")
        judge_next(annotators[1], "incorrect")
        (tie_break,) = hand_out(rater=annotators[2])
        judge(undo_submit(rater=annotators[1]), "correct")
        judge(tie_break, "incorrect")
        candidate.refresh_from_db()
        assert (candidate.state, counted(candidate)) == (Candidate.State.DECIDED, 2)

    def test_a_tie_break_given_already_is_set_aside_when_the_first_raters_agree_after_all(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        candidate = one_candidate(make_question(project=project, answers=1))
        judge_next(annotators[0], "correct")
        judge_next(annotators[1], "incorrect")
        judge_next(annotators[2], "incorrect")
        judge(undo_submit(rater=annotators[1]), "correct")
        candidate.refresh_from_db()
        assert (candidate.state, candidate.taken, counted(candidate)) == (Candidate.State.DECIDED, 2, 2)
        tie_break = Judgment.objects.get(rater=annotators[2])
        assert tie_break.state == Judgment.State.SURPLUS
        assert tie_break.revisions.latest("number").action == JudgmentRevision.Action.SET_ASIDE
        assert Decision.objects.current().get().source == Decision.Source.UNANIMOUS

    def test_is_refused_where_a_person_has_decided_an_answer(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        question = make_question(project=project, answers=1)
        judge_next(annotators[0])
        decide_answer(
            project=project,
            candidate_id=one_candidate(question).public_id,
            by=project.created_by,
            label="incorrect",
            reason="looked it up",
        )
        with pytest.raises(DecidedByPerson):
            undo_submit(rater=annotators[0])

    def test_a_repeated_request_that_names_the_sheet_takes_back_one_only(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        make_question(project=project)
        judge_next(annotators[0])
        last = judge_next(annotators[0])
        for _ in range(2):
            undo_submit(rater=annotators[0], sheet_id=last.public_id)
        assert Sheet.objects.filter(state=Sheet.State.SUBMITTED).count() == 1

    def test_only_the_last_submit_can_be_taken_back(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        make_question(project=project)
        earlier = judge_next(annotators[0])
        judge_next(annotators[0])
        with pytest.raises(NothingToUndo):
            undo_submit(rater=annotators[0], sheet_id=earlier.public_id)

    def test_without_a_submit_there_is_nothing_to_take_back(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        with pytest.raises(NothingToUndo):
            undo_submit(rater=annotators[0])

    def test_a_late_repetition_of_the_submit_taken_back_is_refused(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        judge(sheet, submission_key="first try")
        undo_submit(rater=annotators[0])
        with pytest.raises(SubmissionKeyReused):
            judge(sheet, submission_key="first try")

    def test_so_is_one_of_any_submit_taken_back_before(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        (sheet,) = hand_out(rater=annotators[0])
        for key in ("first try", "second try"):
            judge(sheet, submission_key=key)
            undo_submit(rater=annotators[0])
        with pytest.raises(SubmissionKeyReused):
            judge(sheet, submission_key="first try")

    def test_a_slot_passed_on_is_taken_back_while_it_is_free(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        candidate = one_candidate(make_question(project=project, answers=["only"]))
        judge_next(annotators[0], {"only": None})
        undone = undo_submit(rater=annotators[0])
        candidate.refresh_from_db()
        assert candidate.taken == 1
        assert undone.assignments.get().round == Assignment.Round.FIRST


class TestQuestionChecks:
    @pytest.fixture
    def evouna(self, db: None) -> Membership:
        project = make_project(preset="evouna")
        make_question(project=project)
        return make_member(project=project)

    def test_are_stored_once_a_rater(self, evouna: Membership) -> None:
        (sheet,) = hand_out(rater=evouna)
        judge(sheet, checks={"changes_over_time": False, "gold_improper": False})
        assert dict(CheckAnswer.objects.values_list("check_key", "answer")) == {
            "changes_over_time": False,
            "gold_improper": False,
        }

    def test_a_yes_that_makes_judging_pointless_skips_the_answers(self, evouna: Membership) -> None:
        evouna.group = "own"
        evouna.save()
        # The other group's rater has yet to say what the question is.
        Candidate.objects.filter(text="answer 0").update(group="own")
        Candidate.objects.filter(text="answer 1").update(group="other")
        (sheet,) = hand_out(rater=evouna)
        submit_sheet(
            rater=evouna,
            sheet_id=sheet.public_id,
            submission_key=new_key(),
            answers=[],
            checks={"changes_over_time": True, "gold_improper": False},
        )
        assert set(sheet.assignments.values_list("state", "skip_reason")) == {
            (Assignment.State.SKIPPED, "check:changes_over_time")
        }
        assert not Judgment.objects.exists()

    def test_come_back_with_the_draft_when_the_submit_is_taken_back(self, evouna: Membership) -> None:
        (sheet,) = hand_out(rater=evouna)
        answers = {"changes_over_time": False, "gold_improper": False}
        judge(sheet, checks=answers)
        undone = undo_submit(rater=evouna)
        assert undone.draft is not None
        assert undone.draft["checks"] == answers
        judge(undone, checks=answers | {"gold_improper": True})
        assert CheckAnswer.objects.get(check_key="gold_improper").answer


class TestOutcomeOf:
    @pytest.mark.parametrize(
        ("late", "words"), [(1, "1 of its answers has gone to other"), (2, "2 of its answers have gone")]
    )
    def test_late_answers_are_counted_in_words(self, late: int, words: str) -> None:
        assert words in outcome_of(taken=0, late=late).message
