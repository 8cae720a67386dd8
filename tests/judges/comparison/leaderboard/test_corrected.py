"""What programs settled is corrected by the audit, with intervals that hold what people would have said."""

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Interval
from analysis.ranking import Table, paired_differences, tell_apart
from judges.comparison.rules.audit import Audit
from judges.comparison.rules.leaderboard.standings import bound_gains, score_of, tally
from judges.comparison.rules.study import CORRECTED, Scores, human_columns
from judges.prejudging.rules.policies import Rule, find_rule, read_rules
from judges.protocol import JudgeInput
from judges.registry import get_entry, make_judge

NAN = np.nan
COLUMN = next(column for column in human_columns(has_prejudged=True) if column.key == CORRECTED)
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
LEXICAL = ("containment", "token_f1", "fuzzy_match_guarded")
POLICY = read_rules(
    [
        {"runs": ["containment"], "condition": "any_accepts"},
        {"runs": list(LEXICAL), "condition": "all_reject"},
    ]
)


class TestSmallAudits:
    @staticmethod
    def score(audit: Audit) -> Floats:
        """Return the values of two systems, which have every second row each."""
        scores = Scores(COLUMN, audit.people, np.ones(len(audit.people), dtype=bool), audit)
        rows = np.arange(len(audit.people))
        return scores.over(systems=rows % 2, counted=rows >= 0, size=2)[0].values

    @staticmethod
    def audit(seen: int, *, size: int = 20, answer: Integers | None = None) -> Audit:
        """Programs accepted all, and people saw that the first few are right."""
        rows = np.arange(size)
        people = np.where(rows < seen, 1.0, NAN)
        answer = rows if answer is None else answer
        return Audit(
            people, np.ones(size), rows < seen, np.full(size, seen / size), answer, np.zeros(size, dtype=bool)
        )

    def test_four_audited_answers_put_no_system_first(self) -> None:
        assert np.isnan(self.score(self.audit(4))).all()
        assert (self.score(self.audit(5)) == 1.0).all()

    def test_an_answer_that_systems_share_is_one(self) -> None:
        shared = np.arange(20) // 2
        assert np.isnan(self.score(self.audit(8, answer=shared))).all()
        assert (self.score(self.audit(10, answer=shared)) == 1.0).all()

    def test_of_four_answers_people_may_see_all(self) -> None:
        assert (self.score(self.audit(4, size=4)) == 1.0).all()

    def test_systems_that_programs_said_nothing_of_keep_their_scores(self) -> None:
        audit = self.audit(4)
        audit.programs[1::2] = NAN
        assert np.isnan(self.score(audit)[0::2]).all()
        assert self.score(audit)[1] == 1.0


class Population(NamedTuple):
    """Questions × systems: what people say, and what rules do, NaN = nothing."""

    people: Floats
    programs: Floats


def measure_coverage(
    population: Population, *, questions: int, share: float, draws: int, corrects: bool = True
) -> tuple[Floats, Floats]:
    """Draw studies with their audits, and return of each system how often its interval holds, and its width.

    Questions are drawn anew each time, so that the interval has to hold what all of them say. corrects: the
    column of the audit; else what was settled, as if people had settled it.
    """
    generator = np.random.default_rng(1)
    people, programs = population
    count = people.shape[1]
    truth = np.nanmean(people, axis=0)
    holds, widths = np.zeros((2, count))
    for _ in range(draws):
        chosen = generator.integers(0, len(people), questions)
        rows = people[chosen].reshape(-1), programs[chosen].reshape(-1)
        seen = generator.random(len(rows[0])) < share
        scores = make_scores(*rows, seen=seen, share=share, corrects=corrects)
        systems = np.tile(np.arange(count), questions)
        tallies = tally(scores, systems=systems, counted=~np.isnan(rows[0]), ids=list(range(count)))
        for system, own in tallies.items():
            score = score_of(COLUMN, own, rank=None)
            assert score is not None
            assert score.low is not None
            assert score.high is not None
            holds[system] += score.low <= truth[system] <= score.high
            widths[system] += score.high - score.low
    return holds / draws, widths / draws


def draw_tables(
    population: Population, *, questions: int, share: float, draws: int, seed: int
) -> Iterator[tuple[Integers, Table]]:
    """Draw studies with their audits: which questions, and the corrected scores as systems are compared."""
    generator = np.random.default_rng(seed)
    people, programs = population
    count = people.shape[1]
    systems = np.tile(np.arange(count), questions)
    for _ in range(draws):
        chosen = generator.integers(0, len(people), questions)
        rows = people[chosen].reshape(-1), programs[chosen].reshape(-1)
        seen = generator.random(len(systems)) < share
        values, chance = make_scores(*rows, seen=seen, share=share, corrects=True).to_test(
            systems=systems, counted=np.ones(len(systems), dtype=bool), size=count
        )
        yield chosen, Table(values.reshape(questions, count).T, variance=chance)


def measure_gains(population: Population, *, questions: int, share: float, draws: int) -> Floats:
    """Return of each system how often the interval of its gain to the corrected score holds, from a coin."""
    people = population.people
    coin = np.random.default_rng(6).random(people.shape) < 0.5
    truth = people.mean(axis=0) - coin.mean(axis=0)
    holds = np.zeros(people.shape[1])
    for chosen, corrected in draw_tables(population, questions=questions, share=share, draws=draws, seed=2):
        before = Table(coin[chosen].T.astype(np.float64))
        for system, gain in enumerate(bound_gains(before, corrected)):
            assert gain.gain.interval
            low, high = gain.gain.interval
            holds[system] += low <= truth[system] <= high
    return holds / draws


