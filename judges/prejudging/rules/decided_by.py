"""Every answer that is to be decided, counted once by who decided it, and why people did."""

from dataclasses import dataclass


@dataclass(frozen=True)
class DecidedBy:
    """How the answers of a study were decided; `answers` is the total.

    `settled`: by rules, without people. `routed`: by one annotator and a judge that agreed. `audited`: by
    people, as part of the audit. `calibrated`: by people, as part of a calibration sample. `others`: by
    people in other ways, or imported or copied. `open`: not decided yet.
    """

    answers: int
    settled: int
    routed: int
    audited: int
    calibrated: int
    others: int
    open: int


# Each part in the methods paragraph, behind its count.
PARTS = {
    "settled": "settled by automatic judges",
    "routed": "decided by one annotator and an automatic judge",
    "audited": "decided by people in the audit",
    "calibrated": "decided by people in the calibration sample",
    "others": "decided by people outside the audit and the calibration sample",
    "open": "not decided yet",
}
