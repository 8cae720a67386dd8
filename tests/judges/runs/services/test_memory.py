"""The learned judge with answer memory is told what people decided, and signed by it."""

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now
from judges.comparison.selectors.leaderboard.standings import read_runs
from judges.runs.models import JudgeRun
from judges.runs.selectors.progress import Stale, get_progress
from judges.runs.selectors.work import read_decided
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
        assert "Start it again" in run.message
        assert not run.verdicts.exists()
