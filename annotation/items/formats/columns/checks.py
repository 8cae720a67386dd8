"""Results and checks that promptfoo writes beside answers, and that are no part of them."""

# Before answers, and in columns so called.
RESULTS = ("[PASS] ", "[FAIL] ", "[ERROR] ")
EXPECTED = "__expected"
_WORDS = (
    "“{column}” has results or checks of promptfoo beside answers (“{text}”). Choose the format “promptfoo: "
    "table,” or export the results as JSON."
)


def checks_in(column: str, text: str) -> str:
    """Return what to say of a cell with a result or a check of promptfoo; empty where it has none."""
    if not (text.startswith(RESULTS) or (column.startswith(EXPECTED) and ":" in text)):
        return ""
    return _WORDS.format(column=column[:60], text=" ".join(text[:40].split()))
