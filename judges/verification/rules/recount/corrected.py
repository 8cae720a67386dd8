"""Scores corrected by labels that people gave to answers drawn at random, estimated again one by one."""

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from judges.registry import READS_PEOPLE, get_entry
from judges.verification.rules.differences import Number, Numbers
from judges.verification.rules.facts import RIGHT, Facts
from judges.verification.rules.recount.figures import wilson
from judges.verification.rules.study import Prediction, Question

# As the leaderboard has it: of fewer answers of an audit, or labels of a sample, nobody should read a score.
SMALLEST_AUDIT, SMALLEST_SAMPLE = 5, 30
# How many labels of all systems weigh as much as a system's own when its trust is tuned.
PRIOR_LABELS = 20.0
# How many labels of all systems weigh as much as a cell's own in the variance: of a sample, and of an
# audit by probabilities and by verdicts.
PRIOR_ROWS, PRIOR_ROWS_OF_AUDIT, PRIOR_ROWS_OF_VERDICTS = 1.5, 3.0, 4.0
# So little is what rounding leaves of predictions that are all the same.
NO_SPREAD = 1e-12
REACH = 1.959963984540054


class Row(NamedTuple):
    """An answer of a system to a question.

    said: what people say of it, 0 or 1, None where it was not drawn or is not decided. predicted: what a
    judge says, 0 to 1, None where it abstains. probability: with which people were to see it. stratum: rows
    of one are drawn alike.
    """

    question: str
    said: float | None
    predicted: float | None
    probability: float
    stratum: Hashable

    @property
    def is_seen(self) -> bool:
        """Whether it is a label."""
        return self.said is not None and self.probability > 0

    @property
    def weight(self) -> float:
        """How many rows a label stands for, before it is scaled to its cell."""
        return 1.0 / self.probability if self.is_seen else 0.0


class Estimate(NamedTuple):
    """A system's share of right answers. variance: what estimating adds to that of the share itself.

    values: by question, whose mean it is; expected: the same where no label stands for others, and chance,
    the variance that these lack.
    """

    mean: float
    n: int
    labels: int
    variance: float
    values: dict[str, float]
    expected: dict[str, float]
    chance: float

    @property
    def chance_left(self) -> float:
        """What varies besides values, which of few labels vary less than others would."""
        apart = math.fsum((self.values[each] - self.expected[each]) ** 2 for each in self.values)
        return max(0.0, self.chance - apart / self.n**2) if self.n else 0.0

    @property
    def share(self) -> float:
        """The mean as far as a share may go."""
        return min(1.0, max(0.0, self.mean))

    def bound(self, share: float) -> tuple[float, float]:
        """Return Wilson's interval of so many fewer rows as the variance takes."""
        drawn_in = (share * self.n + 2.0) / (self.n + 4.0)
        own = drawn_in * (1.0 - drawn_in)
        return wilson(share, own / (own / self.n + self.variance), REACH)


# Rows that could have been labelled alike: the stratum, certain to be seen, not predicted.
_Kind = tuple[Hashable, bool, bool]


class _Cell:
    """Rows of one system and kind, of so many of the system."""

    def __init__(self, rows: Sequence[Row], of_system: int) -> None:
        self.rows = rows
        self.seen = [row for row in rows if row.is_seen]
        self.weight = math.fsum(row.weight for row in self.seen)
        squares = math.fsum(row.weight**2 for row in self.seen)
        # Rows of different weights say as much as so many equal ones (Kish 1965).
        self.known = self.weight**2 / squares if squares else 0.0
        self.share = len(rows) / of_system
        self.few = 1.0 / max(self.known, 1.0)
        self.unknown = max(0.0, self.few - 1.0 / len(rows))
        self.leverage = self.share**2 * self.unknown

    def mean(self, value: Callable[[Row], float]) -> float:
        """Return the weighted mean over labels, 0 of none."""
        total = math.fsum(row.weight * value(row) for row in self.seen)
        return total / self.weight if self.weight else 0.0

    def covariance(self, one: Callable[[Row], float], other: Callable[[Row], float]) -> float:
        """Return what two values of labels share of their variance."""
        if self.known <= 1.0:
            return 0.0
        apart = self.mean(lambda row: one(row) * other(row)) - self.mean(one) * self.mean(other)
        return apart * self.known / max(self.known - 1.0, 0.5)


