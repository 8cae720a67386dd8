"""What programs settled and its audit, counted again, and the scores that the audit corrects."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from analysis.intervals import Interval, confidence_sequence
from analysis.prejudging.corrected import NO_SPREAD
from judges.prejudging.rules.audit import count_choices
from judges.registry import READS_PEOPLE, get_entry
from judges.verification.rules.differences import Numbers
from judges.verification.rules.facts import PREJUDGED, RIGHT, Facts
from judges.verification.rules.study import Prediction, Settled

# As the leaderboard has it: of fewer answers seen nobody should read a score.
SMALLEST_AUDIT = 5


def recount_prejudging(facts: Facts) -> Numbers:
    """Return the numbers of the report's audit, by place."""
    if not facts.study.settled:
        return {}
    places = [rule.places for rule in facts.study.rules]
    choices = count_choices(places)
    by_rule: dict[str, list[Settled]] = defaultdict(list)
    for each in facts.study.settled:
        by_rule[each.rule].append(each)
    found = _audit(facts, facts.study.settled, choices.pooled, "prejudging")
    for text, own in by_rule.items():
        found |= _audit(facts, own, choices.rules, f"prejudging › rules › {text}")
    return found | {
        "prejudging › watched": sum(places),
        "prejudging › programs_share": _programs_share(facts),
    }


def _audit(facts: Facts, rows: Sequence[Settled], choices: int, place: str) -> Numbers:
    drawn = [each for each in rows if each.is_drawn]
    said = [(each, label) for each in drawn if (label := _said_by_people(facts, each.answer))]
    differing = [_differs(facts, each.label, label) for each, label in said]
    weights = [1.0 / each.probability if each.probability else 0.0 for each, _ in said]
    weight, squares = sum(weights), sum(each * each for each in weights)
    share, interval = None, None
    if weight:
        share = sum(each for each, differs in zip(weights, differing, strict=True) if differs) / weight
        total = weight**2 / squares
        interval = confidence_sequence(successes=share * total, total=total, families=choices)
    found: Numbers = {
        "settled": len(rows) - len(drawn),
        "drawn": len(drawn),
        "decided": len(said),
        "disagreed": sum(differing),
        "unaudited": sum(not each.probability for each in rows),
        "disagreed_share": share,
    }
    if isinstance(interval, Interval):
        found |= {"interval › 1": interval.low, "interval › 2": interval.high}
    return {f"{place} › {name}": value for name, value in found.items()}


def _said_by_people(facts: Facts, answer: str) -> str | None:
    decision = facts.decisions.get(answer)
    return None if decision is None or decision.source == PREJUDGED else decision.label


def _differs(facts: Facts, machine: str, people: str) -> bool:
    assert facts.protocol is not None
    return facts.protocol.credit(machine) is not facts.protocol.credit(people)


def _programs_share(facts: Facts) -> float:
    counted = [
        each
        for each in facts.study.predictions
        if facts.questions[each.question].in_sample and each.question not in facts.improper
    ]
    settled = [each for each in counted if _is_by_programs(facts, each.answer)]
    return len(settled) / len(counted) if counted else 0.0


def _is_by_programs(facts: Facts, answer: str) -> bool:
    decision = facts.decisions.get(answer)
    return decision is not None and decision.source == PREJUDGED


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


class CorrectedMean(NamedTuple):
    """A system's share of right answers as its audit corrects it."""

    value: float
    n: int


class _Row(NamedTuple):
    """An answer that a rule speaks for; said: what people say where it was drawn, else None."""

    predicted: float
    said: float | None
    weight: float


class _Cell(NamedTuple):
    """Rows of a system that were drawn and predicted alike."""

    rows: list[_Row]
    share: float

    @property
    def seen(self) -> list[_Row]:
        return [row for row in self.rows if row.said is not None]

    @property
    def weight(self) -> float:
        return math.fsum(row.weight for row in self.seen)

    @property
    def worth(self) -> float:
        """How many equal labels those of the cell are worth (Kish 1965)."""
        squares = math.fsum(row.weight**2 for row in self.seen)
        return self.weight**2 / squares if squares else 0.0

    @property
    def leverage(self) -> float:
        """How much of the variance of a row's error is left in the system's mean."""
        return self.share**2 * max(0.0, 1.0 / max(self.worth, 1.0) - 1.0 / len(self.rows))

    def mean(self, value: Callable[[_Row], float]) -> float:
        """Return the weighted mean of what was seen, 0 of nothing."""
        total = math.fsum(row.weight * value(row) for row in self.seen)
        return total / self.weight if self.weight else 0.0

    def covariance(self, first: Callable[[_Row], float], second: Callable[[_Row], float]) -> float:
        """Return the variance that two values of what was seen share."""
        worth = self.worth
        if worth <= 1.0:
            return 0.0
        apart = self.mean(lambda row: first(row) * second(row)) - self.mean(first) * self.mean(second)
        return apart * worth / max(worth - 1.0, 0.5)


