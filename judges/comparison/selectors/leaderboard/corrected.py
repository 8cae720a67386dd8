"""Read what people, a judge and both together say of systems, which judge speaks for others, and how sure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from analysis.intervals import Why
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.identifiers import hash_signature
from common.memory import computed
from judges.comparison.rules.leaderboard.corrected import (
    Alone,
    CorrectedRow,
    CorrectingJudge,
    labels_of,
    lay_beside,
)
from judges.comparison.rules.leaderboard.planning import (
    ExpectedScore,
    Foreseen,
    Outlook,
    Plan,
    foresee_scores,
    plan_questions,
)
from judges.comparison.rules.study import (
    CORRECTED,
    Candidates,
    Filter,
    Scope,
    Scores,
    name_columns,
    people_key,
    table_of,
)
from judges.comparison.selectors.leaderboard.standings import (
    Scored,
    alone_of,
    leaderboard_of,
    read_runs,
    read_scored,
    why_not_correcting,
)
from judges.comparison.selectors.study import (
    RunFacts,
    read_decided,
    read_items,
    read_predictor,
    read_selection,
    sign_comparison,
)
from judges.prejudging.rules.policies import Rule
from judges.prejudging.selectors.preview import Preview, Previewed, preview_rules
from judges.registry import get_entry


@dataclass(frozen=True)
class CorrectedBoard:
    """Scores of systems by people alone, by judges alone, and by both.

    `chosen`: the key of the judge that corrects the leaderboard, whose `corrected` scores are the
    leaderboard’s own; empty if none does. `offered`: the key of the recommended judge; empty if none has
    judged every answer. `is_estimated`: whether the scores cover some answers that people do not judge, or
    judge only in a sample. `has_prejudged`: whether rules settled answers.
    """

    rows: list[CorrectedRow]
    judges: list[CorrectingJudge]
    chosen: str
    offered: str
    is_estimated: bool
    has_prejudged: bool
    signature: str


@kept()
def read_corrected(*, project: Project, wanted: Filter) -> CorrectedBoard:
    """Set beside each other what people say of a random sample, what judges say of all, and what both say."""
    scored = read_scored(project=project, wanted=wanted)
    study, counted = scored.study, scored.selection.predictions
    labels = labels_of(study.items, decided=study.decided, selection=scored.selection)
    judges = [
        CorrectingJudge(
            key=scores.column.key,
            name=scores.column.name,
            signature=scores.column.signature,
            why=why_not_correcting(scored, run, scores),
        )
        for run, scores in scored.by_run
    ]
    usable = {judge.key for judge in judges if judge.why is None}
    alone: dict[str, Alone] = {
        scores.column.key: alone_of(scored, run, scores)
        for run, scores in scored.by_run
        if scores.column.key in usable
    }
    rows = computed(lay_beside, study.items, labels=labels, counted=counted, judges=alone)
    signature = sign_comparison(
        project,
        "corrected",
        wanted=wanted,
        judges=[judge.signature for judge in judges if judge.why is None],
        labels=int((counted & ~np.isnan(labels.people)).sum()),
        by="corrected_mean",
    )
    questions = study.items.questions
    return CorrectedBoard(
        rows=rows,
        judges=judges,
        chosen=_correcting(scored),
        offered=next((scores.column.key for _, scores in best_first(scored)), ""),
        is_estimated=study.decided.has_ruled or not questions.in_sample[scored.selection.questions].all(),
        has_prejudged=study.decided.has_ruled,
        signature=signature,
    )


def _correcting(scored: Scored) -> str:
    """Return the key of the judge that corrects the leaderboard, by a sample or an audit; empty for none."""
    predictor = scored.study.predictor
    return scored.chosen or (predictor.column.key if predictor else "")


def best_first(scored: Scored) -> list[tuple[RunFacts, Scores]]:
    """Return the judges of every answer: the one of the leaderboard, then those that state probabilities."""
    usable = [each for each in scored.by_run if why_not_correcting(scored, *each) is None]
    usable.sort(key=lambda each: not get_entry(each[0].judge_key).states_probability)
    chosen = _correcting(scored)
    usable.sort(key=lambda each: each[1].column.key != chosen)
    return usable


class PlannedSample(NamedTuple):
    """A plan, with the questions of each stratum by id, how many are drawn, and which chance drew before."""

    plan: Plan
    strata: list[tuple[list[int], int, list[int]]]
    signature: str


@kept()
def read_plan(*, project: Project, points: float) -> PlannedSample:
    """Return how many labels scores of all questions need to be sure to ± points, and of which questions.

    What a random draw has brought into the sample stays; what somebody chose is drawn anew. The judge that
    corrects the leaderboard plans, or else the first that has judged every answer, one that states
    probabilities before others. points: more than 0.
    """
    scored = read_scored(project=project, wanted=Filter(scope=Scope.ENTIRE))
    study, selection = scored.study, scored.selection
    items = study.items
    usable = best_first(scored)
    if not usable or not len(items.predictions):
        nothing = Plan(points, "", 0, 0, 0, 0, 0.0, 0.0, is_better=False, why=Why.NO_JUDGE_OF_ALL)
        return PlannedSample(_as_it_stands(nothing, scored), [], "")
    run, scores = usable[0]
    labels = labels_of(items, decided=study.decided, selection=selection)
    # What was judged before a draw is no random sample, and says nothing of how often the judge errs.
    is_drawn = items.questions.is_drawn
    said = np.where(is_drawn[items.predictions.question], labels.people, np.nan)
    # Every question that could be drawn, whoever took some out of the scores.
    known = selection._replace(questions=np.isin(items.questions.ids, _samplable(project)))
    counted = known._replace(predictions=known.questions[items.predictions.question])
    tables = [
        table_of(each, items=items, selection=counted)
        for each in (alone_of(scored, run, scores).predictions, said)
    ]
    answers = table_of(np.ones(len(items.predictions)), items=items, selection=counted)
    present = ~np.isnan(answers).all(axis=1)
    predictions, given, answers = (each[present] for each in (*tables, answers))
    ids = items.questions.ids[counted.questions]
    drawn = is_drawn[counted.questions]
    planned = plan_questions(
        predictions,
        given,
        drawn=drawn,
        answers=(~np.isnan(answers)).sum(axis=0).astype(np.float64),
        points=points,
        judge=scores.column.name,
    )
    parts = [
        (ids[planned.strata == part].tolist(), size, ids[(planned.strata == part) & drawn].tolist())
        for part, size in enumerate(planned.wanted.tolist())
    ]
    plan = _as_it_stands(planned.plan, scored)
    return PlannedSample(plan, parts, hash_signature(scores.column.signature)[:16])


def _as_it_stands(plan: Plan, scored: Scored) -> Plan:
    """Say of a plan how sure the leaderboard is already."""
    board = leaderboard_of(scored)
    key = people_key(board.columns)
    scores = [row.scores.get(key) for row in board.rows]
    halves = [
        (score.high - score.low) / 2.0
        for score in scores
        if score and score.low is not None and score.high is not None
    ]
    is_known = len(halves) == len(scores) > 0 and (key == CORRECTED or board.all_decided)
    return replace(
        plan,
        now=100.0 * max(halves) if is_known else None,
        has_prejudged=scored.study.decided.has_ruled,
    )


def _samplable(project: Project) -> list[int]:
    return list(project.questions.filter(is_left_out=False).order_by("pk").values_list("pk", flat=True))


# What leads compare their own audit share with; with the last, people judge every answer.
AUDIT_SHARES = (0.05, 0.1, 0.2, 0.3, 0.5, 1.0)


@dataclass(frozen=True)
class ExpectedAtShare:
    """What an audit share costs people, and how precise scores would be.

    `drawn`: the number of answers sent to people for the audit. `to_people`: the number of answers that
    people would still judge, including these. `judgments`: the minimum number of judgments that they need.
    `half_widths`: for the preview’s `scores`, in the same order; null if unknown.
    """

    audit_share: float
    drawn: int
    to_people: int
    judgments: int
    half_widths: list[float | None]


@dataclass(frozen=True)
class PolicyPreview(Preview):
    """A preview of a policy, with the expected precision of scores after people decide what it leaves them.

    `wrong_share`: the estimated error rate among the settled answers; null if the policy settles none.
    `tried`: the number of decided answers covered by a rule, on which `wrong_share` is based. `by_share`:
    costs and precision for the policy’s audit share and for common ones, smallest first.
    """

    scores: list[ExpectedScore]
    wrong_share: float | None
    tried: int
    by_share: list[ExpectedAtShare]


def preview_policy(
    *, project: Project, rules: Sequence[Rule], audit_share: float, seed: int, sample: int = 1
) -> PolicyPreview:
    """Return what applying these rules now would do, and what becomes of scores over the judged sample."""
    previewed = preview_rules(project=project, rules=rules, audit_share=audit_share, seed=seed, sample=sample)
    runs, items = read_runs(project), read_items(project)
    others = [share for share in AUDIT_SHARES if share != audit_share]
    found = foresee_scores(
        items=items,
        decided=read_decided(project),
        outlook=_look_out(items.candidates, previewed, audit_share=audit_share),
        counted=read_selection(project, Filter()).predictions,
        predictor=read_predictor(project, runs=runs, columns=name_columns(runs)),
        shares=others,
    )
    return PolicyPreview(
        **vars(previewed.preview),
        scores=found.scores,
        wrong_share=found.wrong_share,
        tried=len(previewed.trials),
        by_share=_by_share(project, previewed, found, audit_share=audit_share, others=others),
    )


def _by_share(
    project: Project, previewed: Previewed, found: Foreseen, *, audit_share: float, others: Sequence[float]
) -> list[ExpectedAtShare]:
    draws = np.array([effect.draw for effect in previewed.effects])
    own = [score.half_width for score in found.scores]
    rows = list[ExpectedAtShare]()
    for share, half_widths in sorted(
        [(audit_share, own), *zip(others, found.half_widths, strict=True)], key=lambda each: each[0]
    ):
        drawn = int((draws < share).sum())
        to_people = previewed.preview.open - len(draws) + drawn
        rows.append(
            ExpectedAtShare(
                audit_share=share,
                drawn=drawn,
                to_people=to_people,
                judgments=to_people * project.raters_at_first,
                half_widths=half_widths,
            )
        )
    return rows


def _look_out(candidates: Candidates, previewed: Previewed, *, audit_share: float) -> Outlook:
    rule, tried = np.zeros((2, len(candidates.ids)), dtype=np.int64)
    is_accepted, is_wrong = np.zeros((2, len(rule)), dtype=bool)
    draw = np.ones(len(rule))
    effects = np.array([each[:3] for each in previewed.effects], dtype=np.int64).reshape(-1, 3)
    draws = np.array([each.draw for each in previewed.effects])
    trials = np.array(previewed.trials, dtype=np.int64).reshape(-1, 3)
    # What was imported since the arrays were read belongs to the next preview.
    is_known = candidates.numbers(effects[:, 0]) >= 0
    effects, draws = effects[is_known], draws[is_known]
    trials = trials[candidates.numbers(trials[:, 0]) >= 0]
    places = candidates.numbers(effects[:, 0])
    rule[places], is_accepted[places] = effects[:, 1:].T
    draw[places] = draws
    places = candidates.numbers(trials[:, 0])
    tried[places], is_wrong[places] = trials[:, 1:].T
    return Outlook(rule, is_accepted, draw, tried, is_wrong, audit_share)
