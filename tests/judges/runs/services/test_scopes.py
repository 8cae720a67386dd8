"""A run takes the answers it is limited to: what people judge, a data set, a system, a sample of these."""

from dataclasses import astuple
from typing import Any

import pytest

from annotation.items.models import Candidate, Prediction, System
from annotation.projects.models import Project
from judges.connections.models import Connection
from judges.runs.models import JudgeRun
from judges.runs.rules import UNLIMITED, Scope
from judges.runs.selectors.progress import list_scopes
from judges.runs.services import control, planning
from judges.runs.services.planning import EmptyScope
from tests.judges.runs.asking import Scripted, make_connection
from tests.judges.runs.conftest import StubbornJudge, accept_all, add_answer
from tests.judges.runs.services.conftest import accepted, work

State = JudgeRun.State
FIRST = {"beatles", "Queen", "The Fab Four!"}
SECOND = {"1965", "1966"}


@pytest.fixture
def sampled(study: Project) -> Project:
    """The study with its second question outside the judged sample, and each question a data set."""
    for question, name in zip(study.questions.order_by("position"), ("songs", "years"), strict=True):
        question.in_sample, question.dataset = name == "songs", name
        question.save()
    return study


@pytest.fixture
def system(sampled: Project) -> System:
    """A system that answered the second question only."""
    system = System.objects.create(
        project=sampled, data_import=sampled.imports.get(), name="years_bot", label="Years"
    )
    candidate = sampled.candidates.get(text="1966")
    Prediction.objects.create(
        system=system,
        question=candidate.question,
        candidate=candidate,
        data_import=system.data_import,
        text="1966",
    )
    return system


@pytest.fixture
def patient(stubborn: type[StubbornJudge], monkeypatch: pytest.MonkeyPatch) -> str:
    """A judge that is not lexical, so that its time is worth something."""
    monkeypatch.setattr(stubborn, "behave", staticmethod(accept_all))
    return "stubborn"


@pytest.fixture
def connection(sampled: Project, monkeypatch: pytest.MonkeyPatch) -> Connection:
    monkeypatch.setattr("judges.connections.services.client.open_client", lambda connection: Scripted())
    return make_connection(sampled)


def start(project: Project, judge: str, scope: Scope = UNLIMITED, **more: Any) -> JudgeRun:
    return control.start_run(project=project, judge_key=judge, options={}, scope=scope, **more)


class TestByDefault:
    def test_a_costly_judge_takes_what_people_judge(self, sampled: Project, patient: str) -> None:
        assert set(accepted(work(start(sampled, patient)))) == FIRST

    def test_a_model_is_asked_only_about_what_people_judge(self, connection: Connection) -> None:
        what = {"project": connection.project, "judge_key": "llm", "options": {}}
        estimate = planning.estimate_run(**what, connection_id=connection.public_id)
        assert (estimate.answers, estimate.calls) == (3, 3)
        run = control.start_run(**what, connection_id=connection.public_id)
        assert set(accepted(work(run))) == FIRST

    def test_a_lexical_judge_takes_all(self, sampled: Project) -> None:
        assert set(accepted(work(start(sampled, "exact_match")))) == FIRST | SECOND

    @pytest.mark.parametrize("in_sample", [True, False])
    def test_without_a_sample_every_judge_takes_all(
        self, study: Project, patient: str, in_sample: bool
    ) -> None:
        study.questions.update(in_sample=in_sample)
        assert set(accepted(work(start(study, patient)))) == FIRST | SECOND

    def test_what_was_voted_on_before_it_left_the_sample_is_taken(
        self, sampled: Project, patient: str
    ) -> None:
        voted = Candidate.objects.filter(project=sampled, text="1965")
        voted.update(state=Candidate.State.DECIDED, wanted=2, taken=2)
        assert set(accepted(work(start(sampled, patient)))) == FIRST | {"1965"}

    def test_what_only_links_to_a_row_is_left_out(self, study: Project, patient: str) -> None:
        # As where recorded votes were imported and systems gave answers that nobody had voted on.
        Candidate.objects.filter(text="1966").update(is_judgeable=False)
        assert set(accepted(work(start(study, patient)))) == FIRST | {"1965"}


