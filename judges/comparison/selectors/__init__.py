"""Read what compares people with programs and systems with each other."""

from judges.comparison.selectors.across import Across, read_across
from judges.comparison.selectors.answers.conflicts import find_judge_conflicts
from judges.comparison.selectors.answers.history import AnswerHistory, read_history
from judges.comparison.selectors.answers.listing import STATES, describe_answers, find_answers, read_found
from judges.comparison.selectors.judge_board.judges import (
    JudgeRow,
    read_judge_intervals,
    read_judge_rows,
    read_scored_judge,
    read_threshold_intervals,
    sign_scored_judge,
)
from judges.comparison.selectors.judge_board.pairs import read_judge_differences, read_judge_pairs
from judges.comparison.selectors.judge_board.parts import (
    judged_predictions,
    read_parts,
)
from judges.comparison.selectors.judge_board.strategies import (
    Strategies,
    Strategy,
    StrategyIntervals,
    read_strategies,
    read_strategy_intervals,
)
from judges.comparison.selectors.leaderboard.amendments import describe_turns, read_amendments
from judges.comparison.selectors.leaderboard.beyond import read_beyond
from judges.comparison.selectors.leaderboard.by_dataset import read_by_dataset
from judges.comparison.selectors.leaderboard.gains import SystemGain, read_amendment_gains, read_gains
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.selectors.leaderboard.systems import (
    NamedBoard,
    NamedBounds,
    find_questions_right_by,
    read_system_intervals,
    read_systems,
)
from judges.comparison.selectors.leaderboard.uncertainty import (
    ColumnUncertainty,
    read_pairs,
    read_uncertainty,
)
from judges.comparison.selectors.overview import read_overview
from judges.comparison.selectors.references import list_references
from judges.comparison.selectors.report import build_report, judge_json
from judges.comparison.selectors.study.choices import read_choices
from judges.comparison.selectors.study.signing import sign_across, sign_comparison
