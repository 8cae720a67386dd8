"""Judges in a rater's place: whose votes count, what is corrected together, and what one may say."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from analysis.intervals import Why
from annotation.accounts.models import User
from annotation.assignments.models import Assignment
from annotation.items.models import Candidate
from annotation.judgments.rules import AnswerGiven, Fate
from annotation.judgments.services.recording import RecordedAnswer, RecordedSheet, insert_recorded
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.comparison.rules.judge_board.replacement import Replaces, VoteTable, judge_replacements
from judges.comparison.rules.study import NO_VERDICT
from judges.comparison.selectors.judge_board.judges import read_judge_board, with_pseudonyms
from judges.comparison.selectors.judge_board.replacement import Replacements, read_replacements
from tests.annotation.adjudication.factories import make_answers
from tests.factories import make_member
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]
# On how many of the first answers each rater is wrong, by place.
WRONG: Mapping[int, int] = {0: 0, 1: 4, 2: 8}
ANSWERS = 40


def cast(
    project: Project,
    rater: Membership,
    labels: Mapping[str, str],
    *,
    slot: int,
    turn: str = Assignment.Round.FIRST,
) -> None:
    """Record a rater's votes, by the answers' texts."""
    assert project.protocol is not None
    candidates = {each.text: each for each in Candidate.objects.filter(project=project)}
    by_question: dict[int, list[RecordedAnswer]] = {}
    for text, label in labels.items():
        answer = candidates[text]
        said = AnswerGiven(id=answer.public_id, label=label)
        by_question.setdefault(answer.question_id, []).append(
            RecordedAnswer(answer.pk, slot, turn, said, Fate.COUNTED)
        )
    sheets = [
        RecordedSheet(rater, question, said, {}, is_asked_for=False) for question, said in by_question.items()
    ]
    insert_recorded(sheets, version=project.protocol, at=now())


def label(accepted: bool) -> str:
    return "correct" if accepted else "incorrect"


@pytest.fixture
def texts(project: Project) -> Sequence[str]:
    names = [f"answer {number}" for number in range(ANSWERS)]
    for name in names:
        make_answers(project=project, question=f"question of {name}", gold=["gold"], texts=[name])
    return names


@pytest.fixture
def voted(project: Project, annotators: list[Membership], texts: Sequence[str]) -> Project:
    """Three raters accept every second answer, but for each one's own mistakes."""
    project = Project.objects.get(pk=project.pk)
    for place, rater in enumerate(annotators):
        labels = {
            name: label((number % 2 == 0) != (number < WRONG[place])) for number, name in enumerate(texts)
        }
        cast(project, rater, labels, slot=place)
    return project


def verdicts(texts: Sequence[str], *, wrong: int) -> dict[str, float | None]:
    return {
        name: float((number % 2 == 0) != (number >= ANSWERS - wrong)) for number, name in enumerate(texts)
    }


def read(project: Project, epsilon: float = 0.15) -> Replacements:
    return read_replacements(project=project, epsilon=epsilon)


