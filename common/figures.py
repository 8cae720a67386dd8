"""What figures are called, and why there may be none: said here once, for the pages, files and reports."""

from collections.abc import Mapping
from typing import NamedTuple

from analysis.intervals import Figure, Undefined, Why

WHY: Mapping[Why, str] = {
    Why.TOO_FEW_QUESTIONS: "An interval needs at least two questions.",
    Why.TOO_FEW_VALUES: "The interval of a mean of scores needs at least ten answers.",
    Why.SAYS_NOTHING: "There are too few questions to tell.",
    Why.NEVER_VARIES: "It does not vary over questions, so it has no interval.",
    Why.NO_VALUE: "There is no value, so there is no interval.",
    Why.NOTHING_COUNTED: "There is nothing to count yet.",
    Why.NOTHING_SAMPLED: "Nothing here has been checked yet.",
    Why.NOT_BOTH: "No answer has both a decision of people and a verdict of the judge.",
    Why.NO_SCORED: "The judge scored none of the decided answers.",
    Why.NONE_ACCEPTED: "The judge accepted no answer, so its precision is undefined.",
    Why.NONE_CORRECT: "People accepted none of the scored answers, so recall is undefined.",
    Why.NONE_EITHER: "One of the two classes appears neither among decisions nor among verdicts.",
    Why.NONE_RIGHT: "People accepted none of the scored answers.",
    Why.NONE_WRONG: "People rejected none of the scored answers.",
    Why.NO_SCORES: "No decided answer has a score of this judge.",
    Why.ONE_CLASS: "People decided all scored answers alike, so scores cannot separate two classes.",
    Why.OUTSIDE_ZERO_TO_ONE: "These scores are not all between 0 and 1, so they are no probabilities.",
    Why.TOO_FEW_TO_TEST: "A test of calibration needs at least twenty questions.",
    Why.NO_TWO_VOTES: "No answer has votes from two raters yet.",
    Why.ONE_LABEL: "Every vote is the same label, so agreement beyond chance cannot be measured.",
    Why.NOTHING_SHARED: "No row has a score of both.",
    Why.TOO_FEW_SYSTEMS: "A ranking needs at least two systems with both scores.",
    Why.ALL_TIED: "All systems have the same score, so there is no ranking to compare.",
    Why.NOT_ANSWERED: "The system answered none of the questions.",
    Why.NONE_APART: (
        "Tested with this way of judging as one family, people's scores tell no two systems apart."
    ),
    Why.TOO_MANY_PAIRS: "There are too many pairs of raters for an interval.",
    Why.NO_SHARED_VOTES: "Nobody else has judged the same answers, tie-breaks aside.",
    Why.ONE_LABEL_SHARED: "All votes on shared answers are the same label, so κ is undefined.",
    Why.MODEL_BASED: "A model's estimate, without an interval that holds.",
    Why.FEW_RATERS: "With fewer than three raters on shared answers nobody can say who of them errs.",
    Why.NO_REPEATS: "No answer was shown twice.",
    Why.FEW_REPEATS: "Fewer than 8 answers came a second time.",
    Why.FEW_SHARED: "Fewer than 8 answers that somebody else judged, too.",
    Why.ITSELF: "It is the unit of comparison: 1 by definition.",
    Why.NO_HUMAN: "Raters cannot be compared with each other here.",
    Why.HUMAN_NEVER_ERRS: "Raters never differ here, so their error is no unit.",
    Why.CHOSEN_HERE: "It was chosen on these same answers, so it looks better than it is.",
    Why.NOT_PROBABILITIES: "This judge's scores are no probabilities.",
    Why.NOTHING_BESIDE_PEOPLE: "It has judged no answer that people judged, too.",
    Why.NOTHING_DECIDED: "People have decided nothing yet.",
    Why.NOTHING_DECIDED_HERE: "People have decided nothing in this study yet.",
    Why.NOT_ALL_DECIDED: "People have not decided every answer yet.",
    Why.NOT_AUDITED: "Programs settled answers that no audit covers, so people rank no systems.",
    Why.NOT_RANKED: (
        "The system has no rank: it answered fewer questions than others, or some of its answers are "
        "not judged."
    ),
    Why.STARTS_FROM_ZERO: "The score it starts from is zero.",
    Why.THE_FIRST: "The others of this model are compared with it.",
    Why.FROM_A_FILE: "Its verdicts came from a file.",
    Why.NOT_PAID: "It asks no paid model.",
    Why.NOT_FINISHED: "It has not finished.",
    Why.NO_RANKING: "This judge has no score for the systems.",
    Why.NOT_ON_COMMON: "Rankings cover all answers, not only those that every judge has judged.",
    Why.NO_COST_OF_PEOPLE: "People have no cost per call.",
    Why.TAU_HAS_NONE: (
        "τ has no interval that holds: chance in both rankings pulls it down. The leaderboard says how many "
        "of the pairs that people tell apart are in the same order."
    ),
    Why.PEOPLE_THEMSELVES: (
        "These are the scores by which people rank the systems, so there is nothing to compare."
    ),
    Why.NO_BETTER_THAN_CHANCE: "The judge accepts right answers no more often than wrong ones.",
    Why.FEW_TO_REPLACE: (
        "It takes three raters, each with 30 answers that another rater and this judge have judged, too."
    ),
    Why.THESE_RATERS: "It counts the raters of this study, so it has no interval.",
    Why.SAMPLE_CHOSEN: (
        "The judged questions were chosen, not drawn at random, so they say nothing of the others."
    ),
    Why.SAMPLE_OPEN: (
        "People have not decided every answer that was drawn, and those decided first are no random sample."
    ),
    Why.NOT_DRAWN: "Some of its answers could not be drawn for people, so no label stands for them.",
    Why.FEW_LABELS: "An estimate for all answers needs at least 30 labels of the system.",
    Why.READS_PEOPLE: "This judge has read what people decided, so their labels cannot correct it.",
    Why.NOT_ALL_JUDGED: "The judge has not judged every answer.",
    Why.TOO_FEW_TO_PLAN: "Even with every question judged the study is too small for an interval so narrow.",
    Why.NO_JUDGE_OF_ALL: "No judge has judged every answer yet, so there is nothing to plan with.",
}


