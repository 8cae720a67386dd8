"""The learned judge with answer memory: people's decisions on the other answers to a question as evidence."""

import hashlib
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.text import question_key
from judges.methods.learned.evidence import Decided, evidence_names, weigh
from judges.methods.learned.judge import ReadInput, read_inputs, score, verdict_of
from judges.methods.learned.model import (
    Calibration,
    Linear,
    Weights,
    as_rows,
    bend_logits,
    load_weights,
    to_probability,
)
from judges.protocol import JudgeInput, Verdict, WithOptions, look, option

FOLDS = 5
# With fewer decided answers of either kind a line through them says more about chance than about people.
FEWEST_TO_CALIBRATE = 20
FEWEST_TO_REFIT = 100
_RIDGE = 30.0
_RIDGE_OF_CALIBRATION = 5.0
_BEND = 3.0
_STEPS = 25
_AT_ONCE = 1_000


class DecidedAnswer(NamedTuple):
    """An answer on which people decided; `beside`: what another judge says of it, as in `JudgeInput`."""

    question: str
    golds: tuple[str, ...]
    answer: str
    accepted: bool
    beside: float = 0.0


@dataclass(frozen=True)
class MemoryOptions:
    """Whether the judge also hears another one."""

    beside: str = option(
        "",
        help=(
            "Optional: the ID of a finished run in this project, such as an LLM judge’s. Its "
            "verdicts are used if people’s decisions show that they help."
        ),
    )


def hash_decided(decided: Sequence[DecidedAnswer]) -> str:
    """Return what the signature says of the decisions that a judge was made with, in whatever order."""
    rows = sorted("\x1f".join((row.question, row.answer, str(row.accepted))) for row in decided)
    return hashlib.sha256("\x1e".join(rows).encode("utf-8", "surrogatepass")).hexdigest()[:16]


@dataclass(frozen=True)
class Remembering:
    """The model of one fold: the shipped one calibrated, or one fitted to the study's own decisions.

    hears: whether the fitted one takes the other judge's verdicts as one more column.
    """

    calibration: Calibration
    own: Linear | None = None
    hears: bool = False

    def score(self, known: "Evidence") -> Floats:
        """Return log-odds."""
        if self.own is None:
            return self.calibration.apply(known.shipped)
        return self.own.score(known.rows(hears=self.hears))


class Evidence(NamedTuple):
    """What is known of answers: the evidence, log-odds of the shipped model, what the other judge says."""

    own: Floats
    shipped: Floats
    beside: Floats

    def rows(self, *, hears: bool) -> Floats:
        """Return what a model is fitted to, with the other judge as the last column where it is heard."""
        return np.column_stack([self.own, self.beside]) if hears else self.own

    def of(self, chosen: Flags) -> "Evidence":
        """Return that of some of the answers."""
        return Evidence(self.own[chosen], self.shipped[chosen], self.beside[chosen])


class LearnedMemory(WithOptions[MemoryOptions]):
    """The learned judge, told what people decided on the other answers to the same question; Assay's own.

    An answer is never judged by a decision on itself, nor by a model that was fitted or calibrated on a
    decision on any answer to its question.
    """

    Options = MemoryOptions

    def __init__(
        self,
        options: MemoryOptions,
        *,
        decided: Sequence[DecidedAnswer],
        weights: Weights | None = None,
        adapts: bool = True,
    ) -> None:
        """Take decisions; for replays other weights, or the shipped ones as they are (`adapts=False`)."""
        super().__init__(options)
        self._weights = weights or load_weights()
        self._adapts = adapts
        self._decided = tuple(decided)

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        """Score the probability, 0 to 1, that the answer is right; accepted from .5 on.

        Unscored as by the learned judge. An answer without other decided answers is judged by its text.
        """
        items = list(read_inputs(batch, self._weights))
        logits = iter(score(items, self._weights).tolist())
        scores = [
            None if item.reason_to_abstain else self._score(item, next(logits), given.beside)
            for item, given in zip(items, batch, strict=True)
        ]
        return [
            Verdict(accepted=None, unscored_reason=item.reason_to_abstain)
            if found is None
            else verdict_of(found)
            for item, found in zip(items, scores, strict=True)
        ]

    def _score(self, item: ReadInput, logit: float, beside: float) -> float:
        model = self._models[fold_of(question_key(item.question.text.original))]
        found = model.score(self._evidence([(item, logit, beside)]))
        return float(to_probability(found)[0])

    def _evidence(self, said: Sequence[tuple[ReadInput, float, float]]) -> Evidence:
        """Return that of answers, each with the log-odds of its text and what the other judge says."""
        weighed = []
        for item, logit, _ in said:
            known = self._memory.get(question_key(item.question.text.original), ())
            others = [other for other in known if other.text.original != item.answer.original]
            weighed.append(weigh(item.question, item.answer, logit, others, self._weights.rarity))
        own = as_rows(weighed, names=evidence_names())
        beside = np.array([beside for _, _, beside in said], dtype=np.float64)
        return Evidence(own, self._weights.memory.score(own), beside)

    @cached_property
    def _known(self) -> "_Known":
        items, logits, accepted, beside = [], [], [], []
        ordered = sorted(self._decided)
        for start in range(0, len(ordered), _AT_ONCE):
            look()
            rows = ordered[start : start + _AT_ONCE]
            inputs = [JudgeInput(row.question, row.answer, row.golds) for row in rows]
            read = list(read_inputs(inputs, self._weights))
            logits += score(read, self._weights).tolist()
            usable = [(item, row) for item, row in zip(read, rows, strict=True) if not item.reason_to_abstain]
            items += [item for item, _ in usable]
            accepted += [row.accepted for _, row in usable]
            beside += [row.beside for _, row in usable]
        return _Known(items, logits, np.array(accepted, dtype=np.bool_), beside)

    @cached_property
    def _memory(self) -> Mapping[str, Sequence[Decided]]:
        memory: dict[str, list[Decided]] = defaultdict(list)
        known = self._known
        for item, logit, accepted in zip(known.items, known.logits, known.accepted.tolist(), strict=True):
            memory[question_key(item.question.text.original)].append(Decided(item.answer, accepted, logit))
        return memory

    @cached_property
    def _models(self) -> Sequence[Remembering]:
        if not self._adapts:
            return [Remembering(Calibration())] * FOLDS
        known = self._known
        evidence = self._evidence(list(zip(known.items, known.logits, known.beside, strict=True)))
        keys = [question_key(item.question.text.original) for item in known.items]
        folds = np.array([fold_of(key) for key in keys], dtype=np.int64)
        return [
            choose(evidence.of(rest), accepted=known.accepted[rest], folds=folds[rest])
            for rest in (folds != fold for fold in range(FOLDS))
        ]


