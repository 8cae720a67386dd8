"""What benchmarks judge and import, and how judges are timed."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from judges.protocol import Judge, JudgeInput, Verdict
from judges.registry import JUDGES
from judges.runs.tasks import BATCHES_A_CALL

EVOUNA = Path(__file__).resolve().parents[3] / "shared" / "data" / "evouna" / "NQ.json"
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


def write_answers(path: Path, *, questions: int, systems: int) -> Path:
    """Write a file of made-up answers to so many questions, of which seven systems say seven things."""
    rows = (
        {
            "question": f"what is the name of number {place}",
            "answer": f"number {place}",
            "model": f"system {system}",
            "prediction": f"it is number {place + system % 7}",
        }
        for place in range(questions)
        for system in range(systems)
    )
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def judge_in_turns(inputs: Sequence[JudgeInput], judges: Sequence[Judge]) -> list[list[Verdict]]:
    """Return each judge's verdicts, judged as runs at work side by side judge.

    One worker takes some batches of one run, then as many of the next: see `judges.runs.tasks`.
    """
    verdicts: list[list[Verdict]] = [[] for _ in judges]
    for turn in _split(inputs, size=BATCHES_A_CALL * JUDGES["exact_match"].batch_size):
        for judge, said in zip(judges, verdicts, strict=True):
            for batch in _split(turn, size=JUDGES["exact_match"].batch_size):
                said += judge.judge(batch)
    return verdicts


def _split(inputs: Sequence[JudgeInput], *, size: int) -> Iterator[Sequence[JudgeInput]]:
    for start in range(0, len(inputs), size):
        yield inputs[start : start + size]


def seconds(work: Callable[[], object]) -> float:
    """Return the median time of several rounds, in seconds of this process: others may be at work, too."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return median(times)


def show(name: str, count: int, took: float, baseline: float | None = None, *, unit: str = "answers") -> None:
    """Print a line: answers per second, and how many times as fast as the baseline."""
    times = f"{baseline / took:6.1f}×" if baseline else ""
    print(f"{name:<44}{count / took:>12,.0f} {unit}/s {times}")
