"""How far raters agree, and whether decisions are what the votes come to, counted again one by one."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from analysis.raters.agreement import MissingVotes
from annotation.adjudication.rules import Basis, decide
from annotation.agreement.rules.measures import measure_agreement, to_json
from annotation.agreement.rules.votes import FirstRound
from annotation.projects.rules import Credit
from judges.registry import JudgeEntry, Reads, get_entry, make_judge
from judges.verification.rules.differences import Number, Numbers, are_equal, flatten
from judges.verification.rules.facts import ROUTED, Facts
from judges.verification.rules.recount.figures import beyond
from judges.verification.rules.recount.prejudged import agreed_label
from judges.verification.rules.recount.scores import ORIGINAL, RECORDED, options_of
from judges.verification.rules.study import Run, Turn, Vote

MISSING = "missing"
COEFFICIENTS = (
    *("observed_agreement", "fleiss_kappa", "gwet_ac1"),
    *("krippendorff_alpha", "krippendorff_alpha_ordinal"),
)


def recount_agreement(facts: Facts, rule: str) -> Numbers:
    """Return the numbers of first-round agreement under a rule for missing votes, by place."""
    rows = _complete_rows(facts)
    labels = _labels(facts)
    filled, offered = _fill(rows, labels, rule, facts)
    said = [[label for label, _ in own] for own in filled]
    place = f"agreement › {rule}"
    questions = {facts.answers[answer].question for answer, own in rows.items() if _is_kept(own, rule)}
    found: Numbers = {
        "raters": facts.protocol.raters_per_answer if facts.protocol else 0,
        "items": len(filled),
        "questions": len(questions),
        "disagreements": sum(len(set(own)) > 1 for own in said),
    }
    found |= _coefficients(said, labels, offered)
    found |= _pairs(filled)
    found |= _intervals(facts, rows, labels, rule)
    counts = Counter(label for own in said for label in own)
    found |= {f"distribution › {label}": counts[label] for label in _shown(labels, rule)}
    return {f"{place} › {name}": value for name, value in found.items()}


def _intervals(facts: Facts, rows: Mapping[str, list[Turn]], labels: list[str], rule: str) -> Numbers:
    """Return the intervals, which are those of `annotation.agreement` of votes read anew."""
    if not rows or facts.protocol is None:
        return {"is_paradox": False}
    numbers = {label: number for number, label in enumerate(labels)}
    names = sorted({turn.rater for own in rows.values() for turn in own})
    questions = [facts.answers[answer].question for answer in rows]
    worth = {label.key: label.credit for label in facts.protocol.labels}
    first = {credit: key for key, credit in reversed(worth.items())}
    votes = FirstRound(
        votes=np.array([[numbers.get(turn.label or "", -1) for turn in own] for own in rows.values()]),
        raters=np.array([[names.index(turn.rater) for turn in own] for own in rows.values()]),
        items=np.arange(len(rows)),
        questions=np.unique(questions, return_inverse=True)[1].reshape(-1),
        labels=tuple(labels),
        names=tuple(names),
        correct=numbers.get(first.get(Credit.DEFINITE, ""), 0),
        incorrect=numbers.get(first.get(Credit.NONE, ""), 0),
        credits=tuple(worth.get(label, Credit.NONE) for label in labels),
    )
    found = to_json(measure_agreement(votes, rule=MissingVotes(rule)))
    kept = {
        "is_paradox": found["is_paradox"],
        "interval": found["interval"],
        "pairs": [
            {name: pair[name] for name in ("a", "b", "interval", "is_paradox")} for pair in found["pairs"]
        ],
    }
    return flatten(kept)


def count_labels(facts: Facts, rule: str) -> int:
    """Return how many labels a vote could have been, a vote that was not given among them."""
    _, offered = _fill(_complete_rows(facts), _labels(facts), rule, facts)
    return offered


def _shown(labels: Sequence[str], rule: str) -> list[str]:
    return [*labels, MISSING] if rule == "own-category" else list(labels)


def _complete_rows(facts: Facts) -> dict[str, list[Turn]]:
    """Return the first turns of every answer that has had them all."""
    width = facts.protocol.raters_per_answer if facts.protocol else 0
    turns: dict[str, list[Turn]] = defaultdict(list)
    for turn in facts.study.turns:
        question = facts.questions[facts.answers[turn.answer].question]
        if (
            turn.answer not in facts.routed_unequally
            and question.in_sample
            and question.id not in facts.improper
        ):
            turns[turn.answer].append(turn)
    return {answer: own[:width] for answer, own in turns.items() if width and len(own) >= width}


def _labels(facts: Facts) -> list[str]:
    """Return the labels that are votes; of older protocols after those of this one."""
    protocol = facts.protocol
    if protocol is None:
        return []
    known = [label.key for label in protocol.labels if label.credit is not Credit.MISSING]
    said = {turn.label for turn in facts.study.turns if turn.label is not None}
    return [*known, *sorted(said - set(known))]


def _is_kept(turns: list[Turn], rule: str) -> bool:
    return rule != "drop" or all(turn.label is not None for turn in turns)


def _fill(
    rows: Mapping[str, list[Turn]], labels: Sequence[str], rule: str, facts: Facts
) -> tuple[list[list[tuple[str, str]]], int]:
    """Return label and rater of every vote of every row, and how many labels could be given."""
    worth = {label.credit: label.key for label in reversed(facts.protocol.labels)} if facts.protocol else {}
    filler = {
        "own-category": MISSING,
        "as-incorrect": worth.get(Credit.NONE, labels[0] if labels else ""),
        "as-correct": worth.get(Credit.DEFINITE, labels[0] if labels else ""),
    }.get(rule, "")
    kept = [own for own in rows.values() if _is_kept(own, rule)]
    filled = [
        [(turn.label if turn.label is not None else filler, turn.rater) for turn in own] for own in kept
    ]
    has_gap = any(turn.label is None for own in kept for turn in own)
    return filled, len(labels) + (rule == "own-category" and has_gap)


def _coefficients(rows: list[list[str]], labels: Sequence[str], offered: int) -> Numbers:
    rows = [own for own in rows if len(own) > 1]
    if not rows:
        return dict.fromkeys(COEFFICIENTS)
    observed = sum(_agreeing(own) for own in rows) / len(rows)
    shares: Counter[str] = Counter()
    for own in rows:
        for label, times in Counter(own).items():
            shares[label] += times / len(own)  # type: ignore[assignment]
    mean = [share / len(rows) for share in shares.values()]
    spread = sum(share * (1 - share) for share in mean)
    return {
        "observed_agreement": observed,
        "fleiss_kappa": beyond(observed, sum(share * share for share in mean)),
        "gwet_ac1": beyond(observed, spread / (offered - 1)) if offered > 1 else None,
        "krippendorff_alpha": _alpha(rows, lambda one, other, _: float(one != other)),
        "krippendorff_alpha_ordinal": _alpha(_of_labels(rows, labels), _ordinal(labels)),
    }


def _of_labels(rows: list[list[str]], labels: Sequence[str]) -> list[list[str]]:
    """Leave out what is no label of the order."""
    kept = [[label for label in own if label in labels] for own in rows]
    return [own for own in kept if len(own) > 1]


def _agreeing(row: Sequence[str]) -> float:
    pairs = list(combinations(row, 2))
    return sum(one == other for one, other in pairs) / len(pairs)


Distance: TypeAlias = Callable[[str, str, Counter[str]], float]


def _ordinal(labels: Sequence[str]) -> Distance:
    """Return Krippendorff's squared distance of two labels by how many votes lie between."""
    places = {label: place for place, label in enumerate(labels)}

    def distance(one: str, other: str, totals: Counter[str]) -> float:
        low, high = sorted((places[one], places[other]))
        between = sum(totals[label] for label in labels[low : high + 1])
        return (between - (totals[one] + totals[other]) / 2) ** 2 if low != high else 0.0

    return distance


