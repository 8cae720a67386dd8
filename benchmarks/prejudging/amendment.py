"""How much of what exact match misses a gold list amended by other systems' answers brings back, on NQ301.

For each system the list is amended as if nobody had judged that system: with the decisions on answers that
others gave as well, and with the proposals made of those that cause no wrong acceptance among them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Integers
from analysis.text import gold_entries_of, normalize_answer, question_key
from annotation.gold.rules.ledger import wanted_changes
from annotation.gold.rules.proposals import Judged, Proposal, find_effect, gold_with, propose
from annotation.gold.selectors.ledger import amended_gold
from benchmarks.prejudging.released.nq301 import DATA, FOLDER, StudyQuestion, read_nq301

LONG_ANSWERS = "text-davinci-003"
DRAWS = 1_000
SEED = 17


class Counted(NamedTuple):
    """What makes one prediction right, systems × questions each.

    exact: a gold answer of the files. people: the list as people amended it. others: the list as amended
    without this system. proposed: with proposals, too. accepted: that, and the list of all people as well.
    """

    systems: tuple[str, ...]
    exact: Flags
    people: Flags
    others: Flags
    proposed: Flags
    accepted: Flags


def run() -> None:
    """Print each system's answers that are right by each list, and the share of the gap that is closed."""
    if not (DATA / FOLDER).is_dir():
        print("skipped: the papers' files are not at ../shared/data")
        return
    counted = count(read_nq301(DATA / FOLDER))
    print(f"{'':40}   exact  people  others  with proposals (of which people accept)   closed")
    for place, system in enumerate(counted.systems):
        print(_line(system, counted, np.array([place])))
    short = np.array([LONG_ANSWERS not in system for system in counted.systems])
    print(_line("the ten short-answer systems", counted, np.flatnonzero(short)))
    low, high = bound_closed(counted, short)
    print(f"95% interval of the share closed, {DRAWS:,} draws of questions: {low:.3f} to {high:.3f}")
    for name, read in UNSEEN.items():
        print(f"{name}: {describe_precision(read(DATA))}")


def count(questions: Sequence[StudyQuestion]) -> Counted:
    """Return what is right by which list, system by system."""
    systems = tuple(sorted({system for question in questions for system in question.predictions}))
    # Question by question: of one, most systems leave the same list behind, and the same patterns.
    flags = np.array([[_judge(question, system) for system in systems] for question in questions])
    return Counted(systems, *flags.transpose(2, 1, 0))


def share_closed(counted: Counted, chosen: Flags, *, questions: Integers | None = None) -> float:
    """Return how much of the way from exact match to people the proposals' list goes; NaN without a gap."""
    rows = np.arange(counted.exact.shape[1]) if questions is None else questions
    exact, people, proposed = (
        int(each[np.ix_(np.flatnonzero(chosen), rows)].sum())
        for each in (counted.exact, counted.people, counted.proposed)
    )
    return (proposed - exact) / (people - exact) if people != exact else float("nan")


def bound_closed(counted: Counted, chosen: Flags) -> tuple[float, float]:
    """Return the percentile interval of the share closed over draws of questions."""
    random = np.random.default_rng(SEED)
    size = counted.exact.shape[1]
    drawn = random.integers(size, size=(DRAWS, size))
    draws = [share_closed(counted, chosen, questions=each) for each in drawn]
    low, high = np.nanpercentile(draws, [2.5, 97.5])
    return float(low), float(high)


def _line(name: str, counted: Counted, places: Integers) -> str:
    sums = [int(each[places].sum()) for each in counted[1:]]
    exact, people, others, proposed, accepted = sums
    gap = people - exact
    shares = [(each - exact) / gap for each in (others, proposed, accepted)]
    counts = f"{exact:8}{people:8}{others:8}{proposed:8} ({accepted})"
    return f"{name:40}{counts}   {shares[0]:.3f} {shares[1]:.3f} ({shares[2]:.3f})"


def _judge(question: StudyQuestion, system: str) -> tuple[bool, bool, bool, bool, bool]:
    answer = question.predictions.get(system, "")
    others = {normalize_answer(text) for name, text in question.predictions.items() if name != system}
    known = [each for each in question.judged if normalize_answer(each.text) in others]
    amended = amend(question.gold, known)
    accepted = accept_safe(question.text, gold=amended, judged=known)
    by_people = _has(amend(question.gold, question.judged), answer)
    proposed = gold_with(accepted, gold=amended).has(answer)
    return _has(question.gold, answer), by_people, _has(amended, answer), proposed, proposed and by_people


