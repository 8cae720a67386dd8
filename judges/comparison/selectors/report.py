"""The report of a project as one JSON object; its shape is documented in `docs/formats.md`."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from analysis.intervals import Figure, Why
from analysis.raters.agreement import MissingVotes
from annotation.agreement.rules.measures import measure_agreement, to_json
from annotation.agreement.selectors.votes import read_first_round
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.figures import WHY
from judges.comparison.rules.boards import figures_with
from judges.comparison.rules.judge_board.beside_people import Beside, answers_of
from judges.comparison.rules.leaderboard.amendments import SystemMove
from judges.comparison.rules.leaderboard.standings import Leaderboard, LeaderboardColumn, Score, SystemRow
from judges.comparison.rules.study import EXACT_MATCH, UNDECIDED, Column, Filter, Scope, Unit, audit_of
from judges.comparison.selectors.judge_board.judged import read_judged
from judges.comparison.selectors.judge_board.judges import (
    JudgeBoardRow,
    read_judge_board,
    read_own_signatures,
)
from judges.comparison.selectors.leaderboard.amendments import read_amendments
from judges.comparison.selectors.leaderboard.corrected import read_corrected
from judges.comparison.selectors.leaderboard.standings import best_scope, read_leaderboard, read_scored
from judges.prejudging.rules.audit import AuditFigures
from judges.prejudging.selectors.audit import read_audit
from judges.prejudging.selectors.policies import find_applications
from judges.prejudging.selectors.routing.figures import find_figures

# The figures of a judge on one system, and of a judge, in the order of the file.
OF_SYSTEMS = ("accuracy_scored", "coverage", "macro_f1", "precision", "recall")
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


def build_report(*, project: Project, rules: Sequence[MissingVotes], gold: str = "") -> dict[str, Any]:
    """Return agreement under each rule, systems by scores, and judges against people, all unrounded.

    gold: a version of the gold list, exact match with which is a column more; raises `GoldVersionNotFound`.
    """
    first_round = read_first_round(project=project)
    scored = read_scored(project=project, wanted=Filter(), gold=gold)
    sample, entire = (_read_board(project, scope, gold=gold) for scope in (Scope.SAMPLE, Scope.ENTIRE))
    quality = read_system_quality(project=project)
    moves = {move.system: move for move in read_amendments(project=project, wanted=Filter()).moves}
    signatures = read_own_signatures(project=project)
    ids = {system.name: system.id for system in scored.study.items.systems}
    return {
        "project": project.slug,
        "agreement": [to_json(measure_agreement(first_round, rule=rule)) for rule in rules],
        "questions": {"sample": sample.n_questions, "entire": entire.n_questions},
        "all_decided": sample.all_decided,
        "columns": [_column_json(column) for column in sample.columns],
        "systems": [
            {
                **_system_json(row, sample.columns),
                **_quality_json(quality.get(ids[row.system])),
                "amendment": _amendment_json(moves[row.system]),
            }
            for row in sample.rows
        ],
        "entire": [_system_json(row, entire.columns) for row in entire.rows],
        "corrected": _corrected_json(project),
        "prejudging": _prejudging_json(project, sample),
        "routing": _routing_json(project),
        "judges": [
            judge_json(row, signature=signatures[row.key])
            for row in read_judge_board(project=project, intervals=True)
        ],
    }


def _read_board(project: Project, scope: Scope, *, gold: str) -> Leaderboard:
    """Return the leaderboard with ranges of ranks, and with gains over exact match where that has run."""
    wanted = Filter(scope=scope)
    scored = read_scored(project=project, wanted=wanted, gold=gold)
    has_baseline = any(scores.column.key == EXACT_MATCH for scores in scored.judged)
    compared = EXACT_MATCH if has_baseline else ""
    return read_leaderboard(project=project, wanted=wanted, intervals=True, compared=compared, gold=gold)


def _corrected_json(project: Project) -> dict[str, Any] | None:
    """Return people only, judge only and corrected by system and judge; None where nothing is estimated."""
    board = read_corrected(project=project, wanted=Filter(scope=best_scope(project=project)))
    if not board.is_estimated:
        return None
    return {
        "signature": board.signature,
        "chosen": board.chosen,
        "systems": [
            {
                "system": row.system,
                "n": row.n,
                "labels": row.labels,
                "people_only": _bounded_json(row.people),
                "judges": {
                    key: {
                        "judge_only": _bounded_json(score.judge),
                        "corrected": _bounded_json(score.corrected),
                        "worth": score.worth,
                    }
                    for key, score in row.scores.items()
                },
            }
            for row in board.rows
        ],
    }


def _bounded_json(figure: Figure) -> dict[str, Any]:
    return {"value": figure.value, "low": figure.low, "high": figure.high, "why": figure.why}


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


def _routing_json(project: Project) -> dict[str, Any] | None:
    """Return what one rater and a judge settled, and what its audit found; None where nothing is routed."""
    found = find_figures(project=project)
    if found is None:
        return None
    counts = ("weighed", "open", "labels", "stopped", "drawn", "decided", "changed")
    return {
        **{name: getattr(found, name) for name in counts},
        "labels_an_answer": found.labels_an_answer,
        "error": _bounded_json(found.error),
        "residual": _bounded_json(found.residual),
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


def _column_json(column: LeaderboardColumn) -> dict[str, Any]:
    return {
        "key": column.key,
        "name": column.name,
        "kind": column.kind.value,
        "gold": column.gold,
        "unit": column.unit.value,
        "signature": column.signature,
        **figures_json({"kendall_tau_b": column.kendall_tau_b}),
        "same_order": column.same_order and column.same_order.value,
        "same_order_interval": _ends(column.same_order),
        "sure_pairs": column.pairs,
        "same_pairs": column.same,
    }


def _ends(figure: Figure | None) -> list[float] | None:
    return None if figure is None or figure.interval is None else list(figure.interval)


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
    found = {
        **value,
        "n": score.n,
        "interval": _ends(score),
        "rank": score.rank.value and int(score.rank.value),
        "rank_range": None if score.rank.low is None else [int(end) for end in score.rank.interval or ()],
    }
    for name, figure in (("gain", score.gain), ("relative_gain", score.relative)):
        if figure is not None:
            found |= {name: figure.value, f"{name}_interval": _ends(figure)}
    return found


def judge_json(row: JudgeBoardRow, *, signature: str) -> dict[str, Any]:
    """Return a judge's row; what is undefined is null, and `words` says why. signature: the judge's own."""
    return {
        "key": row.key,
        "name": row.name,
        "kind": row.kind.value,
        "run": row.run,
        "gold": row.gold,
        "signature": signature,
        "reach": row.reach.value,
        **row.counts,
        **figures_json({name: row.figures[name] for name in REPORTED}),
        "intervals": {
            name: list(interval) for name in REPORTED if (interval := row.figures[name].interval) is not None
        },
        **({} if row.weighed is None else {"weighed": row.weighed}),
        **({"left_out": row.left_out} if row.left_out else {}),
        **({"undecided": row.undecided} if row.undecided else {}),
    }


def figures_json(figures: Mapping[str, Figure]) -> dict[str, Any]:
    """Return figures by name; what is undefined is null, and `words` says why."""
    return {
        **{name: figure.value for name, figure in figures.items()},
        "words": {name: WHY[each.why] for name, each in figures.items() if each.value is None and each.why},
    }


class SystemJudge(NamedTuple):
    """One judge on one system's decided answers."""

    key: str
    run: str
    beside: Beside


