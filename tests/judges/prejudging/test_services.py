"""Policies are saved, applied to what nobody touched, audited, and taken back without leaving a trace."""

from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer, reopen_answer
from annotation.adjudication.services.settling import settle_candidates
from annotation.assignments.services.handing_out import hand_out
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from annotation.release.rules import wide_rows
from annotation.release.selectors.rows import released_answers, votes_on_answers
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer, PrejudgedVerdict
from judges.prejudging.selectors.audit import describe_settled, find_settled
from judges.prejudging.selectors.policies import find_applications, list_rules
from judges.prejudging.selectors.preview import preview_rules
from judges.prejudging.services import policies as services
from judges.prejudging.services.policies import (
    NoRules,
    NoSuchRule,
    NotToBeUndone,
    PolicyRefused,
    apply_policy,
    make_policy,
    save_policy,
    sweep_applications,
    undo_application,
    work_if_small,
    work_on_application,
)
from judges.runs.models import JudgeRun
from judges.runs.services.control import start_run
from judges.runs.services.worker import work_on_run
from tests.annotation.adjudication.factories import make_answers, vote
from tests.annotation.assignments.factories import judge_next
from tests.factories import make_project
from tests.judges.prejudging.conftest import (
    CORRECT,
    INCORRECT,
    add_verdict,
    answer,
    apply,
    decide,
    make_run,
    states,
)

EXACT = ("any_accepts", ["exact_match"])
correct = import_module("judges.migrations.0021_true_audit_probabilities").correct


def undo(application: PolicyApplication, *, rule: int | None = None) -> PolicyApplication:
    by = application.project.created_by
    undo_application(application=application, by=by, reason="It was too bold.", rule=rule)
    work_on_application(application_id=application.pk)
    application.refresh_from_db()
    return application


def history(candidate: Candidate) -> list[tuple[str, str, bool]]:
    return list(candidate.decisions.order_by("number").values_list("label", "source", "is_reopening"))


def tables() -> list[list[dict[str, object]]]:
    models = (Candidate, Decision, PrejudgedAnswer, PrejudgedVerdict, GoldChange)
    return [list(model.objects.order_by("pk").values()) for model in models]


class TestMakePolicy:
    def test_a_judge_may_be_named_by_its_key_where_it_ran_once(self, exact: JudgeRun) -> None:
        policy = make_policy(
            project=exact.project, rules=[{"runs": ["exact_match"], "condition": "any_accepts"}]
        )
        assert policy.rules[0].runs == (exact.public_id,)
        assert policy.audit_share == 0.05

    @pytest.mark.parametrize("run", ["bleurt", "recorded:bem"])
    def test_unknown_and_ambiguous_runs_are_refused_by_name(
        self, study: Project, bem: JudgeRun, run: str
    ) -> None:
        JudgeRun.objects.create(
            project=study,
            judge_key="recorded:bem",
            signature="2",
            signature_hash="2",
            created_at=bem.created_at,
        )
        with pytest.raises(PolicyRefused, match=run):
            make_policy(project=study, rules=[{"runs": [run], "condition": "any_accepts"}])

    def test_another_projects_run_is_unknown(self, exact: JudgeRun, lead: User) -> None:
        other = make_project(lead=lead, slug="other")
        with pytest.raises(PolicyRefused):
            make_policy(project=other, rules=[{"runs": [exact.public_id], "condition": "any_accepts"}])

    def test_what_is_not_given_stays_as_saved(self, exact: JudgeRun) -> None:
        project = exact.project
        rules = [{"runs": [exact.public_id], "condition": "any_accepts"}]
        save_policy(
            project=project, policy=make_policy(project=project, rules=rules, audit_share=0.2, seed=3)
        )
        assert make_policy(project=project) == make_policy(
            project=project, rules=rules, audit_share=0.2, seed=3
        )

    def test_a_judge_that_never_says_how_sure_it_is_settles_by_its_verdicts_alone(
        self, study: Project, exact: JudgeRun
    ) -> None:
        rule = {"runs": ["exact_match"], "condition": "any_accepts", "threshold": 0.9}
        with pytest.raises(PolicyRefused, match="Rule 1: Exact match does not report its confidence"):
            make_policy(project=study, rules=[rule])
        exact.verdicts.update(score=3.5)
        with pytest.raises(PolicyRefused, match="does not report its confidence"):
            make_policy(project=study, rules=[rule])

    def test_a_judge_that_has_not_judged_yet_may_be_asked_how_sure_it_is(self, study: Project) -> None:
        run = make_run(study, "exact_match", {})
        rule = {"runs": [run.public_id], "condition": "any_accepts", "threshold": 0.9}
        assert make_policy(project=study, rules=[rule]).rules[0].threshold == 0.9


