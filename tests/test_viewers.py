"""Viewers read results and data, change nothing, and never judge blind in the project afterwards.

Every address below a project that reads is in one of two lists here, so that a new one must be decided.
"""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from rest_framework.test import APIClient

from annotation.accounts.models import ApiToken
from annotation.accounts.tokens.issuing import create_token
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services.handing_out import NotHandedOut, hand_out
from annotation.judgments.models import Judgment
from annotation.projects.models import Activity, Membership, Project
from annotation.projects.selectors import OnlyReads
from annotation.projects.services.members import (
    AlreadyMember,
    accept_invitation,
    change_member,
    invite,
    note_opening,
)
from tests.annotation.assignments.factories import judge, make_question
from tests.conftest import ClientOf
from tests.factories import PASSWORD, make_member, make_user
from tests.routes import Route, api_routes, rolled_back
from tests.world import World

ROUTES = [route for route in api_routes() if route.is_of_a_project]
# Below /api/projects/<slug>: decision 0060.
READ = {
    "",
    "/agreement",
    "/agreement/decisions",
    "/agreement/slices",
    "/answer-choices",
    "/answer-views",
    "/answers",
    "/answers/<str:candidate>",
    "/exports",
    "/failure-board",
    "/filters",
    "/gold",
    "/gold/days",
    "/gold/questions",
    "/judge-board",
    "/judge-board/<str:run>/parts",
    "/judge-board/<str:run>/thresholds",
    "/judge-board/cautions",
    "/judge-board/differences",
    "/judge-board/pairs",
    "/judge-board/replacement",
    "/judge-board/strategies",
    "/leaderboard",
    "/leaderboard/amendments",
    "/leaderboard/beyond",
    "/leaderboard/corrected",
    "/leaderboard/datasets",
    "/leaderboard/pairs",
    "/methods",
    "/overview",
    "/paper-tables",
    "/prejudging/audit",
    "/reference-scores",
    "/results",
    "/systems",
    "/systems-board",
    "/systems-board/questions",
    "/systems-board/two",
    "/tag-sets",
    "/tagging",
    "/tagging/<str:tagging_round>/results",
}
NOT_READ = {
    # Who takes part, links, and what leads did.
    "/activity",
    "/invitations",
    "/members",
    "/protocol/readers",
    # How well and how fast each annotator works; votes by annotator.
    "/agreement/pilots",
    "/known-answers",
    "/quality-plan",
    "/raters",
    "/raters/<str:rater>",
    "/work",
    "/work/pilots",
    # Setting up and running the study.
    "/export-formats",
    "/import-formats",
    "/imports",
    "/imports/<str:id>",
    "/leaderboard/plan",
    "/protocol",
    "/protocol/versions",
    "/reuse",
    "/reuse/preview",
    "/sample",
    "/setup",
    # Work that waits for a decision or a tag.
    "/gold/proposals",
    "/queue",
    "/queue/<str:candidate>",
    "/tagging/<str:tagging_round>",
    "/tagging/<str:tagging_round>/items/<str:item>",
    # Whose limits count it.
    "/organization",
    # Judges at work: what they cost, over which connection, with which prompt, and how rules settle answers.
    "/allowed-hosts",
    "/connections",
    "/connections/<str:connection_id>",
    "/model-apis",
    "/prejudging",
    "/prejudging/answers",
    "/prejudging/calibration",
    "/prejudging/decided-by",
    "/prejudging/routing",
    "/prejudging/routing/replay",
    "/prompts",
    "/prompts/<str:prompt_id>",
    "/prompts/placeholders",
    "/runs",
    "/runs/<str:run_id>",
    "/runs/<str:run_id>/verdicts",
    "/runs/scopes",
    # Other programs.
    "/webhooks",
    "/webhooks/<str:webhook>",
    "/webhooks/<str:webhook>/deliveries",
    # What annotators judge.
    "/guidelines",
    "/judged",
    "/training",
}
LEAVE = "/api/projects/<slug:slug>/leave"


def below(route: Route) -> str:
    return route.template.removeprefix("/api/projects/<slug:slug>")


class TestDecided:
    def test_every_address_that_reads_is_decided(self) -> None:
        reading = {below(route) for route in ROUTES if "GET" in route.methods}
        assert reading == READ | NOT_READ
        assert not READ & NOT_READ

    def test_views_say_what_was_decided(self) -> None:
        for route in ROUTES:
            if "GET" in route.methods:
                assert (Membership.Role.VIEWER in route.view.allowed_roles) == (below(route) in READ), route

    def test_no_view_lets_a_viewer_write_but_leave(self) -> None:
        """Neither by its list of roles for writing, nor where it has none."""
        named = {
            route.template for route in ROUTES if Membership.Role.VIEWER in (route.view.write_roles or ())
        }
        assert named == {LEAVE}


