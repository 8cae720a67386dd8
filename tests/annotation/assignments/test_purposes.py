"""That work which is no vote changes no figure, holds no slot and settles nothing."""

from collections.abc import Collection
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from analysis.raters.agreement import MissingVotes
from annotation.adjudication.selectors.queue import count_waiting, read_queue, votes_of
from annotation.adjudication.services.protocol_changes import foresee_change, words_of_change
from annotation.adjudication.services.settling import resettle_project, settle_candidates
from annotation.agreement.rules.measures import measure_agreement, to_json
from annotation.agreement.selectors.votes import read_first_round
from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.selectors.open_work import count_questions_left, open_candidates
from annotation.assignments.selectors.planning import find_gap
from annotation.assignments.selectors.raters_at_work import list_raters_at_work
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.judgments.selectors import improper_questions, marks_on
from annotation.judgments.services.revising import undo_submit
from annotation.judgments.services.submitting import skip_sheet
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import list_members, list_memberships
from annotation.quality.selectors import read_ballots
from annotation.release.selectors.rows import count_votes, released_answers, released_questions
from common.clock import now
from judges.comparison.selectors.answers import read_history
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.selectors.overview import read_overview
from tests.annotation.assignments.factories import judge, judge_next, make_question, new_key
from tests.annotation.quality.plain import decisions_in, votes_in
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db
UNCOUNTED = [purpose for purpose in Purpose if purpose != Purpose.VOTE]


def begun_project(preset: str) -> tuple[Project, list[Membership]]:
    """Make a project with answers decided, in dispute, at hand, half judged and untouched."""
    project = make_project(preset=preset)
    raters = [make_member(project=project) for _ in range(3)]
    for _ in range(4):
        make_question(project=project)
    first, second, _ = raters
    judge_next(first)
    judge_next(second, {"answer 0": "correct", "answer 1": "incorrect"})
    judge_next(first)
    (sheet,) = hand_out(rater=second)
    skip_sheet(rater=second, sheet_id=sheet.public_id, submission_key=new_key(), reason="unclear")
    hand_out(rater=first)
    return project, raters


def add_uncounted(
    project: Project, raters: list[Membership], purposes: Collection[Purpose] = UNCOUNTED
) -> None:
    """Let everybody have judged and skipped everything, in every way that is no vote."""
    for purpose in purposes:
        for rater in raters:
            for candidate in Candidate.objects.filter(project=project).order_by("pk"):
                _judged(candidate, rater, purpose=purpose)
                # A pilot asks each rater once.
                if purpose == Purpose.PILOT:
                    continue
                _turn(candidate, rater, purpose=purpose, state=Assignment.State.SKIPPED)


def _turn(candidate: Candidate, rater: Membership, *, purpose: str, state: str) -> Assignment:
    assert rater.project.protocol is not None
    sheet = Sheet.objects.create(
        project=rater.project,
        question=candidate.question,
        rater=rater,
        protocol_version=rater.project.protocol,
        purpose=purpose,
        state=Sheet.State.SUBMITTED,
        handed_out_at=now(),
        lease_expires_at=now(),
        closed_at=now(),
    )
    return Assignment.objects.create(
        sheet=sheet, candidate=candidate, rater=rater, slot=0, purpose=purpose, state=state
    )


def _judged(candidate: Candidate, rater: Membership, *, purpose: str) -> None:
    turn = _turn(candidate, rater, purpose=purpose, state=Assignment.State.SURPLUS)
    judgment = Judgment.objects.create(
        assignment=turn,
        candidate=candidate,
        rater=rater,
        slot=0,
        round=turn.round,
        purpose=purpose,
        state=Judgment.State.SURPLUS,
        label="incorrect",
        judged_at=now(),
    )
    JudgmentRevision.objects.create(
        judgment=judgment,
        number=1,
        action=JudgmentRevision.Action.SUBMIT,
        state=judgment.state,
        label=judgment.label,
        seconds=1_000,
        protocol_version=turn.sheet.protocol_version,
        at=now(),
    )
    for check in turn.sheet.protocol_version.rules.question_checks:
        CheckAnswer.objects.create(
            sheet=turn.sheet,
            question=candidate.question,
            rater=rater,
            check_key=check.key,
            purpose=purpose,
            answer=True,
            answered_at=now(),
        )


