"""How long systems' answers are, and when exact match says little of them."""

from collections.abc import Sequence

import numpy as np

from judges.comparison.rules.study.arrays import Flags, Integers, Predictions

# NQ-open has no gold answer of more than five words (Lee et al. 2019), and TriviaQA's and WebQuestions' are
# hardly longer: an answer of more equals none, be it right or wrong.
MOST_GOLD_WORDS = 5


def count_words(predictions: Predictions) -> Integers:
    """Return how many words each answer has as exact match compares it, without articles and punctuation."""
    words = np.zeros(len(predictions.strings), dtype=np.int64)
    for text, number in predictions.strings.items():
        words[number] = len(text.split())
    found: Integers = words[predictions.string]
    return found


def median_words(
    words: Integers, *, systems: Integers, counted: Flags, ids: Sequence[int]
) -> dict[int, float]:
    """Return the median length of each system's counted answers, by its id; systems without any are left out.

    systems: each prediction's place in `ids`.
    """
    return {
        pk: float(np.median(words[own]))
        for place, pk in enumerate(ids)
        if (own := counted & (systems == place)).any()
    }


def are_mostly_long(median: float) -> bool:
    """Say whether at least half of answers with this median are longer than gold answers are."""
    return median > MOST_GOLD_WORDS
