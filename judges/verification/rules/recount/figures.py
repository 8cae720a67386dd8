"""A judge's figures, and how sure each is by how much every question moves it, counted again one by one."""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum, auto
from typing import NamedTuple, TypeAlias

from judges.verification.rules.differences import Number, Numbers

CELLS = ("tp", "fn", "fp", "tn", "unscored")

Ends: TypeAlias = tuple[float, float] | None
Sums: TypeAlias = list[float]

NOTHING = 1e-9
# By which part of a question a figure without a formula of its own is moved either way.
STEP = 1e-3
TWENTY_TIMES = math.log(20.0)
# Of heavy answers among which no error was seen, as the judge board imagines it.
IMAGINED = 0.5

TP, FN, FP, TN, UNSCORED = range(len(CELLS))
SCORED = (TP, FN, FP, TN)
ALL = (*SCORED, UNSCORED)
# Shares by the cells they count, and those they are of.
SHARES: Mapping[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "accuracy_all": ((TP, TN), ALL),
    "accuracy_scored": ((TP, TN), SCORED),
    "coverage": (SCORED, ALL),
    "precision": ((TP,), (TP, FP)),
    "recall": ((TP,), (TP, FN)),
    "accepted_share": ((TP, FP), SCORED),
    "correct_share": ((TP, FN), SCORED),
}


class Row(NamedTuple):
    """An answer, or a vote on one: what people say, what the judge says, None: nothing; its weight."""

    truth: bool
    said: bool | None
    weight: float = 1.0
    question: str = ""


def cell_of(row: Row) -> str:
    """Return in which cell of the table of people and judge it falls."""
    if row.said is None:
        return "unscored"
    if row.truth:
        return "tp" if row.said else "fn"
    return "fp" if row.said else "tn"


def count(rows: Iterable[Row]) -> dict[str, float]:
    """Add up weights by what both say."""
    found = dict.fromkeys(CELLS, 0.0)
    for row in rows:
        found[cell_of(row)] += row.weight
    return found


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def figures_of(cells: Mapping[str, float]) -> Numbers:
    """Return the figures of a judge beside people, None where one is undefined."""
    tp, fn, fp, tn, unscored = (cells[name] for name in CELLS)
    scored = tp + fn + fp + tn
    rows = scored + unscored
    of_right, of_wrong = _share(2 * tp, 2 * tp + fn + fp), _share(2 * tn, 2 * tn + fn + fp)
    observed = _share(tp + tn, scored)
    by_people, by_judge = _share(tp + fn, scored), _share(tp + fp, scored)
    return {
        "accuracy_all": _share(tp + tn, rows),
        "accuracy_scored": observed,
        "coverage": _share(scored, rows),
        "precision": _share(tp, tp + fp),
        "recall": _share(tp, tp + fn),
        "f1": of_right,
        "macro_f1": None if of_right is None or of_wrong is None else (of_right + of_wrong) / 2,
        "cohen_kappa": _cohen(observed, by_people, by_judge),
        "gwet_ac1": _gwet(observed, by_people, by_judge),
        "accepted_share": by_judge,
        "correct_share": by_people,
        "bias": _share(fp - fn, scored),
    }


def _cohen(observed: Number, one: Number, other: Number) -> Number:
    if observed is None or one is None or other is None:
        return None
    return beyond(observed, one * other + (1 - one) * (1 - other))


def _gwet(observed: Number, one: Number, other: Number) -> Number:
    if observed is None or one is None or other is None:
        return None
    mean = (one + other) / 2
    return beyond(observed, 2 * mean * (1 - mean))


def beyond(observed: float, chance: float) -> float | None:
    """Return agreement beyond chance; None where chance alone agrees always."""
    return None if math.isclose(chance, 1.0, abs_tol=1e-12) else (observed - chance) / (1 - chance)


def wilson(share: float, rows: float, reach: float) -> tuple[float, float]:
    """Return the roots of (share - p)² = reach² p (1 - p) / rows, within 0 and 1."""
    square = reach * reach
    half = reach * math.sqrt(square + 4 * rows * share * (1 - share))
    low, high = ((2 * rows * share + square + sign * half) / (2 * (rows + square)) for sign in (-1, 1))
    return max(0.0, min(low, share)), min(1.0, max(high, share))


