"""Of what form each JSON field of a bundle is: what pages and programs read of it they take for granted."""

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal

from django.db.models import Model
from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictFloat, StrictInt, StrictStr, TypeAdapter
from pydantic import ValidationError as Misshapen

from annotation.assignments.models import Sheet, WorkPlan
from annotation.items.models import DataImport, Prediction, Question, System
from annotation.projects.models import Project, ProtocolVersion
from annotation.projects.rules import Protocol
from judges.answers.models import AnswerView
from judges.connections.models import Connection
from judges.connections.rules.apis import parse_parameters_of_any
from judges.prejudging.models import CalibrationSample, Certificate, PolicyApplication, PrejudgingPolicy
from judges.prejudging.rules.policies import read_rules
from judges.prompts.models import ExampleSet, Prompt
from judges.runs.models import Call, JudgeRun, RunBatch
from judges.tagging.models import Tagging, TaggingRound, TagProposal, TagSet
from judges.tagging.rules.rounds import Filter
from judges.tagging.rules.sets import Subject, read_set

Number = StrictInt | StrictFloat
Count = Annotated[int, Field(strict=True, ge=0, lt=2**63)]
Texts = list[StrictStr]


class StoredFile(BaseModel):
    """A file of an import."""

    name: StrictStr
    size: Count
    path: StrictStr
    sha256: StrictStr


class Column(BaseModel):
    """A column of an import's files."""

    name: StrictStr
    meaning: StrictStr
    system: StrictStr
    values: Texts


class Problem(BaseModel):
    """Something wrong with a file."""

    file: StrictStr
    line: Count
    column: StrictStr
    severity: Literal["error", "warning"]
    code: StrictStr
    message: StrictStr


class Cause(Problem):
    """Problems of one sort."""

    count: Count
    lines: list[Count]


class Draw(BaseModel):
    """How questions were drawn; further choices are told as they are."""

    seed: Count | None = None
    size: Count | None = None
    dataset: StrictStr | None = None
    tag: StrictStr | None = None
    common: StrictBool | None = None


class Description(BaseModel):
    """What a lead says of a system."""

    retrieval_depth: Count | None = None
    size_bytes: Count | None = None
    track: StrictStr | None = None
    closed_book: StrictBool | None = None


class Outcome(BaseModel):
    """What a submit came to, as `SubmitOutcome` takes it."""

    model_config = ConfigDict(extra="forbid")

    counted: Count
    surplus: Count
    message: StrictStr
    came_back: StrictBool = False
    unblinded: StrictBool = False


class DraftAnswer(BaseModel):
    """An answer of a sheet that was taken back."""

    id: StrictStr
    label: StrictStr | None
    skip_reason: StrictStr
    comment: StrictStr
    evidence_url: StrictStr
    evidence_quote: StrictStr


class Draft(BaseModel):
    """What a rater had answered before taking a submit back."""

    answers: list[DraftAnswer]
    checks: dict[str, StrictBool]


class SpelledRule(BaseModel):
    """What is kept of a rule besides itself."""

    text: StrictStr
    signatures: Texts


class Drawn(BaseModel):
    """What a round of tagging draws from."""

    people: StrictStr = ""
    run: StrictStr = ""
    said: StrictStr = ""
    system: StrictStr = ""
    flag: StrictStr = ""
    beyond_gold: StrictBool = False
    by_hand: StrictBool = False


CurvePoint = tuple[Number, Number, Count, Count, Number | None]


def _as_protocol(value: Any) -> None:
    Protocol.from_spec(value)


def _as_rule(value: Any) -> None:
    read_rules([value])


def _as_tags(value: Any) -> None:
    read_set(key="x", name="x", summary="", subject=Subject.QUESTION, several=True, tags=value)


Objects = list[dict[str, Any]]
# Each field's type, and what reads it where that says more than a type.
SHAPES: Mapping[tuple[type[Model], str], tuple[Any, Callable[[Any], object] | None]] = {
    (Project, "sample_options"): (Draw, None),
    (ProtocolVersion, "spec"): (dict[str, Any], _as_protocol),
    (DataImport, "options"): (dict[str, Any], None),
    (DataImport, "files"): (list[StoredFile], None),
    (DataImport, "counts"): (dict[str, Annotated[int, Field(strict=True, gt=-(2**63), lt=2**63)]], None),
    (DataImport, "sample"): (Objects, None),
    (DataImport, "columns"): (list[Column], None),
    (DataImport, "problems"): (list[Problem], None),
    (DataImport, "causes"): (list[Cause], None),
    (Question, "tags"): (Texts, None),
    (System, "description"): (Description, None),
    (Prediction, "raw"): (StrictStr | Texts | None, None),
    (Prediction, "golds"): (Texts | None, None),
    (Prediction, "metadata"): (dict[str, Any], None),
    (WorkPlan, "goes_first"): (Texts, None),
    (Sheet, "former_keys"): (Texts, None),
    (Sheet, "outcome"): (Outcome | None, None),
    (Sheet, "draft"): (Draft | None, None),
    (AnswerView, "query"): (dict[str, StrictStr], None),
    (Connection, "parameters"): (dict[str, Any], parse_parameters_of_any),
    (PrejudgingPolicy, "rules"): (Objects, read_rules),
    (CalibrationSample, "systems"): (Texts, None),
    (Certificate, "rule"): (dict[str, Any], _as_rule),
    (Certificate, "before"): (Objects, read_rules),
    (Certificate, "signatures"): (dict[str, StrictStr], None),
    (Certificate, "curve"): (list[CurvePoint], None),
    (PolicyApplication, "rules"): (list[SpelledRule], read_rules),
    (Prompt, "response_schema"): (dict[str, Any] | None, None),
    (ExampleSet, "examples"): (list[tuple[StrictStr, Texts, StrictStr, StrictBool]], None),
    (JudgeRun, "options"): (dict[str, Any], None),
    (JudgeRun, "stated"): (list[tuple[StrictStr, StrictStr]], None),
    (RunBatch, "candidate_ids"): (list[Count], None),
    (Call, "logprobs"): (list[tuple[StrictStr, Number]], None),
    (TagSet, "tags"): (list[dict[str, StrictStr]], _as_tags),
    (TaggingRound, "filter"): (Drawn, Filter.from_json),
    (TagProposal, "tags"): (Texts, None),
    (Tagging, "tags"): (Texts, None),
}


WORDS: Mapping[tuple[type[Model], str], str] = {(ProtocolVersion, "spec"): "is not a protocol"}


def reader_of_json(model: type[Model], name: str) -> Callable[[Any], Any]:
    """Return what reads a JSON field; it raises `ValueError` in words that end a sentence about the field."""
    shape, read = SHAPES[model, name]
    adapter: TypeAdapter[Any] = TypeAdapter(shape)

    def reader(value: Any) -> Any:
        try:
            adapter.validate_python(value)
            if read is not None and value is not None:
                read(value)
        except Misshapen as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            place = "".join(f"[{str(each)[:40]}]" for each in first["loc"][:4])
            raise ValueError(
                f"has an invalid value{place and ' at '}{place}: {first['msg'].lower()}"
            ) from None
        except (ValueError, KeyError, TypeError, AttributeError):
            raise ValueError(WORDS.get((model, name), "cannot be used")) from None
        return value

    return reader
