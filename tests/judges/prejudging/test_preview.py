"""A preview says what a policy would do, and what it would have done on answers that people decided."""

from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate
from annotation.projects.models import Project
from judges.prejudging.models import PrejudgedAnswer
from judges.prejudging.rules.policies import read_rules
from judges.prejudging.selectors.policies import find_answers, seed_to_come
from judges.prejudging.selectors.preview import Preview, draw_shown, preview_rules, try_on_decided
from judges.prejudging.services.policies import make_policy
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers
from tests.factories import make_project
from tests.judges.prejudging.conftest import CORRECT, INCORRECT, add_verdict, answer, apply, decide, make_run

EXACT = {"runs": ["exact_match"], "condition": "any_accepts"}


def preview(project: Project, *rules: dict[str, Any], **fields: Any) -> Preview:
    runs = dict(project.judge_runs.values_list("judge_key", "public_id"))
    named = [{**rule, "runs": [runs[key] for key in rule["runs"]]} for rule in rules]
    options = {"audit_share": 0.0, "seed": 1, **fields}
    return preview_rules(project=project, rules=read_rules(named), **options).preview


class TestGold:
    def test_counts_what_would_join_the_gold_list_if_it_is_not_there(
        self, study: Project, bem: JudgeRun
    ) -> None:
        both = [{"runs": ["recorded:bem"], "condition": name} for name in ("any_accepts", "any_rejects")]
        found = preview(study, *both)
        assert (found.decided, found.accepted) == (4, 3)
        apply(study, ("any_accepts", ["recorded:bem"]), ("any_rejects", ["recorded:bem"]))
        added = GoldChange.objects.filter(action="added", undone_at=None)
        # Paris is a gold answer already.
        assert set(added.values_list("text", flat=True)) == {"paris, france", "Atlantic"}

    def test_what_the_audit_would_draw_joins_by_what_people_say(self, study: Project, bem: JudgeRun) -> None:
        found = preview(study, {"runs": ["recorded:bem"], "condition": "any_accepts"}, audit_share=1.0)
        assert (found.drawn, found.accepted) == (3, 0)


