"""A preview of rules says how sure systems' scores become, by the leaderboard's own estimator."""

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from analysis.arrays import Flags
from analysis.intervals import Interval, wilson_interval
from analysis.prejudging.planning import CLAIM_FALLS_SHORT
from annotation.adjudication.models import Decision
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.projects.models import Project
from common.clock import now
from common.memory import forget_everything
from judges.comparison.rules.leaderboard.planning import ASSUMED_WRONG, ExpectedScore
from judges.comparison.rules.study import CORRECTED
from judges.comparison.selectors.leaderboard.corrected import PolicyPreview, preview_policy
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.prejudging.models import PrejudgedAnswer
from judges.prejudging.services.policies import (
    apply_policy,
    make_policy,
    save_policy,
    work_on_application,
)
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_import

SIZE = 300
AGREE = {"runs": ["llm"], "condition": "all_agree", "threshold": 0.7}


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> None:
    """No broker is rung."""
    monkeypatch.setattr("common.tasks._ring", lambda *_: None)


class Made:
    """Two systems' answers, of which one judge is wrong on one in ten and sure of three in four."""

    def __init__(self, project: Project, *, size: int = SIZE) -> None:
        generator = np.random.default_rng(5)
        self.project = project
        self.answers = list[Candidate]()
        self.right: Flags = generator.random((2, size)).ravel() < 0.7
        self.source = make_import(project=project)
        self.questions = Question.objects.bulk_create(
            Question(
                project=project,
                data_import=self.source,
                key=f"q{number}",
                external_id=f"q{number}",
                key_hash=f"{number:064d}",
                text=f"q{number}",
                position=number,
            )
            for number in range(size)
        )
        for place in range(2):
            self.add_system(place)
        said = self.right ^ (generator.random(len(self.right)) < 0.1)
        run = JudgeRun.objects.create(
            project=project,
            judge_key="llm",
            signature="judge:llm",
            signature_hash="llm",
            state=JudgeRun.State.FINISHED,
            created_at=now(),
        )
        sure = np.where(generator.random(len(said)) < 0.75, 0.95, 0.6)
        Verdict.objects.bulk_create(
            Verdict(
                run=run,
                candidate=answer,
                accepted=bool(accepted),
                score=float(own if accepted else 1.0 - own),
                judged_at=now(),
            )
            for answer, accepted, own in zip(self.answers, said, sure, strict=True)
        )

    def add_system(self, place: int) -> None:
        system = System.objects.create(
            project=self.project, data_import=self.source, name=f"s{place}", label=f"S{place}"
        )
        answers = Candidate.objects.bulk_create(
            Candidate(
                question=question,
                project=self.project,
                data_import=self.source,
                text=f"{place} {question.text}",
                pool_hash=f"{place:032d}{question.position:032d}",
                position=place,
                state=Candidate.State.OPEN,
                wanted=2,
            )
            for question in self.questions
        )
        Prediction.objects.bulk_create(
            Prediction(
                system=system,
                question=each.question,
                candidate=each,
                data_import=self.source,
                text=each.text,
            )
            for each in answers
        )
        self.answers += answers

    def decide(self, which: Any) -> None:
        """Let people decide these answers as they are, and close them."""
        chosen = [
            (answer, right)
            for answer, right in zip(self.answers, self.right, strict=True)
            if which(answer) and not Decision.objects.filter(candidate=answer).exists()
        ]
        Decision.objects.bulk_create(
            Decision(
                candidate=answer,
                number=1,
                label="correct" if right else "incorrect",
                source=Decision.Source.MAJORITY,
                decided_at=now(),
            )
            for answer, right in chosen
        )
        pks = [answer.pk for answer, _ in chosen]
        Candidate.objects.filter(pk__in=pks).update(state=Candidate.State.DECIDED, taken=2)
        forget_everything()

    def preview(self, *rules: dict[str, Any], share: float = 0.2) -> PolicyPreview:
        policy = make_policy(project=self.project, rules=list(rules), audit_share=share, seed=3)
        return preview_policy(project=self.project, **policy._asdict())

    def apply(self, *rules: dict[str, Any], share: float = 0.2) -> None:
        policy = make_policy(project=self.project, rules=list(rules), audit_share=share, seed=3)
        save_policy(project=self.project, policy=policy)
        work_on_application(application_id=apply_policy(project=self.project).pk)

    def half_widths(self) -> list[float]:
        """Return those that the leaderboard has now."""
        forget_everything()
        scores = [row.scores[CORRECTED] for row in read_leaderboard(project=self.project).rows]
        return [(each.high - each.low) / 2 for each in scores if each and each.low is not None and each.high]


