import random
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.conf import settings

from annotation.assignments.blind_view import build_work
from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.selectors.open_work import count_questions_left
from annotation.assignments.services.handing_out import flag_question, hand_out
from annotation.items.models import Candidate
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Membership, Project
from annotation.quality.rules.figures import Tally
from annotation.quality.selectors import get_rater
from tests.annotation.assignments.factories import judge, make_question
from tests.annotation.known_answers.factories import make_known, use_plan
from tests.factories import make_member, make_project
from tests.routes import rolled_back

pytestmark = pytest.mark.long

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LEASE = timedelta(seconds=settings.ASSAY_LEASE_SECONDS)


@pytest.fixture
def rater(project: Project, annotators: list[Membership]) -> Membership:
    return fix_draws(annotators[0])


def fix_draws(rater: Membership) -> Membership:
    """Give a rater an id and the project a seed, on which rests what is drawn: the same in every run."""
    Membership.objects.filter(pk=rater.pk).update(public_id="a rater")
    Project.objects.filter(pk=rater.project_id).update(seed=7)
    return Membership.objects.select_related("project__protocol", "user").get(pk=rater.pk)


def total(rater: Membership) -> int:
    """Return of how many questions the judging page says this is one."""
    left = count_questions_left(rater=rater)
    progress = build_work(rater=rater, sheets=[], left_questions=left, references=None).progress
    return progress.judged_questions + progress.left_questions


def work_through(rater: Membership, *, label: str = "correct", hours: float = 0) -> list[Sheet]:
    """Judge whatever comes, so many hours apart, and return the sheets in their order."""
    sheets: list[Sheet] = []
    for number in range(200):
        at = NOON + timedelta(hours=hours * number)
        found = hand_out(rater=rater, at=at)
        if not found:
            break
        judge(found[0], label, at=at)
        sheets += found
    return sheets


def purposes(sheets: list[Sheet]) -> list[str]:
    return [sheet.purpose for sheet in sheets]


class TestLengths:
    """Known answers are as long as work that is yet to come, and as many come as were told."""

    def make_study(self, project: Project, *, known: list[int], work: list[int]) -> None:
        for answers in known:
            make_known(project=project, answers=answers)
        for answers in work:
            make_question(project=project, answers=answers)
        use_plan(project, known_share=0.4)

    @pytest.mark.parametrize(
        ("known", "work"), [([1] * 3, [1] + [3] * 12), ([3, 1, 2, 1], [1, 2, *[3] * 9, 2]), ([4], [2] * 12)]
    )
    def test_no_question_too_many_is_told_where_only_longer_work_would_be_left(
        self, known: list[int], work: list[int], project: Project, rater: Membership
    ) -> None:
        self.make_study(project, known=known, work=work)
        told = total(rater)
        lengths = []
        while sheets := hand_out(rater=rater, at=NOON):
            assert total(rater) == told
            lengths.append((sheets[0].purpose, sheets[0].assignments.count()))
            judge(sheets[0], at=NOON)
        assert len(lengths) == told == len(known) + len(work)
        for place, (purpose, length) in enumerate(lengths):
            assert purpose == Purpose.VOTE or (Purpose.VOTE, length) in lengths[place + 1 :]

    def test_known_answers_shorter_than_all_work_are_not_told_of(
        self, project: Project, rater: Membership
    ) -> None:
        self.make_study(project, known=[1, 3], work=[2] * 12)
        assert total(rater) == 13
        assert purposes(work_through(rater)).count(Purpose.KNOWN_ANSWER) == 1


class TestChecks:
    def test_they_are_asked_and_do_not_count(self, db: None) -> None:
        project = make_project(preset="evouna")
        raters = [make_member(project=project) for _ in range(3)]
        for _ in range(2):
            make_known(project=project, answers=1)
        for _ in range(20):
            make_question(project=project, answers=1)
        use_plan(project, known_share=0.5)
        for rater in raters:
            sheet = next_hidden(rater)
            keys = [check.key for check in sheet.protocol_version.rules.question_checks]
            judge(sheet, checks=dict.fromkeys(keys, True), at=NOON)
        hidden = CheckAnswer.objects.filter(purpose=Purpose.KNOWN_ANSWER)
        assert set(hidden.values_list("answer", flat=True)) == {True}
        assert improper_questions(project) == frozenset()


