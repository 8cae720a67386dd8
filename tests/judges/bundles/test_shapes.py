"""JSON fields of a bundle are of the forms that pages take for granted."""

from typing import Any

import pytest
from django.db.models import Model

from annotation.assignments.models import Sheet
from annotation.items.models import DataImport, Prediction, Question
from annotation.projects.models import Project
from judges.bundles.selectors.shapes import reader_of_json
from judges.connections.models import Connection
from judges.prejudging.models import Certificate, PolicyApplication, PrejudgingPolicy
from judges.prompts.models import ExampleSet
from judges.runs.models import Call, JudgeRun
from judges.tagging.models import TaggingRound, TagSet

RULE = {"runs": ["one"], "condition": "any_accepts"}
PROBLEM = {"file": "", "line": 0, "column": "", "severity": "error", "code": "x", "message": "x"}
ANSWER = {
    "id": "x",
    "label": None,
    "skip_reason": "",
    "comment": "",
    "evidence_url": "",
    "evidence_quote": "",
}

FITTING: list[tuple[type[Model], str, Any]] = [
    (Project, "sample_options", {"size": 3, "seed": 1, "points": 2.0, "judge": "judge:llm"}),
    (DataImport, "problems", [PROBLEM]),
    (DataImport, "causes", [{**PROBLEM, "count": 2, "lines": [1, 2]}]),
    (DataImport, "columns", [{"name": "q", "meaning": "", "system": "", "values": ["x"]}]),
    (Prediction, "raw", ["a", "b"]),
    (Prediction, "raw", "as it was"),
    (Prediction, "raw", None),
    (Sheet, "draft", {"answers": [ANSWER], "checks": {"is_question": True}}),
    (Sheet, "outcome", {"counted": 1, "surplus": 0, "message": ""}),
    (Certificate, "curve", [[0.9, 0.5, 10, 0, 0.2], [0.5, 1, 20, 3, None]]),
    (Certificate, "rule", RULE),
    (PrejudgingPolicy, "rules", [{**RULE, "threshold": 0.9}]),
    (PolicyApplication, "rules", [{**RULE, "text": "x", "signatures": ["x"]}]),
    (ExampleSet, "examples", [["q", ["g"], "a", True]]),
    (Call, "logprobs", [["Yes", -0.1], ["No", -3]]),
    (TaggingRound, "filter", {"people": "reject", "said": "any", "by_hand": False}),
    (TagSet, "tags", [{"key": "a-b", "name": "A", "meaning": "M", "judges": "llm"}]),
]

UNFITTING: list[tuple[type[Model], str, Any]] = [
    (Project, "sample_options", []),
    (Project, "sample_options", {"seed": "x"}),
    (Question, "tags", [None]),
    (Question, "tags", [["x"]]),
    (DataImport, "files", [{"name": "x", "size": "junk", "path": "", "sha256": ""}]),
    (DataImport, "counts", {"answers": [1]}),
    (DataImport, "problems", [{**PROBLEM, "severity": "x"}]),
    (Prediction, "raw", 5),
    (Prediction, "golds", 5),
    (Sheet, "outcome", {"counted": 1, "surplus": 0, "message": "", "more": 1}),
    (Sheet, "draft", {"answers": [None], "checks": {}}),
    (Certificate, "curve", [[1]]),
    (Certificate, "signatures", []),
    (Certificate, "rule", {}),
    (Certificate, "rule", None),
    (PrejudgingPolicy, "rules", [{**RULE, "runs": []}]),
    (PolicyApplication, "rules", [RULE]),
    (JudgeRun, "stated", [{"a": 1}]),
    (JudgeRun, "stated", [["judge"]]),
    (ExampleSet, "examples", [["q", "g", "a", 1]]),
    (Call, "logprobs", [["Yes", "x"]]),
    (Connection, "parameters", {"unknown": 1}),
    (TaggingRound, "filter", {"people": "junk"}),
    (TagSet, "tags", [{"key": "a"}]),
]


@pytest.mark.parametrize(("model", "name", "value"), FITTING)
def test_what_fits_stays_as_it_is(model: type[Model], name: str, value: Any) -> None:
    assert reader_of_json(model, name)(value) is value


@pytest.mark.parametrize(("model", "name", "value"), UNFITTING)
def test_what_does_not_fit_is_refused(model: type[Model], name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"^(is not of its form|cannot be used)"):
        reader_of_json(model, name)(value)
