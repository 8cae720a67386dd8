"""Read what compares people with programs and systems with each other."""

from judges.comparison.selectors.quality import JudgeRow, read_judge_rows
from judges.comparison.selectors.report import build_report, judge_json
from judges.comparison.selectors.standings import read_leaderboard

__all__ = ["JudgeRow", "build_report", "judge_json", "read_judge_rows", "read_leaderboard"]
