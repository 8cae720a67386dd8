"""How much of EVOUNA-NQ certificates settle, and how often one breaks its promise; on NQ301 they refuse.

Each draw takes so many answers at random as the calibration sample, certifies from people's labels of these,
and counts on all answers what the certificate then settles, and how much of that people disagree with.
"""

from collections import Counter
from typing import NamedTuple

import numpy as np

from analysis.prejudging.risk_control import Refusal, certify, explain
from benchmarks.prejudging.released.scored import NO_DATA, Scored, has_data, score_evouna, score_nq301

DRAWS = 2_000
SEED = 17
DELTA = 0.1
SIZES = ((0.05, 600), (0.05, 300), (0.02, 1_000))


class Replayed(NamedTuple):
    """What certificates came to.

    settled_share: of all answers, the mean over draws. violations: the share of draws in which people
    disagree with more than α of what was settled. error_share: with how much they disagree, the mean over
    draws that settled something. refused: how many draws were refused, and why.
    """

    settled_share: float
    violations: float
    error_share: float
    refused: Counter[Refusal]


def run() -> None:
    """Print a row for each α and size of the calibration sample, and what is refused on NQ301, and why."""
    if not has_data():
        print(NO_DATA)
        return
    print("| answers | α | labels | settled | wrong of these | promise broken | refused |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, scored in (("EVOUNA-NQ", score_evouna()), ("NQ301", score_nq301())):
        for alpha, labels in SIZES:
            found = replay(scored, alpha=alpha, labels=labels)
            why = ", ".join(f"{count / DRAWS:.1%} {each}" for each, count in found.refused.items()) or "never"
            print(
                f"| {name} | {alpha:.0%} | {labels:,} | {found.settled_share:.1%} | "
                f"{found.error_share:.1%} | {found.violations:.1%} | {why} |"
            )
    everything = certify(confidence=scored.confidence, wrong=scored.is_wrong, alpha=SIZES[0][0], delta=DELTA)
    print(f"NQ301, all its labels: {explain(everything)}")


def replay(scored: Scored, *, alpha: float, labels: int, draws: int = DRAWS, seed: int = SEED) -> Replayed:
    """Certify from `draws` calibration samples of so many labels."""
    generator = np.random.default_rng(seed)
    confidence, is_wrong = scored.confidence, scored.is_wrong
    order = np.argsort(-confidence, kind="stable")
    errors = np.concatenate([[0], np.cumsum(is_wrong[order])])
    settled, wrong, refused = [], [], Counter[Refusal]()
    for _ in range(draws):
        drawn = generator.choice(len(confidence), size=labels, replace=False)
        found = certify(
            confidence=confidence[drawn],
            wrong=is_wrong[drawn],
            alpha=alpha,
            delta=DELTA,
            everything=confidence,
        )
        if found.why is not None:
            refused[found.why] += 1
        count = round(found.settled_share * len(confidence))
        settled.append(count)
        wrong.append(errors[count] / count if count else np.nan)
    shares = np.array(wrong, dtype=np.float64)
    known = shares[~np.isnan(shares)]
    return Replayed(
        settled_share=float(np.mean(settled)) / len(confidence),
        violations=float((known > alpha).sum()) / draws,
        error_share=float(known.mean()) if len(known) else 0.0,
        refused=refused,
    )