class TestReading:
    def test_everything_decided_is_served_and_the_rest_refused(
        self, world: World, subtests: pytest.Subtests
    ) -> None:
        client = ClientOf(world.cast["viewer"].user)
        for route in (route for route in ROUTES if "GET" in route.methods):
            with subtests.test(route.name):
                reply: Any = client.get(route.address(slug="own", ids=world.ids))
                is_refused = reply.status_code == 403 and reply.json()["error"]["code"] == "wrong_role"
                # Some need a parameter.
                assert is_refused or reply.status_code in {200, 400, 404}
                assert is_refused is (below(route) in NOT_READ)

    def test_nothing_is_written(self, world: World, subtests: pytest.Subtests) -> None:
        client = ClientOf(world.cast["viewer"].user)
        for route in (route for route in ROUTES if route.template != LEAVE):
            for method in (method for method in route.methods if method != "GET"):
                with subtests.test(f"{method} {route.name}"):
                    address = route.address(slug="own", ids=world.ids)
                    reply: Any = getattr(client, method.lower())(address, route.body(method), format="json")
                    assert (reply.status_code, reply.json()["error"]["code"]) == (403, "wrong_role")
        assert not Activity.objects.filter(user=world.cast["viewer"].user).exists()

    def test_the_overview_has_no_people_and_no_work_to_do(self, world: World) -> None:
        address = "/api/projects/own/overview"
        seen = ClientOf(world.cast["viewer"].user).get(address).json()
        full = ClientOf(world.cast["lead"].user).get(address).json()
        assert full["raters"]
        assert full["needs"]
        assert seen == {**full, "raters": [], "needs": []}

    def test_files_that_leads_made_are_listed_and_downloaded(self, world: World, settings: Any) -> None:
        client = ClientOf(world.cast["viewer"].user)
        (listed,) = client.get("/api/projects/own/exports").json()
        assert listed["id"] == world.ids["exports"]
        assert client.get(f"/api/exports/{listed['id']}").json() == listed
        # The world's file is none on the disk: that is said to those who may have it.
        reply = client.get(f"/api/exports/{listed['id']}/download")
        assert reply.json()["error"]["code"] == "export_not_ready" or reply.status_code == 409
        stranger = ClientOf(make_user()).get(f"/api/exports/{listed['id']}/download")
        assert stranger.status_code == 404

    def test_systems_are_shown_and_annotators_are_not(self, world: World) -> None:
        client = ClientOf(world.cast["viewer"].user)
        assert client.get("/api/projects/own").json()["sees_systems"] is True
        choices = client.get("/api/projects/own/answer-choices").json()
        assert choices["raters"] is None
        assert choices["systems"]
        for asked in ("judged_by=R1", "differing=rater:R1~people"):
            reply = client.get(f"/api/projects/own/answers?{asked}")
            assert reply.json()["error"]["code"] == "wrong_role"
        asked = "only_right=a&only_wrong=b&according_to=rater:R1"
        assert client.get(f"/api/projects/own/answers?{asked}").status_code == 400

    def test_who_saved_a_view_as_a_lead_changes_it_no_more(self, world: World) -> None:
        member = world.cast["viewer"]
        Membership.objects.filter(pk=member.pk).update(role="lead")
        client = ClientOf(member.user)
        body = {"name": "mine", "query": {"label": "correct"}}
        assert client.post("/api/projects/own/answer-views", body, format="json").json()["may_change"]
        Membership.objects.filter(pk=member.pk).update(role="viewer")
        listed = client.get("/api/projects/own/answer-views").json()
        assert [view["may_change"] for view in listed if view["name"] == "mine"] == [False]

    def test_leaving_is_their_own_affair(self, world: World) -> None:
        client = ClientOf(world.cast["viewer"].user)
        assert client.post("/api/projects/own/leave").status_code == 204
        assert client.get("/api/projects/own").status_code == 404


class TestTokens:
    @pytest.mark.parametrize("scope", ["run", "write", "manage"])
    def test_of_the_project_read(self, scope: str, world: World) -> None:
        user = world.cast["viewer"].user
        with pytest.raises(OnlyReads):
            create_token(user=user, name="any", scope=scope, days=1, project="own")
        assert not ApiToken.objects.filter(user=user).exists()
        token = create_token(user=user, name="any", scope="read", days=1, project="own").text
        client = APIClient(HTTP_AUTHORIZATION=f"Bearer {token}")
        assert client.get("/api/projects/own/leaderboard").status_code == 200

    def test_the_form_says_which_field_is_wrong(self, world: World) -> None:
        body = {"name": "any", "scope": "write", "days": 1, "project": "own", "password": PASSWORD}
        reply = ClientOf(world.cast["viewer"].user).post("/api/account/tokens", body, format="json")
        assert reply.status_code == 400
        assert "can only read" in reply.json()["error"]["details"]["fields"]["scope"][0]

    def test_of_a_former_lead_read_from_then_on(self, world: World, subtests: pytest.Subtests) -> None:
        user = world.cast["lead"].user
        token = create_token(user=user, name="any", scope="manage", days=1, project="own").text
        Membership.objects.filter(project=world.project, user=user).update(role="viewer")
        client = APIClient(HTTP_AUTHORIZATION=f"Bearer {token}")
        assert client.get("/api/projects/own/leaderboard").status_code == 200
        for route in ROUTES:
            for method in (method for method in route.methods if method != "GET"):
                with subtests.test(f"{method} {route.name}"), rolled_back():
                    address = route.address(slug="own", ids=world.ids)
                    reply: Any = getattr(client, method.lower())(address, route.body(method), format="json")
                    assert reply.status_code == 403
                    # A few take no token that is for one project.
                    assert reply.json()["error"]["code"] in {"wrong_role", "token_refused"}