class SystemQuality(NamedTuple):
    """Which share of one system's answers people accept, or why that is unknown, and judges beside them."""

    human_accuracy: Figure
    judges: list[SystemJudge]


@kept()
def read_system_quality(*, project: Project) -> dict[int, SystemQuality]:
    """Return for each system with decided answers how judges agree with people, a row a prediction.

    A decided answer without a usable verdict is unscored. What a policy settled counts as the audit corrects
    it, once people have decided all of the system's that wait for them, and not for judges: theirs are the
    answers of the judge board.
    """
    judged, study = read_judged(project), read_scored(project=project, wanted=Filter()).study
    decided = study.decided
    items, systems = judged.items, judged.items.predictions.system
    is_proper = items.questions.in_sample & ~study.improper
    is_decided = decided.worth[items.predictions.candidate] != UNDECIDED
    counted = is_proper[items.predictions.question] & is_decided
    audit = audit_of(
        decided,
        items.predictions.candidate,
        study.predictor,
        is_asked=items.candidates.is_judgeable[items.predictions.candidate],
    )
    human = audit.correct(systems=systems, counted=counted, size=len(items.systems)).values
    waits = decided.has_ruled & is_proper[items.predictions.question] & audit.is_open
    besides = [(judged.columns[run.id].key, run.public_id, judged.by_system(run)) for run in judged.runs]
    found = {}
    for place, system in enumerate(items.systems):
        own = counted & (systems == place)
        if own.any():
            is_open = bool(waits[systems == place].any())
            judges = [SystemJudge(key, run, by_system[place]) for key, run, by_system in besides]
            found[system.id] = SystemQuality(
                human_accuracy=_accuracy(float(human[own].mean()), is_open=is_open),
                judges=[judge for judge in judges if judge.beside.confusion.scored],
            )
    return found


def _accuracy(mean: float, *, is_open: bool) -> Figure:
    if is_open:
        return Figure(None, why=Why.SAMPLE_OPEN)
    return Figure(None, why=Why.FEW_AUDITED) if np.isnan(mean) else Figure(mean)


def _quality_json(quality: SystemQuality | None) -> dict[str, Any]:
    if quality is None:
        quality = SystemQuality(Figure(None, why=Why.NOTHING_DECIDED), [])
    judges = [_system_judge_json(judge) for judge in quality.judges]
    return {**figures_json({"human_accuracy": quality.human_accuracy}), "judges": judges}


def _system_judge_json(judge: SystemJudge) -> dict[str, Any]:
    found = figures_with(judge.beside.figures, None)
    figures = {"accuracy": found["accuracy_all"], **{name: found[name] for name in OF_SYSTEMS}}
    return {"key": judge.key, "run": judge.run, **answers_of(judge.beside.confusion), **figures_json(figures)}