_Cells = dict[_Kind, _Cell]


def estimate(rows: Mapping[str, Sequence[Row]], *, prior_rows: float = PRIOR_ROWS) -> dict[str, Estimate]:
    """Return each system's estimate; systems of which it is unknown are left out.

    Source: the difference estimator with post-stratification (Särndal, Swensson and Wretman 1992, 6.3 and
    7.6), tuned as in PPI++ (Angelopoulos et al. 2023).
    """
    systems = {system: own for system, own in rows.items() if own}
    cells = {system: _cells(own) for system, own in systems.items()}
    trust = _tune(cells)
    off = {
        system: {kind: cell.mean(_error(trust[system])) for kind, cell in own.items()}
        for system, own in cells.items()
    }
    everywhere = _everywhere(cells, off)
    spread = _spread(cells, trust, off, prior_rows)
    return {
        system: _estimate(cells[system], trust[system], off[system], everywhere, spread[system])
        for system, own in systems.items()
        if cells[system].keys() <= everywhere.keys() and all(row.probability > 0 for row in own)
    }


def _cells(rows: Sequence[Row]) -> _Cells:
    found: dict[_Kind, list[Row]] = defaultdict(list)
    for row in rows:
        found[row.stratum, row.probability >= 1.0, row.predicted is None].append(row)
    return {kind: _Cell(own, len(rows)) for kind, own in found.items()}


def _predicted(row: Row) -> float:
    return row.predicted or 0.0


def _said(row: Row) -> float:
    return row.said or 0.0


def _error(trust: float) -> Callable[[Row], float]:
    return lambda row: _said(row) - trust * _predicted(row)


def _tune(cells: Mapping[str, _Cells]) -> dict[str, float]:
    """Return how far each system's predictions are trusted: the slope of labels on them, 0 to 1."""
    labels = {
        system: math.fsum(cell.known for cell in own.values() if cell.leverage > 0)
        for system, own in cells.items()
    }

    def draw_in(other: Callable[[Row], float]) -> dict[str, float]:
        own = {
            system: labels[system]
            * math.fsum(cell.leverage * cell.covariance(_predicted, other) for cell in each.values())
            for system, each in cells.items()
        }
        total = math.fsum(labels[system] * each for system, each in own.items())
        prior = PRIOR_LABELS * total / max(math.fsum(labels.values()), 1.0)
        return {system: labels[system] * each + prior for system, each in own.items()}

    together, alone = draw_in(_said), draw_in(_predicted)
    # Predictions that never vary within a cell change nothing.
    return {
        system: min(1.0, max(0.0, together[system] / alone[system])) if alone[system] > NO_SPREAD else 1.0
        for system in cells
    }


def _everywhere(cells: Mapping[str, _Cells], off: Mapping[str, Mapping[_Kind, float]]) -> dict[_Kind, float]:
    """Return by how much all systems' predictions are off, by kind; nothing of kinds that nobody saw."""
    found = {}
    for kind in {kind for own in cells.values() for kind in own}:
        own = [(each[kind].weight, off[system][kind]) for system, each in cells.items() if kind in each]
        if total := math.fsum(weight for weight, _ in own):
            found[kind] = math.fsum(weight * each for weight, each in own) / total
    return found


class _Moments(NamedTuple):
    """Of labels: how many they are worth, and rows stand for; means of errors, squares, tuned predictions."""

    known: float
    stand_for: float
    first: float
    second: float
    predicted: float