class TestApplySure:
    def settle(self, project: Project, *rules: tuple[str, float | None]) -> dict[str, str]:
        given = [
            {"runs": ["recorded:sure"], "condition": condition, "threshold": threshold}
            for condition, threshold in rules
        ]
        save_policy(project=project, policy=make_policy(project=project, rules=given, audit_share=0.0))
        application = apply_policy(project=project, by=project.created_by)
        work_on_application(application_id=application.pk)
        rows = Decision.objects.in_force().filter(candidate__project=project)
        return dict(rows.values_list("candidate__text", "label"))

    def test_what_the_judge_is_sure_enough_of_is_settled_and_the_rest_stays_open(
        self, study: Project, sure: JudgeRun
    ) -> None:
        assert self.settle(study, ("any_accepts", 0.9)) == {"Paris": CORRECT, "Pacific": CORRECT}

    def test_either_way(self, study: Project, sure: JudgeRun) -> None:
        assert self.settle(study, ("all_agree", 0.95)) == {"Paris": CORRECT, "Lyon": INCORRECT}

    def test_two_thresholds_for_two_directions_in_order(self, study: Project, sure: JudgeRun) -> None:
        decided = self.settle(study, ("any_accepts", 0.99), ("any_rejects", 0.9), ("any_accepts", None))
        assert decided == {
            "Paris": CORRECT,
            "Lyon": INCORRECT,
            "paris, france": CORRECT,
            "Pacific": CORRECT,
        }
        numbers = dict(PrejudgedAnswer.objects.values_list("candidate__text", "rule_number"))
        assert numbers == {"Paris": 1, "Lyon": 2, "paris, france": 3, "Pacific": 3}

    def test_the_same_judge_at_another_threshold_is_another_rule(
        self, study: Project, sure: JudgeRun
    ) -> None:
        self.settle(study, ("any_accepts", 0.95))
        self.settle(study, ("any_accepts", 0.9))
        assert [rule.number for rule in list_rules(applications=find_applications(project=study))] == [1, 2]