def measure_pairs(population: Population, *, questions: int, share: float, draws: int) -> tuple[float, float]:
    """Return how often the interval of a difference of two corrected scores holds, over all pairs and draws.

    And in which share of draws some pair is told apart the wrong way round. What too few were audited for
    has no interval.
    """
    truth = population.people.mean(axis=0)
    pairs = list(combinations(range(len(truth)), 2))
    held, given, wrong = 0, 0, 0
    for _, table in draw_tables(population, questions=questions, share=share, draws=draws, seed=7):
        for (one, other), found in zip(pairs, paired_differences(table=table, pairs=pairs), strict=True):
            if isinstance(found.interval, Interval):
                given += 1
                held += found.interval.low <= truth[one] - truth[other] <= found.interval.high
        (beats,) = tell_apart(tables=[table])
        wrong += bool((beats & (truth[:, np.newaxis] <= truth)).any())
    return held / given, wrong / draws


def make_scores(people: Floats, programs: Floats, *, seen: Flags, share: float, corrects: bool) -> Scores:
    known = np.where(np.isnan(programs) | seen, people, np.nan)
    as_settled = np.where(np.isnan(known), programs, known)
    audit = Audit(
        known,
        programs,
        seen,
        np.full(len(people), share),
        np.arange(len(people)),
        np.zeros(len(people), dtype=bool),
    )
    return Scores(COLUMN, as_settled, np.ones(len(people), dtype=bool), audit if corrects else None)


def make_population(size: int = 4_000) -> Population:
    """Return one in which rules err as on EVOUNA-NQ: 1.5% of what they accept, 28% of what they reject."""
    generator = np.random.default_rng(4)
    ruled = generator.random((size, 5))
    programs = np.where(ruled < 0.59, 1.0, np.where(ruled < 0.94, 0.0, np.nan))
    right = np.where(programs == 1.0, 0.985, np.where(programs == 0.0, [0.2, 0.2, 0.3, 0.3, 0.4], 0.6))
    return Population((generator.random((size, 5)) < right).astype(np.float64), programs)


class TestIntervalsOf95Percent:
    def test_hold_what_people_would_have_said(self) -> None:
        # So few studies tell the coverage of five systems together to three points.
        holds, _ = measure_coverage(make_population(), questions=300, share=0.05, draws=100)
        assert 0.92 <= holds.mean() <= 0.985
        assert holds.min() >= 0.87

    def test_hold_by_how_much_systems_differ(self) -> None:
        held, wrong = measure_pairs(make_population(), questions=300, share=0.05, draws=200)
        assert 0.92 <= held <= 0.985
        assert wrong <= 0.05

    def test_hold_what_systems_would_gain(self) -> None:
        holds = measure_gains(make_population(), questions=300, share=0.05, draws=200)
        assert 0.92 <= holds.mean() <= 0.975

    def test_do_not_hold_it_where_verdicts_count_as_people(self) -> None:
        holds, _ = measure_coverage(make_population(), questions=300, share=0.05, draws=100, corrects=False)
        assert holds.min() < 0.3

    @pytest.mark.prove
    @pytest.mark.parametrize(
        ("rules", "questions", "share"),
        [
            (rules, questions, share)
            for rules in (2, 1)
            for questions in (300, 2_000)
            for share in (0.05, 0.2)
        ],
    )
    def test_hold_it_on_evouna_nq(
        self, evouna: dict[int, Population], rules: int, questions: int, share: float
    ) -> None:
        holds, widths = measure_coverage(evouna[rules], questions=questions, share=share, draws=2_000)
        as_people, _ = measure_coverage(
            evouna[rules], questions=questions, share=share, draws=2_000, corrects=False
        )
        print(
            f"| {rules} | {questions:,} | {share:.0%} | {as_people.min():.3f}–{as_people.max():.3f} | "
            f"{holds.min():.3f}–{holds.max():.3f} | {holds.mean():.3f} | {widths.mean():.3f} |"
        )
        assert 0.935 <= holds.mean() <= 0.97 + 0.015 * (rules == 1)
        assert holds.min() >= 0.93 - 0.01


@pytest.fixture(scope="module")
def evouna(data_folder: Path) -> dict[int, Population]:
    """EVOUNA-NQ's proper questions under the first rule alone, and under both."""
    rows = json.loads((data_folder / "evouna" / "NQ.json").read_text())
    rows = [row for row in rows if not row["improper"]]
    given = [
        JudgeInput(row["question"], row[f"answer_{system}"] or "", tuple(row["golden_answer"].split("/")))
        for row in rows
        for system in SYSTEMS
    ]
    said = {
        key: [verdict.accepted for verdict in make_judge(get_entry(key), {}).judge(given)] for key in LEXICAL
    }
    verdicts = [dict(zip(LEXICAL, own, strict=True)) for own in zip(*said.values(), strict=True)]
    people = [[row[f"judge_{system}"] for system in SYSTEMS] for row in rows]
    found = np.array(people, dtype=np.float64)
    return {
        count: Population(found, _settle(verdicts, rules=POLICY[:count]).reshape(found.shape))
        for count in (1, 2)
    }


def _settle(verdicts: list[dict[str, bool | None]], *, rules: tuple[Rule, ...]) -> Floats:
    findings = [find_rule(rules=rules, verdicts=own) for own in verdicts]
    return np.array([NAN if each is None else each.is_accepted for each in findings], dtype=np.float64)
