"""Which judge is recommended, beside which others, and for what."""

from collections.abc import Sequence

import pytest

from analysis.intervals import Figure
from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate, System
from annotation.projects.models import Project
from judges.comparison.rules.boards import BoardRow, ComparedPair
from judges.comparison.rules.judge_board.replacement import Replaces
from judges.comparison.rules.results.trusted_judge import (
    Choice,
    Contender,
    NoTrustedJudge,
    SystemBias,
    Trust,
    choose_judge,
    judge_ranking,
    judge_scoring,
)
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.comparison.selectors.judge_board.pairs import read_judge_differences
from judges.comparison.selectors.results.trusted_judge import TrustedJudge, read_trusted_judge
from judges.prejudging.services.policies import apply_policy, make_policy, save_policy, work_on_application
from tests.annotation.adjudication.factories import make_answers, make_import
from tests.factories import make_project
from tests.judges.comparison.conftest import make_run
from tests.judges.comparison.judge_board.test_differences import give

SURE = Figure(0.6, 0.4, 0.8)


def judge(
    run: str, agreement: float, *, kappa: Figure = SURE, is_told: bool = False, unscored: int = 0
) -> Contender:
    counts = {"tp": 50 - unscored, "fn": 0, "fp": 0, "tn": 50, "unscored": unscored}
    figures = {"accuracy_all": Figure(agreement), "cohen_kappa": kappa}
    return Contender(run, BoardRow(run, run.upper(), counts, figures), is_told)


def pair(first: str, second: str, lead: float, p_value: float | None) -> ComparedPair:
    is_apart = p_value is not None and p_value < 0.05
    return ComparedPair(first, second, 100, Figure(lead), p_value, is_apart, 3, 1, None)


def choose(
    found: Sequence[Contender],
    pairs: Sequence[ComparedPair] = (),
    *,
    answers: int = 100,
    unchecked: int = 0,
    undecided: int = 0,
) -> Choice:
    return choose_judge(found, pairs, answers=answers, unchecked=unchecked, undecided=undecided)


class TestChooseJudge:
    def test_the_one_that_agrees_most_is_best_and_the_others_are_told_apart_or_not(self) -> None:
        found = [judge("a", 0.7), judge("b", 0.9), judge("c", 0.88)]
        choice = choose(found, [pair("a", "b", -0.2, 0.001), pair("b", "c", 0.02, 0.4)])
        assert choice.best is not None
        assert choice.best.run == "b"
        assert [each.name for each in choice.rivals] == ["C"]
        assert (choice.contenders, choice.worse, choice.by_chance) == (3, 1, [])

    def test_equal_judges_are_rivals(self) -> None:
        choice = choose([judge("a", 0.9), judge("b", 0.9)], [pair("a", "b", 0.0, 1.0)])
        assert choice.best is not None
        assert choice.best.run == "a"
        assert [each.name for each in choice.rivals] == ["B"]

    def test_one_that_left_out_more_and_errs_less_is_no_worse(self) -> None:
        found = [judge("a", 0.9), judge("b", 0.8, unscored=15)]
        choice = choose(found, [pair("a", "b", -0.04, 0.01)])
        assert ([each.name for each in choice.rivals], choice.worse) == (["B"], 0)

    def test_what_was_told_of_decisions_or_said_nothing_is_never_recommended(self) -> None:
        found = [judge("told", 1.0, is_told=True), judge("mute", 0.0, unscored=50)]
        mute = found[1]._replace(row=BoardRow("m", "M", {"tp": 0, "unscored": 100}, found[1].row.figures))
        assert choose([found[0], mute]).because is NoTrustedJudge.NO_JUDGE
        choice = choose([found[0], mute, judge("a", 0.6)])
        assert choice.best is not None
        assert (choice.best.run, choice.contenders) == ("a", 1)

    @pytest.mark.parametrize(
        ("kappa", "expected"),
        [
            (Figure(0.2, 0.01, 0.3), None),
            (Figure(0.2, 0.0, 0.3), NoTrustedJudge.CHANCE),
            (Figure(None), NoTrustedJudge.CHANCE),
            # No error at all, so nothing varies.
            (Figure(1.0), None),
            (Figure(0.5), NoTrustedJudge.CHANCE),
        ],
    )
    def test_it_must_surely_beat_chance(self, kappa: Figure, expected: NoTrustedJudge | None) -> None:
        assert choose([judge("a", 0.9, kappa=kappa)]).because is expected

    def test_one_that_agrees_by_chance_alone_hides_no_other(self) -> None:
        # Most answers are right, so accepting all of them agrees most often.
        yes_man = judge("yes", 0.9, kappa=Figure(0.0, -0.1, 0.1))
        tests = [pair("yes", "a", 0.1, 0.01), pair("a", "b", 0.1, 0.01)]
        choice = choose([yes_man, judge("a", 0.8), judge("b", 0.7)], tests)
        assert choice.best is not None
        assert (choice.best.run, choice.because) == ("a", None)
        assert (choice.contenders, choice.rivals, choice.worse) == (2, [], 1)
        assert choice.by_chance == ["YES"]

    @pytest.mark.parametrize(
        ("answers", "unchecked", "undecided", "expected"),
        [
            (0, 0, 0, NoTrustedJudge.NOTHING_DECIDED),
            (9, 0, 0, NoTrustedJudge.FEW_ANSWERS),
            (10, 0, 0, None),
            (10, 1, 1, NoTrustedJudge.UNCHECKED),
            (10, 0, 1, NoTrustedJudge.UNDECIDED),
        ],
    )
    def test_it_takes_enough_answers_and_a_check_of_what_judges_settled(
        self, answers: int, unchecked: int, undecided: int, expected: NoTrustedJudge | None
    ) -> None:
        choice = choose([judge("a", 0.9)], answers=answers, unchecked=unchecked, undecided=undecided)
        assert choice.because is expected
        assert (choice.best is None) is (expected is not None)


