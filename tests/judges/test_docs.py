"""docs/judges.md describes every judge of the registry as it is."""

import re
from pathlib import Path

import pytest

from judges.methods.llm.prompts import BUILT_IN, DEFAULT_PROMPT
from judges.registry import JUDGES, JudgeEntry, Needs, make_options, make_signature, options_of

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "judges.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
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
    Needs.MEMBERS: {"members": "0123456789abcdef,fedcba9876543210"},
}


class TestDocs:
    def test_have_a_section_for_each_judge_in_the_order_of_the_registry(self) -> None:
        assert [name for name in SECTIONS if name in JUDGES] == list(JUDGES)

    @pytest.mark.parametrize("entry", JUDGES.values(), ids=list(JUDGES))
    def test_say_of_each_what_must_be_said(self, entry: JudgeEntry) -> None:
        said = re.findall(r"^- \*\*([\w ]+)\.\*\*", SECTIONS[entry.key], re.MULTILINE)
        assert said == ["Formula", "Source", "Range", "Edge cases", "Options", "Signature"]

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
