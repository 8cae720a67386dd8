"""Judges beside people, with their intervals and what they took."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from django.db.models import Count, F, Q, Sum

from analysis.arrays import Flags, Floats
from analysis.intervals import Undefined, Value, Why
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.memory import computed
from judges.comparison.rules.boards import BoardRow, figures_with
from judges.comparison.rules.judge_board.beside_people import (
    Beside,
    Intervals,
    answers_of,
    bound_figures,
    count_cells,
    count_verdicts,
    counts_of,
    human_errs,
    multiple_of,
    stand_beside,
)
from judges.comparison.rules.judge_board.scored_judge import (
    ScoredJudge,
    ScoredRows,
    bound_scores,
    bound_thresholds,
    measure_scores,
)
from judges.comparison.rules.study import Column, Filter, Items, Kind, RunFacts, Said, is_recorded
from judges.comparison.rules.weights import Reach
from judges.comparison.selectors.judge_board.judged import (
    POOLED_KEY,
    HumanRow,
    Judged,
    name_raters,
    read_board_raters,
    read_human_rows,
    read_judged,
    read_votes,
    sign_beside_people,
)
from judges.comparison.selectors.leaderboard.standings import leaderboard_of, read_scored
from judges.comparison.selectors.study import name_ledger, sign_comparison
from judges.connections.rules.calls import usd_from_pico
from judges.registry import caution_of, get_entry
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.selectors.progress import CallTotals, call_totals

THOUSAND = 1_000


def _read_efforts(runs: Sequence[RunFacts]) -> dict[int, dict[str, Value]]:
    """Return by run what a thousand answers take, in USD by the connection's prices of today and in seconds.

    Replies repeated from earlier calls cost what asking anew would. Seconds are those on the clock since the
    run was last set to work, waiting included, so they depend on how many answers were asked at once.
    """
    ids = [run.id for run in runs if not is_recorded(run.judge_key)]
    rows = list(JudgeRun.objects.filter(pk__in=ids).select_related("connection"))
    calls = call_totals(rows)
    done = _done_since_started(ids)
    paid = [row.pk for row in rows if row.connection_id]
    judged = dict(Verdict.objects.filter(run__in=paid).values_list("run_id").annotate(Count("pk")).order_by())
    found = {
        row.pk: _effort(_cost(row, calls.get(row.pk), judged.get(row.pk, 0)), _seconds(row, done.get(row.pk)))
        for row in rows
    }
    nothing = Undefined(Why.FROM_A_FILE)
    return {run.id: found.get(run.id, _effort(nothing, nothing)) for run in runs}


def _effort(cost: Value, seconds: Value) -> dict[str, Value]:
    return {"cost_per_thousand": cost, "seconds_per_thousand": seconds}


def _done_since_started(run_ids: list[int]) -> dict[int, int]:
    batches = RunBatch.objects.filter(
        Q(state=RunBatch.State.DONE), run__in=run_ids, finished_at__gte=F("run__started_at")
    )
    return dict(batches.values_list("run_id").annotate(Sum("size")).order_by())


def _cost(run: JudgeRun, calls: CallTotals | None, judged: int) -> Value:
    if run.connection is None:
        return Undefined(Why.NOT_PAID)
    if calls is None or not judged:
        return Undefined(Why.NOT_FINISHED)
    price = (
        calls.input_tokens * run.connection.input_price + calls.output_tokens * run.connection.output_price
    )
    return float(usd_from_pico(int(THOUSAND * price / judged)))


def _seconds(run: JudgeRun, done: int | None) -> Value:
    if not done or run.started_at is None or run.finished_at is None:
        return Undefined(Why.NOT_FINISHED)
    return THOUSAND * (run.finished_at - run.started_at).total_seconds() / done


def has_scores(said: Said, counted: Flags) -> bool:
    """Say whether a run's scores tell more than its verdicts."""
    scores = said.score[counted]
    scores = scores[~np.isnan(scores)]
    return bool(((scores != 0) & (scores != 1)).any())


