"""Scores of systems, counted again prediction by prediction."""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from statistics import NormalDist
from typing import Any, NamedTuple

from judges.protocol import JudgeInput
from judges.registry import READS_PEOPLE, Reads, get_entry, make_judge
from judges.verification.rules.differences import Number, Numbers
from judges.verification.rules.facts import RIGHT, WITH_PROGRAMS, Facts
from judges.verification.rules.recount.corrected import (
    Estimate,
    Judge,
    correct_sampled,
    correct_systems,
    recount_corrected,
    surest,
)
from judges.verification.rules.recount.figures import exact, wilson
from judges.verification.rules.recount.ranks import Table, gain, rank_ranges, same_order
from judges.verification.rules.study import Prediction, Run

RECORDED = "recorded:"
ORIGINAL = "original"
# Columns of people, as the leaderboard calls them.
HUMAN, DECIDED, POSSIBLY, SETTLED = "human", "human_decided", "human_possibly", "settled"
CORRECTED = "corrected"
F1 = "token_f1"
# Over which the report has gains.
BASELINE = "exact_match"

# What a way of judging says of a prediction, None for nothing, and whether nothing more is to come of it.
Value = tuple[float | None, bool]
Way = Callable[[Prediction], Value]


class Column(NamedTuple):
    """A way of judging; ranks: whether it may rank before everything is decided.

    is_estimate: it counts no answers, as the scores that an audit corrects.
    """

    key: str
    way: Way
    is_mean: bool
    ranks: bool
    is_estimate: bool = False


class Cell(NamedTuple):
    """A system under a way of judging."""

    value: float
    correct: int
    n: int
    squares: float
    is_complete: bool


def recount_systems(facts: Facts) -> Numbers:
    """Return the numbers of the report's systems, over the judged sample and over all questions, by place."""
    proper = [each for each in facts.study.questions if each.id not in facts.improper]
    judged = sum(each.in_sample for each in proper)
    counted = [each for each in facts.study.predictions if _in_sample(facts, each)]
    sample = _Board(facts, counted, questions=judged)
    entire = _Board(facts, _entire(facts), questions=len(proper), is_entire=True)
    found: Numbers = {
        "questions › sample": judged,
        "questions › entire": len(proper),
        "all_decided": sample.all_decided,
    }
    found |= _corrected(facts, sample, entire)
    accuracies = _human_accuracies(facts, sample.rows)
    for system, own in sample.rows.items():
        place = f"systems › {system}"
        found |= sample.numbers(system, place)
        found[f"{place} › human_accuracy"] = accuracies.get(system)
        found |= _amendment(facts, own, place)
    for system in entire.rows:
        found |= entire.numbers(system, f"entire › {system}")
    for column in sample.columns:
        found[f"columns › {column.key} › kendall_tau_b"] = sample.kendall(column)
        found |= {f"columns › {column.key} › {name}": each for name, each in sample.order(column).items()}
    return found


def _corrected(facts: Facts, sample: "_Board", entire: "_Board") -> Numbers:
    """Return the corrected section, of all questions once their scores are known."""
    questions = facts.study.questions
    is_drawn = any(each.probability is not None for each in questions)
    is_best = is_drawn and not all(each.in_sample for each in questions) and bool(entire.estimates)
    board = entire if is_best else sample
    is_estimated = bool(facts.ruled) or board.is_beyond
    return recount_corrected(facts, board.rows, board.judges) if is_estimated else {}


def _in_sample(facts: Facts, prediction: Prediction) -> bool:
    return facts.questions[prediction.question].in_sample and prediction.question not in facts.improper


def _has_rest(facts: Facts) -> bool:
    return any(not each.in_sample and each.id not in facts.improper for each in facts.study.questions)


def _entire(facts: Facts) -> list[Prediction]:
    """Return all predictions, but of systems that answered nothing beyond the sample where there is more."""
    counted = [each for each in facts.study.predictions if each.question not in facts.improper]
    if not _has_rest(facts):
        return counted
    beyond = {each.system for each in counted if not facts.questions[each.question].in_sample}
    return [each for each in counted if each.system in beyond]


