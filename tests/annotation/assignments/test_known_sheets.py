"""Sheets of known answers: how they come among the work, and what becomes of what is said of them."""

from collections.abc import Iterator
from copy import deepcopy
from typing import NamedTuple

import pytest
from pytest_django import DjangoDbBlocker

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import DecidedByPerson, decide_answer
from annotation.assignments.models import Purpose, Sheet
from annotation.assignments.selectors.hidden_work import known_questions
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment, undo_submit
from annotation.judgments.services.submitting import skip_sheet
from annotation.known_answers.services import withdraw_mark
from annotation.projects.models import Membership, Project
from annotation.quality.rules.figures import Tally
from tests.annotation.assignments.factories import judge, make_question, new_key
from tests.annotation.assignments.test_hidden import (
    LEASE,
    NOON,
    fix_draws,
    known_of,
    next_hidden,
    purposes,
    total,
    work_through,
)
from tests.annotation.known_answers.factories import make_known, use_plan
from tests.conftest import made_once
from tests.factories import make_member, make_project


class Study(NamedTuple):
    """Forty questions of work, and four hidden ones at a fifth of the sheets."""

    project: Project
    annotators: list[Membership]


def make_study() -> Study:
    project = make_project()
    annotators = [make_member(project=project) for _ in range(2)]
    for _ in range(4):
        make_known(project=project)
    for _ in range(40):
        make_question(project=project)
    use_plan(project, known_share=0.2)
    return Study(project, [fix_draws(annotators[0]), annotators[1]])


@pytest.fixture(scope="module")
def made_study(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Study]:
    with made_once(django_db_blocker, make_study) as made:
        yield made


@pytest.fixture
def study(made_study: Study, db: None) -> Study:
    return deepcopy(made_study)


@pytest.fixture
def project(study: Study) -> Project:
    return study.project


@pytest.fixture
def lead(study: Study) -> User:
    return study.project.created_by


@pytest.fixture
def annotators(study: Study) -> list[Membership]:
    return study.annotators


@pytest.fixture
def rater(study: Study) -> Membership:
    return study.annotators[0]


@pytest.fixture(scope="class")
def all_done(made_study: Study, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Sheet]]:
    with made_once(django_db_blocker, lambda: work_through(deepcopy(made_study.annotators[0]))) as sheets:
        yield sheets


@pytest.fixture
def done(all_done: list[Sheet], db: None) -> list[Sheet]:
    """The sheets in their order, once the rater has judged all that came."""
    return all_done


class TestOnceAllIsDone:
    def test_they_come_among_the_work_each_once(self, done: list[Sheet]) -> None:
        assert purposes(done).count(Purpose.KNOWN_ANSWER) == 4
        assert len({sheet.question_id for sheet in done}) == len(done) == 44

    def test_nothing_said_of_them_counts(self, done: list[Sheet]) -> None:
        known = Candidate.objects.filter(known__isnull=False)
        assert set(known.values_list("state", "taken", "wanted")) == {("unasked", 0, 0)}
        said = Judgment.objects.filter(candidate__in=known)
        assert set(said.values_list("purpose", "state")) == {("known_answer", "surplus")}

    def test_a_question_that_the_rater_has_met_is_not_used(
        self, done: list[Sheet], rater: Membership, annotators: list[Membership]
    ) -> None:
        assert done[0].question_id not in known_questions(rater=rater)
        assert len(known_questions(rater=rater)) == 0
        assert len(known_questions(rater=annotators[1])) == 4

    def test_none_come_once_the_work_is_done(
        self, done: list[Sheet], rater: Membership, project: Project
    ) -> None:
        make_known(project=project)
        use_plan(project, known_share=0.5)
        assert hand_out(rater=rater) == []


