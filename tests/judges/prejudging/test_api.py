"""The routes of pre-judging, as the page uses them."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import beta

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from judges.prejudging.models import PrejudgedAnswer
from judges.prejudging.rules.audit import AuditCounts, measure_audit
from judges.prejudging.services.certificates import draw_sample, drop_sample
from judges.prejudging.services.policies import undo_application, work_on_application
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers, vote
from tests.annotation.assignments.factories import judge_next
from tests.conftest import ClientOf
from tests.factories import make_member, make_project
from tests.judges.prejudging.conftest import CORRECT, INCORRECT, apply, decide, make_run

ROOT = "/api/projects/small/prejudging"


class Page:
    """The lead's page: says what it gets."""

    def __init__(self, project: Project) -> None:
        self.client = ClientOf(project.created_by)

    def get(self, path: str = "", **query: Any) -> Any:
        return self.said(self.client.get(ROOT + path, query))

    def post(self, path: str, body: Any = None, status: int = 200) -> Any:
        return self.said(self.client.post(ROOT + path, body or {}, format="json"), status)

    def put(self, body: Any, status: int = 200) -> Any:
        return self.said(self.client.put(ROOT, body, format="json"), status)

    def said(self, reply: Any, status: int = 200) -> Any:
        assert reply.status_code == status, reply.content
        return reply.json()


@pytest.fixture
def page(study: Project) -> Page:
    return Page(study)


def policy(run: JudgeRun, **fields: Any) -> dict[str, Any]:
    return {"rules": [{"runs": [run.public_id], "condition": "any_accepts"}], **fields}


class TestPolicy:
    def test_before_anything_is_saved_nothing_is_settled(self, page: Page, exact: JudgeRun) -> None:
        body = page.get()
        assert (body["rules"], body["audit_share"], body["seed"]) == ([], 0.05, None)
        assert [run["judged"] for run in body["runs"]] == [5]
        assert body["conditions"][0]["key"] == "any_accepts"
        assert page.post("/preview")["to_people"] == 5
        assert page.post("/apply", status=400)["error"]["code"] == "no_rules"

    def test_is_saved_with_its_words(self, page: Page, exact: JudgeRun) -> None:
        saved = page.put(policy(exact, audit_share=0.2))
        assert saved == page.get()
        (rule,) = saved["rules"]
        assert (rule["text"], rule["meaning"]) == ("Exact match accepts: counts as correct", "correct")
        assert (saved["audit_share"], saved["saved_by"]) == (0.2, "Lea Lead")
        assert saved["seed"] is not None

    @pytest.mark.parametrize(
        "body",
        [
            {"rules": [{"runs": ["nobody"], "condition": "any_accepts"}]},
            {"rules": [{"runs": [], "condition": "any_accepts"}]},
            {"rules": [{"runs": ["x"], "condition": "perhaps"}]},
            {"audit_share": 2},
            {"seed": -1},
        ],
    )
    def test_refuses_what_cannot_be_applied(self, page: Page, body: dict[str, Any]) -> None:
        page.put(body, status=400)
        page.post("/preview", body, status=400)

    def test_keeps_how_sure_a_judge_must_be(self, page: Page, exact: JudgeRun, sure: JudgeRun) -> None:
        rule = {"runs": [sure.public_id], "condition": "all_agree", "threshold": 0.9}
        (saved,) = page.put({"rules": [rule]})["rules"]
        assert saved == {
            **rule,
            "certificate": "",
            "meaning": "agreed",
            "text": "sure (recorded) is at least 90.0% sure: the verdict counts",
        }
        assert {run["judge"]: run["sureness"] for run in page.get()["runs"]} == {
            "exact_match": "none",
            "recorded:sure": "probability",
        }
        assert page.post("/preview", {"rules": [rule], "audit_share": 0})["decided"] == 3
        for wrong in (0.4, 1.1, "x"):
            page.put({"rules": [{**rule, "threshold": wrong}]}, status=400)

    def test_another_projects_run_is_refused(self, page: Page) -> None:
        other = make_project(slug="other")
        make_answers(project=other, question="q", texts=["a"])
        run = make_run(other, "exact_match", {"a": True})
        assert page.put(policy(run), status=400)["error"]["code"] == "unusable_policy"