def exact(successes: int, rows: int) -> tuple[float, float]:
    """Return the interval of Clopper and Pearson (1934)."""
    from scipy.stats import beta

    low = 0.0 if successes == 0 else float(beta.ppf(0.025, successes, rows - successes + 1))
    high = 1.0 if successes == rows else float(beta.ppf(0.975, successes + 1, rows - successes))
    return low, high


class Scale(Enum):
    """Where a figure lies: 0 to 1, at most 1, -1 to 1, above 0."""

    SHARE = auto()
    COEFFICIENT = auto()
    DIFFERENCE = auto()
    MULTIPLE = auto()


OTHERS: Mapping[str, Scale] = {
    "f1": Scale.SHARE,
    "macro_f1": Scale.SHARE,
    "cohen_kappa": Scale.COEFFICIENT,
    "gwet_ac1": Scale.COEFFICIENT,
    "bias": Scale.DIFFERENCE,
}


def reach_of(freedom: int) -> float:
    """Return how many standard errors an interval of 95% reaches to either side."""
    from scipy.stats import t

    return float(t.ppf(0.975, freedom))


def bound(value: float, error: float, clusters: int, scale: Scale) -> Ends:
    """Return both ends by a standard error over so many questions; None where there are none."""
    if clusters < 2 or math.isnan(value) or math.isnan(error) or error <= NOTHING:
        return None
    reach = reach_of(clusters - 1)
    if scale is Scale.SHARE:
        return _bound_share(value, error, reach)
    if scale is Scale.COEFFICIENT:
        return _bound_coefficient(value, error, reach)
    if scale is Scale.DIFFERENCE:
        return max(-1.0, value - reach * error), min(1.0, value + reach * error)
    half = reach * error / value if value > 0 else math.inf
    return None if half > TWENTY_TIMES else (value / math.exp(half), value * math.exp(half))


def _bound_share(value: float, error: float, reach: float) -> Ends:
    if not 0.0 < value < 1.0:
        return None
    return wilson(value, value * (1.0 - value) / error**2, reach)


def _bound_coefficient(value: float, error: float, reach: float) -> Ends:
    if value >= 1.0:
        return None
    root, half = math.sqrt(1.0 - value), reach * error / (2.0 * math.sqrt(1.0 - value))
    return max(-1.0, 1.0 - (root + half) ** 2), 1.0 - max(0.0, root - half) ** 2


def error_of(influences: Iterable[float], clusters: int) -> float:
    """Return a standard error from what each question moves; NaN of fewer than two."""
    squares = math.fsum(each * each for each in influences)
    return math.sqrt(squares * clusters / (clusters - 1)) if clusters > 1 else math.nan


def moves(figure: Callable[[Sums], float], total: Sums, rows: Iterable[Sums]) -> list[float]:
    """Return by how much each row of sums moves a figure of their total."""
    found = []
    for row in rows:
        up = [whole + STEP * part for whole, part in zip(total, row, strict=True)]
        down = [whole - STEP * part for whole, part in zip(total, row, strict=True)]
        found.append((figure(up) - figure(down)) / (2 * STEP))
    return found


def worth(wholes: Sequence[float]) -> int:
    """Return how many equal questions these are worth (Kish 1965), at least two of those there are."""
    count = sum(each != 0 for each in wholes)
    total, squares = math.fsum(wholes), math.fsum(each * each for each in wholes)
    return min(count, max(2, int(total**2 / max(squares, NOTHING) + NOTHING)))


class Questions(NamedTuple):
    """A judge's answers by question: sums of weights by cell; is_weighted: some answers stand for others."""

    sums: dict[str, Sums]
    is_weighted: bool

    @property
    def total(self) -> Sums:
        """All questions together."""
        return [math.fsum(column) for column in zip(*self.sums.values(), strict=True)]

    def count(self, wholes: Sequence[float]) -> int:
        """Return over how many questions something is, or as how many they count."""
        return worth(wholes) if self.is_weighted else sum(each != 0 for each in wholes)

    @property
    def imagined(self) -> list[Sums]:
        """What nobody saw: an accepted answer that is wrong, and a rejected one that is right."""
        if not self.is_weighted:
            return []
        accepted = self._lacking(FP, (TP, FP))
        rejected = self._lacking(FN, (FN, TN))
        return [[-accepted, 0.0, accepted, 0.0, 0.0], [0.0, rejected, 0.0, -rejected, 0.0]]

    def _lacking(self, error: int, said: tuple[int, int]) -> float:
        heavy = [sum(own[cell] for cell in said) for own in self.sums.values()]
        total = math.fsum(heavy)
        mean = math.fsum(each * each for each in heavy) / total if total else 0.0
        seen = math.fsum(own[error] ** 2 for own in self.sums.values())
        return math.sqrt(max(0.0, IMAGINED * mean * mean - seen))


