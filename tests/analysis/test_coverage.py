"""Every interval of a page holds the truth as often as it says, though a question's answers go together.

`FIGURES` lists them all: each is drawn by the product's own functions in studies of 5 to 2,000 questions.
`make prove` measures two thousand studies of every size; its table stands in docs/statistics.md.
"""

import ast
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from analysis import classification
from analysis.calibration import (
    area_under_roc,
    average_precision,
    average_precision_interval,
    sweep_thresholds,
)
from analysis.intervals import Interval, Undefined, confidence_sequence, mean_interval, wilson_interval
from analysis.ranking import Table, compare_orders, paired_difference, rank_intervals, tell_apart
from analysis.raters import agreement
from analysis.sampling import Ratio, measure_shares, weigh_sample
from annotation.agreement.rules.measures import (
    COEFFICIENTS,
    ORDINAL,
    bound_coefficients,
    bound_kinds,
    bound_labels,
    bound_pairs,
)
from annotation.quality.rules import estimates
from annotation.quality.rules.figures import share
from judges.comparison.rules.judge_board.beside_people import FIGURES as JUDGE_FIGURES
from judges.comparison.rules.judge_board.beside_people import (
    Cells,
    bound_figures,
    count_cells,
    error_multiple,
    figure_of,
    judge_error,
)
from judges.comparison.rules.judge_board.scored_judge import ScoredRows, measure_scores
from judges.comparison.rules.leaderboard.standings import bound_gains
from judges.comparison.rules.leaderboard.systems import compare_systems

ROOT = Path(__file__).parents[2]
SIZES = (5, 10, 20, 100, 300, 2_000)
ANSWERS = 4
LABELS = 2
SYSTEMS = 6
# What systems have right of easy questions, of hard ones, and what the judge says wrongly of each answer.
SKILLS = np.array([[0.95, 0.55], [0.9, 0.5], [0.85, 0.4], [0.8, 0.4], [0.8, 0.4], [0.6, 0.2]])
STRATA = (0.15, 0.6)

Cover = dict[str, bool | None]


class Board(NamedTuple):
    """Figures that one drawn study gives: truth by a study of very many questions, and what pages show.

    draw: from a generator and a number of questions to each figure's value and interval. at_least: those that
    are promised to hold more often than 95% where chance allows nothing between, or for all at once.
    """

    draw: Callable[[np.random.Generator, int], dict[str, object]]
    truth: Callable[[], dict[str, float]]


def draw_votes(generator, questions):
    """Draw what is right, what two raters and a judge say of it, and what the judge leaves unscored.

    Answers × 5, 1 is accepted. Questions are hard or easy as a whole, for all of them.
    """
    right = generator.random((questions, 1)) < generator.beta(2, 2, size=(questions, ANSWERS))
    accuracy = generator.choice([0.65, 0.85, 0.98], size=(questions, 1, 1))
    said = right[:, :, np.newaxis] ^ (generator.random((questions, ANSWERS, 3)) > accuracy)
    unscored = generator.random((questions, ANSWERS, 1)) < 0.04
    rows = np.concatenate([right[:, :, np.newaxis], said, unscored], axis=2)
    return rows.reshape(-1, 5).astype(np.int64)


def questions_of(rows):
    """Return each answer's question."""
    return np.arange(len(rows)) // ANSWERS


OF_RATERS = {**COEFFICIENTS, ORDINAL: agreement.krippendorff_alpha_ordinal}


def bound_raters(generator, questions):
    """Return the intervals of the agreement page and of a rater's page."""
    rows = draw_votes(generator, questions)
    votes, groups = rows[:, 1:3], questions_of(rows)
    ratings = agreement.Ratings(votes, LABELS, np.arange(len(rows)))
    people = np.broadcast_to(np.arange(2), votes.shape)
    pairs = agreement.tabulate_pairs(votes=votes, raters=people, label_count=LABELS)
    of_pairs = bound_pairs(pairs, groups=groups, label_count=LABELS)
    shared = estimates.Shared(votes, people, groups, LABELS, 2)
    (kappa, _), own = estimates._kappas(shared), votes[:, 0] == rows[:, 0]
    rater = share(own, questions=groups, nothing="")
    return {
        **bound_coefficients(
            ratings, ordered=votes, ordered_count=LABELS, groups=groups, nominal=COEFFICIENTS
        ),
        "cohen_kappa": of_pairs.mean_kappa,
        "equal votes of a pair": of_pairs.observed[0],
        "κ of a pair": of_pairs.kappas[0],
        "κ of an annotator": (kappa.low, kappa.high) if kappa.low is not None else None,
        "share of an annotator": (rater.low, rater.high) if rater.low is not None else None,
        "share of a label": bound_labels(ratings, groups=groups)[1],
        "share of a decision": bound_kinds(rows[:, 0], groups=groups, kind_count=2)[1],
    }


