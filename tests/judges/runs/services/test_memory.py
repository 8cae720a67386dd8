"""The learned judge with answer memory is told what people decided, and signed by it."""

import pytest

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now
from judges.comparison.selectors.leaderboard.standings import read_runs
from judges.runs.models import JudgeRun, Verdict
from judges.runs.selectors.progress import Stale, get_progress
from judges.runs.selectors.work import judge_inputs, read_decided
from judges.runs.services.planning import MemberUnfinished, UnusableBeside
from tests.judges.runs.services.conftest import start, work


def decide(project: Project, text: str, label: str, **fields: str) -> None:
    assert project.protocol is not None
    Decision.objects.create(
        candidate=Candidate.objects.get(project=project, text=text),
        number=1,
        label=label,
        decided_at=now(),
        **{"source": Decision.Source.UNANIMOUS, **fields},
    )


def labels(project: Project) -> tuple[str, str]:
    assert project.protocol is not None
    rules = project.protocol.rules
    return min(rules.accepted_keys), min(rules.rejected_keys)


class TestReadDecided:
    def test_is_what_people_decided_alone(self, study: Project) -> None:
        right, wrong = labels(study)
        decide(study, "Queen", wrong)
        decide(study, "The Fab Four!", right, source=Decision.Source.ADJUDICATED)
        decide(study, "beatles", right, rule=GOLD_EQUAL_RULE)
        decide(study, "1965", wrong, source=Decision.Source.PREJUDGED)
        decide(study, "1966", wrong, source=Decision.Source.ROUTED)
        found = read_decided(study, gold_version="original")
        assert {(row.answer, row.accepted) for row in found} == {("Queen", False), ("The Fab Four!", True)}
        assert all(row.golds for row in found)


class TestRun:
    def test_gives_each_answer_a_probability(self, study: Project) -> None:
        decide(study, "The Fab Four!", labels(study)[0])
        run = work(start(study, "learned_memory"))
        assert run.state == JudgeRun.State.FINISHED
        scores = run.verdicts.exclude(accepted=None).values_list("score", flat=True)
        assert len(scores) == 5
        assert all(0.0 < score < 1.0 for score in scores if score is not None)

    def test_is_signed_by_the_decisions(self, study: Project) -> None:
        before = start(study, "learned_memory")
        assert "|decisions:" in before.signature
        assert start(study, "learned_memory") == before
        decide(study, "Queen", labels(study)[1])
        assert start(study, "learned_memory") != before

    def test_is_stale_once_people_decided_more(self, study: Project) -> None:
        decide(study, "The Fab Four!", labels(study)[0])
        run = work(start(study, "learned_memory"))
        assert get_progress(run=run, at=now()).stale is None
        decide(study, "Queen", labels(study)[1])
        assert get_progress(run=run, at=now()).stale is Stale.DECISIONS
        again = work(start(study, "learned_memory"))
        assert get_progress(run=again, at=now()).stale is None

    def test_a_jury_that_hears_it_has_read_what_people_decided(self, study: Project) -> None:
        members = [work(start(study, key)) for key in ("token_f1", "containment", "learned_memory")]
        ids = [member.public_id for member in members]
        jury = work(start(study, "jury", members=",".join(ids)))
        other = work(start(study, "jury", members=",".join(ids[:2])))
        above = work(start(study, "jury", members=f"{ids[0]},{jury.public_id}"))
        readers = {run.public_id for run in read_runs(study) if run.reads_people}
        assert readers == {ids[2], jury.public_id, above.public_id}
        assert other.public_id not in readers

    def test_stops_when_people_decide_meanwhile(self, study: Project) -> None:
        run = start(study, "learned_memory")
        decide(study, "Queen", labels(study)[1])
        work(run)
        assert run.state == JudgeRun.State.PAUSED
        assert "Start the judge again" in run.message
        assert not run.verdicts.exists()


class TestBeside:
    """A finished run whose verdicts the judge hears besides."""

    def test_comes_with_answers_and_decisions(self, study: Project) -> None:
        decide(study, "The Fab Four!", labels(study)[0])
        sure = work(start(study, "learned"))
        plain = work(start(study, "containment"))
        for heard, of in ((sure, lambda verdict: 2 * verdict.score - 1), (plain, _as_sign)):
            run = start(study, "learned_memory", beside=heard.public_id)
            expected = {
                verdict.candidate_id: of(verdict) for verdict in heard.verdicts.exclude(accepted=None)
            }
            given = judge_inputs(run, expected)
            assert {pk: item.beside for pk, item in given.items()} == pytest.approx(expected)
            (decided,) = read_decided(study, gold_version="original", beside=heard.public_id)
            (judged,) = heard.verdicts.filter(candidate__text="The Fab Four!")
            assert decided.beside == pytest.approx(of(judged))

    def test_what_it_could_not_judge_says_nothing(self, study: Project) -> None:
        heard = work(start(study, "containment"))
        heard.verdicts.update(accepted=None, unscored_reason="empty_gold")
        run = start(study, "learned_memory", beside=heard.public_id)
        ids = list(heard.verdicts.values_list("candidate_id", flat=True))
        assert {item.beside for item in judge_inputs(run, ids).values()} == {0.0}

    def test_signs_the_run(self, study: Project) -> None:
        heard = work(start(study, "containment"))
        run = start(study, "learned_memory", beside=heard.public_id)
        assert f"|beside:{heard.signature_hash[:16]}|" in run.signature

    def test_is_stale_once_the_other_judged_anew(self, study: Project) -> None:
        heard = work(start(study, "containment"))
        run = work(start(study, "learned_memory", beside=heard.public_id))
        assert get_progress(run=run, at=now()).stale is None
        Verdict.objects.filter(run=heard).update(judged_at=now())
        assert get_progress(run=run, at=now()).stale is Stale.MEMBERS
        work(start(study, "learned_memory", beside=heard.public_id))
        assert get_progress(run=run, at=now()).stale is None

    def test_is_no_run_that_is_missing_at_work_or_was_told_what_people_decided(self, study: Project) -> None:
        told = work(start(study, "learned_memory"))
        members = ",".join(work(start(study, key)).public_id for key in ("token_f1", "containment"))
        jury = work(start(study, "jury", members=f"{members},{told.public_id}"))
        for refused, error in (
            ("R-NONE", UnusableBeside),
            (told.public_id, UnusableBeside),
            (jury.public_id, UnusableBeside),
            (start(study, "exact_match").public_id, MemberUnfinished),
        ):
            with pytest.raises(error) as raised:
                start(study, "learned_memory", beside=refused)
            assert refused in str(raised.value)
            assert "beside" in (raised.value.details or {})["fields"]


def _as_sign(verdict: Verdict) -> float:
    return 1.0 if verdict.accepted else -1.0