def _alpha(rows: list[list[str]], distance: Distance) -> Number:
    """Krippendorff 2011: observed over expected disagreement of all pairs of votes."""
    totals = Counter(label for own in rows for label in own)
    size = sum(totals.values())
    expected = sum(
        totals[one] * totals[other] * distance(one, other, totals) for one in totals for other in totals
    )
    if not rows or not expected:
        return None
    observed = 0.0
    for own in rows:
        for first, second in combinations(own, 2):
            observed += 2 * distance(first, second, totals) / (len(own) - 1)
    return 1 - (size - 1) * observed / expected


def _pairs(rows: list[list[tuple[str, str]]]) -> Numbers:
    """Return each pair of raters' agreement and κ, and the mean κ by how many answers each shares."""
    tables: dict[frozenset[str], Counter[tuple[str, str]]] = defaultdict(Counter)
    for own in rows:
        for (one, first), (other, second) in combinations(own, 2):
            names = sorted((first, second))
            labels = (one, other) if names == [first, second] else (other, one)
            tables[frozenset(names)][labels] += 1
    found: Numbers = {}
    kappas: list[tuple[float, int]] = []
    for raters, table in tables.items():
        size = sum(table.values())
        equal = sum(times for (one, other), times in table.items() if one == other)
        kappa = _cohen(table, size)
        if kappa is not None:
            kappas.append((kappa, size))
        place = f"pairs › {' and '.join(sorted(raters))}"
        found |= {f"{place} › items": size, f"{place} › disagreements": size - equal}
        found |= {f"{place} › observed": equal / size, f"{place} › cohen": kappa}
    total = sum(size for _, size in kappas)
    found["cohen_kappa"] = sum(kappa * size for kappa, size in kappas) / total if total else None
    return found