def find_raters_truth():
    rows = draw_votes(np.random.default_rng(1), 200_000)
    votes = rows[:, 1:3]
    sums = agreement.sum_votes(votes=votes, label_count=LABELS)
    kappa = float(
        agreement.cohen_kappa(agreement.tabulate_two(first=votes[:, 0], second=votes[:, 1], label_count=2))
    )
    observed = (votes[:, 0] == votes[:, 1]).mean()
    return {
        **{name: float(coefficient(sums)) for name, coefficient in OF_RATERS.items()},
        **dict.fromkeys(("cohen_kappa", "κ of a pair", "κ of an annotator"), kappa),
        "equal votes of a pair": observed,
        "share of an annotator": (votes[:, 0] == rows[:, 0]).mean(),
        "share of a label": votes.mean(),
        "share of a decision": rows[:, 0].mean(),
    }


def cells_of(rows, *, place, questions):
    """Count questions × cells of what one says beside what is right."""
    scored = rows[:, 4] == 0 if place == 3 else np.full(len(rows), True)
    codes = classification.code_rows(correct=rows[:, 0], accepted=rows[:, place], scored=scored)
    return count_cells(codes=codes, questions=questions_of(rows), question_count=questions)


def bound_judge(generator, questions):
    """Return the intervals of the judge board: those of its parts, pairs and lines are the same."""
    rows = draw_votes(generator, questions)
    counts = {
        name: cells_of(rows, place=place, questions=questions)
        for name, place in (("judge", 3), ("another", 1))
    }
    bounds = bound_figures(counts, people=frozenset({"another"}), pooled="another")["judge"]
    right, judge, another = (rows[:, place] for place in (0, 3, 1))
    scored = rows[:, 4] == 0
    apart = paired_difference(
        first=np.where(scored, judge == right, np.nan),
        second=np.where(scored, another == right, np.nan),
        clusters=questions_of(rows),
    )
    return {
        **{f"judge {name}": interval for name, interval in bounds.items()},
        "difference of two judges": apart.interval,
    }


def find_judge_truth():
    rows = draw_votes(np.random.default_rng(1), 200_000)
    places = {
        name: getattr(classification, name.upper())
        for name in ("true_positive", "false_negative", "false_positive", "true_negative", "unscored")
    }
    judge, human = (
        Cells(*(cells_of(rows, place=place, questions=200_000).sum(axis=0)[list(places.values())]))
        for place in (3, 1)
    )
    return {
        **{f"judge {name}": float(figure_of(judge, name)) for name in JUDGE_FIGURES},
        "judge error_multiple": float(error_multiple(judge_error(judge), human=human)),
        # Both are drawn alike.
        "difference of two judges": 0.0,
    }


def draw_scores(generator, questions):
    """Draw systems × questions: right or not by people and by a judge, and a mean score."""
    hard = (generator.random(questions) < 0.4).astype(int)
    luck = generator.random(questions)
    own = generator.random((SYSTEMS, questions))
    right = np.where(generator.random((SYSTEMS, questions)) < 0.5, luck, own) < SKILLS[:, hard]
    judged = right ^ (generator.random((SYSTEMS, questions)) < np.where(right, 0.15, 0.05))
    f1 = np.where(
        right, generator.choice([1.0, 0.8], size=right.shape), generator.choice([0.0, 0.4], size=right.shape)
    )
    return right.astype(float), judged.astype(float), f1


