"""What programs settled, alone or beside one rater, and its audit, counted again."""

from collections import defaultdict
from collections.abc import Sequence

from analysis.intervals import Interval, confidence_sequence
from annotation.projects.rules import Credit
from judges.prejudging.rules.audit import count_choices
from judges.verification.rules.differences import Numbers
from judges.verification.rules.facts import PREJUDGED, ROUTED, WITH_PROGRAMS, Facts
from judges.verification.rules.study import Routed, Settled, Vote


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
    return decision is not None and decision.source in WITH_PROGRAMS


def agreed_label(facts: Facts, votes: Sequence[Vote]) -> str:
    """Return what one vote and the judge that was noted agree on; empty where they do not."""
    if len(votes) != 1:
        return ""
    (vote,) = votes
    noted = facts.routed.get(vote.answer)
    return vote.label if noted and not noted.is_drawn and noted.label == vote.label else ""


def recount_routing(facts: Facts) -> Numbers:
    """Return the numbers of the report's part on routing, by place."""
    rows = [each for each in facts.routed.values() if each.first_label]
    if not rows:
        return {}
    decisions = facts.decisions
    stopped = sum(each.answer in decisions and decisions[each.answer].source == ROUTED for each in rows)
    drawn = [each for each in rows if each.label == each.first_label and each.is_drawn]
    known = [each for each in drawn if each.answer in decisions]
    changed = [each for each in known if decisions[each.answer].label != each.first_label]
    labels = sum(
        vote.purpose == "vote"
        and vote.state == "counted"
        and vote.answer in facts.routed
        and not _says_nothing(facts, vote.label)
        for vote in facts.study.votes
    )
    found: Numbers = {
        "weighed": len(rows),
        "open": sum(each.answer not in decisions for each in rows),
        "labels": labels,
        "stopped": stopped,
        "drawn": len(drawn),
        "decided": len(known),
        "changed": len(changed),
        "labels_an_answer": labels / len(rows),
    }
    found |= _bounds(known, changed, share=stopped / len(rows), rules=len(facts.study.routings))
    return {f"routing › {name}": value for name, value in found.items()}


def _says_nothing(facts: Facts, label: str) -> bool:
    found = facts.protocol.label(label) if facts.protocol else None
    return found is not None and found.credit is Credit.MISSING


def _bounds(known: Sequence[Routed], changed: Sequence[Routed], *, share: float, rules: int) -> Numbers:
    weight = sum(1.0 / each.probability for each in known)
    if not weight:
        return {}
    error = sum(1.0 / each.probability for each in changed) / weight
    total = weight**2 / sum(1.0 / each.probability**2 for each in known)
    choices = count_choices([1] * rules).pooled
    interval = confidence_sequence(successes=error * total, total=total, families=choices)
    found: Numbers = {"error › value": error}
    if isinstance(interval, Interval):
        found |= {"error › low": interval.low, "error › high": interval.high}
        found |= {
            "residual › value": error * share,
            "residual › low": interval.low * share,
            "residual › high": interval.high * share,
        }
    else:
        found["residual › value"] = error
    return found
