"""Read how far each judge agrees with what people decided."""

from functools import partial
from typing import NamedTuple

from analysis.undefined import Undefined, Value
from annotation.projects.models import Project
from judges.comparison.rules import Column, Filter
from judges.comparison.rules.judge_board.beside_people import Beside, human_errs, multiple_of, stand_beside
from judges.comparison.selectors.judge_board.another_human import POOLED_KEY, HumanRow, read_human_rows
from judges.comparison.selectors.judge_board.effort import Effort, read_efforts
from judges.comparison.selectors.judge_board.judged import Judged, judged_of, sign_beside_people
from judges.comparison.selectors.judge_board.scored_judge import has_scores
from judges.comparison.selectors.leaderboard.standings import Scored, leaderboard_of, read_scored
from judges.comparison.selectors.study.signing import name_ledger

NO_RANKING = "This judge has no score for the systems."
NOT_ON_COMMON = "Rankings are over all answers, not over those that every judge has judged."
PEOPLE = "People take what they take."


class JudgeRow(NamedTuple):
    """One judge against people, over the decided answers of the judged sample.

    A column of kind "human" is a rater (or all of them) against the other raters, and has no run.
    error_multiple: its error in units of another human's. has_scores: there is more than verdicts.
    signature: what produced the numbers; the column's is what produced the verdicts.
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
    signature: str = ""

    @property
    def bias(self) -> float:
        """By how much the accuracy it would report is off, over the answers it scored."""
        return self.accepted_share - self.correct_share


def read_judge_rows(
    *, project: Project, scored: Scored | None = None, on_common: bool = False
) -> list[JudgeRow]:
    """Return a row for every run with a verdict on a decided answer, then people against each other.

    Decided means by people: what verdicts settled would only tell that they agree with themselves. Every
    decided answer without a usable verdict is unscored. `scored` is what was read of the sample, read anew
    where it is not given. on_common: only answers that every judge has judged count, for people too, and
    rankings, which are over all answers, are not compared.
    """
    scored = scored or read_scored(project=project, wanted=Filter())
    judged = judged_of(scored)
    judged = judged.on_common if on_common else judged
    raters = read_board_raters(project=project, judged=judged, on_common=on_common)
    people = [(row.column, stand_beside(row.confusion)) for row in raters]
    human = next((human_errs(each.confusion) for column, each in people if column.key == POOLED_KEY), None)
    rows = [_row(column, each, multiple_of(human_errs(each.confusion), human)) for column, each in people]
    kendall = {} if on_common else leaderboard_of(scored).kendall
    missing = Undefined(NOT_ON_COMMON if on_common else NO_RANKING)
    programs = [
        row._replace(kendall_tau_b=kendall.get(row.column.key, missing)) for row in _programs(judged, human)
    ]
    common = judged.speakers if on_common else ()
    sign = partial(sign_beside_people, project, common=common, ledger=name_ledger(project))
    # Raters stand beside each other by their votes, each of which is one.
    weighed = partial(sign, is_weighed=judged.is_weighed)
    return [
        *(row._replace(signature=weighed(row.column.signature)) for row in programs),
        *(row._replace(signature=sign(row.column.signature)) for row in rows),
    ]


def read_board_raters(*, project: Project, judged: Judged, on_common: bool) -> list[HumanRow]:
    """Return raters as judges, over the answers that count where only common ones do."""
    rows = read_human_rows(project=project)
    if not on_common:
        return rows
    counted = judged.items.candidates.ids[judged.counted]
    return [row for row in (each.among(counted) for each in rows) if row.confusion.scored]


def _programs(judged: Judged, human: Value | None) -> list[JudgeRow]:
    found = [(run, judged.columns[run.id], judged.beside(run)) for run in judged.runs]
    said, counted = judged.said, judged.counted
    efforts = read_efforts([run for run, _, beside in found if beside.confusion.scored])
    return [
        _row(column, beside, multiple_of(beside.error, human))._replace(
            run=run.public_id,
            effort=efforts[run.id],
            has_scores=has_scores(said[run.id], counted),
        )
        for run, column, beside in found
        if beside.confusion.scored
    ]


def _row(column: Column, beside: Beside, error_multiple: Value) -> JudgeRow:
    tp, fn, fp, _, _ = beside.weighed
    scored = beside.weighed.scored
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