class TestJudgeRanking:
    @pytest.mark.parametrize(
        ("low", "pairs", "same", "expected"),
        [
            (0.8, 10, 10, Trust.YES),
            # All five in people's order, and only one of them surely.
            (0.2, 5, 5, Trust.UNSURE),
            (0.9, 10, 9, Trust.NO),
            (None, 0, 0, Trust.UNSURE),
            (None, None, None, Trust.UNSURE),
        ],
    )
    def test_it_ranks_where_it_surely_puts_most_pairs_in_the_same_order(
        self, low: float | None, pairs: int | None, same: int | None, expected: Trust
    ) -> None:
        order = Figure(1.0, low, 1.0)
        assert judge_ranking(order, pairs=pairs, same=same, alike=same).trust is expected

    def test_pairs_that_it_tells_apart_itself_are_named(self) -> None:
        found = judge_ranking(Figure(1.0, 0.2, 1.0), pairs=5, same=5, alike=1, rank_of_best=7)
        assert (found.pairs, found.same, found.alike, found.rank_of_best) == (5, 5, 1, 7)


class TestJudgeScoring:
    @pytest.mark.parametrize(
        ("bias", "of_system", "expected"),
        [
            (Figure(0.005, -0.01, 0.02), 0.02, Trust.YES),
            # Surely off, and by too little to matter.
            (Figure(0.01, 0.005, 0.015), 0.01, Trust.YES),
            (Figure(0.005, -0.01, 0.02), -0.08, Trust.UNSURE),
            (Figure(-0.08, -0.1, -0.06), -0.12, Trust.NO),
            (Figure(0.08, 0.001, 0.16), 0.12, Trust.NO),
            (Figure(0.01, -0.03, 0.05), 0.0, Trust.UNSURE),
            (Figure(0.01), 0.0, Trust.UNSURE),
        ],
    )
    def test_they_are_trusted_where_they_are_surely_near(
        self, bias: Figure, of_system: float, expected: Trust
    ) -> None:
        assert judge_scoring(bias, [SystemBias("Alpha", Figure(of_system))]).trust is expected

    @pytest.mark.parametrize("of_systems", [[], [SystemBias("Alpha", Figure(None))]])
    def test_without_a_score_of_any_system_nobody_can_say(self, of_systems: list[SystemBias]) -> None:
        found = judge_scoring(Figure(0.005, -0.01, 0.02), of_systems)
        assert (found.trust, found.most) == (Trust.UNSURE, None)

    def test_names_the_system_of_which_they_are_most_wrong(self) -> None:
        found = [SystemBias(name, Figure(value)) for name, value in (("A", 0.01), ("B", -0.2), ("C", None))]
        most = judge_scoring(SURE, found).most
        assert most is not None
        assert most.label == "B"


QUESTIONS = 20


def make_judged(lead: User, *, slug: str = "judged", questions: int = QUESTIONS) -> Project:
    """Make a study of which people accept the answers of one system, and reject the other's."""
    project = make_project(lead=lead, slug=slug)
    data_import = make_import(project=project)
    systems = {
        name: System.objects.create(project=project, data_import=data_import, name=name, label=label)
        for name, label in (("right", "GPT-3"), ("wrong", "FiD"))
    }
    for number in range(questions):
        texts = [f"right of {number}", f"wrong of {number}"]
        make_answers(project=project, question=f"question {number}", gold=["gold"], texts=texts)
    for candidate in Candidate.objects.filter(project=project).order_by("pk"):
        kind = candidate.text.split()[0]
        give(candidate, systems[kind])
        label = "correct" if kind == "right" else "incorrect"
        decide_answer(
            project=project, candidate_id=candidate.public_id, by=lead, label=label, reason="looked"
        )
    return Project.objects.get(pk=project.pk)


@pytest.fixture
def judged(lead: User) -> Project:
    return make_judged(lead)


def says(*, errors: int, questions: int = QUESTIONS) -> dict[str, float | None]:
    """Return verdicts like people's, but for the first right answers."""
    texts = [f"{kind} of {number}" for number in range(questions) for kind in ("right", "wrong")]
    is_error = [text.startswith("right") and int(text.split()[-1]) < errors for text in texts]
    return {
        text: float(text.startswith("right") != error) for text, error in zip(texts, is_error, strict=True)
    }