class TestApplyAndUndo:
    def test_a_small_study_is_settled_at_once_and_taken_back(self, page: Page, exact: JudgeRun) -> None:
        page.put(policy(exact, audit_share=0.0))
        done = page.post("/apply")
        assert (done["state"], done["decided"], done["drawn"]) == ("done", 2, 0)
        assert done["rules"][0]["signatures"] == ["judge:exact_match"]
        assert page.get()["applications"] == [done]
        undone = page.post("/undo", {"application": done["id"], "reason": "Too bold."})
        assert (undone["state"], undone["decided"], undone["undone"]) == ("undone", 0, 2)
        assert (undone["undo_reason"], undone["undone_by"]) == ("Too bold.", "Lea Lead")
        again = page.post("/undo", {"application": done["id"], "reason": "Again."}, status=409)
        assert again["error"]["code"] == "not_to_be_undone"

    def test_the_preview_counts_what_is_then_applied_and_what_comes_back_is_told_apart(
        self, page: Page, exact: JudgeRun
    ) -> None:
        for share, draws in ((0.0, 0), (1.0, 2)):
            page.put(policy(exact, audit_share=share))
            preview = page.post("/preview", policy(exact, audit_share=share))
            done = page.post("/apply")
            counts = (2 - draws, draws)
            assert (preview["decided"], preview["drawn"]) == (done["decided"], done["drawn"]) == counts
            undone = page.post("/undo", {"application": done["id"], "reason": "Only tried."})
            assert (undone["undone"], undone["undone_draws"]) == (2, draws)

    def test_the_preview_tries_rules_on_what_people_decided(self, page: Page, exact: JudgeRun) -> None:
        found = page.post("/preview", policy(exact))
        assert found["by_people"] == 0
        assert found["rules"][0]["beside_people"] == {
            "settled": 0,
            "wrong": 0,
            "share": {"value": None, "low": None, "high": None, "why": "nothing_decided"},
        }
        for wrong in (0, "x", 2**60):
            page.post("/preview", policy(exact, sample=wrong), status=400)

    def test_the_preview_of_a_policy_that_was_never_saved_draws_what_is_then_drawn(self, lead: User) -> None:
        # Drawn by another seed each time, three would agree once in hundreds of studies.
        project = make_project(lead=lead, slug="small")
        texts = [f"answer {number}" for number in range(80)]
        make_answers(project=project, question="q", texts=texts)
        body = policy(make_run(project, "exact_match", dict.fromkeys(texts, True)), audit_share=0.5)
        page = Page(project)
        previewed = {page.post("/preview", body)["drawn"] for _ in range(3)}
        page.put(body)
        assert previewed == {page.post("/apply")["drawn"]}

    def test_undoing_wants_a_reason(self, page: Page, study: Project, exact: JudgeRun) -> None:
        application = apply(study, ("any_accepts", ["exact_match"]))
        page.post("/undo", {"application": application.public_id, "reason": " "}, status=400)

    def test_another_projects_application_is_not_found(self, page: Page, study: Project) -> None:
        other = make_project(slug="other")
        make_answers(project=other, question="q", texts=["a"])
        make_run(other, "exact_match", {"a": True})
        foreign = apply(other, ("any_accepts", ["exact_match"]))
        body = {"application": foreign.public_id, "reason": "Mine."}
        assert page.post("/undo", body, status=404)["error"]["code"] == "application_not_found"
        query = {"application": foreign.public_id}
        for path in ("/audit", "/answers"):
            assert page.client.get(ROOT + path, query).status_code == 404