class TestBesidePeople:
    def test_counts_what_people_decided_otherwise(self, study: Project, exact: JudgeRun) -> None:
        decide(study, Paris=CORRECT, Pacific=INCORRECT, Lyon=INCORRECT)
        found = preview(study, EXACT)
        (rule,) = found.rules
        assert (found.by_people, rule.beside_people.settled, rule.beside_people.wrong) == (3, 2, 1)
        share = rule.beside_people.share
        assert share.value == 0.5
        assert share.low is not None
        assert share.high is not None
        assert 0.0 < share.low < 0.5 < share.high < 1.0

    def test_each_answer_counts_for_the_first_rule_that_speaks(
        self, study: Project, exact: JudgeRun, bem: JudgeRun
    ) -> None:
        decide(study, Paris=CORRECT, Atlantic=INCORRECT, Lyon=CORRECT)
        found = preview(study, EXACT, {"runs": ["recorded:bem"], "condition": "any_accepts"})
        counts = [(rule.beside_people.settled, rule.beside_people.wrong) for rule in found.rules]
        assert counts == [(1, 0), (1, 1)]

    def test_a_threshold_leaves_out_what_the_judge_is_not_sure_of(
        self, study: Project, sure: JudgeRun
    ) -> None:
        decide(study, **{"Paris": CORRECT, "paris, france": INCORRECT, "Lyon": INCORRECT})
        rule = {"runs": ["recorded:sure"], "condition": "all_agree"}
        assert preview(study, {**rule, "threshold": 0.5}).rules[0].beside_people.wrong == 1
        assert preview(study, {**rule, "threshold": 0.9}).rules[0].beside_people.wrong == 0

    def test_what_programs_settled_and_what_equals_gold_is_nobodys_decision(
        self, study: Project, exact: JudgeRun
    ) -> None:
        apply(study, ("any_accepts", ["exact_match"]))
        assert PrejudgedAnswer.objects.count() == 2
        Decision.objects.create(
            candidate=answer(study, "Lyon"),
            number=1,
            label=CORRECT,
            source=Decision.Source.IMPORTED,
            rule=GOLD_EQUAL_RULE,
            decided_at=study.created_at,
        )
        found = preview(study, EXACT)
        assert (found.by_people, found.rules[0].beside_people.settled) == (0, 0)
        assert found.rules[0].beside_people.share.value is None

    def test_what_a_person_decided_after_a_program_counts(self, study: Project, exact: JudgeRun) -> None:
        apply(study, ("any_accepts", ["exact_match"]))
        decide(study, Paris=INCORRECT)
        (rule,) = preview(study, EXACT).rules
        assert (rule.beside_people.settled, rule.beside_people.wrong) == (1, 1)

    def test_a_flagged_verdict_settles_nothing_here_either(self, study: Project, exact: JudgeRun) -> None:
        decide(study, Paris=CORRECT)
        exact.verdicts.update(flags="injection")
        (rule,) = preview(study, EXACT).rules
        assert rule.beside_people.settled == 0

    def test_answers_to_one_question_are_not_as_many_as_they_seem(self, lead: User) -> None:
        wide, narrow = (self.intervals(lead, name, questions) for name, questions in (("a", 4), ("b", 20)))
        assert wide > narrow

    def intervals(self, lead: User, slug: str, questions: int) -> float:
        project = make_project(lead=lead, slug=slug)
        run = make_run(project, "exact_match", {})
        for question in range(questions):
            texts = [f"{slug} {question} {number}" for number in range(20 // questions)]
            make_answers(project=project, question=f"{slug} {question}", texts=texts)
            for text in texts:
                add_verdict(run, text, True)
                decide(project, **{text: INCORRECT if question % 2 else CORRECT})
        tried = try_on_decided(project=project, rules=read_rules([{**EXACT, "runs": [run.public_id]}]))
        share = tried.rules[0].share
        assert (share.value, tried.rules[0].settled) == (0.5, 20)
        assert share.low is not None
        assert share.high is not None
        return share.high - share.low


class TestRandomSample:
    @pytest.fixture
    def large(self, lead: User) -> Project:
        project = make_project(lead=lead, slug="large")
        texts = [f"answer {number}" for number in range(60)]
        make_answers(project=project, question="q", texts=texts)
        make_run(project, "exact_match", dict.fromkeys(texts, True))
        return project

    def shown(self, project: Project, **fields: Any) -> list[str]:
        (rule,) = preview(project, EXACT, **fields).rules
        return [each.answer for each in rule.sample]

    def test_is_not_of_the_first_answers_and_is_the_same_again(self, large: Project) -> None:
        shown = self.shown(large)
        assert len(set(shown)) == 10
        assert shown == self.shown(large)
        first = Candidate.objects.filter(project=large).order_by("pk").values_list("text", flat=True)[:10]
        assert set(shown) != set(first)

    def test_others_are_shown_on_asking_and_by_another_seed(self, large: Project) -> None:
        assert len({frozenset(self.shown(large, sample=number)) for number in (1, 2, 3)}) == 3
        assert self.shown(large, seed=2) != self.shown(large)

    def test_every_answer_is_shown_about_equally_often(self, large: Project) -> None:
        texts = dict(Candidate.objects.filter(project=large).values_list("pk", "text"))
        rules = make_policy(project=large, rules=[EXACT]).rules
        questions = large.questions.values_list("pk", flat=True)
        answers = find_answers(project=large, rules=rules, question_ids=list(questions))
        seed = seed_to_come(project=large, rules=rules, audit_share=0.0, seed=1)
        counts = dict.fromkeys(texts.values(), 0)
        for number in range(120):
            # As a preview goes through them, some at a time.
            drawn = draw_shown(answers[:25], seed=seed, sample=number)
            drawn = draw_shown(drawn + answers[25:], seed=seed, sample=number)
            for each in drawn:
                counts[texts[each.candidate_id]] += 1
        assert [texts[each.candidate_id] for each in drawn] == self.shown(large, sample=119)
        # 120 samples of ten out of sixty: 20 each; four standard deviations of a binomial count are 16.
        assert min(counts.values()) > 4
        assert max(counts.values()) < 36