class _Board:
    def __init__(
        self,
        facts: Facts,
        predictions: Iterable[Prediction],
        *,
        questions: int,
        is_entire: bool = False,
    ) -> None:
        self.facts = facts
        self.questions = questions
        self.is_entire = is_entire
        self.rows: dict[str, list[Prediction]] = {each.name: [] for each in facts.study.systems}
        for prediction in predictions:
            self.rows[prediction.system].append(prediction)
        self.rows = {system: own for system, own in self.rows.items() if own}
        self.all_decided = bool(self.rows) and not any(
            self.is_pending(each) for own in self.rows.values() for each in own
        )
        self.ways = ways = [*_runs(facts, leaves_out_recorded=self.is_beyond), *self._people()]
        self.cells = {
            column.key: {
                system: cell
                for system, own in self.rows.items()
                if (cell := _cell(column, [column.way(each) for each in own])) is not None
            }
            for column in ways
        }
        # Where nothing is undecided, amended gold says of what was settled what the decisions say.
        is_repeated = SETTLED in self.cells and self.cells[HUMAN] == self.cells[SETTLED]
        self.columns = [
            column for column in ways if self.cells[column.key] and not (is_repeated and column.key == HUMAN)
        ]
        self.estimates = self._estimate()
        if self.estimates is not None:
            self._correct(self.estimates)
        self.comparable = self._comparable()

    def _people(self) -> list[Column]:
        counted = (each for own in self.rows.values() for each in own)
        return people_columns(self.facts) if any(self.worth(each) is not None for each in counted) else []

    @property
    def is_beyond(self) -> bool:
        """Whether questions count that nobody judges."""
        return (
            any(
                not each.in_sample and each.id not in self.facts.improper
                for each in self.facts.study.questions
            )
            and self.is_entire
        )

    def _estimate(self) -> dict[str, Estimate] | None:
        """Return what a sample or an audit says of systems; None where neither corrects anything."""
        self.chosen = ""
        if not self._people():
            return None
        is_drawn = any(
            each.probability is not None and each.id not in self.facts.improper
            for each in self.facts.study.questions
        )
        judges = self.judges if self.is_beyond and is_drawn else {}
        if judges:
            self.chosen = surest(self.facts, self.rows, judges)
            return correct_sampled(self.facts, self.rows, judges[self.chosen])
        return correct_systems(self.facts, self.rows) if self.facts.ruled else None

    @cached_property
    def judges(self) -> dict[str, Judge]:
        """Judges that may speak for what nobody saw: they have judged all, and read nothing of people."""
        runs = {run.id: run for run in self.facts.study.runs}
        ways = {column.key: column for column in self.ways}
        return {
            key: _judge_of(self.facts, runs[run], ways[key])
            for run, key in run_keys(self.facts).items()
            if key in ways
            and not runs[run].gold.startswith("amended")
            and runs[run].judge not in READS_PEOPLE
            and all(ways[key].way(each)[1] for own in self.rows.values() for each in own)
        }

    def _correct(self, found: Mapping[str, Estimate]) -> None:
        self.cells[CORRECTED] = {
            system: Cell(each.mean, 0, each.n, 0.0, is_complete=True) for system, each in found.items()
        }
        self.columns.append(
            Column(
                CORRECTED,
                lambda _: (None, True),
                is_mean=False,
                ranks=bool(self.chosen),
                is_estimate=True,
            )
        )

    def worth(self, prediction: Prediction) -> int | None:
        return self.facts.worth(prediction.answer)

    def is_pending(self, prediction: Prediction) -> bool:
        """Outside the sample people may yet be asked; an answer linked to no row of a file never is."""
        if self.worth(prediction) is not None:
            return False
        is_judgeable = self.facts.answers[prediction.answer].is_judgeable
        return is_judgeable or not self.facts.questions[prediction.question].in_sample

    def _comparable(self) -> set[str]:
        most = max(map(len, self.rows.values()), default=0)
        fullest = [system for system, own in self.rows.items() if len(own) == most]
        answered = [{each.question for each in self.rows[system]} for system in fullest]
        return set(fullest) if all(own == answered[0] for own in answered) else set()

    def rank(self, column: Column, system: str) -> int | None:
        """Return one more than how many ranked systems are better."""
        if not column.ranks and not self.all_decided:
            return None
        ranked = {
            name: cell.value
            for name, cell in self.cells[column.key].items()
            if cell.n and cell.is_complete and name in self.comparable
        }
        own = ranked.get(system)
        return None if own is None else 1 + sum(value > own for value in ranked.values())

    def numbers(self, system: str, place: str) -> Numbers:
        found: Numbers = {f"{place} › n": len(self.rows[system])}
        found |= self._standing(system, place)
        for column in self.columns:
            cell = self.cells[column.key].get(system)
            if cell is None or not cell.n:
                continue
            own = f"{place} › scores › {column.key}"
            estimate = self.estimates[system] if self.estimates and column.is_estimate else None
            low, high = estimate.bound(cell.value) if estimate else _interval(column, cell)
            found[f"{own} › {'mean' if column.is_mean else 'accuracy'}"] = cell.value
            if not column.is_mean and not column.is_estimate:
                found[f"{own} › correct"] = cell.correct
            found |= {f"{own} › n": cell.n, f"{own} › rank": self.rank(column, system)}
            found |= {f"{own} › interval › 1": low, f"{own} › interval › 2": high} if low is not None else {}
            if pair := self.ranges[column.key].get(system):
                found |= {f"{own} › rank_range › 1": pair[0], f"{own} › rank_range › 2": pair[1]}
            found |= {f"{own} › {name}": each for name, each in self._gain(column, system).items()}
        return found

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Scores by which systems are compared, by column."""
        return {column.key: self._table(column) for column in self.columns}

    def _table(self, column: Column) -> Table:
        if column.is_estimate:
            return self._estimated_table()
        scores = {
            system: {each.question: value for each in own if (value := column.way(each)[0]) is not None}
            for system, own in self.rows.items()
        }
        return Table(scores, is_verdict=not column.is_mean, variance={})

    def _estimated_table(self) -> Table:
        """Return values that vary as means do: a sample's are paired, an audit's labels are spikes."""
        found = dict.fromkeys(self.rows, Estimate(0.0, 0, 0, 0.0, {}, {}, 0.0)) | (self.estimates or {})
        if not self.chosen:
            return Table(
                {system: each.expected for system, each in found.items()},
                is_verdict=False,
                variance={system: each.chance for system, each in found.items()},
            )
        return Table(
            {system: each.values for system, each in found.items()},
            is_verdict=False,
            variance={system: each.chance_left for system, each in found.items()},
        )

    def _ranked(self, column: Column) -> Table:
        """Return a column's scores of the systems it ranks; of all where it ranks none yet."""
        table = self.tables[column.key]
        if not self.comparable:
            return table._replace(scores={system: {} for system in table.scores})
        ranked = {system for system in self.rows if self.rank(column, system)}
        return table.keep(ranked) if ranked else table

    @cached_property
    def ranges(self) -> dict[str, dict[str, tuple[int, int]]]:
        """Between which ranks each system lies, by column."""
        return {
            column.key: rank_ranges(self._ranked(column), questions=self.questions) for column in self.columns
        }

    def order(self, column: Column) -> Numbers:
        """Return how many pairs of systems that people tell apart a column has in the same order."""
        people = next((each for each in self.columns if each.key == self.by), None)
        if self.kendall(column) is None or people is None:
            return {}
        return same_order(self._ranked(people), self._ranked(column))

    def _gain(self, column: Column, system: str) -> Numbers:
        if column.key == BASELINE or BASELINE not in self.tables:
            return {}
        return gain(self.tables[BASELINE], self.tables[column.key], system)

    def _standing(self, system: str, place: str) -> Numbers:
        own = self.rows[system]
        pending = sum(map(self.is_pending, own))
        programs = [each for each in own if self._is_by_programs(each)]
        right = sum(
            self._is_right(each) and not self.is_pending(each) and not self._is_by_programs(each)
            for each in own
        )
        unknown = pending + len(programs)
        found: Numbers = {f"{place} › decided_share": (len(own) - pending) / len(own)}
        if unknown:
            found[f"{place} › range › 1"] = right / len(own)
            found[f"{place} › range › 2"] = (right + unknown) / len(own)
        return found

    def _is_by_programs(self, prediction: Prediction) -> bool:
        decision = self.facts.decisions.get(prediction.answer)
        return decision is not None and decision.source in WITH_PROGRAMS

    def _is_right(self, prediction: Prediction) -> bool:
        worth = self.worth(prediction)
        return self.facts.matches_amended(prediction) if worth is None else worth == RIGHT

    @property
    def by(self) -> str:
        """The column by which people rank systems."""
        return HUMAN if self.estimates is None else CORRECTED

    def kendall(self, column: Column) -> Number:
        """Return tau-b with people's ranking, over systems that have a rank in both."""
        by = self.by
        people = next((each for each in self.columns if each.key == by), None)
        if not (self.all_decided or self.chosen) or people is None or column.key == by:
            return None
        pairs = [
            (self.cells[column.key][system].value, self.cells[by][system].value)
            for system in self.rows
            if self.cells[column.key].get(system) and self.cells[by].get(system)
            if self.rank(column, system) and self.rank(people, system)
        ]
        return _tau([one for one, _ in pairs], [other for _, other in pairs])


