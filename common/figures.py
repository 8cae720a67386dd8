"""What figures are called, and why there may be none: said here once, for the pages, files and reports."""

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from analysis.intervals import Figure, Undefined, Why

DASH = "–"

WHY: Mapping[Why, str] = {
    Why.TOO_FEW_QUESTIONS: "An interval needs at least two questions.",
    Why.TOO_FEW_VALUES: "An interval for a mean score needs at least ten answers.",
    Why.SAYS_NOTHING: "There are too few questions to estimate this.",
    Why.NEVER_VARIES: "This figure does not vary across questions, so it has no interval.",
    Why.NO_VALUE: "There is no value, so there is no interval.",
    Why.NOTHING_COUNTED: "There is nothing to count yet.",
    Why.NOTHING_SAMPLED: "Nothing in this sample has been reviewed yet.",
    Why.NOT_BOTH: "No answer has both a decision by people and a verdict by the judge.",
    Why.NO_SCORED: "The judge scored none of the decided answers.",
    Why.NONE_ACCEPTED: "The judge accepted no answers, so its precision is undefined.",
    Why.NONE_CORRECT: "People accepted none of the scored answers, so recall is undefined.",
    Why.NONE_EITHER: "People and the judge both accepted all of these answers, or both rejected all of them.",
    Why.NONE_RIGHT: "People accepted none of the scored answers.",
    Why.NONE_WRONG: "People rejected none of the scored answers.",
    Why.NO_SCORES: "This judge has not scored any decided answers.",
    Why.ONE_CLASS: (
        "People made the same decision on all scored answers. This figure needs both accepted and "
        "rejected answers."
    ),
    Why.OUTSIDE_ZERO_TO_ONE: "These scores are not all between 0 and 1, so they are not probabilities.",
    Why.TOO_FEW_TO_TEST: "A calibration test needs at least 20 questions.",
    Why.NO_TWO_VOTES: "No answer has votes from two annotators yet.",
    Why.ONE_LABEL: "Every vote is for the same label, so agreement beyond chance cannot be measured.",
    Why.NOTHING_SHARED: "No answer has both scores to compare.",
    Why.TOO_FEW_SYSTEMS: (
        "A ranking needs at least two systems that have a score from people and from the judge."
    ),
    Why.ALL_TIED: "All systems have the same score, so there is no ranking to compare.",
    Why.NOT_ANSWERED: "The system answered none of the questions.",
    Why.NONE_APART: (
        "According to people’s scores, no two systems differ significantly after correction for multiple "
        "comparisons."
    ),
    Why.TOO_MANY_PAIRS: "There are too many pairs of annotators to compute an interval.",
    Why.NO_SHARED_VOTES: "Nobody else has judged the same answers, not counting tie-breaks.",
    Why.ONE_LABEL_SHARED: "All votes on shared answers are for the same label, so κ is undefined.",
    Why.MODEL_BASED: "This is an estimate from a statistical model and has no reliable interval.",
    Why.FEW_RATERS: (
        "With fewer than three annotators for the same answers, nobody can tell which annotator is wrong."
    ),
    Why.NO_REPEATS: "No answer was shown twice.",
    Why.FEW_REPEATS: "Fewer than eight answers were shown twice.",
    Why.FEW_SHARED: "Fewer than eight answers were also judged by somebody else.",
    Why.ITSELF: "This is the unit of comparison, so it is 1 by definition.",
    Why.NO_HUMAN: "Annotators cannot be compared with each other here.",
    Why.HUMAN_NEVER_ERRS: (
        "Annotators never disagree here, so their error cannot be used as the unit of comparison."
    ),
    Why.CHOSEN_HERE: "The threshold was chosen on these same answers, so this figure is too optimistic.",
    Why.NOT_PROBABILITIES: "This judge’s scores are not probabilities.",
    Why.NOTHING_BESIDE_PEOPLE: "This judge has not judged any answers that people judged.",
    Why.NOTHING_DECIDED: "People have not decided any answers yet.",
    Why.NOTHING_DECIDED_HERE: "People have not decided any answers in this project yet.",
    Why.NOT_ALL_DECIDED: "People have not decided every answer yet.",
    Why.NOT_AUDITED: (
        "Automatic judges settled some answers without an audit, so there is no ranking by people."
    ),
    Why.NOT_RANKED: (
        "The system has no rank: it answered fewer questions than other systems, or some of its "
        "answers have not been judged."
    ),
    Why.STARTS_FROM_ZERO: "The baseline score is zero.",
    Why.THE_FIRST: "Other judges that use this model are compared with this one.",
    Why.FROM_A_FILE: "The verdicts were imported from a file, so the judge’s cost and speed are unknown.",
    Why.NOT_PAID: "This judge uses no paid model.",
    Why.NOT_FINISHED: "This run has not finished.",
    Why.NO_RANKING: "This judge has no scores for the systems.",
    Why.NOT_ON_COMMON: "Rankings cover all answers, not only those that every judge has judged.",
    Why.NO_COST_OF_PEOPLE: "Cost per call does not apply to people.",
    Why.TAU_HAS_NONE: (
        "τ has no reliable interval because random error in both rankings lowers τ. Instead, the leaderboard "
        "considers only pairs of systems for which people’s scores differ significantly, and shows how many "
        "of them the judge ranks in the same order as people do."
    ),
    Why.PEOPLE_THEMSELVES: (
        "People’s ranking of the systems is based on these scores, so there is nothing to compare."
    ),
    Why.NO_BETTER_THAN_CHANCE: "The judge accepts correct answers no more often than incorrect ones.",
    Why.FEW_TO_REPLACE: (
        "This figure needs at least three annotators. Each must have judged at least 30 answers that "
        "this judge and another annotator also judged."
    ),
    Why.THESE_RATERS: "This share describes only the annotators in this project, so it has no interval.",
    Why.SAMPLE_CHOSEN: (
        "The judged questions were selected, not sampled at random, so they do not represent the others."
    ),
    Why.SAMPLE_OPEN: (
        "People have not decided every sampled answer yet, and the answers decided first are not a "
        "random sample."
    ),
    Why.NOT_DRAWN: (
        "Some of the system’s answers could not be sampled for human judging, so people’s labels do not "
        "represent them."
    ),
    Why.FEW_LABELS: "An estimate for all answers needs at least 30 labels on the system’s answers.",
    Why.FEW_AUDITED: "People have judged too few audited answers to correct this figure.",
    Why.READS_PEOPLE: "This judge has used people’s decisions, so they cannot be used to correct it.",
    Why.NOT_ALL_JUDGED: "The judge has not judged every answer.",
    Why.TOO_FEW_TO_PLAN: (
        "This project has too few questions for such a narrow interval, even if people judge all of them."
    ),
    Why.NO_JUDGE_OF_ALL: "No judge has judged every answer yet, so there is no basis for a plan.",
}