class TestBlindness:
    """A hidden sheet told as it is, and the same sheet made work: nobody can tell them apart."""

    @pytest.fixture(autouse=True)
    def same_time(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("common.clock.timezone.now", lambda: NOON)

    def test_replies_are_equal_byte_by_byte(
        self, project: Project, rater: Membership, client_of: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for _ in range(3):
            make_known(project=project)
        for _ in range(20):
            make_question(project=project)
        use_plan(project, known_share=0.3)
        sheet = next_hidden(rater)
        before = self.told(client_of(rater.user), sheet, monkeypatch)
        Candidate.objects.filter(assignments__sheet=sheet).update(
            state=Candidate.State.OPEN, wanted=2, taken=1
        )
        sheet.assignments.update(purpose=Purpose.VOTE, slot=1)
        Sheet.objects.filter(pk=sheet.pk).update(purpose=Purpose.VOTE)
        assert self.told(client_of(rater.user), sheet, monkeypatch) == before

    def told(self, client: Any, sheet: Sheet, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
        monkeypatch.setattr("common.identifiers.secrets.token_bytes", random.Random(7).randbytes)
        root = "/api/projects/small/sheets"
        answers = sheet.assignments.values_list("candidate__public_id", flat=True)
        body = {
            "submission_key": "the first key",
            "answers": [{"id": id_, "label": "correct"} for id_ in answers.order_by("position")],
            "ahead": 3,
        }
        skip = {"submission_key": "the second key", "reason": "unclear", "ahead": 3}
        with rolled_back():
            return [
                client.post(f"{root}/{path}", given, format="json").content
                for path, given in (
                    ("next", {"ahead": 3}),
                    (f"{sheet.public_id}/submit", body),
                    (f"{sheet.public_id}/submit", body),
                    ("undo", {"ahead": 3}),
                    (f"{sheet.public_id}/skip", skip),
                    ("next", {"ahead": 3}),
                )
            ]


class TestKnownAmongDecided:
    def test_the_sheet_is_as_long_as_the_questions_others_had(
        self, project: Project, annotators: list[Membership], lead: Any
    ) -> None:
        from annotation.known_answers.services import mark_known

        decided = make_question(project=project, answers=5)
        for rater in annotators[:2]:
            judge(hand_out(rater=rater, at=NOON)[0], at=NOON)
        candidate = decided.candidates.first()
        assert candidate is not None
        mark_known(project=project, candidate=candidate, by=lead, use="hidden", label="incorrect")
        for _ in range(30):
            make_question(project=project, answers=5)
        use_plan(project, known_share=0.5)
        sheet = next_hidden(annotators[2])
        assert sheet.question == decided
        assert sheet.assignments.count() == 5
        judge(sheet, at=NOON)
        # Only what is known says something about the rater.
        assert known_of(project, annotators[2]).tally == Tally(0, 1)
        assert set(decided.candidates.values_list("taken", flat=True)) == {2}


class TestResults:
    def test_each_raters_hits_and_misses_are_counted(self, project: Project, rater: Membership) -> None:
        for _ in range(5):
            make_known(project=project, answers=["right"])
            make_known(project=project, answers=["wrong"], label="incorrect")
        for _ in range(60):
            make_question(project=project, answers=1)
        use_plan(project, known_share=0.4)
        work_through(rater, label="correct")
        report = get_rater(project=project, public_id=rater.public_id)
        assert report.known_answers.tally == Tally(5, 10)
        assert report.known_answers.words == "5 of 10, 20–80%"
        assert {(miss.label, miss.known) for miss in report.known_misses} == {("correct", "incorrect")}
        assert report.judged == 60

    def test_few_are_told_in_words_and_leads_read_the_misses(
        self, project: Project, rater: Membership, client_of: Any
    ) -> None:
        make_known(project=project, answers=["wrong"], label="incorrect")
        for _ in range(20):
            make_question(project=project, answers=1)
        use_plan(project, known_share=0.4)
        work_through(rater, label="correct")
        reply = client_of(project.created_by).get(f"/api/projects/small/raters/{rater.public_id}").json()
        assert reply["known_answers"]["words"] == "0 of 1, too few to give a percentage."
        assert [(miss["text"], miss["known"]) for miss in reply["known_misses"]] == [("wrong", "incorrect")]


class TestRepeats:
    @pytest.fixture(autouse=True)
    def repeated(self, project: Project) -> None:
        for _ in range(30):
            make_question(project=project)
        use_plan(project, known_share=0, repeat_share=0.25, repeat_distance=5, repeat_hours=3)

    def test_they_are_off_unless_a_share_is_set(self, project: Project, rater: Membership) -> None:
        use_plan(project, repeat_share=0)
        assert set(purposes(work_through(rater, hours=1))) == {Purpose.VOTE}

    def test_one_comes_after_so_many_sheets_and_hours_and_once(self, rater: Membership) -> None:
        sheets = work_through(rater, hours=1)
        again = [place for place, sheet in enumerate(sheets) if sheet.purpose == Purpose.REPEAT]
        assert len(again) > 2
        for place in again:
            first = next(
                earlier
                for earlier, sheet in enumerate(sheets)
                if sheet.question_id == sheets[place].question_id
            )
            assert place - first >= 5
        assert len({sheets[place].question_id for place in again}) == len(again)

    def test_none_comes_within_the_hours(self, rater: Membership) -> None:
        assert set(purposes(work_through(rater, hours=0.01))) == {Purpose.VOTE}

    def test_it_looks_as_it_did_the_first_time(self, rater: Membership) -> None:
        sheets = work_through(rater, hours=1)
        again = next(sheet for sheet in sheets if sheet.purpose == Purpose.REPEAT)
        first = next(sheet for sheet in sheets if sheet.question_id == again.question_id)
        assert texts(again) == texts(first)

    def test_the_first_vote_stands_and_the_second_shows_how_steady_somebody_is(
        self, project: Project, rater: Membership
    ) -> None:
        for number in range(60):
            at = NOON + timedelta(hours=number)
            for sheet in hand_out(rater=rater, at=at):
                judge(sheet, "incorrect" if sheet.purpose == Purpose.REPEAT else "correct", at=at)
        assert set(Judgment.objects.votes().values_list("label", "state")) == {("correct", "counted")}
        report = get_rater(project=project, public_id=rater.public_id)
        assert report.self_agreement.value == 0
        assert report.self_kappa.value == 0
        assert report.judged == 60

    def test_what_is_left_never_grows(self, rater: Membership) -> None:
        before = total(rater)
        for number in range(60):
            at = NOON + timedelta(hours=number)
            for sheet in hand_out(rater=rater, at=at):
                judge(sheet, at=at)
                now = total(rater)
                assert now <= before
                before = now
        judged = Sheet.objects.filter(rater=rater, state=Sheet.State.SUBMITTED)
        assert before == judged.count()

    def test_a_question_in_hand_for_a_second_time_is_handed_out_once(
        self, project: Project, rater: Membership
    ) -> None:
        """Its new answers, which an import brings, wait until the second time is over."""
        for number in range(60):
            at = NOON + timedelta(hours=number)
            for first in Candidate.objects.filter(question__sheets__rater=rater, position=0).distinct():
                Candidate.objects.create(
                    question=first.question,
                    project=project,
                    data_import=first.data_import,
                    text=f"new {number}",
                    pool_hash=f"{number:064}",
                    position=number + 1,
                    state=Candidate.State.OPEN,
                    wanted=first.wanted,
                )
            sheets = hand_out(rater=rater, at=at, ahead=3)
            assert len({sheet.question_id for sheet in sheets}) == len(sheets)
            for sheet in sheets:
                judge(sheet, at=at)
        assert Sheet.objects.filter(rater=rater, purpose=Purpose.REPEAT).count() > 2

    def test_own_flags_of_the_first_time_are_not_shown(self, rater: Membership) -> None:
        for number in range(60):
            at = NOON + timedelta(hours=number)
            (sheet,) = hand_out(rater=rater, at=at)
            shown = build_work(rater=rater, sheets=[sheet], left_questions=1, references=None).sheets[0]
            assert shown.question.flags == []
            if sheet.purpose == Purpose.REPEAT:
                break
            flag_question(rater=rater, sheet_id=sheet.public_id, kind="list", at=at)
            judge(sheet, at=at)
        assert sheet.purpose == Purpose.REPEAT


def texts(sheet: Sheet) -> list[str]:
    return list(sheet.assignments.order_by("position").values_list("candidate__text", flat=True))


def next_hidden(rater: Membership) -> Sheet:
    """Judge until a hidden sheet comes, and return it, not yet judged."""
    for _ in range(100):
        (sheet,) = hand_out(rater=rater, at=NOON)
        if sheet.purpose != Purpose.VOTE:
            return sheet
        judge(sheet, at=NOON)
    raise AssertionError("No hidden sheet came.")


def known_of(project: Project, rater: Membership) -> Any:
    return get_rater(project=project, public_id=rater.public_id).known_answers


def test_hidden_assignments_hold_no_slots(project: Project, rater: Membership) -> None:
    make_known(project=project)
    make_question(project=project)
    use_plan(project, known_share=0.5)
    work_through(rater)
    hidden = Assignment.objects.filter(purpose=Purpose.KNOWN_ANSWER)
    assert set(hidden.values_list("slot", flat=True)) <= {0}
