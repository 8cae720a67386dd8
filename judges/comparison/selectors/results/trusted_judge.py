"""Read which judge agrees most with people, from the judge board and what else is known of judges."""

from dataclasses import dataclass

from analysis.intervals import Figure
from analysis.raters.alternative_annotator import EPSILON
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.judge_board.replacement import Replaces
from judges.comparison.rules.leaderboard.standings import Leaderboard, people_column
from judges.comparison.rules.results.best_system import why_no_best
from judges.comparison.rules.results.trusted_judge import (
    Choice,
    Contender,
    NoTrustedJudge,
    Ranking,
    RivalJudge,
    Scoring,
    StandingIn,
    SystemBias,
    choose_judge,
    judge_ranking,
    judge_scoring,
)
from judges.comparison.rules.study import (
    NO_VERDICT,
    Filter,
    RunFacts,
    Unit,
    is_recorded,
)
from judges.comparison.rules.weights import Reach
from judges.comparison.selectors.judge_board.cautions import read_cautions
from judges.comparison.selectors.judge_board.judged import Judged, read_judged
from judges.comparison.selectors.judge_board.judges import JudgeBoardRow, read_judge_board
from judges.comparison.selectors.judge_board.pairs import read_judge_differences
from judges.comparison.selectors.judge_board.replacement import read_replacements
from judges.comparison.selectors.leaderboard.standings import best_scope, read_leaderboard

SHOWN = ("accuracy_all", "cohen_kappa", "rejects_right", "accepts_wrong")


@dataclass(frozen=True)
class FoundJudge:
    """The judge that agrees most with people.

    `figures`: some of the figures on the judge board. `is_recorded`: whether its verdicts came from a file.
    `caution`: what to know about the origin of its weights; may be empty. `kin`: systems from its own model
    family. `self_preference`: how much more lenient it is toward these; null if there are none.
    `flipped_share`: how often runs with the same options differ; null if there is only one run.
    """

    run: str
    name: str
    figures: dict[str, Figure]
    is_recorded: bool
    caution: str
    kin: list[str]
    self_preference: Figure | None
    flipped_share: Figure | None
    ranking: Ranking
    scoring: Scoring
    standing_in: StandingIn


@dataclass(frozen=True)
class TrustedJudge:
    """The judge to trust, or why there is none.

    `answers`: the number of answers that people decided, on which judges are compared. `left_out`: the number
    of settled answers that none of these answers represent. `is_audited`: whether audited answers represent
    settled ones; if so, shares of answers are weighted. `undecided`: the number of answers that people have
    yet to decide, as on the judge board. `judges`: the number of judges compared. `rivals`: judges from which
    the best does not differ significantly. `worse`: the number of judges that are significantly worse.
    `best_without_caution`: of the judges without a caution, the one that agrees most with people, if the best
    has one; otherwise null. Not compared: `by_chance`, judges that may agree with people only by chance;
    `unfinished`, judges that have not judged all of these answers; `told`, judges that were told people’s
    decisions. `epsilon`: of the alternative annotator test.
    """

    untrusted_because: NoTrustedJudge | None
    answers: int
    left_out: int
    is_audited: bool
    undecided: int
    reach: Reach
    judges: int
    best: FoundJudge | None
    rivals: list[RivalJudge]
    worse: int
    best_without_caution: RivalJudge | None
    by_chance: list[str]
    unfinished: list[str]
    told: list[str]
    epsilon: float


