"""Which settled answers go to raters anyway, and what those then say of the machine."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from operator import add
from typing import NamedTuple

from analysis.intervals import Figure, Why, confidence_sequence
from annotation.release.rules import count_of
from common.figures import rounded, share_with_interval

DRAWS = 2**53
SEEDS = 2**53
NOTHING_DRAWN = "No settled answer was sampled for the audit, so the error rate is unknown."
UNAUDITED = "Unaudited: {}. The error rate on answers that could not be sampled for the audit is unknown."
NOBODY_YET = "People have not decided any of the audited answers yet."


def seed_of_application(*, seed: int, number: int) -> int:
    """Return the seed by which an application draws: each its own, so that another draws what one left out.

    With one seed for all, an answer given back would never be drawn, whatever probability is recorded.
    """
    digest = hashlib.sha256(f"application\x00{seed}\x00{number}".encode()).digest()
    return int.from_bytes(digest[:8]) % SEEDS


def draw_of(*, seed: int, name: str) -> float:
    """Return an answer's random number, from 0 and below 1: it is drawn for the audit at shares above it.

    `name` says what the answer is. The same seed draws the same answers whatever else there is, so what
    comes in later changes no draw, and a larger share draws those of a smaller one and more. Independent of
    the order of answers on sheets, which hashes otherwise.
    """
    digest = hashlib.sha256(f"audit\x00{seed}\x00{name}".encode()).digest()
    return (int.from_bytes(digest[:8]) >> 11) / DRAWS


def is_drawn(*, seed: int, name: str, share: float) -> bool:
    """Say whether an answer is drawn for the audit: with probability `share`, each by itself."""
    return draw_of(seed=seed, name=name) < share


def sample_key(*, seed: int, sample: int, name: str) -> bytes:
    """Return the key by which the first answers are a random sample; `name` as for the draw."""
    return hashlib.sha256(f"sample\x00{seed}\x00{sample}\x00{name}".encode()).digest()


class AuditCounts(NamedTuple):
    """Answers that a rule settled, and those of them drawn for raters: decided by people, and otherwise.

    unaudited: settled ones that could not be drawn. The weights are sums over decided answers of one over the
    probability with which each was drawn, of its square, and over those people decided otherwise.
    """

    settled: int = 0
    drawn: int = 0
    decided: int = 0
    disagreed: int = 0
    unaudited: int = 0
    weight: float = 0.0
    weight_squares: float = 0.0
    weight_disagreed: float = 0.0

    def plus(self, other: "AuditCounts") -> "AuditCounts":
        """Add counts of different answers."""
        return AuditCounts(*map(add, self, other))


class Choices(NamedTuple):
    """Among how many results a lead may choose by undoing: of one rule, and of all that are kept together."""

    rules: int
    pooled: int


def count_choices(places: Iterable[int]) -> Choices:
    """Count what may be kept; places: of each rule ever applied, in how many applications it was.

    A rule can be undone in each application by itself, and whoever sees its audit undoes what looks bad: any
    selection of places may be what is left in the end.
    """
    counts = list(places)
    rules = sum(2**count - 1 for count in counts)
    return Choices(max(1, rules), max(1, 2 ** sum(counts) - 1))


@dataclass(frozen=True)
class AuditFigures:
    """How often people disagreed with the rules, among the sampled answers that are decided.

    `words`: the same in words. `open`: sampled but not decided yet. `unaudited`: settled answers that could
    not be sampled.
    """

    settled: int
    drawn: int
    decided: int
    open: int
    disagreed: int
    unaudited: int
    share: Figure
    words: str


@dataclass(frozen=True)
class AuditRow:
    """The audit of one rule.

    `beside_certificate`: how the audit and the rule’s certificate fit together, in words; empty without one.
    """

    number: int
    text: str
    figures: AuditFigures
    beside_certificate: str = ""


@dataclass(frozen=True)
class AuditReport:
    """The audit of all applications: each rule, and all rules pooled.

    `audit_share`: null if it differs between applications. `watched`: the number of rules ever applied, each
    counted once per application. Intervals stay valid however often you look; the pooled one also stays valid
    whichever of these rules are kept.
    """

    audit_share: float | None
    rules: list[AuditRow]
    pooled: AuditFigures
    watched: int


def measure_audit(counts: AuditCounts, *, choices: int = 1) -> AuditFigures:
    """Return the share of audited answers on which people decided otherwise, with a 95% interval.

    Over the drawn answers that people have decided, each weighing one over the probability with which it was
    drawn. Leads watch the audit grow and undo rules by it, so the interval is a confidence sequence, which
    holds at all looks together; choices: for how many results it must hold together, see `count_choices`.
    With differing weights it is over as many equal answers as say as much (Kish 1965; Korn and Graubard
    1998).
    """
    return AuditFigures(
        settled=counts.settled,
        drawn=counts.drawn,
        decided=counts.decided,
        open=counts.drawn - counts.decided,
        disagreed=counts.disagreed,
        unaudited=counts.unaudited,
        share=_share(counts, choices),
        words=_words(counts),
    )


def beside_certificate(*, maximum: float, share: Figure, is_contradicted: bool) -> str:
    """Say how the audit of a rule fits its certificate, and on which of the two corrected scores rest.

    maximum: the certified error rate, 0 to 1. is_contradicted: the audit proves more errors than that, by
    which the certificate lapses.
    """
    allowed = f"{rounded(maximum, digits=1, scale=100)}%"
    if share.value is None:
        return f"The certificate allows an error rate of at most {allowed}, and the audit has no result yet."
    does = "contradicts" if is_contradicted else "does not contradict"
    is_within = share.low is not None and share.low <= maximum < share.value
    why = f", because the interval includes {allowed}" if is_within and not is_contradicted else ""
    return (
        f"The certificate allows an error rate of at most {allowed}, and the audit found "
        f"{share_with_interval(share)}. This {does} the certificate{why}. Corrected scores rest on the "
        "audit, not on the certificate."
    )


def _share(counts: AuditCounts, choices: int) -> Figure:
    if not counts.decided:
        return Figure(None, why=Why.NOTHING_SAMPLED)
    share = counts.weight_disagreed / counts.weight
    total = counts.weight**2 / counts.weight_squares
    return Figure.of(share, confidence_sequence(successes=share * total, total=total, families=choices))


def _words(counts: AuditCounts) -> str:
    unaudited = UNAUDITED.format(count_of(counts.unaudited, "answer")) if counts.unaudited else ""
    if not counts.decided:
        nothing = NOBODY_YET if counts.drawn else NOTHING_DRAWN
        return unaudited if counts.unaudited == counts.settled > 0 else nothing
    left = counts.drawn - counts.decided
    waiting = f" Audited answers still open: {left}." if left else ""
    found = (
        f"People disagreed with automatic judges on {counts.disagreed} of {counts.decided} audited answers."
        f"{waiting}"
    )
    return " ".join(filter(None, (found, unaudited)))