class TestApply:
    def test_what_a_rule_speaks_for_is_decided_and_the_rest_stays_open(
        self, study: Project, exact: JudgeRun
    ) -> None:
        application = apply(study, EXACT)
        assert application.state == "done"
        assert states(study) == {
            "Paris": "decided",
            "Pacific": "decided",
            "Lyon": "open",
            "paris, france": "open",
            "Atlantic": "open",
        }
        decision = answer(study, "Paris").decisions.get()
        assert (decision.label, decision.source, decision.rule, decision.reason) == (
            CORRECT,
            "prejudged",
            "prejudging 1, rule 1",
            "Exact match accepts: counts as correct",
        )
        assert decision.decided_by is None

    def test_the_verdicts_behind_it_are_kept_and_outlive_the_judges_second_thoughts(
        self, study: Project, exact: JudgeRun, bem: JudgeRun
    ) -> None:
        apply(study, ("all_agree", ["exact_match", "recorded:bem"]))
        row = answer(study, "Lyon").prejudgments.get()
        assert (row.label, row.decision.label) == (INCORRECT, INCORRECT)
        behind = row.verdicts.order_by("pk")
        assert [verdict.verdict for verdict in behind] == [
            run.verdicts.get(candidate=row.candidate) for run in (exact, bem)
        ]
        exact.verdicts.all().delete()
        assert list(behind.values_list("run_public_id", "verdict_id", "accepted")) == [
            (exact.public_id, None, False),
            (bem.public_id, bem.verdicts.get(candidate=row.candidate).pk, False),
        ]

    def test_rules_apply_in_their_order(self, study: Project, exact: JudgeRun, bem: JudgeRun) -> None:
        apply(study, ("any_rejects", ["exact_match"]), ("any_accepts", ["recorded:bem"]))
        rows = PrejudgedAnswer.objects.order_by("pk").values_list("candidate__text", "rule_number", "label")
        assert sorted(rows) == [
            ("Atlantic", 1, INCORRECT),
            ("Lyon", 1, INCORRECT),
            ("Paris", 2, CORRECT),
            ("paris, france", 1, INCORRECT),
        ]

    def test_applied_again_it_is_the_same_and_changes_nothing(self, study: Project, exact: JudgeRun) -> None:
        first = apply(study, EXACT)
        before = tables()
        assert apply(study, EXACT) == first
        assert tables() == before

    def test_applied_again_it_takes_what_is_new(self, study: Project, exact: JudgeRun, bem: JudgeRun) -> None:
        policy = ("any_accepts", ["recorded:bem"])
        first = apply(study, policy)
        assert states(study)["Pacific"] == "open"
        bem.verdicts.filter(accepted=None).delete()
        add_verdict(bem, "Pacific", True)
        assert apply(study, policy) == first
        assert states(study)["Pacific"] == "decided"

    def test_an_answer_somebody_holds_or_has_judged_is_left_to_people(
        self, study: Project, exact: JudgeRun, annotators: list[Membership]
    ) -> None:
        judge_next(annotators[0], INCORRECT)
        hand_out(rater=annotators[0])
        apply(study, EXACT)
        assert not Decision.objects.exists()

    def test_a_jury_that_heard_a_flagged_verdict_settles_nothing(
        self, study: Project, exact: JudgeRun
    ) -> None:
        llm = make_run(study, "llm", {"Paris": True}, flags="injection")
        add_verdict(llm, "Pacific", True)
        options = {"members": f"{exact.public_id},{llm.public_id}", "rule": "any"}
        run = start_run(project=study, judge_key="jury", options=options)
        work_on_run(run_id=run.pk, batches=9)
        apply(study, ("any_accepts", [run.public_id]))
        assert set(Decision.objects.values_list("candidate__text", flat=True)) == {"Pacific"}

    def test_an_answer_that_a_person_reopened_is_left_to_people(
        self, study: Project, exact: JudgeRun, lead: User
    ) -> None:
        apply(study, EXACT)
        paris = answer(study, "Paris")
        reopen_answer(project=study, candidate_id=paris.public_id, by=lead, reason="Let people look.")
        apply(study, EXACT)
        assert history(paris) == [(CORRECT, "prejudged", False), ("", "prejudged", True)]
        assert states(study)["Paris"] == "open"

    def test_a_flagged_verdict_settles_nothing(self, study: Project) -> None:
        make_run(study, "exact_match", {"Paris": True}, flags="injection")
        apply(study, EXACT)
        assert not Decision.objects.exists()

    def test_no_rater_is_handed_what_was_settled(
        self, study: Project, exact: JudgeRun, annotators: list[Membership]
    ) -> None:
        apply(study, EXACT)
        (sheet,) = hand_out(rater=annotators[0])
        shown = sheet.assignments.values_list("candidate__text", flat=True)
        assert set(shown) == {"Lyon", "paris, france"}

    def test_votes_on_the_same_question_change_nothing_of_it(
        self, study: Project, exact: JudgeRun, annotators: list[Membership]
    ) -> None:
        apply(study, EXACT)
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Lyon": INCORRECT, "paris, france": CORRECT})
        settle_candidates(project_id=study.pk, candidate_ids=Candidate.objects.values_list("pk", flat=True))
        assert history(answer(study, "Paris")) == [(CORRECT, "prejudged", False)]
        assert history(answer(study, "Lyon")) == [(INCORRECT, "unanimous", False)]

    def test_the_gold_list_follows(self, study: Project, bem: JudgeRun) -> None:
        apply(study, ("any_accepts", ["recorded:bem"]))
        assert set(GoldChange.objects.values_list("action", "text")) == {
            ("added", "paris, france"),
            ("added", "Atlantic"),
        }

    def test_a_policy_without_rules_is_refused(self, study: Project) -> None:
        with pytest.raises(NoRules):
            apply_policy(project=study)

    def test_the_wide_export_says_who_decided(self, study: Project, exact: JudgeRun) -> None:
        apply(study, EXACT)
        project = Project.objects.get(pk=study.pk)
        head, *lines = wide_rows(released_answers(project), votes=votes_on_answers(project))
        rows = {line[3]: dict(zip(head, line, strict=True)) for line in lines}
        assert (rows["Paris"]["final"], rows["Paris"]["source"]) == (CORRECT, "prejudged")
        assert rows["Lyon"]["source"] == "unresolved"

    def test_an_answer_is_spoken_for_once(self, study: Project, exact: JudgeRun) -> None:
        application = apply(study, EXACT)
        row = PrejudgedAnswer.objects.first()
        with pytest.raises(IntegrityError), transaction.atomic():
            PrejudgedAnswer.objects.create(
                application=application,
                candidate=row.candidate,
                rule_number=1,
                label=CORRECT,
                is_audited=True,
                audit_probability=1.0,
                settled_at=row.settled_at,
            )


