"""What GPT3QA's two lexical judges (Si et al.) accept of the released predictions."""

# Right answers of 100: exact match, Fuzzy Match, Fuzzy Match with synonyms.
COUNTS = {
    "NQ_test_GPT": (24, 36, 36),
    "NQ_test_PromptRetrieve": (29, 43, 44),
    "TriviaQA_test_GPT": (53, 61, 61),
    "TriviaQA_test_PromptRetrieve": (52, 62, 62),
    "BeerQA_test_GPT": (26, 35, 36),
    "BeerQA_test_PromptRetrieve": (27, 35, 35),
    "CSQA2_test_GPT": (47, 47, 47),
    "CSQA2_test_PromptRetrieve": (32, 32, 32),
}
