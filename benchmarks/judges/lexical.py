"""Exact match + token F1 + containment against the SQuAD loop, on the same answers, in one process."""

from collections.abc import Sequence
from functools import partial

from benchmarks.apparatus.inputs import ROUNDS, judge_in_turns, read_inputs, seconds, show
from benchmarks.baselines import squad_loop
from judges.protocol import JudgeInput, Verdict
from judges.registry import JUDGES, make_judge

KEYS = ("exact_match", "token_f1", "containment")


def run() -> None:
    """Print answers per second of both, and whether their verdicts are equal."""
    inputs = read_inputs()
    pairs = [(item.answer, item.golds) for item in inputs]
    judges = [make_judge(JUDGES[key], {}) for key in KEYS]
    baseline = seconds(lambda: squad_loop.judge(pairs))
    by_table = seconds(lambda: squad_loop.judge(pairs, squad_loop.normalize_by_table))
    ours = seconds(lambda: judge_in_turns(inputs, judges))
    print(f"{len(inputs):,} answers, median of {ROUNDS} rounds")
    show("SQuAD loop (EM + F1)", len(inputs), baseline)
    show("the same with str.translate", len(inputs), by_table, baseline)
    show("Assay (EM + F1 + containment)", len(inputs), ours, baseline)
    for key, judge in zip(KEYS, judges, strict=True):
        show(f"  {key} alone", len(inputs), seconds(partial(judge_in_turns, inputs, [judge])))
    equal = _count_equal(inputs, judge_in_turns(inputs, judges), squad_loop.judge(pairs))
    print(f"{'equal verdicts':<44}{equal:>12,} of {len(inputs):,}")


def _count_equal(
    inputs: Sequence[JudgeInput], ours: list[list[Verdict]], plain: list[tuple[bool, float]]
) -> int:
    rows = zip(inputs, *ours, plain, strict=True)
    return sum(
        exact.accepted == matched
        and abs((f1.score or 0.0) - expected) < 1e-12
        and contained.accepted == _is_contained(item)
        for item, exact, f1, contained, (matched, expected) in rows
    )


def _is_contained(item: JudgeInput) -> bool | None:
    golds = [gold for gold in map(squad_loop.normalize, item.golds) if gold]
    return any(gold in squad_loop.normalize(item.answer) for gold in golds) if golds else None
