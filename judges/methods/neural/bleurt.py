"""BLEURT: a model trained on people's ratings says how well an answer conveys a gold answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from judges.methods.neural.pretrained import load_classifier
from judges.protocol import JudgeInput, Verdict, WithOptions, option

PUBLISHED_MODEL = "Elron/bleurt-large-512"


@dataclass(frozen=True)
class BleurtOptions:
    """Which regression model rates, and where the line between wrong and right is drawn."""

    model: str = option(
        PUBLISHED_MODEL, help="A regression model: a folder, or a Hub ID (name or name@revision)."
    )
    threshold: float = option(
        0.2,
        help="Lowest score at which an answer is accepted; the best over all gold answers counts.",
        between=(-10.0, 10.0),
    )


class Bleurt(WithOptions[BleurtOptions]):
    """Rating of (gold, answer), the best over the golds. Source: Sellam et al. 2020; Wang et al. 2023."""

    Options = BleurtOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score in the model's unit; with no gold nothing is accepted, and there is no score."""
        classifier = load_classifier(self.options.model, labels=1)
        rated = iter(classifier.logits([(gold, item.answer) for item in batch for gold in item.golds])[:, 0])
        return [self._verdict([float(next(rated)) for _ in item.golds]) for item in batch]

    def _verdict(self, scores: Sequence[float]) -> Verdict:
        best = max(scores, default=None)
        return Verdict(accepted=best is not None and best >= self.options.threshold, score=best)
