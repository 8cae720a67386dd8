/** What figures are called, and why there may be none: made from `common/figures.py`. */
export const WHY = {
  "too_few_questions": "An interval needs at least two questions.",
  "too_few_values": "The interval of a mean of scores needs at least ten answers.",
  "says_nothing": "So few questions say nothing of it.",
  "never_varies": "No question moves it, so it has no interval.",
  "no_value": "Where there is no value, there is no interval.",
  "nothing_counted": "There is nothing to count yet.",
  "nothing_sampled": "Nothing of this has been looked at yet.",
  "not_both": "No answer has both a decision of people and a verdict of the judge.",
  "no_scored": "The judge scored none of the decided answers.",
  "none_accepted": "The judge accepted no answer, so its precision is undefined.",
  "none_correct": "People accepted none of the scored answers, so recall is undefined.",
  "none_either": "One of the two classes appears neither among decisions nor among verdicts.",
  "none_right": "People accepted none of the scored answers.",
  "none_wrong": "People rejected none of the scored answers.",
  "no_scores": "No decided answer has a score of this judge.",
  "one_class": "People decided all scored answers alike, so scores cannot separate two classes.",
  "outside_zero_to_one": "These scores are not all between 0 and 1, so they are no probabilities.",
  "too_few_to_test": "A test of calibration needs at least twenty questions.",
  "no_two_votes": "No answer has votes from two raters yet.",
  "one_label": "Every vote is the same label, so agreement beyond chance cannot be measured.",
  "nothing_shared": "The two share no row on which both have a score.",
  "too_few_systems": "A ranking needs at least two systems with both scores.",
  "all_tied": "All systems have the same score, so there is no ranking to compare.",
  "not_answered": "The system answered none of the questions.",
  "none_apart": "Tested with this way of judging as one family, people's scores tell no two systems apart.",
  "too_many_pairs": "There are too many pairs of raters for an interval.",
  "no_shared_votes": "Nobody else has judged the same answers, tie-breaks aside.",
  "one_label_shared": "All votes on shared answers are the same label, so κ is undefined.",
  "model_based": "A model's estimate, without an interval that holds.",
  "few_raters": "With fewer than three raters on shared answers nobody can say who of them errs.",
  "no_repeats": "No answer was shown twice.",
  "few_repeats": "Fewer than 8 answers came a second time.",
  "few_shared": "Fewer than 8 answers that somebody else judged, too.",
  "itself": "It is the unit, 1 by definition.",
  "no_human": "Raters cannot be compared with each other here.",
  "human_never_errs": "Raters never differ here, so their error is no unit.",
  "chosen_here": "It was chosen on these very answers, so it looks better than it is.",
  "not_probabilities": "This judge's scores are no probabilities.",
  "nothing_beside_people": "It has judged no answer that people judged, too.",
  "nothing_decided": "People have decided nothing yet.",
  "nothing_decided_here": "People have decided nothing in this study yet.",
  "not_all_decided": "People have not decided every answer yet.",
  "not_audited": "Programs settled answers that no audit covers, so people rank no systems.",
  "not_ranked": "The system has no rank: it answered fewer questions than others, or not all is judged.",
  "starts_from_zero": "The score it starts from is zero.",
  "the_first": "The others of this model are compared with it.",
  "from_a_file": "Its verdicts came from a file.",
  "not_paid": "It asks no paid model.",
  "not_finished": "It has not finished.",
  "no_ranking": "This judge has no score for the systems.",
  "not_on_common": "Rankings are over all answers, not over those that every judge has judged.",
  "no_cost_of_people": "People take what they take.",
  "tau_has_none": "τ has no interval that holds: chance in both rankings pulls it down. The leaderboard says how many of the pairs that people tell apart are in the same order.",
  "people_themselves": "By these scores people rank the systems, so there is nothing to compare."
} as const;
export const FIGURES = {
  "accuracy_all": {
    "name": "Agrees with people (%)",
    "plain": "Accuracy",
    "look": "share",
    "about": ""
  },
  "accuracy_scored": {
    "name": "Agrees, of those it judged (%)",
    "plain": "Accuracy of the answers it judged",
    "look": "share",
    "about": ""
  },
  "coverage": {
    "name": "Judged (%)",
    "plain": "Coverage",
    "look": "share",
    "about": ""
  },
  "precision": {
    "name": "Precision (%)",
    "plain": "Precision",
    "look": "share",
    "about": ""
  },
  "recall": {
    "name": "Recall (%)",
    "plain": "Recall",
    "look": "share",
    "about": ""
  },
  "f1": {
    "name": "F1 (%)",
    "plain": "F1",
    "look": "share",
    "about": ""
  },
  "macro_f1": {
    "name": "Macro-F1 (%)",
    "plain": "Macro-F1",
    "look": "share",
    "about": ""
  },
  "agreement": {
    "name": "Say the same (%)",
    "plain": "Agreement",
    "look": "share",
    "about": ""
  },
  "kendall_tau_b": {
    "name": "Kendall’s τ-b",
    "plain": "Kendall’s τ-b",
    "look": "coefficient",
    "about": "Its ranking of systems beside people’s."
  },
  "accepted_share": {
    "name": "Says right (%)",
    "plain": "Says right",
    "look": "share",
    "about": "Share of answers it accepts."
  },
  "correct_share": {
    "name": "Is right (%)",
    "plain": "Is right",
    "look": "share",
    "about": "Share of answers people accept."
  },
  "bias": {
    "name": "Bias (points)",
    "plain": "Bias",
    "look": "difference",
    "about": ""
  },
  "error_multiple": {
    "name": "Error, × another human’s",
    "plain": "Error",
    "look": "multiple",
    "about": ""
  },
  "rejects_right": {
    "name": "Rejects of 100 right",
    "plain": "Rejects right ones",
    "look": "hundred",
    "about": ""
  },
  "accepts_wrong": {
    "name": "Accepts of 100 wrong",
    "plain": "Accepts wrong ones",
    "look": "hundred",
    "about": ""
  },
  "tp_share": {
    "name": "TP, both accept (%)",
    "plain": "TP",
    "look": "share",
    "about": ""
  },
  "fn_share": {
    "name": "FN, the judge rejects, people accept (%)",
    "plain": "FN",
    "look": "share",
    "about": ""
  },
  "fp_share": {
    "name": "FP, the judge accepts, people reject (%)",
    "plain": "FP",
    "look": "share",
    "about": ""
  },
  "tn_share": {
    "name": "TN, both reject (%)",
    "plain": "TN",
    "look": "share",
    "about": ""
  },
  "unscored_share": {
    "name": "Not judged (%)",
    "plain": "Not judged",
    "look": "share",
    "about": "The judge gave no verdict."
  },
  "gain": {
    "name": "Points",
    "plain": "Points",
    "look": "difference",
    "about": ""
  },
  "relative": {
    "name": "Relative (%)",
    "plain": "Relative",
    "look": "change",
    "about": ""
  },
  "accepted": {
    "name": "People accept (%)",
    "plain": "People accept",
    "look": "share",
    "about": ""
  },
  "definitely": {
    "name": "Definitely correct (%)",
    "plain": "Definitely correct",
    "look": "share",
    "about": ""
  },
  "possibly": {
    "name": "Possibly correct (%)",
    "plain": "Possibly correct",
    "look": "share",
    "about": ""
  },
  "either": {
    "name": "Possibly or better (%)",
    "plain": "Possibly or better",
    "look": "share",
    "about": ""
  },
  "answered_share": {
    "name": "Answered (%)",
    "plain": "Answered",
    "look": "share",
    "about": ""
  },
  "right_share": {
    "name": "Right of those (%)",
    "plain": "Right",
    "look": "share",
    "about": ""
  },
  "cohen_kappa": {
    "name": "Cohen’s κ",
    "plain": "Cohen’s κ",
    "look": "coefficient",
    "about": "Beyond chance, each rater with a base rate of their own; of more than two the mean over pairs."
  },
  "fleiss_kappa": {
    "name": "Fleiss’ κ",
    "plain": "Fleiss’ κ",
    "look": "coefficient",
    "about": "Beyond chance, one base rate for all; with two raters it is Scott’s π."
  },
  "krippendorff_alpha": {
    "name": "Krippendorff’s α",
    "plain": "Krippendorff’s α",
    "look": "coefficient",
    "about": "Beyond chance, corrected for few answers."
  },
  "krippendorff_alpha_ordinal": {
    "name": "Krippendorff’s α, ordinal",
    "plain": "Krippendorff’s α, ordinal",
    "look": "coefficient",
    "about": "Neighboring labels differ less than the ends."
  },
  "observed_agreement": {
    "name": "Observed agreement (%)",
    "plain": "Observed agreement",
    "look": "share",
    "about": "Share of pairs of votes that are equal."
  },
  "gwet_ac1": {
    "name": "Gwet’s AC1",
    "plain": "Gwet’s AC1",
    "look": "coefficient",
    "about": "Beyond chance, steady where one label is rare."
  }
} as const;
export const JUDGE_MEASURES = [
  {
    "key": "accuracy_all",
    "name": "Accuracy"
  },
  {
    "key": "f1",
    "name": "F1"
  },
  {
    "key": "macro_f1",
    "name": "Macro-F1"
  },
  {
    "key": "precision",
    "name": "Precision"
  },
  {
    "key": "recall",
    "name": "Recall"
  },
  {
    "key": "cohen_kappa",
    "name": "Cohen’s κ"
  },
  {
    "key": "gwet_ac1",
    "name": "Gwet’s AC1"
  },
  {
    "key": "kendall_tau_b",
    "name": "Kendall’s τ-b"
  }
] as const;