def read(project: Project) -> TrustedJudge:
    return read_trusted_judge(project=Project.objects.get(pk=project.pk))


class TestReadTrustedJudge:
    def test_the_best_of_those_that_judged_everything(self, judged: Project) -> None:
        make_run(judged, "bem", says(errors=2))
        make_run(judged, "containment", says(errors=14))
        make_run(judged, "recorded:gpt-4", {"right of 0": 1.0, "wrong of 0": 0.0})
        make_run(judged, "exact_match", says(errors=0), gold_version="amended-1")
        found = read(judged)
        assert found.best is not None
        assert (found.best.name, found.answers, found.judges) == ("BEM", 40, 2)
        assert found.best.figures["accuracy_all"].value == pytest.approx(0.95)
        assert found.unfinished == ["gpt-4 (recorded)"]
        assert found.told == ["Exact match, amended gold"]
        cautions = {row.name: (row.is_told, row.caution) for row in read_judge_board(project=judged)}
        assert cautions["BEM"] == (False, "")
        is_told, caution = cautions["Exact match, amended gold"]
        assert is_told
        assert caution.startswith("Exact match, amended gold was told what people decided, ")
        pairs = read_judge_differences(project=judged).pairs
        runs = {run.judge_key: run.public_id for run in judged.judge_runs.exclude(gold_version="amended-1")}
        (test,) = (p for p in pairs if {p.first, p.second} == {runs["bem"], runs["containment"]})
        assert test.is_distinguishable
        assert (found.rivals, found.worse) == ([], 1)

    def test_says_what_it_can_be_used_for(self, judged: Project) -> None:
        make_run(judged, "bem", says(errors=10))
        best = read(judged).best
        assert best is not None
        # Ten of twenty against none: the one pair of systems is sure, and in the same order.
        assert (best.ranking.trust, best.ranking.pairs, best.ranking.same) == (Trust.YES, 1, 1)
        assert best.scoring.trust is Trust.NO
        assert best.scoring.bias.value == pytest.approx(-0.25)
        assert best.scoring.most is not None
        assert best.scoring.most.label == "GPT-3"
        assert best.scoring.most.difference.value == pytest.approx(-0.5)
        assert best.standing_in.replaces is Replaces.FEW_VOTES

    def test_names_another_where_the_best_was_trained_on_these_questions(self, judged: Project) -> None:
        make_run(judged, "learned", says(errors=1))
        assert read(judged).best_without_caution is None
        make_run(judged, "containment", says(errors=3))
        make_run(judged, "bem", says(errors=2))
        found = read(judged)
        assert found.best is not None
        assert found.best.name == "Learned judge"
        assert found.best_without_caution is not None
        assert found.best_without_caution.name == "BEM"
        judged.judge_runs.filter(judge_key="learned").delete()
        # Nobody needs another beside one that has no caution.
        assert read(judged).best_without_caution is None

    def test_warns_of_weights_trained_on_these_questions_kin_and_changed_minds(self, judged: Project) -> None:
        make_run(judged, "learned", says(errors=1))
        best = read(judged).best
        assert best is not None
        assert "trained on Natural Questions" in best.caution
        assert (best.kin, best.is_recorded) == ([], False)
        judged.judge_runs.all().delete()
        make_run(judged, "recorded:gpt-4", says(errors=1))
        best = read(judged).best
        assert best is not None
        assert (best.kin, best.is_recorded, best.caution) == (["GPT-3"], True, "")
        assert best.self_preference is not None

    def test_recommends_nobody_while_people_have_yet_to_decide_the_audit(
        self, judged: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("common.tasks._ring", lambda *_: None)
        texts = ["open 1", "open 2"]
        make_answers(project=judged, question="more", texts=texts)
        for text, name in zip(texts, ("right", "wrong"), strict=True):
            give(
                Candidate.objects.get(project=judged, text=text),
                System.objects.get(project=judged, name=name),
            )
        run = make_run(judged, "bem", {**says(errors=2), **dict.fromkeys(texts, 1.0)})
        assert read(judged).best is not None
        rules = [{"runs": [run.public_id], "condition": "any_accepts"}]
        # All of it is drawn, so that nothing is settled without people.
        save_policy(project=judged, policy=make_policy(project=judged, rules=rules, audit_share=1.0))
        work_on_application(application_id=apply_policy(project=judged).pk)
        found = read(judged)
        assert (found.left_out, found.undecided) == (0, 2)
        assert (found.untrusted_because, found.best) == (NoTrustedJudge.UNDECIDED, None)
        for candidate in Candidate.objects.filter(project=judged, text__in=texts):
            decide_answer(
                project=judged, candidate_id=candidate.public_id, by=lead, label="correct", reason="looked"
            )
        assert read(judged).best is not None

    def test_recommends_nobody_before_people_decided(self, study: Project) -> None:
        make_run(study, "bem", {"Paris": 1.0})
        found = read(study)
        assert (found.untrusted_because, found.best) == (NoTrustedJudge.NOTHING_DECIDED, None)
