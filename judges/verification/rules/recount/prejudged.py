"""What programs settled and its audit, counted again, and the scores that the audit corrects."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from analysis.intervals import Interval, confidence_sequence
from judges.prejudging.rules.audit import count_choices
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


class CorrectedMean(NamedTuple):
    """A system's share of right answers as its audit corrects it."""

    value: float
    n: int


class _Cell(NamedTuple):
    """What programs accepted of one system's answers, or rejected. weight, missed: of those seen."""

    rows: int
    weight: float
    missed: float

    @property
    def rate(self) -> float:
        return self.missed / self.weight if self.weight else 0.0


SIDES = (False, True)


def correct_systems(facts: Facts, rows: Mapping[str, Sequence[Prediction]]) -> dict[str, CorrectedMean]:
    """Return each system's corrected share; systems of which it is unknown are left out.

    rows: the predictions that count, by system.
    """
    cells = {(system, side): _cell(facts, own, side) for system, own in rows.items() for side in SIDES}
    unknown = _unknown(facts, rows)
    everywhere = {side: _everywhere([cells[system, side] for system in rows]) for side in SIDES}
    found = {}
    for system, own in rows.items():
        people = [
            worth == RIGHT
            for each in own
            if each.answer not in facts.ruled and (worth := facts.people_say(each.answer)) is not None
        ]
        of_system = {side: cells[system, side] for side in SIDES}
        n = len(people) + sum(cell.rows for cell in of_system.values())
        if not n or system in unknown or _is_lost(facts, own, of_system, everywhere):
            continue
        right = float(sum(people))
        for side, cell in of_system.items():
            rate = cell.rate if cell.weight else (everywhere[side].rate if cell.rows else 0.0)
            right += cell.rows * (1.0 - rate if side else rate)
        found[system] = CorrectedMean(right / n, n)
    return found


def _cell(facts: Facts, own: Iterable[Prediction], side: bool) -> _Cell:
    rows, weights, missed = 0, [], 0.0
    for each in own:
        rule = facts.ruled.get(each.answer)
        if rule is None or (rule.worth == RIGHT) != side:
            continue
        rows += 1
        said = facts.people_say(each.answer)
        if rule.is_drawn and said is not None and rule.probability > 0:
            weights.append(1.0 / rule.probability)
            missed += weights[-1] * ((said == RIGHT) != side)
    return _Cell(rows, sum(weights), missed)


class _Everywhere(NamedTuple):
    """All systems together; is_known: whether anything was seen."""

    rate: float
    is_known: bool


def _everywhere(cells: Sequence[_Cell]) -> _Everywhere:
    weight = sum(cell.weight for cell in cells)
    missed = sum(cell.missed for cell in cells)
    return _Everywhere(missed / weight if weight else 0.0, weight > 0)


def _is_lost(
    facts: Facts,
    own: Iterable[Prediction],
    cells: Mapping[bool, _Cell],
    everywhere: Mapping[bool, _Everywhere],
) -> bool:
    """Say whether one of its rows could not be drawn, or nobody has seen any like it."""
    if any(cell.rows and not cell.weight and not everywhere[side].is_known for side, cell in cells.items()):
        return True
    rules = (facts.ruled.get(each.answer) for each in own)
    return any(rule is not None and rule.probability <= 0 for rule in rules)


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
