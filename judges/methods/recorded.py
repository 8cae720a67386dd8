"""Recorded verdicts: what another program said of an answer, read from its words or numbers in a file."""

import json
import re
from dataclasses import dataclass

from judges.protocol import Verdict, option

ABSTAINED = "abstained"
UNPARSABLE = "unparsable"

_FIRST_WORD = re.compile(r"[\W_]*(yes|no)\b", re.IGNORECASE)


@dataclass(frozen=True)
class RecordedOptions:
    """How what was recorded becomes a verdict."""

    parser: str = option(
        "column",
        choices=("column", "first-word", "probability"),
        help="Read the file's own yes or no, the reply's first word, or the largest P(yes) over the golds.",
    )
    threshold: float = option(
        0.5, help="For probabilities: an answer is accepted above this.", between=(0.0, 1.0)
    )


class Recorded:
    """Verdicts from a file; it judges nothing itself and is started by an import."""

    Options = RecordedOptions

    def __init__(self, options: RecordedOptions) -> None:
        self.options = options

    def read(self, *, raw_reply: str, column: str = "") -> Verdict:
        """Return the verdict that was recorded; unscored where there is none."""
        if self.options.parser == "probability":
            return read_probabilities(raw_reply, threshold=self.options.threshold)
        said = column if self.options.parser == "column" else raw_reply
        return read_first_word(said)._replace(raw_reply=raw_reply)


def read_first_word(reply: str) -> Verdict:
    """Accept or reject by the first word, yes or no; case and leading punctuation are ignored.

    A reply that begins otherwise is unscored. Source: Kamalloo et al. 2023, the published behavior.
    """
    found = _FIRST_WORD.match(reply)
    if found is None:
        return Verdict(
            accepted=None, unscored_reason=UNPARSABLE if reply.strip() else ABSTAINED, raw_reply=reply
        )
    return Verdict(accepted=found[1].lower() == "yes", raw_reply=reply)


def read_probabilities(cell: str, *, threshold: float = 0.5) -> Verdict:
    """Accept iff the largest P(yes) of `[[P(not), P(yes)], …]`, one pair a gold, is above `threshold`.

    Source: Bulian et al. 2022 (BEM), as recorded by Kamalloo et al. 2023.
    """
    try:
        score = max(float(pair[1]) for pair in json.loads(cell))
    except (ValueError, TypeError, IndexError, KeyError):
        return Verdict(accepted=None, unscored_reason=UNPARSABLE, raw_reply=cell)
    return Verdict(accepted=score > threshold, score=score, raw_reply=cell)
