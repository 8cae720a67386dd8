"""docs/judges.md describes every judge of the registry as it is."""

import re
from pathlib import Path

import pytest

from analysis import text
from judges.methods import jury
from judges.methods.learned.judge import EMPTY_ANSWER
from judges.methods.lexical import containment
from judges.methods.llm import judge as llm
from judges.methods.llm import parsing
from judges.methods.llm.prompts import BUILT_IN, DEFAULT_PROMPT
from judges.protocol import JudgeInput
from judges.registry import JUDGES, JudgeEntry, Needs, make_judge, make_options, make_signature, options_of
from judges.runs import rules

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "judges.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
POINTS = ("Formula", "Source", "Range", "Edge cases", "Options", "Signature")
# Why a judge may leave an answer unscored.
REASONS = {
    "containment": (containment.EMPTY_GOLD,),
    "learned": (containment.EMPTY_GOLD, EMPTY_ANSWER),
    "regex": (text.TOO_COSTLY, text.UNUSABLE),
    "llm": (
        parsing.ABSTAINED,
        parsing.CONTRADICTORY,
        parsing.EMPTY_REPLY,
        parsing.FILTERED,
        parsing.TRUNCATED,
        parsing.UNPARSABLE,
        llm.TIED,
    ),
    "jury": (jury.TIED, jury.UNDECIDED),
    "recorded": (parsing.ABSTAINED, parsing.UNPARSABLE),
}
# Answers and gold answers between all and nothing in common, and what is left of neither.
TEXTS = (
    "",
    "The",
    "?!",
    "1962",
    "in 11962",
    "Zoë",
    "Zoe’s",
    "no",
    "not Paul",
    "Paul McCartney",
    "Пол",
    "x" * 999,
)
# What a run adds to the signature of a judge that needs it.
CONTEXT = {
    Needs.CONNECTION: {
        "model": "gpt-4o-mini",
        "host": "api.openai.com",
        "endpoint": "chat",
        "parameters": "{}",
        "prompt_hash": BUILT_IN[DEFAULT_PROMPT].hash,
        "examples_hash": "none",
    },
    Needs.DECISIONS: {"decisions": "0123456789abcdef"},
    Needs.MEMBERS: {"members": "0123456789abcdef,fedcba9876543210"},
}

LEXICAL = [entry for entry in JUDGES.values() if entry.is_lexical]


def points_of(key: str) -> dict[str, str]:
    """Return what a judge's section says, by point, in its order."""
    return dict(re.findall(r"^- \*\*([\w ]+)\.\*\* (.*)", SECTIONS[key], re.MULTILINE))


class TestDocs:
    def test_have_a_section_for_each_judge_in_the_order_of_the_registry(self) -> None:
        assert [name for name in SECTIONS if name in JUDGES] == list(JUDGES)

    @pytest.mark.parametrize("entry", JUDGES.values(), ids=list(JUDGES))
    def test_say_of_each_what_must_be_said(self, entry: JudgeEntry) -> None:
        said = points_of(entry.key)
        assert tuple(said) == POINTS
        assert all(len(text) >= 5 for text in said.values())

    @pytest.mark.parametrize("entry", JUDGES.values(), ids=list(JUDGES))
    def test_name_the_source_that_the_registry_names(self, entry: JudgeEntry) -> None:
        works = re.findall(r"[A-Z]\w+(?: et al\.| and \w+)? \d{4}", entry.source)
        assert all(work in points_of(entry.key)["Source"] for work in works)

    @pytest.mark.parametrize("entry", LEXICAL, ids=[entry.key for entry in LEXICAL])
    def test_say_in_which_range_its_scores_are(self, entry: JudgeEntry) -> None:
        least, link, most = re.match(r"(\d+) (or|to) (\d+)", points_of(entry.key)["Range"]).groups()
        pairs = [(answer, gold) for answer in TEXTS for gold in TEXTS]
        batch = [JudgeInput("who", answer, (gold,), (re.escape(gold),)) for answer, gold in pairs]
        scores = {
            verdict.score for verdict in make_judge(entry, {}).judge(batch) if verdict.score is not None
        }
        if entry.states_probability:
            # It is never sure, and on texts such as these on neither side.
            assert int(least) < min(scores) < 0.1 < 0.9 < max(scores) < int(most)
            return
        assert min(scores) == int(least)
        assert max(scores) == int(most)
        assert (len(scores) == 2) == (link == "or")

    @pytest.mark.parametrize("key", REASONS)
    def test_name_every_reason_to_leave_an_answer_unscored(self, key: str) -> None:
        assert [reason for reason in REASONS[key] if f"`{reason}`" not in SECTIONS[key]] == []

    def test_name_every_reason_that_comes_from_no_judge(self) -> None:
        head = TEXT.partition("\n## ")[0]
        for reason in (rules.NO_GOLD, rules.ONLY_PATTERNS, rules.NO_PATTERN):
            assert f"| `{reason}` |" in head

    @pytest.mark.parametrize("entry", JUDGES.values(), ids=list(JUDGES))
    def test_name_every_option_with_its_default_and_choices(self, entry: JudgeEntry) -> None:
        section = SECTIONS[entry.key]
        for option in options_of(entry):
            shown = f"`{option.default}`" if option.type == "str" else str(option.default)
            assert f"`{option.name}` ({shown})" in section
            assert all(f"`{choice}`" in section for choice in option.choices or ())

    @pytest.mark.parametrize("key", [key for key, entry in JUDGES.items() if entry.is_startable])
    def test_show_the_signature_of_the_defaults(self, key: str) -> None:
        context = {"gold": "original", **CONTEXT.get(JUDGES[key].needs, {})}
        signature = make_signature(key, make_options(JUDGES[key], {}), **context)
        assert f"`{signature}`" in SECTIONS[key]
