"""How systems are scored and ranked, and judges compared with people, as pure functions over counts."""

from judges.comparison.rules.leaderboard.standings import (
    Leaderboard,
    Score,
    SystemRow,
    Tally,
    comparable_systems,
    largest_gain,
    make_leaderboard,
    standings_of,
    tally,
)
from judges.comparison.rules.overview import Pace, seconds_of_work, votes_per_hour
from judges.comparison.rules.study.arrays import ACCEPTED, UNDECIDED, Decided, Items, Said, Scope, SystemFacts
from judges.comparison.rules.study.columns import (
    CORRECTED,
    EXACT_MATCH,
    HUMAN,
    Column,
    Kind,
    RunFacts,
    Unit,
    human_columns,
    is_recorded,
    name_columns,
    people_key,
)
from judges.comparison.rules.study.scores import (
    Scores,
    Settled,
    answers_compared,
    answers_decided_by_people,
    count_judged,
    count_left_out,
    human_scores,
    judge_by_people,
    judge_scores,
    matched_scores,
    weigh_compared,
    with_own,
)
from judges.comparison.rules.study.selection import Filter, Part, Selection, table_of