class TestLimits:
    def test_are_overruled_by_whoever_wants_all(self, sampled: Project, patient: str) -> None:
        assert set(accepted(work(start(sampled, patient, Scope(only_judged=False))))) == FIRST | SECOND

    def test_a_data_set(self, sampled: Project) -> None:
        assert set(accepted(work(start(sampled, "exact_match", Scope(dataset="years"))))) == SECOND

    def test_a_system(self, sampled: Project, system: System) -> None:
        run = start(sampled, "exact_match", Scope(system=system.public_id))
        assert set(accepted(work(run))) == {"1966"}

    def test_a_sample_is_drawn_from_what_is_left(self, sampled: Project, patient: str) -> None:
        run = work(start(sampled, patient, sample_size=2))
        assert (run.state, len(accepted(run))) == (State.SAMPLED, 2)
        assert set(accepted(run)) < FIRST
        assert set(accepted(work(control.continue_run(run=run)))) == FIRST

    @pytest.mark.parametrize(
        ("scope", "field"), [(Scope(dataset="poems"), "dataset"), (Scope(system="nobody"), "system")]
    )
    def test_of_what_there_is_not_are_refused(self, sampled: Project, scope: Scope, field: str) -> None:
        with pytest.raises(EmptyScope) as refusal:
            start(sampled, "exact_match", scope)
        assert list(refusal.value.details["fields"]) == [field]

    def test_can_be_chosen_from_what_there_is(self, sampled: Project, system: System) -> None:
        scopes = list_scopes(project=sampled)
        assert (scopes.answers, scopes.judged, scopes.is_sampled) == (5, 3, True)
        assert [astuple(part) for part in scopes.datasets] == [
            ("songs", "songs", 3, 3),
            ("years", "years", 2, 0),
        ]
        assert [astuple(part) for part in scopes.systems] == [(system.public_id, "Years", 1, 0)]


class TestTheSameRun:
    def test_goes_on_with_the_rest(self, sampled: Project, patient: str) -> None:
        run = work(start(sampled, patient))
        assert run.state == State.FINISHED
        again = work(start(sampled, patient, Scope(only_judged=False)))
        assert (again.pk, set(accepted(again))) == (run.pk, FIRST | SECOND)

    def test_that_waits_drops_what_it_is_no_longer_to_judge(self, sampled: Project, patient: str) -> None:
        run = control.pause_run(run=start(sampled, patient, Scope(only_judged=False)))
        run = start(sampled, patient)
        assert sorted(
            pk for ids in run.batches.values_list("candidate_ids", flat=True) for pk in ids
        ) == sorted(sampled.candidates.filter(text__in=FIRST).values_list("pk", flat=True))
        assert set(accepted(work(run))) == FIRST

    def test_that_judged_every_answer_keeps_taking_what_comes(self, sampled: Project) -> None:
        work(start(sampled, "exact_match"))
        work(start(sampled, "exact_match", Scope(only_judged=True)))
        add_answer(sampled.questions.get(dataset="years"), "1967")
        control.extend_runs(project_id=sampled.pk)
        run = sampled.judge_runs.get(judge_key="exact_match")
        assert "1967" in accepted(work(run))

    def test_that_is_limited_takes_in_only_what_fits(self, sampled: Project) -> None:
        run = work(start(sampled, "fuzzy_match", Scope(only_judged=True)))
        for question in sampled.questions.all():
            add_answer(question, "1967")
        control.extend_runs(project_id=sampled.pk)
        judged = work(run).verdicts.filter(candidate__text="1967")
        assert [verdict.candidate.question.dataset for verdict in judged] == ["songs"]
