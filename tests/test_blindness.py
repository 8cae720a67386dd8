"""Nothing that reaches an annotator says who wrote an answer, what is gold, or how anybody else judged.

First a crawl: whatever is hidden in a project is a canary word, and no reply may contain one. Then
pairs: a reply must not change by a byte when only hidden facts change.
"""

import json
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from datetime import datetime
from typing import Any

import pytest
from django.core.cache import caches
from django.utils import timezone

from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.items import selectors
from annotation.items.models import (
    Candidate,
    GoldAnswer,
    Passage,
    Prediction,
    RetrievedPassage,
    System,
)
from annotation.judgments.models import Judgment
from annotation.projects.services.protocols import set_protocol
from common.memory import forget_everything
from judges.prejudging.models import PrejudgedAnswer
from judges.runs.models import Verdict
from judges.tagging.models import Tagging
from tests.conftest import ClientOf, draw_by
from tests.routes import BODIES, WRITING, Route, api_routes, headers_of, rolled_back
from tests.world import HIDDEN, World, make_world

pytestmark = pytest.mark.long

BAD_BODIES = ("", "{}", "[]", "null", "{", '{"ahead": "x"}', '{"answers": [{"id": 1}], "submission_key": 1}')
COMPLETE_BODIES = tuple(json.dumps(body) for body in BODIES.values())
# Where an annotator is refused, or a method takes no body, what is sent hardly matters.
FEW_BODIES = ("", "{", "{}")
# A method that a route has not is refused before anything is read.
ANY_BODY, NO_QUERY = ("{}",), ("",)
QUERIES = ("", "?search=a&state=decided&limit=1", "?scope=entire&reason=disputed", "?cursor=x&question=%00")


class Annotator(ClientOf):
    """An annotator of the world, who may send anything."""

    def __init__(self, world: World) -> None:
        super().__init__(world.cast["annotator"].user)
        self.raise_request_exception = False

    def said(self, method: str, address: str, body: str = "") -> bytes:
        """Return everything a reply tells: status, headers and body."""
        reply: Any = self.generic(method, address, data=body, content_type="application/json")
        told = b"".join(reply.streaming_content) if reply.streaming else reply.content
        headers = json.dumps(headers_of(reply)) + reply.cookies.output()
        assert reply.status_code < 500, f"{method} {address}: {told!r}"
        return f"{reply.status_code} {headers} ".encode() + bytes(told)


def requests_to(route: Route, *, ids: dict[str, str]) -> Iterator[tuple[str, str, str]]:
    """Return every method with every body, fit or not."""
    address = route.address(slug="own", ids=ids)
    for query in QUERIES if "GET" in route.methods else NO_QUERY:
        yield "GET", address + query, ""
    for method in ("OPTIONS", "HEAD", *WRITING):
        for body in bodies_for(route, method):
            yield method, address, body


def bodies_for(route: Route, method: str) -> tuple[str, ...]:
    if method not in WRITING:
        return FEW_BODIES
    if method not in route.methods:
        return ANY_BODY
    is_open = not route.is_of_a_project or "annotator" in route.view.allowed_roles
    if not is_open:
        return FEW_BODIES
    return (*BAD_BODIES, *COMPLETE_BODIES, json.dumps(route.body(method)))


class TestCanaries:
    def test_the_world_does_hide_canaries(self, world: World) -> None:
        reply = ClientOf(world.cast["lead"].user).get(f"/api/projects/own/queue/{world.ids['queue']}")
        assert HIDDEN in reply.content.decode()

    def test_no_reply_of_any_route_holds_one(self, world: World, subtests: pytest.Subtests) -> None:
        links = ("invitations", "password-links", "email-links", "unsubscribe")
        ids = {**world.ids, **dict.fromkeys(links, "no-such-token")}
        for route in api_routes():
            # Signed in anew for each: one of the routes signs out.
            annotator = Annotator(world)
            with subtests.test(route.name):
                for method, address, body in requests_to(route, ids=ids):
                    with rolled_back():
                        told = annotator.said(method, address, body)
                    assert HIDDEN.encode() not in told, f"{method} {address} {body}"
                    assert b"not_authenticated" not in told or route.view.access == "public"

    def test_a_whole_days_work_holds_none(self, world: World) -> None:
        for told in days_work(world):
            assert HIDDEN.encode() not in told

    def test_references_are_shown_only_where_the_protocol_shows_them(self, db: None) -> None:
        shown = make_world(slug="shown", preset="evouna")
        told = b"".join(days_work(shown))
        assert f"{HIDDEN} gold".encode() in told
        assert f"{HIDDEN}-system".encode() not in told


