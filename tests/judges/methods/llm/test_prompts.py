"""Prompts: the built-in ones are usable and as published, broken ones are refused by name."""

import dataclasses

import pytest

from judges.methods.llm.prompts import BUILT_IN, BrokenTemplate, PromptTemplate, require_usable

USABLE = PromptTemplate(
    key="own",
    version=1,
    name="Own",
    system="",
    template="{question} {golds} {answer}",
    parser="strict",
)


def _refusal(**changes: object) -> BrokenTemplate:
    with pytest.raises(BrokenTemplate) as caught:
        require_usable(dataclasses.replace(USABLE, **changes))
    return caught.value


class TestBuiltIn:
    @pytest.mark.parametrize("template", BUILT_IN.values(), ids=list(BUILT_IN))
    def test_are_usable(self, template: PromptTemplate) -> None:
        require_usable(template)

    def test_have_a_hash_each(self) -> None:
        assert len({template.hash for template in BUILT_IN.values()}) == 7


class TestHash:
    @pytest.mark.parametrize(
        "change",
        [
            {"system": "x"},
            {"template": "{data}"},
            {"template": "{question} {golds} {answer} {passages}"},
            {"template": "{question} {golds} {answer} {passages:9}"},
            {"parser": "first-word"},
            {"response_schema": {"type": "object"}},
        ],
    )
    def test_changes_with_what_shapes_a_verdict(self, change: dict[str, object]) -> None:
        assert dataclasses.replace(USABLE, **change).hash != USABLE.hash

    def test_does_not_change_with_a_name(self) -> None:
        assert dataclasses.replace(USABLE, name="Other", version=2).hash == USABLE.hash


class TestRequireUsable:
    @pytest.mark.parametrize(
        "template",
        [
            "{question} {golds_or} {answer}",
            '{data} {"a": 1}',
            "{fence} {data}",
            "{data} {passages}",
            "{data} {passages:1} {passages:100000}",
        ],
    )
    def test_takes_what_is_complete(self, template: str) -> None:
        require_usable(dataclasses.replace(USABLE, template=template))

    @pytest.mark.parametrize(
        ("template", "named"),
        [
            ("{question} {golds} {anwser}", "{anwser} is not a placeholder"),
            ("{question} {golds} {answer} {system}", "{system} is not a placeholder"),
            ("{question} {golds} {answer", "Write {answer} with one brace"),
            ("{question} {golds} { answer }", "Write {answer} with one brace"),
            *(
                (f"{{data}} {written}", "Only {passages} can have a limit")
                for written in (
                    "{passages:}",
                    "{passages:0}",
                    "{passages:x}",
                    "{passages:100001}",
                    "{answer:9}",
                )
            ),
            ("{data} {passages: 9}", "Only {passages} can have a limit"),
            ("{data} {passages:9", "Write {passages} with one brace"),
            ("{question} {golds}", "{answer} is missing"),
            ("{question} {answer}", "{golds} is missing"),
            ("{golds} {answer}", "{question} is missing"),
            ("{question} {golds} {answer} {fence}", "{fence} needs {data}"),
            ("", "{question} is missing"),
            ("{data}" + "x" * 20_000, "20,000 characters"),
        ],
    )
    def test_names_what_is_wrong(self, template: str, named: str) -> None:
        error = _refusal(template=template)
        assert error.field == "template"
        assert named in error.reason

    def test_keeps_others_text_out_of_the_system_message(self) -> None:
        assert (
            "Move {answer} from the system prompt to the template" in _refusal(system="Judge {answer}").reason
        )

    def test_refuses_an_unknown_parser(self) -> None:
        assert _refusal(parser="guess").field == "parser"

    def test_refuses_a_schema_of_no_object(self) -> None:
        assert _refusal(response_schema={"type": "string"}).field == "response_schema"
