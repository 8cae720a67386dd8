"""What reproducing prints: each printed cell beside its figure, and every number that --json has."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.projects.models import Project
from commands.reproduction import published
from commands.reproduction.printing import figure_lines, lines_of_reproduction
from commands.reproduction.published import Cell, compare_cells, lines_of_published, taus_of_cells
from commands.reproduction.steps import report_of
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import Decider

NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.just("x")
)
NAMED = st.dictionaries(st.sampled_from(["name", "key", "n", "score", "interval"]), LEAVES, min_size=1)
REPORTS = st.dictionaries(
    st.sampled_from(["systems", "judges", "pooled", "n", "low"]),
    st.one_of(LEAVES, NAMED, st.lists(NAMED, max_size=3), st.lists(st.floats(0, 1), max_size=3)),
)


def numbers_of(value: Any) -> Iterator[float]:
    """Yield every number of a report, however deep."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from numbers_of(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def printed(lines: Iterator[str]) -> set[float]:
    return {float(word) for line in lines for word in NUMBER.findall(line)}


def as_printed(number: float) -> float:
    return float(number if isinstance(number, int) else f"{number:.6g}")


class TestEveryNumber:
    @given(report=REPORTS)
    def test_of_any_report_stands_in_the_text(self, report: dict[str, Any]) -> None:
        assert {as_printed(number) for number in numbers_of(report)} <= printed(figure_lines(report))

    def test_of_a_study_stands_in_the_text(self, study: Project, decide: Decider) -> None:
        decide("Paris", "correct")
        compared = compare_cells([Cell("table", "a", "em", 12.5)], {("table", "a", "em"): 12.48})
        report = json.loads(
            json.dumps(
                {**report_of(study), "published": [each._asdict() for each in compared]}, allow_nan=False
            )
        )
        wanted = {as_printed(number) for number in numbers_of(report)}
        assert len(wanted) > 10
        assert wanted <= printed(lines_of_reproduction(report))


class TestEntireData:
    def test_scores_that_are_mostly_exact_match_say_so_in_their_line(
        self, study: Project, decide: Decider, exact_match: JudgeRun
    ) -> None:
        decide("Paris", "correct")
        lines = list(lines_of_reproduction({**report_of(study), "published": []}))
        own = [line for line in lines if "entire [" in line and " scores human" in line]
        filled = [line for line in own if " scores human_decided" not in line]
        assert len(filled) == 2
        assert all(
            "(people decided " in line and "%; the rest is scored by exact match)" in line for line in filled
        )
        assert not any("the rest is" in line for line in lines if line not in filled)


class TestPublished:
    @pytest.mark.parametrize(
        ("computed", "equal"), [(45.85, True), (45.954, True), (45.96, False), (45.84, False), (46.5, False)]
    )
    def test_a_cell_is_equal_at_its_printed_precision(self, computed: float, equal: bool) -> None:
        cell = Cell("t", "a", "em", 45.9, why="another file")
        (row,) = compare_cells([cell], {("t", "a", "em"): computed})
        assert (row.is_equal, row.why) == (equal, "" if equal else "another file")

    def test_a_cell_that_the_files_do_not_give_says_so(self) -> None:
        (row,) = compare_cells([Cell("t", "a", "em", 45.9)], {})
        assert (row.computed, row.is_equal, row.why) == (None, False, "not available from these files")

    def test_the_text_has_the_cell_the_figure_and_the_cause(self) -> None:
        cell = Cell("t", "a", "em", 45.9, why="another file")
        lines = lines_of_published(compare_cells([cell], {("t", "a", "em"): 41.25}))
        assert "0 of 1" in lines[1]
        assert lines[-1].split() == ["t,", "a,", "em", "45.9", "41.25", "differs:", "another", "file"]

    def test_from_the_printed_cells_tau_is_the_printed_one(self) -> None:
        found = {measure: tau and round(tau, 2) for measure, tau in taus_of_cells().items()}
        assert found == published.NQ_TAU

    def test_every_cell_stands_once(self) -> None:
        for cells in (published.cells_of_nq301(), *published.EVOUNA.values()):
            places = [cell[:3] for cell in cells]
            assert len(places) == len(set(places))
