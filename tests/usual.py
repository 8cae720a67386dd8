"""What each writing operation takes as it should be, in the project of `tests.world`.

A field is only tried by hostile values where the request around it would be accepted.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from annotation.adjudication.models import Decision
from annotation.assignments.models import Sheet
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from tests.factories import PASSWORD
from tests.requests_from_schema import LEFT_OUT
from tests.world import World


class Usual(NamedTuple):
    """Fields that stand in the place of what the schema suggests, and which things the address names."""

    fields: Mapping[str, Any] = {}
    ids: Mapping[str, str] = {}


def _spec(world: World) -> dict[str, Any]:
    assert world.project.protocol is not None
    spec: dict[str, Any] = world.project.protocol.spec
    return spec


def _given(world: World) -> list[dict[str, Any]]:
    sheet = Sheet.objects.get(public_id=world.ids["sheets"])
    found = sheet.assignments.order_by("position").values_list("candidate__public_id", flat=True)
    usual = {"label": "correct", "skip_reason": "", "comment": "so", "evidence_url": "https://a.test/"}
    return [{"id": each, **usual, "evidence_quote": "so"} for each in found]


def _submit(world: World) -> Usual:
    sheet = Sheet.objects.select_related("protocol_version").get(public_id=world.ids["sheets"])
    checks = {check.key: False for check in sheet.protocol_version.rules.question_checks}
    return Usual({"answers": _given(world), "checks": checks, "version": sheet.version})


def _edit(world: World) -> Usual:
    judged = Sheet.objects.get(public_id=world.ids["judged"])
    judgment = Judgment.objects.filter(assignment__sheet=judged).select_related("assignment__candidate")[0]
    seen = {"seen_at": judgment.judged_at.isoformat(), "evidence_url": "https://a.test/"}
    return Usual(seen, {"answers": judgment.assignment.candidate.public_id})


def _decided(world: World) -> int:
    """Return the number of the last decision on the answer that the address names."""
    last = Decision.objects.filter(candidate__public_id=world.ids["answers"]).order_by("-number")
    return last.values_list("number", flat=True)[0]


def _undecided(world: World) -> str:
    return Candidate.objects.filter(project=world.project, decisions=None).order_by("pk")[0].public_id


_PROMPT = {"key": "another", "name": "Another", "template": "{question} {golds} {answer}", "parser": "strict"}
_PRICES = {"input_price": "0.5", "output_price": "0.5", "spend_cap": "1"}
_CONNECTION = {"base_url": "https://127.0.0.1:9/v1", "key": "sk-0123456789", **_PRICES}
_RUN = {"judge": "exact_match", "connection": "", "sample_size": None, "dataset": "", "system": ""}

USUAL_OF: dict[str, Callable[[World], Usual]] = {
    "POST /api/session": lambda world: Usual(
        {"username": world.project.created_by.username, "password": PASSWORD}
    ),
    "POST /api/account/password": lambda _: Usual({"old": PASSWORD, "new": f"{PASSWORD} again"}),
    "PATCH /api/account/email": lambda _: Usual({"digest": "off"}),
    "POST /api/account/two-factor": lambda _: Usual({"password": PASSWORD}),
    "POST /api/account/tokens": lambda _: Usual({"password": PASSWORD, "project": "own", "scope": "read"}),
    "POST /api/projects": lambda _: Usual({"slug": "another", "preset": "openqa-eval", "organization": ""}),
    "POST /api/organizations/<str:organization>/people": lambda world: Usual(
        {"username": world.cast["adjudicator"].user.username}
    ),
    "PUT /api/projects/<slug:slug>/organization": lambda _: Usual({"organization": ""}),
    "POST /api/projects/<slug:slug>/invitations": lambda _: Usual({"email": ""}),
    "PUT /api/projects/<slug:slug>/protocol": lambda world: Usual({"spec": _spec(world), "seen_hash": ""}),
    "POST /api/projects/<slug:slug>/protocol/foresee": lambda world: Usual({"spec": _spec(world)}),
    "PUT /api/projects/<slug:slug>/work": lambda world: Usual({"raters": [], "goes_first": []}),
    "POST /api/projects/<slug:slug>/judged/<str:sheet_id>/answers/<str:answer_id>/edit": _edit,
    "POST /api/projects/<slug:slug>/sheets/undo": lambda world: Usual({"sheet_id": world.ids["judged"]}),
    "POST /api/projects/<slug:slug>/sheets/<str:sheet_id>/submit": _submit,
    "POST /api/projects/<slug:slug>/queue/decide": lambda world: Usual(
        {"answers": [{"id": _undecided(world), "seen_number": 0}]}
    ),
    "POST /api/projects/<slug:slug>/answers/<str:candidate>/decision": lambda world: Usual(
        {"seen_number": _decided(world), "next": LEFT_OUT}
    ),
    "POST /api/projects/<slug:slug>/gold/corrections": lambda world: Usual(
        {"question": world.ids["questions"]}
    ),
    **{
        f"POST /api/projects/<slug:slug>/gold/proposals/{act}": lambda _: Usual(
            {"ids": LEFT_OUT, "all_safe": True}
        )
        for act in ("accept", "preview")
    },
    "POST /api/projects/<slug:slug>/known-answers": lambda world: Usual({"answer": world.ids["answers"]}),
    "POST /api/projects/<slug:slug>/exports": lambda _: Usual({"format": "votes-csv"}),
    "POST /api/projects/<slug:slug>/answer-exports": lambda world: Usual({"answers": [world.ids["answers"]]}),
    "POST /api/projects/<slug:slug>/webhooks": lambda _: Usual(
        {"url": "https://127.0.0.1:9/hook", "events": ["run.finished"]}
    ),
    "POST /api/projects/<slug:slug>/connections": lambda _: Usual(_CONNECTION),
    "PATCH /api/projects/<slug:slug>/connections/<str:connection_id>": lambda _: Usual(_CONNECTION),
    "POST /api/projects/<slug:slug>/prompts": lambda _: Usual(_PROMPT),
    "POST /api/projects/<slug:slug>/prompts/preview": lambda world: Usual(
        {"prompt": LEFT_OUT, "draft": _PROMPT, "answer": world.ids["answers"]}
    ),
    "POST /api/projects/<slug:slug>/runs": lambda _: Usual({**_RUN, "spend_cap": None}),
    # A lexical judge’s run follows anyway.
    "PATCH /api/projects/<slug:slug>/runs/<str:run_id>": lambda _: Usual(
        {"spend_cap": None, "follows": True}
    ),
    "POST /api/projects/<slug:slug>/runs/estimate": lambda _: Usual(_RUN),
    "POST /api/projects/<slug:slug>/prejudging/preview": lambda world: Usual(
        {"rules": [{"runs": [world.ids["runs"]], "condition": "any_accepts"}]}
    ),
    "PUT /api/projects/<slug:slug>/prejudging": lambda world: Usual(
        {"rules": [{"runs": [world.ids["runs"]], "condition": "any_accepts"}], "audit_share": 0.05}
    ),
    "POST /api/projects/<slug:slug>/prejudging/routing/<str:routing_id>/end": lambda _: Usual(
        {"gives_back": True}
    ),
    "POST /api/projects/<slug:slug>/tagging": lambda world: Usual(
        {
            "set": world.ids["tag-sets"],
            "filter": {},
            "connection": "",
            "spend_cap": None,
            "taggers": [world.cast["lead"].public_id],
        }
    ),
    "POST /api/projects/<slug:slug>/tagging/chosen": lambda world: Usual(
        {"set": world.ids["tag-sets"], "answers": [world.ids["answers"]], "tags": []}
    ),
    "POST /api/projects/<slug:slug>/tagging/preview": lambda world: Usual(
        {"set": world.ids["tag-sets"], "filter": {}}
    ),
    "POST /api/projects/<slug:slug>/tagging/<str:tagging_round>/items/<str:item>/tags": lambda _: Usual(
        {"tags": ["secret"], "is_unattributable": False, "seen_number": 1}
    ),
    "POST /api/projects/<slug:slug>/tagging/<str:tagging_round>/items/<str:item>/withdraw": lambda _: Usual(
        {"seen_number": 1}
    ),
    "POST /api/projects/<slug:slug>/reference-scores": lambda _: Usual(
        {"measure": "exact_match", "source_url": "https://a.test/", "system": "", "prompt": "", "dataset": ""}
    ),
}
# Not accepted in this project, and why: its fields are tried as far as they are read before that.
NOT_ACCEPTED = {
    "POST /api/bundles": "takes a file; files that are none are tried besides",
    "POST /api/account/close": "the only lead stays",
    "POST /api/account/two-factor/turn-on": "needs an app that is being set up",
    "POST /api/account/two-factor/turn-off": "needs it on",
    "POST /api/account/two-factor/recovery-codes": "needs it on",
    "POST /api/account/sso": "needs a provider",
    "POST /api/account/sso/disconnect": "needs a provider",
    "POST /api/sso/begin": "needs a provider",
    "POST /api/sso/code": "needs a provider",
    "POST /api/password-links/<str:token>": "needs a link",
    "POST /api/email-links/<str:token>": "needs a link",
    "POST /api/unsubscribe/<str:token>": "needs a link",
    "POST /api/password-requests": "needs a mail server",
    "PUT /api/account/email": "needs a mail server",
    "POST /api/invitations/<str:token>/accept": "needs a link",
    "POST /api/projects/<slug:slug>/guidelines": "needs somebody who has not read them",
    "POST /api/projects/<slug:slug>/leave": "the only lead stays",
    "POST /api/projects/<slug:slug>/imports": "takes files; its form is tried besides",
    "DELETE /api/projects/<slug:slug>/imports/<str:id>": "needs an import that waits",
    "POST /api/projects/<slug:slug>/imports/<str:id>/check": "needs an import that waits",
    "POST /api/projects/<slug:slug>/imports/<str:id>/cancel": "needs a check that goes on",
    "POST /api/projects/<slug:slug>/imports/<str:id>/confirm": "needs an import that waits",
    "POST /api/projects/<slug:slug>/imports/<str:id>/undo": "needs an import that nobody judged",
    "POST /api/projects/<slug:slug>/training/answers": "needs training",
    "POST /api/projects/<slug:slug>/training/again": "needs training",
    "POST /api/projects/<slug:slug>/gold/proposals/dismissed": "needs an answer that people accepted",
    "POST /api/projects/<slug:slug>/work/pilots/end": "needs a pilot",
    "POST /api/projects/<slug:slug>/work/raters/<str:member_id>/resume": "needs somebody who pauses",
    "POST /api/projects/<slug:slug>/queue/take-back": "needs a decision on several answers",
    "POST /api/projects/<slug:slug>/reuse": "needs another project",
    "POST /api/projects/<slug:slug>/reuse/undo": "needs another project",
    "POST /api/projects/<slug:slug>/answers/<str:candidate>/send-back": "needs a decision by votes",
    "POST /api/projects/<slug:slug>/queue/send-back": "needs a decision by votes",
    "POST /api/projects/<slug:slug>/known-answers/several": "needs a decided answer",
    "POST /api/projects/<slug:slug>/delete": "needs an archived project",
    "POST /api/projects/<slug:slug>/runs/<str:run_id>/retry": "needs a run that failed",
    "POST /api/projects/<slug:slug>/runs/<str:run_id>/pause": "needs a run at work",
    "POST /api/projects/<slug:slug>/runs/<str:run_id>/resume": "needs a run that pauses",
    "POST /api/projects/<slug:slug>/runs/<str:run_id>/continue": "needs a run of a sample",
    "POST /api/projects/<slug:slug>/runs/<str:run_id>/cancel": "needs a run at work",
    "POST /api/projects/<slug:slug>/prejudging/undo": "needs an application that is named",
    "POST /api/projects/<slug:slug>/prejudging/certificates": "needs a sample that people judged",
    "POST /api/projects/<slug:slug>/prejudging/routing": "needs answers that people judged in full",
    "POST /api/projects/<slug:slug>/reference-scores/<str:reference>/restore": "needs one taken back",
}


def usual_of(name: str, world: World) -> Usual:
    """Return what an operation takes besides what the schema suggests."""
    return USUAL_OF[name](world) if name in USUAL_OF else Usual()
