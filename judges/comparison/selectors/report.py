"""The report of a project as one JSON object; its shape is documented in `docs/formats.md`."""

from collections.abc import Sequence
from typing import Any

from analysis.agreement import MissingVotes
from analysis.figures import Undefined, number_or_none
from annotation.agreement.rules import measure_agreement, to_json
from annotation.agreement.selectors import read_first_round
from annotation.projects.models import Project
from common.figures import WHY
from judges.comparison.rules.judge_board.beside_people import beside_json
from judges.comparison.rules.leaderboard import Leaderboard, Score, SystemMove, SystemRow
from judges.comparison.rules.study import Column, Filter, Scope, Unit
from judges.comparison.selectors.judge_board.judges import JudgeRow, read_judge_rows
from judges.comparison.selectors.judge_board.parts import read_system_quality, system_quality_json
from judges.comparison.selectors.leaderboard import (
    leaderboard_of,
    read_amendments,
    read_leaderboard,
    read_scored,
)
from judges.prejudging.rules import AuditFigures
from judges.prejudging.selectors import find_applications, read_audit

# The figures of a judge, in the order of the file.
REPORTED = (
    *("accuracy_all", "accuracy_scored", "coverage", "precision", "recall", "f1", "macro_f1"),
    *(
        "cohen_kappa",
        "gwet_ac1",
        "kendall_tau_b",
        "accepted_share",
        "correct_share",
        "bias",
        "error_multiple",
    ),
)


def build_report(*, project: Project, rules: Sequence[MissingVotes]) -> dict[str, Any]:
    """Return agreement under each rule, systems by scores, and judges against people, all unrounded."""
    first_round = read_first_round(project=project)
    scored = read_scored(project=project, wanted=Filter())
    sample = leaderboard_of(scored)
    entire = read_leaderboard(project=project, scope=Scope.ENTIRE)
    quality = read_system_quality(project=project)
    moves = {move.system: move for move in read_amendments(project=project, wanted=Filter()).moves}
    ids = {system.name: system.id for system in scored.study.items.systems}
    return {
        "project": project.slug,
        "agreement": [to_json(measure_agreement(first_round, rule=rule)) for rule in rules],
        "questions": {"sample": sample.n_questions, "entire": entire.n_questions},
        "all_decided": sample.all_decided,
        "columns": [_column_json(column, sample) for column in sample.columns],
        "systems": [
            {
                **_system_json(row, sample.columns),
                **system_quality_json(quality.get(ids[row.system])),
                "amendment": _amendment_json(moves[row.system]),
            }
            for row in sample.rows
        ],
        "entire": [_system_json(row, entire.columns) for row in entire.rows],
        "prejudging": _prejudging_json(project, sample),
        "judges": [judge_json(row) for row in read_judge_rows(project=project)],
    }


def _prejudging_json(project: Project, board: Leaderboard) -> dict[str, Any] | None:
    """Return what programs settled by which rules, and what the audit found; None without a rule in force."""
    report = read_audit(project=project, applications=find_applications(project=project))
    if not report.pooled.settled:
        return None
    return {
        "programs_share": board.programs_share,
        "audit_share": report.audit_share,
        **_figures_json(report.pooled),
        "watched": report.watched,
        "rules": [{"text": row.text, **_figures_json(row.figures)} for row in report.rules],
    }


def _figures_json(figures: AuditFigures) -> dict[str, Any]:
    interval = figures.share.interval
    return {
        "settled": figures.settled - figures.drawn,
        "drawn": figures.drawn,
        "decided": figures.decided,
        "disagreed": figures.disagreed,
        "unaudited": figures.unaudited,
        "disagreed_share": figures.share.value,
        "interval": interval and list(interval),
        "words": figures.words,
    }


def _column_json(column: Column, board: Leaderboard) -> dict[str, Any]:
    kendall = board.kendall[column.key]
    return {
        "key": column.key,
        "name": column.name,
        "kind": column.kind.value,
        "gold": column.gold,
        "unit": column.unit.value,
        "signature": column.signature,
        "kendall_tau_b": number_or_none(kendall),
        "words": {"kendall_tau_b": WHY[kendall.why]} if isinstance(kendall, Undefined) else {},
    }


def _system_json(row: SystemRow, columns: Sequence[Column]) -> dict[str, Any]:
    cells = ((column, row.scores[column.key]) for column in columns)
    return {
        "name": row.system,
        "label": row.label,
        "n": row.n,
        "scores": {column.key: _score_json(column, score) for column, score in cells if score},
        "decided_share": row.decided_share,
        "range": row.range,
    }


def _amendment_json(move: SystemMove) -> dict[str, int]:
    names = ("n", "before", "after", "turned_right", "turned_wrong")
    return {name: getattr(move, name) for name in names}


def _score_json(column: Column, score: Score) -> dict[str, Any]:
    value: dict[str, Any] = (
        {"mean": score.value}
        if column.unit is Unit.F1
        else {"correct": score.correct, "accuracy": score.value}
    )
    interval = None if score.low is None else [score.low, score.high]
    return {**value, "n": score.n, "interval": interval, "rank": score.rank.value and int(score.rank.value)}


def judge_json(row: JudgeRow) -> dict[str, Any]:
    """Return a judge's row; what is undefined is null, and `words` says why."""
    found = row.figures
    figures = {name: found[name] for name in REPORTED}
    return {
        "key": row.column.key,
        "name": row.column.name,
        "kind": row.column.kind.value,
        "run": row.run,
        "gold": row.column.gold,
        "signature": row.column.signature,
        **beside_json(row.beside, figures),
        **({"left_out": row.left_out} if row.left_out else {}),
    }