@lru_cache
def find_systems_truth():
    right, judged, f1 = draw_scores(np.random.default_rng(1), 2_000_000)
    any_two = ((right[0] + right[1]) > 0).mean()
    return {
        "score of a system": right[2].mean(),
        "mean F1": f1[2].mean(),
        "mean F1 in a table": f1[2].mean(),
        "gain": (right[2] - judged[2]).mean(),
        "gain, relative": right[2].mean() / judged[2].mean() - 1,
        "difference of two systems": (right[0] - right[2]).mean(),
        "difference of two means": (f1[0] - f1[2]).mean(),
        "equal answers of two": (right[0] == right[1]).mean(),
        "right together": any_two,
        "right by any": (right.sum(axis=0) > 0).mean(),
        "right by all": (right.sum(axis=0) == SYSTEMS).mean(),
    }


@lru_cache
def find_order():
    """Return who truly lies above whom: by people's score, and by the judge's."""
    right, judged = np.array(SKILLS @ [0.6, 0.4]), None
    judged = right * 0.85 + (1 - right) * 0.05
    return [scores[:, np.newaxis] > scores[np.newaxis, :] + 1e-12 for scores in (right, judged)]


def bound_many_systems(generator, questions):
    """Return the intervals of the leaderboard and of systems beside each other, and whether ranks hold."""
    right, judged, f1 = draw_scores(generator, questions)
    gain = bound_gains(Table(judged[2:3], True), Table(right[2:3], True))[0]
    systems = [(str(place), "") for place in range(len(right))]
    beside = compare_systems(strings=right, right=right, systems=systems, intervals=True)
    by_people, by_judge = find_order()
    (sure,) = tell_apart(tables=[Table(right, True)])
    order = compare_orders(people=Table(right, True), other=Table(judged, True))
    true_share = (sure & by_judge).sum() / max(sure.sum(), 1)
    ranks = rank_intervals(Table(right, True))
    true_ranks = 1 + by_people.sum(axis=0), SYSTEMS - by_people.sum(axis=1)
    held = [one.best <= top and low <= one.worst for one, top, low in zip(ranks, *true_ranks, strict=True)]
    everywhere = questions_all = np.arange(questions)
    return {
        "score of a system": wilson_interval(successes=int(right[2].sum()), total=questions),
        "mean F1": mean_interval(count=questions, total=f1[2].sum(), squares=np.square(f1[2]).sum()),
        "gain": ends(gain.gain),
        "gain, relative": ends(gain.relative),
        "difference of two systems": paired_difference(
            first=right[0], second=right[2], clusters=questions_all
        ).interval,
        "difference of two means": paired_difference(first=f1[0], second=f1[2], clusters=everywhere).interval,
        "equal answers of two": ends(beside.pairs[0].agreement),
        "right together": ends(beside.pairs[0].oracle),
        "right by any": ends(beside.oracle),
        "right by all": ends(beside.right_by[SYSTEMS].share),
        "ranks of all systems": all(held),
        "pairs in the same order": None
        if isinstance(order.interval, Undefined)
        else order.interval.low <= true_share <= order.interval.high,
    }


def ends(figure):
    """Return the interval of a figure, or why there is none."""
    return Undefined(figure.why) if figure.why else Interval(figure.low, figure.high)


def draw_probabilities(generator, questions):
    """Draw scores of a judge whose probabilities are right, and what is right: both answers long."""
    ease = generator.normal(0.5, 0.8, size=(questions, 1))
    scores = 1 / (1 + np.exp(-(ease + generator.normal(0, 1.2, size=(questions, ANSWERS)))))
    # Of one question both are near each other: a draw that its answers share turns some of them.
    luck = np.where(
        generator.random((questions, ANSWERS)) < 0.3,
        generator.random((questions, 1)),
        generator.random((questions, ANSWERS)),
    )
    return scores.reshape(-1), (luck < scores).reshape(-1)


