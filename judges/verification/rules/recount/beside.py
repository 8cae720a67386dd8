"""Judges beside people, and raters beside each other as if they were judges, counted again one by one."""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from judges.verification.rules.differences import Number, Numbers
from judges.verification.rules.facts import RIGHT, Facts, verdicts_of
from judges.verification.rules.recount.scores import run_keys
from judges.verification.rules.study import Vote

PEOPLE = "another_human"
CELLS = ("tp", "fn", "fp", "tn", "unscored")
OF_SYSTEMS = ("accuracy_scored", "coverage", "macro_f1", "precision", "recall")


class Row(NamedTuple):
    """An answer, or a vote on one: what people say, what the judge says, None: nothing; its weight."""

    truth: bool
    said: bool | None
    weight: float = 1.0


def count(rows: Iterable[Row]) -> dict[str, float]:
    """Add up weights by what both say."""
    found = dict.fromkeys(CELLS, 0.0)
    for truth, said, weight in rows:
        cell = (
            "unscored" if said is None else ("tp" if truth else "fp") if said else ("fn" if truth else "tn")
        )
        found[cell] += weight
    return found


def recount_judges(facts: Facts) -> Numbers:
    """Return the numbers of the report's judges, by place, those of each system's answers among them."""
    found: Numbers = {}
    votes = dict(_votes_beside(facts))
    pooled = count(votes[PEOPLE]) if PEOPLE in votes else None
    human = _human_error(pooled) if pooled else None
    for run, key in run_keys(facts).items():
        said = verdicts_of(facts, run)
        found |= _row(f"judges › {key}", _answers(facts, said), human)
        found |= _of_systems(facts, key, said)
    for key, rows in votes.items():
        found |= _row(f"judges › {key}", rows, human, is_human=True)
    return found


def _answers(facts: Facts, said: Mapping[str, bool | None]) -> list[Row]:
    return [
        Row(facts.people_say(answer.id) == RIGHT, said.get(answer.id), facts.weights[answer.id])
        for answer in facts.study.answers
        if facts.stands(answer)
    ]


def _row(place: str, rows: list[Row], human: Number, *, is_human: bool = False) -> Numbers:
    plain = count(row._replace(weight=1.0) for row in rows)
    if plain["unscored"] == sum(plain.values()):
        return {}
    weighed = count(rows)
    error = _human_error(weighed) if is_human else _error(weighed)
    found: Numbers = {name: int(value) for name, value in plain.items()}
    found |= figures_of(weighed)
    found["error_multiple"] = error / human if error is not None and human else None
    if not math.isclose(sum(weighed.values()), sum(plain.values())) or weighed != plain:
        found |= {f"weighed › {name}": value for name, value in weighed.items()}
    return {f"{place} › {name}": value for name, value in found.items()}


def _of_systems(facts: Facts, key: str, said: Mapping[str, bool | None]) -> Numbers:
    found: Numbers = {}
    by_system: dict[str, list[Row]] = defaultdict(list)
    has_decided = set()
    for prediction in facts.study.predictions:
        answer = facts.answers[prediction.answer]
        question = facts.questions[prediction.question]
        if question.in_sample and question.id not in facts.improper and facts.worth(answer.id) is not None:
            has_decided.add(prediction.system)
        if facts.stands(answer):
            truth = facts.people_say(answer.id) == RIGHT
            by_system[prediction.system].append(Row(truth, said.get(answer.id), facts.weights[answer.id]))
    for system, rows in by_system.items():
        plain = count(row._replace(weight=1.0) for row in rows)
        if system not in has_decided or plain["unscored"] == sum(plain.values()):
            continue
        figures = figures_of(count(rows))
        own: Numbers = {name: int(value) for name, value in plain.items()}
        own |= {"accuracy": figures["accuracy_all"], **{name: figures[name] for name in OF_SYSTEMS}}
        found |= {f"systems › {system} › judges › {key} › {name}": value for name, value in own.items()}
    return found


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def figures_of(cells: Mapping[str, float]) -> Numbers:
    """Return the figures of a judge beside people, None where one is undefined."""
    tp, fn, fp, tn, unscored = (cells[name] for name in CELLS)
    scored = tp + fn + fp + tn
    rows = scored + unscored
    of_right, of_wrong = _share(2 * tp, 2 * tp + fn + fp), _share(2 * tn, 2 * tn + fn + fp)
    observed = _share(tp + tn, scored)
    by_people, by_judge = _share(tp + fn, scored), _share(tp + fp, scored)
    return {
        "accuracy_all": _share(tp + tn, rows),
        "accuracy_scored": observed,
        "coverage": _share(scored, rows),
        "precision": _share(tp, tp + fp),
        "recall": _share(tp, tp + fn),
        "f1": of_right,
        "macro_f1": None if of_right is None or of_wrong is None else (of_right + of_wrong) / 2,
        "cohen_kappa": _cohen(observed, by_people, by_judge),
        "gwet_ac1": _gwet(observed, by_people, by_judge),
        "accepted_share": by_judge,
        "correct_share": by_people,
        "bias": _share(fp - fn, scored),
    }