def by_question(rows: Iterable[Row], *, is_weighted: bool) -> Questions:
    """Add up a judge's answers question by question."""
    sums: dict[str, Sums] = defaultdict(lambda: [0.0] * len(CELLS))
    for row in rows:
        sums[row.question][CELLS.index(cell_of(row))] += row.weight
    return Questions(dict(sums), is_weighted)


def bound_figures(own: Questions) -> dict[str, Ends]:
    """Return both ends of every figure of a judge beside people."""
    found = {name: _bound_ratio(own, part, whole) for name, (part, whole) in SHARES.items()}
    clusters = own.count([sum(each) for each in own.sums.values()])
    rows = [*own.sums.values(), *own.imagined]
    for name, scale in OTHERS.items():
        value = _figure(name)(own.total)
        error = error_of(moves(_figure(name), own.total, rows), clusters) if not math.isnan(value) else value
        found[name] = bound(value, error, clusters, scale)
    return found


def _figure(name: str) -> Callable[[Sums], float]:
    def figure(cells: Sums) -> float:
        value = figures_of(dict(zip(CELLS, cells, strict=True)))[name]
        return math.nan if value is None else float(value)

    return figure


def _bound_ratio(own: Questions, part: Iterable[int], whole: Iterable[int]) -> Ends:
    part, whole = tuple(part), tuple(whole)
    sums = [
        (sum(each[cell] for cell in part), sum(each[cell] for cell in whole)) for each in own.sums.values()
    ]
    hits, total = (math.fsum(column) for column in zip(*sums, strict=True))
    wholes = [each for _, each in sums]
    clusters = own.count(wholes)
    if not total or clusters < 2:
        return None
    if not NOTHING < hits < total - NOTHING:
        return exact(clusters if hits > NOTHING else 0, clusters)
    value = hits / total
    influences = [(one - value * of) / total for one, of in sums]
    influences += [
        (sum(each[cell] for cell in part) - value * sum(each[cell] for cell in whole)) / total
        for each in own.imagined
    ]
    # Each question that is in the whole counts for the spread, whatever it is worth.
    counted = sum(each != 0 for each in wholes)
    return bound(value, error_of(influences, counted), clusters, Scale.SHARE)


def bound_multiple(own: Questions, human: Questions | None, *, is_human: bool) -> Ends:
    """Return both ends of an error in units of another human's."""
    if human is None:
        return None
    none = [0.0] * len(CELLS)
    pairs = {
        name: (own.sums.get(name, none), human.sums.get(name, none)) for name in {*own.sums, *human.sums}
    }
    rows = [[*one, *other] for one, other in pairs.values() if sum(one) + sum(other) > 0]
    total = [math.fsum(column) for column in zip(*rows, strict=True)] if rows else [0.0] * 2 * len(CELLS)

    def multiple(cells: Sums) -> float:
        one, other = cells[: len(CELLS)], cells[len(CELLS) :]
        whole = sum(one[cell] for cell in (SCORED if is_human else ALL))
        wrong = one[FN] + one[FP] + (0.0 if is_human else one[UNSCORED])
        scored = sum(other[cell] for cell in SCORED)
        errs = (other[FN] + other[FP]) / scored if scored else 0.0
        return wrong / whole / errs if whole and errs > 0 else math.nan

    value, clusters = multiple(total), len(rows)
    if math.isnan(value) or clusters < 2:
        return None
    error = error_of(moves(multiple, total, rows), clusters)
    if own.is_weighted:
        clusters = min(worth([sum(each.sums.get(name, none)) for name in pairs]) for each in (own, human))
    return bound(value, error, clusters, Scale.MULTIPLE)


def places_of(place: str, ends: Mapping[str, Ends]) -> Numbers:
    """Return both ends by the places at which the report has them."""
    found: dict[str, Number] = {}
    for name, pair in ends.items():
        if pair is not None:
            found |= {f"{place} › {name} › 1": pair[0], f"{place} › {name} › 2": pair[1]}
    return found
