"""A project in which every text that people, files and models can write is hostile.

Each text begins with its own name, so that a page can be asked whether it shows just this text.
"""

import json
from typing import Any, TypeVar

from django.db.models import Max, Model, QuerySet

from annotation.accounts.models import AccountEvent
from annotation.accounts.services import make_password_token
from annotation.assignments.models import Sheet, WorkPlan
from annotation.items.models import DataImport, Prediction, Question, System
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project, ProtocolVersion
from annotation.projects.services.members import invite
from annotation.projects.services.protocols import set_protocol
from common.clock import now
from judges.comparison.models import ReferenceScore
from judges.connections.models import Connection
from judges.prejudging.models import PolicyApplication
from judges.registry import RECORDED_PREFIX
from judges.runs.models import JudgeRun
from judges.tagging.models import TaggingRound, TagSet
from judges.webhooks.models import Webhook
from tests.e2e.hostile_fields import STRUCTURES, TEXTS
from tests.e2e.hostile_work import TRAINEE, add_work, decide_the_same_elsewhere, put_into_queue, skip_one
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


def text_named(name: str, *, length: int | None = None, number: int = 0) -> str:
    """Return the hostile text of a field; `number` makes it one of several, `length` is its limit."""
    start = f"{name}#{number} " if number else f"{name} "
    payload = LONG if length is None or length > 600 else SHORT
    return (start + payload)[:length]


class Rows:
    """The rows made since, of any table: other studies of the installation stay as they are."""

    def __init__(self) -> None:
        self._last = {model: _last_key(model) for model in (*TEXTS, *STRUCTURES)}

    def of(self, model: type[Row]) -> QuerySet[Row]:
        """Return the new rows of a table in the order of their making."""
        return model._default_manager.filter(pk__gt=self._last[model]).order_by("pk")


def _last_key(model: type[Model]) -> int:
    return model._default_manager.aggregate(last=Max("pk"))["last"] or 0


def fill() -> None:
    """Make the project and print, as JSON, whatever a browser needs to find everything."""
    rows = Rows()
    world = make_world(slug="hostile")
    add_work(world)
    made = invite(project=world.project, by=world.project.created_by, role="annotator")
    skipped = skip_one(world)
    for member in world.cast.values():
        AccountEvent.objects.create(user=member.user, kind="signed_in", client="192.0.2.7", at=now())
    for model, fields in TEXTS.items():
        for field in fields:
            _write(rows.of(model), field)
    # Whoever has a group is trained by the answers of that group.
    Membership.objects.filter(user__username=TRAINEE).update(group="")
    _structures(rows)
    _draft(world)
    _protocol(world.project)
    decide_the_same_elsewhere(world.project, name=text_named("Project.name", length=200))
    waiting = put_into_queue(world, reason=text_named("Decision.reason"))
    ids = {
        **world.ids,
        "skipped": skipped.public_id,
        "open": waiting.public_id,
        "join": made.token,
    }
    print(json.dumps({**ids, "password": make_password_token(user=world.cast["colleague"].user)}))


def _write(rows: QuerySet[Any], field: str) -> None:
    """Write a column through; rows that must differ do by a number."""
    length = rows.model._meta.get_field(field).max_length
    for number, row in enumerate(rows):
        text = text_named(f"{rows.model.__name__}.{field}", length=length, number=number)
        rows.filter(pk=row.pk).update(**{field: text})


def _structures(rows: Rows) -> None:
    """Write through what stands inside JSON, and addresses that would be scripts."""
    name = text_named("DataImport.files", length=200)
    rows.of(DataImport).update(
        state=DataImport.State.READY,
        files=[{"name": f"{name}.jsonl", "size": 1, "path": "", "sha256": ""}],
        sample=[{text_named("DataImport.sample column", length=60): text_named("DataImport.sample value")}],
        columns=[
            {
                "name": text_named("DataImport.column", length=200),
                "meaning": "question",
                "system": "",
                "values": [text_named("DataImport.column value", length=60)],
            }
        ],
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
        causes=[
            {
                "file": name,
                "line": 1,
                "column": text_named("problem column"),
                "severity": "warning",
                "code": "hostile",
                "message": text_named("DataImport.causes"),
                "count": 1,
                "lines": [1],
            }
        ],
        problem_count=1,
        format="openqa-eval-verdicts",
        options={"judge": text_named("DataImport.options")},
    )
    rows.of(Project).update(
        sample_method=Project.SampleMethod.FILTER,
        sample_options={"dataset": text_named("Project.sample_options")},
    )
    rows.of(WorkPlan).update(goes_first=[text_named("WorkPlan.goes_first")])
    rows.of(Question).update(tags=[text_named("Question.tags")])
    rows.of(System).update(description={"track": text_named("System.track", length=100)})
    rows.of(Prediction).update(
        raw=[text_named("Prediction.raw")],
        golds=[text_named("Prediction.golds")],
        metadata={"note": LONG},
    )
    for tag_set in rows.of(TagSet).filter(key__startswith="own"):
        tags = [
            {**tag, **{part: text_named(f"tag {part}") for part in ("name", "meaning", "example", "group")}}
            for tag in tag_set.tags
        ]
        rows.of(TagSet).filter(pk=tag_set.pk).update(tags=tags)
    rows.of(TaggingRound).update(proposals=TaggingRound.Proposals.SHOWN)
    rows.of(ReferenceScore).update(source_url=SCRIPT_ADDRESSES[0])
    rows.of(Connection).update(base_url=f'https://canary.invalid/"{SHORT}')
    rows.of(Webhook).update(url=f'https://canary.invalid/"{SHORT}')
    recorded = rows.of(JudgeRun).filter(judge_key=RECORDED_PREFIX)
    recorded.update(
        judge_key=RECORDED_PREFIX + text_named("JudgeRun.judge_key", length=100),
        options={"parser": text_named("JudgeRun.options")},
    )
    rule = {"number": 1, "text": text_named("PolicyApplication.rules"), "signatures": [LONG]}
    for application in rows.of(PolicyApplication):
        rows.of(PolicyApplication).filter(pk=application.pk).update(rules=[{**application.rules[0], **rule}])
    for number, judgment in enumerate(rows.of(Judgment)):
        address = SCRIPT_ADDRESSES[number % len(SCRIPT_ADDRESSES)]
        Judgment.objects.filter(pk=judgment.pk).update(evidence_url=address)
        judgment.revisions.update(evidence_url=address)


def _draft(world: World) -> None:
    """Let the annotator have taken back what was said on the sheet in front."""
    sheet = Sheet.objects.get(public_id=world.ids["sheets"])
    said = {
        "label": "correct",
        "skip_reason": "",
        "comment": text_named("Draft.comment"),
        "evidence_url": SCRIPT_ADDRESSES[0],
        "evidence_quote": text_named("Draft.evidence_quote"),
    }
    answers = [{"id": item.candidate.public_id, **said} for item in sheet.assignments.order_by("position")]
    Sheet.objects.filter(pk=sheet.pk).update(draft={"answers": answers, "checks": {}})


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
    return {
        **spec,
        "labels": labels,
        "question_checks": [check],
        "guidelines": guidelines,
        "decisions_shown": True,
    }
