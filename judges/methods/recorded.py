"""Recorded verdicts: what another program said of an answer, read from its words or numbers in a file."""

import json
from dataclasses import dataclass

from judges.methods.llm.parsing import ABSTAINED, UNPARSABLE, read_first_word, read_reply, unscored
from judges.methods.neural.bem import decide_equivalence
from judges.protocol import Verdict, WithOptions, option


@dataclass(frozen=True)
class RecordedOptions:
    """How what was recorded becomes a verdict."""

    parser: str = option(
        "column",
        choices=("column", "first-word", "strict", "probability"),
        help="What to read as the verdict: the file’s yes or no, the reply (its first word only, "
        "or the whole reply, read strictly), or the largest P(yes).",
    )
    threshold: float = option(
        0.5, help="For probabilities: accept an answer if the probability is above this.", between=(0.0, 1.0)
    )


class Recorded(WithOptions[RecordedOptions]):
    """Verdicts from a file; it judges nothing itself and is started by an import."""

    Options = RecordedOptions

    def read(self, *, raw_reply: str, column: str = "") -> Verdict:
        """Return the verdict that was recorded; unscored where there is none."""
        if self.options.parser == "probability":
            return read_probabilities(raw_reply, threshold=self.options.threshold)
        if self.options.parser == "column":
            said = read_first_word(column) if column.strip() else unscored(ABSTAINED, column)
            return said._replace(raw_reply=raw_reply)
        return read_reply(reply=raw_reply, finish_reason="", parser=self.options.parser)


def read_probabilities(cell: str, *, threshold: float = 0.5) -> Verdict:
    """Accept iff the largest P(yes) of `[[P(not), P(yes)], …]`, one pair a gold, is above `threshold`.

    Source: Bulian et al. 2022 (BEM), as recorded by Kamalloo et al. 2023.
    """
    try:
        probabilities = [float(pair[1]) for pair in json.loads(cell)]
    except (ValueError, TypeError, IndexError, KeyError):
        probabilities = []
    if not probabilities:
        return Verdict(accepted=None, unscored_reason=UNPARSABLE, raw_reply=cell)
    return decide_equivalence(probabilities, threshold=threshold)._replace(raw_reply=cell)
