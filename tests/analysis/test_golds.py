"""One function says whether an answer is among the gold answers; who compares by itself says why."""

import re
from pathlib import Path

import pytest

from analysis.text import GoldEntries, gold_entries_of

ROOT = Path(__file__).parents[2]
COMPARING = re.compile(r"\bnormalize_answer\b")

# Whoever normalizes answers outside of it, and why no pattern is taken for a text there.
BY_ITSELF = {
    "annotation/items/rules.py": "answers with answers: pooling and rows of files",
    "annotation/items/formats/papers/evouna.py": "gold of a file that has no patterns",
    "annotation/items/services/known.py": "counts answers that equal a gold answer, never a pattern",
    "annotation/gold/rules/ledger.py": "what people decided, never a pattern",
    "annotation/gold/selectors/ledger.py": "answers with answers to the same question, never a pattern",
    "annotation/gold/rules/proposals.py": "its caller leaves patterns out, which are kept apart",
    "annotation/release/rules.py": "leaves patterns apart",
    "annotation/items/selectors.py": "asks only whether an answer says anything",
    "judges/comparison/selectors/study.py": "whole columns at once; searches for patterns apart",
    "judges/comparison/selectors/own_golds.py": "gold of a file's own, which has no patterns",
    "judges/comparison/selectors/leaderboard/amendments.py": "what people decided, never a pattern",
    "judges/comparison/selectors/leaderboard/proposals.py": "proposed strings; patterns are searched apart",
    "judges/verification/rules/facts.py": "counts again on its own; patterns are searched apart",
    "judges/tagging/rules/proposals.py": "its caller leaves patterns out",
}
# Who asks it.
CALLERS = {
    "annotation/adjudication/services/settling.py",
    "annotation/items/selectors.py",
    "annotation/agreement/selectors/parts.py",
    "judges/comparison/selectors/study.py",
    "judges/tagging/selectors.py",
}


def modules_with(pattern: re.Pattern[str]) -> set[str]:
    files = [path for folder in ("annotation", "judges") for path in (ROOT / folder).rglob("*.py")]
    # Judges get strings and patterns apart (judges/runs/selectors/work.py).
    names = {str(path.relative_to(ROOT)) for path in files if pattern.search(path.read_text())}
    return {name for name in names if not name.startswith("judges/methods/")}


class TestGoldEntries:
    @pytest.mark.parametrize(
        ("answer", "has"),
        [("the Paris!", True), ("It is Lyon.", True), ("lxon", True), ("L[xy]on", False), ("", False)],
    )
    def test_strings_are_compared_and_patterns_searched_for(self, answer: str, has: bool) -> None:
        assert gold_entries_of([("Paris", False), ("L[xy]on", True)]).has(answer) is has

    def test_without_patterns_what_they_find_equals_nothing(self) -> None:
        entries = gold_entries_of([("Paris", False), ("L[xy]on", True)])
        assert (entries.equals("paris"), entries.equals("Lyon")) == (True, False)

    def test_none_has_nothing(self) -> None:
        assert not GoldEntries().has("Paris")

    def test_a_pattern_nobody_can_use_finds_nothing(self) -> None:
        assert not gold_entries_of([("(broken", True)]).has("(broken")


class TestWhoCompares:
    def test_everybody_else_is_listed_with_the_reason(self) -> None:
        assert modules_with(COMPARING) == set(BY_ITSELF)

    def test_the_callers_are_these(self) -> None:
        assert modules_with(re.compile(r"(?<!def )\bgold_entries\(")) == CALLERS
