"""NQ301 as its authors released it (Kamalloo et al. 2023): what twelve systems answered, and the votes."""

import csv
import json
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from analysis.text import question_key
from annotation.gold.rules.proposals import Judged

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
FOLDER = "openqa-eval"


class StudyQuestion(NamedTuple):
    """A question with the gold answers of all files, its judged rows, and what each system answered."""

    key: str
    text: str
    gold: tuple[str, ...]
    judged: tuple[Judged, ...]
    predictions: Mapping[str, str]


def read_nq301(folder: Path) -> list[StudyQuestion]:
    """Return the judged questions in the order of the human file; folder: `openqa-eval`."""
    judged: dict[str, list[Judged]] = defaultdict(list)
    texts: dict[str, str] = {}
    for row in read_rows(folder / "NQ301_human.tsv"):
        key = question_key(row["Question"])
        texts.setdefault(key, row["Question"])
        judged[key].append(Judged(row["Model answer"], row["Acceptable?"] == "Yes"))
    gold: dict[str, dict[str, None]] = defaultdict(dict)
    predictions: dict[str, dict[str, str]] = defaultdict(dict)
    for path in sorted((folder / "model_outputs").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            found = json.loads(line)
            key = question_key(found["question"])
            gold[key].update(dict.fromkeys(_as_list(found["answer"])))
            predictions[key][path.stem] = _as_list(found["prediction"])[0]
    return [
        StudyQuestion(key, texts[key], tuple(gold[key]), tuple(rows), predictions[key])
        for key, rows in judged.items()
    ]


def read_rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a released table, in which quotation marks are ordinary characters."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def _as_list(value: str | list[str]) -> list[str]:
    return value if isinstance(value, list) else [value]
