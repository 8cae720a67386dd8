"""How wide a preview of rules says that scores become, and the leaderboard's intervals later, on EVOUNA-NQ.

Studies are drawn from the questions with replacement. People have decided some questions, or none; a policy
is previewed; then the audit is drawn, people decide the rest, and the leaderboard's corrected column is read,
at each audit share, of which the preview speaks at once.
"""

from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats
from benchmarks.prejudging.corrected.scores import COLUMN, read_policy
from benchmarks.prejudging.released.nq301 import DATA
from benchmarks.prejudging.released.scored import EVOUNA, NO_DATA, Scored, has_data, score_evouna
from judges.comparison.rules.leaderboard.planning import Outlook, foresee_scores
from judges.comparison.rules.leaderboard.standings import score_of, tally
from judges.comparison.rules.study import (
    ACCEPTED,
    CORRECTED,
    REJECTED,
    UNDECIDED,
    Candidates,
    Decided,
    Items,
    Predictions,
    Predictor,
    Questions,
    SystemFacts,
    human_scores,
    judge_by_people,
)

DRAWS = 200
SEED = 17
# How sure the learned judge must be where it settles by itself.
SURE = 0.9


class Design(NamedTuple):
    """A study of so many questions, of which people have decided so many.

    audited: shares of what rules settle; the first is the policy's, the others those it is compared with.
    """

    questions: int
    decided: int
    audited: tuple[float, ...] = (0.05, 0.1, 0.2, 0.3, 0.5)


DESIGNS = (Design(300, 0), Design(300, 60), Design(2_000, 0), Design(2_000, 200))


class Widths(NamedTuple):
    """Half-widths of scores, draws × systems; NaN where the leaderboard has no score or none was foreseen."""

    foreseen: Floats
    reported: Floats

    @property
    def ratios(self) -> Floats:
        """Foreseen over reported."""
        return self.foreseen / self.reported