def _spread(
    cells: Mapping[str, _Cells],
    trust: Mapping[str, float],
    off: Mapping[str, Mapping[_Kind, float]],
    prior_rows: float,
) -> dict[str, dict[_Kind, float]]:
    """Return the variance of a row's error, drawn towards that of all systems in the stratum or of all."""
    moments = {
        system: {kind: _moments(cell, trust[system], off[system][kind]) for kind, cell in own.items()}
        for system, own in cells.items()
    }
    all_of_all = [each for own in moments.values() for each in own.values()]

    def variance(own: _Moments, others: Iterable[_Moments]) -> float:
        others = list(others)
        labels = math.fsum(each.known for each in others)
        rows = math.fsum(each.stand_for for each in others)

        def by_rows(value: Callable[[_Moments], float]) -> float:
            # Where a judge is unsure more is labelled: by labels all strata would look as unsure as these.
            return math.fsum(each.stand_for * value(each) for each in others) / rows if rows else 0.0

        # One row more, half right and half wrong, lest nothing vary anywhere.
        typical = by_rows(lambda each: each.predicted)
        first = (labels * by_rows(lambda each: each.first) + 0.5 - typical) / (labels + 1.0)
        of_one = 0.5 * typical**2 + 0.5 * (1.0 - typical) ** 2
        second = (labels * by_rows(lambda each: each.second) + of_one) / (labels + 1.0)
        weight = own.known + prior_rows
        mean = (own.first * own.known + prior_rows * first) / weight
        return (own.second * own.known + prior_rows * second) / weight - mean**2

    return {
        system: {
            kind: max(
                0.0,
                variance(each, (other[kind] for other in moments.values() if kind in other)),
                variance(each, all_of_all),
            )
            for kind, each in own.items()
        }
        for system, own in moments.items()
    }


def _moments(cell: _Cell, trust: float, off: float) -> _Moments:
    error = _error(trust)
    return _Moments(
        known=cell.known if cell.unknown > 0 else 0.0,
        stand_for=float(len(cell.rows)) if cell.known > 0 and cell.unknown > 0 else 0.0,
        first=off,
        second=cell.mean(lambda row: error(row) ** 2),
        predicted=cell.mean(lambda row: trust * _predicted(row)),
    )


def _estimate(
    cells: _Cells,
    trust: float,
    off: Mapping[_Kind, float],
    everywhere: Mapping[_Kind, float],
    spread: Mapping[_Kind, float],
) -> Estimate:
    values: dict[str, float] = {}
    expected: dict[str, float] = {}
    error = _error(trust)
    for kind, cell in cells.items():
        scale = len(cell.rows) / cell.weight if cell.weight else 0.0
        by_all = 0.0 if cell.weight else everywhere[kind]
        by_own = off[kind] if cell.weight else everywhere[kind]
        for row in cell.rows:
            tuned = trust * _predicted(row)
            own = scale * row.weight * error(row) if row.is_seen else 0.0
            values[row.question] = tuned + by_all + own
            is_known = row.is_seen and cell.unknown <= 0
            expected[row.question] = _said(row) if is_known else tuned + by_own
    n = len(values)
    return Estimate(
        mean=math.fsum(values.values()) / n,
        n=n,
        labels=sum(len(cell.seen) for cell in cells.values()),
        variance=math.fsum(cell.leverage * spread[kind] for kind, cell in cells.items()),
        values=values,
        expected=expected,
        chance=math.fsum(
            cell.share**2 * cell.few * spread[kind] for kind, cell in cells.items() if cell.unknown > 0
        ),
    )


# What programs settled, corrected by its audit.


class Predictor(NamedTuple):
    """What is corrected: of each answer a number from 0 to 1, None where nothing is said of it.

    is_judge: a judge's probabilities; else what rules said.
    """

    of: Callable[[str], float | None]
    is_judge: bool


def find_predictor(facts: Facts) -> Predictor:
    """Return the first judge that has a probability of all that people judge, else what rules said."""
    asked = {each.answer for each in facts.study.predictions if facts.questions[each.question].in_sample}
    runs = sorted(facts.study.runs, key=lambda run: not run.is_finished)
    for run in runs:
        if run.judge.startswith("recorded:") or run.judge in READS_PEOPLE or run.gold.startswith("amended"):
            continue
        own = {each.answer: each for each in facts.study.verdicts if each.run == run.id}
        scores = {answer: each.score for answer, each in own.items() if each.accepted is not None}
        has_all = get_entry(run.judge).states_probability and asked <= own.keys()
        given = [scores[each.answer] for each in facts.study.predictions if each.answer in scores]
        if has_all and given and all(score is not None and 0.0 <= score <= 1.0 for score in given):
            return Predictor(scores.get, is_judge=True)
    return Predictor(lambda answer: float(facts.ruled[answer].worth == RIGHT), is_judge=False)