def _tau(first: list[float], second: list[float]) -> float | None:
    """Kendall's tau-b, pair by pair."""
    same = ones = others = 0
    for place in range(len(first)):
        for before in range(place):
            one = _sign(first[place] - first[before])
            other = _sign(second[place] - second[before])
            same, ones, others = same + one * other, ones + abs(one), others + abs(other)
    return same / math.sqrt(ones * others) if ones and others else None


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def _cell(column: Column, said: list[Value]) -> Cell | None:
    values = [value for value, _ in said if value is not None]
    if not any(is_dealt_with for _, is_dealt_with in said):
        return None
    total = math.fsum(values)
    return Cell(
        value=(total if column.is_mean else round(total)) / len(values) if values else math.nan,
        correct=round(total),
        n=len(values),
        squares=math.fsum(value * value for value in values),
        is_complete=all(is_dealt_with for _, is_dealt_with in said),
    )


Z = NormalDist().inv_cdf(0.975)
FEWEST_MEANS = 10


def _interval(column: Column, cell: Cell) -> tuple[float | None, float | None]:
    """Return Wilson's interval of a share, and of a mean score Wilson's by its variance and Student's t."""
    if not column.is_mean:
        return wilson(cell.value, cell.n, Z)
    if cell.n < FEWEST_MEANS or not 0.0 < cell.value < 1.0:
        # All alike: of zeros or ones the exact interval of a share.
        return exact(round(cell.value * cell.n), cell.n) if cell.n >= FEWEST_MEANS else (None, None)
    from scipy.stats import t

    variance = max(0.0, cell.squares - cell.n * cell.value**2) / (cell.n - 1)
    if math.sqrt(variance / cell.n) <= 1e-9:
        return None, None
    return wilson(
        cell.value, cell.value * (1 - cell.value) / (variance / cell.n), float(t.ppf(0.975, cell.n - 1))
    )


