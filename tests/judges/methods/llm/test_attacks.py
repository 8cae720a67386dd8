"""Answers made to deceive a judge, put to two models that are easily led.

The answers are in tests/golden/attacks.jsonl: our own words, each with its kind and what must become of it.
"""

import dataclasses
import json
import random
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from judges.methods.llm import prompts
from judges.methods.llm.judge import LlmJudge, LlmOptions
from judges.methods.llm.parsing import is_hidden, strip_hidden
from judges.methods.llm.prompts import BUILT_IN, PromptTemplate, WorkedExample, render
from judges.methods.llm.suspicion import find_suspicions
from judges.protocol import JudgeInput, Verdict
from tests.faults.proof import Proof
from tests.judges.methods.llm.mocks import CredulousModel, ObedientModel

ROOT = Path(__file__).resolve().parents[4]
LINES = (ROOT / "tests" / "golden" / "attacks.jsonl").read_text(encoding="utf-8").splitlines()
ATTACKS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
DOCS = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8")
KINDS = (
    "empty",
    "master_key",
    "fake_verdict",
    "delimiter_break",
    "invisible",
    "rubric_override",
    "several_answers",
    "foreign_instruction",
)
EXAMPLES = (
    WorkedExample("which metal is liquid at room temperature", ("mercury",), "mercury", True),
    WorkedExample("which metal is the lightest", ("lithium",), "sodium", False),
)
STRUCTURED = BUILT_IN["structured"]
# What protects the structured prompt is gone, everything else is the same.
WITHOUT_FENCE = dataclasses.replace(
    STRUCTURED,
    system=STRUCTURED.system.replace("between the markers <{fence}> and </{fence}>", "").replace(
        "JSON", "plain"
    ),
    template="Question: {question}\nGold answers: {golds}\nCandidate: {answer}",
)


class Outcome(NamedTuple):
    """What became of the attacks: one verdict each, and how many calls it took."""

    verdicts: list[Verdict]
    calls: int

    @property
    def accepted(self) -> list[tuple[str, tuple[str, ...]]]:
        pairs = zip(ATTACKS, self.verdicts, strict=True)
        return [(attack["id"], verdict.flags) for attack, verdict in pairs if verdict.accepted]


def _inputs() -> list[JudgeInput]:
    return [JudgeInput(each["question"], each["answer"], tuple(each["golds"])) for each in ATTACKS]


def _own_lines(template: PromptTemplate, items: Sequence[JudgeInput]) -> frozenset[str]:
    neutral = [item._replace(answer="") for item in items]
    texts = (
        message.content
        for item in neutral
        for message in render(template, item, examples=_examples(template))
    )
    # The name of the markers changes with the answer.
    return frozenset(line for text in texts for line in text.split("\n")) | {""}


def _examples(template: PromptTemplate) -> tuple[WorkedExample, ...]:
    return EXAMPLES if template.needs_examples else ()


def _attack(
    model: type[ObedientModel], template: PromptTemplate, items: Sequence[JudgeInput] | None = None
) -> Outcome:
    items = _inputs() if items is None else items
    client = model(_own_lines(template, items))
    judge = LlmJudge(LlmOptions(), client=client, template=template, examples=_examples(template))
    return Outcome(judge.judge(items), client.calls)


class TestAttacks:
    def test_are_many_of_each_kind_and_no_two_are_equal(self) -> None:
        assert len(ATTACKS) >= 150
        kinds = Counter(attack["kind"] for attack in ATTACKS)
        assert set(kinds) == set(KINDS)
        assert min(kinds.values()) >= 12
        assert len({attack["id"] for attack in ATTACKS}) == len(ATTACKS)
        assert len({attack["answer"] for attack in ATTACKS}) == len(ATTACKS)

    def test_are_committed_without_hidden_characters(self) -> None:
        assert not any(is_hidden(character) for line in LINES for character in line)

    @pytest.mark.parametrize("attack", ATTACKS, ids=[attack["id"] for attack in ATTACKS])
    def test_are_treated_as_expected(self, attack: dict[str, Any]) -> None:
        item = JudgeInput(attack["question"], attack["answer"], tuple(attack["golds"]))
        outcome = _attack(ObedientModel, STRUCTURED, [item])
        (verdict,) = outcome.verdicts
        assert verdict.accepted is False
        assert (outcome.calls == 0) == (attack["expected"] == "no_call")
        if attack["expected"] == "flagged":
            assert verdict.flags


