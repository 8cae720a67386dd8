"""What Kamalloo et al. 2023 (OpenQA-eval, tables 1 to 4) found of each system, by their released files."""

# system -> EM, F1 in per cent, BEM, InstructGPT-eval, GPT4-eval, Human: counts of 301
NQ301 = {
    "NQ301_text-davinci-003_zeroshot": (38, 27.54, 191, 232, 207, 215),
    "NQ301_text-davinci-003_fewshot-n64": (102, 50.47, 179, 204, 207, 228),
    "NQ_DPR": (138, 52.29, 158, 166, 170, 177),
    "NQ_FiD": (144, 55.35, 175, 185, 186, 195),
    "NQ_Contriever_FiD": (140, 55.85, 183, 190, 194, 200),
    "NQ_ANCE-plus_FiD": (145, 55.88, 179, 190, 188, 198),
    "NQ_Rocketv2_FiD": (150, 58.66, 188, 199, 202, 211),
    "NQ_GAR-plus_FiD": (153, 59.66, 190, 202, 203, 209),
    "NQ_FiD-KD": (153, 61.17, 198, 212, 209, 220),
    "NQ_EviGen": (156, 59.53, 187, 195, 199, 202),
    "NQ_R2D2": (159, 61.41, 192, 206, 199, 215),
    "NQ_EMDR2": (160, 62.56, 194, 206, 206, 220),
}
# system -> EM count and F1 in per cent over all 3,610 questions
ENTIRE = {
    "NQ_DPR": (1477, 47.78),
    "NQ_FiD": (1678, 53.69),
    "NQ_Contriever_FiD": (1728, 55.41),
    "NQ_ANCE-plus_FiD": (1707, 54.84),
    "NQ_Rocketv2_FiD": (1722, 55.57),
    "NQ_GAR-plus_FiD": (1797, 57.43),
    "NQ_FiD-KD": (1789, 57.37),
    "NQ_EviGen": (1799, 56.95),
    "NQ_R2D2": (1890, 59.03),
    "NQ_EMDR2": (1858, 59.46),
}

# rule for missing votes -> Fleiss in per cent, rows, rows on which the first two differ
AGREEMENT = {
    "own-category": (72.76, 1490, 202),
    "drop": (73.47, 1483, 195),
    "as-incorrect": (72.64, 1490, 202),
    "as-correct": (73.57, 1490, 195),
}
# judge -> TP, FN, FP, TN, unscored over the 1,490 rows, and Kendall's tau-b with people over the systems
JUDGES = {
    "exact_match": ((321, 495, 20, 654, 0), 0.2326),
    "recorded:bem": ((599, 217, 72, 602, 0), 0.6977),
    "recorded:text-davinci-003": ((667, 149, 93, 581, 0), 0.7500),
    "recorded:gpt-4": ((679, 137, 89, 583, 2), 0.8125),
}
F1_KENDALL = 0.3385
# Of the 816 answers people accept: how many each judge rejects, and how many of exact match's it accepts.
MISSES = {
    "exact_match": (495, None),
    "recorded:bem": (217, 279),
    "recorded:text-davinci-003": (149, 348),
    "recorded:gpt-4": (137, 362),
}