class TestReach:
    def test_annotators_reach_these_routes_and_no_other(self) -> None:
        reached = {
            route.template.removeprefix("/api/projects/<slug:slug>")
            for route in api_routes()
            if route.is_of_a_project and "annotator" in route.view.allowed_roles
        }
        assert reached == {
            "",
            "/guidelines",
            "/sheets/next",
            "/leave",
            "/judged",
            "/judged/<str:sheet_id>/answers/<str:answer_id>/edit",
            "/sheets/undo",
            "/sheets/<str:sheet_id>/submit",
            "/sheets/<str:sheet_id>/skip",
            "/sheets/<str:sheet_id>/flags",
            "/training",
            "/training/answers",
            "/training/again",
        }


class TestErrors:
    def test_conflicts_and_refusals_hold_no_canary(self, world: World) -> None:
        annotator = Annotator(world)
        sheet = f"/api/projects/own/sheets/{world.ids['sheets']}"
        for path in ("submit", "skip"):
            for key in ("first key", "second key"):
                body = json.dumps({**BODIES[path], "submission_key": key})
                assert HIDDEN.encode() not in annotator.said("POST", f"{sheet}/{path}", body)
        assert HIDDEN.encode() not in annotator.said("POST", "/api/projects/own/sheets/undo", "{}")


def days_work(world: World) -> Iterator[bytes]:
    """Judge everything, flag, skip and take back, and return all that was told on the way."""
    annotator = Annotator(world)
    root = f"/api/projects/{world.project.slug}"
    for address in ("/api/projects", root, "/api/presets", f"{root}/guidelines"):
        yield annotator.said("GET", address)
    told = annotator.said("POST", f"{root}/sheets/next", '{"ahead": 3}')
    yield told
    for number in range(20):
        work = json.loads(told.partition(b" {")[2].join([b"{", b""]))
        if not work["sheets"]:
            assert number > 0, "a day without work shows nothing, and proves nothing"
            return
        sheet = work["sheets"][0]
        yield annotator.said("POST", f"{root}/sheets/{sheet['id']}/flags", '{"kind": "list"}')
        act = "skip" if number == 2 else "submit"
        given = {
            "answers": [{"id": answer["id"], "label": "correct"} for answer in sheet["answers"]],
            "checks": {check["key"]: False for check in sheet["checks"]},
        }
        body = {
            "submission_key": f"key number {number}",
            "ahead": 3,
            **(given if act == "submit" else {"reason": "unclear"}),
        }
        told = annotator.said("POST", f"{root}/sheets/{sheet['id']}/{act}", json.dumps(body))
        yield told
        if number == 1:
            told = annotator.said("POST", f"{root}/sheets/undo", '{"ahead": 3}')
            yield told
        yield from looking_back(annotator, f"{root}/judged", number)


def looking_back(annotator: Annotator, address: str, number: int) -> Iterator[bytes]:
    """Read what one has judged and change the first of it that is still open, saying what one hears."""
    told = annotator.said("GET", address)
    yield told
    for sheet in json.loads(told.partition(b" {")[2].join([b"{", b""]))["sheets"]:
        for answer in sheet["answers"]:
            body = {
                "label": "incorrect",
                "comment": f"again {number}",
                "seen_at": answer["said"]["judged_at"],
            }
            path = f"{address}/{sheet['id']}/answers/{answer['id']}/edit"
            yield annotator.said("POST", path, json.dumps(body))
            return


def other_systems(world: World) -> None:
    for system in System.objects.filter(project=world.project):
        system.name = system.label = f"renamed {system.pk}"
        system.save()


def swapped_systems(world: World) -> None:
    Prediction.objects.filter(system__project=world.project).delete()


def other_gold(world: World) -> None:
    for candidate in Candidate.objects.filter(project=world.project):
        GoldAnswer.objects.filter(question=candidate.question_id, position=0).update(text=candidate.text)


def other_verdicts(world: World) -> None:
    Verdict.objects.filter(run__project=world.project).update(accepted=False, raw_reply="no")


def other_labels(world: World) -> None:
    votes = Judgment.objects.filter(rater=world.cast["colleague"])
    for judgment in votes:
        judgment.label = "correct" if judgment.label == "incorrect" else "incorrect"
        judgment.comment = "entirely different"
        judgment.save()


