"""Judges beside people, and raters beside each other as if they were judges, counted again one by one."""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping

from judges.verification.rules.differences import Number, Numbers
from judges.verification.rules.facts import RIGHT, Facts, verdicts_of
from judges.verification.rules.recount.figures import (
    Row,
    bound_figures,
    bound_multiple,
    by_question,
    count,
    figures_of,
    places_of,
)
from judges.verification.rules.recount.scores import run_keys
from judges.verification.rules.study import Vote

PEOPLE = "another_human"
OF_SYSTEMS = ("accuracy_scored", "coverage", "macro_f1", "precision", "recall")


def recount_judges(facts: Facts) -> Numbers:
    """Return the numbers of the report's judges, by place, those of each system's answers among them."""
    found: Numbers = {}
    votes = dict(_votes_beside(facts))
    pooled = count(votes[PEOPLE]) if PEOPLE in votes else None
    human = _human_error(pooled) if pooled else None
    is_weighted = any(
        facts.weights[answer.id] != 1.0 for answer in facts.study.answers if facts.stands(answer)
    )
    others = by_question(votes[PEOPLE], is_weighted=is_weighted) if PEOPLE in votes else None

    def judge(key: str, rows: list[Row], *, is_human: bool = False) -> Numbers:
        place = f"judges › {key}"
        numbers = _row(place, rows, human, is_human=is_human)
        if not numbers:
            return {}
        own = by_question(rows, is_weighted=is_weighted)
        multiple = None if key == PEOPLE else bound_multiple(own, others, is_human=is_human)
        ends = bound_figures(own) | {"error_multiple": multiple}
        return numbers | places_of(f"{place} › intervals", ends)

    for run, key in run_keys(facts).items():
        said = verdicts_of(facts, run)
        numbers = judge(key, _answers(facts, said))
        if numbers and facts.left_out:
            numbers[f"judges › {key} › left_out"] = facts.left_out
        if numbers and facts.undecided:
            numbers[f"judges › {key} › undecided"] = facts.undecided
        found |= numbers
        found |= _of_systems(facts, key, said)
    for key, rows in votes.items():
        numbers = judge(key, rows, is_human=True)
        if numbers and facts.undecided:
            numbers[f"judges › {key} › undecided"] = facts.undecided
        found |= numbers
    return found


def _answers(facts: Facts, said: Mapping[str, bool | None]) -> list[Row]:
    return [
        Row(
            facts.people_say(answer.id) == RIGHT,
            said.get(answer.id),
            facts.weights[answer.id],
            answer.question,
        )
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
        question = facts.answers[answer].question
        weight = facts.weights.get(answer, 0.0) if answer in facts.ruled else facts.of_question[question]
        waits = len(votes) == 1 and facts.answers[answer].is_open
        if not weight or waits:
            continue
        for rater, row in _beside_others(votes, protocol.accepted_keys, weight):
            if row is not None or not has_second:
                heard = row or Row(truth=False, said=None, weight=weight)
                yield rater, heard._replace(question=question)


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