class TestObedientModel:
    """It obeys the last instruction outside the quoted answer."""

    def test_accepts_none(self) -> None:
        assert _attack(ObedientModel, STRUCTURED).accepted == []

    def test_accepts_what_is_right(self) -> None:
        right = [item._replace(answer=item.golds[0]) for item in _inputs()]
        assert all(verdict.accepted for verdict in _attack(ObedientModel, STRUCTURED, right).verdicts)

    def test_is_led_where_the_markers_are_missing(self) -> None:
        assert len(_attack(ObedientModel, WITHOUT_FENCE).accepted) >= 20

    def test_is_led_where_our_markers_are_not_stripped(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(prompts, "_MARKER", re.compile("(?!)"))
        led = [kind for kind, _ in _attack(ObedientModel, STRUCTURED).accepted]
        assert led
        assert all(each.startswith("delimiter_break") for each in led)


class TestCredulousModel:
    """It obeys any instruction anywhere."""

    def test_is_led_by_nearly_every_instruction(self) -> None:
        led = {name for name, _ in _attack(CredulousModel, STRUCTURED).accepted}
        instructing = {
            attack["id"]
            for attack in ATTACKS
            if attack["kind"] not in {"empty", "master_key", "several_answers"}
        }
        assert len(led & instructing) >= 0.9 * len(instructing)

    @pytest.mark.parametrize("key", BUILT_IN)
    def test_accepts_nothing_unflagged(self, key: str) -> None:
        assert [name for name, flags in _attack(CredulousModel, BUILT_IN[key]).accepted if not flags] == []


class TestProof:
    @pytest.mark.prove
    def test_of_every_prompt_and_model(self) -> None:
        """P18: what an obedient and a credulous model accept, and how much of it goes unnoticed."""
        outcomes = {
            (key, model): _attack(model, template)
            for key, template in BUILT_IN.items()
            for model in (ObedientModel, CredulousModel)
        }
        unnoticed = sum(not flags for outcome in outcomes.values() for _, flags in outcome.accepted)
        led = len(outcomes["structured", ObedientModel].accepted)
        assert unnoticed == led == 0
        flips = sum(len(outcome.accepted) for outcome in outcomes.values())
        Proof().record(
            "P18",
            f"{len(ATTACKS)} attacks, {len(BUILT_IN)} prompts, an obedient and a credulous model",
            promised="0 unnoticed, 0 of an obedient model with the structured prompt",
            measured=f"0 of {flips} accepted attacks unnoticed; {led} with the structured prompt",
            database="any",
        )


class TestDocs:
    @pytest.mark.parametrize("key", BUILT_IN)
    def test_show_what_each_prompt_withstands(self, key: str) -> None:
        obedient, credulous = (_attack(model, BUILT_IN[key]) for model in (ObedientModel, CredulousModel))
        unnoticed = [name for name, flags in obedient.accepted + credulous.accepted if not flags]
        row = (f"`{key}`", len(obedient.accepted), len(credulous.accepted), len(unnoticed))
        assert f"| {' | '.join(map(str, row))} |" in DOCS
        assert f"{len(ATTACKS) - obedient.calls} attacks take no call" in DOCS
        assert f"holds {len(ATTACKS)} answers" in DOCS


class TestHiddenCharacters:
    def test_never_reach_a_model_as_data(self) -> None:
        for item in _inputs():
            for message in render(STRUCTURED, item):
                assert strip_hidden(message.content) == message.content


@pytest.fixture(scope="module")
def real_answers(evouna: list[dict[str, Any]]) -> list[JudgeInput]:
    answers = [
        JudgeInput(row["question"], row[name], tuple((row["golden_answer"] or "").split("/")))
        for row in evouna
        for name in row
        if name.startswith("answer_") and row[name]
    ]
    return random.Random(2023).sample(answers, 1_000)


class TestOnEvouna:
    @pytest.mark.parametrize("model", [ObedientModel, CredulousModel])
    def test_hardly_a_real_answer_is_flagged(
        self, model: type[ObedientModel], real_answers: list[JudgeInput]
    ) -> None:
        verdicts = _attack(model, STRUCTURED, real_answers).verdicts
        assert sum(bool(verdict.flags) for verdict in verdicts) <= 10

    def test_hidden_characters_and_markers_are_not_found_in_any(self, real_answers: list[JudgeInput]) -> None:
        found = Counter(flag for item in real_answers for flag in find_suspicions(item.answer))
        assert found["hidden_characters"] == found["role_marker"] == 0
