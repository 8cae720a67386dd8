"""JSON fields of a bundle are of the forms that pages take for granted."""

from typing import Any

import pytest
from django.db.models import Model

from annotation.assignments.models import Sheet, WorkPlan
from annotation.items.models import DataImport, Prediction, Question, System
from annotation.projects.models import Project, ProtocolVersion
from judges.answers.models import AnswerView
from judges.bundles.selectors.shapes import SHAPES, reader_of_json
from judges.connections.models import Connection
from judges.prejudging.models import CalibrationSample, Certificate, PolicyApplication, PrejudgingPolicy
from judges.prompts.models import ExampleSet, Prompt
from judges.runs.models import Call, JudgeRun, RunBatch
from judges.tagging.models import Tagging, TaggingRound, TagProposal, TagSet

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
    (ProtocolVersion, "spec", {"labels": 1}),
    (Question, "tags", [None]),
    (Question, "tags", [["x"]]),
    (DataImport, "files", [{"name": "x", "size": "junk", "path": "", "sha256": ""}]),
    (DataImport, "options", [1]),
    (DataImport, "sample", [1]),
    (DataImport, "columns", [{"name": "q"}]),
    (DataImport, "causes", [PROBLEM]),
    (DataImport, "counts", {"answers": [1]}),
    (DataImport, "problems", [{**PROBLEM, "severity": "x"}]),
    (System, "description", {"size_bytes": "x"}),
    (Prediction, "metadata", [1]),
    (Prediction, "raw", 5),
    (Prediction, "golds", 5),
    (WorkPlan, "goes_first", [1]),
    (AnswerView, "query", {"page": 1}),
    (Sheet, "former_keys", [1]),
    (Sheet, "outcome", {"counted": 1, "surplus": 0, "message": "", "more": 1}),
    (Sheet, "draft", {"answers": [None], "checks": {}}),
    (CalibrationSample, "systems", [1]),
    (Certificate, "before", [{}]),
    (Certificate, "curve", [[1]]),
    (Certificate, "signatures", []),
    (Certificate, "rule", {}),
    (Certificate, "rule", None),
    (PrejudgingPolicy, "rules", [{**RULE, "runs": []}]),
    (PolicyApplication, "rules", [RULE]),
    (PolicyApplication, "rules", [{**RULE, "runs": [], "text": "x", "signatures": []}]),
    (Prompt, "response_schema", [1]),
    (JudgeRun, "options", [1]),
    (RunBatch, "candidate_ids", ["1"]),
    (JudgeRun, "stated", [{"a": 1}]),
    (JudgeRun, "stated", [["judge"]]),
    (ExampleSet, "examples", [["q", "g", "a", 1]]),
    (Call, "logprobs", [["Yes", "x"]]),
    (Connection, "parameters", {"unknown": 1}),
    (TaggingRound, "filter", {"people": "junk"}),
    (TagSet, "tags", [{"key": "a"}]),
    (TagProposal, "tags", [1]),
    (Tagging, "tags", [1]),
]


@pytest.mark.parametrize(("model", "name", "value"), FITTING)
def test_what_fits_stays_as_it_is(model: type[Model], name: str, value: Any) -> None:
    assert reader_of_json(model, name)(value) is value


@pytest.mark.parametrize(("model", "name"), SHAPES)
def test_a_number_is_of_no_form(model: type[Model], name: str) -> None:
    with pytest.raises(ValueError, match=r"^(has an invalid value|is not|cannot be used)"):
        reader_of_json(model, name)(5)


def test_every_form_is_tried() -> None:
    assert {(model, name) for model, name, _ in UNFITTING} == set(SHAPES)


@pytest.mark.parametrize(("model", "name", "value"), UNFITTING)
def test_what_does_not_fit_is_refused(model: type[Model], name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=r"^(has an invalid value|is not a protocol|cannot be used)"):
        reader_of_json(model, name)(value)
