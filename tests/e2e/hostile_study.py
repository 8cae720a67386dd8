"""A project in which every text that people, files and models can write is hostile.

Each text begins with its own name, so that a page can be asked whether it shows just this text.
"""

import json
from typing import Any, TypeVar

from django.db.models import Max, Model, QuerySet

from annotation.accounts.models import User
from annotation.accounts.services import make_password_token
from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment, QuestionFlag
from annotation.gold.models import GoldChange
from annotation.items.models import (
    Candidate,
    DataImport,
    GoldAnswer,
    Prediction,
    Question,
    QuestionCorrection,
    System,
)
from annotation.items.services import correct_question
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Membership, Project, ProtocolVersion
from annotation.projects.services import invite, set_protocol
from annotation.release.models import Export
from common.clock import now
from judges.connections.models import Connection
from judges.prejudging.models import PolicyApplication
from judges.prompts.models import Prompt
from judges.runs.models import Call, JudgeRun, RunBatch, Verdict
from judges.tagging.models import TaggedItem, Tagging, TaggingRound, TagSet
from tests.world import World, make_world

Row = TypeVar("Row", bound=Model)

# Whoever runs one of these leaves a mark: a call, an element, a request or a script address.
SHORT = "<x-canary onclick=canary()>{{7*7}}"
LONG = " ".join(
    (
        "<script>canary()</script><img src=/canary.png onerror=canary()><svg onload=canary()></svg>",
        '</textarea></title><x-canary></x-canary><a href="javascript:canary()">\'"`',
        "[link](javascript:canary()) ![image](https://canary.invalid/i.png) <https://canary.invalid>",
        "data:text/html,<script>canary()</script> {{constructor.constructor('canary()')()}} ${canary()}",
        "\u202egnp.exe\u202c a\u200bb\ufeffc null undefined NaN [object Object] __proto__ \\u003e %s &lt;",
        "=1+1 𝕏 نص עברית " + "W" * 160,
    )
)
MARKDOWN = f"""# Heading {SHORT}

{LONG}

[link](javascript:canary()) [data](data:text/html,<script>canary()</script>) [file](file:///canary)
[ref]: javascript:canary() "canary"
![image](https://canary.invalid/i.png)
<iframe src="https://canary.invalid/"></iframe><style>@import "https://canary.invalid/";</style>

| {SHORT} | ref |
|---|---|
| [ref] | <form action="https://canary.invalid/"><button>go</button></form> |
"""
SCRIPT_ADDRESSES = (
    "javascript:canary()//",
    "data:text/html,<script>canary()</script>",
    "JaVaScRiPt:canary()",
)

# Every column that holds what somebody wrote, with what its length leaves room for.
TEXTS: dict[type[Model], tuple[str, ...]] = {
    User: ("name",),
    Project: ("name", "description"),
    Membership: ("pseudonym", "group"),
    DataImport: ("message",),
    Question: ("external_id", "text", "dataset"),
    QuestionCorrection: ("former_text", "reason"),
    Candidate: ("text", "group"),
    GoldAnswer: ("text",),
    System: ("name", "label", "group"),
    Prediction: ("text",),
    Decision: ("reason",),
    Assignment: ("skip_reason",),
    QuestionFlag: ("note",),
    GoldChange: ("text", "reason", "undo_reason"),
    Judgment: ("comment", "evidence_quote"),
    JudgmentRevision: ("comment", "evidence_quote"),
    Export: ("file_name", "message"),
    Connection: ("name", "model"),
    JudgeRun: ("message",),
    RunBatch: ("error",),
    Call: ("model", "fingerprint", "finish_reason", "reply", "error"),
    Verdict: ("raw_reply",),
    PolicyApplication: ("undo_reason",),
    Prompt: ("name", "system", "template"),
    TagSet: ("name", "summary", "source"),
    TaggingRound: ("name", "judge_signature"),
    Tagging: ("note",),
}


def text_named(name: str, *, length: int | None = None, number: int = 0) -> str:
    """Return the hostile text of a field; `number` makes it one of several, `length` is its limit."""
    start = f"{name}#{number} " if number else f"{name} "
    payload = LONG if length is None or length > 600 else SHORT
    return (start + payload)[:length]


class Rows:
    """The rows made since, of any table: other studies of the installation stay as they are."""

    def __init__(self) -> None:
        self._last = {model: _last_key(model) for model in (*TEXTS, TaggedItem)}

    def of(self, model: type[Row]) -> QuerySet[Row]:
        """Return the new rows of a table in the order of their making."""
        return model._default_manager.filter(pk__gt=self._last[model]).order_by("pk")


def _last_key(model: type[Model]) -> int:
    return model._default_manager.aggregate(last=Max("pk"))["last"] or 0


def fill() -> None:
    """Make the project and print, as JSON, whatever a browser needs to find everything."""
    rows = Rows()
    world = make_world(slug="hostile")
    _more_work(world)
    for model, fields in TEXTS.items():
        for field in fields:
            _write(rows.of(model), field)
    _structures(rows)
    _protocol(world.project)
    made = invite(
        project=world.project,
        by=world.project.created_by,
        role="annotator",
        label=text_named("Invitation.label", length=150),
    )
    ids = {
        **world.ids,
        "skipped": _skip_one(world).public_id,
        "open": _put_into_queue(world).public_id,
        "join": made.token,
    }
    print(json.dumps({**ids, "password": make_password_token(user=world.cast["colleague"].user)}))