class TestWork:
    def test_small_work_is_done_at_once_and_large_work_is_left_to_the_worker(
        self,
        study: Project,
        exact: JudgeRun,
        rung: list[tuple[object, ...]],
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        rules = [{"runs": ["exact_match"], "condition": "any_accepts"}]
        save_policy(project=study, policy=make_policy(project=study, rules=rules))
        with django_capture_on_commit_callbacks(execute=True):
            application = apply_policy(project=study)
        assert rung == [("judges.prejudging.work", (application.pk,))]
        monkeypatch.setattr("judges.prejudging.services.policies.INLINE_QUESTIONS", 1)
        work_if_small(application_id=application.pk)
        assert not PrejudgedAnswer.objects.exists()
        monkeypatch.undo()
        work_if_small(application_id=application.pk)
        assert PrejudgedAnswer.objects.exists()

    def test_what_a_worker_left_lying_goes_on_where_it_stopped(
        self, study: Project, exact: JudgeRun, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("common.database.rows.LARGEST", 1)
        monkeypatch.setattr("judges.prejudging.services.policies._settle_chunk", one_chunk_then_die())
        with pytest.raises(KeyboardInterrupt):
            apply(study, EXACT)
        assert sorted(states(study).values()).count("decided") == 1
        monkeypatch.undo()
        assert sweep_applications() == 1
        work_on_application(application_id=PolicyApplication.objects.get().pk)
        assert sorted(states(study).values()).count("decided") == 2
        assert sweep_applications() == 0


def one_chunk_then_die() -> Any:
    settle = services._settle_chunk
    calls: list[object] = []

    def settle_one(*args: Any, **options: Any) -> object:
        if calls:
            raise KeyboardInterrupt
        calls.append(args)
        return settle(*args, **options)

    return settle_one


def many_answers(lead: User, slug: str) -> Project:
    """Make a study of forty questions with an answer each that exact match accepts, and one it rejects."""
    project = make_project(lead=lead, slug=slug)
    for number in range(40):
        texts = [f"answer {number}", f"miss {number}"]
        make_answers(project=project, question=f"question {number}", gold=texts[:1], texts=texts)
    verdicts = {f"answer {number}": True for number in range(40)}
    make_run(project, "exact_match", verdicts | {f"miss {number}": False for number in range(40)})
    return project


def drawn_of(project: Project, *, undone: bool = False) -> set[str]:
    """Return the answers drawn, by their texts: those that stand, or those given back."""
    rows = PrejudgedAnswer.objects.filter(
        application__project=project, is_audited=True, undone_at__isnull=not undone
    )
    return set(rows.values_list("candidate__text", flat=True))


class TestAudit:
    def test_every_answer_drawn_stays_with_raters_and_says_with_which_probability(
        self, study: Project, exact: JudgeRun
    ) -> None:
        apply(study, EXACT, share=1.0)
        assert set(states(study).values()) == {"open"}
        assert not Decision.objects.exists()
        fields = ("is_audited", "audit_probability", "label", "decision__label")
        assert set(PrejudgedAnswer.objects.values_list(*fields)) == {(True, 1.0, CORRECT, None)}

    def test_the_same_policy_draws_by_the_same_seed_in_a_copy_of_the_study(self, lead: User) -> None:
        first, other = (apply(many_answers(lead, slug), EXACT, share=0.5) for slug in ("one", "other"))
        assert first.seed == other.seed
        assert apply(first.project, EXACT, share=0.6).seed != first.seed

    def test_what_is_given_back_is_drawn_anew(self, lead: User) -> None:
        project = many_answers(lead, "many")
        undo(apply(project, EXACT, share=0.5))
        left_out = {f"answer {number}" for number in range(40)} - drawn_of(project, undone=True)
        apply(project, EXACT, share=0.5)
        assert 5 <= len(drawn_of(project) & left_out) < len(left_out)

    def test_what_one_rule_gave_back_is_drawn_anew_by_an_application_of_its_own(self, lead: User) -> None:
        project = many_answers(lead, "many")
        first = undo(apply(project, EXACT, ("any_rejects", ["exact_match"]), share=0.5), rule=1)
        left_out = {f"answer {number}" for number in range(40)} - drawn_of(project, undone=True)
        second = apply(project, EXACT, ("any_rejects", ["exact_match"]), share=0.5)
        assert second.number == first.number + 1
        assert 5 <= len(drawn_of(project) & left_out) < len(left_out)

    def test_after_what_was_drawn_is_judged_and_all_undone_the_rest_is_drawn_as_recorded(
        self, lead: User
    ) -> None:
        # With one seed for all applications nothing would be drawn here, and .5 recorded of each.
        project = many_answers(lead, "many")
        first = apply(project, EXACT, share=0.5)
        judged = Candidate.objects.filter(prejudgments__is_audited=True, project=project)
        for candidate in judged:
            decide_answer(
                project=project, candidate_id=candidate.public_id, by=lead, label=CORRECT, reason="Seen."
            )
        undo(first)
        apply(project, EXACT, share=0.5)
        rows = PrejudgedAnswer.objects.filter(undone_at=None)
        assert set(rows.values_list("audit_probability", flat=True)) == {0.5}
        assert 0.2 < rows.filter(is_audited=True).count() / rows.count() < 0.8

    def test_an_audited_answer_is_decided_by_its_raters(
        self, study: Project, exact: JudgeRun, annotators: list[Membership]
    ) -> None:
        apply(study, EXACT, share=1.0)
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Paris": INCORRECT, "Lyon": INCORRECT, "paris, france": CORRECT})
        assert history(answer(study, "Paris")) == [(INCORRECT, "unanimous", False)]

    def test_what_a_rater_and_a_judge_settled_is_not_told_as_what_people_said(
        self, study: Project, exact: JudgeRun
    ) -> None:
        application = undo(apply(study, EXACT))
        decide(study, Paris=INCORRECT, Pacific=INCORRECT)
        Decision.objects.filter(candidate=answer(study, "Pacific")).update(source=Decision.Source.ROUTED)
        rows = find_settled(applications=[application])
        told = describe_settled(project=study, rows=rows, applications=[application])
        assert {each.answer: each.people for each in told} == {"Paris": INCORRECT, "Pacific": None}


class TestUndo:
    def test_everything_goes_back_to_raters_by_further_rows(
        self, study: Project, exact: JudgeRun, bem: JudgeRun, annotators: list[Membership], lead: User
    ) -> None:
        application = undo(apply(study, EXACT, ("any_accepts", ["recorded:bem"])))
        assert application.state == "undone"
        assert set(Candidate.objects.values_list("state", "wanted", "taken")) == {("open", 2, 0)}
        paris = answer(study, "Paris")
        assert history(paris) == [(CORRECT, "prejudged", False), ("", "prejudged", True)]
        last = paris.decisions.get(number=2)
        assert (last.decided_by, last.reason) == (lead, "It was too bold.")
        assert not GoldChange.objects.filter(undone_at=None).exists()
        labels = {"Paris": CORRECT, "Lyon": INCORRECT, "paris, france": CORRECT}
        for rater in annotators[:2]:
            vote(rater=rater, labels=labels)
        assert history(paris)[-1] == (CORRECT, "unanimous", False)

    def test_one_rule_is_undone_and_the_others_stay(
        self, study: Project, exact: JudgeRun, bem: JudgeRun
    ) -> None:
        application = apply(study, EXACT, ("any_accepts", ["recorded:bem"]))
        undo(application, rule=2)
        assert application.state == "done"
        decided = {text for text, state in states(study).items() if state == "decided"}
        assert decided == {"Paris", "Pacific"}
        undo(application, rule=1)
        assert application.state == "undone"

    def test_what_a_person_decided_anew_stays(self, study: Project, exact: JudgeRun, lead: User) -> None:
        application = apply(study, EXACT)
        paris = answer(study, "Paris")
        decide_answer(
            project=study, candidate_id=paris.public_id, by=lead, label=INCORRECT, reason="A trick question."
        )
        undo(application)
        assert history(paris)[-1] == (INCORRECT, "adjudicated", False)
        assert states(study)["Paris"] == "decided"

    def test_it_can_be_applied_again_afterwards(self, study: Project, exact: JudgeRun) -> None:
        first = undo(apply(study, EXACT))
        second = apply(study, EXACT)
        assert (first.number, second.number) == (1, 2)
        assert history(answer(study, "Paris")) == [
            (CORRECT, "prejudged", False),
            ("", "prejudged", True),
            (CORRECT, "prejudged", False),
        ]

    def test_an_audited_answer_is_like_any_other_afterwards(
        self, study: Project, exact: JudgeRun, annotators: list[Membership]
    ) -> None:
        undo(apply(study, EXACT, share=1.0))
        assert not PrejudgedAnswer.objects.filter(undone_at=None).exists()
        judge_next(annotators[0])
        apply(study, EXACT)
        # The question that was judged meanwhile is left to people.
        assert {text for text, state in states(study).items() if state == "decided"} == {"Pacific"}

    def test_nothing_is_undone_twice(self, study: Project, exact: JudgeRun) -> None:
        application = undo(apply(study, EXACT))
        with pytest.raises(NotToBeUndone):
            undo(application)
        with pytest.raises(NoSuchRule):
            undo(application, rule=2)

    def test_what_is_still_at_work_is_undone_only_as_a_whole(self, study: Project, exact: JudgeRun) -> None:
        application = apply(study, EXACT)
        PolicyApplication.objects.update(state="running")
        with pytest.raises(NotToBeUndone):
            undo(application, rule=1)
        undo(application)
        assert application.state == "undone"


class TestPreview:
    def test_counts_what_applying_then_does_and_changes_nothing(
        self, study: Project, exact: JudgeRun, bem: JudgeRun
    ) -> None:
        rules = [
            {"runs": ["exact_match"], "condition": "any_accepts"},
            {"runs": ["recorded:bem", "exact_match"], "condition": "all_agree"},
        ]
        policy = make_policy(project=study, rules=rules, audit_share=0.5, seed=7)
        before = tables()
        preview = preview_rules(project=study, **policy._asdict()).preview
        assert tables() == before
        assert [row.decided + row.drawn for row in preview.rules] == [2, 1]
        assert (preview.open, preview.to_people) == (5, 5 - preview.decided)
        sample = preview.rules[1].sample
        assert [
            (each.answer, each.label, [(said.judge, said.accepted) for said in each.verdicts])
            for each in sample
        ] == [("Lyon", INCORRECT, [("bem (recorded)", False), ("Exact match", False)])]
        save_policy(project=study, policy=policy)
        work_on_application(application_id=apply_policy(project=study).pk)
        assert PrejudgedAnswer.objects.filter(is_audited=True).count() == preview.drawn
        assert PrejudgedAnswer.objects.filter(is_audited=False).count() == preview.decided


class TestRecordsOfBefore:
    def test_of_one_seed_what_was_left_out_once_could_not_be_drawn_again(self, lead: User) -> None:
        project = many_answers(lead, "many")
        for share in (0.2, 0.2, 0.6):
            application = apply(project, EXACT, share=share)
            if share < 0.5:
                undo(application)
        rows = PrejudgedAnswer.objects.filter(application__project=project)
        # As it was: one seed for all.
        PolicyApplication.objects.update(seed=7)
        correct(apps, None)
        twice = rows.filter(application__number__lt=3, is_audited=True).values("candidate")
        never = rows.exclude(candidate__in=twice)
        found = [
            set(never.filter(application__number=number).values_list("audit_probability", flat=True))
            for number in (1, 2, 3)
        ]
        assert found[:2] == [{0.2}, {0.0}]
        assert [*found[2]] == pytest.approx([0.5])