def figures(project: Project, raters: list[Membership]) -> dict[str, Any]:
    """Return everything that is computed from votes."""
    candidates = list(Candidate.objects.filter(project=project).order_by("pk"))
    ballots = read_ballots(project=project)
    board = read_leaderboard(project=project)
    assert project.protocol is not None
    return {
        "slots": [(item.state, item.taken, item.wanted) for item in candidates],
        "decisions": [list(item.decisions.order_by("pk").values()) for item in candidates],
        "votes": votes_of(candidates),
        "histories": [read_history(project=project, public_id=item.public_id) for item in candidates],
        "queue": read_queue(project=project).items,
        "waiting": count_waiting(project=project),
        "improper": improper_questions(project),
        "marks": [marks_on(question_id=item.question_id) for item in candidates],
        "agreement": to_json(
            measure_agreement(read_first_round(project=project), rule=MissingVotes.OWN_CATEGORY)
        ),
        "ballots": (votes_in(ballots), decisions_in(ballots), [rater.skipped for rater in ballots.raters]),
        "people": [
            (rater.judged, rater.per_hour, rater.last_seen) for rater in read_overview(project=project).raters
        ],
        "overview": read_overview(project=project),
        "board": board,
        "another human": read_judge_board(project=project),
        "released": (
            list(released_questions(project)),
            list(released_answers(project)),
            count_votes(project),
        ),
        "members": list(list_members(project=project).values_list("pk", "judged_count")),
        "decided": list_memberships(user=project.created_by).values_list("decided_count", flat=True).get(),
        "work": [
            (row.judged_answers, row.judged_questions, row.left_answers)
            for row in list_raters_at_work(project=project)
        ],
        "left": [count_questions_left(rater=rater) for rater in raters],
        "open": [sorted(open_candidates(rater=rater).values_list("pk", flat=True)) for rater in raters],
        "gap": find_gap(project=project),
        "change": words_of_change(foresee_change(project=project, spec=project.protocol.spec)),
    }


class TestUncountedWork:
    @pytest.mark.parametrize("preset", ["openqa-eval", "evouna"])
    def test_no_figure_moves(self, preset: str) -> None:
        project, raters = begun_project(preset)
        before = figures(project, raters)
        add_uncounted(project, raters, set(UNCOUNTED) - {Purpose.SECOND})
        assert read_judge_board(project=project) == before["another human"]
        add_uncounted(project, raters, {Purpose.SECOND})
        # What it is for.
        assert read_judge_board(project=project) != before.pop("another human")
        settle_candidates(
            project_id=project.pk, candidate_ids=project.candidates.values_list("pk", flat=True)
        )
        resettle_project(project_id=project.pk)
        after = figures(project, raters)
        for name, value in before.items():
            assert after[name] == value, name

    def test_the_next_sheet_is_the_same(self) -> None:
        project, raters = begun_project("openqa-eval")
        add_uncounted(project, raters)
        (sheet,) = hand_out(rater=raters[2])
        assert sheet.purpose == Purpose.VOTE
        assert [item.slot for item in sheet.assignments.all()] == [3]

    def test_handing_it_in_taking_it_back_and_again_leaves_no_vote(self) -> None:
        project, raters = begun_project("evouna")
        question = project.questions.order_by("-position")[0]
        sheet = Sheet.objects.create(
            project=project,
            question=question,
            rater=raters[2],
            protocol_version=project.protocol,
            purpose=Purpose.PILOT,
            handed_out_at=now(),
            lease_expires_at=now(),
        )
        for place, candidate in enumerate(question.candidates.order_by("pk")):
            Assignment.objects.create(
                sheet=sheet,
                candidate=candidate,
                rater=raters[2],
                slot=0,
                purpose=Purpose.PILOT,
                position=place,
            )
        before = figures(project, raters)
        del before["left"], before["change"]
        outcome = judge(sheet, seconds=4.0)
        assert (outcome.counted, outcome.surplus) == (2, 0)
        assert undo_submit(rater=raters[2]) == sheet
        judge(sheet, "incorrect")
        assert {item.state for item in Judgment.objects.filter(rater=raters[2])} == {"surplus"}
        after = figures(project, raters)
        for name, value in before.items():
            assert after[name] == value, name


class TestConstraints:
    def test_only_votes_hold_slots_or_count(self) -> None:
        project, raters = begun_project("openqa-eval")
        candidate = project.candidates.order_by("-pk")[0]
        with pytest.raises(IntegrityError), transaction.atomic():
            _turn(candidate, raters[2], purpose=Purpose.PILOT, state=Assignment.State.DONE)
        _judged(candidate, raters[2], purpose=Purpose.PILOT)
        with pytest.raises(IntegrityError), transaction.atomic():
            Judgment.objects.filter(purpose=Purpose.PILOT).update(state=Judgment.State.COUNTED)
