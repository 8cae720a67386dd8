"""One rater and stop where a judge agrees, replayed on NQ301: labels an answer, final labels, the bound.

With recorded verdicts of GPT-4, and with the learned judge, trained without NQ301's questions.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.arrays import Floats, Integers
from analysis.intervals import Figure
from analysis.prejudging.routing import (
    NOTHING,
    RoutingFigures,
    draw_audit,
    foresee_routing,
    measure_routing,
    route,
)
from benchmarks.prejudging.released.nq301 import DATA, FOLDER, read_rows
from benchmarks.prejudging.released.scored import NO_DATA, has_data, score_nq301

DRAWS = 1_000
SEED = 17
SHARES = (0.0, 0.02, 0.05, 0.1)
SIZES = (30, 60, 100)
WORDS = {"yes": 1, "no": 0}


class Votes(NamedTuple):
    """NQ301's votes, answers × raters, the final labels, questions, and what GPT-4 said, if it did."""

    votes: Integers
    final: Integers
    gpt4: Integers
    questions: Integers


class Replayed(NamedTuple):
    """Means over draws of the rater who comes first and of the audit; held: how often the bound did."""

    labels_an_answer: float
    fixed: float
    same_share: float
    stopped_share: float
    bound: float | None
    held: float | None


def run() -> None:
    """Print what routing comes to by the share of the audit."""
    if not has_data():
        print(NO_DATA)
        return
    found = read_votes(DATA / FOLDER)
    _show("GPT-4", found, judge=found.gpt4)
    for size in SIZES:
        row = foresee(found, size=size)
        print(
            f"  foreseen from {size} questions: at most {row.bound:.4f} end otherwise (mean), "
            f"held in {row.held:.3f}"
        )
    scored = score_nq301()
    judge = (scored.probability >= 0.5).astype(np.int64)
    _show("learned judge, never saw NQ301", found, judge=judge, confidence=scored.confidence)


def _show(name: str, found: Votes, *, judge: Integers, confidence: Floats | None = None) -> None:
    print(f"{name}, {len(found.final):,} answers, {DRAWS:,} draws")
    for share in SHARES:
        row = replay(found, judge=judge, confidence=confidence, share=share)
        bound = "" if row.bound is None else f"; bound {row.bound:.4f}, held in {row.held:.3f}"
        print(
            f"  audit {share:.0%}: {row.labels_an_answer:.3f} labels an answer (fixed {row.fixed:.3f}), "
            f"{row.same_share:.4f} the same final label, {row.stopped_share:.3f} stopped{bound}"
        )


def replay(
    found: Votes,
    *,
    judge: Integers,
    share: float,
    confidence: Floats | None = None,
    draws: int = DRAWS,
    seed: int = SEED,
) -> Replayed:
    """Return what routing comes to on average, the first rater of each answer drawn anew each time.

    The bound holds where at most that share of all answers ended otherwise than without routing.
    """
    random = np.random.default_rng(seed)
    figures: list[RoutingFigures] = []
    held: list[bool] = []
    for draw in range(draws):
        votes = shuffle_first_two(found.votes, random)
        routed = route(votes=votes, judge=judge, confidence=confidence)
        unrouted = route(votes=votes, judge=np.full(len(judge), NOTHING))
        audited = draw_audit(stopped=routed.stopped, share=share, seed=seed + draw)
        row = measure_routing(routed=routed, unrouted=unrouted, final=found.final, audited=audited)
        figures.append(row)
        if row.residual.high is not None:
            wrong = float((routed.stopped & ~audited & (routed.final != unrouted.final)).mean())
            held.append(wrong <= row.residual.high)
    bounds = [row.residual.high for row in figures if row.residual.high is not None]
    return Replayed(
        labels_an_answer=float(np.mean([row.labels_an_answer for row in figures])),
        fixed=float(np.mean([row.fixed for row in figures])),
        same_share=float(np.mean([row.same_share for row in figures])),
        stopped_share=float(np.mean([row.stopped_share for row in figures])),
        bound=float(np.mean(bounds)) if bounds else None,
        held=float(np.mean(held)) if held else None,
    )


class Foreseen(NamedTuple):
    """What a page promises before routing is switched on, over draws of the questions judged so far.

    bound: the share of answers that at most would end otherwise, in the mean; held: how often it was true.
    """

    bound: float
    held: float


def foresee(found: Votes, *, size: int, draws: int = DRAWS, seed: int = SEED) -> Foreseen:
    """Foresee routing by GPT-4 from `size` questions drawn with replacement, beside all of them."""
    random = np.random.default_rng(seed)
    unrouted = route(votes=found.votes, judge=np.full(len(found.final), NOTHING))
    is_whole = (found.votes[:, :2] != NOTHING).all(axis=1)

    def same_share(rows: Integers, questions: Integers) -> Figure:
        return foresee_routing(
            votes=found.votes[rows, :2],
            given=unrouted.labels[rows],
            final=found.final[rows],
            judge=found.gpt4[rows],
            questions=questions,
            audit_share=0.0,
        ).same_share

    everything = np.flatnonzero(is_whole)
    true = same_share(everything, found.questions[everything]).value
    of_question = [
        np.flatnonzero(is_whole & (found.questions == each)) for each in np.unique(found.questions)
    ]
    lows = []
    for _ in range(draws):
        chosen = [of_question[each] for each in random.integers(len(of_question), size=size)]
        numbers = np.repeat(np.arange(size), [len(rows) for rows in chosen])
        lows.append(same_share(np.concatenate(chosen), numbers).low)
    known = np.array([low for low in lows if low is not None])
    return Foreseen(bound=float(1.0 - known.mean()), held=float((known <= true).mean()))


def shuffle_first_two(votes: Integers, random: np.random.Generator) -> Integers:
    """Let either of the first two raters of an answer come first, as chance has it."""
    swapped = random.random(len(votes)) < 0.5
    found = votes.copy()
    found[swapped, :2] = found[swapped, 1::-1]
    return found


def read_votes(folder: Path) -> Votes:
    """Return the rows of the human file with GPT-4's verdicts, by the first word of its reply."""
    rows = read_rows(folder / "NQ301_human.tsv")
    said = {
        (row["Question"], row["Model answer"]): row["gpt-4"] for row in read_rows(folder / "NQ301_gpt-4.tsv")
    }
    raters = ("annotator1", "annotator2", "annotator3")
    return Votes(
        votes=_numbers([[row[rater] for rater in raters] for row in rows]),
        final=_numbers([[row["Acceptable?"]] for row in rows])[:, 0],
        questions=np.unique([row["Question"] for row in rows], return_inverse=True)[1].reshape(-1),
        gpt4=_numbers([[said.get((row["Question"], row["Model answer"]), "")] for row in rows])[:, 0],
    )


def _numbers(words: Sequence[Sequence[str]]) -> Integers:
    return np.array([[_number(word) for word in row] for row in words], dtype=np.int64)


def _number(text: str) -> int:
    first = re.match(r"\W*(\w+)", text)
    return WORDS.get(first[1].lower(), NOTHING) if first else NOTHING
