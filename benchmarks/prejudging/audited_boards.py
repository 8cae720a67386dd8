"""How often the judge board's intervals hold after a policy and after a stratified draw, on EVOUNA-NQ.

Studies are drawn from the questions with replacement. People then judge all of their questions, or a sample
that takes more of those on which lexical judges differ; two bold rules settle most answers of what is left
to people, and a share of these is audited. The truth is what a judge's figure is over all answers.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Interval, Undefined
from benchmarks.prejudging.corrected.scores import LEXICAL, read_answers, read_policy
from benchmarks.prejudging.released.nq301 import DATA
from judges.comparison.rules.judge_board.beside_people import bound_cells, compare, count_verdicts
from judges.comparison.rules.study import (
    ACCEPTED,
    REJECTED,
    UNDECIDED,
    Candidates,
    Codes,
    Decided,
    Items,
    Predictions,
    Questions,
)
from judges.comparison.rules.weights import answers_decided_by_people, weigh_compared, weigh_questions
from judges.registry import get_entry, make_judge

DRAWS = 1_000
SEED = 17
FIGURES = ("accuracy_all", "cohen_kappa", "recall", "precision")
# Of those on which judges differ so much is drawn, in times of what is drawn of the others.
LIKELIER = (1.0, 2.0, 4.0, 6.0)
NOBODY_SETTLES = 1.0


class Design(NamedTuple):
    """A study of so many questions, of which people judge so many; audited: share of what rules settle."""

    questions: int
    judged: int
    audited: float


DESIGNS = (
    Design(300, 300, 0.05),
    Design(300, 300, 0.2),
    Design(2_000, 2_000, 0.05),
    Design(2_000, 2_000, 0.2),
    Design(2_000, 300, NOBODY_SETTLES),
    Design(2_000, 300, 0.2),
)


class Answers(NamedTuple):
    """One value an answer: people accept it; a judge's verdict; what rules say, NaN = nothing; its question.

    unsure: of how many of a question's answers lexical judges differ, at most as `LIKELIER` tells apart.
    """

    truth: Flags
    verdict: Codes
    said: Floats
    question: Integers
    unsure: Integers


class Drawn(NamedTuple):
    """A study drawn: its answers, which people decided, and what each of these stands for."""

    truth: Flags
    verdict: Codes
    question: Integers
    counted: Flags
    weights: Floats


class Replayed(NamedTuple):
    """Of one figure: its truth; the mean with weights and without; how often each interval held."""

    truth: float
    mean: float
    plain_mean: float
    held: float
    plain_held: float


def run(*_: str) -> None:
    """Print a row a design and figure, over all judges."""
    judged = read_judged(DATA / "evouna" / "NQ.json")
    print("| questions | judged | audit | figure | off by | unweighted | held | unweighted |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for design in DESIGNS:
        found = [replay(answers, design) for answers in judged.values()]
        audit = "no rule" if design.audited == NOBODY_SETTLES else f"{design.audited:.0%}"
        for figure in FIGURES:
            own = [each[figure] for each in found]
            print(
                f"| {design.questions:,} | {design.judged:,} | {audit} | {figure} | "
                f"{max(abs(each.mean - each.truth) for each in own):.3f} | "
                f"{max(abs(each.plain_mean - each.truth) for each in own):.3f} | "
                f"{_range(each.held for each in own)} | {_range(each.plain_held for each in own)} |",
                flush=True,
            )


def _range(shares: Iterable[float]) -> str:
    held = sorted(shares)
    return f"{held[0]:.1%}–{held[-1]:.1%}"


def read_judged(path: Path) -> dict[str, Answers]:
    """Return every labelled answer of the file by each lexical judge."""
    given, truth = read_answers(path)
    _, question = np.unique([row.question for row in given], return_inverse=True)
    verdicts = {
        key: np.array([bool(each.accepted) for each in make_judge(get_entry(key), {}).judge(given)])
        for key in LEXICAL
    }
    differ = np.ptp(np.stack(list(verdicts.values())).astype(np.int64), axis=0) > 0
    unsure = np.minimum(np.bincount(question, weights=differ).astype(np.int64), len(LIKELIER) - 1)
    said = read_policy(path)
    return {
        key: Answers(truth, verdict.astype(np.int8), said, question.reshape(-1), unsure)
        for key, verdict in verdicts.items()
    }


def replay(answers: Answers, design: Design, *, draws: int = DRAWS, seed: int = SEED) -> dict[str, Replayed]:
    """Draw studies, and return what becomes of each figure."""
    generator = np.random.default_rng(seed)
    everything = np.ones(len(answers.truth), dtype=bool)
    truths = compare(
        truth=answers.truth, verdict=answers.verdict, counted=everything, weights=everything * 1.0
    ).figures
    places = _by_question(answers.question)
    values, held = np.zeros((2, 2, len(FIGURES), draws))
    for draw in range(draws):
        drawn = draw_study(answers, places, design, generator)
        for way, each in enumerate((drawn, drawn._replace(weights=np.ones(len(drawn.weights))))):
            for place, (value, bounds) in enumerate(_figures(each)):
                truth = truths[FIGURES[place]]
                assert not isinstance(truth, Undefined)
                values[way, place, draw] = value
                held[way, place, draw] = isinstance(bounds, Interval) and bounds.low <= truth <= bounds.high
    return {
        name: Replayed(
            float(truths[name]),  # type: ignore[arg-type]
            float(values[0, place].mean()),
            float(values[1, place].mean()),
            float(held[0, place].mean()),
            float(held[1, place].mean()),
        )
        for place, name in enumerate(FIGURES)
    }


def draw_study(answers: Answers, places: Integers, design: Design, generator: np.random.Generator) -> Drawn:
    """Draw questions, then those that people judge, then the audit of what rules settle of these."""
    chosen = generator.integers(0, len(places), design.questions)
    table = places[chosen]
    own, question = table[table >= 0], np.repeat(np.arange(len(chosen)), (table >= 0).sum(axis=1))
    questions = _draw_judged(answers.unsure[chosen], design.judged, generator)
    in_sample = questions.in_sample[question]
    said = answers.said[own]
    is_ruled = in_sample & ~np.isnan(said) & (design.audited < NOBODY_SETTLES)
    is_drawn = is_ruled & (generator.random(len(own)) < design.audited)
    ruled = np.where(is_ruled, np.where(said == 1, ACCEPTED, REJECTED), UNDECIDED).astype(np.int8)
    people = in_sample & (~is_ruled | is_drawn)
    worth = np.where(answers.truth[own], ACCEPTED, REJECTED)
    decided = Decided(
        worth=np.where(people, worth, ruled).astype(np.int8),
        is_by_people=people,
        is_by_votes=people,
        ruled=ruled,
        is_drawn=is_drawn,
        probability=np.where(is_ruled, design.audited, 1.0),
    )
    items = _items(questions, question)
    improper = np.zeros(len(chosen), dtype=bool)
    return Drawn(
        truth=answers.truth[own],
        verdict=answers.verdict[own],
        question=question,
        counted=answers_decided_by_people(items, decided=decided, improper=improper),
        weights=weigh_compared(
            items, decided=decided, improper=improper, of_question=weigh_questions(questions)[question]
        ),
    )


def _draw_judged(unsure: Integers, judged: int, generator: np.random.Generator) -> Questions:
    """Draw so many questions, more of those that are unsure, each with its probability."""
    count = len(unsure)
    ids, in_sample, probability = np.arange(count), np.ones(count, dtype=bool), np.zeros(count)
    if judged == count:
        return Questions(ids, in_sample, np.full(count, -1), probability, np.zeros(count, dtype=bool))
    in_sample[:] = False
    rows = np.bincount(unsure, minlength=len(LIKELIER))
    wanted = rows * np.array(LIKELIER)
    sizes = np.minimum(rows, np.maximum(np.rint(wanted / wanted.sum() * judged).astype(np.int64), 2))
    for stratum, size in enumerate(sizes.tolist()):
        own = np.flatnonzero(unsure == stratum)
        if len(own):
            in_sample[generator.choice(own, size=size, replace=False)] = True
            probability[own] = size / len(own)
    return Questions(ids, in_sample, unsure, probability, in_sample.copy())


def _items(questions: Questions, question: Integers) -> Items:
    yes = np.ones(len(question), dtype=bool)
    none = np.zeros(0, dtype=np.int64)
    candidates = Candidates(np.arange(len(question)), question, yes, ~yes)
    return Items([], questions, candidates, Predictions(none, none, none, none, {}, {}))


def _figures(drawn: Drawn) -> list[tuple[float, Interval | Undefined]]:
    """Return every figure with its interval, as the judge board has it."""
    truth, verdict, question, counted, weights = drawn
    beside = compare(truth=truth, verdict=verdict, counted=counted, weights=weights)
    counts = count_verdicts(
        truth=truth[counted],
        verdict=verdict[counted],
        questions=question[counted],
        question_count=int(question.max()) + 1,
        weights=weights[counted],
    )
    are_weighted = bool((weights[counted] != 1.0).any())
    bounds = bound_cells({"judge": counts}, names=FIGURES, are_weighted=are_weighted)["judge"]
    values = ((name, beside.figures[name]) for name in FIGURES)
    return [(np.nan if isinstance(value, Undefined) else value, bounds[name]) for name, value in values]


def _by_question(question: Integers) -> Integers:
    """Return each question's answers, questions × most of one, -1 = no more."""
    counts = np.bincount(question)
    table = np.full((len(counts), int(counts.max())), -1, dtype=np.int64)
    order = np.argsort(question, kind="stable")
    table[question[order], np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)] = order
    return table
