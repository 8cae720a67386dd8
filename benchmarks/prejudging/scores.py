"""Labels that a corrected score takes, and how often its interval holds, on EVOUNA-NQ.

Planned: of each system's answers a pilot is drawn, then what the planner asks for until the interval reaches
2 points to both sides; the truth is what people say of all these answers. After a policy: studies are drawn
from the questions with replacement, two bold rules settle most answers, a share of these is audited; the
truth is what people say of all questions.
"""

import json
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Interval
from analysis.prejudging.corrected import (
    CorrectedMean,
    corrected_mean,
)
from analysis.prejudging.planning import draw_pilot, draw_sample, plan_labels, uncertainty_strata
from analysis.ranking import Table, paired_differences, tell_apart
from benchmarks.prejudging.released.nq301 import DATA
from benchmarks.prejudging.released.scored import EVOUNA, NO_DATA, Scored, has_data, score_evouna
from judges.comparison.rules.leaderboard.standings import score_of, tally
from judges.comparison.rules.study import CORRECTED, Audit, Scores, human_columns
from judges.prejudging.rules.policies import find_rule, read_rules
from judges.protocol import JudgeInput
from judges.registry import get_entry, make_judge

DRAWS = 2_000
# A judge that is made up takes no judge's scores, so chance in them is all that so many draws must tell.
MADE_UP_DRAWS = 100
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
    _print_policies(scored)


def _print_plans(scored: Scored) -> None:
    print("| judge | system | labels for ±2 points | of plain | held | half width | promised | in |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    generator = np.random.default_rng(SEED)
    made_up = {
        "learned": scored.probability,
        "random": generator.random(len(scored.probability)),
        "inverted": 1.0 - scored.probability,
    }
    for judge, probability in made_up.items():
        draws = DRAWS if judge == "learned" else MADE_UP_DRAWS
        rows = [
            (name, replay_plan(own.accepted.astype(np.float64), own.probability, draws=draws))
            for name, own in scored._replace(probability=probability).of_each()
        ]
        mean = Planned(*np.mean([row for _, row in rows], axis=0).tolist())
        for name, row in [*rows, ("all", mean)]:
            print(
                f"| {judge} | {name} | {row.labels:,.0f} | {row.of_plain:.1%} | {row.held:.1%} | "
                f"{row.half_width:.3f} | {row.promised:.0%} | {row.promises:.0%} |",
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