class TestBlindness:
    @pytest.fixture
    def rater(self, project: Project) -> Membership:
        make_question(project=project, answers=1)
        return make_member(project=project)

    def make(self, member: Membership, role: str) -> Membership:
        return change_member(project=member.project, public_id=member.public_id, role=role)

    def test_who_has_looked_is_handed_no_work_as_an_annotator(self, rater: Membership) -> None:
        viewer = self.make(rater, "viewer")
        assert ClientOf(viewer.user).get("/api/projects/small/overview").status_code == 200
        again = self.make(viewer, "annotator")
        with pytest.raises(NotHandedOut) as refused:
            hand_out(rater=again)
        assert refused.value.error_code == "unblinded"

    def test_who_looked_at_nothing_but_the_project_itself_judges(self, rater: Membership) -> None:
        viewer = self.make(rater, "viewer")
        assert ClientOf(viewer.user).get("/api/projects/small").status_code == 200
        assert hand_out(rater=self.make(viewer, "annotator"))

    def test_who_left_and_comes_back_by_an_annotators_link_stays_unblinded(
        self, project: Project, rater: Membership
    ) -> None:
        viewer = self.make(rater, "viewer")
        note_opening(member=viewer)
        change_member(project=project, public_id=viewer.public_id, state="left")
        token = invite(project=project, by=project.created_by, role="annotator").token
        again = accept_invitation(token=token, user=rater.user)
        assert (again.pk, again.role) == (rater.pk, "annotator")
        with pytest.raises(NotHandedOut):
            hand_out(rater=again)

    def test_a_sheet_in_hand_cannot_be_submitted_as_a_viewer_and_never_counts_afterwards(
        self, rater: Membership
    ) -> None:
        (sheet,) = hand_out(rater=rater)
        viewer = self.make(rater, "viewer")
        sheet.rater = viewer
        with pytest.raises(NotHandedOut):
            judge(sheet)
        reply = ClientOf(viewer.user).post(f"/api/projects/small/sheets/{sheet.public_id}/submit")
        assert reply.json()["error"]["code"] == "wrong_role"
        assert ClientOf(viewer.user).get("/api/projects/small/answers").status_code == 200
        sheet.rater = self.make(viewer, "annotator")
        sheet.rater.refresh_from_db()
        outcome = judge(sheet)
        assert (outcome.counted, outcome.surplus, outcome.unblinded) == (0, 1, True)
        assert Judgment.objects.get(rater=rater).state == Judgment.State.SURPLUS

    def test_a_sheet_in_hand_goes_to_somebody_else(self, project: Project, rater: Membership) -> None:
        (sheet,) = hand_out(rater=rater)
        self.make(rater, "viewer")
        others = [make_member(project=project) for _ in range(3)]
        Sheet.objects.filter(pk=sheet.pk).update(lease_expires_at=sheet.handed_out_at)
        assert all(hand_out(rater=other) for other in others[:2])
        live = Assignment.objects.filter(state=Assignment.State.LIVE)
        assert rater.pk not in set(live.values_list("rater", flat=True))


class TestTwoRoles:
    def test_the_database_knows_one_role_a_person(self, project: Project) -> None:
        member = make_member(project=project, role="viewer")
        with pytest.raises(IntegrityError), transaction.atomic():
            Membership.objects.create(
                project=project,
                user=member.user,
                role="annotator",
                pseudonym="R99",
                joined_at=member.joined_at,
            )

    @pytest.mark.parametrize(("first", "second"), [("viewer", "annotator"), ("annotator", "viewer")])
    def test_the_second_link_changes_nothing(self, first: str, second: str, project: Project) -> None:
        person = make_user()
        links = [
            invite(project=project, by=project.created_by, role=role).token for role in (first, first, second)
        ]
        assert accept_invitation(token=links[0], user=person).role == first
        for token in links[1:]:
            with pytest.raises(AlreadyMember):
                accept_invitation(token=token, user=person)
        assert Membership.objects.get(user=person).role == first