def bound_scores(generator, questions):
    """Return the intervals of a judge's scores, and whether its probabilities pass for right, as they are."""
    scores, correct = draw_probabilities(generator, questions)
    groups = np.arange(len(scores)) // ANSWERS
    found = measure_scores(
        ScoredRows(scores, scores > 0.5, correct, groups, np.ones(len(scores))),
        threshold=0.5,
        is_probability=True,
    )
    p_value = found.calibration.p_value.value
    middle = [each.correct_share for each in found.calibration.bins if round(each.low, 1) == 0.6]
    return {
        "ROC area": found.roc_area.interval,
        "average precision": average_precision_interval(
            scores=scores, correct=correct, clusters=groups, seed=1, resamples=200
        ),
        "a bin's share": middle[0].interval if middle else None,
        "test of calibration": None if p_value is None else p_value > 0.05,
    }


def find_scores_truth():
    scores, correct = draw_probabilities(np.random.default_rng(1), 300_000)
    sweep = sweep_thresholds(scores=scores, correct=correct)
    inside = (scores > 0.6) & (scores <= 0.7)
    return {
        "ROC area": area_under_roc(sweep),
        "average precision": average_precision(sweep),
        "a bin's share": correct[inside].mean(),
    }


def draw_tagged(generator, questions):
    """Draw items of two strata, drawn at different rates, which have a property or not."""
    easy = generator.random((questions, 1)) < 0.5
    has = generator.random((questions, ANSWERS)) < np.where(easy, 0.15, 0.55) * generator.choice(
        [0.6, 1.3], size=(questions, 1)
    )
    stratum = (generator.random((questions, ANSWERS)) < np.where(has, 0.7, 0.4)).astype(np.int64)
    sampled = generator.random((questions, ANSWERS)) < np.array(STRATA)[1 - stratum]
    return has.reshape(-1), stratum.reshape(-1), sampled.reshape(-1)


def bound_tagged(generator, questions):
    """Return the interval of a failure board's share."""
    has, stratum, sampled = draw_tagged(generator, questions)
    weights = weigh_sample(target=np.full(len(has), True), sampled=sampled, cells=stratum)
    (found,) = measure_shares(
        ratios=[Ratio(weights * has, weights, weights)], clusters=np.arange(len(has)) // ANSWERS
    )
    drawn = generator.binomial(questions, 0.2)
    return {
        "share of a failure board": found.interval and Interval(*found.interval),
        "share of single items": wilson_interval(successes=drawn, total=questions),
        "share of an audit": confidence_sequence(successes=drawn, total=questions),
    }


def find_tagged_truth():
    has, *_ = draw_tagged(np.random.default_rng(1), 500_000)
    return {"share of a failure board": has.mean(), "share of single items": 0.2, "share of an audit": 0.2}


BOARDS = (
    Board(bound_raters, find_raters_truth),
    Board(bound_judge, find_judge_truth),
    Board(bound_many_systems, find_systems_truth),
    Board(bound_scores, find_scores_truth),
    Board(bound_tagged, find_tagged_truth),
)


def side_of(interval, truth):
    """Return 0 where an interval holds the truth, -1 where that lies below it, 1 above; None without one.

    What a board says itself is 0 or 1.
    """
    if interval is None or isinstance(interval, Undefined):
        return None
    if isinstance(interval, (bool, np.bool_)):
        return int(not interval)
    low, high = interval
    return int(truth > high) - int(truth < low)


class Coverage(NamedTuple):
    """Of so many studies that show an interval, the share in which it holds the truth.

    rarer: the share in which it misses on the side on which it does so more seldom.
    """

    shown: int
    share: float
    rarer: float


@lru_cache
def measure_coverage(questions, studies):
    """Return by figure how often intervals of so many questions hold."""
    found: dict[str, list[int]] = {}
    for board in BOARDS:
        truth, generator = board.truth(), np.random.default_rng(questions)
        for _ in range(studies):
            for name, interval in board.draw(generator, questions).items():
                side = side_of(interval, truth.get(name, np.nan))
                found.setdefault(name, []).extend([] if side is None else [side])
    return {name: _summarize(np.array(sides)) for name, sides in found.items()}


def _summarize(sides):
    if not len(sides):
        return Coverage(0, np.nan, np.nan)
    rarer = min((sides == side).mean() for side in (-1, 1))
    return Coverage(len(sides), float((sides == 0).mean()), float(rarer))