def run(*_: str) -> None:
    """Print a row a policy, design and way of correcting, over all systems."""
    if not has_data():
        print(NO_DATA)
        return
    scored = score_evouna()
    print(
        "| policy | corrected | questions | decided before | audit | foreseen | reported | "
        "ratio, by system | ratio of one, 5% to 95% | no score |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for policy, said in policies(scored).items():
        for by_rules in (False, True):
            for design in DESIGNS:
                _print(policy, scored, said, design, by_rules=by_rules)


def _print(policy: str, scored: Scored, said: Floats, design: Design, *, by_rules: bool) -> None:
    by_share = replay(scored, said, design, by_rules=by_rules, draws=DRAWS)
    for share, found in zip(design.audited, by_share, strict=True):
        ratios = found.ratios
        of_systems = np.nanmean(ratios, axis=0)
        low, high = np.nanquantile(ratios, (0.05, 0.95))
        print(
            f"| {policy} | {'rules' if by_rules else 'learned judge'} | {design.questions:,} | "
            f"{design.decided:,} | {share:.0%} | {100 * np.nanmean(found.foreseen):.2f} | "
            f"{100 * np.nanmean(found.reported):.2f} | {of_systems.min():.2f}–{of_systems.max():.2f} | "
            f"{low:.2f}–{high:.2f} | {np.isnan(found.reported).mean():.0%} |",
            flush=True,
        )


def policies(scored: Scored) -> dict[str, Floats]:
    """Return what each policy says of every answer: 1 right, 0 wrong, NaN nothing."""
    sure = np.where(scored.confidence >= SURE, scored.probability >= 0.5, np.nan)
    return {"two lexical rules": read_policy(DATA / EVOUNA), f"learned judge, {SURE:.0%} sure": sure}


def replay(
    scored: Scored, said: Floats, design: Design, *, by_rules: bool, draws: int, seed: int = SEED
) -> list[Widths]:
    """Draw studies, foresee each one's half-widths at each share, and report the leaderboard's."""
    generator = np.random.default_rng(seed)
    foreseen, reported = np.full((2, len(design.audited), draws, len(scored.names)), np.nan)
    by_question = [np.flatnonzero(scored.questions == each) for each in np.unique(scored.questions)]
    for draw in range(draws):
        chosen = generator.integers(0, len(by_question), design.questions)
        rows = np.concatenate([by_question[each] for each in chosen])
        question = np.repeat(np.arange(len(chosen)), [len(by_question[each]) for each in chosen])
        items = _items(scored, rows, question, design.questions)
        truth = np.where(scored.accepted[rows], ACCEPTED, REJECTED).astype(np.int8)
        is_before = question < design.decided
        speaks = ~np.isnan(said[rows])
        is_ruled = speaks & ~is_before
        numbers = generator.random(len(rows))
        is_accepted = said[rows] == 1.0
        judge = None if by_rules else Predictor(COLUMN, scored.probability[rows])
        outlook = Outlook(
            # One rule accepts and one rejects, as those that are previewed do.
            rule=np.where(is_ruled, 1 + is_accepted, 0),
            is_accepted=is_accepted & is_ruled,
            draw=numbers,
            tried=np.where(speaks & is_before, 1 + is_accepted, 0),
            is_wrong=speaks & is_before & (is_accepted != scored.accepted[rows]),
            audit_share=design.audited[0],
        )
        everything = np.ones(len(rows), dtype=bool)
        found = foresee_scores(
            items=items,
            decided=_decide(truth, by_people=is_before, ruled=~everything, drawn=~everything, said=truth),
            outlook=outlook,
            counted=everything,
            predictor=judge,
            shares=design.audited[1:],
        )
        expected = [[score.half_width for score in found.scores], *found.half_widths]
        for place, (share, halves) in enumerate(zip(design.audited, expected, strict=True)):
            foreseen[place, draw] = [np.nan if half is None else half for half in halves]
            is_drawn = is_ruled & (numbers < share)
            decided = _decide(
                truth,
                by_people=~is_ruled | is_drawn,
                ruled=is_ruled,
                drawn=is_drawn,
                said=np.where(is_accepted, ACCEPTED, REJECTED).astype(np.int8),
                probability=share,
            )
            reported[place, draw] = _report(items, decided, judge)
    return [Widths(*each) for each in zip(foreseen, reported, strict=True)]


def _report(items: Items, decided: Decided, judge: Predictor | None) -> list[float]:
    """Return the half-widths of the leaderboard's corrected column."""
    everything = np.ones(len(items.predictions), dtype=bool)
    settled = judge_by_people(items, decided=decided, is_match=~everything)
    (column,) = human_scores([COLUMN], items=items, decided=decided, settled=settled, predictor=judge)
    assert column.column.key == CORRECTED
    size = len(items.systems)
    tallies = tally(column, systems=items.predictions.system, counted=everything, ids=list(range(size)))
    scores = [score_of(COLUMN, tallies.get(place), rank=None) for place in range(size)]
    intervals = [score.interval if score else None for score in scores]
    return [np.nan if each is None else (each[1] - each[0]) / 2.0 for each in intervals]


def _decide(
    truth: np.ndarray,
    *,
    by_people: Flags,
    ruled: Flags,
    drawn: Flags,
    said: np.ndarray,
    probability: float = 1.0,
) -> Decided:
    is_settled = ruled & ~drawn
    return Decided(
        worth=np.select([by_people, is_settled], [truth, said], default=UNDECIDED).astype(np.int8),
        is_by_people=by_people,
        is_by_votes=by_people,
        ruled=np.where(ruled, said, UNDECIDED).astype(np.int8),
        is_drawn=drawn,
        probability=np.where(ruled, probability, 1.0),
    )


def _items(scored: Scored, rows: np.ndarray, question: np.ndarray, questions: int) -> Items:
    yes, ids = np.ones(len(rows), dtype=bool), np.arange(len(rows))
    everyone = np.ones(questions, dtype=bool)
    return Items(
        systems=[SystemFacts(place, name, name, {}) for place, name in enumerate(scored.names)],
        questions=Questions(
            np.arange(questions), everyone, np.full(questions, -1), np.zeros(questions), ~everyone
        ),
        candidates=Candidates(ids, question, yes, ~yes),
        predictions=Predictions(scored.systems[rows], question, ids, ids, {}, {}),
    )
