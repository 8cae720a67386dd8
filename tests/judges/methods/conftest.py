"""The released files, as plain rows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.text import question_key
from judges.protocol import JudgeInput
from tests.judges.methods.tiny_models import save_classifier, save_encoder


class OpenQAEval:
    """The NQ301 files: what each system answered, and what was said of each answer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.votes = self.table("NQ301_human.tsv")

    def table(self, name: str) -> list[list[str]]:
        rows = (self.folder / name).read_text(encoding="utf-8").split("\n")[1:]
        return [row.split("\t") for row in rows if row]

    def outputs(self, system: str, *, sample_only: bool) -> list[dict[str, Any]]:
        lines = (self.folder / "model_outputs" / f"{system}.jsonl").read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines]
        keys = {question_key(row[1]) for row in self.votes}
        return [row for row in rows if not sample_only or question_key(row["question"]) in keys]

    def golds(self) -> dict[str, tuple[str, ...]]:
        rows = self.outputs("NQ_FiD", sample_only=True)
        return {question_key(row["question"]): tuple(row["answer"]) for row in rows}


@pytest.fixture(scope="session")
def openqa_eval(data_folder: Path) -> OpenQAEval:
    return OpenQAEval(data_folder / "openqa-eval")


@pytest.fixture(scope="session")
def evouna(data_folder: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((data_folder / "evouna" / "NQ.json").read_text(encoding="utf-8"))
    return rows


@pytest.fixture(scope="session")
def gpt3qa(data_folder: Path) -> Callable[[str], list[JudgeInput]]:
    """Read the answers of one system to one set of GPT3QA."""

    def read(name: str) -> list[JudgeInput]:
        rows = json.loads((data_folder / "gpt3qa" / f"{name}_preds.json").read_text(encoding="utf-8"))
        return [JudgeInput(row["question"], row["prediction"], tuple(row["gold_answer"])) for row in rows]

    return read


@pytest.fixture(scope="session")
def encoder_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny encoder with random weights; its tests are skipped where `make neural` was not run."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return save_encoder(tmp_path_factory.mktemp("models") / "encoder")


@pytest.fixture(scope="session")
def regressor_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny classifier with one output."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return save_classifier(tmp_path_factory.mktemp("models") / "regressor", labels=1)


@pytest.fixture(scope="session")
def classifier_folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A tiny classifier with two outputs."""
    pytest.importorskip("torch")
    pytest.importorskip("transformers")
    return save_classifier(tmp_path_factory.mktemp("models") / "classifier", labels=2)
