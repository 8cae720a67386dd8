"""Read how far each judge agrees with what people decided."""

from typing import NamedTuple

from analysis.undefined import Undefined, Value
from annotation.projects.models import Project
from judges.comparison.rules import Column, Filter
from judges.comparison.rules.judge_board.beside_people import Beside, human_errs, multiple_of, stand_beside
from judges.comparison.selectors.judge_board.another_human import POOLED_KEY, read_human_rows
from judges.comparison.selectors.judge_board.effort import Effort, read_efforts
from judges.comparison.selectors.judge_board.judged import Judged, judged_of
from judges.comparison.selectors.judge_board.scored_judge import has_scores
from judges.comparison.selectors.leaderboard.standings import Scored, leaderboard_of, read_scored

NO_RANKING = "This judge has no score for the systems."
PEOPLE = "People take what they take."


class JudgeRow(NamedTuple):
    """One judge against people, over the decided answers of the judged sample.

    A column of kind "human" is a rater (or all of them) against the other raters, and has no run.
    error_multiple: its error in units of another human's. has_scores: there is more than verdicts.
    """

    column: Column
    run: str
    beside: Beside
    error_multiple: Value
    kendall_tau_b: Value
    accepted_share: float
    correct_share: float
    effort: Effort
    has_scores: bool = False

    @property
    def bias(self) -> float:
        """By how much the accuracy it would report is off, over the answers it scored."""
        return self.accepted_share - self.correct_share


def read_judge_rows(*, project: Project, scored: Scored | None = None) -> list[JudgeRow]:
    """Return a row for every run with a verdict on a decided answer, then people against each other.

    Decided means by people: what verdicts settled would only tell that they agree with themselves. Every
    decided answer without a usable verdict is unscored. `scored` is what was read of the sample, read anew
    where it is not given.
    """
    scored = scored or read_scored(project=project, wanted=Filter())
    people = [(row.column, stand_beside(row.confusion)) for row in read_human_rows(project=project)]
    human = next((human_errs(each.confusion) for column, each in people if column.key == POOLED_KEY), None)
    rows = [_row(column, each, multiple_of(human_errs(each.confusion), human)) for column, each in people]
    return _programs(judged_of(scored), scored, human) + rows


def _programs(judged: Judged, scored: Scored, human: Value | None) -> list[JudgeRow]:
    kendall = leaderboard_of(scored).kendall
    found = [(run, judged.columns[run.id], judged.beside(run)) for run in judged.runs]
    said, counted = judged.said, judged.counted
    efforts = read_efforts([run for run, _, beside in found if beside.confusion.scored])
    return [
        _row(column, beside, multiple_of(beside.error, human))._replace(
            run=run.public_id,
            kendall_tau_b=kendall.get(column.key, Undefined(NO_RANKING)),
            effort=efforts[run.id],
            has_scores=has_scores(said[run.id], counted),
        )
        for run, column, beside in found
        if beside.confusion.scored
    ]


def _row(column: Column, beside: Beside, error_multiple: Value) -> JudgeRow:
    tp, fn, fp, _, _ = beside.confusion
    scored = beside.confusion.scored
    return JudgeRow(
        column=column,
        run="",
        beside=beside,
        error_multiple=error_multiple,
        kendall_tau_b=Undefined(NO_RANKING),
        accepted_share=(tp + fp) / scored,
        correct_share=(tp + fn) / scored,
        effort=Effort(Undefined(PEOPLE), Undefined(PEOPLE)),
    )
