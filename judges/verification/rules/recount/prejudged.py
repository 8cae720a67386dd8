"""What programs settled and its audit, counted again, and the scores that the audit corrects."""

from collections import defaultdict
from collections.abc import Sequence

from analysis.intervals import Interval, confidence_sequence
from judges.prejudging.rules.audit import count_choices
from judges.verification.rules.differences import Numbers
from judges.verification.rules.facts import PREJUDGED, Facts
from judges.verification.rules.study import Settled

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
