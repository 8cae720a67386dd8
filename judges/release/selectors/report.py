"""The report of a study as one HTML file."""

from collections.abc import Iterator, Mapping
from dataclasses import astuple
from typing import Any

from django.template.loader import render_to_string
from django.utils.html import escape

from analysis.figures import Figure, Interval, Undefined, Value, Why
from analysis.ranking import RankRange, SameOrder
from annotation.projects.models import Project
from common.figures import FIGURES, JUDGE_MEASURES
from common.identifiers import VERSION
from judges.comparison.rules.failures import BoardKind
from judges.comparison.rules.leaderboard import Leaderboard, Score, SystemRow
from judges.comparison.rules.references import Subject
from judges.comparison.rules.study import CORRECTED, EXACT_MATCH, HUMAN, Filter, people_key
from judges.comparison.selectors.failures import Wanted, read_failure_board
from judges.comparison.selectors.leaderboard import (
    Ranks,
    leaderboard_of,
    rank_ranges,
    read_scored,
    same_orders,
)
from judges.comparison.selectors.references import list_references
from judges.release.rules import (
    BoardTable,
    JudgeFacts,
    Line,
    Mark,
    StudyFacts,
    agreement_rows,
    coefficient_words,
    lay_out,
    lay_out_board,
    lay_out_judges,
    protocol_lines,
    published_rows,
    questions_words,
    why_lacking,
    write_methods,
)
from judges.release.rules.methods import FigureWords
from judges.release.rules.report import WORDS, has_figures
from judges.release.selectors.facts import read_facts
from judges.release.selectors.last_change import last_change

TEMPLATE = "judges/report.html"
# The file's first lines, alone in the preview: working out the rest takes as long as the file.
HEAD = '<!doctype html>\n<html lang="en">\n<title>{title} · study report</title>\n'
NO_WORDS = FigureWords("", "")


def report_lines(*, project: Project, limit: int | None = None) -> Iterator[str]:
    """Yield the report of a study as one HTML file that needs nothing beside it; `limit`: its head only.

    Annotators are not in it by any name. Equal states of a study give equal bytes, so it says when the
    study last changed and not when the file was made.
    """
    yield from HEAD.format(title=escape(project.name)).splitlines(keepends=True)
    if limit is None:
        yield render_to_string(TEMPLATE, _context(project))


def _context(project: Project) -> dict[str, Any]:
    scored = read_scored(project=project, wanted=Filter())
    facts, board = read_facts(project, scored), leaderboard_of(scored)
    boards = dict(_failures(project))
    orders = same_orders(scored)
    rankings = [
        # People's own column has no τ with itself, and nothing to say of it.
        None
        if board.kendall[column.key] == Undefined(Why.PEOPLE_THEMSELVES)
        else (column.name, board.kendall[column.key], orders[column.key])
        for column in board.columns
    ]
    references = [row.as_reference() for row in list_references(project=project)]
    return {
        "project": project,
        "version": VERSION,
        "changed_at": last_change(project),
        "methods": write_methods(facts),
        "facts": facts,
        "protocol": _protocol_lines(facts),
        "agreement": agreement_rows(facts.agreement, facts.protocol),
        "agreement_rule": facts.agreement.rule_text,
        "columns": board.columns,
        # Questions that raters took out are in the sample and in no score.
        "scored_questions": questions_words(scored=board.n_questions, judged=board.judged_questions),
        "systems": _system_rows(board, rank_ranges(scored)),
        "systems_chart": lay_out([_system_line(row.system.label, row.scores) for row in _ordered(board)]),
        "systems_note": _systems_note(board),
        "judges": lay_out_judges(facts.judges),
        "judges_chart": lay_out([_judge_line(judge) for judge in facts.judges]),
        "failures": list(boards.values()),
        "uncounted": [WORDS[kind].name for kind in BoardKind if kind not in boards],
        "published_systems": published_rows(
            references,
            subject=Subject.SYSTEM,
            measures={column.key: column.name for column in board.columns},
        ),
        "published_judges": published_rows(references, subject=Subject.JUDGE, measures=JUDGE_MEASURES),
        "kendall": [_ranking_words(*ranking[1:]) if ranking else NO_WORDS for ranking in rankings],
        "ranking_remarks": list(
            why_lacking(
                FIGURES["kendall_tau_b"].plain,
                [(name, Figure.of(tau, _bounds_of(order))) for name, tau, order in filter(None, rankings)],
            )
        ),
    }