def _write(rows: QuerySet[Any], field: str) -> None:
    """Write a column through; rows that must differ do by a number."""
    length = rows.model._meta.get_field(field).max_length
    for number, row in enumerate(rows):
        text = text_named(f"{rows.model.__name__}.{field}", length=length, number=number)
        rows.filter(pk=row.pk).update(**{field: text})


def _more_work(world: World) -> None:
    """Add what the world lacks: a skip, a correction, an edit, a paid call, a change undone, a flag."""
    project, lead = world.project, world.project.created_by
    first, *_, last = Candidate.objects.filter(project=project).order_by("pk")
    correct_question(
        project=project, public_id=first.question.public_id, text="corrected", reason="-", by=lead
    )
    judgment = Judgment.objects.filter(candidate=first).order_by("pk")[0]
    JudgmentRevision.objects.create(
        judgment=judgment,
        number=99,
        action=JudgmentRevision.Action.EDIT,
        state=judgment.state,
        label="incorrect",
        protocol_version=judgment.assignment.sheet.protocol_version,
        at=now(),
    )
    PolicyApplication.objects.filter(project=project).update(
        state=PolicyApplication.State.UNDONE, undone_by=lead, undone_at=now()
    )
    change = GoldChange.objects.filter(question__project=project).order_by("pk")[0]
    GoldChange.objects.filter(pk=change.pk).update(undone_at=now(), undone_by=lead)
    _paid_call(project, last)


def _paid_call(project: Project, candidate: Candidate) -> None:
    """Let a model have said something about an answer that could not be read."""
    run = JudgeRun.objects.get(project=project)
    connection = Connection.objects.get(project=project)
    Call.objects.create(
        run=run,
        connection=connection,
        candidate=candidate,
        cache_key="hostile",
        state=Call.State.SETTLED,
        created_at=now(),
        settled_at=now(),
    )
    JudgeRun.objects.filter(pk=run.pk).update(connection=connection, state=JudgeRun.State.PAUSED)
    run.verdicts.filter(candidate=candidate).update(accepted=None, unscored_reason="unreadable")


def _structures(rows: Rows) -> None:
    """Write through what stands inside JSON, and addresses that would be scripts."""
    name = text_named("DataImport.files", length=200)
    rows.of(DataImport).update(
        state=DataImport.State.READY,
        files=[{"name": f"{name}.jsonl", "size": 1, "path": "", "sha256": ""}],
        sample=[{text_named("DataImport.sample column", length=60): text_named("DataImport.sample value")}],
        problems=[
            {
                "file": name,
                "line": 1,
                "column": text_named("problem column"),
                "severity": "warning",
                "code": "hostile",
                "message": text_named("DataImport.problems"),
            }
        ],
        problem_count=1,
    )
    rows.of(Question).update(tags=[text_named("Question.tags")])
    rows.of(System).update(description={"track": text_named("System.track", length=100)})
    rows.of(Prediction).update(raw=[text_named("Prediction.raw")], metadata={"note": LONG})
    for tag_set in rows.of(TagSet).filter(key__startswith="own"):
        tags = [
            {**tag, **{part: text_named(f"tag {part}") for part in ("name", "meaning", "example", "group")}}
            for tag in tag_set.tags
        ]
        rows.of(TagSet).filter(pk=tag_set.pk).update(tags=tags)
    rows.of(TaggedItem).update(
        proposal={
            "tags": ["secret"],
            "reason": text_named("proposal reason"),
            "by": text_named("proposal by"),
        }
    )
    rows.of(TaggingRound).update(proposals=TaggingRound.Proposals.SHOWN)
    rows.of(Connection).update(base_url=f'https://canary.invalid/"{SHORT}')
    rows.of(JudgeRun).update(signature=text_named("JudgeRun.signature"))
    for number, judgment in enumerate(rows.of(Judgment)):
        address = SCRIPT_ADDRESSES[number % len(SCRIPT_ADDRESSES)]
        Judgment.objects.filter(pk=judgment.pk).update(evidence_url=address)
        judgment.revisions.update(evidence_url=address)


def _protocol(project: Project) -> None:
    """Name the labels and checks of the protocol that sheets were handed out by, and of a new one."""
    version = ProtocolVersion.objects.get(current_project=project)
    spec = _named_spec(version.spec, "first")
    ProtocolVersion.objects.filter(pk=version.pk).update(spec=spec)
    set_protocol(project=project, spec=_named_spec(version.spec, "second"))


def _named_spec(spec: dict[str, Any], which: str) -> dict[str, Any]:
    labels = [
        {**label, "name": text_named(f"label {which}", length=60, number=number + 1)}
        for number, label in enumerate(spec["labels"])
    ]
    check = {"key": "sound", "text": text_named(f"check {which}", length=300), "rule": "any"}
    guidelines = f"Guidelines {which}\n\n{MARKDOWN}"
    return {**spec, "labels": labels, "question_checks": [check], "guidelines": guidelines}


def _skip_one(world: World) -> Candidate:
    """Let the annotator have passed over one answer of the sheet in front."""
    assignment = world.cast["annotator"].assignments.filter(judgment=None).order_by("pk")[0]
    skipped = Assignment.objects.filter(pk=assignment.pk)
    skipped.update(state=Assignment.State.SKIPPED)
    return assignment.candidate


def _put_into_queue(world: World) -> Candidate:
    """Let an answer with votes wait for the lead."""
    candidate = Candidate.objects.filter(
        project=world.project, judgments__isnull=False, state=Candidate.State.OPEN
    ).order_by("pk")[0]
    Candidate.objects.filter(pk=candidate.pk).update(state=Candidate.State.DISPUTED)
    return candidate
