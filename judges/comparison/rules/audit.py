"""What the audit of pre-judging knows of predictions, and scores as it corrects them."""

from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.prejudging.corrected import PRIOR_ROWS_OF_AUDIT, PRIOR_ROWS_OF_VERDICTS, Corrected, correct

# Of fewer audited answers nobody should read a score: three right ones would put a system first.
SMALLEST_AUDIT = 5


class Audit(NamedTuple):
    """What the audit of pre-judging knows, a value a prediction: as `correct` takes it.

    answer: the number of the pooled answer it is, which systems share and people see once. is_open: people
    have yet to decide it (`Decided.is_open`). predictions: of a judge, NaN where it abstains; None where
    there is none, so that what rules said is corrected.
    """

    people: Floats
    programs: Floats
    seen: Flags
    probability: Floats
    answer: Integers
    is_open: Flags
    predictions: Floats | None = None

    @property
    def is_paired(self) -> bool:
        """Never: few rows of an audit are spikes, of which no test knows how they vary."""
        return False

    def correct(self, *, systems: Integers, counted: Flags, size: int) -> Corrected:
        """Correct what is counted, system by system; a value a prediction, NaN of those not counted.

        A system is unknown while an answer of it is open, as `why_unknown` has it of a sample. A system is
        unknown, too, with answers that programs accepted, or rejected, where people saw fewer of
        these than `SMALLEST_AUDIT`, and not all.
        """
        is_ruled = ~np.isnan(self.programs)
        known = counted & (is_ruled | ~np.isnan(self.people))
        is_judged = self.predictions is not None
        predictions = self.programs if self.predictions is None else self.predictions
        # What programs rejected, what they accepted, and what they left to people. A judge's probabilities
        # tell the first two apart, and strata of few labels would only widen intervals.
        strata = is_ruled if is_judged else np.nan_to_num(self.programs, nan=2.0)
        found = correct(
            labels=np.where(is_ruled & ~self.seen, np.nan, self.people)[known],
            predictions=np.where(is_ruled, predictions, 0.0)[known],
            probability=np.where(is_ruled, self.probability, 1.0)[known],
            groups=systems[known],
            group_count=size,
            strata=strata.astype(np.int64)[known],
            prior_rows=PRIOR_ROWS_OF_AUDIT if is_judged else PRIOR_ROWS_OF_VERDICTS,
        )
        values, expected = np.full((2, len(self.people)), np.nan)
        values[known], expected[known] = found.values, found.expected
        is_waiting = np.isin(systems, systems[counted & self.is_open])
        values[is_waiting] = expected[is_waiting] = np.nan
        for said in (0.0, 1.0):
            ruled = counted & (self.programs == said)
            seen = _count_different(self.answer[ruled & self.seen & ~np.isnan(self.people)])
            if seen < _count_different(self.answer[ruled]):
                is_unknown = np.isin(systems, systems[ruled])
                values[is_unknown] = expected[is_unknown] = np.nan
        return found._replace(values=values, expected=expected)


def _count_different(answers: Integers) -> int:
    """Count different answers up to `SMALLEST_AUDIT`, which the first of many nearly always are."""
    few = len(np.unique(answers[: 10 * SMALLEST_AUDIT]))
    return min(SMALLEST_AUDIT, few if few >= SMALLEST_AUDIT else len(np.unique(answers)))
