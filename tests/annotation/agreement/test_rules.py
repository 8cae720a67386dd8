"""How far the first-round raters agree, on plain values."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.intervals import Figure, Why
from analysis.raters import agreement
from analysis.raters.agreement import MissingVotes
from annotation.agreement.rules.measures import measure_agreement, to_json
from annotation.agreement.rules.slices import group_rows, length_band, measure_slices, question_type
from annotation.agreement.rules.votes import (
    FirstRound,
    LabelView,
    disagreeing_items,
    first_turns,
    offered_views,
)
from annotation.projects.rules import Credit
from common.figures import WHY


def first_round(votes: list[list[int]], **changes: Any) -> FirstRound:
    array = np.array(votes, dtype=np.int64).reshape(len(votes), -1 if votes else 2)
    usual = FirstRound(
        votes=array,
        raters=np.broadcast_to(np.arange(array.shape[1]), array.shape),
        items=np.arange(100, 100 + len(votes)),
        questions=np.arange(len(votes)) // 2,
        labels=("correct", "incorrect"),
        names=("R-1", "R-2", "R-3"),
        correct=0,
        incorrect=1,
    )
    return usual._replace(**changes)


# Four agree, one differs, one was passed over by the second rater.
VOTES = [[0, 0], [0, 0], [1, 1], [1, 1], [0, 1], [0, -1]]


def without_ends(figures: dict[str, Figure]) -> dict[str, Figure]:
    return {name: Figure(of.value, why=of.why if of.value is None else None) for name, of in figures.items()}


class TestMeasureAgreement:
    @pytest.mark.parametrize(
        ("rule", "items", "disagreements", "observed"),
        [
            (MissingVotes.OWN_CATEGORY, 6, 2, 4 / 6),
            (MissingVotes.DROP, 5, 1, 4 / 5),
            (MissingVotes.AS_INCORRECT, 6, 2, 4 / 6),
            (MissingVotes.AS_CORRECT, 6, 1, 5 / 6),
        ],
    )
    def test_each_rule_counts_missing_votes_in_its_way(
        self, rule: MissingVotes, items: int, disagreements: int, observed: float
    ) -> None:
        report = measure_agreement(first_round(VOTES), rule=rule)
        assert (report.items, report.disagreements) == (items, disagreements)
        assert report.figures["observed_agreement"].value == pytest.approx(observed)

    def test_a_missing_vote_is_named_in_the_distribution(self) -> None:
        report = measure_agreement(first_round(VOTES), rule=MissingVotes.OWN_CATEGORY)
        assert report.distribution == {"correct": 6, "incorrect": 5, "missing": 1}

    @pytest.mark.parametrize("rule", list(MissingVotes))
    def test_where_no_vote_is_missing_no_rule_for_missing_votes_changes_anything(
        self, rule: MissingVotes
    ) -> None:
        # Hardly better than chance: each of two raters says which label at random but for one in five.
        generator = np.random.default_rng(4)
        right = generator.integers(0, 2, 400)
        votes = np.where(generator.random((400, 2)) < 0.6, right[:, np.newaxis], 1 - right[:, np.newaxis])
        report = measure_agreement(first_round(votes.tolist()), rule=rule)
        dropped = measure_agreement(first_round(votes.tolist()), rule=MissingVotes.DROP)
        assert report.figures == dropped.figures
        assert report.ac1_labels == 2

    def test_ac1_counts_a_vote_that_was_not_given_as_a_label_where_there_is_one(self) -> None:
        report = measure_agreement(first_round(VOTES), rule=MissingVotes.OWN_CATEGORY)
        # Shares 6, 5 and 1 of 12: chance is half of the sum of p (1 - p), as three labels are counted.
        chance = (6 * 6 + 5 * 7 + 1 * 11) / 144 / 2
        assert report.figures["gwet_ac1"].value == pytest.approx((4 / 6 - chance) / (1 - chance))
        assert report.ac1_labels == 3
        assert measure_agreement(first_round(VOTES), rule=MissingVotes.DROP).ac1_labels == 2

    def test_every_interval_holds_its_value(self) -> None:
        report = measure_agreement(first_round(VOTES * 20), rule=MissingVotes.OWN_CATEGORY)
        for figure in report.figures.values():
            assert figure.value is not None
            assert figure.interval is not None
            assert figure.interval[0] <= figure.value <= figure.interval[1]

    def test_a_pair_has_its_own_kappa(self) -> None:
        report = measure_agreement(first_round(VOTES), rule=MissingVotes.DROP)
        (pair,) = report.pairs
        assert (pair.a, pair.b, pair.items) == ("R-1", "R-2", 5)
        assert pair.figures["cohen_kappa"].value == report.figures["cohen_kappa"].value

    def test_with_many_pairs_cohens_interval_is_refused_in_words(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(agreement, "MOST_PAIRS", 0)
        report = measure_agreement(first_round(VOTES), rule=MissingVotes.DROP)
        kappa = report.figures["cohen_kappa"]
        assert (kappa.interval, kappa.why) == (None, Why.TOO_MANY_PAIRS)

    def test_intervals_are_left_out_where_they_are_not_wanted(self) -> None:
        report = measure_agreement(first_round(VOTES), rule=MissingVotes.DROP, with_intervals=False)
        whole = measure_agreement(first_round(VOTES), rule=MissingVotes.DROP)
        pairs = [replace(pair, figures=without_ends(pair.figures)) for pair in whole.pairs]
        assert report == replace(
            whole,
            figures=without_ends(whole.figures),
            pairs=pairs,
            label_shares=without_ends(whole.label_shares),
            band=report.band,
        )

    def test_a_missing_vote_has_no_place_in_the_order_of_labels(self) -> None:
        with_missing = measure_agreement(first_round(VOTES), rule=MissingVotes.OWN_CATEGORY)
        without = measure_agreement(first_round(VOTES), rule=MissingVotes.DROP)
        ordinal = "krippendorff_alpha_ordinal"
        assert with_missing.figures[ordinal].value == pytest.approx(without.figures[ordinal].value)

    def test_two_labels_have_no_more_order_than_none(self) -> None:
        figures = measure_agreement(first_round(VOTES), rule=MissingVotes.DROP).figures
        ordinal, nominal = (figures[f"krippendorff_alpha{kind}"].value for kind in ("_ordinal", ""))
        assert ordinal == pytest.approx(nominal)

    def test_a_kappa_that_is_low_because_a_label_is_rare_is_marked(self) -> None:
        rare = [[0, 0]] * 94 + [[0, 1]] * 3 + [[1, 0]] * 3
        report = measure_agreement(first_round(rare), rule=MissingVotes.DROP)
        assert (report.is_paradox, report.pairs[0].is_paradox) == (True, True)
        assert not measure_agreement(first_round(VOTES * 20), rule=MissingVotes.DROP).is_paradox

    def test_votes_that_were_never_owed_are_not_filled(self) -> None:
        votes = first_round([[0, 0, -1], [1, 1, 1]], has_turns=False)
        report = measure_agreement(votes, rule=MissingVotes.OWN_CATEGORY)
        assert report.figures["observed_agreement"].value == 1.0
        assert report.distribution == {"correct": 2, "incorrect": 3}


class TestLabelView:
    THREE = {
        "labels": ("definitely_correct", "possibly_correct", "definitely_incorrect"),
        "credits": (Credit.DEFINITE, Credit.POSSIBLE, Credit.NONE),
        "correct": 0,
        "incorrect": 2,
    }
    MIXED = [[0, 0], [0, 1], [1, 2], [2, 2]]

    @pytest.mark.parametrize(
        ("view", "observed", "distribution"),
        [
            (
                LabelView.AS_LABELLED,
                0.5,
                {"definitely_correct": 3, "possibly_correct": 2, "definitely_incorrect": 3},
            ),
            (LabelView.DEFINITELY, 0.75, {"definitely_correct": 3, "not_definitely_correct": 5}),
            (LabelView.POSSIBLY, 0.75, {"possibly_correct_or_better": 5, "incorrect": 3}),
        ],
    )
    def test_labels_of_equal_worth_agree(
        self, view: LabelView, observed: float, distribution: dict[str, int]
    ) -> None:
        votes = first_round(self.MIXED, **self.THREE)
        report = measure_agreement(votes, rule=MissingVotes.DROP, view=view)
        assert report.figures["observed_agreement"].value == observed
        assert report.distribution == distribution

    def test_a_missing_vote_counts_as_incorrect_in_every_view(self) -> None:
        votes = first_round([[2, -1], [0, -1]], **self.THREE)
        for view in LabelView:
            report = measure_agreement(votes, rule=MissingVotes.AS_INCORRECT, view=view)
            assert report.figures["observed_agreement"].value == 0.5

    def test_three_views_only_where_a_label_is_worth_something_between(self) -> None:
        two = first_round(VOTES, credits=(Credit.DEFINITE, Credit.NONE))
        assert offered_views(two) == (LabelView.AS_LABELLED,)
        assert offered_views(first_round(self.MIXED, **self.THREE)) == tuple(LabelView)

    def test_two_labels_are_read_as_labelled_in_every_view(self) -> None:
        two = first_round(VOTES, credits=(Credit.DEFINITE, Credit.NONE))
        report = measure_agreement(two, rule=MissingVotes.DROP, view=LabelView.POSSIBLY)
        assert report.figures == measure_agreement(two, rule=MissingVotes.DROP).figures


class TestMeasureSlices:
    def test_parts_that_hold_all_answers_once_add_up(self) -> None:
        votes = first_round(VOTES)
        parts = {"first": np.array([0, 1, 2]), "rest": np.array([3, 4, 5])}
        first, rest = measure_slices(
            votes, parts, rule=MissingVotes.DROP, view=LabelView.AS_LABELLED, with_intervals=False
        )
        whole = measure_agreement(votes, rule=MissingVotes.DROP)
        assert (first.name, rest.name) == ("first", "rest")
        assert first.items + rest.items == whole.items
        assert first.disagreements + rest.disagreements == whole.disagreements

    def test_a_part_of_everything_is_the_whole(self) -> None:
        votes = first_round(VOTES)
        (part,) = measure_slices(
            votes,
            {"all": np.arange(len(VOTES))},
            rule=MissingVotes.OWN_CATEGORY,
            view=LabelView.AS_LABELLED,
            with_intervals=True,
        )
        whole = vars(measure_agreement(votes, rule=MissingVotes.OWN_CATEGORY))
        assert vars(part) == {"name": "all"} | {name: whole[name] for name in vars(part) if name != "name"}


class TestQuestionType:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("Who sang it, and when?", "who"),
            ("in which year did it end", "which"),
            ("How many people live there?", "how many or how much"),
            ("how did it end", "how"),
            ("Whose house is this", "who"),
            ("name the capital of france", "no question word"),
            ("somewhere over the rainbow singer", "no question word"),
            ("", "no question word"),
        ],
    )
    def test_is_the_first_wh_word(self, text: str, expected: str) -> None:
        assert question_type(text) == expected


class TestLengthBand:
    @pytest.mark.parametrize(
        ("words", "band"),
        [(0, "no words"), (1, "1 word"), (2, "2 to 5 words"), (5, "2 to 5 words"), (6, "6 to 15 words"),
         (15, "6 to 15 words"), (16, "16 words or more")],
    )  # fmt: skip
    def test_counts_white_space_words(self, words: int, band: str) -> None:
        assert length_band(" ".join(["word"] * words)) == band


class TestGroupRows:
    def test_names_stand_in_their_natural_order_and_nobody_is_in_none(self) -> None:
        grouped = group_rows(["16 words", "2 to 5 words", None, "1 word", "2 to 5 words"])
        assert {name: rows.tolist() for name, rows in grouped.items()} == {
            "1 word": [3],
            "2 to 5 words": [1, 4],
            "16 words": [0],
        }
        assert list(grouped) == ["1 word", "2 to 5 words", "16 words"]


class TestToJson:
    def test_without_votes_every_figure_is_null_with_its_reason(self) -> None:
        form = to_json(measure_agreement(first_round([]), rule=MissingVotes.OWN_CATEGORY))
        assert form["fleiss_kappa"] is None
        assert form["words"]["fleiss_kappa"] == WHY[Why.NO_TWO_VOTES]
        assert form["interval"]["fleiss_kappa"] is None
        assert (form["items"], form["pairs"], form["band"]) == (0, [], "")

    def test_one_label_leaves_percent_and_undefines_kappa(self) -> None:
        form = to_json(measure_agreement(first_round([[0, 0]] * 4), rule=MissingVotes.DROP))
        assert (form["observed_agreement"], form["fleiss_kappa"]) == (1.0, None)
        assert form["words"]["fleiss_kappa"] == WHY[Why.ONE_LABEL]
        assert form["pairs"][0]["words"]["cohen"] == WHY[Why.ONE_LABEL]

    def test_one_rater_an_answer_has_no_agreement(self) -> None:
        form = to_json(measure_agreement(first_round([[0], [1]]), rule=MissingVotes.DROP))
        assert form["words"]["observed_agreement"] == WHY[Why.NO_TWO_VOTES]
        assert form["words"]["cohen_kappa"] == WHY[Why.NO_TWO_VOTES]


class TestDisagreeingItems:
    @pytest.mark.parametrize(
        ("rule", "items"),
        [
            (MissingVotes.OWN_CATEGORY, [104, 105]),
            (MissingVotes.DROP, [104]),
            (MissingVotes.AS_INCORRECT, [104, 105]),
            (MissingVotes.AS_CORRECT, [104]),
        ],
    )
    def test_a_missing_vote_differs_as_the_rule_says(self, rule: MissingVotes, items: list[int]) -> None:
        found = disagreeing_items(first_round(VOTES), rule=rule, view=LabelView.AS_LABELLED)
        assert found == items

    @pytest.mark.parametrize("rule", MissingVotes)
    @pytest.mark.parametrize("view", LabelView)
    @pytest.mark.parametrize("has_turns", [True, False])
    def test_as_many_as_a_report_counts(self, rule: MissingVotes, view: LabelView, has_turns: bool) -> None:
        votes = np.random.default_rng(7).integers(-1, 3, (200, 3)).tolist()
        worth = (Credit.DEFINITE, Credit.POSSIBLE, Credit.NONE)
        labels = ("definitely", "possibly", "incorrect")
        given = first_round(votes, labels=labels, credits=worth, incorrect=2, has_turns=has_turns)
        report = measure_agreement(given, rule=rule, view=view, with_intervals=False)
        found = disagreeing_items(given, rule=rule, view=view)
        assert len(found) == len(set(found)) == report.disagreements > 0


class TestFirstTurns:
    def test_an_item_that_still_waits_for_a_rater_is_left_out(self) -> None:
        turns = first_turns(items=np.array([4, 4, 7, 9, 9, 9]), raters_per_item=2)
        assert turns.tolist() == [[0, 1], [3, 4]]

    def test_nobody_had_a_turn(self) -> None:
        assert first_turns(items=np.zeros(0, dtype=np.int64), raters_per_item=2).shape == (0, 2)