def other_decisions(world: World) -> None:
    Decision.objects.filter(candidate__project=world.project).update(label="correct", reason="other")


def other_imports(world: World) -> None:
    questions = world.project.questions.all()
    questions.update(dataset="other", tags=["hard"], external_id="42", key="something else")


def other_audit(world: World) -> None:
    PrejudgedAnswer.objects.filter(application__project=world.project).delete()


def other_tags(world: World) -> None:
    taggings = Tagging.objects.filter(item__round__project=world.project)
    taggings.update(tags=[], is_unattributable=False, note="another note")


def answers_that_are_gold(world: World) -> None:
    swapped_systems(world)
    Candidate.objects.filter(project=world.project).update(from_gold=True)


def other_reasons(world: World) -> None:
    """Change all of a decision but its label: who, why, when, and whether it was made together."""
    Decision.objects.filter(candidate__project=world.project).update(
        reason="other", category="other", group="group", decided_by=world.cast["adjudicator"].user
    )


class TestOutcomes:
    """Where raters read how their answers were decided, they read the label, and what is meant for them."""

    CHANGES = (other_systems, swapped_systems, answers_that_are_gold, other_gold, other_verdicts)

    @pytest.fixture
    def decided(self, world: World) -> World:
        """Let raters read decisions, and a person decide every answer."""
        protocol = world.project.protocol
        assert protocol is not None
        set_protocol(project=world.project, spec={**protocol.spec, "decisions_shown": True})
        for candidate in Candidate.objects.filter(project=world.project):
            decide_answer(
                project=world.project,
                candidate_id=candidate.public_id,
                by=world.project.created_by,
                label="incorrect",
                reason=f"{HIDDEN} reason",
            )
        return world

    @pytest.mark.parametrize(
        "change",
        [pytest.param(change, id=change.__name__) for change in (*CHANGES, other_labels, other_reasons)],
    )
    def test_they_show_nothing_hidden(self, change: Callable[[World], None], decided: World) -> None:
        address = f"/api/projects/{decided.project.slug}/judged"
        before = Annotator(decided).said("GET", address)
        assert b'"decided":{"label":"incorrect","words":""}' in before
        assert HIDDEN.encode() not in before
        change(decided)
        assert Annotator(decided).said("GET", address) == before


def other_retrieval(world: World) -> None:
    """Change who retrieved which passage, how high, and what it is worth; what there is stays."""
    links = RetrievedPassage.objects.filter(prediction__system__project=world.project)
    links.update(rank=7, score=0.1)
    swapped = list(links.order_by("pk").values_list("pk", "passage_id"))
    links.delete()
    predictions = Prediction.objects.filter(system__project=world.project).order_by("-pk")
    RetrievedPassage.objects.bulk_create(
        RetrievedPassage(
            prediction=predictions[place % predictions.count()],
            passage_id=passage,
            data_import=predictions[0].data_import,
            rank=place + 1,
        )
        for place, passage in enumerate(dict.fromkeys(passage for _, passage in swapped))
    )
    passages = Passage.objects.filter(question__project=world.project)
    passages.update(is_gold=False, position=9, data_import=predictions[0].data_import)


def given_or_not(world: World) -> None:
    """Let what was given be retrieved only, and what was retrieved be given."""
    for passage in Passage.objects.filter(question__project=world.project, is_given=False):
        given = Passage.objects.get(question=passage.question_id, is_given=True)
        given.text, passage.text = passage.text, given.text
        given.text_hash, passage.text_hash = passage.text_hash, given.text_hash
        Passage.objects.filter(pk=given.pk).update(text_hash="meanwhile")
        passage.save()
        given.save()


def showing(world: World, which: str) -> World:
    assert world.project.protocol is not None
    set_protocol(project=world.project, spec={**world.project.protocol.spec, "passages_shown": which})
    rater = world.cast["annotator"]
    rater.refresh_from_db()
    return world


