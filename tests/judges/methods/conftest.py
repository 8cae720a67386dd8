"""The released files, as plain rows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from analysis.text import question_key
from judges.protocol import JudgeInput
from tests.judges.methods.tiny_models import save_classifier, save_encoder

NQ301_SYSTEMS = {
    # file: (exact matches, mean F1 in per cent) on the 301 questions
    "NQ301_text-davinci-003_zeroshot": (38, 27.54),
    "NQ301_text-davinci-003_fewshot-n64": (102, 50.47),
    "NQ_DPR": (138, 52.29),
    "NQ_FiD": (144, 55.35),
    "NQ_Contriever_FiD": (140, 55.85),
    "NQ_ANCE-plus_FiD": (145, 55.88),
    "NQ_Rocketv2_FiD": (150, 58.66),
    "NQ_GAR-plus_FiD": (153, 59.66),
    "NQ_FiD-KD": (153, 61.17),
    "NQ_EviGen": (156, 59.53),
    "NQ_R2D2": (159, 61.41),
    "NQ_EMDR2": (160, 62.56),
}
ENTIRE_SYSTEMS = {
    # file: (exact matches, mean F1 in per cent) on all 3,610 questions
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
