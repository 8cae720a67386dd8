"""Failure boards: what goes wrong by tag or length, beside judges, systems or labels."""

from judges.comparison.rules.failures.board import Board, Cell, Cut, Figures, Row, measure_cut
from judges.comparison.rules.failures.cuts import (
    Answers,
    JudgeSaid,
    SystemGave,
    Tagged,
    cut_by_credit,
    cut_errors,
    cut_misses,
    cut_repairs,
    cut_unattributable,
    cut_wrong,
)
from judges.comparison.rules.failures.drawing import Known, cells_of, could_draw
from judges.comparison.rules.failures.kinds import BoardKind, subjects_of, usual_set
from judges.comparison.rules.failures.lengths import Bands, Given, cut_lengths, usual_bands
