"""Labels that a corrected score takes, and how often its interval holds, on EVOUNA-NQ.

Planned: of each system's answers a pilot is drawn, then what the planner asks for until the interval reaches
2 points to both sides; the truth is what people say of all these answers. So are whole questions for all
systems at once, as the leaderboard's page does, in studies drawn from the questions with replacement; the
truth is what people say of all questions. So are single answers in such studies: each system's are planned by
themselves, so that only systems that need more labels get more. After a policy: in such studies two bold
rules settle most answers, and a share of these is audited.
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Interval
from analysis.prejudging.corrected import (
    CorrectedMean,
    bound_whole,
    corrected_mean,
)
from analysis.prejudging.planning import (
    PILOT_LABELS,
    draw_pilot,
    draw_sample,
    plain_rows,
    plan_labels,
    uncertainty_strata,
)
from analysis.ranking import Table, paired_differences, tell_apart
from benchmarks.prejudging.released.nq301 import DATA
from benchmarks.prejudging.released.scored import EVOUNA, NO_DATA, Scored, has_data, score_evouna
from judges.comparison.rules.audit import Audit
from judges.comparison.rules.leaderboard.corrected import Labels, Sampled
from judges.comparison.rules.leaderboard.planning import plan_questions
from judges.comparison.rules.leaderboard.standings import score_of, tally
from judges.comparison.rules.study import CORRECTED, Scores, human_columns
from judges.prejudging.rules.policies import find_rule, read_rules
from judges.protocol import JudgeInput
from judges.registry import get_entry, make_judge

DRAWS = 2_000
# A judge that is made up takes no judge's scores, so chance in them is all that so many draws must tell.
MADE_UP_DRAWS = 100
WHOLE_DRAWS = 500
# Points, and whether the interval is the leaderboard's or that of just these questions.
WHOLE = ((3.0, True), (2.0, True), (2.0, False))
SINGLE_ANSWERS = ((2.0, True), (3.0, True), (2.0, False))
PILOTS = {"learned": (PILOT_LABELS, 0), "random": (PILOT_LABELS,), "inverted": (PILOT_LABELS,)}
SEED = 17
HALF_WIDTH = 0.02
MOST_ROUNDS = 8
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
LEXICAL = ("containment", "token_f1", "fuzzy_match_guarded")
POLICY = read_rules(
    [
        {"runs": ["containment"], "condition": "any_accepts"},
        {"runs": list(LEXICAL), "condition": "all_reject"},
    ]
)
COLUMN = next(column for column in human_columns(has_prejudged=True) if column.key == CORRECTED)
STUDIES = ((300, 0.05), (300, 0.2), (2_000, 0.05), (2_000, 0.2))


class Planned(NamedTuple):
    """What plans of one system came to, means over draws.

    labels: how many reached the width. of_plain: of those a simple random sample takes. held: the share of
    draws in which the interval held. promised: the share of labels to be saved, as promised after the pilot,
    over the draws with a promise; promises: their share.
    """

    labels: float
    of_plain: float
    held: float
    half_width: float
    promised: float
    promises: float


def run() -> None:
    """Print what plans take with the judge, with random and inverted ones, and how policies' scores hold."""
    if not has_data():
        print(NO_DATA)
        return
    scored = score_evouna()
    _print_plans(scored)
    _print_whole(scored)
    _print_single_answers(scored)
    _print_policies(scored)


