"""What proposals for gold lists would do, said before they are accepted, and versions of the list."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from annotation.accounts.models import User
from annotation.gold.models import GoldChange
from annotation.gold.services.proposals import accept_proposals, undo_group
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.projects.models import Membership, Project
from common.errors import DomainError
from judges.comparison.rules.study import HUMAN
from judges.comparison.selectors.leaderboard.proposals import (
    describe_proposals,
    find_effects,
    preview_proposals,
)
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.selectors.report import build_report
from tests.annotation.adjudication.factories import make_import
from tests.conftest import ClientOf
from tests.judges.comparison.conftest import Decider

LISTED = "/api/projects/small/gold/proposals"


@pytest.fixture
def answered_later(study: Project, all_decided: None) -> Project:
    """A third system, of whose answers two are right, written otherwise, and one is wrong."""
    data_import = make_import(project=study)
    system = System.objects.create(project=study, data_import=data_import, name="gamma", label="Gamma")
    for position, text in enumerate(("in Paris", "about the Pacific", "Sir Marlowe")):
        question = Question.objects.get(project=study, position=position)
        candidate = Candidate.objects.create(
            question=question,
            project=study,
            data_import=data_import,
            text=text,
            pool_hash=f"{position}later",
            position=9,
            state=Candidate.State.OPEN,
            wanted=2,
        )
        Prediction.objects.create(
            system=system, question=question, candidate=candidate, data_import=data_import, text=text
        )
    return study


def right_by_list(project: Project) -> dict[str, int | None]:
    """Return how many answers of each system equal the amended list."""
    board = read_leaderboard(project=project)
    return {row.label: score.correct for row in board.rows if (score := row.scores[HUMAN])}


class TestFindEffects:
    def test_a_preview_says_what_accepting_then_does(self, answered_later: Project, lead: User) -> None:
        before = right_by_list(answered_later)
        assert before == {"Alpha": 3, "Beta": 2, "Gamma": 0}
        preview = preview_proposals(project=answered_later, ids=None)
        assert (preview.wrong, preview.right) == (0, 0)
        assert preview.open >= 2
        ids = [each.id for each in find_effects(answered_later)]
        assert preview.proposals == len(ids)
        accept_proposals(project=answered_later, ids=ids, by=lead)
        after = right_by_list(answered_later)
        assert after == {"Alpha": 3, "Beta": 2, "Gamma": 2}
        assert {
            move.label: (move.before, move.after) for move in preview.moves if move.before != move.after
        } == {label: (before[label], after[label]) for label in before if before[label] != after[label]}

    def test_ranks_that_would_move_are_told(self, answered_later: Project) -> None:
        moves = preview_proposals(project=answered_later, ids=None).moves
        ranks = {move.label: (move.rank_before, move.rank_after) for move in moves}
        assert ranks == {"Gamma": (3, 2)}

    def test_answers_that_people_rejected_are_named(self, answered_later: Project, decide: Decider) -> None:
        decide("in Paris", "incorrect")
        found = [each for each in find_effects(answered_later) if each.effect.wrong]
        rows = describe_proposals(project=answered_later, found=found)
        assert rows
        assert {(row.wrong, row.wrong_answers[0].text, *row.wrong_answers[0].systems) for row in rows} == {
            (1, "in Paris", "Gamma")
        }
        # A pattern calls nothing right that people rejected; other judges of the list would.
        assert all(not row.moves for row in rows)
        chosen = preview_proposals(project=answered_later, ids=[row.id for row in rows])
        assert (chosen.proposals, chosen.wrong) == (len(rows), 1)

    def test_those_that_call_something_wrong_right_come_last(
        self, answered_later: Project, decide: Decider
    ) -> None:
        decide("in Paris", "incorrect")
        wrong = [bool(each.effect.wrong) for each in find_effects(answered_later)]
        assert wrong == sorted(wrong)
        assert True in wrong


class TestUndo:
    def test_gives_the_same_scores_to_the_byte(self, answered_later: Project, lead: User) -> None:
        def scores() -> bytes:
            client = ClientOf(lead)
            board: bytes = client.get("/api/projects/small/leaderboard?intervals=true").content
            return board + json.dumps(build_report(project=answered_later, rules=[])).encode()

        before = scores()
        ids = [each.id for each in find_effects(answered_later)]
        group = accept_proposals(project=answered_later, ids=ids, by=lead).group
        assert scores() != before
        undo_group(project=answered_later, group=group, by=lead, reason="tried it")
        assert scores() == before


class TestVersions:
    def column(self, project: Project, version: str) -> dict[str, int | None]:
        board = read_leaderboard(project=project, gold=version)
        (column,) = [each for each in board.columns if each.key == f"gold:{version}"]
        assert column.signature.startswith("exact_match|gold:")
        return {row.label: score.correct for row in board.rows if (score := row.scores[column.key])}

    def test_every_change_gives_a_version(self, answered_later: Project, lead: User) -> None:
        later = datetime.now(UTC) + timedelta(days=2)
        ids = [each.id for each in find_effects(answered_later)]
        accept_proposals(project=answered_later, ids=ids, by=lead, at=later)
        changes = list(GoldChange.objects.order_by("changed_at", "pk"))
        today = f"{datetime.now(UTC):%Y-%m-%d}"
        assert self.column(answered_later, "original") == {"Alpha": 1, "Beta": 2, "Gamma": 0}
        assert self.column(answered_later, "1") == self.column(answered_later, changes[0].public_id)
        before_proposals = str(len(changes) - len(ids))
        assert self.column(answered_later, before_proposals) == {"Alpha": 3, "Beta": 2, "Gamma": 0}
        assert self.column(answered_later, str(len(changes))) == right_by_list(answered_later)
        assert self.column(answered_later, (later + timedelta(days=1)).isoformat()) == right_by_list(
            answered_later
        )
        assert self.column(answered_later, today) == {"Alpha": 3, "Beta": 2, "Gamma": 0}

    def test_what_was_undone_since_still_counts_then(self, answered_later: Project, lead: User) -> None:
        ids = [each.id for each in find_effects(answered_later)]
        group = accept_proposals(project=answered_later, ids=ids, by=lead).group
        number = str(GoldChange.objects.count())
        accepted = right_by_list(answered_later)
        undo_group(project=answered_later, group=group, by=lead, reason="no")
        assert self.column(answered_later, number) == accepted != right_by_list(answered_later)

    def test_what_was_decided_anew_since_still_counts_then(
        self, answered_later: Project, lead: User, decide: Decider
    ) -> None:
        ids = [each.id for each in find_effects(answered_later)]
        accept_proposals(project=answered_later, ids=ids, by=lead)
        number, then = str(GoldChange.objects.count()), right_by_list(answered_later)
        decide("in Paris", "incorrect")
        decide("William S.", "incorrect")
        assert self.column(answered_later, number) == then
        assert right_by_list(answered_later) == {"Alpha": 2, "Beta": 2, "Gamma": 1}

    @pytest.mark.parametrize(
        "version", ["0", "99999999999", "nothing", "2026-02-30", "2026-13-01T00:00", "-1", "²"]
    )
    def test_others_are_refused(self, study: Project, all_decided: None, version: str) -> None:
        with pytest.raises(DomainError) as refused:
            read_leaderboard(project=study, gold=version)
        assert refused.value.code == "gold_version_not_found"

    def test_the_report_has_it_as_a_column(self, study: Project, all_decided: None) -> None:
        report = build_report(project=study, rules=[], gold="1")
        (column,) = [each for each in report["columns"] if each["key"] == "gold:1"]
        assert column["signature"].startswith("exact_match|gold:amended-")
        assert all("gold:1" in row["scores"] for row in report["systems"])


class TestApi:
    def test_a_lead_looks_accepts_and_undoes(self, answered_later: Project, lead: User) -> None:
        client = ClientOf(lead)
        listed = client.get(LISTED).json()
        assert listed["all"] == listed["safe"] == listed["count"] > 0
        changing = client.get(f"{LISTED}?part=changing").json()["proposals"]
        assert {row["open"] for row in changing} == {1}
        assert client.get(f"{LISTED}?part=wrong").json()["count"] == 0
        one = changing[0]
        assert client.get(f"{LISTED}?question={one['question_id']}&kind={one['kind']}").json()["count"] >= 1
        preview = client.post(f"{LISTED}/preview", {"ids": [one["id"]]}, format="json").json()
        assert (preview["proposals"], preview["moves"]) == (1, one["moves"])
        accepted = client.post(f"{LISTED}/accept", {"ids": [one["id"]]}, format="json")
        assert (accepted.status_code, accepted.json()["changes"]) == (201, 1)
        assert client.post(f"{LISTED}/accept", {"ids": [one["id"]]}, format="json").status_code == 409
        rest = client.post(
            f"{LISTED}/accept",
            {"all_safe": True, "reason": "looked at them"},
            format="json",
        ).json()
        assert rest["changes"] > 0
        undo = f"/api/projects/small/gold/groups/{rest['group']}/undo"
        assert client.post(undo, {"reason": ""}, format="json").status_code == 400
        assert client.post(undo, {"reason": "too wide"}, format="json").json()["changes"] == rest["changes"]
        assert client.post(undo, {"reason": "again"}, format="json").status_code == 404
        dismissed = client.get(LISTED).json()["proposals"][0]["id"]
        assert client.post(f"{LISTED}/dismissed", {"ids": [dismissed]}, format="json").json() == {"count": 1}
        assert client.get(LISTED).json()["dismissed"] == 1
        assert client.delete(f"{LISTED}/dismissed").json() == {"count": 1}
        assert client.get(LISTED).json()["dismissed"] == 0
        days = client.get("/api/projects/small/gold/days").json()
        assert sum(day["made"] for day in days) == GoldChange.objects.count()

    @pytest.mark.parametrize(
        "body", [{}, {"ids": []}, {"ids": ["x"], "all_safe": True}, {"ids": "x"}, {"ids": ["x" * 61]}]
    )
    def test_a_choice_of_nothing_and_of_both_is_refused(
        self, study: Project, lead: User, body: dict[str, object]
    ) -> None:
        for place in ("preview", "accept"):
            assert ClientOf(lead).post(f"{LISTED}/{place}", body, format="json").status_code == 400

    def test_nobody_but_leads_gets_near(
        self, answered_later: Project, annotators: list[Membership], adjudicator: Membership, outsider: User
    ) -> None:
        for user in (annotators[0].user, adjudicator.user, outsider):
            client = ClientOf(user)
            assert client.get(LISTED).status_code in {403, 404}
            for place in ("preview", "accept", "dismissed"):
                assert client.post(f"{LISTED}/{place}", {"ids": ["x"]}, format="json").status_code in {
                    403,
                    404,
                }
            assert client.delete(f"{LISTED}/dismissed").status_code in {403, 404}
            undo = "/api/projects/small/gold/groups/x/undo"
            assert client.post(undo, {"reason": "r"}, format="json").status_code in {
                403,
                404,
            }
