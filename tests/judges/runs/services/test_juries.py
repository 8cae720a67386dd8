"""A jury is seated by runs of the study that are finished, hears them, and hears them again."""

import pytest

from annotation.projects.models import Project
from common.clock import now
from judges.methods.jury import RULES, TIED, UNDECIDED
from judges.runs.models import JudgeRun, Verdict
from judges.runs.selectors.progress import get_progress
from judges.runs.services.control import extend_runs, start_run
from judges.runs.services.planning import MemberUnfinished, UnusableMembers
from tests.factories import make_project
from tests.judges.runs.conftest import add_question
from tests.judges.runs.services.conftest import accepted, start, work

ANSWERS = {"beatles", "Queen", "The Fab Four!", "1965", "1966"}


@pytest.fixture
def exact(study: Project) -> JudgeRun:
    return work(start(study))


@pytest.fixture
def machine(study: Project) -> JudgeRun:
    """A judge that rejects what exact match accepts of the first question, and is silent on the second."""
    run = JudgeRun.objects.create(
        project=study,
        judge_key="recorded:machine",
        signature="machine",
        signature_hash="f" * 64,
        gold_version="as-recorded",
        state=JudgeRun.State.FINISHED,
        created_at=now(),
    )
    for candidate in study.candidates.filter(question__position=0):
        said = candidate.text == "Queen"
        Verdict.objects.create(run=run, candidate=candidate, accepted=said, judged_at=now())
    return run


def jury(project: Project, *members: JudgeRun, rule: str = "any") -> JudgeRun:
    return start(project, "jury", members=",".join(member.public_id for member in members), rule=rule)


def reasons(run: JudgeRun) -> set[str]:
    return set(run.verdicts.values_list("unscored_reason", flat=True)) - {""}


class TestVerdicts:
    def test_are_the_members_combined(self, study: Project, exact: JudgeRun, machine: JudgeRun) -> None:
        assert accepted(work(jury(study, exact, machine))) == {
            "beatles": True,
            "Queen": True,
            "The Fab Four!": True,
            "1965": True,
            "1966": None,
        }

    def test_say_why_there_is_none(self, study: Project, exact: JudgeRun, machine: JudgeRun) -> None:
        run = work(jury(study, exact, machine, rule="majority"))
        assert accepted(run) == dict.fromkeys(ANSWERS)
        assert reasons(run) == {TIED, UNDECIDED}

    def test_the_first_with_a_verdict_decides_in_the_order_named(
        self, study: Project, exact: JudgeRun, machine: JudgeRun
    ) -> None:
        first = accepted(work(jury(study, machine, exact, rule="first_decided")))
        assert (first["Queen"], first["beatles"], first["1965"]) == (True, False, True)

    def test_are_given_without_any_gold_answer(self, study: Project, machine: JudgeRun) -> None:
        add_question(study, "who knows", golds=[], answers=["nobody"])
        exact = work(start(study))
        assert accepted(exact)["nobody"] is None
        Verdict.objects.create(
            run=machine, candidate=study.candidates.get(text="nobody"), accepted=True, judged_at=now()
        )
        assert accepted(work(jury(study, exact, machine)))["nobody"] is True

    @pytest.mark.parametrize("rule", RULES)
    def test_carry_the_flags_of_any_member(
        self, study: Project, exact: JudgeRun, machine: JudgeRun, rule: str
    ) -> None:
        exact.verdicts.filter(candidate__text="1966").update(flags="very_long")
        exact.verdicts.filter(candidate__text="Queen").update(flags="unstable")
        machine.verdicts.filter(candidate__text="Queen").update(flags="injection,unstable")
        run = work(jury(study, exact, machine, rule=rule))
        flags = dict(run.verdicts.exclude(flags="").values_list("candidate__text", "flags"))
        assert flags == {"Queen": "unstable,injection", "1966": "very_long"}


