"""Capacity: what is computed by hand, by queueing theory, and what grows with what."""

from dataclasses import replace

import pytest

from benchmarks import capacity
from benchmarks.capacity import MEASURED, Machines, machines_for, simulate, verdicts_table

COSTS = replace(MEASURED, sheet_web=0.06, sheet_database=0.006)


class TestMachinesFor:
    def test_leaves_two_fifths_of_each_core_free(self) -> None:
        # 100 sheets a second take 6 s and 0.6 s of cores: 10 and 1 of them are six tenths at work.
        assert machines_for(raters=1_000, seconds_a_sheet=10.0, costs=COSTS) == Machines(web=10, database=1)

    def test_is_never_less_than_one(self) -> None:
        assert machines_for(raters=1, seconds_a_sheet=20.0, costs=COSTS) == Machines(web=1, database=1)


class TestSimulate:
    def test_one_rater_waits_for_nobody(self) -> None:
        came = simulate(raters=1, seconds_a_sheet=1.0, machines=Machines(1, 1), costs=COSTS, seconds=4_000)
        assert came.sheets == pytest.approx(1 / 1.066, rel=0.05)
        assert came.web_share == pytest.approx(0.06 / 1.066, rel=0.05)

    def test_too_many_raters_get_what_the_web_processes_can_do(self) -> None:
        came = simulate(raters=500, seconds_a_sheet=1.0, machines=Machines(2, 4), costs=COSTS, seconds=300)
        assert came.sheets == pytest.approx(2 / 0.06, rel=0.05)
        assert came.web_share == pytest.approx(1.0, rel=0.03)
        # Little's law: all raters think or wait, so they wait for 500 / 33.3 - 1 seconds on average.
        assert came.p95 > 1_000 * (500 * 0.06 / 2 - 1)

    def test_many_raters_on_one_machine_are_a_queue_of_theory(self) -> None:
        # M/M/1 at ρ = 0.6: times are exponential with a mean of 60 / (1 - 0.6) ms, p95 is three times that.
        costs = replace(COSTS, sheet_database=1e-9)
        came = simulate(
            raters=2_000, seconds_a_sheet=200.0, machines=Machines(1, 1), costs=costs, seconds=6_000
        )
        assert came.p95 == pytest.approx(2.996 * 60 / 0.4, rel=0.1)


class TestTables:
    def test_have_a_cell_for_every_heading(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(capacity, "RATERS", (10,))
        for table in (capacity.raters_table, capacity.verdicts_table, capacity.studies_table):
            assert len({line.count("|") for line in table(MEASURED).splitlines()}) == 1

    def test_of_verdicts_ends_at_a_billion(self) -> None:
        rows = verdicts_table(MEASURED).splitlines()[2:]
        last = [cell.strip() for cell in rows[-1].split("|")]
        assert last[1] == "10^9"
        assert float(last[5].replace(",", "")) == pytest.approx(MEASURED.verdict_bytes, rel=0.01)