class TestPassages:
    """Raters see the passages that the protocol shows, and nothing that tells systems apart."""

    def test_none_are_shown_unless_the_protocol_says_so(self, world: World) -> None:
        assert b'"passages":null' in next_sheet(world)

    def test_those_of_the_question_are_shown_with_where_they_are_from(self, world: World) -> None:
        told = next_sheet(showing(world, "given")).decode()
        assert f'"passages":[{{"text":"{HIDDEN} passage given","title":"{HIDDEN}"' in told
        assert f"https://{HIDDEN}.test/passage" in told
        assert "passage retrieved" not in told
        assert f"{HIDDEN}-system" not in told

    def test_pooled_ones_say_nothing_of_their_source(self, world: World) -> None:
        told = next_sheet(showing(world, "pooled")).decode()
        assert f"{HIDDEN} passage given" in told
        assert f"{HIDDEN} passage retrieved" in told
        assert f"{HIDDEN}.test/passage" not in told
        assert f"{HIDDEN}-system" not in told
        assert not {"rank", "score", "is_gold", "is_given"} & set(keys_in(told))

    @pytest.mark.parametrize("which", ["given", "pooled"])
    @pytest.mark.parametrize(
        "change",
        [
            pytest.param(change, id=change.__name__)
            for change in (other_systems, other_gold, other_verdicts, other_labels, other_retrieval)
        ],
    )
    def test_who_retrieved_them_does_not_show(
        self, change: Callable[[World], None], which: str, world: World
    ) -> None:
        before = next_sheet(showing(world, which))
        change(world)
        assert next_sheet(world) == before

    def test_pooled_ones_do_not_tell_which_were_given(self, world: World) -> None:
        before = next_sheet(showing(world, "pooled"))
        given_or_not(world)
        assert next_sheet(world) == before

    def test_of_many_the_best_are_shown_in_the_order_of_their_hashes(
        self, world: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(selectors, "MOST_SHOWN", 2)
        question = Passage.objects.filter(question__project=world.project)[0].question
        prediction = Prediction.objects.filter(question=question)[0]
        for rank, (text, text_hash) in enumerate(
            [("best", "ff"), ("second", "aa"), ("third", "00")], start=1
        ):
            passage = Passage.objects.create(
                question=question,
                data_import=prediction.data_import,
                is_given=False,
                text=text,
                text_hash=text_hash,
                position=rank,
            )
            RetrievedPassage.objects.create(
                prediction=prediction, passage=passage, data_import=prediction.data_import, rank=rank
            )
        Passage.objects.filter(question=question, is_given=True).delete()
        RetrievedPassage.objects.filter(passage__text__contains=HIDDEN).delete()
        shown = selectors.shown_passages(question_ids=[question.pk], pooled=True)
        assert [text for text, _, _ in shown[question.pk]] == ["second", "best"]
        monkeypatch.setattr(selectors, "MOST_LETTERS", 5)
        shown = selectors.shown_passages(question_ids=[question.pk], pooled=True)
        assert [text for text, _, _ in shown[question.pk]] == ["best"]


def next_sheet(world: World) -> bytes:
    forget_everything()
    with rolled_back():
        told = Annotator(world).said(
            "POST", f"/api/projects/{world.project.slug}/sheets/next", '{"ahead": 1}'
        )
    assert b'"sheets":[{' in told
    # Renewed with every look.
    return re.sub(rb'"lease_expires_at":"[^"]*"', b"", told)


def keys_in(told: str) -> Iterator[str]:
    yield from re.findall(r'"(\w+)":', told)


@pytest.fixture(scope="module")
def moment(made_world: World) -> datetime:
    return timezone.now()


def told_at(moment: datetime, world: World) -> list[bytes]:
    """Return all that a day's work tells, with the same draws in every call."""
    forget_everything()
    caches["shared"].clear()
    with rolled_back(), pytest.MonkeyPatch.context() as patch:
        draw_by("a day's work", patch)
        patch.setattr("common.clock.timezone.now", lambda: moment)
        return list(days_work(world))


@pytest.fixture(scope="module")
def before(made_world: World, moment: datetime) -> list[bytes]:
    """What the world tells as it was made; changes are compared with it."""
    return told_at(moment, deepcopy(made_world))


class TestPairs:
    """Two worlds that differ in hidden facts only: an annotator cannot tell them apart."""

    @pytest.mark.parametrize(
        "change",
        [
            pytest.param(change, id=change.__name__)
            for change in (
                other_systems,
                swapped_systems,
                answers_that_are_gold,
                other_gold,
                other_verdicts,
                other_labels,
                other_decisions,
                other_imports,
                other_audit,
                other_tags,
            )
        ],
    )
    def test_replies_are_equal_byte_by_byte(
        self, change: Callable[[World], None], before: list[bytes], moment: datetime, world: World
    ) -> None:
        change(world)
        assert told_at(moment, world) == before

    def test_replies_of_one_world_are_equal(
        self, before: list[bytes], moment: datetime, world: World
    ) -> None:
        assert told_at(moment, world) == before
