"""Where the lines of the report's charts stand."""

from judges.release.rules.report import Line, Mark, lay_out


class TestLayOut:
    def test_shares_stand_on_one_scale(self) -> None:
        chart = lay_out([Line("A", (Mark("main", 0.5, 0.4, 0.6), Mark("other", 0.0))), Line("B", ())])
        (line,) = chart.lines
        assert [tick.x for tick in chart.ticks] == [250.0, 340.0, 430.0, 520.0, 610.0, 700.0]
        assert (line.marks[0].low, line.marks[0].x, line.marks[0].high) == (430.0, 475.0, 520.0)
        assert (line.start, line.end, line.text, line.y) == (250.0, 475.0, "50.0", 38.0)
        assert (chart.top, chart.bottom, chart.height) == (26, 50, 98)

    def test_a_long_name_is_cut_in_the_picture_only(self) -> None:
        (line,) = lay_out([Line("x" * 80, (Mark("main", 1.0),))]).lines
        assert line.label == "x" * 35 + "…"

    def test_nothing_has_an_empty_chart(self) -> None:
        assert lay_out([]).lines == ()