@kept()
def read_trusted_judge(*, project: Project) -> TrustedJudge:
    """Say which judge to trust among those that have dealt with all that people decided by now."""
    judged = read_judged(project)
    runs = {run.public_id: run for run in judged.runs}
    board = read_judge_board(project=project, intervals=True)
    rows = {row.run: row for row in board if row.run in runs}
    done = {run for run in rows if _has_finished(judged, runs[run])}
    contenders = [Contender(run, row, runs[run].is_told) for run, row in rows.items() if run in done]
    answers = int(judged.counted.sum())
    # Tested only where there is something to choose.
    pairs = read_judge_differences(project=project).pairs if len(contenders) > 1 else []
    choice = choose_judge(
        contenders, pairs, answers=answers, unchecked=judged.left_out, undecided=judged.undecided
    )
    return TrustedJudge(
        untrusted_because=choice.because,
        answers=answers,
        left_out=judged.left_out,
        is_audited=judged.is_audited,
        undecided=judged.undecided,
        reach=judged.reach,
        judges=choice.contenders,
        best=choice.best and _describe(project, rows[choice.best.run], runs[choice.best.run]),
        rivals=choice.rivals,
        worse=choice.worse,
        best_without_caution=_without_caution(choice, rows),
        by_chance=choice.by_chance,
        unfinished=[row.name for run, row in rows.items() if run not in done and not runs[run].is_told],
        told=[row.name for run, row in rows.items() if runs[run].is_told],
        epsilon=EPSILON,
    )


def _has_finished(judged: Judged, run: RunFacts) -> bool:
    return bool((judged.said[run.id].verdict[judged.counted] != NO_VERDICT).all())


def _without_caution(choice: Choice, rows: dict[str, JudgeBoardRow]) -> RivalJudge | None:
    """Return what to trust instead where the best judge's agreement may be overstated."""
    if choice.best is None or not rows[choice.best.run].caution:
        return None
    found = next((each for each in choice.sure if not rows[each.run].caution), None)
    return found and RivalJudge(found.row.name, found.row.figures["accuracy_all"])


def _describe(project: Project, row: JudgeBoardRow, run: RunFacts) -> FoundJudge:
    cautions = read_cautions(project=project)
    kin = next((each for each in cautions.families if each.run == row.run), None)
    again = next((each for each in cautions.repeats if row.run in each.runs), None)
    ranking, of_systems = _read_scores(project, row.key)
    return FoundJudge(
        run=row.run,
        name=row.name,
        figures={name: row.figures[name] for name in SHOWN},
        is_recorded=is_recorded(run.judge_key),
        caution=row.caution,
        kin=kin.systems if kin else [],
        self_preference=kin.figures["self_preference"] if kin else None,
        flipped_share=again.figures["flipped_share"] if again else None,
        ranking=ranking,
        scoring=judge_scoring(row.figures["bias"], of_systems),
        standing_in=_read_standing_in(project, row.run),
    )


def _read_scores(project: Project, key: str) -> tuple[Ranking, list[SystemBias]]:
    """Return how a judge ranks and scores systems beside people, where these rank them."""
    wanted = Filter(scope=best_scope(project=project))
    board = read_leaderboard(project=project, wanted=wanted)
    people = people_column(board)
    if people is None or why_no_best(board):
        return judge_ranking(None, pairs=None, same=None, alike=None), []
    board = read_leaderboard(project=project, wanted=wanted, intervals=True, compared=people.key)
    column = next((each for each in board.columns if each.key == key), None)
    if column is None:
        return judge_ranking(None, pairs=None, same=None, alike=None), []
    ranking = judge_ranking(
        column.same_order,
        pairs=column.pairs,
        same=column.same,
        alike=column.alike,
        rank_of_best=_rank_of_best(board, people=people.key, key=key),
    )
    if column.unit is not Unit.ACCURACY:
        return ranking, []
    scores = ((row.label, row.scores[key]) for row in board.rows)
    return ranking, [SystemBias(label, score.gain) for label, score in scores if score and score.gain]


def _rank_of_best(board: Leaderboard, *, people: str, key: str) -> int | None:
    """Return the rank that a judge gives the system that people rank first."""
    ranks = []
    for row in board.rows:
        first, own = row.scores[people], row.scores[key]
        if first and own and first.rank.value == 1 and own.rank.value is not None:
            ranks.append(int(own.rank.value))
    return max(ranks, default=None)


def _read_standing_in(project: Project, run: str) -> StandingIn:
    found = read_replacements(project=project, epsilon=EPSILON)
    test = next((each for each in found.judges if each.run == run), None)
    if test is None:
        return StandingIn(Replaces.FEW_VOTES, 0, 0, found.raters_per_answer)
    return StandingIn(test.replaces, test.won, len(test.raters), found.raters_per_answer)