def _protocol_lines(facts: StudyFacts) -> list[tuple[str, str]]:
    if facts.protocol is None:
        return []
    return list(protocol_lines(facts.protocol, shares_with_programs=facts.audit is not None))


def _ranking_words(tau: Value, order: SameOrder | Undefined) -> FigureWords:
    """Return τ, and below it in how many of the pairs that people tell apart the order is the same."""
    bounds = _bounds_of(order)
    value = coefficient_words(Figure.of(tau)).value
    if isinstance(order, Undefined) or isinstance(bounds, Undefined):
        return FigureWords(value, "")
    share = f"{100 * bounds.low:.0f}–{100 * bounds.high:.0f} %"
    return FigureWords(value, f"{order.same:,} of {order.pairs:,} sure pairs in the same order ({share})")


def _bounds_of(order: SameOrder | Undefined) -> Interval | Undefined:
    """Return the interval of the share of pairs in the same order."""
    return order if isinstance(order, Undefined) else order.interval


def _failures(project: Project) -> Iterator[tuple[BoardKind, BoardTable]]:
    """Yield the failure boards that say something; the rates of columns do before anything is tagged."""
    for kind in BoardKind:
        found = read_failure_board(project=project, wanted=Wanted(kind))
        if has_figures(found.board):
            named = {run.key: run.name for run in found.runs}
            yield kind, lay_out_board(kind, found.board, judge=named.get(found.wanted.run, ""))


def _system_rows(board: Leaderboard, ranges: Mapping[str, Ranks]) -> list[dict[str, Any]]:
    return [
        {
            "label": row.system.label,
            "n": f"{row.n:,}",
            "scores": [
                _cell(row.scores.get(column.key), ranges.get(column.key, {}).get(row.system.name))
                for column in board.columns
            ],
        }
        for row in _ordered(board)
    ]


def _ordered(board: Leaderboard) -> list[SystemRow]:
    return sorted(board.rows, key=_by_people, reverse=True)


def _by_people(row: SystemRow) -> float:
    score = row.scores.get(CORRECTED) or row.scores.get(HUMAN) or row.scores.get(EXACT_MATCH)
    return score.value if score else 0.0


def _cell(score: Score | None, ranks: RankRange | Undefined | None) -> dict[str, Any] | None:
    if score is None:
        return None
    bounds = (
        "" if score.low is None or score.high is None else f"{100 * score.low:.1f}–{100 * score.high:.1f}"
    )
    return {
        "value": f"{100 * score.value:.1f}",
        "bounds": bounds,
        "n": score.n,
        "rank": _rank(score.rank, ranks),
    }


def _rank(rank: int | None, ranks: RankRange | Undefined | None) -> str:
    if rank is None:
        return ""
    if not isinstance(ranks, RankRange) or ranks.best == ranks.worst:
        return str(rank)
    return f"{rank} ({ranks.best}–{ranks.worst})"


def _systems_note(board: Leaderboard) -> str:
    is_corrected = people_key(board.columns) == CORRECTED
    filled = "corrected by the audit" if is_corrected else "by people"
    return f"filled: {filled}, with 95 % interval; hollow: exact match with the original gold answers"


def _system_line(label: str, scores: dict[str, Score | None]) -> Line:
    people = scores.get(CORRECTED) if CORRECTED in scores else scores.get(HUMAN)
    shown = (("main", people), ("other", scores.get(EXACT_MATCH)))
    marks = tuple(Mark(kind, score.value, score.low, score.high) for kind, score in shown if score)
    return Line(label, marks)


def _judge_line(judge: JudgeFacts) -> Line:
    value, low, high, _ = astuple(judge.figures["accuracy_all"])
    return Line(judge.name, () if value is None else (Mark("main", value, low, high),))
