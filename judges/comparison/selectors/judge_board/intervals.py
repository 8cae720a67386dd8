"""Read how sure judges' figures are: what takes resampling, apart from the points."""

from typing import NamedTuple

from analysis.classification import code_rows
from analysis.undefined import Undefined
from annotation.projects.models import Project
from common.memory import Memory, content_of
from judges.comparison.rules import Filter, Items
from judges.comparison.rules.judge_board.intervals import Intervals, bound_figures, count_cells
from judges.comparison.rules.study.arrays import Floats
from judges.comparison.selectors.judge_board.another_human import POOLED_KEY, HumanRow
from judges.comparison.selectors.judge_board.judged import Judged, judged_of
from judges.comparison.selectors.judge_board.judges import read_board_raters
from judges.comparison.selectors.leaderboard.standings import Scored, read_scored

TAU_HAS_NONE = (
    "τ has no interval that holds: chance in both rankings pulls it down. The leaderboard says how many of "
    "the pairs that people tell apart are in the same order."
)

_bounds: Memory[dict[str, Intervals]] = Memory(size=16)


class JudgeIntervals(NamedTuple):
    """The intervals of one row of the judge board, by the name of the figure."""

    key: str
    figures: Intervals


def read_judge_intervals(
    *, project: Project, scored: Scored | None = None, on_common: bool = False
) -> list[JudgeIntervals]:
    """Return for every judge and every rater of the board how sure each figure is.

    scored, on_common: as in `read_judge_rows`.
    """
    scored = scored or read_scored(project=project, wanted=Filter())
    judged = judged_of(scored)
    judged = judged.on_common if on_common else judged
    people = read_board_raters(project=project, judged=judged, on_common=on_common)
    counts = _judges(judged) | {row.column.key: _raters(row, judged.items) for row in people}
    names = frozenset(row.column.key for row in people)
    found = _bounds.get(
        (project.pk, tuple(counts)),
        state=tuple(content_of(cells) for cells in counts.values()),
        make=lambda: bound_figures(counts, people=names, pooled=POOLED_KEY),
    )
    return [
        JudgeIntervals(key, figures | ({} if on_common else {"kendall_tau_b": Undefined(TAU_HAS_NONE)}))
        for key, figures in found.items()
    ]


def _judges(judged: Judged) -> dict[str, Floats]:
    items, counted = judged.items, judged.counted
    questions = items.candidates.question[counted]
    found = {}
    for run in judged.runs:
        verdict = judged.said[run.id].verdict[counted]
        if (verdict >= 0).any():
            codes = code_rows(correct=judged.truth[counted], accepted=verdict == 1, scored=verdict >= 0)
            found[judged.columns[run.id].key] = count_cells(
                codes=codes,
                questions=questions,
                question_count=len(items.questions.ids),
                weights=judged.weights[counted],
            )
    return found


def _raters(row: HumanRow, items: Items) -> Floats:
    places = items.candidates.numbers(row.answers)
    # What was judged between two reads belongs to the next state.
    known = places >= 0
    return count_cells(
        codes=row.codes[known],
        questions=items.candidates.question[places[known]],
        question_count=len(items.questions.ids),
    )
