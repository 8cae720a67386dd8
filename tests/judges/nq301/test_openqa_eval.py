"""OpenQA-eval's own evaluation, given the annotation that Assay exports, comes to the published column.

Written anew from what their command does with a file of outputs and a file of annotation. Nothing of the
product is used in it: questions are joined, answers normalized and gold answers amended here. Sources:
Kamalloo et al. 2023, table 3 (*Human*), and their released outputs.
"""

import csv
import json
import re
import string
import unicodedata
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import pytest

from annotation.projects.models import Project
from annotation.release.services import write_file
from commands.reproduction.published import NQ301 as PRINTED
from tests.golden.openqa_eval import ENTIRE, NQ301

pytestmark = pytest.mark.long

NEGATED_WORDS = ("don't", "ain't", "won't", "didn't", "can't", "doesn't")
JOINED_WORDS = {"wanna": "wan na", "gonna": "gon na", "gimme": "gim me"}


class Annotation(NamedTuple):
    """The answers to one question that people accepted, and those that they rejected."""

    accepted: set[str]
    rejected: set[str]


class Evaluated(NamedTuple):
    """How many outputs of a system could be evaluated, and the share that was right of them, in per cent."""

    rows: int
    right: int

    @property
    def percent(self) -> float:
        return 100 * self.right / self.rows


def evaluate(outputs: Path, annotations: Mapping[str, Annotation]) -> Evaluated:
    """Score the outputs to annotated questions by exact match with the gold answers that people amended."""
    scores = [
        score
        for key, gold, answer in read_outputs(outputs)
        if key in annotations and (score := annotated_match(answer, gold, annotations[key])) is not None
    ]
    return Evaluated(len(scores), sum(scores))


def annotated_match(answer: str, gold: set[str], people: Annotation) -> bool | None:
    """Return whether an answer is right; None where no gold answer is left, and nobody rejected this one."""
    amended = gold | people.accepted
    for text in people.rejected:
        # What is rejected goes as it was typed, or else in small letters.
        amended.discard(text if text in amended else text.lower())
    if not amended:
        is_rejected = any(answer.lower() == text.lower() for text in people.rejected)
        return False if is_rejected else None
    return normalized(answer) in map(normalized, amended)


def normalized(text: str) -> str:
    """Return a text as SQuAD's evaluation compares it."""
    bare = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def read_outputs(path: Path) -> Iterator[tuple[str, set[str], str]]:
    """Yield of each line the question's key, its gold answers, and the answer: of a list the first."""
    with path.open(encoding="utf-8") as lines:
        for row in filter(None, map(str.strip, lines)):
            said = json.loads(row)
            prediction = said["prediction"]
            first = prediction[0] if isinstance(prediction, list) else prediction
            yield key_of(said["question"]), set(said["answer"]), first.strip()


def read_annotations(path: Path) -> dict[str, Annotation]:
    """Return by question what people accepted and rejected; rows without a final label say nothing."""
    found: dict[str, Annotation] = defaultdict(lambda: Annotation(set(), set()))
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            said = row["Acceptable?"].strip().lower()
            if not said:
                continue
            key = key_of(row["Question"])
            for each in {key, key.removesuffix("?").strip()}:
                annotation = found[each]
                {"yes": annotation.accepted, "no": annotation.rejected}[said].add(row["Model answer"])
    return dict(found)


def key_of(question: str) -> str:
    """Return a question as its words and signs in small letters."""
    text = question.replace("’", "'").replace("--", "_")
    for word in NEGATED_WORDS:
        text = text.replace(word, word.replace("n't", " n't"))
    for word, parts in JOINED_WORDS.items():
        text = text.replace(word, parts)
    words, is_within = [""], False
    for sign in text:
        kind = unicodedata.category(sign)[0]
        if kind in "LNM" and is_within:
            words[-1] += sign
        elif kind not in "ZC":
            words.append(sign)
        is_within = kind in "LNM"
    return " ".join(filter(None, words)).lower()


def exported(project: Project, key: str, folder: Path) -> Path:
    """Return the annotation in one of the two forms that their command reads."""
    write_file(project=project, format_key=key, path=folder / key)
    if key == "openqa-eval-votes":
        return folder / key
    with zipfile.ZipFile(folder / key) as archive:
        return Path(archive.extract(f"{project.slug}_human.tsv", folder))


@pytest.mark.usefixtures("reading")
class TestHumanColumn:
    @pytest.mark.parametrize("key", ["openqa-eval-votes", "openqa-eval-release"])
    def test_comes_out_of_the_exported_annotation(
        self, project: Project, folder: Path, tmp_path: Path, key: str
    ) -> None:
        annotations = read_annotations(exported(project, key, tmp_path))
        found = {name: evaluate(folder / "model_outputs" / f"{name}.jsonl", annotations) for name in PRINTED}
        assert found == {name: Evaluated(301, human) for name, (*_, human) in NQ301.items()}
        for name, (*_, printed) in PRINTED.items():
            # Printed to one place, of which some were rounded twice: 75.748 is 75.75, and so 75.8.
            assert abs(found[name].percent - printed) < 0.05 + 0.0051

    # Marked, so that pytest-django makes a database, of which the study is made once.
    @pytest.mark.django_db
    def test_is_not_that_of_the_gold_answers_alone(self, folder: Path) -> None:
        """Where nobody judged anything the same evaluation is exact match."""
        path = folder / "model_outputs" / "NQ_DPR.jsonl"
        nobody = {key: Annotation(set(), set()) for key, *_ in read_outputs(path)}
        assert evaluate(path, nobody) == Evaluated(3610, ENTIRE["NQ_DPR"][0])
