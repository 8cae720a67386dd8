"""Which answers the table shows, and in which order."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, GoldAnswer, Question
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from annotation.projects.services.protocols import set_protocol
from common.clock import now
from common.memory import forget_everything
from judges.answers.rules import Verdict
from judges.answers.selectors.filters import Says, Wanted, find_answers
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_project
from tests.judges.comparison.conftest import ANSWERS, make_run

Decider = Callable[[str, str], None]
Client = Callable[[User], Any]


def found(project: Project, *, sort: str = "question", **wanted: Any) -> list[str]:
    again = Project.objects.get(pk=project.pk)
    ids = find_answers(project=again, wanted=Wanted(**wanted), sort=sort).ids
    rows = Candidate.objects.in_bulk(ids)
    return [rows[answer].text for answer in ids]


class TestFindAnswers:
    def test_finds_words_of_question_and_answer(self, study: Project) -> None:
        assert found(study, search="hamlet") == ["William S.", "Marlowe"]
        assert found(study, search="CITY") == ["the city of Paris"]

    def test_finds_what_is_written_about_an_answer(
        self, study: Project, annotators: list[Membership], lead: User
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        Judgment.objects.filter(candidate__text="Paris").update(
            comment="Lutetia then", evidence_quote="quoted", evidence_url="https://encyclopedia.test/"
        )
        for words in ("lutetia", "quoted", "encyclopedia"):
            assert found(study, search=words) == ["Paris"]
        decided = Candidate.objects.get(text="Pacific")
        decide_answer(
            project=study, candidate_id=decided.public_id, by=lead, label="correct", reason="Surely so."
        )
        assert found(study, search="surely") == ["Pacific"]

    @pytest.mark.parametrize("alone", ["comment", "evidence_quote", "evidence_url"])
    def test_finds_the_one_thing_that_a_rater_left(
        self, study: Project, annotators: list[Membership], alone: str
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        Judgment.objects.filter(candidate__text="Paris").update(**{alone: "Lutetia"})
        assert found(study, search="lutetia") == ["Paris"]

    def test_finds_what_is_written_about_a_question(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        question = Question.objects.get(text="largest ocean")
        QuestionFlag.objects.create(
            question=question, rater=annotators[0], kind="unclear", note="by area?", flagged_at=now()
        )
        GoldAnswer.objects.filter(question=question).update(text="Mar del Sur")
        Question.objects.filter(pk=question.pk).update(external_id="q-4711")
        for words in ("BY AREA", "del sur", "q-4711"):
            assert found(study, search=words) == ["Pacific"]

    def test_finds_nothing_of_another_project(self, study: Project, lead: User) -> None:
        other = make_project(lead=lead, slug="other")
        make_answers(project=other, question="largest lake", gold=["Caspian"], texts=["Baikal"])
        assert found(study, search="caspian") == found(study, search="baikal") == []

    def test_judged_questions_come_first(self, study: Project) -> None:
        Question.objects.filter(position=0).update(in_sample=False)
        assert found(study)[0] == "Pacific"

    def test_narrows_to_a_state(self, study: Project, decide: Decider) -> None:
        decide("Pacific", "correct")
        assert found(study, state="decided") == ["Pacific"]
        assert "Pacific" not in found(study, state="open")

    def test_a_disagreement_is_of_the_first_raters(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        vote(rater=annotators[1], labels={"Paris": "correct", "the city of Paris": "incorrect"})
        vote(rater=annotators[2], labels={"the city of Paris": "correct"})
        assert found(study, state="disagreement") == ["the city of Paris"]

    def test_lists_the_disputed_answers_of_one_part_of_the_study(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        texts = {"Paris": "correct", "the city of Paris": "correct"}
        vote(rater=annotators[0], labels=texts)
        vote(rater=annotators[1], labels={**texts, "the city of Paris": "incorrect"})
        part = {"state": "disagreement", "by": "answer_length"}
        assert found(study, **part, part="2 to 5 words") == ["the city of Paris"]
        assert found(study, **part, part="1 word") == []
        assert found(study, by="exact_match", part="equals a gold answer") == ["Paris"]
        assert found(study, by="exact_match", part="no such part") == []

    def test_a_question_flagged_twice_lists_its_answers_once(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        question = Question.objects.get(text="largest ocean")
        for kind in ("list", "unclear"):
            QuestionFlag.objects.create(question=question, rater=annotators[0], kind=kind, flagged_at=now())
        assert found(study, state="flagged") == ["Pacific"]

    def test_lists_what_a_run_gets_wrong(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert found(study, errors_of=exact_match.public_id) == ["the city of Paris", "William S."]

    def test_a_reopened_answer_is_no_error(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        Candidate.objects.get(text="William S.").decisions.update(is_reopening=True)
        assert found(study, errors_of=exact_match.public_id) == ["the city of Paris"]

    @pytest.mark.parametrize("text", ["William S.", "the city of Paris"])
    def test_an_answer_that_the_judge_board_leaves_out_is_no_error(
        self, study: Project, all_decided: None, exact_match: JudgeRun, text: str
    ) -> None:
        answer = Candidate.objects.get(text=text)
        if text == "William S.":
            answer.decisions.update(source="prejudged")
        else:
            Question.objects.filter(pk=answer.question_id).update(in_sample=False)
        (row,) = read_judge_board(project=Project.objects.get(pk=study.pk))
        errors = found(study, errors_of=exact_match.public_id)
        assert text not in errors
        assert len(errors) == row.counts["fn"] + row.counts["fp"] == 1

    def test_narrows_to_a_label_and_where_it_comes_from(
        self, study: Project, all_decided: None, decide: Decider
    ) -> None:
        assert found(study, label="incorrect") == ["Marlowe"]
        assert found(study, label="correct", source="adjudicated")[0] == "the city of Paris"
        assert found(study, label="correct", source="majority") == []
        decide("Marlowe", "correct")
        assert found(study, label="incorrect") == []

    def test_narrows_to_a_label_that_the_protocol_has_no_longer(
        self, study: Project, decide: Decider
    ) -> None:
        for text in ("Marlowe", "Paris", "Pacific"):
            decide(text, "correct")
        for text, label in (("Marlowe", "former"), ("Pacific", "another")):
            Decision.objects.filter(candidate__text=text).update(label=label)
        assert found(study, label="former") == ["Marlowe"]
        assert found(study, label="never") == []
        # They come after those that it has, by key.
        assert found(study, sort="label")[:3] == ["Paris", "Pacific", "Marlowe"]

    def test_narrows_to_what_a_system_gave(self, study: Project) -> None:
        assert found(study, given_by="alpha") == list(ANSWERS["Alpha"])
        assert found(study, given_by="nobody") == []

    def test_narrows_to_a_data_set_and_a_tag(self, study: Project) -> None:
        Question.objects.filter(text="largest ocean").update(dataset="nq", tags=["places", "seas"])
        Question.objects.filter(text="who wrote hamlet").update(dataset="tq", tags=["people"])
        assert found(study, dataset="nq") == found(study, tag="seas") == ["Pacific"]
        assert found(study, dataset="nq", tag="people") == []

    def test_narrows_to_a_flag_and_to_whoever_judged(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        question = Question.objects.get(text="largest ocean")
        QuestionFlag.objects.create(question=question, rater=annotators[0], kind="list", flagged_at=now())
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        assert found(study, flag="list") == ["Pacific"]
        assert found(study, flag="unclear") == []
        assert set(found(study, judged_by=annotators[0].pseudonym)) == {"Paris", "the city of Paris"}
        assert found(study, judged_by=annotators[1].pseudonym) == []
        Judgment.objects.filter(candidate__text="Paris").update(state=Judgment.State.WITHDRAWN)
        assert found(study, judged_by=annotators[0].pseudonym) == ["the city of Paris"]

    @pytest.mark.parametrize(
        ("bounds", "expected"),
        [
            ({"min_words": 2}, ["the city of Paris", "William S."]),
            ({"min_words": 2, "max_words": 2}, ["William S."]),
            ({"max_words": 0}, []),
        ],
    )
    def test_narrows_to_a_length(self, study: Project, bounds: dict[str, int], expected: list[str]) -> None:
        assert found(study, **bounds) == expected


class TestColumns:
    """What people and judges say, alone and beside each other."""

    @pytest.mark.parametrize(
        ("verdict", "expected"),
        [
            (Verdict.ACCEPTED, ["Paris"]),
            (Verdict.REJECTED, ["the city of Paris", "Marlowe"]),
            (Verdict.UNSCORED, ["William S."]),
            (Verdict.NONE, ["Pacific"]),
        ],
    )
    def test_a_judge_says_one_of_four_things(
        self, study: Project, verdict: Verdict, expected: list[str]
    ) -> None:
        run = make_run(
            study,
            "bem",
            {"Paris": 0.9, "the city of Paris": 0.2, "Marlowe": 0.1, "William S.": None},
        )
        assert found(study, said=[Says(run.public_id, verdict)]) == expected

    def test_people_say_what_people_decided(self, study: Project, decide: Decider) -> None:
        decide("Paris", "correct")
        decide("Marlowe", "incorrect")
        decide("Pacific", "correct")
        Candidate.objects.get(text="Pacific").decisions.update(source="prejudged")
        assert found(study, said=[Says("people", Verdict.ACCEPTED)]) == ["Paris"]
        assert found(study, said=[Says("people", Verdict.REJECTED)]) == ["Marlowe"]
        assert found(study, said=[Says("people", Verdict.NONE)]) == [
            "the city of Paris",
            "Pacific",
            "William S.",
        ]

    def test_all_that_is_said_must_hold(self, study: Project, exact_match: JudgeRun, decide: Decider) -> None:
        decide("Paris", "incorrect")
        said = [Says("people", Verdict.REJECTED), Says(exact_match.public_id, Verdict.ACCEPTED)]
        assert found(study, said=said) == ["Paris"]
        assert found(study, said=[*said, Says("nobody", Verdict.ACCEPTED)]) == []

    def test_people_and_a_judge_differ_in_either_way(
        self, study: Project, all_decided: None, exact_match: JudgeRun, decide: Decider
    ) -> None:
        decide("Paris", "incorrect")
        expected = ["the city of Paris", "Paris", "William S."]
        assert found(study, differing=("people", exact_match.public_id)) == expected
        assert found(study, differing=(exact_match.public_id, "people")) == expected

    def test_judges_differ_where_both_have_spoken(self, study: Project) -> None:
        one = make_run(study, "bem", {"Paris": 0.9, "Pacific": 0.9, "Marlowe": None})
        other = make_run(study, "bertscore", {"Paris": 0.1, "Marlowe": 0.9})
        assert found(study, differing=(one.public_id, other.public_id)) == ["Paris"]

    def test_annotators_differ_from_each_other_from_people_and_from_judges(
        self, study: Project, annotators: list[Membership], exact_match: JudgeRun, decide: Decider
    ) -> None:
        first, second = (f"rater:{rater.pseudonym}" for rater in annotators[:2])
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        vote(rater=annotators[1], labels={"Paris": "incorrect", "the city of Paris": "correct"})
        assert found(study, differing=(first, second)) == ["Paris"]
        assert found(study, differing=(second, exact_match.public_id)) == ["the city of Paris", "Paris"]
        decide("the city of Paris", "incorrect")
        assert found(study, differing=("people", first)) == ["the city of Paris"]
        Judgment.objects.filter(rater=annotators[1]).update(state=Judgment.State.WITHDRAWN)
        assert found(study, differing=(first, second)) == []
        assert found(study, differing=(first, "rater:nobody")) == []

    def test_a_late_vote_without_a_verdict_differs_from_nothing(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        first, second = (f"rater:{rater.pseudonym}" for rater in annotators[:2])
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Paris": "correct", "the city of Paris": "correct"})
        late = Judgment.objects.filter(rater=annotators[1], candidate__text="Paris")
        late.update(label="cannot", state=Judgment.State.SURPLUS)
        assert study.protocol is not None
        labels = [*study.protocol.spec["labels"], {"key": "cannot", "name": "Cannot", "credit": "missing"}]
        set_protocol(project=study, spec={**study.protocol.spec, "labels": labels})
        study.refresh_from_db()
        forget_everything()
        assert found(study, differing=(first, second)) == []
        late.update(label="incorrect")
        forget_everything()
        assert found(study, differing=(first, second)) == ["Paris"]

    def test_possibly_correct_is_a_label_of_its_own_to_people(
        self, study: Project, annotators: list[Membership], knows_possibly: None
    ) -> None:
        first, second = self.say(annotators, ("possibly", "incorrect"), ("possibly", "possibly"))
        assert found(study, differing=(first, second)) == ["the city of Paris"]
        Judgment.objects.filter(rater=annotators[0], candidate__text="Paris").update(label="correct")
        forget_everything()
        assert found(study, differing=(first, second)) == ["the city of Paris", "Paris"]

    def test_possibly_correct_of_a_decision_differs_from_an_annotators_incorrect(
        self, study: Project, annotators: list[Membership], knows_possibly: None, decide: Decider
    ) -> None:
        first, second = self.say(annotators, ("possibly", "incorrect"), ("correct", "correct"))
        decide("the city of Paris", "possibly")
        assert found(study, differing=("people", first)) == []
        assert found(study, differing=("people", second)) == ["the city of Paris"]

    def test_possibly_correct_is_not_accepted_beside_a_judge_as_on_its_board(
        self,
        study: Project,
        annotators: list[Membership],
        knows_possibly: None,
        exact_match: JudgeRun,
        decide: Decider,
    ) -> None:
        first, _ = self.say(annotators, ("possibly", "incorrect"), ("possibly", "possibly"))
        for text in ("the city of Paris", "Paris"):
            decide(text, "possibly")
        # Exact match accepts Paris and rejects the city.
        for column in (first, "people"):
            assert found(study, differing=(column, exact_match.public_id)) == ["Paris"]
        assert found(study, errors_of=exact_match.public_id) == ["Paris"]
        assert found(study, said=[Says(first, Verdict.ACCEPTED)]) == []

    @pytest.fixture
    def knows_possibly(self, study: Project) -> None:
        """Let people call an answer possibly correct."""
        assert study.protocol is not None
        labels = [
            *study.protocol.spec["labels"],
            {"key": "possibly", "name": "Possibly correct", "credit": "possible"},
        ]
        set_protocol(project=study, spec={**study.protocol.spec, "labels": labels})
        study.refresh_from_db()

    @staticmethod
    def say(annotators: list[Membership], city: tuple[str, str], paris: tuple[str, str]) -> tuple[str, str]:
        """Let the first two annotators say this of the two answers; return their columns."""
        for place, rater in enumerate(annotators[:2]):
            vote(rater=rater, labels={"the city of Paris": city[place], "Paris": paris[place]})
        return f"rater:{annotators[0].pseudonym}", f"rater:{annotators[1].pseudonym}"

    @pytest.mark.parametrize(
        "wanted",
        [
            {"differing": ("people", "rater:R-1")},
            {"said": (("rater:R-1", "accepted"),)},
            {"only_right": "a", "only_wrong": "b", "according_to": "rater:R-1"},
        ],
    )
    def test_each_field_that_names_a_column_can_name_an_annotator(self, wanted: dict[str, Any]) -> None:
        assert Wanted(**wanted).is_by_rater
        assert not Wanted().is_by_rater

    def test_shows_both_answers_where_only_one_system_is_right(
        self, study: Project, all_decided: None, decide: Decider
    ) -> None:
        """Both are right about Paris and the ocean; only Alpha is about Hamlet."""
        both = ["William S.", "Marlowe"]
        assert found(study, only_right="alpha", only_wrong="beta") == both
        assert found(study, only_right="beta", only_wrong="alpha") == []
        decide("the city of Paris", "incorrect")
        assert found(study, only_right="beta", only_wrong="alpha") == ["the city of Paris", "Paris"]

    def test_any_column_says_who_is_right(self, study: Project, exact_match: JudgeRun) -> None:
        assert found(study, only_right="beta", only_wrong="alpha", according_to=exact_match.public_id) == [
            "the city of Paris",
            "Paris",
        ]


class TestOrder:
    @pytest.mark.parametrize(
        ("sort", "expected"),
        [
            ("question", ["the city of Paris", "Paris", "Pacific", "William S.", "Marlowe"]),
            ("-question", ["Marlowe", "William S.", "Pacific", "Paris", "the city of Paris"]),
            ("answer", ["Marlowe", "Pacific", "Paris", "the city of Paris", "William S."]),
            ("-words", ["the city of Paris", "William S.", "Paris", "Pacific", "Marlowe"]),
            ("-systems", ["Pacific", "the city of Paris", "Paris", "William S.", "Marlowe"]),
            ("no such column", ["the city of Paris", "Paris", "Pacific", "William S.", "Marlowe"]),
        ],
    )
    def test_goes_by_one_column_then_by_the_study(
        self, study: Project, sort: str, expected: list[str]
    ) -> None:
        assert found(study, sort=sort) == expected

    def test_undecided_ones_come_last_either_way(self, study: Project, decide: Decider) -> None:
        decide("Marlowe", "incorrect")
        decide("Pacific", "correct")
        assert found(study, sort="label")[:2] == ["Pacific", "Marlowe"]
        assert found(study, sort="-label")[:2] == ["Marlowe", "Pacific"]
        assert found(study, sort="decided_at")[:2] == ["Marlowe", "Pacific"]
        assert found(study, sort="-decided_at")[:2] == ["Pacific", "Marlowe"]

    def test_goes_by_votes(self, study: Project, annotators: list[Membership]) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": None})
        assert found(study, sort="-votes")[0] == "Paris"
        assert found(study, sort="votes")[-1] == "Paris"

    def test_goes_by_a_judge_with_what_it_left_out_last(self, study: Project) -> None:
        run = make_run(study, "bem", {"Paris": 0.2, "Pacific": 0.9, "Marlowe": 0.4, "William S.": None})
        assert found(study, sort=f"-{run.public_id}")[:3] == ["Pacific", "Marlowe", "Paris"]
        assert found(study, sort=run.public_id)[:3] == ["Paris", "Marlowe", "Pacific"]