def _human_accuracies(facts: Facts, rows: Mapping[str, list[Prediction]]) -> dict[str, float | None]:
    """Return what share of its decided answers people accept, of each system."""
    decided = {
        system: own
        for system, all_own in rows.items()
        if (own := [each for each in all_own if facts.worth(each.answer) is not None])
    }
    if facts.ruled:
        found = correct_systems(facts, decided)
        waiting = {
            system
            for system, own in rows.items()
            if any(facts.answers[each.answer].is_judgeable and facts.waits(each.answer) for each in own)
        }
        return {system: found[system].mean if system in found.keys() - waiting else None for system in rows}
    return {
        system: sum(facts.worth(each.answer) == RIGHT for each in own) / len(own)
        for system, own in decided.items()
    }


def _amendment(facts: Facts, own: list[Prediction], place: str) -> Numbers:
    both = [(facts.matches_original(each), facts.matches_amended(each)) for each in own]
    counts = {
        "n": len(both),
        "before": sum(before for before, _ in both),
        "after": sum(after for _, after in both),
        "turned_right": sum(after and not before for before, after in both),
        "turned_wrong": sum(before and not after for before, after in both),
    }
    return {f"{place} › amendment › {name}": count for name, count in counts.items()}


def run_keys(facts: Facts) -> dict[str, str]:
    """Return each run's column: complete ones first, recorded ones last; a second of a kind has its id."""
    runs = sorted(facts.study.runs, key=lambda run: (not run.is_finished, run.judge.startswith(RECORDED)))
    keys: dict[str, str] = {}
    for run in runs:
        key = f"{run.judge}:amended" if run.gold.startswith("amended") else run.judge
        keys[run.id] = f"{key}:{run.id}" if key in keys.values() else key
    return keys


