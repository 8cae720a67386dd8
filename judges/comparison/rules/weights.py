"""Which questions and answers of a judged sample stand for others, and for how many."""

from enum import StrEnum

import numpy as np

from analysis.arrays import Flags, Floats
from analysis.sampling import weigh_audit
from judges.comparison.rules.study import ACCEPTED, UNDECIDED, Decided, Items, Questions


class Reach(StrEnum):
    """Of which questions figures of the judged sample are.

    ALL: people judge every question. RANDOM: a random sample of all, each as likely. WEIGHED: drawn with
    different probabilities, so that questions stand for others. CHOSEN: somebody chose them, and the figures
    say nothing of the others.
    """

    ALL = "all"
    RANDOM = "random"
    WEIGHED = "weighed"
    CHOSEN = "chosen"


def reach_of(questions: Questions) -> Reach:
    """Say of which questions figures of the judged sample are."""
    if questions.in_sample.all():
        return Reach.ALL
    if not questions.is_drawn.any():
        return Reach.CHOSEN
    has_others = (questions.in_sample & ~questions.is_drawn).any()
    chances = questions.probability[questions.is_drawn]
    return Reach.RANDOM if np.ptp(chances) == 0 and not has_others else Reach.WEIGHED


def weigh_questions(questions: Questions) -> Floats:
    """Return how many questions each judged one stands for: one over the probability with which it was drawn.

    1 where all stand for as many, and of a question that somebody put into the sample besides.
    Source: Horvitz and Thompson 1952.
    """
    ones = np.ones(len(questions.ids))
    if reach_of(questions) is not Reach.WEIGHED:
        return ones
    return np.divide(1.0, questions.probability, out=ones, where=questions.is_drawn)


def answers_compared(items: Items, *, improper: Flags) -> Flags:
    """Say which candidates judges are compared on: the sample's, but gold answers that no system gave."""
    candidates = items.candidates
    scored = (items.questions.in_sample & ~improper)[candidates.question]
    found: Flags = scored & candidates.is_judgeable & (items.is_given | ~candidates.is_from_gold)
    return found


def answers_decided_by_people(items: Items, *, decided: Decided, improper: Flags) -> Flags:
    """Say which candidates judges are compared with people on.

    What verdicts settled would only tell that they agree with themselves; gold answers that no system gave
    say nothing about judges. What somebody decided anew without its being drawn was looked for, and stands
    for nothing but itself: those drawn stand for it.
    """
    compared = answers_compared(items, improper=improper)
    stands = (decided.ruled == UNDECIDED) | decided.is_drawn
    found: Flags = compared & (decided.said_by_people != UNDECIDED) & stands
    return found


def count_left_out(items: Items, *, decided: Decided, improper: Flags) -> int:
    """Return of how many answers that programs settled the comparison of judges with people says nothing.

    They could not be drawn for the audit, or people have decided none yet of those drawn among them. Those
    drawn are not settled: they wait for people, and are counted as undecided.
    """
    ruled = answers_compared(items, improper=improper) & (decided.ruled != UNDECIDED)
    settled = ruled & ~decided.is_drawn
    ones = np.ones(len(ruled))
    weights = weigh_compared(items, decided=decided, improper=improper, of_question=ones)
    found = 0
    for cell in (decided.ruled == ACCEPTED, decided.ruled != ACCEPTED):
        rows = ruled & cell
        is_checked = (weights[rows] > 0).any()
        found += int((settled & cell & ((decided.probability == 0) | (not is_checked))).sum())
    return found


def count_undecided(items: Items, *, decided: Decided, improper: Flags) -> int:
    """Return how many of the answers that judges are compared on people have yet to decide, beside an audit.

    Those decided first are the easy ones, so until then figures that weigh them are of no random sample. 0
    where no rule spoke: there figures are of what people decided, and say so.
    """
    if not decided.has_ruled:
        return 0
    return int((answers_compared(items, improper=improper) & decided.is_open).sum())


def weigh_compared(items: Items, *, decided: Decided, improper: Flags, of_question: Floats) -> Floats:
    """Return how many answers each one stands for that judges are compared with people on, 0 for others.

    One that was drawn stands for others that programs accepted, or rejected: they are most of what is easy.
    of_question: how many it stands for as an answer of its question, which may have been drawn, too.
    """
    compared = answers_compared(items, improper=improper)
    counted = answers_decided_by_people(items, decided=decided, improper=improper)
    ruled = compared & (decided.ruled != UNDECIDED) & (decided.probability > 0)
    weights = weigh_audit(
        ruled=ruled * of_question,
        seen=ruled & counted,
        probability=decided.probability / of_question,
        cells=(decided.ruled == ACCEPTED).astype(np.int64),
    )
    return np.where(counted & ~ruled, of_question, weights)