def _print_plans(scored: Scored) -> None:
    print("| judge | system | labels for ±2 points | of plain | held | half width | promised | in |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for judge, made_up in _judges(scored):
        draws = DRAWS if judge == "learned" else MADE_UP_DRAWS
        rows = [
            (name, replay_plan(own.accepted.astype(np.float64), own.probability, draws=draws))
            for name, own in made_up.of_each()
        ]
        mean = Planned(*np.mean([row for _, row in rows], axis=0).tolist())
        for name, row in [*rows, ("all", mean)]:
            print(
                f"| {judge} | {name} | {row.labels:,.0f} | {row.of_plain:.1%} | {row.held:.1%} | "
                f"{row.half_width:.4f} | {row.promised:.0%} | {row.promises:.0%} |",
                flush=True,
            )


def _judges(scored: Scored) -> Iterator[tuple[str, Scored]]:
    """Yield the study with the judge, with one that throws dice, and with one that says the opposite."""
    yield "learned", scored
    dice = np.random.default_rng(SEED).random(len(scored.probability))
    yield "random", scored._replace(probability=dice)
    yield "inverted", scored._replace(probability=1.0 - scored.probability)


def _print_whole(scored: Scored) -> None:
    print(
        "\n| judge | pilot | interval | ± points | questions | of plain | saved | promised | in | expected | "
        "reached | held, by system | held, all |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for judge, made_up in _judges(scored):
        for pilot, (points, beyond) in product(PILOTS[judge], WHOLE):
            found = replay_whole(made_up, points=points, draws=WHOLE_DRAWS, beyond=beyond, pilot=pilot)
            print(
                f"| {judge} | {pilot} | {'leaderboard' if beyond else 'these questions'} | {points:g} | "
                f"{found.questions:,.0f} | {found.of_plain:.1%} | {1 - found.of_plain:.1%} | "
                f"{found.promised:.1%} | {found.promises:.0%} | {100 * found.expected:.2f} | "
                f"{100 * found.reached:.2f} | {_range(found.held)} | {found.held.mean():.1%} |",
                flush=True,
            )


def _print_single_answers(scored: Scored) -> None:
    print("\n| interval | ± points | system | labels | of plain | held | questions |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for points, beyond in SINGLE_ANSWERS:
        found = replay_single_answers(scored, points=points, draws=WHOLE_DRAWS, beyond=beyond)
        start = f"| {'leaderboard' if beyond else 'these answers'} | {points:g}"
        for name, labels, share, held in zip(
            scored.names, found.labels, found.of_plain, found.held, strict=True
        ):
            print(f"{start} | {name} | {labels:,.0f} | {share:.1%} | {held:.1%} | |")
        print(
            f"{start} | all | {found.labels.sum():,.0f} | {found.all_of_plain:.1%} | {found.held.mean():.1%} "
            f"| {found.questions:,.0f} |",
            flush=True,
        )


def replay_plan(labels: Floats, probability: Floats, *, draws: int, seed: int = SEED) -> Planned:
    """Plan the labels of one system's answers `draws` times."""
    strata, truth = uncertainty_strata(probability), float(labels.mean())
    taken, held, widths, promised = [], 0, [], list[float]()
    for draw in range(draws):
        drawn = np.zeros(len(labels), dtype=bool)
        drawn[draw_pilot(rows=len(labels), seed=seed + draw).rows] = True
        for number in range(MOST_ROUNDS):
            plan = plan_labels(
                predictions=probability,
                labels=labels,
                labelled=drawn,
                strata=strata,
                half_width=HALF_WIDTH,
            )
            if number == 0 and plan.saved_share is not None:
                promised.append(plan.saved_share)
            wanted = plan.wanted
            if plan.more == 0:
                # The plan's variances say enough, the interval's do not: a twentieth more.
                wanted = np.ceil(wanted * 1.05).astype(np.int64)
            drawn[draw_sample(strata=strata, labelled=drawn, wanted=wanted, seed=seed + draw).rows] = True
            low, high = _interval(
                corrected_mean(
                    labels=labels, labelled=drawn, predictions=probability, strata=strata, beyond=False
                )
            )
            if (high - low) / 2 <= HALF_WIDTH:
                break
        taken.append(int(drawn.sum()))
        held += low <= truth <= high
        widths.append((high - low) / 2)
    plain = plain_labels(truth, rows=len(labels))
    return Planned(
        float(np.mean(taken)),
        float(np.mean(taken)) / plain,
        held / draws,
        float(np.mean(widths)),
        float(np.mean(promised)) if promised else 0.0,
        len(promised) / draws,
    )


class PlannedWhole(NamedTuple):
    """What plans of whole questions for all systems came to, means over draws.

    questions: how many reached the width for the least sure system; of_plain: of those a simple random sample
    takes. promised: the share of questions to be saved, as expected after the pilot; promises: the share of
    draws in which the judge was known to be better than the best system. reached: the half width of the least
    sure system after that plan was drawn, once; expected: what the plan expected of it. held: the share of
    intervals that held then, by system.
    """

    questions: float
    of_plain: float
    promised: float
    promises: float
    reached: float
    expected: float
    held: Floats


def replay_whole(
    scored: Scored,
    *,
    points: float,
    draws: int,
    beyond: bool = True,
    pilot: int = PILOT_LABELS,
    seed: int = SEED,
) -> PlannedWhole:
    """Draw studies, and plan their questions by the product's planner and column until the width is there.

    beyond: intervals are the leaderboard's, of all questions of the kind; else of just the study's. pilot: so
    many questions are drawn before the first plan, which without any goes by what the judge claims.
    """
    generator = np.random.default_rng(seed)
    right, judged = tables_of(scored)
    count, size = right.shape
    rows = defaultdict[str, list[float]](list)
    held = np.zeros(count)
    for _ in range(draws):
        study = generator.integers(0, size, size)
        labels, predictions = right[:, study], judged[:, study]
        truth = (right if beyond else labels).mean(axis=1)
        drawn = np.zeros(size, dtype=bool)
        drawn[generator.choice(size, pilot, replace=False)] = True
        for number in range(MOST_ROUNDS):
            known = np.where(drawn, labels, np.nan)
            plan, strata, wanted = plan_questions(
                predictions,
                known,
                drawn=drawn,
                answers=np.full(size, float(count)),
                points=points,
                judge="judge",
                beyond=beyond,
            )
            if number:
                # The plan's variances may say enough where the interval's do not: a twentieth more.
                least = np.ceil(np.bincount(strata, weights=drawn) * 1.05)
                wanted = np.minimum(np.maximum(wanted, least), np.bincount(strata)).astype(np.int64)
            draw = draw_sample(
                strata=strata, labelled=drawn, wanted=wanted, seed=int(generator.integers(0, 2**31))
            )
            drawn[draw.rows] = True
            bounds = bound_column(
                np.where(drawn, labels, np.nan), predictions, draw.probability, strata, beyond=beyond
            )
            width = float((bounds[:, 1] - bounds[:, 0]).max()) / 2
            if not number:
                rows["promised"].append(plan.saving)
                rows["promises"].append(plan.is_better)
                rows["expected"].append(plan.reached / 100)
                rows["reached"].append(width)
                held += (bounds[:, 0] <= truth) & (truth <= bounds[:, 1])
            if width <= points / 100:
                break
        rows["questions"].append(float(drawn.sum()))
        rows["plain"].append(float(plain_rows(labels.mean(axis=1), size, points / 100, beyond=beyond)))
    means = {name: float(np.mean(each)) for name, each in rows.items()}
    return PlannedWhole(
        questions=means["questions"],
        of_plain=means["questions"] / means["plain"],
        promised=means["promised"],
        promises=means["promises"],
        reached=means["reached"],
        expected=means["expected"],
        held=held / draws,
    )


class PlannedSingly(NamedTuple):
    """What plans of single answers came to, means over draws.

    labels: of each system. of_plain: of those that a simple random sample takes for that system's width.
    all_of_plain: labels of all systems, of all that such samples take. questions: of which some answer is
    drawn. held: the share of intervals that held in the end, by system.
    """

    labels: Floats
    of_plain: Floats
    all_of_plain: float
    questions: float
    held: Floats


def replay_single_answers(
    scored: Scored, *, points: float, draws: int, beyond: bool, pilot: int = PILOT_LABELS, seed: int = SEED
) -> PlannedSingly:
    """Draw studies, and plan each system's answers until its interval is there.

    beyond: intervals are the leaderboard's, of all questions of the kind; else of just the study's answers.
    pilot: of so many questions all answers are drawn before the first plan.
    """
    generator = np.random.default_rng(seed)
    right, judged = tables_of(scored)
    count: int = right.shape[0]
    size: int = right.shape[1]
    taken, plain, held = np.zeros((3, count))
    questions = 0
    for _ in range(draws):
        study = generator.integers(0, size, size)
        labels, predictions = right[:, study], judged[:, study]
        numbers = generator.random(size)
        drawn, bounds = _label(labels, predictions, numbers, points=points, beyond=beyond, pilot=pilot)
        truth = (right if beyond else labels).mean(axis=1)
        held += (bounds[:, 0] <= truth) & (truth <= bounds[:, 1])
        taken += drawn.sum(axis=1)
        plain += [
            plain_rows(each, size, points / 100, beyond=beyond) for each in labels.mean(axis=1)[:, None]
        ]
        questions += int(drawn.any(axis=0).sum())
    return PlannedSingly(
        taken / draws, taken / plain, float(taken.sum() / plain.sum()), questions / draws, held / draws
    )


def _label(
    labels: Floats, predictions: Floats, numbers: Floats, *, points: float, beyond: bool, pilot: int
) -> tuple[Flags, Floats]:
    """Plan and draw until every system's interval is there: which answers are labelled, and the intervals."""
    strata = np.stack([uncertainty_strata(each) for each in predictions])
    drawn, probability = np.zeros(labels.shape, dtype=bool), np.zeros(labels.shape)
    drawn[:, np.argsort(numbers)[:pilot]] = True
    is_wide = np.ones(len(labels), dtype=bool)
    for number in range(MOST_ROUNDS):
        for system in np.flatnonzero(is_wide):
            wanted = plan_labels(
                predictions=predictions[system],
                labels=labels[system],
                labelled=drawn[system],
                strata=strata[system],
                half_width=points / 100,
                beyond=beyond,
            ).wanted
            if number:
                # The plan's variances may say enough where the interval's do not: a twentieth more.
                least = np.ceil(np.bincount(strata[system], weights=drawn[system]) * 1.05)
                wanted = np.maximum(wanted, least).astype(np.int64)
            draw_lowest(drawn[system], numbers, strata[system], wanted)
            share = np.bincount(strata[system], weights=drawn[system]) / np.bincount(strata[system])
            probability[system] = share[strata[system]]
        bounds = bound_column(
            np.where(drawn, labels, np.nan), predictions, probability, strata, beyond=beyond
        )
        is_wide = (bounds[:, 1] - bounds[:, 0]) / 2 > points / 100
        if not is_wide.any():
            break
    return drawn, bounds


def draw_lowest(drawn: Flags, numbers: Floats, strata: Integers, wanted: Integers) -> None:
    """Mark as drawn those of each stratum with the lowest numbers, as many as are wanted or all there are.

    Which are drawn already must be those with the lowest. Random numbers that all systems share make of each
    stratum a simple random sample, and of all systems' samples the same questions as far as can be.
    Source: permanent random numbers (Ohlsson 1995).
    """
    for stratum, number in enumerate(wanted):
        own = np.flatnonzero(strata == stratum)
        drawn[own[np.argsort(numbers[own])[:number]]] = True


def tables_of(scored: Scored) -> tuple[Floats, Floats]:
    """Return labels and probabilities, systems × questions that all systems answered."""
    size = int(scored.questions.max()) + 1
    right, judged = np.full((2, len(scored.names), size), np.nan)
    right[scored.systems, scored.questions] = scored.accepted
    judged[scored.systems, scored.questions] = scored.probability
    whole = ~np.isnan(right).any(axis=0)
    return right[:, whole], judged[:, whole]


def bound_column(
    labels: Floats, predictions: Floats, probability: Floats, strata: Integers, *, beyond: bool
) -> Floats:
    """Return the bounds of the leaderboard's corrected column, systems × both ends.

    labels, predictions: systems × questions. probability, strata: the same, or a value a question.
    """
    count, size = labels.shape
    systems, everything = np.repeat(np.arange(count), size), np.ones(count * size, dtype=bool)
    sample = Labels(
        people=labels.reshape(-1),
        probability=np.broadcast_to(probability, labels.shape).reshape(-1),
        strata=np.broadcast_to(strata, labels.shape).reshape(-1),
        is_open=~everything,
        is_random=True,
    )
    column = Scores(COLUMN, sample.people, everything, Sampled(sample, predictions.reshape(-1)))
    tallies = tally(column, systems=systems, counted=everything, ids=list(range(count)))
    bounds: list[tuple[float, float]] = []
    for place in range(count):
        own = tallies[place]
        score = score_of(COLUMN, own, rank=None)
        assert score is not None
        if beyond:
            bounds.append(score.interval or (0.0, 1.0))
        else:
            seen = int((~np.isnan(labels[place])).sum())
            whole = bound_whole(min(1.0, max(0.0, score.value)), own.variance, seen)
            bounds.append((whole.low, whole.high) if isinstance(whole, Interval) else (0.0, 1.0))
    return np.array(bounds)


def plain_labels(share: float, *, rows: int) -> float:
    """Return how many labels a simple random sample of so many rows takes for the same width."""
    labels = share * (1.0 - share) * (1.959964 / HALF_WIDTH) ** 2
    return labels / (1.0 + labels / rows)


class Held(NamedTuple):
    """How often intervals held over draws of studies, and how wide they were.

    systems, widths: of each system's score. pairs: of each pair's difference, of those that had an interval.
    wrong: the share of draws in which some pair was told apart the wrong way round.
    """

    systems: Floats
    widths: Floats
    pairs: Floats
    wrong: float


def _print_policies(scored: Scored) -> None:
    said = read_policy(DATA / EVOUNA)
    print(
        "\n| corrected | questions | audit | held, by system | held, all | mean width | "
        "differences, by pair | differences, all | wrong order |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for questions, share in STUDIES:
        for name in ("learned judge", "rules"):
            found = replay_policy(
                scored, said, questions=questions, share=share, draws=DRAWS, by_rules=name == "rules"
            )
            print(
                f"| {name} | {questions:,} | {share:.0%} | {_range(found.systems)} | "
                f"{found.systems.mean():.1%} | {found.widths.mean():.3f} | {_range(found.pairs)} | "
                f"{found.pairs.mean():.1%} | {found.wrong:.1%} |",
                flush=True,
            )


def _range(shares: Floats) -> str:
    return f"{shares.min():.1%}–{shares.max():.1%}"


def read_answers(path: Path) -> tuple[list[JudgeInput], Flags]:
    """Return each labelled answer, and whether people accept it."""
    rows = [
        (row, system)
        for row in json.loads(path.read_text())
        if not row["improper"]
        for system in SYSTEMS
        if row[f"judge_{system}"] is not None
    ]
    given = [
        JudgeInput(row["question"], row[f"answer_{system}"] or "", tuple(row["golden_answer"].split("/")))
        for row, system in rows
    ]
    return given, np.array([row[f"judge_{system}"] for row, system in rows], dtype=bool)


def read_policy(path: Path) -> Floats:
    """Return what the two rules say of each labelled answer: 1 right, 0 wrong, NaN nothing."""
    given, _ = read_answers(path)
    verdicts = {
        key: [verdict.accepted for verdict in make_judge(get_entry(key), {}).judge(given)] for key in LEXICAL
    }
    findings = (
        find_rule(rules=POLICY, verdicts=dict(zip(LEXICAL, own, strict=True)))
        for own in zip(*verdicts.values(), strict=True)
    )
    return np.array([np.nan if each is None else each.is_accepted for each in findings], dtype=np.float64)


def replay_policy(
    scored: Scored,
    said: Floats,
    *,
    questions: int,
    share: float,
    draws: int,
    by_rules: bool,
    seed: int = SEED,
) -> Held:
    """Draw studies and their audits, score them by the leaderboard's own rules, and see what held.

    by_rules: what the rules said is corrected, and not what the judge's probabilities say.
    """
    generator = np.random.default_rng(seed)
    labels, count = scored.accepted.astype(np.float64), len(scored.names)
    truth = np.array([float(labels[scored.systems == place].mean()) for place in range(count)])
    pairs = list(combinations(range(count), 2))
    table = _by_question(scored.questions)
    held, widths = np.zeros((2, count))
    pairs_held, given, wrong = np.zeros(len(pairs)), np.zeros(len(pairs)), 0
    for _ in range(draws):
        chosen = table[generator.integers(0, len(table), questions)]
        numbers, _ = np.nonzero(chosen >= 0)
        rows = chosen[chosen >= 0]
        systems, is_ruled = scored.systems[rows], ~np.isnan(said[rows])
        drawn = is_ruled & (generator.random(len(rows)) < share)
        audit = Audit(
            people=np.where(~is_ruled | drawn, labels[rows], np.nan),
            programs=said[rows],
            seen=drawn,
            probability=np.full(len(rows), share),
            answer=np.arange(len(rows)),
            is_open=np.zeros(len(rows), dtype=bool),
            predictions=None if by_rules else scored.probability[rows],
        )
        counted = np.ones(len(rows), dtype=bool)
        scores = Scores(COLUMN, audit.people, counted, audit)
        tallies = tally(scores, systems=systems, counted=counted, ids=list(range(count)))
        for place in range(count):
            score = score_of(COLUMN, tallies[place], rank=None)
            # Without bounds nothing is known, which is all that can be said.
            low, high = (score and score.interval) or (0.0, 1.0)
            held[place] += low <= truth[place] <= high
            widths[place] += high - low
        values, chance = scores.to_test(systems=systems, counted=counted, size=count)
        compared = np.full((count, questions), np.nan)
        compared[systems, numbers] = values
        beside = Table(compared, variance=chance)
        for place, found in enumerate(paired_differences(table=beside, pairs=pairs)):
            if isinstance(found.interval, Interval):
                one, other = pairs[place]
                given[place] += 1
                pairs_held[place] += found.interval.low <= truth[one] - truth[other] <= found.interval.high
        (beats,) = tell_apart(tables=[beside])
        wrong += bool((beats & (truth[:, np.newaxis] <= truth)).any())
    return Held(held / draws, widths / draws, pairs_held / np.maximum(given, 1), wrong / draws)


def _by_question(questions: Integers) -> Integers:
    """Return the rows of each question, questions × most rows of one, -1 = no more."""
    order = np.argsort(questions, kind="stable")
    counts = np.bincount(questions)
    table = np.full((len(counts), int(counts.max())), -1, dtype=np.int64)
    places = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    table[questions[order], places] = order
    return table


def _interval(found: CorrectedMean) -> tuple[float, float]:
    # Without bounds nothing is known, which is all that can be said.
    return found.figure.interval or (0.0, 1.0)
