"""Pairs of judges: agreement, and tested differences; and prompts of the LLM judge side by side."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from analysis.arrays import Flags, Floats
from analysis.intervals import Figure, Undefined, Why
from analysis.ranking import PairedDifference, mcnemar_by_cluster, mcnemar_exact, paired_difference
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.memory import computed
from judges.comparison.rules.boards import BoardRow, ComparedPairs, Uncorrected, correct_pairs, figures_with
from judges.comparison.rules.judge_board.beside_people import Intervals, answers_of
from judges.comparison.rules.judge_board.pairs import JudgePair, pair_judges
from judges.comparison.rules.judge_board.parts import PartBy
from judges.comparison.rules.study import NO_VERDICT, UNSCORED, Codes, RunFacts
from judges.comparison.selectors.judge_board.judged import Judged, read_judged, sign_beside_people
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.comparison.selectors.judge_board.parts import bound_runs, name_systems
from judges.comparison.selectors.study import name_judges, name_ledger, sign_comparison
from judges.runs.models import JudgeRun

LLM = "llm"
OF_STRATEGIES = ("accuracy_all", "f1")

# Who people are where judges are named by their runs.
PEOPLE = "people"


@dataclass(frozen=True)
class NamedJudge:
    """A run by its ID, or `people`."""

    id: str
    name: str


@dataclass(frozen=True)
class JudgePairs:
    """Judges in the order of the board, people first, and all pairs that judged the same answers.

    `signature`: what produced the numbers; it identifies each judge by the start of its signature’s hash.
    `undecided`: if rules settled answers, the number of answers that people have not decided yet, otherwise
    0.
    """

    signature: str
    judges: list[NamedJudge]
    pairs: list[JudgePair]
    undecided: int


@kept()
def read_judge_pairs(*, project: Project) -> JudgePairs:
    """Compare people and every run that has verdicts on the judged sample with each other."""
    judged = read_judged(project)
    verdicts = {
        name: verdict for name, verdict in _verdicts(judged).items() if (verdict[judged.shared] >= 0).any()
    }
    names = {run.public_id: judged.columns[run.id].name for run in judged.runs}
    questions = judged.items.candidates.question
    pairs = computed(
        pair_judges,
        verdicts,
        shared=judged.shared,
        questions=questions,
        question_count=len(judged.items.questions.ids),
        weights=dict.fromkeys(verdicts, judged.of_question) | {PEOPLE: judged.weights},
    )
    signature = sign_comparison(
        project,
        "judges two by two",
        judges=[run.signature for run in judged.runs if run.public_id in verdicts],
        people="decisions" if PEOPLE in verdicts else None,
        weights=judged.weighing,
        answers="judged by both",
    )
    judges = [NamedJudge(name, names.get(name, "People")) for name in verdicts]
    return JudgePairs(signature, judges, pairs, judged.undecided)


def _verdicts(judged: Judged) -> dict[str, Codes]:
    people = np.where(judged.counted, judged.truth.astype(np.int8), NO_VERDICT).astype(np.int8)
    return {PEOPLE: people} | {run.public_id: judged.said[run.id].verdict for run in judged.runs}


def find_judged_answers(
    *, project: Project, accepted_by: str = "", rejected_by: str = "", unscored_by: str = ""
) -> list[int]:
    """Return the ids of answers of the sample of which these (a run's id, or `PEOPLE`) say so.

    Who is not named does not matter; somebody unknown said nothing of any answer. What people have decided
    and a run has no verdict on counts as unscored by it, as on the judge board.
    """
    judged = read_judged(project)
    verdicts = _verdicts(judged)
    nothing = np.full(len(judged.shared), NO_VERDICT, dtype=np.int8)
    found = judged.shared.copy()
    for name, value in ((accepted_by, 1), (rejected_by, 0)):
        if name:
            found &= verdicts.get(name, nothing) == value
    if unscored_by:
        found &= _is_unscored(verdicts.get(unscored_by), judged)
    ids: list[int] = judged.items.candidates.ids[found].tolist()
    return ids


def find_errors(*, project: Project, run: str) -> list[int]:
    """Return the ids of answers on which the judge board counts an error of this run (a public id).

    A run of another project erred nowhere.
    """
    judged = read_judged(project)
    verdict = _verdicts(judged).get(run)
    if verdict is None:
        return []
    errs = judged.counted & (verdict >= 0) & ((verdict == 1) != judged.truth)
    ids: list[int] = judged.items.candidates.ids[errs].tolist()
    return ids


def _is_unscored(verdict: Codes | None, judged: Judged) -> Flags:
    if verdict is None:
        return np.zeros(len(judged.shared), dtype=bool)
    unscored: Flags = (verdict == UNSCORED) | (judged.counted & (verdict == NO_VERDICT))
    return unscored


@dataclass(frozen=True)
class ComparedJudges(ComparedPairs):
    """All pairs of judges, compared by accuracy against people.

    `judges`: the runs in the order of the board. `undecided`: if rules settled answers, the number of answers
    that people have not decided yet, otherwise 0.
    """

    judges: list[NamedJudge]
    undecided: int


@kept()
def read_judge_differences(*, project: Project) -> ComparedJudges:
    """Compare every two runs by how often they say what people decided, on the answers both scored.

    Answers that a rule of pre-judging settled are none that people decided: a judge would be held against
    itself.
    """
    judged = read_judged(project)
    runs = [run for run in judged.runs if _scored_by(judged, run).any()]
    pairs = correct_pairs([_uncorrected(judged, first, second) for first, second in combinations(runs, 2)])
    signature = sign_comparison(
        project,
        "accuracy of judges two by two",
        beside="people",
        answers="decided and judged by both",
        weights=judged.weighing,
        judges=[run.signature for run in runs],
        correction="holm",
    )
    judges = [NamedJudge(run.public_id, judged.columns[run.id].name) for run in runs]
    return ComparedJudges(signature, pairs, judges, judged.undecided)


def _scored_by(judged: Judged, run: RunFacts) -> Flags:
    """Say of which answers that count a run has a verdict."""
    found: Flags = judged.counted & (judged.said[run.id].verdict >= 0)
    return found


def _compare_accuracy(judged: Judged, run: RunFacts, other: RunFacts) -> PairedDifference:
    """Return the accuracy of a run minus that of another, on the answers both scored; rows are answers."""
    both = _scored_by(judged, run) & _scored_by(judged, other)
    # So that the mean of what both scored is that of the answers they stand for.
    size = judged.weights[both].mean() if both.any() else 1.0
    own, others = (
        np.where(both, _is_right(judged, each) * judged.weights / size, np.nan) for each in (run, other)
    )
    return computed(paired_difference, first=own, second=others, clusters=judged.items.candidates.question)


def _uncorrected(judged: Judged, first: RunFacts, second: RunFacts) -> Uncorrected:
    difference = _compare_accuracy(judged, first, second)
    both = _scored_by(judged, first) & _scored_by(judged, second)
    own, other = _is_right(judged, first)[both] == 1, _is_right(judged, second)[both] == 1
    # Where answers stand for others, counts of answers are not what the difference is of.
    p_value = (
        difference.p_value
        if judged.is_weighed
        else mcnemar_by_cluster(
            first_right=own, second_right=other, clusters=judged.items.candidates.question[both]
        )
    )
    return Uncorrected(
        first=first.public_id,
        second=second.public_id,
        difference=difference,
        p_value=p_value,
        mcnemar=None if judged.is_weighed else mcnemar_exact(first_right=own, second_right=other),
    )


def _is_right(judged: Judged, run: RunFacts) -> Floats:
    is_right: Floats = ((judged.said[run.id].verdict == 1) == judged.truth).astype(np.float64)
    return is_right


@dataclass(frozen=True)
class JudgeStrategy:
    """One run of the LLM judge.

    `systems`: first all answers (with an empty key), then each system’s answers. `difference`: its accuracy
    minus the accuracy of the model’s first run, on the `shared` answers that both scored. `signature`: the
    run’s signature, which includes the prompt’s hash, followed by what produced the numbers.
    """

    run: str
    name: str
    signature: str
    model: str
    prompt: str
    systems: list[BoardRow]
    shared: int
    difference: Figure


@kept()
def read_strategies(*, project: Project, intervals: bool = False) -> list[JudgeStrategy]:
    """Return the runs of the LLM judge with a verdict on a decided answer, by model, then oldest first.

    intervals: how sure the figures are, too, as the judge board and its parts by system say.
    """
    judged = read_judged(project)
    runs = {run.id: run for run in judged.runs if run.judge_key == LLM}
    rows = JudgeRun.objects.filter(pk__in=list(runs)).order_by("connection__model", "created_at", "pk")
    ledger = name_ledger(project)
    board = {row.run: row for row in read_judge_board(project=project, intervals=intervals)}
    bounds = bound_runs(project, judged, PartBy.SYSTEM) if intervals else {}
    found: list[JudgeStrategy] = []
    firsts: dict[str, RunFacts] = {}
    for pk, options, model in rows.values_list("pk", "options", "connection__model"):
        run = runs[pk]
        whole = board.get(run.public_id)
        if whole is None:
            continue
        first = firsts.setdefault(model or "", run)
        difference = _difference_from(judged, run, first)
        found.append(
            JudgeStrategy(
                run=run.public_id,
                name=judged.columns[pk].name,
                signature=sign_beside_people(
                    project,
                    run.signature,
                    judged=judged,
                    by=PartBy.SYSTEM.value,
                    difference_from=name_judges([first.signature]),
                    ledger=ledger,
                ),
                model=model or "",
                prompt=str(options.get("prompt", "")),
                systems=[
                    BoardRow("", "", whole.counts, {name: whole.figures[name] for name in OF_STRATEGIES}),
                    *_system_rows(judged, run, bounds.get(pk, {})),
                ],
                shared=difference.rows,
                difference=Figure.of(difference.difference, difference.interval),
            )
        )
    return found


def _system_rows(judged: Judged, run: RunFacts, parts: Mapping[str, Intervals]) -> Iterator[BoardRow]:
    names = name_systems(judged.items.systems)
    for system, name, beside in zip(judged.items.systems, names, judged.by_system(run), strict=True):
        values = {figure: beside.figures[figure] for figure in OF_STRATEGIES}
        counts = answers_of(beside.confusion)
        yield BoardRow(system.name, system.label, counts, figures_with(values, parts.get(name)))


def _difference_from(judged: Judged, run: RunFacts, first: RunFacts) -> PairedDifference:
    if run is first:
        nothing = Undefined(Why.THE_FIRST)
        return PairedDifference(0, nothing, nothing, nothing)
    return _compare_accuracy(judged, run, first)
