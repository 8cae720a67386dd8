"""Read what compares people with programs and systems with each other."""

from judges.comparison.selectors.by_system import judged_predictions
from judges.comparison.selectors.conflicts import find_judge_conflicts
from judges.comparison.selectors.explorer import (
    STATES,
    AnswerHistory,
    AnswerLine,
    describe_answers,
    find_answers,
    read_history,
)
from judges.comparison.selectors.overview import Overview, read_overview
from judges.comparison.selectors.quality import JudgeRow, read_judge_rows
from judges.comparison.selectors.report import build_report, judge_json
from judges.comparison.selectors.standings import read_leaderboard

__all__ = [
    "STATES",
    "AnswerHistory",
    "AnswerLine",
    "JudgeRow",
    "Overview",
    "build_report",
    "describe_answers",
    "find_answers",
    "find_judge_conflicts",
    "judge_json",
    "judged_predictions",
    "read_history",
    "read_judge_rows",
    "read_leaderboard",
    "read_overview",
]
