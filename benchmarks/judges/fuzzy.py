"""Fuzzy Match against a loop that applies the whole published rule to every pair."""

from functools import partial

from benchmarks.apparatus.inputs import ROUNDS, judge_in_turns, read_inputs, seconds, show
from benchmarks.baselines import fuzzy_loop
from judges.registry import JUDGES, make_judge


def run() -> None:
    """Print answers per second of both, with and without synonyms, and whether their verdicts are equal."""
    inputs = read_inputs()
    pairs = [(item.answer, item.golds) for item in inputs]
    print(f"{len(inputs):,} answers, median of {ROUNDS} rounds")
    for key, synonyms in (("fuzzy_match", False), ("fuzzy_match_wordnet", True)):
        judge = make_judge(JUDGES[key], {})
        baseline = seconds(partial(fuzzy_loop.judge, pairs, synonyms=synonyms))
        show(f"loop, synonyms {'on' if synonyms else 'off'}", len(inputs), baseline)
        ours = seconds(partial(judge_in_turns, inputs, [judge]))
        show(f"Assay, {key}", len(inputs), ours, baseline)
        plain = fuzzy_loop.judge(pairs, synonyms=synonyms)
        said = [verdict.accepted for verdict in judge_in_turns(inputs, [judge])[0]]
        equal = sum(one == other for one, other in zip(said, plain, strict=True))
        print(f"{'equal verdicts':<44}{equal:>12,} of {len(inputs):,}")
    guarded = make_judge(JUDGES["fuzzy_match_guarded"], {})
    show("Assay, fuzzy_match_guarded", len(inputs), seconds(lambda: judge_in_turns(inputs, [guarded])))
