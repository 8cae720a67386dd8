"""Fuzzy Match with WordNet: gold answers are joined by their synonyms."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from judges.methods.fuzzy.fuzzy_match import fuzzy_form, judge_fuzzily, threshold_option
from judges.methods.fuzzy.wordnet import load_synonyms
from judges.protocol import JudgeInput, Verdict, WithOptions, option

# "untrue" is a synonym of "false", and by its letters close to "true".
BOOLEANS = frozenset({"yes", "no", "true", "false"})


@dataclass(frozen=True)
class FuzzyMatchWordnetOptions:
    """Where the line is drawn, and which gold answers get synonyms."""

    threshold: float = threshold_option()
    synonyms: str = option(
        "on-except-boolean",
        choices=("on", "off", "on-except-boolean"),
        help="Which WordNet synonyms of a gold answer also count as gold: all, none, or all except those "
        "of yes and no.",
    )


class FuzzyMatchWordnet(WithOptions[FuzzyMatchWordnetOptions]):
    """Fuzzy Match with synonyms. Source: Si et al. 2023 (GPT3QA); here with WordNet 3.1.

    The paper leaves open which gold answers got synonyms. With all of them every "true" on StrategyQA is
    right where the gold is "false"; sparing yes and no comes nearer to the printed figures.
    """

    Options = FuzzyMatchWordnetOptions

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score from 0 to 100; synonyms are looked up once for all answers to a question."""
        prepare = partial(with_synonyms, synonyms=self.options.synonyms)
        return judge_fuzzily(batch, prepare, threshold=self.options.threshold)


def with_synonyms(golds: Sequence[str], *, synonyms: str) -> tuple[str, ...]:
    """Return the golds and what WordNet has for each, in fuzzy form, each once, in a fixed order."""
    forms = dict.fromkeys(map(fuzzy_form, golds))
    if synonyms != "off":
        excepted = BOOLEANS if synonyms == "on-except-boolean" else frozenset[str]()
        for form in [form for form in forms if form not in excepted]:
            forms |= dict.fromkeys(sorted(load_synonyms().of(form)))
    return tuple(forms)