class TestAudit:
    def test_before_anything_was_applied_there_is_none(self, page: Page) -> None:
        audit = page.get("/audit")
        assert (audit["audit_share"], audit["rules"], audit["watched"]) == (None, [], 0)
        assert (audit["pooled"]["settled"], audit["pooled"]["share"]["value"]) == (0, None)
        assert page.get("/answers")["answers"] == []

    def test_says_how_often_people_disagreed(
        self, page: Page, study: Project, exact: JudgeRun, annotators: list[Membership]
    ) -> None:
        apply(study, ("any_accepts", ["exact_match"]), ("any_rejects", ["exact_match"]), share=1.0)
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Paris": INCORRECT, "Lyon": INCORRECT, "paris, france": INCORRECT})
        audit = page.get("/audit")
        accepting, rejecting = (rule["figures"] for rule in audit["rules"])
        assert [accepting[key] for key in ("settled", "drawn", "decided", "open", "disagreed")] == [
            2,
            2,
            1,
            1,
            1,
        ]
        assert [rejecting[key] for key in ("drawn", "decided", "disagreed")] == [3, 2, 0]
        assert rejecting["share"]["value"] == 0.0
        pooled = audit["pooled"]
        assert (pooled["share"]["value"], pooled["decided"]) == (1 / 3, 3)
        # One in three is so likely there: a twentieth, for three choices of two rules, of its mean, 1 / 12.
        for bound in (pooled["share"]["low"], pooled["share"]["high"]):
            assert bound * (1 - bound) ** 2 == pytest.approx(0.05 / 3 / 12, rel=1e-6)
        assert audit["watched"] == 2

    def test_is_of_all_applications_in_force_and_of_each_rule_once(
        self, page: Page, study: Project, exact: JudgeRun, annotators: list[Membership]
    ) -> None:
        accepts, rejects = ("any_accepts", ["exact_match"]), ("any_rejects", ["exact_match"])
        first = apply(study, accepts, share=1.0)
        apply(study, rejects, accepts, share=0.0)
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Paris": INCORRECT})
        audit = page.get("/audit")
        assert [
            tuple(rule["figures"][key] for key in ("settled", "decided", "unaudited"))
            for rule in audit["rules"]
        ] == [
            (2, 1, 0),
            (3, 0, 3),
        ]
        assert (audit["pooled"]["settled"], audit["pooled"]["disagreed"]) == (5, 1)
        # One rule stood in both applications, and might have been undone in either.
        assert audit["watched"] == 3
        assert "Unaudited: 3 answers" in audit["pooled"]["words"]
        assert audit["rules"][1]["figures"]["words"].startswith("Unaudited")
        assert page.get("/audit", application=first.public_id)["pooled"]["settled"] == 2
        answers = page.get("/answers")["answers"]
        assert [answer["rule"] for answer in answers] == [1, 2, 2, 1, 2]
        assert page.get("/answers", rule=2)["count"] == 3

    def test_a_rule_that_was_undone_was_watched_all_the_same(
        self, page: Page, study: Project, exact: JudgeRun, lead: Any
    ) -> None:
        first = apply(study, ("any_accepts", ["exact_match"]), share=1.0)
        undo_application(application=first, by=lead, reason="It looks bad.")
        work_on_application(application_id=first.pk)
        apply(study, ("any_rejects", ["exact_match"]), share=1.0)
        audit = page.get("/audit")
        assert (len(audit["rules"]), audit["watched"]) == (1, 2)

    def test_a_later_application_that_settles_nothing_hides_none_before(
        self, page: Page, study: Project, exact: JudgeRun
    ) -> None:
        apply(study, ("any_accepts", ["exact_match"]), share=0.0)
        apply(study, ("any_accepts", ["exact_match"]), share=0.5)
        assert page.get("/audit")["pooled"]["settled"] == 2

    def test_answers_drawn_with_another_probability_weigh_otherwise(self) -> None:
        few = AuditCounts(drawn=1, decided=1, disagreed=1, weight=20, weight_squares=400, weight_disagreed=20)
        many = AuditCounts(drawn=1, decided=1, weight=2, weight_squares=4)
        figures = measure_audit(few.plus(many)).share
        assert figures.value == pytest.approx(20 / 22)
        # 22² / 404 equal answers say as much.
        hits, misses = 20 / 22 * 484 / 404, 2 / 22 * 484 / 404
        assert figures.low is not None
        assert beta.logpdf(figures.low, hits + 1, misses + 1) == pytest.approx(np.log(0.05))

    def test_a_possible_answer_is_neither_correct_nor_incorrect(self, lead: Any) -> None:
        project = make_project(lead=lead, slug="possible", preset="efficientqa")
        make_answers(project=project, question="q", texts=["a"])
        make_run(project, "exact_match", {"a": True})
        apply(project, ("any_accepts", ["exact_match"]), share=1.0)
        for name in ("one", "two", "three"):
            rater = make_member(project=project, username=name)
            judge_next(rater, "possibly_correct")
        reply = ClientOf(lead).get("/api/projects/possible/prejudging/audit")
        assert reply.json()["pooled"]["disagreed"] == 1


class TestDecidedBy:
    def test_every_answer_counts_once_and_the_parts_add_up(
        self, page: Page, study: Project, exact: JudgeRun, lead: User
    ) -> None:
        before = page.get("/decided-by")
        assert (before["answers"], before["open"]) == (5, 5)
        sample = draw_sample(project=study, size=1, by=lead, seed=1)
        (of_sample,) = Candidate.objects.filter(calibrations__sample=sample).values_list("text", flat=True)
        other = "Lyon" if of_sample != "Lyon" else "Atlantic"
        decide(study, **{of_sample: CORRECT, other: INCORRECT})
        apply(study, ("any_accepts", ["exact_match"]), share=1.0)
        apply(study, ("any_rejects", ["exact_match"]))
        audited = PrejudgedAnswer.objects.filter(is_audited=True).count()
        settled = PrejudgedAnswer.objects.filter(is_audited=False).count()
        assert audited + settled == 3
        assert page.get("/decided-by") == {
            "answers": 5,
            "settled": settled,
            "routed": 0,
            "audited": 0,
            "calibrated": 1,
            "others": 1,
            "open": audited,
        }
        decide(
            study, **{row.candidate.text: CORRECT for row in PrejudgedAnswer.objects.filter(is_audited=True)}
        )
        # Nobody judges these for the sample any more, yet that is why people did.
        drop_sample(project=study, by=lead)
        after = page.get("/decided-by")
        assert (after["audited"], after["calibrated"], after["others"], after["open"]) == (audited, 1, 1, 0)