def _cohen(table: Mapping[tuple[str, str], int], size: int) -> Number:
    first, second = Counter[str](), Counter[str]()
    for (one, other), times in table.items():
        first[one] += times
        second[other] += times
    observed = sum(times for (one, other), times in table.items() if one == other) / size
    return beyond(observed, sum(first[label] * second[label] for label in first) / size**2)


class StoredLabel(NamedTuple):
    """A label that is stored otherwise than it came about."""

    place: str
    stored: str
    comes_to: str


def check_votes(facts: Facts) -> list[StoredLabel]:
    """Return, by place, labels that are stored otherwise than their history or the votes say.

    A vote must be what its rater handed in last; a decision by votes what the counted votes come to.
    """
    found = [
        StoredLabel(f"vote of {vote.rater} on {vote.answer}", vote.label, vote.submitted)
        for vote in facts.study.votes
        if vote.label != vote.submitted
    ]
    by_answer: dict[str, list[Vote]] = defaultdict(list)
    for vote in facts.study.votes:
        if vote.purpose == "vote" and vote.state == "counted":
            by_answer[vote.answer].append(vote)
    bases = {basis.value for basis in Basis}
    for decision in facts.study.decisions:
        if decision.source in bases:
            own = by_answer[decision.answer]
            is_routed = decision.source == ROUTED
            comes_to = agreed_label(facts, own) if is_routed else _outcome(facts, decision.answer, own)
            if comes_to != decision.label:
                place = f"decision on {decision.answer}"
                found.append(StoredLabel(place, decision.label, comes_to or "nothing"))
    return found


def check_verdicts(facts: Facts) -> list[StoredLabel]:
    """Return verdicts of lexical judges that are stored otherwise than the judge says now.

    Of runs by the code there is: another revision may say something else. Against amended gold nothing is
    judged again, as the list of then is not kept.
    """
    runs = [run for run in facts.study.runs if not run.judge.startswith(RECORDED) and run.gold == ORIGINAL]
    return [
        found
        for run in runs
        if (entry := get_entry(run.judge)).is_lexical and run.revision == str(entry.revision)
        for found in _check_run(facts, run, entry)
    ]


def _check_run(facts: Facts, run: Run, entry: JudgeEntry) -> Iterator[StoredLabel]:
    said = [
        (facts.answers[each.answer], each)
        for each in facts.study.verdicts
        if each.run == run.id and facts.can_be_judged_by(entry.reads is Reads.GOLDS, each.answer)
    ]
    inputs = [facts.input_of(answer) for answer, _ in said]
    verdicts = make_judge(entry, options_of(run)).judge(inputs)
    for (answer, stored), verdict in zip(said, verdicts, strict=True):
        if stored.accepted is not verdict.accepted or not are_equal(stored.score, verdict.score):
            yield StoredLabel(
                f"verdict of {run.judge} on {answer.id}",
                f"{stored.accepted}, {stored.score}",
                f"{verdict.accepted}, {verdict.score}",
            )


def _outcome(facts: Facts, answer: str, votes: list[Vote]) -> str:
    assert facts.protocol is not None
    known = [vote for vote in votes if facts.protocol.label(vote.label)]
    first = [vote.label for vote in known if vote.slot <= facts.protocol.raters_per_answer]
    further = [vote.label for vote in known if vote.slot > facts.protocol.raters_per_answer]
    outcome = decide(
        votes=first,
        tie_breaks=further,
        protocol=facts.protocol,
        least_votes=facts.answers[answer].least_votes,
    )
    return outcome.label or ""
