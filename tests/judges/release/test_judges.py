"""Judges beside people as the report prints them."""

from analysis.intervals import Figure, Undefined, Why
from judges.release.rules.report import lay_out_judges
from tests.judges.release.test_methods import COUNTS, FIGURES, JUDGE


class TestLayOutJudges:
    def test_every_figure_has_its_interval(self) -> None:
        below_zero = {**FIGURES, "kendall_tau_b": Figure(0.5, -0.25, 0.75)}
        table = lay_out_judges([JUDGE._replace(figures=below_zero)])
        assert table.names == [
            "Accuracy", "Coverage", "Precision", "Recall", "Macro-F1", "Cohen’s κ", "Kendall’s τ-b",
        ]  # fmt: skip
        (line,) = table.lines
        assert (line.name, line.counts) == ("BEM", COUNTS)
        assert line.figures[0] == ("83.0%", "75.0–90.0")
        assert {figure.bounds for figure in line.figures[:5]} == {"75.0–90.0"}
        assert line.figures[5:] == [("0.70", "0.75–0.90"), ("0.50", "−0.25 to 0.75")]
        assert table.remarks == []

    def test_what_has_no_interval_says_why(self) -> None:
        judge = JUDGE._replace(
            figures={
                **FIGURES,
                "recall": Figure(0.8, why=Why.TOO_FEW_QUESTIONS),
                "cohen_kappa": Figure(0.7, why=Why.TOO_FEW_QUESTIONS),
                "kendall_tau_b": Figure.of(Undefined(Why.NO_RANKING), Undefined(Why.TAU_HAS_NONE)),
            },
        )
        table = lay_out_judges([judge])
        assert table.lines[0].figures[3].bounds == ""
        assert table.lines[0].figures[-1] == ("–", "")
        assert table.remarks == [
            "BEM (Recall; Cohen’s κ): An interval needs at least two questions.",
            "BEM (Kendall’s τ-b): This judge has no scores for the systems.",
        ]