LOWEST = 0.93
HIGHEST = 0.97
# What is promised of a whole family at once, or at every look.
STRONGER = {"ranks of all systems", "pairs in the same order", "share of an audit"}
# Where a share lies near none or all, no study is so unlike it that its interval ends before: one side
# cannot miss, and of 95% with equal tails 97.5% are left.
CANNOT_MISS = 0.0075
FIGURES = (
    *OF_RATERS, "cohen_kappa", "equal votes of a pair", "κ of a pair", "κ of an annotator",
    "share of an annotator", "share of a label", "share of a decision",
    *(f"judge {name}" for name in JUDGE_FIGURES),
    "judge error_multiple", "difference of two judges", "score of a system", "mean F1", "gain",
    "gain, relative",
    "difference of two systems", "difference of two means", "equal answers of two", "right together",
    "right by any", "right by all", "ranks of all systems", "pairs in the same order", "ROC area",
    "average precision", "a bin's share", "test of calibration", "share of a failure board",
    "share of single items", "share of an audit",
)  # fmt: skip

# Whoever makes an interval, and by which figures of the simulation it is held.
SITES = {
    "annotation/agreement/rules/measures.py": (
        "observed_agreement", "fleiss_kappa", "κ of a pair", "share of a label", "share of a decision",
    ),
    "annotation/gold/selectors/ledger.py": ("share of an audit",),
    "annotation/quality/rules/estimates.py": ("κ of an annotator",),
    "annotation/quality/rules/figures.py": ("share of an annotator",),
    "annotation/quality/rules/signs.py": ("difference of two systems",),
    "judges/comparison/rules/failures.py": ("share of a failure board",),
    "judges/comparison/rules/judge_board/beside_people.py": tuple(f"judge {name}" for name in JUDGE_FIGURES),
    "judges/comparison/rules/judge_board/cautions.py": (
        "share of a failure board", "difference of two systems",
    ),
    "judges/comparison/rules/judge_board/pairs.py": ("judge accuracy_scored", "judge cohen_kappa"),
    "judges/comparison/rules/judge_board/parts.py": ("judge accuracy_all",),
    "judges/comparison/rules/judge_board/scored_judge.py": (
        "ROC area", "a bin's share", "gain", "average precision", "judge precision",
    ),
    "judges/comparison/rules/leaderboard/corrected.py": ("score of a system",),
    # How wide the leaderboard's own become, on labels that are imagined.
    "judges/comparison/rules/leaderboard/planning.py": ("score of a system",),
    "judges/comparison/rules/leaderboard/standings.py": (
        "share of a failure board", "gain", "gain, relative", "score of a system", "mean F1",
    ),
    "judges/comparison/rules/leaderboard/systems.py": ("equal answers of two", "right by any"),
    "judges/comparison/selectors/judge_board/parts.py": ("judge accuracy_all",),
    "judges/comparison/selectors/judge_board/pairs.py": ("difference of two judges",),
    "judges/comparison/selectors/judge_board/judges.py": (
        "judge accuracy_all", "ROC area", "average precision",
    ),
    "judges/comparison/selectors/leaderboard/amendments.py": ("gain",),
    "judges/comparison/selectors/leaderboard/standings.py": (
        "gain", "difference of two systems", "ranks of all systems", "pairs in the same order",
    ),
    "judges/comparison/selectors/leaderboard/systems.py": ("equal answers of two", "right by any"),
    "judges/prejudging/rules/audit.py": ("share of an audit",),
    "judges/prejudging/selectors/preview.py": ("share of a failure board",),
    "judges/tagging/rules/rounds.py": ("share of single items",),
    # Counted again by code of its own, from the same rows: the same figures.
    "judges/verification/rules/recount/beside.py": ("judge accuracy_all", "judge cohen_kappa"),
    "judges/verification/rules/recount/corrected.py": ("score of a system",),
    "judges/verification/rules/recount/figures.py": ("score of a system",),
    "judges/verification/rules/recount/prejudged.py": ("share of an audit",),
    "judges/verification/rules/recount/ranks.py": ("ranks of all systems", "pairs in the same order"),
    "judges/verification/rules/recount/scores.py": ("score of a system", "gain"),
}  # fmt: skip
# What returns an interval, or a record that holds one.
HOLDS_ONE = ("Interval", "PairedDifference", "list[Figure]", "RankRange", "SameOrder", "SystemsBoard", "Gain")