def read_scored_judge(*, project: Project, run: str, intervals: bool = False) -> ScoredJudge:
    """Sweep a run, by its public id, over the decided answers it scored; raises `RunNotComparable`.

    intervals: how sure the figures of each threshold are, too.
    """
    judged = read_judged(project)
    found = judged.find(run)
    rows = _rows(judged, found)
    threshold = dict(found.stated).get("threshold")
    scores = computed(
        measure_scores,
        rows,
        threshold=None if threshold is None else float(threshold),
        is_probability=get_entry(found.judge_key).states_probability,
    )
    signature = sign_comparison(
        project,
        found.signature,
        beside="people",
        answers="decided and scored",
        weights=judged.weighing,
    )
    scores = replace(scores, signature=signature)
    return bound_scores(scores, computed(bound_thresholds, rows)) if intervals else scores


def _rows(judged: Judged, run: RunFacts) -> ScoredRows:
    said = judged.said[run.id]
    used = judged.counted & (said.verdict >= 0) & ~np.isnan(said.score)
    if not has_scores(said, judged.counted):
        used &= False
    return ScoredRows(
        scores=said.score[used],
        accepted=said.verdict[used] == 1,
        correct=judged.truth[used],
        questions=judged.items.candidates.question[used],
        weights=judged.weights[used],
    )


@dataclass(frozen=True)
class JudgeBoardRow(BoardRow):
    """One judge compared with people.

    `kind`: "human" for an annotator, under a pseudonym, who is compared with the other annotators and has no
    run. `signature`: what produced the row’s numbers; it begins with the judge’s own signature. `reach`: the
    questions that the figures cover. `weighed`: the weighted counts behind the figures; null if they are not
    weighted. `is_audited`: whether audited answers represent settled ones. `left_out`: the number of settled
    answers that the figures do not cover, because no audited answer represents them. `undecided`: if rules
    settled answers, the number of answers that people have not decided yet, otherwise 0; those decided first
    are not a random sample. `is_told`: whether the judge used people’s decisions, so that other judges are
    not compared with it. `caution`: what to know about its use of people’s decisions and about the origin of
    its weights; may be empty.

    Of its figures, `bias` is `accepted_share` minus `correct_share`, and `error_multiple` is its error
    divided by a human annotator’s error. Cost (USD) and time (seconds) are per thousand answers.
    """

    kind: Kind
    run: str
    gold: str | None
    signature: str
    reach: Reach
    weighed: dict[str, float] | None
    is_audited: bool
    has_scores: bool
    left_out: int
    undecided: int
    is_told: bool
    caution: str


@kept()
def read_judge_board(
    *, project: Project, on_common: bool = False, intervals: bool = False
) -> list[JudgeBoardRow]:
    """Return a row for every run with a verdict on a decided answer, then people against each other.

    Decided means by people: what verdicts settled would only tell that they agree with themselves. Every
    decided answer without a usable verdict is unscored. on_common: only answers that every judge has judged
    count, for people too, and rankings, which are over all answers, are not compared. intervals: how sure
    each figure is, too, which takes longer.
    """
    if intervals:
        rows = read_judge_board(project=project, on_common=on_common)
        bounds = _read_intervals(project, on_common)
        return [_bound(row, bounds[row.key]) for row in rows]
    judged = read_judged(project, on_common)
    raters = read_board_raters(project=project, judged=judged)
    people = [(row.column, stand_beside(row.confusion, row.weighed)) for row in raters]
    human = next((human_errs(each.weighed) for column, each in people if column.key == POOLED_KEY), None)
    sign = partial(sign_beside_people, project, judged=judged, ledger=name_ledger(project))
    nobody = Undefined(Why.NO_COST_OF_PEOPLE)
    no_ranking = {"kendall_tau_b": Undefined(Why.NO_RANKING)}
    return [
        *_programs(project, judged, human, sign),
        *(
            _row(
                judged,
                column,
                beside,
                multiple_of(human_errs(beside.weighed), human),
                no_ranking | _effort(nobody, nobody),
                signature=sign(column.signature),
            )
            for column, beside in people
        ),
    ]


