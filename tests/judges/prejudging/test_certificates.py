"""Calibration samples are drawn for people alone, prove what a rule may settle, and certificates lapse."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from importlib import import_module
from typing import Any

import numpy as np
import pytest
from django.db import IntegrityError, transaction
from scipy.stats import beta

from analysis.prejudging.drift import has_drifted
from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.assignments.models import Sheet
from annotation.assignments.selectors.open_work import count_questions_left
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, DataImport, System
from annotation.projects.models import Membership, Project
from annotation.projects.services.upkeep import sweep_upkeep
from common.clock import now
from judges.comparison.selectors.overview import read_overview
from judges.prejudging.models import (
    CalibrationSample,
    Certificate,
    PolicyApplication,
    PrejudgedAnswer,
)
from judges.prejudging.rules.audit import AuditReport
from judges.prejudging.rules.certificates import LAPSE_WORDS, Lapse, draw, spend
from judges.prejudging.selectors.audit import read_audit
from judges.prejudging.selectors.certificates import (
    describe_certificate,
    describe_sample,
    find_lapse,
    read_calibration,
)
from judges.prejudging.selectors.policies import find_applications, settleable
from judges.prejudging.services.certificates import (
    SECONDS_BETWEEN,
    NoSample,
    NoSuchPlace,
    NothingToDraw,
    PolicyAtWork,
    SampleNotJudged,
    certify_rule,
    draw_sample,
    drop_sample,
    hold_others,
    note_lapses,
    sweep_lapses,
)
from judges.prejudging.services.policies import (
    CertificateLapsed,
    CertificateUnaudited,
    PolicyChanged,
    PolicyRefused,
    apply_policy,
    make_policy,
    save_policy,
    work_on_application,
)
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_answers
from tests.factories import make_member, make_project, read_what_is_new
from tests.judges.prejudging.conftest import CORRECT, INCORRECT, make_run

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
QUESTIONS, ANSWERS = 40, 10
SURE = {"runs": ["recorded:sure"], "condition": "all_agree", "threshold": 0.5}


@pytest.fixture
def large(lead: User) -> Project:
    """Four hundred open answers; a judge is sure of 300, always rightly, and unsure of 100, half wrongly."""
    project = make_project(lead=lead, slug="small")
    for question in range(QUESTIONS):
        make_answers(
            project=project,
            question=f"question {question}",
            texts=[f"answer {question} {number}" for number in range(ANSWERS)],
        )
    run = make_run(project, "recorded:sure", {})
    candidates = Candidate.objects.filter(project=project).order_by("pk")
    Verdict.objects.bulk_create(
        Verdict(run=run, candidate=each, accepted=True, score=score_of(place), judged_at=now())
        for place, each in enumerate(candidates)
    )
    return project


def score_of(place: int) -> float:
    return 0.6 if place % 4 == 0 else 0.95


def truth_of(place: int) -> str:
    return INCORRECT if place % 8 == 0 else CORRECT


def let_people_judge(sample: CalibrationSample, **labels: str) -> None:
    """Have people decide all that was drawn; by text where it is to be otherwise than it is."""
    places = list(
        Candidate.objects.filter(project=sample.project).order_by("pk").values_list("pk", flat=True)
    )
    candidates = Candidate.objects.filter(calibrations__sample=sample).order_by("pk")
    Decision.objects.bulk_create(
        Decision(
            candidate=each,
            number=1,
            label=labels.get(each.text, truth_of(places.index(each.pk))),
            source=Decision.Source.UNANIMOUS,
            decided_at=now(),
        )
        for each in candidates
    )
    Candidate.objects.filter(pk__in=[each.pk for each in candidates]).update(state="decided")


@pytest.fixture
def judged(large: Project) -> CalibrationSample:
    sample = draw_sample(project=large, size=200, by=large.created_by, seed=1)
    let_people_judge(sample)
    return sample


def certify(project: Project, rule: dict[str, Any] = SURE, **fields: Any) -> Certificate:
    options = {"alpha": 0.05, "delta": 0.1, "number": 1, "rules": [rule], **fields}
    return certify_rule(project=project, by=project.created_by, **options)


def run_of(project: Project) -> JudgeRun:
    return project.judge_runs.get(judge_key="recorded:sure")


def carry(certificate: Certificate, share: float = 0.1, *before: dict[str, Any]) -> PolicyApplication:
    """Save a policy whose last rule carries a certificate, and apply it."""
    project = certificate.sample.project
    rule = {**certificate.rule, "certificate": certificate.public_id}
    policy = make_policy(project=project, rules=[*before, rule], audit_share=share, seed=3)
    save_policy(project=project, policy=policy)
    application = apply_policy(project=project, by=project.created_by)
    work_on_application(application_id=application.pk)
    application.refresh_from_db()
    return application


def handed(rater: Membership) -> set[int]:
    """Let a rater take and hand in whatever there is, and return the answers."""
    found: set[int] = set()
    # As each request does: whether others wait is read with the project.
    rater = Membership.objects.select_related("project__protocol").get(pk=rater.pk)
    while sheets := hand_out(rater=read_what_is_new(rater)):
        for sheet in sheets:
            found |= set(sheet.assignments.values_list("candidate_id", flat=True))
            sheet.assignments.update(state="done")
        Sheet.objects.filter(pk__in=[sheet.pk for sheet in sheets]).update(state="submitted")
    return found


class TestDraw:
    def test_every_answer_is_as_probable_as_any_other(self) -> None:
        counts = np.zeros(20)
        for seed in range(400):
            for name in draw(candidates=range(20), size=5, seed=seed):
                counts[name] += 1
        # 100 each; four standard deviations are 35.
        assert (np.abs(counts - 100) < 35).all()
        assert draw(candidates=[3, 1, 2], size=9, seed=1) == [1, 2, 3]

    def test_what_is_drawn_is_kept_from_machines_with_its_probability(self, large: Project) -> None:
        sample = draw_sample(project=large, size=100, by=large.created_by)
        assert (sample.population, sample.probability, sample.answers.count()) == (400, 0.25, 100)
        drawn = set(sample.answers.values_list("candidate_id", flat=True))
        assert not drawn & set(settleable(project_id=large.pk).values_list("pk", flat=True))
        save_policy(
            project=large,
            policy=make_policy(project=large, rules=[{**SURE, "threshold": 0.5}], audit_share=0.0),
        )
        work_on_application(application_id=apply_policy(project=large).pk)
        assert PrejudgedAnswer.objects.count() == 300
        assert set(Candidate.objects.filter(state="open").values_list("pk", flat=True)) == drawn

    def test_where_it_is_given_up_machines_may_settle_the_rest(self, large: Project, lead: User) -> None:
        draw_sample(project=large, size=100)
        drop_sample(project=large, by=lead)
        assert settleable(project_id=large.pk).count() == 400
        with pytest.raises(NoSample):
            drop_sample(project=large, by=lead)

    def test_raters_are_handed_it_first_and_no_more_once_it_is_given_up(
        self, large: Project, lead: User
    ) -> None:
        def first() -> set[int]:
            return set(Candidate.objects.filter(goes_first=True).values_list("pk", flat=True))

        samples = [draw_sample(project=large, size=20) for _ in range(2)]
        assert first() == set(samples[1].answers.values_list("candidate_id", flat=True))
        rater = make_member(project=large)
        (sheet,) = hand_out(rater=read_what_is_new(rater))
        on_it = set(sheet.assignments.values_list("candidate_id", flat=True))
        assert on_it == first() & set(sheet.question.candidates.values_list("pk", flat=True))
        drop_sample(project=large, by=lead)
        assert first() == set()

    def test_raters_get_nothing_else_until_a_policy_is_applied(self, large: Project) -> None:
        sample = draw_sample(project=large, size=3, holds_others=True)
        assert describe_sample(sample).holds_others
        rater = make_member(project=large)
        drawn = set(sample.answers.values_list("candidate_id", flat=True))
        assert handed(rater) == drawn
        rater = Membership.objects.select_related("project__protocol").get(pk=rater.pk)
        assert count_questions_left(rater=rater) == 0
        assert not handed(rater)
        save_policy(project=large, policy=make_policy(project=large, rules=[{**SURE, "threshold": 1.0}]))
        apply_policy(project=large)
        assert not describe_sample(sample).holds_others
        assert handed(make_member(project=large)) > drawn

    def test_the_overview_says_when_it_is_finished_until_a_policy_is_applied(self, large: Project) -> None:
        def needs() -> dict[str, tuple[int, str]]:
            return {need.key: (need.count, need.href) for need in read_overview(project=large).needs}

        sample = draw_sample(project=large, size=3, holds_others=True)
        assert "calibrated" not in needs()
        let_people_judge(sample)
        assert needs()["calibrated"] == (3, "prejudging")
        save_policy(project=large, policy=make_policy(project=large, rules=[{**SURE, "threshold": 1.0}]))
        apply_policy(project=large)
        assert "calibrated" not in needs()

    def test_raters_get_everything_again_where_the_lead_ends_it(self, large: Project, lead: User) -> None:
        with pytest.raises(NoSample):
            hold_others(project=large, holds_others=True)
        draw_sample(project=large, size=3)
        hold_others(project=large, holds_others=True)
        assert len(handed(make_member(project=large))) == 3
        hold_others(project=large, holds_others=False)
        assert len(handed(make_member(project=large))) > 3
        hold_others(project=large, holds_others=True)
        drop_sample(project=large, by=lead)
        assert len(handed(make_member(project=large))) > 3

    def test_further_votes_on_it_come_among_other_work(self, large: Project) -> None:
        """A sheet that comes while others find nothing would tell that raters differ."""
        sample = draw_sample(project=large, size=3, holds_others=True)
        drawn = Candidate.objects.filter(calibrations__sample=sample).order_by("pk")
        lacking, differing, decided = drawn
        Candidate.objects.filter(pk=decided.pk).update(state="decided", taken=2, wanted=2)
        Candidate.objects.filter(pk=differing.pk).update(taken=2, wanted=3)
        assert handed(make_member(project=large)) == {lacking.pk}
        # The second takes the last first vote there is, and from then on gets everything.
        everything = set(Candidate.objects.filter(project=large).values_list("pk", flat=True))
        assert handed(make_member(project=large)) == everything - {decided.pk}
        # Once the sample is settled, they wait.
        drawn.update(state="decided")
        assert not handed(make_member(project=large))

    def test_whoever_died_over_it_is_followed(self, large: Project, monkeypatch: pytest.MonkeyPatch) -> None:
        with monkeypatch.context() as patch:
            patch.setattr("judges.prejudging.services.certificates.do_upkeep", lambda **_: None)
            draw_sample(project=large, size=7)
        assert not Candidate.objects.filter(goes_first=True).exists()
        sweep_upkeep(at=now() + timedelta(minutes=1))
        assert Candidate.objects.filter(goes_first=True).count() == 7

    def test_another_closes_the_one_before_and_draws_others(self, large: Project) -> None:
        first = draw_sample(project=large, size=50)
        second = draw_sample(project=large, size=50)
        first.refresh_from_db()
        assert (first.closed_at is None, second.number) == (False, 2)
        chosen = [set(each.answers.values_list("candidate_id", flat=True)) for each in (first, second)]
        assert chosen[0] != chosen[1]

    def test_the_database_keeps_two_from_standing_at_once(self, large: Project) -> None:
        sample = draw_sample(project=large, size=5)
        sample.pk, sample.number, sample.public_id = None, 2, "another"
        with pytest.raises(IntegrityError), transaction.atomic():
            sample.save()

    def test_is_refused_while_a_policy_is_at_work_and_where_nothing_is_open(self, large: Project) -> None:
        save_policy(project=large, policy=make_policy(project=large, rules=[SURE]))
        application = apply_policy(project=large)
        with pytest.raises(PolicyAtWork):
            draw_sample(project=large, size=5)
        work_on_application(application_id=application.pk)
        with pytest.raises(NothingToDraw):
            draw_sample(project=large, size=5)

    def test_tells_how_far_people_are(self, large: Project) -> None:
        sample = draw_sample(project=large, size=8)
        some = Candidate.objects.filter(calibrations__sample=sample).order_by("pk")
        gone = some[0]
        Candidate.objects.filter(pk=gone.pk).update(is_judgeable=False, state="unasked")
        progress = describe_sample(sample)
        assert (progress.drawn, progress.decided, progress.open, progress.gone) == (8, 0, 7, 1)
        assert progress.waiting == 0
        Candidate.objects.filter(pk__in=[some[1].pk, some[2].pk]).update(state="disputed")
        split = describe_sample(sample)
        assert (split.open, split.waiting) == (7, 2)
        let_people_judge(sample)
        Candidate.objects.filter(pk=gone.pk).update(state="unasked")
        progress = describe_sample(sample)
        assert (progress.decided, progress.open, progress.gone) == (7, 0, 1)


class TestCertify:
    def test_settles_what_the_judge_is_sure_of_and_leaves_the_rest(self, judged: CalibrationSample) -> None:
        found = certify(judged.project)
        assert (found.threshold, found.errors) == (0.95, 0)
        assert found.settled_share == pytest.approx(0.75)
        assert (found.labels, found.spent) == (200, 0.05)
        # Exact, of one side: what a share of errors must be for so few to be improbable.
        assert found.upper == pytest.approx(1 - 0.05 ** (1 / found.settled_labels))
        assert found.words.startswith("Certified: this rule may settle 75.0% of the answers")
        assert found.curve[-1][1:4] == [1.0, 200, sum(1 for _ in self.errors(judged))]

    def errors(self, sample: CalibrationSample) -> Any:
        return Decision.objects.filter(candidate__calibrations__sample=sample, label=INCORRECT)

    def test_names_the_threshold_that_it_certifies_as_the_policy_does(
        self, judged: CalibrationSample
    ) -> None:
        found = certify(judged.project)
        (applied,) = carry(found).rules
        assert found.text == applied["text"].removesuffix(", with a certificate")
        assert "at least 95.0% sure" in found.text
        refused = certify(judged.project, alpha=0.001)
        assert refused.threshold is None
        assert "sure enough" in refused.text

    def test_nothing_is_settled_where_people_disagree_too_often(self, judged: CalibrationSample) -> None:
        rule = {"runs": ["recorded:sure"], "condition": "any_accepts"}
        found = certify(judged.project, rule)
        count = self.errors(judged).count()
        assert (found.threshold, found.refusal, found.settled_share) == (None, "wrong_too_often", 0.0)
        assert (found.errors, found.settled_labels) == (count, 200)
        assert found.upper == pytest.approx(beta.ppf(1 - found.spent, count + 1, 200 - count))
        with pytest.raises(PolicyRefused, match="was refused"):
            carry(found)

    def test_too_few_labels_prove_nothing(self, large: Project) -> None:
        let_people_judge(draw_sample(project=large, size=30))
        found = certify(large)
        assert found.refusal == "too_few_labels"
        assert str(found.needed) in found.words

    def test_waits_until_people_have_decided_all_of_it(self, large: Project) -> None:
        with pytest.raises(NoSample):
            certify(large)
        draw_sample(project=large, size=50)
        with pytest.raises(SampleNotJudged, match="50 of the 50"):
            certify(large)

    def test_every_try_on_a_sample_has_half_the_chance_of_the_one_before(
        self, judged: CalibrationSample
    ) -> None:
        tries = [certify(judged.project, alpha=alpha) for alpha in (0.05, 0.04, 0.03)]
        assert [each.spent for each in tries] == [0.05, 0.025, 0.0125]
        assert sum(spend(delta=0.1, number=number) for number in range(1, 60)) <= 0.1 + 1e-12

    @pytest.mark.parametrize(
        ("key", "words"),
        [
            ("learned", "its agreement with people is probably overstated. The certificate still holds for"),
            ("learned_memory", "its agreement with people is probably overstated."),
            ("recorded:sure", ""),
        ],
    )
    def test_says_whether_it_holds_of_a_judge_trained_on_such_questions(
        self, judged: CalibrationSample, key: str, words: str
    ) -> None:
        JudgeRun.objects.update(signature=f"judge:{key}|gold:original|revision:2")
        certificate = certify(judged.project)
        assert words in describe_certificate(certificate, None).caution
        # A judge that was told what people decided has seen the sample, so that nothing is said for it.
        assert ("still holds" in describe_certificate(certificate, None).caution) is (key == "learned")
        assert "still holds" not in describe_certificate(certificate, Lapse.DRIFT).caution
        certificate.threshold = None
        assert "still holds" not in describe_certificate(certificate, None).caution

    def test_the_same_again_is_the_same_certificate(self, judged: CalibrationSample) -> None:
        first = certify(judged.project)
        assert certify(judged.project, {**SURE, "threshold": 0.8}) == first
        assert Certificate.objects.count() == 1

    def test_what_rules_before_it_take_is_no_evidence(self, judged: CalibrationSample) -> None:
        ahead = {**SURE, "threshold": 0.9}
        found = certify(judged.project, rules=[ahead, SURE], number=2)
        # All that it was right about is gone, and of what is left half is wrong.
        assert found.threshold is None
        assert found.labels < 100
        assert (found.curve[-1][2], found.curve[-1][3]) == (found.labels, self.errors(judged).count())
        run = run_of(judged.project).public_id
        assert found.before == [{"runs": [run], "condition": "all_agree", "threshold": 0.9}]

    @pytest.mark.parametrize("number", [0, 2])
    def test_a_place_without_a_rule_is_refused(self, judged: CalibrationSample, number: int) -> None:
        with pytest.raises(NoSuchPlace):
            certify(judged.project, number=number)


class TestTwoAtOnce:
    """Somebody else's act falls between reading and writing."""

    def meanwhile(self, monkeypatch: pytest.MonkeyPatch, name: str, act: Callable[[], object]) -> None:
        module, function = name.rsplit(".", 1)
        original = getattr(import_module(module), function)

        def act_first(*args: Any, **fields: Any) -> Any:
            monkeypatch.setattr(name, original)
            found = original(*args, **fields)
            act()
            return found

        monkeypatch.setattr(name, act_first)

    WEIGH = "judges.prejudging.services.certificates.weigh"

    def test_two_tries_get_a_part_of_the_risk_each(
        self, judged: CalibrationSample, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.meanwhile(monkeypatch, self.WEIGH, lambda: certify(judged.project, alpha=0.04))
        assert certify(judged.project).spent == 0.025
        tries = Certificate.objects.order_by("number").values_list("number", "alpha")
        assert list(tries) == [(1, 0.04), (2, 0.05)]

    def test_the_same_try_twice_is_one(
        self, judged: CalibrationSample, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        self.meanwhile(monkeypatch, self.WEIGH, lambda: certify(judged.project))
        found = certify(judged.project)
        assert Certificate.objects.get() == found

    def test_a_policy_saved_meanwhile_is_not_applied_unseen(
        self, judged: CalibrationSample, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        project = judged.project
        other = make_policy(project=project, rules=[{**SURE, "threshold": 0.5}], audit_share=0.1)
        self.meanwhile(
            monkeypatch,
            "judges.prejudging.services.policies._require_certificates",
            lambda: save_policy(project=project, policy=other),
        )
        with pytest.raises(PolicyChanged):
            carry(certify(project))
        assert not PolicyApplication.objects.exists()


class TestCarry:
    def test_a_rule_settles_by_the_threshold_of_its_certificate(self, judged: CalibrationSample) -> None:
        application = carry(certify(judged.project))
        assert application.rules[0]["threshold"] == 0.95
        assert application.rules[0]["text"].endswith("with a certificate")
        scores = set(PrejudgedAnswer.objects.values_list("verdicts__score", flat=True))
        assert scores == {0.95}

    def test_the_certificate_must_be_of_this_rule_at_this_place(self, judged: CalibrationSample) -> None:
        found = certify(judged.project)
        other = {**found.rule, "condition": "any_accepts", "certificate": found.public_id}
        with pytest.raises(PolicyRefused, match="has changed since"):
            make_policy(project=judged.project, rules=[other])
        with pytest.raises(PolicyRefused, match="rules before rule 2"):
            carry(found, 0.1, {**SURE, "condition": "any_rejects"})
        with pytest.raises(PolicyRefused, match="does not exist in this project"):
            make_policy(project=judged.project, rules=[{**found.rule, "certificate": "unknown"}])

    def test_another_projects_certificate_is_unknown(self, judged: CalibrationSample, lead: User) -> None:
        found = certify(judged.project)
        other = make_project(lead=lead, slug="other")
        make_answers(project=other, question="q", texts=["a"])
        run = make_run(other, "recorded:sure", {"a": True}, score=0.9)
        rule = {"runs": [run.public_id], "condition": "all_agree", "certificate": found.public_id}
        with pytest.raises(PolicyRefused, match="does not exist in this project"):
            make_policy(project=other, rules=[rule])

    def test_without_an_audit_nothing_could_contradict_it(self, judged: CalibrationSample) -> None:
        with pytest.raises(CertificateUnaudited):
            carry(certify(judged.project), 0.0)


class TestLapse:
    @pytest.fixture
    def given(self, judged: CalibrationSample) -> Certificate:
        return certify(judged.project)

    def lapse(self, certificate: Certificate) -> Lapse | None:
        certificate = Certificate.objects.select_related("sample__project").get(pk=certificate.pk)
        return find_lapse(project=certificate.sample.project, certificate=certificate)

    def audit(self, certificate: Certificate) -> AuditReport:
        project = certificate.sample.project
        return read_audit(project=project, applications=find_applications(project=project))

    def refused(self, certificate: Certificate, lapse: Lapse) -> None:
        assert self.lapse(certificate) is lapse
        (told,) = read_calibration(project=certificate.sample.project).certificates
        assert told.lapse == LAPSE_WORDS[lapse]
        with pytest.raises(CertificateLapsed, match=LAPSE_WORDS[lapse][:20]):
            carry(certificate)
        assert not PrejudgedAnswer.objects.filter(undone_at=None).exclude(is_audited=True).exists()

    def test_holds_before_and_after_it_is_applied(self, given: Certificate) -> None:
        assert self.lapse(given) is None
        carry(given)
        assert self.lapse(given) is None

    def test_another_version_of_the_judge(self, given: Certificate) -> None:
        JudgeRun.objects.update(signature="judge:another")
        self.refused(given, Lapse.NEW_VERSION)

    def test_a_judge_whose_revision_was_raised(self, given: Certificate) -> None:
        JudgeRun.objects.update(stated=[["judge", "recorded:sure"], ["revision", "1"]])
        self.refused(given, Lapse.NEW_VERSION)

    def test_a_judge_that_is_gone_cannot_be_named(self, given: Certificate) -> None:
        run_of(given.sample.project).delete()
        assert self.lapse(given) is Lapse.RUN_GONE

    def test_a_system_that_was_not_in_the_sample(self, given: Certificate) -> None:
        System.objects.create(
            project=given.sample.project,
            data_import=DataImport.objects.filter(project=given.sample.project)[:1].get(),
            name="new",
            label="new",
        )
        self.refused(given, Lapse.NEW_SYSTEMS)

    def test_people_who_decide_otherwise(self, given: Certificate) -> None:
        answer = given.sample.answers.first()
        assert answer is not None
        Decision.objects.filter(candidate=answer.candidate_id).update(label=INCORRECT)
        Decision.objects.exclude(candidate=answer.candidate_id).filter(label=INCORRECT).update(label=CORRECT)
        self.refused(given, Lapse.LABELS_CHANGED)

    def test_it_stays_lapsed_for_its_first_reason_however_things_look_later(self, given: Certificate) -> None:
        project = given.sample.project
        JudgeRun.objects.update(signature="judge:another")
        # Whoever reads it is told, and writes nothing.
        assert self.lapse(given) is Lapse.NEW_VERSION
        assert not Certificate.objects.exclude(lapse="").exists()
        note_lapses(project=project, at=NOON)
        JudgeRun.objects.update(signature="judge:recorded:sure")
        note_lapses(project=project, at=NOON + timedelta(days=1))
        self.refused(given, Lapse.NEW_VERSION)
        (told,) = read_calibration(project=project).certificates
        assert told.lapsed_at == NOON

    def test_whoever_applies_it_notes_why_it_has_lapsed(self, given: Certificate) -> None:
        JudgeRun.objects.update(signature="judge:another")
        self.refused(given, Lapse.NEW_VERSION)
        JudgeRun.objects.update(signature="judge:recorded:sure")
        self.refused(given, Lapse.NEW_VERSION)

    def test_the_sweeper_notes_it_once_in_a_while(
        self, given: Certificate, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.prejudging.services.certificates._looked_at", -SECONDS_BETWEEN)
        sweep_lapses()
        JudgeRun.objects.update(signature="judge:another")
        sweep_lapses()
        assert not Certificate.objects.exclude(lapse="").exists()
        monkeypatch.setattr("judges.prejudging.services.certificates._looked_at", -SECONDS_BETWEEN)
        sweep_lapses()
        assert Certificate.objects.exclude(lapse="").exclude(lapsed_at=None).get() == given

    def test_the_database_keeps_reason_and_time_together(self, given: Certificate) -> None:
        with pytest.raises(IntegrityError), transaction.atomic():
            Certificate.objects.update(lapse=Lapse.DRIFT)

    def test_answers_that_the_judge_scores_otherwise(self, given: Certificate) -> None:
        free = settleable(project_id=given.sample.project_id)
        Verdict.objects.filter(candidate__in=free.values("pk")).update(score=0.8)
        self.refused(given, Lapse.DRIFT)

    def test_people_who_judge_what_is_left_to_them_change_no_kind_of_answers(self, large: Project) -> None:
        unsure = Verdict.objects.filter(candidate__question__position__lt=16)
        unsure.update(score=0.6)
        let_people_judge(draw_sample(project=large, size=120, seed=1))
        given = certify(large, alpha=0.08)
        carry(given)
        left = list(settleable(project_id=large.pk).order_by("pk"))
        assert len(left) > 100
        assert set(Verdict.objects.filter(candidate__in=left).values_list("score", flat=True)) == {0.6}
        Decision.objects.bulk_create(
            Decision(
                candidate=each,
                number=1,
                label=CORRECT,
                source=Decision.Source.UNANIMOUS,
                decided_at=now(),
            )
            for each in left
        )
        Candidate.objects.filter(pk__in=[each.pk for each in left]).update(state="decided", taken=2, wanted=2)
        assert self.lapse(given) is None

    def test_an_audit_that_contradicts(self, given: Certificate) -> None:
        carry(given, 0.5)
        audited = PrejudgedAnswer.objects.filter(is_audited=True)
        assert audited.count() > 50
        for row in audited:
            Decision.objects.create(
                candidate=row.candidate,
                number=1,
                label=INCORRECT if row.pk % 3 == 0 else CORRECT,
                source=Decision.Source.UNANIMOUS,
                decided_at=now(),
            )
        (rule,) = self.audit(given).rules
        assert "This contradicts the certificate." in rule.beside_certificate
        assert self.lapse(given) is Lapse.AUDIT_CONTRADICTS

    def test_an_audit_that_agrees_leaves_it(self, given: Certificate) -> None:
        carry(given, 0.5)
        for row in PrejudgedAnswer.objects.filter(is_audited=True):
            Decision.objects.create(
                candidate=row.candidate,
                number=1,
                label=CORRECT,
                source=Decision.Source.UNANIMOUS,
                decided_at=now(),
            )
        (rule,) = self.audit(given).rules
        assert "This does not contradict the certificate." in rule.beside_certificate
        assert self.lapse(given) is None

    def test_an_audit_of_a_rule_without_a_certificate_has_none_to_fit(self, given: Certificate) -> None:
        project = given.sample.project
        policy = make_policy(project=project, rules=[given.rule], audit_share=0.5, seed=3)
        save_policy(project=project, policy=policy)
        work_on_application(application_id=apply_policy(project=project, by=project.created_by).pk)
        assert [row.beside_certificate for row in self.audit(given).rules] == [""]


class TestDrift:
    def test_is_found_where_there_is_some_and_seldom_where_there_is_none(self) -> None:
        random = np.random.default_rng(1)
        nothing = np.zeros(0)
        found = [
            has_drifted(sample=random.beta(5, 1, 300), now=random.beta(5, 1, 3_000), fresh=nothing)
            for _ in range(500)
        ]
        # At half the level: 2.5 of 500; with five standard deviations at most 11.
        assert sum(found) <= 11
        assert has_drifted(sample=random.beta(5, 1, 300), now=random.beta(2, 1, 3_000), fresh=nothing)

    def test_a_few_new_answers_of_another_kind_show(self) -> None:
        random = np.random.default_rng(2)
        sample, old, fresh = random.beta(5, 1, 300), random.beta(5, 1, 5_000), random.beta(1, 1, 60)
        everything = np.concatenate([old, fresh])
        assert not has_drifted(sample=sample, now=everything, fresh=np.zeros(0))
        assert has_drifted(sample=sample, now=everything, fresh=fresh)

    def test_without_a_sample_there_is_nothing_to_compare(self) -> None:
        assert not has_drifted(sample=np.zeros(0), now=np.ones(9), fresh=np.ones(9))
