"""BEM: a classifier trained on people's judgments says whether an answer is equivalent to a gold answer."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from judges.methods.neural.pretrained import load_classifier
from judges.protocol import JudgeInput, Verdict, WithOptions, option

PUBLISHED_MODEL = "kortukov/answer-equivalence-bem"


def decide_equivalence(probabilities: Sequence[float], *, threshold: float = 0.5) -> Verdict:
    """Accept iff P(equivalent) to any gold is above `threshold`; the score is the largest, None with no gold.

    Source: Bulian et al. 2022 (BEM), as recorded by Kamalloo et al. 2023.
    """
    best = max(probabilities, default=None)
    return Verdict(accepted=best is not None and best > threshold, score=best)


@dataclass(frozen=True)
class BemOptions:
    """Which answer-equivalence classifier is asked, and where the line between wrong and right is drawn."""

    model: str = option(
        PUBLISHED_MODEL, help="A two-label classifier: a folder, or a Hub ID (name or name@revision)."
    )
    threshold: float = option(
        0.5,
        help="Accept an answer if its probability is above this; the highest over all gold answers counts.",
        between=(0.0, 1.0),
    )


class Bem(WithOptions[BemOptions]):
    """P(equivalent) of question, gold and answer, any gold. Source: Bulian et al. 2022."""

    Options = BemOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score from 0 to 1; with no gold nothing is accepted, and there is no score."""
        classifier = load_classifier(self.options.model, labels=2)
        asked = [(item.answer, gold, item.question) for item in batch for gold in item.golds]
        logits = classifier.logits(asked)
        # The softmax of two.
        equivalent = iter(1 / (1 + np.exp(logits[:, 0] - logits[:, 1])))
        return [
            decide_equivalence(
                [float(next(equivalent)) for _ in item.golds], threshold=self.options.threshold
            )
            for item in batch
        ]