def _cohen(observed: Number, one: Number, other: Number) -> Number:
    if observed is None or one is None or other is None:
        return None
    return beyond(observed, one * other + (1 - one) * (1 - other))


def _gwet(observed: Number, one: Number, other: Number) -> Number:
    if observed is None or one is None or other is None:
        return None
    mean = (one + other) / 2
    return beyond(observed, 2 * mean * (1 - mean))


def beyond(observed: float, chance: float) -> float | None:
    """Return agreement beyond chance; None where chance alone agrees always."""
    return None if math.isclose(chance, 1.0, abs_tol=1e-12) else (observed - chance) / (1 - chance)


def _error(cells: Mapping[str, float]) -> float | None:
    rows = sum(cells.values())
    return 1 - (cells["tp"] + cells["tn"]) / rows if rows else None


def _human_error(cells: Mapping[str, float]) -> float | None:
    scored = sum(cells.values()) - cells["unscored"]
    return 1 - (cells["tp"] + cells["tn"]) / scored if scored else None


def _votes_beside(facts: Facts) -> Iterator[tuple[str, list[Row]]]:
    """Yield the votes beside the other raters', of all raters and of each under a letter."""
    heard = list(_heard_votes(facts))
    letters = {rater.name: rater.letter for rater in facts.study.raters}
    by_key: dict[str, list[Row]] = {PEOPLE: [row for _, row in heard]} if heard else {}
    for rater, row in heard:
        by_key.setdefault(f"{PEOPLE}:{letters[rater]}", []).append(row)
    yield from ((key, rows) for key, rows in by_key.items() if any(row.said is not None for row in rows))


def _heard_votes(facts: Facts) -> Iterator[tuple[str, Row]]:
    """Yield raters with their votes; nobody else's beside one is no verdict, and none with a second pass."""
    protocol = facts.protocol
    if protocol is None:
        return
    has_second = protocol.raters_per_answer == 1
    for answer, votes in _votes_by_answer(facts, has_second).items():
        weight = facts.weights.get(answer, 0.0) if answer in facts.ruled else 1.0
        waits = len(votes) == 1 and facts.answers[answer].is_open
        if not weight or waits:
            continue
        for rater, row in _beside_others(votes, protocol.accepted_keys, weight):
            if row is not None or not has_second:
                yield rater, row or Row(truth=False, said=None, weight=weight)


def _votes_by_answer(facts: Facts, has_second: bool) -> dict[str, list[Vote]]:
    found: dict[str, list[Vote]] = defaultdict(list)
    for vote in facts.study.votes:
        answer = facts.answers[vote.answer]
        is_proper = facts.questions[answer.question].in_sample and answer.question not in facts.improper
        if is_proper and answer.is_judgeable and _is_heard(vote, has_second):
            found[vote.answer].append(vote)
    return found


def _is_heard(vote: Vote, has_second: bool) -> bool:
    if vote.purpose == "second_pass":
        return vote.state == "surplus"
    if vote.purpose != "vote":
        return False
    return (
        vote.state in ("counted", "surplus")
        if has_second
        else (vote.state, vote.round)
        == (
            "counted",
            "first",
        )
    )


def _beside_others(
    votes: list[Vote], accepted: frozenset[str], weight: float
) -> Iterator[tuple[str, Row | None]]:
    """Yield each rater with what the others say; None where nobody else does."""
    in_order = sorted(votes, key=lambda vote: vote.slot)
    first = [vote for vote in in_order if vote.state == "counted"]
    second = [vote for vote in votes if vote.state == "surplus"]
    for place, vote in enumerate(second or first):
        others = first if second else [*first[place + 1 :], *first[:place]]
        yield vote.rater, _beside(vote, others, accepted, weight)


def _beside(vote: Vote, others: list[Vote], accepted: frozenset[str], weight: float) -> Row | None:
    if not others:
        return None
    said = [other.label in accepted for other in others]
    half = 2 * sum(said) == len(said)
    return Row(said[0] if half else 2 * sum(said) > len(said), vote.label in accepted, weight)
