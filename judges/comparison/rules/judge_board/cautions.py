"""What to know before a judge is believed: how often it changes its mind, and whether it favors its kin."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import (
    Figure,
    Scale,
    Why,
    add_by_cluster,
    divide,
    linearize,
    students_interval,
)
from analysis.sampling import Ratio, measure_shares
from judges.comparison.rules.study import Codes, RunFacts

# What of a run may differ where one judge is asked again: the draw, and the file that held its verdicts.
_OF_A_REPEAT = frozenset({"seed", "files"})
# Models of one house under the names that studies give them; a text is of the first family that it names.
FAMILIES: Mapping[str, re.Pattern[str]] = {
    family: re.compile(rf"(?:{names})(?![a-z])", re.IGNORECASE)
    for family, names in {
        "GPT": r"gpt|davinci|openai|\bbing|codex",
        "Claude": "claude|anthropic",
        "Gemini": r"gemini|gemma|\bpalm|\bbard",
        "Llama": "llama|alpaca|vicuna",
        "Mistral": "mistral|mixtral",
        "Qwen": "qwen",
        "DeepSeek": "deepseek",
        "Command": "cohere|command-r",
        "Grok": "grok",
    }.items()
}


def family_of(texts: Iterable[str]) -> str:
    """Return the family of models that a name or description says; empty where it says none."""
    whole = " ".join(texts)
    return next((family for family, pattern in FAMILIES.items() if pattern.search(whole)), "")


def find_repeats(runs: Iterable[RunFacts]) -> list[list[RunFacts]]:
    """Return runs of one judge with the same options, of which there are several, in their order."""
    groups: dict[tuple[tuple[str, str], ...], list[RunFacts]] = defaultdict(list)
    for run in runs:
        said = tuple((name, value) for name, value in run.stated if name not in _OF_A_REPEAT)
        groups[said].append(run)
    return [group for said, group in groups.items() if said and len(group) > 1]


@dataclass(frozen=True)
class RepeatedJudge:
    """Runs of one judge with the same options.

    `answers`: the number of answers that at least two of the runs judged. `flipped`: the number of these with
    different verdicts. `figures`: `flipped_share`.
    """

    runs: list[str]
    name: str
    answers: int
    flipped: int
    figures: dict[str, Figure]


def measure_repeats(
    runs: Sequence[str], *, name: str, verdicts: Sequence[Codes], questions: Integers, weights: Floats
) -> RepeatedJudge:
    """Count verdicts that flip; verdicts: of each run, by answer. What a run could not judge says nothing.

    weights: how many answers each one stands for.
    """
    said = np.stack(verdicts)
    accepting, rejecting = (said == 1).sum(axis=0), (said == 0).sum(axis=0)
    shared = accepting + rejecting > 1
    flips = (accepting > 0) & (rejecting > 0) & shared
    own = weights[shared]
    (share,) = measure_shares(ratios=[Ratio(own * flips[shared], own, own)], clusters=questions[shared])
    return RepeatedJudge(list(runs), name, int(shared.sum()), int(flips.sum()), {"flipped_share": share})


class JudgedPredictions(NamedTuple):
    """Predictions that people decided and a judge scored. is_own: of a system of the judge's family."""

    accepted: Flags
    correct: Flags
    is_own: Flags
    questions: Integers
    weights: Floats


@dataclass(frozen=True)
class KindredJudge:
    """A judge whose model belongs to the same family as some systems that it judges.

    `figures`: `own_lenience` and `other_lenience` say how much more often the judge accepts answers than
    people do, for its own family’s answers and for other answers; `self_preference` is `own_lenience` minus
    `other_lenience`.
    """

    run: str
    name: str
    family: str
    systems: list[str]
    own_answers: int
    other_answers: int
    figures: dict[str, Figure]


def measure_preference(rows: JudgedPredictions) -> dict[str, Figure]:
    """Measure a judge's lenience toward its family and others, and the difference, 95% over questions."""
    if not len(rows.accepted):
        return dict.fromkeys(
            ("own_lenience", "other_lenience", "self_preference"), Figure(None, why=Why.NOT_BOTH)
        )
    excess = rows.weights * (rows.accepted.astype(np.float64) - rows.correct)
    own = rows.is_own.astype(np.float64)
    columns = [excess * own, rows.weights * own, excess * (1 - own), rows.weights * (1 - own)]
    sums = add_by_cluster(sums=np.column_stack(columns), clusters=rows.questions)
    clusters = [int(np.count_nonzero(sums[:, 1])), int(np.count_nonzero(sums[:, 3])), len(sums)]

    def figures(counts: Floats) -> Floats:
        of_own = divide(counts[..., 0], counts[..., 1])
        of_others = divide(counts[..., 2], counts[..., 3])
        return np.stack([of_own, of_others, of_own - of_others], axis=-1)

    found = linearize(sums=sums, figures=figures, clusters=clusters)
    names = ("own_lenience", "other_lenience", "self_preference")
    cells = zip(names, found.values.tolist(), found.errors.tolist(), clusters, strict=True)
    return {
        name: Figure(None, why=Why.NOT_BOTH)
        if np.isnan(value)
        else Figure.of(value, students_interval(value=value, error=error, clusters=count, scale=Scale.FREE))
        for name, value, error, count in cells
    }