class _Known(NamedTuple):
    items: list[ReadInput]
    logits: list[float]
    accepted: Flags
    beside: list[float]


def fold_of(key: str) -> int:
    """Return the fold of a question: the same wherever and whenever it is asked."""
    return int(hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest(), 16) % FOLDS


def choose(evidence: Evidence, *, accepted: Flags, folds: Integers) -> Remembering:
    """Calibrate the shipped model on decided answers, or fit one to them where that is surely better.

    folds: of the answers, by question. Better means: in the folds by turns, the mean log loss is lower by
    more than its standard error over answers. So the fitted model has to beat the calibrated one, and one
    that hears another judge the better of both.
    """
    fewest = int(min(accepted.sum(), (~accepted).sum()))
    if fewest < FEWEST_TO_CALIBRATE:
        return Remembering(Calibration())
    best = _calibrated(evidence, accepted)
    if fewest < FEWEST_TO_REFIT:
        return best
    lost = _losses_by_folds(_calibrated, evidence, accepted, folds)
    for hears in (False, True)[: 1 + bool(evidence.beside.any())]:
        fit = partial(_fitted, hears=hears)
        losses = _losses_by_folds(fit, evidence, accepted, folds)
        gains = lost - losses
        if gains.mean() > gains.std() / np.sqrt(len(gains)):
            best, lost = fit(evidence, accepted), losses
    return best


def _calibrated(evidence: Evidence, accepted: Flags) -> Remembering:
    return Remembering(calibrate(evidence.shipped, accepted))


def _fitted(evidence: Evidence, accepted: Flags, *, hears: bool) -> Remembering:
    return Remembering(Calibration(), own=fit_linear(evidence.rows(hears=hears), accepted), hears=hears)


def _losses_by_folds(
    fit: Callable[[Evidence, Flags], Remembering], evidence: Evidence, accepted: Flags, folds: Integers
) -> Floats:
    losses = np.zeros(len(accepted))
    for tested in (folds == fold for fold in np.unique(folds)):
        model = fit(evidence.of(~tested), accepted[~tested])
        losses[tested] = _log_loss(model.score(evidence.of(tested)), accepted[tested])
    return losses


def _log_loss(logits: Floats, accepted: Flags) -> Floats:
    losses: Floats = np.logaddexp(0.0, np.where(accepted, -logits, logits))
    return losses


def calibrate(logits: Floats, accepted: Flags) -> Calibration:
    """Fit offset and slopes to bent log-odds and decisions, held towards those that change nothing."""
    bent = bend_logits(logits, _BEND)
    sides = np.column_stack([np.maximum(bent, 0.0), np.minimum(bent, 0.0)])
    offset, right, wrong = _newton(
        sides, accepted, ridge=_RIDGE_OF_CALIBRATION, towards=np.array([0.0, 1.0, 1.0])
    )
    # A slope below 0 would turn the order of answers round.
    return Calibration(float(offset), max(float(right), 0.05), max(float(wrong), 0.05), _BEND)


def fit_linear(rows: Floats, accepted: Flags) -> Linear:
    """Fit a logistic regression with a ridge penalty to standardized rows."""
    spread = rows.std(axis=0)
    spread[spread == 0.0] = 1.0
    middle = rows.mean(axis=0)
    found = _newton((rows - middle) / spread, accepted, ridge=_RIDGE, towards=np.zeros(rows.shape[1] + 1))
    coefficients = found[1:] / spread
    return Linear(coefficients, float(found[0] - coefficients @ middle))


def _newton(rows: Floats, accepted: Flags, *, ridge: float, towards: Floats) -> Floats:
    """Return intercept and coefficients that minimize log loss + ridge/2 · distance² from `towards`."""
    full = np.column_stack([np.ones(len(rows)), rows])
    # The intercept is free: a study's share of right answers is its own.
    penalty = np.full(full.shape[1], ridge)
    penalty[0] = 1e-6
    found = towards.astype(np.float64)

    def loss(at: Floats) -> float:
        return float(_log_loss(full @ at, accepted).sum() + 0.5 * (penalty * (at - towards) ** 2).sum())

    for _ in range(_STEPS):
        probability = to_probability(full @ found)
        slope = full.T @ (probability - accepted) + penalty * (found - towards)
        curvature = (full * (probability * (1.0 - probability))[:, None]).T @ full + np.diag(penalty)
        step = np.linalg.solve(curvature, slope)
        # Far from the minimum a whole step may lead farther away: halved until it does not.
        size = next(
            (1 / 2**halved for halved in range(30) if loss(found - step / 2**halved) <= loss(found)), 0.0
        )
        found = found - size * step
        if np.abs(size * step).max() < 1e-8:
            break
    return found