class TestKnownAnswers:
    def test_about_as_many_come_as_the_share_says(self, rater: Membership, project: Project) -> None:
        for _ in range(30):
            make_known(project=project)
        came = purposes(work_through(rater)).count(Purpose.KNOWN_ANSWER)
        assert 4 < came < 20

    def test_none_come_where_the_share_is_nothing(self, rater: Membership, project: Project) -> None:
        use_plan(project, known_share=0)
        assert set(purposes(work_through(rater))) == {Purpose.VOTE}

    def test_the_count_of_what_is_left_moves_as_with_any_other(self, rater: Membership) -> None:
        before = total(rater)
        assert before == 44
        for _ in range(44):
            (sheet,) = hand_out(rater=rater, at=NOON)
            assert total(rater) == before
            judge(sheet, at=NOON)
            assert total(rater) == before

    def test_sheets_handed_out_ahead_hold_them_too(self, rater: Membership, project: Project) -> None:
        use_plan(project, known_share=0.5)
        ahead = hand_out(rater=rater, ahead=12, at=NOON)
        assert len(ahead) == 12
        assert 0 < purposes(ahead).count(Purpose.KNOWN_ANSWER) <= 4
        assert hand_out(rater=rater, ahead=12, at=NOON) == ahead

    def test_one_that_was_taken_back_is_handed_in_again(self, rater: Membership, project: Project) -> None:
        sheet = next_hidden(rater)
        judge(sheet, "incorrect", at=NOON)
        undo_submit(rater=rater, at=NOON)
        assert hand_out(rater=rater, at=NOON) == [sheet]
        assert judge(sheet, "correct", at=NOON).counted == 2
        assert known_of(project, rater).tally == Tally(2, 2)

    def test_one_is_edited_as_any_other_although_a_person_decided_it(
        self, rater: Membership, project: Project, lead: User
    ) -> None:
        sheet = next_hidden(rater)
        answer = sheet.assignments.order_by("position")[0].candidate
        decision = {"project": project, "candidate_id": answer.public_id, "by": lead, "reason": "so"}
        decide_answer(**decision, label="correct", at=NOON - LEASE)
        judge(sheet, "incorrect", at=NOON)
        edit_judgment(
            rater=rater,
            sheet_id=sheet.public_id,
            given=AnswerGiven(id=answer.public_id, label="correct"),
            seen_at=NOON,
            at=NOON,
        )
        assert known_of(project, rater).tally == Tally(1, 2)
        # What a person decides afterwards closes it, as it closes work.
        decide_answer(**decision, label="incorrect", at=NOON + LEASE)
        with pytest.raises(DecidedByPerson):
            edit_judgment(
                rater=rater,
                sheet_id=sheet.public_id,
                given=AnswerGiven(id=answer.public_id, label="incorrect"),
                seen_at=NOON,
            )
        with pytest.raises(DecidedByPerson):
            undo_submit(rater=rater)

    def test_one_that_was_skipped_does_not_come_back(self, rater: Membership) -> None:
        sheet = next_hidden(rater)
        skip_sheet(rater=rater, sheet_id=sheet.public_id, submission_key=new_key(), reason="unclear", at=NOON)
        assert sheet.question_id not in {later.question_id for later in work_through(rater)}

    def test_one_whose_lease_ended_comes_back(self, rater: Membership) -> None:
        sheet = next_hidden(rater)
        before = total(rater)
        later = hand_out(rater=rater, at=NOON + 2 * LEASE)
        assert later == [sheet]
        assert total(rater) == before
        assert set(sheet.assignments.values_list("state", flat=True)) == {"live"}

    def test_a_late_one_is_told_as_any_other_that_still_counts(self, rater: Membership) -> None:
        sheet = next_hidden(rater)
        outcome = judge(sheet, at=NOON + 2 * LEASE)
        assert (outcome.counted, outcome.surplus, outcome.message) == (2, 0, "")

    def test_what_was_withdrawn_or_reopened_is_not_used(self, rater: Membership, project: Project) -> None:
        first, second = known_questions(rater=rater)[:2]
        for known in project.known_answers.filter(candidate__question=first):
            withdraw_mark(project=project, public_id=known.public_id)
        Candidate.objects.filter(question=second).update(state=Candidate.State.OPEN, wanted=2)
        assert len(known_questions(rater=rater)) == 2