def amend(gold: Sequence[str], judged: Iterable[Judged]) -> tuple[str, ...]:
    """Return gold answers as these decisions of people amend them."""
    judged = tuple(judged)
    accepted = [each.text for each in judged if each.is_accepted]
    rejected = [each.text for each in judged if each.is_accepted is False]
    changes = wanted_changes(original=gold, accepted=accepted, rejected=rejected, kept=frozenset(accepted))
    return amended_gold(original=gold, changes=changes)


_propose = lru_cache(maxsize=64)(propose)


def accept_safe(question: str, *, gold: Sequence[str], judged: Sequence[Judged]) -> list[Proposal]:
    """Return the proposals that call no answer right that people rejected, as a lead would accept them."""
    entries = gold_entries_of((text, False) for text in gold)
    return [
        each
        for each in _propose(question=question, gold=tuple(gold))
        if not find_effect(each, answers=judged, gold=entries).wrong
    ]


def _has(gold: Iterable[str], answer: str) -> bool:
    return normalize_answer(answer) in {normalize_answer(text) for text in gold}


class Newly(NamedTuple):
    """An answer that only proposals made right: whether people accept it, and whether an alias did it."""

    is_accepted: bool
    is_alias: bool


def describe_precision(found: Iterable[Newly]) -> str:
    """Say of how many answers that proposals made right people accept how many."""
    rows = list(found)
    words = []
    for name, part in (
        ("by patterns", [row for row in rows if not row.is_alias]),
        ("by short answers within long ones", [row for row in rows if row.is_alias]),
    ):
        right = sum(row.is_accepted for row in part)
        words.append(f"{right} of {len(part)} answers made right {name} are accepted by people")
    return "; ".join(words)


def find_newly(
    question: str, *, gold: Sequence[str], judged: Sequence[Judged], left_out: int
) -> Newly | None:
    """Return what proposals made without one answer say of it; None where they do not make it right."""
    known = [each for place, each in enumerate(judged) if place != left_out]
    amended = amend(gold, known)
    answer = judged[left_out]
    if _has(amended, answer.text):
        return None
    for proposal in accept_safe(question, gold=amended, judged=known):
        if proposal.matches(answer.text):
            return Newly(bool(answer.is_accepted), not proposal.kind.is_pattern)
    return None


def read_evouna(data: Path) -> Iterator[Newly]:
    """Yield what is newly right among EVOUNA-NQ's answers to questions that NQ301 does not have."""
    own = {question.key for question in read_nq301(data / FOLDER)}
    for row in json.loads((data / "evouna" / "NQ.json").read_text(encoding="utf-8")):
        names = [name.removeprefix("answer_") for name in row if name.startswith("answer_")]
        judged = [Judged(row[f"answer_{name}"] or "", bool(row[f"judge_{name}"])) for name in names]
        if row.get("improper") or question_key(row["question"]) in own:
            continue
        yield from _each_left_out(row["question"], row["golden_answer"].split("/"), judged)


def read_efficientqa(data: Path) -> Iterator[Newly]:
    """Yield what is newly right among EfficientQA's rated answers; possibly correct is rejected."""
    path = data / "efficientqa" / "NQ-open.efficientqa.test.1.1.head900.jsonl"
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        judged = [
            *(Judged(text, True) for text in row["def_correct_predictions"]),
            *(Judged(text, False) for text in row["poss_correct_predictions"]),
            *(Judged(text, False) for text in row["def_incorrect_predictions"]),
        ]
        yield from _each_left_out(row["question"], row["answer"], judged)


def _each_left_out(question: str, gold: Sequence[str], judged: Sequence[Judged]) -> Iterator[Newly]:
    for place in range(len(judged)):
        found = find_newly(question, gold=gold, judged=judged, left_out=place)
        if found:
            yield found


# No rule was written on these.
UNSEEN: dict[str, Callable[[Path], Iterator[Newly]]] = {
    "EVOUNA-NQ": read_evouna,
    "EfficientQA": read_efficientqa,
}