class FigureName(NamedTuple):
    """A figure as people read it; its key is what files and replies call it.

    name: in tables, with its unit. plain: where the unit stands elsewhere.
    look: how it is printed: a share (0 to 1, in percent), a coefficient, a difference of shares in points, a
    multiple, or a count of a hundred. about: what it means, in a sentence; empty where the name says it.
    """

    name: str
    plain: str
    look: str
    about: str = ""


FIGURES: Mapping[str, FigureName] = {
    # Of judges beside people.
    "accuracy_all": FigureName("Agrees with people (%)", "Accuracy", "share"),
    "accuracy_scored": FigureName(
        "Agrees, of those it judged (%)", "Accuracy of the answers it judged", "share"
    ),
    "coverage": FigureName("Judged (%)", "Coverage", "share"),
    "precision": FigureName("Precision (%)", "Precision", "share"),
    "recall": FigureName("Recall (%)", "Recall", "share"),
    "f1": FigureName("F1 (%)", "F1", "share"),
    "macro_f1": FigureName("Macro-F1 (%)", "Macro-F1", "share"),
    "agreement": FigureName("Say the same (%)", "Agreement", "share"),
    "kendall_tau_b": FigureName(
        "Kendall’s τ-b", "Kendall’s τ-b", "coefficient", "Its ranking of systems beside people’s."
    ),
    "accepted_share": FigureName("Says right (%)", "Says right", "share", "Share of answers it accepts."),
    "correct_share": FigureName("Is right (%)", "Is right", "share", "Share of answers people accept."),
    "bias": FigureName("Bias (points)", "Bias", "difference"),
    "error_multiple": FigureName("Error, × another human’s", "Error", "multiple"),
    "rejects_right": FigureName("Rejects of 100 right", "Rejects right ones", "hundred"),
    "accepts_wrong": FigureName("Accepts of 100 wrong", "Accepts wrong ones", "hundred"),
    "tp_share": FigureName("TP, both accept (%)", "TP", "share"),
    "fn_share": FigureName("FN, the judge rejects, people accept (%)", "FN", "share"),
    "fp_share": FigureName("FP, the judge accepts, people reject (%)", "FP", "share"),
    "tn_share": FigureName("TN, both reject (%)", "TN", "share"),
    "unscored_share": FigureName("Not judged (%)", "Not judged", "share", "The judge gave no verdict."),
    # Of a judge in a rater's place.
    "winning_rate": FigureName(
        "Raters it may replace (%)",
        "Winning rate ω",
        "share",
        "Share of the raters than whom it is not worse by ε.",
    ),
    "advantage": FigureName(
        "At least as near as a rater (%)",
        "Advantage ρ",
        "share",
        "On so many answers it is at least as near to the other raters as a rater is, on average.",
    ),
    # Of a judge that is asked again, and of one that judges systems of its own family.
    "flipped_share": FigureName("Flipped (%)", "Flip rate", "share", "Share of answers it judged otherwise."),
    "own_lenience": FigureName("Lenient to its family (points)", "Leniency to its family", "difference"),
    "other_lenience": FigureName("Lenient to others (points)", "Leniency to others", "difference"),
    "self_preference": FigureName("Difference (points)", "Self-preference", "difference"),
    # Of systems, and of what exact match rejects of them.
    "gain": FigureName("Points", "Points", "difference"),
    "relative": FigureName("Relative (%)", "Relative", "change"),
    "accepted": FigureName("People accept (%)", "People accept", "share"),
    "definitely": FigureName("Definitely correct (%)", "Definitely correct", "share"),
    "possibly": FigureName("Possibly correct (%)", "Possibly correct", "share"),
    "either": FigureName("Possibly or better (%)", "Possibly or better", "share"),
    "answered_share": FigureName("Answered (%)", "Answered", "share"),
    "right_share": FigureName("Right of those (%)", "Right", "share"),
    # Of systems by people who saw a random sample, a judge that saw all, and both.
    "people_only": FigureName(
        "People only, weighted (%)",
        "People only, weighted",
        "share",
        "From what people decided of answers drawn at random, for all answers: each weighs as many as it "
        "was drawn among.",
    ),
    "judge_only": FigureName(
        "Judge only (%)",
        "Judge only",
        "share",
        "What the judge accepts of all answers; its interval knows nothing of the judge’s errors.",
    ),
    "corrected": FigureName(
        "Corrected (%)",
        "Corrected",
        "share",
        "The judge’s word on all answers, corrected by people’s on those drawn at random.",
    ),
    # Of raters among themselves; the first and the last also of judges beside people.
    "cohen_kappa": FigureName(
        "Cohen’s κ",
        "Cohen’s κ",
        "coefficient",
        "Beyond chance, each rater with a base rate of their own; of more than two the mean over pairs.",
    ),
    "fleiss_kappa": FigureName(
        "Fleiss’ κ",
        "Fleiss’ κ",
        "coefficient",
        "Beyond chance, one base rate for all; with two raters it is Scott’s π.",
    ),
    "krippendorff_alpha": FigureName(
        "Krippendorff’s α", "Krippendorff’s α", "coefficient", "Beyond chance, corrected for few answers."
    ),
    "krippendorff_alpha_ordinal": FigureName(
        "Krippendorff’s α, ordinal",
        "Krippendorff’s α, ordinal",
        "coefficient",
        "Neighboring labels differ less than the ends.",
    ),
    "observed_agreement": FigureName(
        "Observed agreement (%)",
        "Observed agreement",
        "share",
        "Share of pairs of votes that are equal.",
    ),
    "gwet_ac1": FigureName(
        "Gwet’s AC1", "Gwet’s AC1", "coefficient", "Beyond chance, steady where one label is rare."
    ),
}

# What papers publish of judges.
JUDGE_MEASURES: Mapping[str, str] = {
    name: FIGURES[name].plain
    for name in (
        *("accuracy_all", "f1", "macro_f1", "precision", "recall"),
        *("cohen_kappa", "gwet_ac1", "kendall_tau_b"),
    )
}


def words_of(figure: Figure) -> str:
    """Return why there is no value, or no interval, in words; empty where nothing lacks."""
    return WHY[figure.why] if figure.why else ""


def words_or_none(value: object) -> str | None:
    """Return why a value is undefined, in words, or None where it is a number."""
    return WHY[value.why] if isinstance(value, Undefined) else None
