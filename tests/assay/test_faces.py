"""What other programs import: judges and agreement, without Django."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa as fleiss_kappa_of_statsmodels

from assay import agreement, judges

ROOT = Path(__file__).resolve().parent.parent.parent


class TestWithoutDjango:
    def test_nothing_of_it_is_loaded(self, tmp_path: Path) -> None:
        program = (
            "import sys\n"
            "from assay.judges import exact_match, fuzzy_match, load_judge, JudgeInput, token_f1\n"
            "from assay.agreement import cohen_kappa, fleiss_kappa\n"
            "load_judge('fuzzy_match_guarded').judge([JudgeInput('who?', 'me', ('me',))])\n"
            "print(token_f1('in 1912', ['1912']), fleiss_kappa([['a', 'a'], ['b', 'b']]))\n"
            "print([name for name in sys.modules if name.split('.')[0] in ('django', 'celery', 'config')])"
        )
        done = subprocess.run(
            [sys.executable, "-c", program],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.splitlines() == [f"{2 / 3} 1.0", "[]"]


class TestJudges:
    def test_compare_one_answer_with_gold_answers(self) -> None:
        assert judges.exact_match("The Beatles!", ["beatles"])
        assert not judges.exact_match("Beatles", [])
        assert judges.token_f1("in 1912", ["1912", "May"]) == pytest.approx(2 / 3)
        assert judges.containment("born in 1912", ["1912"])
        assert judges.containment("born in 1912b", ["1912"])
        assert not judges.containment("born in 1912b", ["1912"], whole_words=True)
        assert judges.fuzzy_match("Obame", iter(["Obama"])) == 80.0
        assert judges.regex_match("On 4 May", [r"\d May"])

    def test_a_pattern_that_cannot_be_tried_is_no_no(self) -> None:
        with pytest.raises(judges.JudgeFailed):
            judges.regex_match("a", ["(?=b)a("])

    def test_are_made_and_signed_by_their_key(self) -> None:
        judge = judges.load_judge("token_f1", threshold=0.6)
        (verdict,) = judge.judge([judges.JudgeInput("when?", "in 1912", ("1912",))])
        assert verdict.accepted is True
        assert verdict.score == pytest.approx(2 / 3)
        assert judges.sign_judge("token_f1", threshold=0.6) == "judge:token_f1|threshold:0.6|revision:1"

    def test_those_that_need_a_study_are_not_listed(self) -> None:
        keys = {entry.key for entry in judges.list_judges()}
        assert {"exact_match", "learned"} <= keys
        assert not {"llm", "jury", "recorded"} & keys

    @pytest.mark.parametrize("key", ["oracle", "llm"])
    def test_others_are_refused(self, key: str) -> None:
        with pytest.raises(LookupError, match="Use one of: exact_match"):
            judges.load_judge(key)


RATINGS = [["a", "a", "b"], ["b", "b", "b"], ["a", "b", "c"], ["c", "c", "c"], ["a", "a", "a"]]


class TestAgreement:
    def test_equals_independent_implementations(self) -> None:
        counts = np.array([[row.count(label) for label in "abc"] for row in RATINGS])
        assert agreement.fleiss_kappa(RATINGS) == pytest.approx(fleiss_kappa_of_statsmodels(counts))
        first, second = [row[0] for row in RATINGS], [row[1] for row in RATINGS]
        assert agreement.cohen_kappa(first, second) == pytest.approx(cohen_kappa_score(first, second))

    def test_krippendorffs_alpha_equals_the_package_of_that_name(self) -> None:
        import krippendorff

        ratings = [[1, 1, None], [2, 3, 3], [3, 3, 3], [1, 2, 1], [None, 2, 2]]
        table = [[math.nan if vote is None else vote for vote in row] for row in zip(*ratings, strict=True)]
        for level, ordinal in (("nominal", False), ("ordinal", True)):
            theirs = krippendorff.alpha(reliability_data=table, level_of_measurement=level)
            ours = agreement.krippendorff_alpha(ratings, labels=[1, 2, 3], ordinal=ordinal)
            assert ours == pytest.approx(theirs)

    def test_labels_that_nobody_chose_count_for_ac1(self) -> None:
        pairs = [["yes", "yes"], ["yes", "no"]]
        assert agreement.observed_agreement(pairs) == 0.5
        # Shares 3/4 and 1/4: expected agreement 3/8 with two labels, 3/16 with three.
        assert agreement.gwet_ac1(pairs) == pytest.approx((0.5 - 3 / 8) / (5 / 8))
        assert agreement.gwet_ac1(pairs, labels=["yes", "no", "?"]) == pytest.approx(
            (0.5 - 3 / 16) / (13 / 16)
        )

    @pytest.mark.parametrize("ratings", [[], [["a", None]], [["a", "a"], ["a", "a"]], [[]]])
    def test_what_is_not_defined_is_nan(self, ratings: agreement.Ratings) -> None:
        assert math.isnan(agreement.fleiss_kappa(ratings))

    def test_refuses_what_is_no_table(self) -> None:
        with pytest.raises(ValueError, match="for each annotator"):
            agreement.fleiss_kappa([["a", "b"], ["a"]])
        with pytest.raises(ValueError, match="'x' is not one of the labels"):
            agreement.gwet_ac1([["x", "y"]], labels=["y"])
        with pytest.raises(ValueError, match="order of the labels"):
            agreement.krippendorff_alpha([["x", "y"]], ordinal=True)