def _runs(facts: Facts, *, leaves_out_recorded: bool) -> list[Column]:
    runs = {run.id: run for run in facts.study.runs}
    return [
        Column(key, _way_of(facts, runs[run]), is_mean=runs[run].judge == F1, ranks=True)
        for run, key in run_keys(facts).items()
        if not (leaves_out_recorded and runs[run].judge.startswith(RECORDED))
    ]


def _way_of(facts: Facts, run: Run) -> Way:
    if run.judge.startswith(RECORDED):
        said = facts.said_by(run.id)
        return lambda each: (float(facts.matches_said(each, said.get(each.question))), True)
    own = _judged_by_own_golds(facts, run)

    def way(prediction: Prediction) -> Value:
        if (prediction.system, prediction.question) in own:
            return own[prediction.system, prediction.question]
        verdict = facts.verdicts.get((run.id, prediction.answer))
        if verdict is None:
            return None, False
        return _value_of(run, verdict.accepted, verdict.score), True

    return way


def _judge_of(facts: Facts, run: Run, column: Column) -> Judge:
    """Return a run as a judge that corrects: by its probabilities where it states them, else its verdicts."""

    def accepted(each: Prediction) -> float | None:
        verdict = facts.verdicts.get((run.id, each.answer))
        return None if verdict is None or verdict.accepted is None else float(verdict.accepted)

    verdict = accepted if column.is_mean else lambda each: column.way(each)[0]
    if not get_entry(run.judge).states_probability:
        return Judge(verdict, verdict)
    scores = {
        answer: said.score
        for (own, answer), said in facts.verdicts.items()
        if own == run.id and said.accepted is not None and answer in facts.given
    }
    if not scores or any(score is None or not 0.0 <= score <= 1.0 for score in scores.values()):
        return Judge(verdict, verdict)
    return Judge(verdict, lambda each: None if column.way(each)[0] is None else scores.get(each.answer))


def _judged_by_own_golds(facts: Facts, run: Run) -> Mapping[tuple[str, str], Value]:
    """Judge predictions whose file has gold answers of its own: a stored one is about the question's."""
    entry = get_entry(run.judge)
    own = [each for each in facts.study.predictions if each.golds is not None]
    if not own or run.gold != ORIGINAL or not entry.is_lexical or entry.reads is not Reads.GOLDS:
        return {}
    inputs = [
        JudgeInput(facts.questions[each.question].text, each.text, tuple(each.golds or ())) for each in own
    ]
    verdicts = make_judge(entry, options_of(run)).judge(inputs)
    return {
        (each.system, each.question): (_value_of(run, verdict.accepted, verdict.score), True)
        for each, verdict in zip(own, verdicts, strict=True)
    }


def options_of(run: Run) -> dict[str, Any]:
    """Return what the judge itself is set to."""
    return {name: value for name, value in run.options.items() if name != "gold"}


def _value_of(run: Run, accepted: bool | None, score: float | None) -> float | None:
    if accepted is None:
        return None
    return (score or 0.0) if run.judge == F1 else float(accepted)


def people_columns(facts: Facts) -> list[Column]:
    """Return what people say, but for what an audit corrects: `prejudging` has that."""

    def amended(each: Prediction) -> Value:
        return float(facts.matches_amended(each)), True

    def decided(each: Prediction) -> Value:
        worth = facts.people_say(each.answer)
        return None if worth is None else float(worth == RIGHT), worth is not None or not facts.ruled

    def possibly(each: Prediction) -> Value:
        worth = facts.people_say(each.answer)
        return None if worth is None else float(worth > 0), worth is not None or not facts.ruled

    def settled(each: Prediction) -> Value:
        worth = facts.worth(each.answer)
        return None if worth is None else float(worth == RIGHT), True

    labels = facts.protocol.labels if facts.protocol else ()
    ways: dict[str, Way] = {HUMAN: amended, DECIDED: decided}
    if any(label.credit == "possible" for label in labels):
        ways[POSSIBLY] = possibly
    if facts.ruled:
        ways[SETTLED] = settled
    return [Column(key, way, is_mean=False, ranks=False) for key, way in ways.items()]