def _programs(
    project: Project, judged: Judged, human: Value | None, sign: Callable[[str], str]
) -> Iterator[JudgeBoardRow]:
    kendall: Mapping[str, Value] = {}
    if not judged.is_on_common:
        kendall = leaderboard_of(read_scored(project=project, wanted=Filter())).kendall
    missing = Undefined(Why.NOT_ON_COMMON if judged.is_on_common else Why.NO_RANKING)
    found = [(run, beside) for run in judged.runs if (beside := judged.beside(run)).confusion.scored]
    efforts = _read_efforts([run for run, _ in found])
    for run, beside in found:
        column = judged.columns[run.id]
        yield replace(
            _row(
                judged,
                column,
                beside,
                multiple_of(beside.error, human),
                {"kendall_tau_b": kendall.get(column.key, missing)} | efforts[run.id],
                signature=sign(column.signature),
            ),
            run=run.public_id,
            has_scores=has_scores(judged.said[run.id], judged.counted),
            left_out=judged.left_out,
            is_told=run.is_told,
            caution=_caution(run, column),
        )


def _row(
    judged: Judged,
    column: Column,
    beside: Beside,
    error_multiple: Value,
    others: Mapping[str, Value],
    *,
    signature: str,
) -> JudgeBoardRow:
    confusion, weighed = beside
    values = {**beside.figures, "error_multiple": error_multiple, **others}
    return JudgeBoardRow(
        key=column.key,
        name=column.name,
        counts=answers_of(confusion),
        figures=figures_with(values, None),
        kind=column.kind,
        run="",
        gold=column.gold,
        signature=signature,
        reach=judged.reach,
        weighed=None if weighed == confusion else counts_of(weighed),
        is_audited=judged.is_audited,
        has_scores=False,
        left_out=0,
        undecided=judged.undecided,
        is_told=False,
        caution="",
    )


def _caution(run: RunFacts, column: Column) -> str:
    told = (
        f"{column.name} was told what people decided, so its figures cannot be compared with those of judges "
        "that were not."
    )
    return " ".join(filter(None, [told * run.is_told, caution_of([column.signature])]))


def _bound(row: JudgeBoardRow, bounds: Intervals) -> JudgeBoardRow:
    return replace(
        row, figures={name: figure.within(bounds.get(name)) for name, figure in row.figures.items()}
    )


def _read_intervals(project: Project, on_common: bool) -> dict[str, Intervals]:
    """Return for every judge and every rater of the board, by its key, how sure each figure is."""
    judged = read_judged(project, on_common)
    people = read_board_raters(project=project, judged=judged)
    counts = _judges(judged) | {row.column.key: _raters(row, judged.items) for row in people}
    names = frozenset(row.column.key for row in people)
    found = computed(bound_figures, counts, people=names, pooled=POOLED_KEY, are_weighted=judged.is_weighed)
    ranking: Intervals = {} if on_common else {"kendall_tau_b": Undefined(Why.TAU_HAS_NONE)}
    return {key: figures | ranking for key, figures in found.items()}


def with_pseudonyms(rows: Sequence[JudgeBoardRow], *, project: Project) -> list[JudgeBoardRow]:
    """Name raters as pages and exports of the study do; what leaves without them has letters."""
    said = read_votes(project)
    names = {name_raters(letter).key: said.pseudonyms[rater] for rater, letter in said.letters.items()}
    return [replace(row, name=names.get(row.key, row.name)) for row in rows]


def read_own_signatures(*, project: Project) -> dict[str, str]:
    """Return what produced the verdicts, or votes, of each row of the board, by its key."""
    columns = [*read_judged(project).columns.values()]
    columns += [row.column for row in read_human_rows(project=project)]
    return {column.key: column.signature for column in columns}


def _judges(judged: Judged) -> dict[str, Floats]:
    items, counted = judged.items, judged.counted
    questions = items.candidates.question[counted]
    found = {}
    for run in judged.runs:
        verdict = judged.said[run.id].verdict[counted]
        if (verdict >= 0).any():
            found[judged.columns[run.id].key] = count_verdicts(
                truth=judged.truth[counted],
                verdict=verdict,
                questions=questions,
                question_count=len(items.questions.ids),
                weights=judged.weights[counted],
            )
    return found


def _raters(row: HumanRow, items: Items) -> Floats:
    return count_cells(
        codes=row.codes,
        questions=items.candidates.question[items.candidates.numbers(row.answers)],
        question_count=len(items.questions.ids),
        weights=row.weights,
    )