def _predicted(row: _Row) -> float:
    return row.predicted


def _said(row: _Row) -> float:
    return row.said or 0.0


# How many labels of all systems weigh as much as a system's own when its trust is tuned.
PRIOR_LABELS = 20.0


def correct_systems(facts: Facts, rows: Mapping[str, Sequence[Prediction]]) -> dict[str, CorrectedMean]:
    """Return each system's corrected share; systems of which it is unknown are left out.

    rows: the predictions that count, by system.
    """
    predictor = find_predictor(facts)
    people = {system: _people(facts, own) for system, own in rows.items()}
    cells = {system: _cells(facts, own, len(people[system]), predictor) for system, own in rows.items()}
    trust = _tune(cells)
    unknown = _unknown(facts, rows)
    everywhere = _everywhere(cells, trust)
    found = {}
    for system, own in rows.items():
        n = len(people[system]) + sum(len(cell.rows) for cell in cells[system].values())
        is_beyond = any(
            rule.probability <= 0 for each in own if (rule := facts.ruled.get(each.answer)) is not None
        )
        if not n or system in unknown or is_beyond or not cells[system].keys() <= everywhere.keys():
            continue
        right = float(sum(people[system]))
        for kind, cell in cells[system].items():
            tuned = trust[system]
            off = _off(cell, tuned) if cell.seen else everywhere[kind]
            right += tuned * math.fsum(map(_predicted, cell.rows)) + len(cell.rows) * off
        found[system] = CorrectedMean(right / n, n)
    return found


def _people(facts: Facts, own: Iterable[Prediction]) -> list[bool]:
    """Return what people decided of answers that no rule speaks for."""
    return [
        worth == RIGHT
        for each in own
        if each.answer not in facts.ruled and (worth := facts.people_say(each.answer)) is not None
    ]


# Whether nothing is predicted of it, what rules said where they are corrected, and whether it was certain
# to be drawn.
_Kind = tuple[bool, float, bool]
_Cells = dict[_Kind, _Cell]


def _cells(facts: Facts, own: Sequence[Prediction], others: int, predictor: Predictor) -> _Cells:
    rows: dict[_Kind, list[_Row]] = defaultdict(list)
    for each in own:
        rule = facts.ruled.get(each.answer)
        if rule is None:
            continue
        predicted, said = predictor.of(each.answer), facts.people_say(each.answer)
        is_seen = rule.is_drawn and said is not None and rule.probability > 0
        side = 0.0 if predictor.is_judge else predicted or 0.0
        kind = (predicted is None, side, rule.probability >= 1.0)
        rows[kind].append(
            _Row(
                predicted or 0.0,
                float(said == RIGHT) if is_seen else None,
                1.0 / rule.probability if is_seen else 0.0,
            )
        )
    n = others + sum(map(len, rows.values()))
    return {kind: _Cell(each, len(each) / n) for kind, each in rows.items()}


def _tune(cells: Mapping[str, _Cells]) -> dict[str, float]:
    """Return how far each system's predictions are trusted: the slope of labels on them, 0 to 1."""
    labels = {
        system: math.fsum(cell.worth for cell in own.values() if cell.leverage > 0)
        for system, own in cells.items()
    }

    def draw_in(second: Callable[[_Row], float]) -> dict[str, float]:
        own = {
            system: labels[system] * math.fsum(
                cell.leverage * cell.covariance(_predicted, second) for cell in each.values()
            )
            for system, each in cells.items()
        }  # fmt: skip
        total = math.fsum(labels[system] * each for system, each in own.items())
        prior = PRIOR_LABELS * total / max(math.fsum(labels.values()), 1.0)
        return {system: labels[system] * each + prior for system, each in own.items()}

    together, alone = draw_in(_said), draw_in(_predicted)
    # Predictions that never vary within a cell change nothing.
    return {
        system: min(1.0, max(0.0, together[system] / alone[system])) if alone[system] > NO_SPREAD else 1.0
        for system in cells
    }


def _off(cell: _Cell, trust: float) -> float:
    return cell.mean(lambda row: _said(row) - trust * row.predicted)


def _everywhere(cells: Mapping[str, _Cells], trust: Mapping[str, float]) -> dict[_Kind, float]:
    """Return by how much predictions are off in all systems together, by kind; nothing of what nobody saw."""
    weights: dict[_Kind, float] = defaultdict(float)
    sums: dict[_Kind, float] = defaultdict(float)
    for system, own in cells.items():
        for kind, cell in own.items():
            weights[kind] += cell.weight
            sums[kind] += cell.weight * _off(cell, trust[system])
    return {kind: sums[kind] / weight for kind, weight in weights.items() if weight}


SIDES = (False, True)


def _unknown(facts: Facts, rows: Mapping[str, Sequence[Prediction]]) -> set[str]:
    """Return systems with answers of a side of which people saw too few, and not all."""
    found: set[str] = set()
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
