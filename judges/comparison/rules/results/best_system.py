"""Which system is best by people, and how sure that is."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from analysis.intervals import Figure
from judges.comparison.rules.boards import ComparedPair
from judges.comparison.rules.leaderboard.standings import (
    Leaderboard,
    LeaderboardColumn,
    Score,
    SystemRow,
    people_column,
)
from judges.comparison.rules.study import CORRECTED, HUMAN_DECIDED, Scope, people_key

# On fewer questions, or answers, one more can turn the order round.
FEW = 10
# Of less, scores by amended gold are mostly exact match, so they are not called people's.
ENOUGH_DECIDED = 0.8


class NoBestSystem(StrEnum):
    """Why nobody can say which system is best.

    NOT_DECIDED: answers are still to be judged. NOT_AUDITED: judges settled answers, and people have checked
    too few of them to correct the scores. BARELY_DECIDED: nobody is asked of more, and people decided little.
    DIFFERENT_QUESTIONS: systems did not answer the same ones.
    """

    NO_SYSTEM = "no_system"
    NOT_DECIDED = "not_decided"
    NOT_AUDITED = "not_audited"
    BARELY_DECIDED = "barely_decided"
    DIFFERENT_QUESTIONS = "different_questions"
    FEW_QUESTIONS = "few_questions"


@dataclass(frozen=True)
class RankedSystem:
    """A system and its score according to people."""

    label: str
    score: Figure


@dataclass(frozen=True)
class BestSystem:
    """The best system, by the column in which people rank systems, or why there is none.

    `leaders`: the systems with the highest score; several if they tie. `rivals`: other ranked systems from
    which not every leader differs significantly. `worse`: the number of systems from which all leaders differ
    significantly. `unranked`: systems that answered fewer questions. `open_questions`: if there is no best
    system because answers are not decided yet, how many of `n_questions` have such answers, otherwise 0.
    `decided_share`: the lowest share of decided answers of any system.
    """

    undecided_because: NoBestSystem | None
    scope: Scope
    is_corrected: bool
    is_estimated: bool
    n_questions: int
    judged_questions: int
    open_questions: int
    decided_share: float
    programs_share: float
    leaders: list[RankedSystem]
    rivals: list[RankedSystem]
    worse: int
    unranked: list[str]


def why_no_best(board: Leaderboard) -> NoBestSystem | None:
    """Say why nobody can say which system is best; None where one can."""
    if not board.rows:
        return NoBestSystem.NO_SYSTEM
    column = people_column(board)
    scores = [] if column is None else _ranked(board, column)
    if scores:
        return _why_unsure(board)
    if not board.all_decided and not board.is_estimated:
        return NoBestSystem.NOT_DECIDED
    if column is None or (column.key == CORRECTED and not any(row.scores[CORRECTED] for row in board.rows)):
        return NoBestSystem.NOT_AUDITED
    return NoBestSystem.DIFFERENT_QUESTIONS


def _why_unsure(board: Leaderboard) -> NoBestSystem | None:
    if board.n_questions < FEW:
        return NoBestSystem.FEW_QUESTIONS
    is_barely = people_key(board.columns) != CORRECTED and _decided_by_people(board) < ENOUGH_DECIDED
    return NoBestSystem.BARELY_DECIDED if is_barely else None


def _decided_by_people(board: Leaderboard) -> float:
    shares = ((row.scores.get(HUMAN_DECIDED), row.n) for row in board.rows)
    return min((score.n / n if score else 0.0 for score, n in shares), default=0.0)


def _ranked(board: Leaderboard, column: LeaderboardColumn) -> list[tuple[SystemRow, Score]]:
    """Return the systems that have a rank, the best first, with their scores."""
    cells = ((row, row.scores.get(column.key)) for row in board.rows)
    found = [(row, score) for row, score in cells if score and score.rank.value is not None]
    return sorted(found, key=lambda each: (each[1].rank.value, each[0].label))


def find_best_system(board: Leaderboard, pairs: Sequence[ComparedPair], *, open_questions: int) -> BestSystem:
    """Say which system is best; pairs: every two by the column that `people_column` finds, corrected."""
    column, why = people_column(board), why_no_best(board)
    ranked = _ranked(board, column) if column and why is None else []
    apart = {frozenset((pair.first, pair.second)) for pair in pairs if pair.is_distinguishable}
    first = [(row, score) for row, score in ranked if score.rank.value == 1]
    others = [(row, score) for row, score in ranked if score.rank.value != 1]
    rivals = [
        _describe(row, score)
        for row, score in others
        if not all({leader.system, row.system} in apart for leader, _ in first)
    ]
    ranked_names = {row.system for row, _ in ranked}
    return BestSystem(
        undecided_because=why,
        scope=board.scope,
        is_corrected=column is not None and column.key == CORRECTED,
        is_estimated=board.is_estimated,
        n_questions=board.n_questions,
        judged_questions=board.judged_questions,
        open_questions=open_questions,
        decided_share=min((row.decided_share for row in board.rows), default=0.0),
        programs_share=board.programs_share,
        leaders=[_describe(row, score) for row, score in first],
        rivals=rivals,
        worse=len(others) - len(rivals),
        unranked=[row.label for row in board.rows if ranked and row.system not in ranked_names],
    )


def _describe(row: SystemRow, score: Score) -> RankedSystem:
    return RankedSystem(row.label, Figure(score.value, score.low, score.high, score.why))