def functions_of(path):
    """Yield the functions of a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


def find_makers():
    """Return the names of all functions that return an interval, in analysis and in what stands on it."""
    folders = (
        ROOT / "analysis",
        ROOT / "annotation" / "agreement" / "rules",
        ROOT / "judges" / "comparison" / "rules",
    )
    return {
        function.name
        for folder in folders
        for path in folder.rglob("*.py")
        for function in functions_of(path)
        if function.returns
        and not function.name.startswith("_")
        and any(word in ast.unparse(function.returns) for word in HOLDS_ONE)
    }


def find_sites(makers):
    """Return the files of the product in which an interval is made."""
    return {
        str(path.relative_to(ROOT))
        for folder in ("annotation", "judges")
        for path in (ROOT / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and not makers.isdisjoint(named_in(node))
    }


def named_in(call):
    """Return what is called, and what `computed` is to call."""
    called = ast.unparse(call.func).split(".")[-1]
    return {called, ast.unparse(call.args[0]).split(".")[-1]} if called == "computed" else {called}


class TestTheList:
    def test_whoever_makes_an_interval_stands_in_it(self):
        assert find_sites(find_makers()) == set(SITES)

    def test_every_interval_in_it_is_drawn_and_every_drawn_one_stands_in_it(self):
        drawn = measure_coverage(20, 1)
        assert set(drawn) == set(FIGURES)
        assert {figure for figures in SITES.values() for figure in figures} <= set(FIGURES)


class TestIntervalsOf95Percent:
    def test_hold_the_truth_in_two_hundred_studies_of_twenty_questions(self):
        # So few studies tell a coverage to five points (three standard errors); two thousand tell more.
        found = measure_coverage(20, 200)
        assert {
            name: share for name, (shown, share, _) in found.items() if shown > 100 and share < 0.89
        } == {}

    @pytest.mark.prove
    @pytest.mark.parametrize("questions", SIZES)
    def test_hold_the_truth_in_two_thousand_studies(self, questions):
        found = measure_coverage(questions, 2_000)
        write_column(questions, found)
        # Two thousand studies tell it to a point and a half (three standard errors).
        assert {
            name: share
            for name, (shown, share, _) in found.items()
            if shown >= 400 and share < LOWEST - 0.015
        } == {}

    @pytest.mark.prove
    @pytest.mark.parametrize("questions", SIZES[1:])
    def test_hold_it_more_often_than_they_say_only_where_one_side_cannot_miss(self, questions):
        found = measure_coverage(questions, 2_000)
        wider = {
            name
            for name, (shown, share, rarer) in found.items()
            if shown >= 400 and share > HIGHEST + 0.0115 and rarer > CANNOT_MISS
        }
        assert wider <= STRONGER
        if questions >= 100:
            assert {name for name, each in found.items() if each.share > HIGHEST + 0.0115} <= STRONGER


BOOK = ROOT / "docs" / "statistics.md"
HEAD = "| figure | " + " | ".join(f"{size:,}" for size in SIZES) + " |"


def write_column(questions, found):
    """Write the coverages of one size into the table of docs/statistics.md; a dash where none is shown."""
    lines = BOOK.read_text(encoding="utf-8").splitlines()
    start = lines.index(HEAD) + 2
    end = next(at for at in range(start, len(lines)) if not lines[at].startswith("|"))
    cells = {
        row.split("|")[1].strip(): [cell.strip() for cell in row.split("|")[2:-1]] for row in lines[start:end]
    }
    place = SIZES.index(questions)
    for name in FIGURES:
        row = cells.setdefault(name, ["–"] * len(SIZES))
        shown, share, _ = found[name]
        row[place] = f"{share:.3f}".lstrip("0") if shown >= 100 else "–"
    rows = [f"| {name} | {' | '.join(cells[name])} |" for name in FIGURES]
    BOOK.write_text("\n".join([*lines[:start], *rows, *lines[end:]]) + "\n", encoding="utf-8")