class FigureName(NamedTuple):
    """A figure as people read it; its key is what files and replies call it.

    name: in tables, with its unit. plain: where the unit stands elsewhere.
    look: how it is printed: a share (0 to 1, in percent), a coefficient, a difference of shares in points, a
    multiple, or a count of a hundred. about: what it means, in a sentence or two; empty where the name says
    it, or where term does. see: where the documentation says more, as a page and its heading. term: the key
    of the glossary's term that says both.
    """

    name: str
    plain: str
    look: str
    about: str = ""
    see: str = ""
    term: str = ""


BESIDE_PEOPLE = "statistics#judges-against-people"
IN_A_PLACE = "statistics#which-judge-may-replace-an-annotator"
ITS_KIN = "statistics#a-judge-that-is-asked-again-or-judges-its-kin"
OF_SYSTEMS = "statistics#scores-of-systems"
FROM_A_SAMPLE = "statistics#scores-from-a-sample-and-a-judge"
AMONG_RATERS = "statistics#agreement-among-annotators"

FIGURES: Mapping[str, FigureName] = {
    # Of judges beside people.
    "accuracy_all": FigureName(
        "Agrees with people (%)",
        "Accuracy",
        "share",
        "Of all answers that people decided, the share on which the judge agrees. An answer that it could "
        "not judge counts as an error.",
        BESIDE_PEOPLE,
    ),
    "accuracy_scored": FigureName(
        "Agrees on answers it judged (%)",
        "Accuracy on the answers it judged",
        "share",
        "Of the answers on which the judge gave a verdict, the share on which it agrees with people.",
        BESIDE_PEOPLE,
    ),
    "coverage": FigureName(
        "Judged (%)",
        "Coverage",
        "share",
        "Share of the decided answers on which the judge gave a verdict.",
        BESIDE_PEOPLE,
    ),
    "precision": FigureName(
        "Precision (%)",
        "Precision",
        "share",
        "Of the answers that the judge accepts, the share that people also accept.",
        BESIDE_PEOPLE,
    ),
    "recall": FigureName(
        "Recall (%)",
        "Recall",
        "share",
        "Of the answers that people accept, the share that the judge also accepts.",
        BESIDE_PEOPLE,
    ),
    "f1": FigureName(
        "F1 (%)",
        "F1",
        "share",
        "The harmonic mean of precision and recall. It is high only if both are high.",
        BESIDE_PEOPLE,
    ),
    "macro_f1": FigureName(
        "Macro-F1 (%)",
        "Macro-F1",
        "share",
        "The mean of the F1 for correct answers and the F1 for incorrect ones, so both count equally.",
        BESIDE_PEOPLE,
    ),
    "agreement": FigureName(
        "Agreement (%)",
        "Agreement",
        "share",
        "Of the answers that both members of a pair judged, the share on which they agree.",
        BESIDE_PEOPLE,
    ),
    "kendall_tau_b": FigureName(
        "Kendall’s τ-b",
        "Kendall’s τ-b",
        "coefficient",
        "How closely the judge’s ranking of the systems matches people’s ranking: 1 for the same "
        "order, −1 for the reverse order.",
        OF_SYSTEMS,
    ),
    "accepted_share": FigureName(
        "Accepts (%)", "Accepts", "share", "Share of answers the judge accepts.", BESIDE_PEOPLE
    ),
    "correct_share": FigureName(
        "Accepted by people (%)",
        "Accepted by people",
        "share",
        "Share of answers people accept.",
        BESIDE_PEOPLE,
    ),
    "bias": FigureName(
        "Bias (points)",
        "Bias",
        "difference",
        "How much the judge overstates (+) or understates (−) the share of correct answers.",
        BESIDE_PEOPLE,
    ),
    "error_multiple": FigureName(
        "Error relative to one annotator (×)",
        "Relative error",
        "multiple",
        "How often the judge disagrees with people’s decisions, divided by how often one annotator disagrees "
        "with the other annotators. 2 means twice as often.",
        BESIDE_PEOPLE,
    ),
    "rejects_right": FigureName(
        "Rejected per 100 correct",
        "Rejects correct answers",
        "hundred",
        "Of 100 answers that people accept, how many the judge rejects.",
        BESIDE_PEOPLE,
    ),
    "accepts_wrong": FigureName(
        "Accepted per 100 incorrect",
        "Accepts incorrect answers",
        "hundred",
        "Of 100 answers that people reject, how many the judge accepts.",
        BESIDE_PEOPLE,
    ),
    "tp_share": FigureName("TP: both accept (%)", "TP", "share"),
    "fn_share": FigureName("FN: judge rejects, people accept (%)", "FN", "share"),
    "fp_share": FigureName("FP: judge accepts, people reject (%)", "FP", "share"),
    "tn_share": FigureName("TN: both reject (%)", "TN", "share"),
    "unscored_share": FigureName(
        "Not judged (%)", "Not judged", "share", "The judge gave no verdict.", BESIDE_PEOPLE
    ),
    # Of a judge in a rater's place.
    "winning_rate": FigureName(
        "Annotators it may replace (%)",
        "Winning rate ω",
        "share",
        "Share of annotators whom the judge beats, matches, or trails by significantly less than ε, the "
        "margin you choose.",
        IN_A_PLACE,
    ),
    "advantage": FigureName(
        "At least as close as an annotator (%)",
        "Advantage ρ",
        "share",
        "For each annotator, the share of answers on which the judge is at least as close to the other "
        "annotators as that annotator is. The figure is the mean over all annotators.",
        IN_A_PLACE,
    ),
    # Of a judge that is asked again, and of one that judges systems of its own family.
    "flipped_share": FigureName(
        "Changed (%)",
        "Flip rate",
        "share",
        "Share of answers that the judge judged differently when asked again.",
        ITS_KIN,
    ),
    "own_lenience": FigureName(
        "Leniency toward its family (points)",
        "Leniency toward its family",
        "difference",
        "On answers from systems in the judge’s own model family: the share the judge accepts "
        "minus the share people accept.",
        ITS_KIN,
    ),
    "other_lenience": FigureName(
        "Leniency toward others (points)",
        "Leniency toward others",
        "difference",
        "On answers from other systems: the share the judge accepts minus the share people accept.",
        ITS_KIN,
    ),
    "self_preference": FigureName(
        "Difference (points)",
        "Self-preference",
        "difference",
        "How much more lenient the judge is toward systems in its own model family than toward others.",
        ITS_KIN,
    ),
    # Of systems, and of what exact match rejects of them.
    "gain": FigureName(
        "Points", "Points", "difference", "One score minus the other, in percentage points.", OF_SYSTEMS
    ),
    "relative": FigureName(
        "Relative (%)",
        "Relative",
        "change",
        "The difference between the two scores as a percentage of the baseline score.",
        OF_SYSTEMS,
    ),
    "accepted": FigureName("People accept (%)", "People accept", "share"),
    "definitely": FigureName("Definitely correct (%)", "Definitely correct", "share"),
    "possibly": FigureName("Possibly correct (%)", "Possibly correct", "share"),
    "either": FigureName("Possibly or definitely correct (%)", "Possibly or definitely correct", "share"),
    "answered_share": FigureName("Answered (%)", "Answered", "share"),
    "right_share": FigureName("Correct among answered (%)", "Correct", "share"),
    # Of systems by people who saw a random sample, a judge that saw all, and both.
    "people_only": FigureName(
        "People only, weighted (%)",
        "People only, weighted",
        "share",
        "Estimate for all answers from people’s decisions on a random sample. Each decision is "
        "weighted by the inverse of its sampling probability.",
        FROM_A_SAMPLE,
    ),
    "judge_only": FigureName(
        "Judge only (%)",
        "Judge only",
        "share",
        "Share of all answers that the judge accepts. The interval ignores the judge’s errors.",
        FROM_A_SAMPLE,
    ),
    "corrected": FigureName(
        "Corrected (%)",
        "Corrected",
        "share",
        "The judge’s verdicts on all answers, corrected by people’s decisions on a random sample.",
        FROM_A_SAMPLE,
    ),
    # Of raters among themselves; the first and the last also of judges beside people.
    "cohen_kappa": FigureName(
        "Cohen’s κ",
        "Cohen’s κ",
        "coefficient",
        term="cohens-κ",
    ),
    "fleiss_kappa": FigureName(
        "Fleiss’ κ",
        "Fleiss’ κ",
        "coefficient",
        term="fleiss-κ",
    ),
    "krippendorff_alpha": FigureName(
        "Krippendorff’s α",
        "Krippendorff’s α",
        "coefficient",
        "Agreement beyond chance, corrected for small samples.",
        AMONG_RATERS,
    ),
    "krippendorff_alpha_ordinal": FigureName(
        "Krippendorff’s α, ordinal",
        "Krippendorff’s α, ordinal",
        "coefficient",
        "Agreement beyond chance for ordered labels: a difference between neighboring labels counts less "
        "than one between distant labels.",
        AMONG_RATERS,
    ),
    "observed_agreement": FigureName(
        "Observed agreement (%)",
        "Observed agreement",
        "share",
        "Of all pairs of votes on the same answer, the share in which both votes are the same. Some "
        "pairs agree only by chance.",
        AMONG_RATERS,
    ),
    "gwet_ac1": FigureName(
        "Gwet’s AC1",
        "Gwet’s AC1",
        "coefficient",
        term="gwets-ac1",
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


def share_with_interval(figure: Figure) -> str:
    """Return "86.4% (84.2–88.7)"."""
    text, bracket, bounds = with_interval(figure, digits=1, scale=100).partition(" (")
    return DASH if figure.value is None else f"{text}%{bracket}{bounds}"


def with_interval(figure: Figure, *, digits: int, scale: float = 1) -> str:
    """Return "0.728 (0.682–0.773)", without the bounds where there are none."""
    if figure.value is None:
        return DASH
    text = rounded(figure.value, digits=digits, scale=scale)
    if figure.low is None or figure.high is None:
        return text
    low, high = (rounded(bound, digits=digits, scale=scale) for bound in (figure.low, figure.high))
    # Two minus signs and a dash between them would not be read.
    return f"{text} ({low} to {high})" if low.startswith("-") else f"{text} ({low}–{high})"


def rounded(number: float, *, digits: int, scale: float = 1) -> str:
    """Return `scale` times a number with so many digits, ties away from zero, as pages write it.

    What is rounded is the number as written, the shortest text that reads as it: 466 of 800 are 58.25% and
    "58.3", though the nearest binary fraction is a little more or less.
    """
    exact = Decimal(repr(float(number))) * Decimal(repr(scale))
    text = str(exact.quantize(Decimal(1).scaleb(-digits), rounding=ROUND_HALF_UP))
    # What is rounded to zero has no sign.
    return text.lstrip("-") if float(text) == 0 else text
