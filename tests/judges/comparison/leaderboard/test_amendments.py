"""Which amendment of a gold list moved which system."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from analysis.intervals import Figure
from annotation.accounts.models import User
from annotation.gold.models import GoldChange
from annotation.gold.services.ledger import undo_change
from annotation.items.models import Prediction
from annotation.projects.models import Project
from judges.comparison.rules.leaderboard.amendments import SystemMove, Turn, find_turns, move_systems
from judges.comparison.rules.study import Candidates, Filter, Items, Predictions, Questions, SystemFacts
from judges.comparison.selectors.leaderboard.amendments import describe_turns, read_amendments
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from tests.factories import make_figure
from tests.judges.comparison.conftest import Decider

Client = Callable[[User], Any]
ADDRESS = "/api/projects/small/leaderboard/amendments"


def flags(*values: int) -> Any:
    return np.array(values, dtype=bool)


def make_items() -> Items:
    """Three systems on two questions; the first two say the same to the second question, string 2."""
    numbers = np.arange(4)
    ones = np.ones(4, dtype=bool)
    return Items(
        systems=[SystemFacts(place, f"s{place}", f"S{place}", {}) for place in range(3)],
        questions=Questions(np.arange(2), ones[:2], -ones[:2].astype(int), np.zeros(2), ~ones[:2]),
        candidates=Candidates(numbers, np.array([0, 0, 1, 1]), ones, ~ones),
        predictions=Predictions(
            system=np.array([0, 1, 2, 0, 1, 2]),
            question=np.array([0, 0, 0, 1, 1, 1]),
            candidate=np.array([0, 1, 1, 2, 2, 3]),
            string=np.array([0, 1, 1, 2, 2, 3]),
            strings={"a": 0, "b": 1, "c": 2, "d": 3},
            own_golds={},
        ),
    )


class TestTurns:
    # s0's first answer leaves the list, what s0 and s1 said to the second joins it, s2's stays.
    before = flags(1, 0, 0, 0, 0, 1)
    after = flags(0, 0, 0, 1, 1, 1)
    everything = flags(1, 1, 1, 1, 1, 1)

    def test_each_system_is_counted_before_and_after(self) -> None:
        moves = move_systems(make_items(), before=self.before, after=self.after, counted=self.everything)
        assert moves == [
            SystemMove("s0", "S0", 2, before=1, after=1, turned_right=1, turned_wrong=1, gain=Figure(0.0)),
            SystemMove("s1", "S1", 2, before=0, after=1, turned_right=1, turned_wrong=0, gain=Figure(0.5)),
            SystemMove("s2", "S2", 2, before=1, after=1, turned_right=0, turned_wrong=0, gain=Figure(0.0)),
        ]

    def test_an_answer_turns_once_for_all_who_gave_it(self) -> None:
        turns = find_turns(make_items(), before=self.before, after=self.after, counted=self.everything)
        assert turns == [
            Turn(question=1, string=2, candidate=2, is_right=True, systems=(0, 1)),
            Turn(question=0, string=0, candidate=0, is_right=False, systems=(0,)),
        ]

    def test_what_does_not_count_does_not_turn(self) -> None:
        counted = flags(0, 1, 1, 1, 0, 0)
        turns = find_turns(make_items(), before=self.before, after=self.after, counted=counted)
        assert [turn.systems for turn in turns] == [(0,)]
        moves = move_systems(make_items(), before=self.before, after=self.after, counted=counted)
        assert [move.n for move in moves] == [1, 1, 1]

    def test_nothing_turned_is_no_error(self) -> None:
        nothing = flags(0, 0, 0, 0, 0, 0)
        assert find_turns(make_items(), before=self.before, after=self.before, counted=self.everything) == []
        assert move_systems(make_items(), before=self.before, after=self.after, counted=nothing) == []


class TestReadAmendments:
    def test_before_decisions_nothing_turns(self, study: Project) -> None:
        found = read_amendments(project=study, wanted=Filter())
        assert [(move.before, move.after) for move in found.moves] == [(1, 1), (2, 2)]
        assert (found.turns, found.pending) == ([], 6)

    def test_added_answers_turn_right_for_those_who_gave_them(
        self, study: Project, all_decided: None
    ) -> None:
        found = read_amendments(project=study, wanted=Filter())
        assert [(move.before, move.after) for move in found.moves] == [(1, 3), (2, 2)]
        answers = describe_turns(items=found.items, turns=found.turns)
        assert [(each.question_text, each.text, each.is_right) for each in answers] == [
            ("capital of france", "the city of Paris", True),
            ("who wrote hamlet", "William S.", True),
        ]
        added = set(GoldChange.objects.filter(action="added").values_list("public_id", flat=True))
        assert {change for each in answers for change in each.changes} <= added
        assert all(len(each.changes) == 1 for each in answers)
        assert found.pending == 0

    def test_a_rejected_gold_answer_turns_wrong(self, study: Project, decide: Decider) -> None:
        decide("Pacific", "incorrect")
        found = read_amendments(project=study, wanted=Filter())
        (answer,) = describe_turns(items=found.items, turns=found.turns)
        assert (answer.text, answer.is_right) == ("Pacific", False)
        assert answer.systems == ["Alpha", "Beta"]
        assert answer.changes == [GoldChange.objects.get(action="removed").public_id]
        assert found.of_system("alpha") == found.of_system("") == found.turns
        assert found.of_system("nobody") == []

    def test_it_agrees_with_the_leaderboard(self, study: Project, all_decided: None) -> None:
        board = read_leaderboard(project=study)
        people = [score.correct for row in board.rows if (score := row.scores["human"])]
        assert people == [move.after for move in read_amendments(project=study, wanted=Filter()).moves]

    def test_an_undone_change_moves_nobody(self, study: Project, decide: Decider, lead: User) -> None:
        decide("Pacific", "incorrect")
        change = GoldChange.objects.get()
        assert read_amendments(project=study, wanted=Filter()).turns
        undo_change(project=study, public_id=change.public_id, by=lead, reason="a slip")
        assert read_amendments(project=study, wanted=Filter()).turns == []

    def test_a_files_own_gold_is_what_its_answers_start_from(self, study: Project, decide: Decider) -> None:
        Prediction.objects.filter(text="Marlowe").update(golds=["Marlowe"])
        found = read_amendments(project=study, wanted=Filter())
        assert [(move.before, move.after) for move in found.moves] == [(1, 1), (3, 3)]
        decide("Marlowe", "incorrect")
        found = read_amendments(project=study, wanted=Filter())
        (answer,) = describe_turns(items=found.items, turns=found.turns)
        assert (answer.text, answer.is_right, answer.changes) == ("Marlowe", False, [])


class TestView:
    def test_it_lists_what_turned_by_page(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        body = client_of(lead).get(f"{ADDRESS}?limit=99").json()
        assert body["systems"][0] == {
            "system": "alpha",
            "label": "Alpha",
            "n": 3,
            "before": 1,
            "after": 3,
            "turned_right": 2,
            "turned_wrong": 0,
            "gain": make_figure(pytest.approx(2 / 3)),
        }
        assert (body["right_count"], body["wrong_count"], body["before"], body["next"]) == (2, 0, 0, None)
        assert [row["systems"] for row in body["turned"]] == [["Alpha"], ["Alpha"]]

    @pytest.mark.parametrize(("system", "count"), [("alpha", 2), ("beta", 0)])
    def test_one_system_can_be_chosen(
        self, system: str, count: int, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        body = client_of(lead).get(f"{ADDRESS}?system={system}").json()
        assert (body["count"], len(body["turned"]), len(body["systems"])) == (count, count, 2)
