"""Raters under load: what is counted, what stands beside it, and that nothing is judged too often."""

from argparse import Namespace
from pathlib import Path
from typing import Any

import pytest

from benchmarks.raters import http_judging
from benchmarks.raters.load import Measured, Plan, Refused, random_label, work
from benchmarks.raters.platforms import NQ301, read_items
from benchmarks.raters.reports import Row, table, write_between


class Rater:
    """Judges two answers a sheet of the few there are, and is refused once."""

    def __init__(self, _connection: object, person: dict[str, Any]) -> None:
        self.left = person["sheets"]
        self.is_refused = False

    def open(self) -> None:
        """Take nothing."""

    def hand_in(self) -> int:
        if not self.is_refused:
            self.is_refused = True
            raise Refused("503")
        self.left -= 1
        return 2

    def prepare(self) -> None:
        """Hold nothing."""

    def is_done(self) -> bool:
        return bool(self.left == 0)


class TestWork:
    def test_ends_where_nothing_is_left_and_counts_what_was_refused(self) -> None:
        plan = Plan(
            __name__, "http://nowhere", [{"headers": {}, "sheets": 3}], seconds=60, warm_up_seconds=60
        )
        measured = work(plan)
        assert measured.ran_out
        assert measured.errors == {"503": 1}

    def test_labels_of_two_raters_are_mostly_equal(self) -> None:
        said = [[random_label(("a", "b"), str(of), rater) for of in range(400)] for rater in (0, 1)]
        assert 0.8 < sum(map(str.__eq__, *said)) / 400 < 1


class TestItems:
    @pytest.mark.parametrize("single", [True, False])
    def test_are_as_many_answers_as_asked_for_and_no_question_twice(self, *, single: bool) -> None:
        items = read_items(4_000, single=single)
        assert sum(len(item.answers) for item in items) == 4_000
        assert len({item.question for item in items}) == len(items)

    @pytest.mark.skipif(not NQ301.is_file(), reason="needs ../shared/data")
    def test_of_nq301_are_its_301_questions(self) -> None:
        assert len(read_items(1_490, single=False)) == 301


def make_row(platform: str, judgments: int, *, database: str = "sqlite", raters: int = 8) -> Row:
    measured = Measured(10.0, judgments, 20, [1.0, 3.0], 1.0, ran_out=False)
    return Row(platform, database, 1_490, "single", raters, 0.0, measured, 5.0, 1.0, 2.0, over=0)


class TestRow:
    def test_stands_beside_the_peer_on_its_database_with_as_many_raters(self) -> None:
        others = [
            make_row("Peer", 50),
            make_row("Peer", 10, database="postgresql"),
            make_row("Peer", 1, raters=64),
        ]
        assert make_row("Assay", 100).ratios(others) == {"Peer": 2.0}
        assert make_row("Peer", 100).ratios(others) == {}

    def test_table_has_ratios_first(self) -> None:
        rows = [make_row("Peer", 50), make_row("Assay", 100)]
        assert table(rows, command="x").splitlines()[-1].startswith("| 2.0 | Assay | sqlite | 1,490 |")


class TestWriteBetween:
    def test_replaces_what_is_between_the_marks_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "document.md"
        path.write_text("a\n<!-- one -->\nold\n<!-- /one -->\nb\n", encoding="utf-8")
        write_between(path, mark="one", text="new")
        assert path.read_text(encoding="utf-8") == "a\n<!-- one -->\nnew\n<!-- /one -->\nb\n"
        with pytest.raises(ValueError, match="no place marked two"):
            write_between(path, mark="two", text="new")


@pytest.mark.prove
def test_judges_on_a_real_server_and_nothing_too_often(tmp_path: Path) -> None:
    asked = Namespace(
        databases=["sqlite"], raters=[4], think=[0.0], answers=[150], sheets=["nq"], peers=[], seconds=2.0
    )
    (row,) = http_judging._measure_on("sqlite", tmp_path, asked)
    assert row.measured.judgments > 0
    assert row.measured.errors == {}
    assert row.over == 0
