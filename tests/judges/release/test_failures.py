"""A failure board as the report prints it."""

from dataclasses import replace

from django.conf import settings

from analysis.intervals import Figure, Why
from judges.comparison.rules.failures import Board, BoardCell, BoardFigures, BoardKind, BoardLine
from judges.release.rules.report import WORDS, has_figures, lay_out_board

RATE = Figure(0.25, 0.1, 0.5)
NOTHING = Figure(None, why=Why.NOTHING_SAMPLED)
BOARD = Board(
    rows=[BoardLine("list", "List"), BoardLine("bridging", "Bridging")],
    columns=[
        BoardFigures("em", "Exact match", 3, 2, 2, 1, 4, RATE),
        BoardFigures("bem", "BEM", 0, 0, 0, 0, 4, NOTHING),
    ],
    cells=[
        BoardCell("list", "em", 1, 2, Figure(0.5, 0.0, 1.0)),
        BoardCell("list", "bem", 0, 0, NOTHING),
        BoardCell("bridging", "em", 0, 2, Figure(0.0, 0.0, 0.0)),
        BoardCell("bridging", "bem", 0, 0, NOTHING),
    ],
)


class TestLayOutBoard:
    def test_says_share_interval_and_counts(self) -> None:
        table = lay_out_board(BoardKind.MISSES, BOARD)
        assert table.columns == ["Exact match", "BEM"]
        assert [tuple(cell) for cell in table.rows[0].cells] == [
            ("50.0%", "0.0–100.0", "1 of 2"),
            ("–", "", ""),
        ]
        assert [cell.counts for cell in table.foot] == ["1 of 4", "0 of 4"]

    def test_no_count_stands_beside_a_weighted_share(self) -> None:
        table = lay_out_board(BoardKind.MISSES, BOARD, weighed=True)
        assert [cell.counts for cell in table.foot] == ["weighted, from 4", "weighted, from 4"]

    def test_leaves_out_tags_that_nobody_gave(self) -> None:
        assert [row.name for row in lay_out_board(BoardKind.MISSES, BOARD).rows] == ["List"]

    def test_keeps_rows_of_which_a_judge_repairs_none(self) -> None:
        rows = lay_out_board(BoardKind.REPAIRS, BOARD).rows
        assert [(row.name, row.cells[0].counts) for row in rows] == [
            ("List", "1 of 2"),
            ("Bridging", "0 of 2"),
        ]

    def test_has_figures_without_tags_where_a_column_has_a_rate(self) -> None:
        untagged = replace(BOARD, rows=[], cells=[])
        assert has_figures(untagged)
        assert not has_figures(Board([], [], []))
        empty = [replace(BOARD.columns[1], base=0)]
        assert not has_figures(replace(untagged, columns=empty))

    def test_has_words_for_every_board(self) -> None:
        assert all(lay_out_board(kind, BOARD).words.name for kind in BoardKind)

    def test_says_of_each_board_what_its_page_says(self) -> None:
        page = (settings.BASE_DIR / "frontend/src/features/failures/board-words.ts").read_text("utf-8")
        for kind, words in WORDS.items():
            own = page.split(f'value: "{kind}"')[1].split("value: ")[0]
            # The page may go on where the report ends.
            assert f'name: "{words.name}"' in own
            assert f'"{words.about.replace("The table shows", "The chart shows")}' in own
            assert f'rate: "{words.rate}"' in own
