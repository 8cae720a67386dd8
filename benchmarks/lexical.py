"""Exact match + token F1 + containment against the SQuAD loop, on the same answers, in one process."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.baselines import squad_loop
from judges.methods.containment import Containment, ContainmentOptions
from judges.methods.exact_match import ExactMatch, ExactMatchOptions
from judges.methods.token_f1 import TokenF1, TokenF1Options
from judges.protocol import JudgeInput

EVOUNA = Path(__file__).resolve().parents[2] / "shared" / "data" / "evouna" / "NQ.json"
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
ROUNDS = 5


def read_inputs() -> list[JudgeInput]:
    """Return EVOUNA-NQ's answers where the file is present, else made-up ones of the same number."""
    if not EVOUNA.is_file():
        golds = ("the Danube", "Danube River")
        return [JudgeInput("q", f"It is the Danube, number {index}.", golds) for index in range(18_050)]
    rows = json.loads(EVOUNA.read_text(encoding="utf-8"))
    return [
        JudgeInput(
            row["question"], row[f"answer_{system}"] or "", tuple((row["golden_answer"] or "").split("/"))
        )
        for row in rows
        for system in SYSTEMS
    ]


def seconds(work: Callable[[], object]) -> float:
    """Return the median time of several rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return median(times)


def run() -> None:
    """Print answers per second of both, and whether their verdicts are equal."""
    inputs = read_inputs()
    pairs = [(item.answer, item.golds) for item in inputs]
    exact, f1 = ExactMatch(ExactMatchOptions()), TokenF1(TokenF1Options())
    contained = Containment(ContainmentOptions())

    def ours() -> object:
        return exact.judge(inputs), f1.judge(inputs), contained.judge(inputs)

    theirs = seconds(lambda: squad_loop.judge(pairs))
    mine = seconds(ours)
    plain = squad_loop.judge(pairs)
    equal = sum(
        verdict.accepted == matched and abs((score.score or 0.0) - expected) < 1e-12
        for verdict, score, (matched, expected) in zip(
            exact.judge(inputs), f1.judge(inputs), plain, strict=True
        )
    )
    print(f"{len(inputs):,} answers, median of {ROUNDS} rounds")
    print(f"SQuAD loop (EM + F1)               {len(inputs) / theirs:>12,.0f} answers/s")
    print(f"Assay (EM + F1 + containment)      {len(inputs) / mine:>12,.0f} answers/s  {theirs / mine:.1f}×")
    print(f"equal verdicts                     {equal:>12,} of {len(inputs):,}")
