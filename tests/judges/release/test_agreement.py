"""Raters' agreement as the report prints it."""

from dataclasses import replace

from analysis.intervals import Figure, Undefined, Why
from annotation.agreement.rules.votes import LabelView
from common.figures import DASH, WHY
from judges.release.rules.report import agreement_rows
from tests.judges.release.test_methods import agreement, preset

ORDINAL = "Krippendorff’s α, ordinal"


class TestAgreementRows:
    def test_the_ordinal_coefficient_stands_where_labels_have_an_order(self) -> None:
        flat = agreement()
        assert ORDINAL not in [row.name for row in agreement_rows(flat, preset("openqa-eval"))]
        ordered = replace(flat, label_views=tuple(LabelView))
        rows = {row.name: row for row in agreement_rows(ordered, preset("efficientqa"))}
        assert rows[ORDINAL].value == "0.800 (0.700–0.900)"

    def test_each_label_has_its_share_of_the_votes(self) -> None:
        report = replace(
            agreement(),
            distribution={"correct": 1500, "incorrect": 500, "missing": 0},
            label_shares={
                "correct": Figure(0.75, 0.7, 0.8),
                "incorrect": Figure(0.25, why=Why.TOO_FEW_QUESTIONS),
                "missing": Figure(0.0, 0.0, 0.01),
            },
        )
        assert [tuple(row) for row in agreement_rows(report, preset("openqa-eval"))[-3:]] == [
            ("“Correct” as a share of votes", "75.0% (70.0–80.0)", "1,500 of 2,000 votes"),
            (
                "“Incorrect” as a share of votes",
                "25.0%",
                f"500 of 2,000 votes. {WHY[Why.TOO_FEW_QUESTIONS]}",
            ),
            ("Missing votes as a share of votes", "0.0% (0.0–1.0)", "0 of 2,000 votes"),
        ]

    def test_without_votes_no_label_has_a_share(self) -> None:
        nobody = replace(agreement(value=Undefined(Why.NO_TWO_VOTES)), distribution={"correct": 0})
        rows = agreement_rows(nobody, None)
        assert {(row.value, row.remark) for row in rows} == {(DASH, WHY[Why.NO_TWO_VOTES])}
