"""A judge for Assay in a package of its own."""

from assay.judges import JudgeEntry

ALL_WORDS = JudgeEntry(
    key="all_words",
    name="All words",
    summary="The answer has all words of a gold answer, in any order.",
    source="An example from Assay’s documentation",
    # Loaded when the judge is described or used. Import heavy libraries inside the class.
    factory="assay_example_judge.all_words:AllWords",
    # Raise it whenever equal options may give another verdict.
    revision=1,
)
