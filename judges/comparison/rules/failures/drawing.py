"""Which answers a tagging round could have drawn, as arrays."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.sampling import NEVER_DRAWN
from judges.comparison.rules.study import ACCEPTED, POSSIBLE, REJECTED, Codes, Flags, Integers
from judges.tagging.rules import Filter, People, Said

_WORTHS: Mapping[People, tuple[int, ...]] = {
    People.ANY: (ACCEPTED, POSSIBLE, REJECTED),
    People.ACCEPT: (ACCEPTED,),
    People.POSSIBLY: (POSSIBLE,),
    People.ACCEPT_OR_POSSIBLY: (ACCEPTED, POSSIBLE),
    People.REJECT: (REJECTED,),
}


class Known(NamedTuple):
    """What a filter asks of answers, by candidate; None: nobody can tell any more, so none fits.

    verdict: of the filter's run. is_given: by the filter's system. is_flagged: with the filter's remark.
    """

    worth: Codes
    verdict: Codes | None
    is_given: Flags | None
    is_flagged: Flags | None
    is_beyond_gold: Flags


def could_draw(wanted: Filter, known: Known) -> Flags:
    """Say of each answer whether the filter holds for it now, as `judges.tagging.rules.fits` does for one."""
    found = np.isin(known.worth, _WORTHS[wanted.people])
    if wanted.beyond_gold:
        found &= known.is_beyond_gold
    if wanted.run:
        found &= False if known.verdict is None else _says(wanted.said, known.verdict, known.worth)
    if wanted.system:
        found &= False if known.is_given is None else known.is_given
    if wanted.flag:
        found &= False if known.is_flagged is None else known.is_flagged
    return found


def _says(said: Said, verdict: Codes, worth: Codes) -> Flags:
    accepts: Flags = np.asarray(verdict == 1)
    rejects: Flags = np.asarray(verdict == 0)
    if said is Said.ACCEPTS:
        return accepts
    if said is Said.REJECTS:
        return rejects
    scored: Flags = accepts | rejects
    return scored & (accepts != (worth == ACCEPTED)) if said is Said.ERRS else scored


def cells_of(drawable: Sequence[Flags], *, size: int) -> Integers:
    """Number answers by which rounds could have drawn them; `NEVER_DRAWN` where none could.

    Answers of one number had the same chance of being drawn, whatever seeds the rounds share.
    """
    cells = np.full(size, NEVER_DRAWN, dtype=np.int64)
    if not drawable:
        return cells
    rounds = np.stack(drawable)
    drawn = rounds.any(axis=0)
    _, numbers = np.unique(rounds[:, drawn], axis=1, return_inverse=True)
    cells[drawn] = numbers.reshape(-1)
    return cells