def correct_systems(facts: Facts, rows: Mapping[str, Sequence[Prediction]]) -> dict[str, Estimate]:
    """Return each system's score as its audit corrects it; systems of which it is unknown are left out.

    rows: the predictions that count, by system.
    """
    predictor = find_predictor(facts)
    unknown = _unknown(facts, rows)
    found = estimate(
        {system: _rows(facts, own, predictor) for system, own in rows.items()},
        prior_rows=PRIOR_ROWS_OF_AUDIT if predictor.is_judge else PRIOR_ROWS_OF_VERDICTS,
    )
    return {system: each for system, each in found.items() if system not in unknown}


def _rows(facts: Facts, own: Iterable[Prediction], predictor: Predictor) -> list[Row]:
    """Return what people decided, for itself alone, and what a rule speaks for, with those drawn of it."""
    found = []
    for each in own:
        worth, rule = facts.people_say(each.answer), facts.ruled.get(each.answer)
        said = None if worth is None else float(worth == RIGHT)
        if rule is not None:
            predicted = predictor.of(each.answer)
            side = None if predictor.is_judge else rule.worth == RIGHT
            drawn = said if rule.is_drawn else None
            found.append(Row(each.question, drawn, predicted, rule.probability, ("a rule", side)))
        elif said is not None:
            found.append(Row(each.question, said, 0.0, 1.0, "people"))
    return found


SIDES = (False, True)


def _unknown(facts: Facts, rows: Mapping[str, Sequence[Prediction]]) -> set[str]:
    """Return systems with answers of a side of which people saw too few, or with open answers."""
    found = {
        system
        for system, own in rows.items()
        if any(facts.answers[each.answer].is_judgeable and facts.waits(each.answer) for each in own)
    }
    for side in SIDES:
        ruled = {
            each.answer: system
            for system, own in rows.items()
            for each in own
            if (rule := facts.ruled.get(each.answer)) and (rule.worth == RIGHT) == side
        }
        seen = [
            answer
            for answer in ruled
            if facts.ruled[answer].is_drawn and facts.people_say(answer) is not None
        ]
        if len(seen) < min(SMALLEST_AUDIT, len(ruled)):
            found |= {system for system, own in rows.items() if any(each.answer in ruled for each in own)}
    return found


# Answers of all questions, of which a random sample is judged.

Rows = Mapping[str, Sequence[Prediction]]
Said = Callable[[Prediction], float | None]


class Judge(NamedTuple):
    """A judge's verdict on a prediction, and how probably it is right by it: None where it says nothing."""

    verdict: Said
    predicted: Said


def estimate_sampled(facts: Facts, rows: Rows, predicted: Said) -> dict[str, Estimate]:
    """Estimate systems from what people said of those drawn; as an audit where rules settled the sample."""
    is_audit = bool(facts.ruled) and _is_sample_only(facts, rows)
    prior_rows = PRIOR_ROWS_OF_AUDIT if is_audit else PRIOR_ROWS
    return estimate(sampled_rows(facts, rows, predicted), prior_rows=prior_rows)


def _is_sample_only(facts: Facts, rows: Rows) -> bool:
    return all(facts.questions[each.question].in_sample for own in rows.values() for each in own)


def sampled_rows(facts: Facts, rows: Rows, predicted: Said) -> dict[str, list[Row]]:
    """Return what people said of those drawn, with the probability that they saw it, by system."""
    is_sample_only = _is_sample_only(facts, rows)
    return {
        system: [_sampled_row(facts, each, predicted(each), is_sample_only) for each in own]
        for system, own in rows.items()
    }


def _sampled_row(facts: Facts, each: Prediction, predicted: float | None, is_sample_only: bool) -> Row:
    question, rule = facts.questions[each.question], facts.ruled.get(each.answer)
    is_drawable = question.stratum is not None and not is_sample_only
    is_met = _is_met(question, is_sample_only)
    worth = facts.people_say(each.answer)
    counts = is_met and worth is not None and (rule is None or rule.is_drawn)
    chance = facts.chance(question) if is_drawable else float(question.in_sample)
    if is_sample_only:
        stratum = int(rule is not None)
    else:
        stratum = 1 + (question.stratum if is_drawable and question.stratum is not None else -1)
    return Row(
        question=each.question,
        said=float(worth == RIGHT) if counts else None,
        predicted=predicted,
        probability=chance * (rule.probability if rule is not None and is_met else 1.0),
        stratum=stratum,
    )