@pytest.fixture
def made(project: Project) -> Made:
    return Made(project)


def counts(score: ExpectedScore) -> tuple[int, int, int, int]:
    return score.n, score.settled, score.audited, score.to_people


class TestExpectedScores:
    def test_count_by_system_what_is_then_settled_audited_and_left(self, made: Made) -> None:
        expected = made.preview(AGREE).scores
        made.apply(AGREE)
        for place, score in enumerate(expected):
            own = PrejudgedAnswer.objects.filter(candidate__position=place)
            settled, audited = (own.filter(is_audited=flag).count() for flag in (False, True))
            assert counts(score) == (SIZE, settled, audited, SIZE - settled - audited)
            assert min(settled, audited, SIZE - settled - audited) > 0

    @pytest.mark.parametrize("share", [0.2, 0.5])
    def test_are_as_sure_as_the_leaderboard_is_in_the_end(self, made: Made, share: float) -> None:
        made.decide(lambda answer: answer.question.position < 60)
        expected = made.preview(AGREE, share=share)
        made.apply(AGREE, share=share)
        made.decide(lambda _: True)
        reached = made.half_widths()
        assert len(reached) == 2
        for score, half in zip(expected.scores, reached, strict=True):
            assert score.half_width is not None
            assert score.half_width == pytest.approx(half, rel=0.25)
            assert score.half_width > score.by_people

    def test_of_people_alone_are_wilsons(self, made: Made) -> None:
        made.decide(lambda _: True)
        for place, score in enumerate(made.preview(AGREE).scores):
            right = int(made.right.reshape(2, -1)[place].sum())
            bounds = wilson_interval(successes=right, total=SIZE)
            assert isinstance(bounds, Interval)
            # No answer is open, so that no rule settles any and nothing is estimated.
            assert score.by_people == score.half_width == pytest.approx((bounds.high - bounds.low) / 2)
            assert counts(score) == (SIZE, 0, 0, SIZE)

    def test_a_larger_audit_makes_them_surer(self, made: Made) -> None:
        few, many = (made.preview(AGREE, share=share).scores[0].half_width for share in (0.15, 0.6))
        assert few is not None
        assert many is not None
        assert few > 1.2 * many

    def test_without_an_audit_or_with_too_small_a_one_there_is_no_score(self, made: Made) -> None:
        assert [score.half_width for score in made.preview(AGREE, share=0.0).scores] == [None, None]
        tiny = made.preview(AGREE, share=0.01).scores
        assert max(score.audited for score in tiny) < 10
        assert [score.half_width for score in tiny] == [None, None]

    def test_are_the_same_again(self, made: Made) -> None:
        assert made.preview(AGREE) == made.preview(AGREE)

    def test_take_no_more_queries_for_more_answers(self, project: Project) -> None:
        made = Made(project, size=20)
        few = self.queries(made)
        made.add_system(2)
        assert self.queries(made) == few

    def queries(self, made: Made) -> int:
        forget_everything()
        with CaptureQueriesContext(connection) as asked:
            made.preview(AGREE)
        return len(asked)