class TestAnswers:
    def test_lists_what_was_settled_by_rule_and_by_audit(
        self, page: Page, study: Project, exact: JudgeRun, bem: JudgeRun
    ) -> None:
        apply(study, ("any_accepts", ["exact_match"]), ("any_accepts", ["recorded:bem"]))
        body = page.get("/answers")
        assert [answer["answer"] for answer in body["answers"]] == [
            "Paris",
            "paris, france",
            "Pacific",
            "Atlantic",
        ]
        first = body["answers"][0]
        assert (first["label"], first["people"], first["state"], first["rule"]) == (
            CORRECT,
            None,
            "decided",
            1,
        )
        assert first["verdicts"] == [{"judge": "Exact match", "accepted": True, "score": None}]
        assert page.get("/answers", rule=2)["count"] == 2
        assert page.get("/answers", audited=True)["count"] == 0
        assert page.get("/answers", audited=False)["count"] == 4
        second = page.get("/answers", limit=3, cursor=page.get("/answers", limit=3)["next"])
        assert ([answer["answer"] for answer in second["answers"]], second["before"]) == (["Atlantic"], 3)


class TestCertificates:
    def test_a_sample_is_drawn_judged_and_certifies_a_rule_or_refuses(
        self, page: Page, sure: JudgeRun
    ) -> None:
        assert page.get("/calibration") == {"sample": None, "drawable": 5, "certificates": []}
        rule = {"runs": [sure.public_id], "condition": "all_agree", "threshold": 0.5}
        asked = {"rules": [rule], "number": 1}
        assert page.post("/certificates", asked, status=404)["error"]["code"] == "no_sample"
        drawn = page.post("/calibration", {"size": 3})
        assert (drawn["sample"]["drawn"], drawn["sample"]["open"], drawn["drawable"]) == (3, 3, 2)
        assert (drawn["sample"]["probability"], drawn["sample"]["drawn_by"]) == (0.6, "Lea Lead")
        assert page.post("/certificates", asked, status=409)["error"]["code"] == "sample_not_judged"
        for row in Candidate.objects.filter(calibrations__sample__public_id=drawn["sample"]["id"]):
            decide(row.project, **{row.text: CORRECT})
        made = page.post("/certificates", asked)
        assert (made["threshold"], made["labels"], made["alpha"], made["delta"]) == (None, 3, 0.05, 0.1)
        assert made["words"].startswith("Refused: ")
        assert page.get("/calibration")["certificates"] == [made]
        closed = page.said(page.client.delete(ROOT + "/calibration"))
        assert closed["sample"] is None
        assert closed["certificates"] == [made]

    @pytest.mark.parametrize("size", [0, -1, 10_001, "many", 1.5])
    def test_a_size_that_is_none_is_refused(self, page: Page, exact: JudgeRun, size: Any) -> None:
        page.post("/calibration", {"size": size}, status=400)

    @pytest.mark.parametrize(
        "wrong",
        [
            {"alpha": 0},
            {"alpha": 0.6},
            {"delta": "x"},
            {"number": 0},
            {"number": 21},
            {"rules": []},
            {"rules": [{"runs": ["nobody"], "condition": "any_accepts"}]},
        ],
    )
    def test_what_cannot_be_certified_is_refused(
        self, page: Page, exact: JudgeRun, wrong: dict[str, Any]
    ) -> None:
        rule = {"runs": [exact.public_id], "condition": "any_accepts"}
        page.post("/certificates", {"rules": [rule], "number": 1, **wrong}, status=400)

    @pytest.mark.parametrize("path", ["/calibration", "/certificates"])
    def test_only_leads_may(self, study: Project, lead: User, path: str) -> None:
        for role in (Membership.Role.ANNOTATOR, Membership.Role.ADJUDICATOR):
            member = make_member(project=study, role=role)
            client = ClientOf(member.user)
            assert client.get(ROOT + path, {}).status_code in (403, 405)
            assert client.post(ROOT + path, {}, format="json").status_code == 403