def unknown_systems(facts: Facts, rows: Rows) -> set[str]:
    """Return systems of which labels of a sample tell no score."""
    labelled = sampled_rows(facts, rows, lambda _: 0.0)
    is_sample_only = _is_sample_only(facts, rows)
    proper = [each for each in facts.study.questions if each.id not in facts.improper]
    is_random = is_sample_only or any(each.probability is not None for each in proper)
    found = set()
    for system, own in labelled.items():
        seen = sum(row.said is not None for row in own)
        is_open = any(_is_open(facts, each, is_sample_only) for each in rows[system])
        is_beyond = any(row.probability <= 0 for row in own)
        if not is_random or not seen or is_beyond or is_open or seen < min(SMALLEST_SAMPLE, len(own)):
            found.add(system)
    return found


def _is_met(question: Question, is_sample_only: bool) -> bool:
    """Say whether people were to see a question: where it could be drawn, because it was."""
    if question.stratum is None or is_sample_only:
        return question.in_sample
    return question.probability is not None


def _is_open(facts: Facts, each: Prediction, is_sample_only: bool) -> bool:
    return (
        _is_met(facts.questions[each.question], is_sample_only)
        and facts.answers[each.answer].is_judgeable
        and facts.waits(each.answer)
    )


def surest(facts: Facts, rows: Rows, judges: Mapping[str, Judge]) -> str:
    """Return the judge by which all known systems' scores together are surest; the first of equals."""
    unknown = unknown_systems(facts, rows)

    def variance(key: str) -> float:
        found = estimate_sampled(facts, rows, judges[key].predicted)
        return math.fsum(each.variance for system, each in found.items() if system not in unknown)

    return min(judges, key=variance)


def correct_sampled(facts: Facts, rows: Rows, judge: Judge) -> dict[str, Estimate]:
    """Return each known system's score over all that is counted."""
    unknown = unknown_systems(facts, rows)
    found = estimate_sampled(facts, rows, judge.predicted)
    return {system: each for system, each in found.items() if system not in unknown}


def recount_corrected(facts: Facts, rows: Rows, judges: Mapping[str, Judge]) -> Numbers:
    """Return the numbers of the report's corrected section: people only, each judge only, and both."""
    unknown = unknown_systems(facts, rows)
    plain = estimate_sampled(facts, rows, lambda _: 0.0)
    both = {key: estimate_sampled(facts, rows, judge.predicted) for key, judge in judges.items()}
    labelled = sampled_rows(facts, rows, lambda _: None)
    found: dict[str, Number] = {}
    for system, own in rows.items():
        place = f"corrected › systems › {system}"
        labels = sum(row.said is not None for row in labelled[system])
        found |= {f"{place} › n": len(own), f"{place} › labels": labels}
        alone = None if system in unknown else plain.get(system)
        found |= _ends(f"{place} › people_only", alone)
        for key, judge in judges.items():
            of_judge = f"{place} › judges › {key}"
            said = [value for each in own if (value := judge.verdict(each)) is not None]
            if said:
                share = math.fsum(said) / len(said)
                low, high = wilson(share, len(said), REACH)
                found |= {f"{of_judge} › judge_only › value": share}
                found |= {f"{of_judge} › judge_only › low": low, f"{of_judge} › judge_only › high": high}
            corrected = None if system in unknown else both[key].get(system)
            found |= _ends(f"{of_judge} › corrected", corrected)
            if alone and corrected and corrected.variance > 0:
                found[f"{of_judge} › worth"] = _worth(labels, len(own), alone, corrected)
    return found


def _worth(labels: int, answers: int, alone: Estimate, corrected: Estimate) -> int:
    """Count the labels by which people alone would be as sure, of so many answers."""
    if not alone.variance:
        return labels
    ratio = corrected.variance / alone.variance
    # m of 1/m − 1/N = ratio · (1/n − 1/N), multiplied out.
    return round(labels * answers / (ratio * (answers - labels) + labels))


def _ends(place: str, found: Estimate | None) -> Numbers:
    if found is None:
        return {}
    low, high = found.bound(found.share)
    return {f"{place} › value": found.share, f"{place} › low": low, f"{place} › high": high}