class TestSeating:
    def test_the_signature_names_the_members_by_their_signatures(
        self, study: Project, exact: JudgeRun, machine: JudgeRun
    ) -> None:
        run = jury(study, exact, machine)
        members = f"{exact.signature_hash[:16]},{'f' * 16}"
        assert run.signature == f"judge:jury|members:{members}|rule:any|gold:original|revision:2"
        assert run.options["members"] == f"{exact.public_id},{machine.public_id}"

    def test_the_same_jury_is_the_same_run(self, study: Project, exact: JudgeRun, machine: JudgeRun) -> None:
        assert jury(study, exact, machine) == jury(study, exact, machine)
        assert jury(study, exact, machine, rule="all") != jury(study, exact, machine)

    @pytest.mark.parametrize("members", ["", "{exact}", "{exact},{exact}", "{exact},nobody", ","])
    def test_too_few_or_unknown_members_are_refused(
        self, study: Project, exact: JudgeRun, members: str
    ) -> None:
        with pytest.raises(UnusableMembers) as refusal:
            start(study, "jury", members=members.format(exact=exact.public_id))
        assert "members" in refusal.value.details["fields"]

    def test_another_studys_run_is_unknown(self, study: Project, exact: JudgeRun) -> None:
        other = make_project(slug="other")
        foreign = JudgeRun.objects.create(
            project=other,
            judge_key="bem",
            signature="x",
            signature_hash="x",
            state="finished",
            created_at=now(),
        )
        with pytest.raises(UnusableMembers, match=foreign.public_id):
            jury(study, exact, foreign)

    def test_an_unfinished_member_is_refused(self, study: Project, exact: JudgeRun) -> None:
        waiting = start(study, "token_f1")
        with pytest.raises(MemberUnfinished, match="queued"):
            jury(study, exact, waiting)

    def test_a_jury_may_sit_on_a_jury(self, study: Project, exact: JudgeRun, machine: JudgeRun) -> None:
        first = work(jury(study, exact, machine))
        assert accepted(work(jury(study, first, machine)))["1965"] is True

    def test_members_that_went_by_the_amended_list_make_the_jury_amended(self, study: Project) -> None:
        members = [work(start(study, key, gold="amended")) for key in ("exact_match", "token_f1")]
        run = work(jury(study, *members))
        assert run.gold_version == members[0].gold_version != "original"
        assert run.options["gold"] == "amended"


class TestHearingAgain:
    def test_a_member_that_judges_more_makes_the_jury_stale_until_it_is_started_again(
        self, study: Project, exact: JudgeRun, machine: JudgeRun
    ) -> None:
        run = work(jury(study, exact, machine))
        assert not get_progress(run=run, at=now()).stale
        late = study.candidates.get(text="1966")
        Verdict.objects.create(run=machine, candidate=late, accepted=True, judged_at=now())
        assert get_progress(run=run, at=now()).stale
        run = work(jury(study, exact, machine))
        assert accepted(run)["1966"] is True
        assert run.verdicts.count() == len(ANSWERS)
        assert not get_progress(run=run, at=now()).stale

    def test_new_answers_are_judged_when_it_is_started_again(
        self, study: Project, exact: JudgeRun, machine: JudgeRun
    ) -> None:
        run = work(jury(study, exact, machine))
        add_question(study, "when else", golds=["1970"], answers=["in 1970", "1970"])
        extend_runs(project_id=study.pk)
        work(exact)
        assert accepted(work(jury(study, exact, machine)))["1970"] is True
        assert run.verdicts.count() == len(ANSWERS) + 2

    def test_a_member_that_is_gone_is_told(self, study: Project, exact: JudgeRun, machine: JudgeRun) -> None:
        run = work(jury(study, exact, machine))
        machine.delete()
        assert get_progress(run=run, at=now()).stale
        with pytest.raises(UnusableMembers):
            start_run(project=study, judge_key="jury", options=run.options)


class TestNames:
    def test_of_members_stand_with_the_run(self, study: Project, exact: JudgeRun, machine: JudgeRun) -> None:
        progress = get_progress(run=jury(study, machine, exact), at=now())
        assert progress.members == ["machine (recorded)", "Exact match"]
        assert get_progress(run=exact, at=now()).members == []

    def test_that_are_equal_gain_the_runs_id(self, study: Project, exact: JudgeRun) -> None:
        other = work(start(study, "exact_match", gold="amended"))
        members = get_progress(run=jury(study, exact, other), at=now()).members
        assert members == [f"Exact match ({run.public_id})" for run in (exact, other)]