class TestReadReplacements:
    def test_a_judge_like_the_best_rater_may_replace_a_person(
        self, voted: Project, texts: Sequence[str]
    ) -> None:
        make_run(voted, "bem", verdicts(texts, wrong=0))
        (found,) = read(voted).judges
        assert found.replaces is Replaces.YES
        assert (found.won, found.won_together, len(found.raters)) == (3, 3, 3)
        assert found.figures["winning_rate"].value == 1.0
        assert found.figures["winning_rate"].why is Why.THESE_RATERS
        # Always at least as near as two; of the first, who is never wrong, nearer or level too.
        assert found.figures["advantage"].value == pytest.approx(1.0)
        assert [each.shared for each in found.raters] == [ANSWERS] * 3

    def test_a_judge_wrong_on_half_may_not(self, voted: Project, texts: Sequence[str]) -> None:
        make_run(voted, "bem", verdicts(texts, wrong=20))
        (found,) = read(voted).judges
        assert found.replaces is Replaces.NO
        assert found.won == 0
        # All three say the same of the last twenty: there the judge is behind, elsewhere at least level.
        assert {each.rater_ahead >= 0.5 for each in found.raters} == {True}

    def test_raters_stand_under_the_pseudonyms_of_the_board(
        self, voted: Project, texts: Sequence[str], annotators: list[Membership]
    ) -> None:
        make_run(voted, "bem", verdicts(texts, wrong=0))
        (found,) = read(voted).judges
        raters = [each.rater for each in found.raters]
        assert set(raters) == {rater.pseudonym for rater in annotators}
        rows = with_pseudonyms(read_judge_board(project=voted), project=voted)
        board = {row.name: row.counts for row in rows}
        # Beside the majority of the others the one who errs most often errs as often as the board says.
        errs = {each.rater: 1 - each.rater_ahead for each in found.raters}
        most = max(raters, key=lambda rater: board[rater]["fn"] + board[rater]["fp"])
        assert max(errs, key=lambda rater: errs[rater]) == most
        # On four of the eight another rater errs alike: there half of the others say what each says.
        assert errs[most] == pytest.approx(4 / ANSWERS)

    def test_a_tie_break_does_not_count(
        self, project: Project, annotators: list[Membership], texts: Sequence[str]
    ) -> None:
        project = Project.objects.get(pk=project.pk)
        cast(project, annotators[0], dict.fromkeys(texts, "correct"), slot=0)
        cast(project, annotators[1], dict.fromkeys(texts, "incorrect"), slot=1)
        turn = Assignment.Round.TIE_BREAK
        cast(project, annotators[2], dict.fromkeys(texts, "correct"), slot=2, turn=turn)
        make_run(project, "bem", verdicts(texts, wrong=0))
        whole = read(project)
        (found,) = whole.judges
        assert (whole.raters, whole.tie_breakers, whole.raters_per_answer) == (2, 1, 2)
        assert (found.replaces, found.compared, len(found.raters)) == (Replaces.FEW_VOTES, 2, 2)
        assert found.figures["winning_rate"].why is Why.FEW_TO_REPLACE
        assert found.figures["advantage"].why is Why.FEW_TO_REPLACE

    def test_only_those_who_broke_ties_alone_are_counted(
        self, project: Project, annotators: list[Membership], texts: Sequence[str]
    ) -> None:
        project = Project.objects.get(pk=project.pk)
        turn = Assignment.Round.TIE_BREAK
        first, second, third = annotators
        cast(project, first, dict.fromkeys(texts[:2], "correct"), slot=0)
        cast(project, second, dict.fromkeys(texts[:2], "incorrect"), slot=1)
        cast(project, third, dict.fromkeys(texts[:1], "correct"), slot=2, turn=turn)
        # A first vote on an answer that waits for its second one is compared with none, and yet no tie-break.
        cast(project, third, dict.fromkeys(texts[2:3], "correct"), slot=0)
        assert read(project).tie_breakers == 0
        cast(project, make_member(project=project), dict.fromkeys(texts[1:2], "correct"), slot=2, turn=turn)
        assert read(project).tie_breakers == 1
        Candidate.objects.filter(project=project, text=texts[1]).update(is_judgeable=False)
        assert read(project).tie_breakers == 0

    def test_fewer_than_thirty_shared_answers_are_no_test(self, voted: Project, texts: Sequence[str]) -> None:
        make_run(voted, "bem", dict.fromkeys(texts[:29], 1.0))
        (found,) = read(voted).judges
        assert (found.replaces, found.compared, found.raters) == (Replaces.FEW_VOTES, 3, [])

    def test_a_judge_of_other_answers_is_not_there(self, voted: Project) -> None:
        make_run(voted, "bem", {})
        assert read(voted).judges == []

    def test_without_votes_nobody_is_tested(self, project: Project, texts: Sequence[str]) -> None:
        make_run(project, "bem", verdicts(texts, wrong=0))
        found = read(Project.objects.get(pk=project.pk))
        assert (found.raters, found.judges) == (0, [])

    def test_the_signature_says_epsilon_and_correction(self, voted: Project, texts: Sequence[str]) -> None:
        make_run(voted, "bem", verdicts(texts, wrong=0))
        signature = read(voted, epsilon=0.2).signature
        assert "epsilon:0.2" in signature
        assert "correction:benjamini-yekutieli" in signature
        assert signature != read(voted).signature


class TestTheApi:
    def test_takes_epsilon(self, voted: Project, texts: Sequence[str], lead: User, client_of: Client) -> None:
        make_run(voted, "bem", verdicts(texts, wrong=0))
        address = f"/api/projects/{voted.slug}/judge-board/replacement"
        reply = client_of(lead).get(address, {"epsilon": "0.2"}).json()
        assert reply["epsilon"] == 0.2
        assert reply["judges"][0]["replaces"] == "yes"
        assert client_of(lead).get(address, {"epsilon": "2"}).status_code == 400


class TestJudgeReplacements:
    def table(self, size: int = 60) -> VoteTable:
        generator = np.random.default_rng(2)
        truth = generator.integers(0, 2, size)
        wrong = generator.random((size, 4)) < 0.2
        return VoteTable(
            votes=np.where(wrong, 1 - truth[:, np.newaxis], truth[:, np.newaxis]),
            answers=np.arange(size),
            raters=("A", "B", "C", "D"),
            questions=np.arange(size),
            weights=np.ones(size),
        )

    def test_who_passes_alone_may_fail_among_many(self) -> None:
        """Whoever looks at a hundred judges finds one that chance made look good."""
        table = self.table()
        generator = np.random.default_rng(9)
        truth = (table.votes.mean(axis=1) > 0.5).astype(np.int8)
        coins = {
            f"r{number}": np.where(generator.random(60) < number / 100, 1 - truth, truth).astype(np.int8)
            for number in range(40)
        }
        names = {run: run for run in coins}
        among = judge_replacements(table, verdicts=coins, names=names, epsilon=0.15)
        for found in among:
            (alone,) = judge_replacements(
                table, verdicts={found.run: coins[found.run]}, names=names, epsilon=0.15
            )
            assert found.won == alone.won == alone.won_together
            assert found.won_together <= found.won
            assert (found.replaces is Replaces.NO) == (alone.replaces is Replaces.NO)
        assert {found.replaces for found in among} == {Replaces.NO, Replaces.CHANCE, Replaces.YES}

    def test_answers_a_judge_was_not_asked_of_are_left_out(self) -> None:
        table = self.table()
        verdict = np.ones(60, dtype=np.int8)
        verdict[:20] = NO_VERDICT
        (found,) = judge_replacements(table, verdicts={"r": verdict}, names={"r": "R"}, epsilon=0.15)
        assert {each.shared for each in found.raters} == {40}