class TestAuditShares:
    def test_each_is_as_if_it_had_been_previewed_by_itself(self, made: Made) -> None:
        made.decide(lambda answer: answer.question.position < 60)
        found = made.preview(AGREE, share=0.15)
        assert [row.audit_share for row in found.by_share] == [0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0]
        for row in found.by_share:
            own = made.preview(AGREE, share=row.audit_share)
            assert (row.drawn, row.to_people) == (own.drawn, own.to_people)
            assert row.judgments == 2 * own.to_people
            assert row.half_widths == [score.half_width for score in own.scores]
            assert own.by_share[[each.audit_share for each in own.by_share].index(row.audit_share)] == row

    def test_larger_ones_cost_more_and_make_every_score_surer(self, made: Made) -> None:
        rows = [row for row in made.preview(AGREE).by_share if None not in row.half_widths]
        assert len(rows) >= 5
        for small, large in pairwise(rows):
            assert small.drawn < large.drawn
            assert small.to_people < large.to_people
            for wide, narrow in zip(small.half_widths, large.half_widths, strict=True):
                assert wide is not None
                assert narrow is not None
                assert narrow < wide

    def test_with_all_of_it_people_judge_every_answer(self, made: Made) -> None:
        found = made.preview(AGREE)
        last = found.by_share[-1]
        assert last.to_people == found.open
        assert last.half_widths == pytest.approx([score.by_people for score in found.scores], rel=1e-3)

    def test_without_an_audit_there_is_no_score_and_the_others_say_what_one_would_bring(
        self, made: Made
    ) -> None:
        nothing, *others = made.preview(AGREE, share=0.0).by_share
        assert (nothing.audit_share, nothing.drawn, nothing.half_widths) == (0.0, 0, [None, None])
        assert None not in others[2].half_widths

    def test_with_routing_an_answer_needs_one_judgment_at_least(self, made: Made) -> None:
        made.project.starts_with_one = True
        for row in made.preview(AGREE).by_share:
            assert row.judgments == row.to_people


class TestAssumption:
    def test_is_what_the_judge_claims_and_more_until_people_have_decided_something(self, made: Made) -> None:
        # It says that 5% of what it is sure of is wrong.
        found = made.preview(AGREE)
        assert found.wrong_share == pytest.approx(0.05 * CLAIM_FALLS_SHORT)
        assert found.tried == 0

    def test_is_one_in_ten_where_no_judge_states_probabilities(self, made: Made) -> None:
        JudgeRun.objects.update(judge_key="containment")
        found = made.preview({"runs": ["containment"], "condition": "any_accepts"})
        assert found.wrong_share == pytest.approx(ASSUMED_WRONG)

    def test_then_follows_what_they_decided_otherwise(self, made: Made) -> None:
        made.decide(lambda answer: answer.question.position < 100)
        found = made.preview(AGREE)
        (rule,) = found.rules
        assert found.tried == rule.beside_people.settled > 100
        settled, wrong = rule.beside_people.settled, rule.beside_people.wrong
        prior = 20 * 0.05 * CLAIM_FALLS_SHORT
        assert found.wrong_share == pytest.approx((wrong + prior) / (settled + 20), abs=0.01)

    def test_counts_each_rule_by_itself(self, made: Made) -> None:
        # People contradict whatever it accepts, and nothing that it rejects.
        made.right[:] = False
        made.decide(lambda answer: answer.question.position < 100)
        bold = {"runs": ["llm"], "condition": "any_accepts"}
        shy = {"runs": ["llm"], "condition": "any_rejects"}
        bold_share, shy_share = (made.preview(rule).wrong_share for rule in (bold, shy))
        assert bold_share is not None
        assert shy_share is not None
        assert bold_share > 0.8
        assert shy_share < 0.05

    def test_there_is_none_where_nothing_is_settled(self, made: Made) -> None:
        assert made.preview({**AGREE, "threshold": 0.99}).wrong_share is None


class TestCommand:
    def test_says_it_in_words(self, made: Made, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        path = tmp_path / "policy.json"
        path.write_text(json.dumps({"rules": [AGREE], "audit_share": 0.2}))
        call_command("prejudge", "--project", made.project.slug, "--policy", str(path), "--preview")
        lines = capsys.readouterr().out.splitlines()
        assert [
            line for line in lines if re.match(r"S0: score accurate to within ±\d+\.\d points \(±\d", line)
        ]
        shares = [line for line in lines if line.startswith("audit share ")]
        assert len(shares) == 6
        assert re.fullmatch(
            r"audit share 0\.2: people judge \d+ answers; scores accurate to within ±\d+\.\d points",
            shares[2],
        )
        call_command("prejudge", "--project", made.project.slug, "--policy", str(path), "--preview", "--json")
        (*_, last) = json.loads(capsys.readouterr().out)["by_share"]
        assert (last["audit_share"], last["to_people"]) == (1.0, 2 * SIZE)
