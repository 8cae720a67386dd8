"""Which votes are first-round votes, which answers to checks, and which part of a study they belong to."""

from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.agreement.rules.slices import Dimension
from annotation.agreement.selectors.parts import family_of, read_parts
from annotation.agreement.selectors.reports import Way, read_report, read_slices
from annotation.agreement.selectors.votes import CheckNotFound, read_check_round, read_first_round
from annotation.assignments.models import Assignment, QuestionFlag
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, GoldAnswer, Prediction, Question, System
from annotation.judgments.models import Judgment
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment
from annotation.judgments.services.submitting import submit_sheet
from annotation.projects.models import Membership, Project
from common.clock import now
from tests.annotation.adjudication.factories import make_answers, make_import, vote
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def answers(project: Project) -> list[Any]:
    return make_answers(
        project=project, question="capital of france", gold=["Paris"], texts=["Paris", "Lyon"]
    )


class TestReadFirstRound:
    def test_a_project_without_votes_has_no_items(self, project: Project, answers: list[Any]) -> None:
        first_round = read_first_round(project=project)
        assert first_round.votes.shape == (0, 2)

    def test_an_answer_that_one_rater_has_judged_waits(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "Lyon": "incorrect"})
        assert len(read_first_round(project=project).votes) == 0

    def test_a_tie_break_is_no_first_round_vote(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "Lyon": "incorrect"})
        vote(rater=annotators[1], labels={"Paris": "correct", "Lyon": "correct"})
        vote(rater=annotators[2], labels={"Lyon": "incorrect"})
        first_round = read_first_round(project=project)
        assert first_round.votes.tolist() == [[0, 0], [1, 0]]
        assert set(first_round.names) == {annotators[0].pseudonym, annotators[1].pseudonym}
        assert first_round.items.tolist() == [answer.pk for answer in answers]

    def test_a_skip_is_missing_and_its_replacement_does_not_count(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "Lyon": "incorrect"})
        vote(rater=annotators[1], labels={"Paris": None, "Lyon": "incorrect"})
        vote(rater=annotators[2], labels={"Paris": "incorrect"})
        assert read_first_round(project=project).votes.tolist() == [[0, -1], [1, 1]]

    def test_questions_outside_the_sample_stay_out(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Paris": "correct", "Lyon": "incorrect"})
        Question.objects.update(in_sample=False)
        assert len(read_first_round(project=project).votes) == 0

    def test_it_is_few_queries_whatever_the_size_and_fewer_the_second_time(
        self,
        project: Project,
        answers: list[Any],
        annotators: list[Membership],
        django_assert_num_queries: Any,
    ) -> None:
        for rater in annotators[:2]:
            vote(rater=rater, labels={"Paris": "correct", "Lyon": "incorrect"})
        with django_assert_num_queries(9):
            read = read_first_round(project=project)
        with django_assert_num_queries(1):
            assert read_first_round(project=project) is read
        Judgment.objects.filter(candidate__text="Paris").update(label="incorrect")
        # The sample's answers are not read again because of a vote.
        with django_assert_num_queries(7):
            read_first_round(project=project)

    def test_what_changes_is_read_again(
        self, project: Project, answers: list[Any], annotators: list[Membership]
    ) -> None:
        def counted() -> tuple[int, dict[str, int]]:
            report = read_report(project=project, way=Way(with_intervals=False))
            return report.items, report.distribution

        assert counted() == (0, {"correct": 0, "incorrect": 0, "missing": 0})
        for rater in annotators[:2]:
            sheet = vote(rater=rater, labels={"Paris": "correct", "Lyon": "incorrect"})
        assert counted() == (2, {"correct": 2, "incorrect": 2, "missing": 0})
        former = Judgment.objects.get(rater=annotators[1], candidate=answers[0])
        edit_judgment(
            rater=annotators[1],
            sheet_id=sheet.public_id,
            given=AnswerGiven(id=answers[0].public_id, label="incorrect"),
            seen_at=former.judged_at,
        )
        assert counted() == (2, {"correct": 1, "incorrect": 3, "missing": 0})
        Question.objects.update(in_sample=False)
        assert counted()[0] == 0


@pytest.fixture
def judged(project: Project, answers: list[Any], annotators: list[Membership]) -> list[Any]:
    """Two answers judged by the first two raters, and one of another question by the last two."""
    for rater in annotators[:2]:
        vote(rater=rater, labels={"Paris": "correct", "Lyon": "incorrect"})
    (other,) = make_answers(project=project, question="who was he", texts=["a man of many long words here"])
    for rater in annotators[1:]:
        vote(rater=rater, labels={other.text: "correct"})
    return [*answers, other]


def parts_of(project: Project, by: Dimension) -> dict[str, list[str]]:
    """Return the answers in each part."""
    first_round = read_first_round(project=project)
    texts = {candidate.pk: candidate.text[:5] for candidate in Candidate.objects.all()}
    parts = read_parts(project=project, first_round=first_round, by=by)
    return {name: [texts[int(first_round.items[row])] for row in rows] for name, rows in parts.items()}


@pytest.mark.usefixtures("judged")
class TestReadParts:
    def test_by_first_wh_word(self, project: Project) -> None:
        assert parts_of(project, Dimension.QUESTION_TYPE) == {
            "no question word": ["Paris", "Lyon"],
            "who": ["a man"],
        }

    def test_by_length_of_the_answer(self, project: Project) -> None:
        assert parts_of(project, Dimension.ANSWER_LENGTH) == {
            "1 word": ["Paris", "Lyon"],
            "6 to 15 words": ["a man"],
        }

    def test_systems_of_one_label_stay_apart_by_their_names(
        self, project: Project, judged: list[Any]
    ) -> None:
        for name, answer in zip(("NQ_DPR", "TQ_DPR", "NQ_FiD"), judged, strict=True):
            system = System.objects.create(
                project=project, data_import=answer.data_import, name=name, label=name[3:]
            )
            Prediction.objects.create(
                system=system,
                question=answer.question,
                candidate=answer,
                data_import=answer.data_import,
                text=answer.text,
            )
        assert parts_of(project, Dimension.SYSTEM) == {
            "DPR (NQ_DPR)": ["Paris"],
            "DPR (TQ_DPR)": ["Lyon"],
            "FiD": ["a man"],
        }

    def test_an_empty_answer_has_no_word(self, project: Project, judged: list[Any]) -> None:
        Candidate.objects.filter(pk=judged[1].pk).update(text="")
        assert parts_of(project, Dimension.ANSWER_LENGTH)["no words"] == [""]

    def test_by_exact_match_with_the_gold_list(self, project: Project) -> None:
        assert parts_of(project, Dimension.EXACT_MATCH) == {
            "equals a gold answer": ["Paris"],
            "equals no gold answer": ["Lyon", "a man"],
        }

    def test_an_answer_that_a_pattern_finds_is_among_the_gold(self, project: Project) -> None:
        GoldAnswer.objects.filter(text="Paris").update(kind=GoldAnswer.Kind.REGEX, text="L[xy]on$")
        assert parts_of(project, Dimension.EXACT_MATCH) == {
            "equals a gold answer": ["Lyon"],
            "equals no gold answer": ["Paris", "a man"],
        }

    def test_an_answer_is_in_the_part_of_each_of_its_raters(
        self, project: Project, annotators: list[Membership]
    ) -> None:
        one, two, three = (rater.pseudonym for rater in annotators)
        parts = parts_of(project, Dimension.RATER)
        assert parts == {one: ["Paris", "Lyon"], two: ["Paris", "Lyon", "a man"], three: ["a man"]}

    def test_an_answer_is_in_the_part_of_each_of_its_systems(
        self, project: Project, judged: list[Any]
    ) -> None:
        described = {"A": {"closed_book": True}, "B": {"closed_book": False, "track": "6 GiB"}}
        for name, description in described.items():
            system = System.objects.create(
                project=project,
                data_import=make_import(project=project),
                name=name,
                label=f"System {name}",
                description=description,
            )
            Prediction.objects.create(
                system=system,
                question=judged[0].question,
                candidate=judged[0],
                data_import=system.data_import,
                text="Paris",
            )
        assert parts_of(project, Dimension.SYSTEM) == {"System A": ["Paris"], "System B": ["Paris"]}
        families = parts_of(project, Dimension.SYSTEM_FAMILY)
        assert families == {"closed book": ["Paris"], "open book, 6 GiB": ["Paris"]}

    def test_by_version_and_data_set(self, project: Project) -> None:
        Question.objects.filter(text="who was he").update(dataset="NQ")
        assert parts_of(project, Dimension.PROTOCOL_VERSION) == {"version 1": ["Paris", "Lyon", "a man"]}
        assert parts_of(project, Dimension.DATASET) == {"NQ": ["a man"], "not named": ["Paris", "Lyon"]}

    def test_by_what_raters_flagged(
        self, project: Project, judged: list[Any], annotators: list[Membership]
    ) -> None:
        question = judged[0].question
        for rater, kind in ((0, "ambiguous"), (1, "ambiguous"), (1, "list")):
            QuestionFlag.objects.create(
                question=question, rater=annotators[rater], kind=kind, flagged_at=now()
            )
        assert parts_of(project, Dimension.FLAG) == {
            "ambiguous": ["Paris", "Lyon"],
            "asks for a list": ["Paris", "Lyon"],
            "not flagged": ["a man"],
        }

    def test_a_flag_raised_or_taken_back_is_read_anew(
        self, project: Project, judged: list[Any], annotators: list[Membership]
    ) -> None:
        def names() -> list[str]:
            slices = read_slices(project=project, way=Way(with_intervals=False), by=Dimension.FLAG)
            return [part.name for part in slices]

        assert names() == ["not flagged"]
        flag = QuestionFlag.objects.create(
            question=judged[0].question, rater=annotators[0], kind="time_dependent", flagged_at=now()
        )
        assert names() == ["time-dependent", "not flagged"]
        flag.delete()
        assert names() == ["not flagged"]

    def test_by_the_week_of_the_last_vote(self, project: Project) -> None:
        (week,) = parts_of(project, Dimension.WEEK)
        assert ", week " in week

    @pytest.mark.parametrize("by", Dimension)
    def test_queries_do_not_grow_with_the_study(
        self, project: Project, by: Dimension, django_assert_max_num_queries: Any
    ) -> None:
        first_round = read_first_round(project=project)
        with django_assert_max_num_queries(2):
            read_parts(project=project, first_round=first_round, by=by)


class TestFamilyOf:
    def test_what_is_not_described_says_so(self) -> None:
        assert family_of({}) == "not described"
        assert family_of({"track": "unrestricted"}) == "unrestricted"


class TestReadCheckRound:
    @pytest.fixture
    def study(self, lead: User) -> Project:
        return make_project(lead=lead, slug="checked", preset="efficientqa")

    @staticmethod
    def answer(rater: Membership, ambiguous: set[str]) -> None:
        """Hand in the rater's next sheet, with a yes where the question is among these."""
        (sheet,) = hand_out(rater=rater)
        shown = Assignment.objects.filter(sheet=sheet).select_related("candidate")
        submit_sheet(
            rater=rater,
            sheet_id=sheet.public_id,
            submission_key=f"key-{rater.pk}-{sheet.pk}",
            answers=[AnswerGiven(id=item.candidate.public_id, label="definitely_correct") for item in shown],
            checks={"ambiguous": sheet.question.text in ambiguous},
        )

    def test_each_question_is_an_item_with_its_raters_answers(self, study: Project) -> None:
        for number in range(3):
            make_member(project=study, username=f"checker{number}")
        raters = Membership.objects.filter(project=study, role="annotator").select_related("project")
        asked = [make_answers(project=study, question=text, texts=["x"])[0].question for text in "ab"]
        for rater, ambiguous in zip(raters, [{"a"}, {"a", "b"}, {"b"}], strict=True):
            for _ in asked:
                self.answer(rater, ambiguous)
        found = read_check_round(project=study, key="ambiguous")
        assert (found.labels, found.questions.tolist()) == (("yes", "no"), [each.pk for each in asked])
        said = [
            dict(zip((found.names[rater] for rater in raters_of), votes, strict=True))
            for raters_of, votes in zip(found.raters, found.votes.tolist(), strict=True)
        ]
        one, two, three = (rater.pseudonym for rater in raters)
        assert said == [{one: 0, two: 0, three: 1}, {one: 1, two: 0, three: 0}]

    def test_one_answer_is_nothing_to_compare(self, study: Project) -> None:
        make_member(project=study, username="checker")
        rater = Membership.objects.select_related("project").get(project=study, role="annotator")
        make_answers(project=study, question="first", texts=["x"])
        self.answer(rater, {"first"})
        assert len(read_check_round(project=study, key="ambiguous").votes) == 0

    def test_a_check_that_is_not_asked_is_not_found(self, project: Project) -> None:
        with pytest.raises(CheckNotFound):
            read_check_round(project=project, key="ambiguous")
