"""Responses to a form, a column for each answer and a row for each respondent, come in as votes."""

import csv
import io

import pytest

from annotation.accounts.models import User
from annotation.items.formats.judged.asked import asked_in
from annotation.items.models import Candidate, DataImport, Prediction, Question
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from tests.annotation.items.conftest import import_into, upload_to
from tests.annotation.items.test_votes_beside_answers import votes
from tests.factories import make_project

State = DataImport.State
EMMA, LIMA = "Who wrote Emma?", "What is the capital of Peru?"
OF_GRID = (f"{EMMA} [Jane Austen]", f"{LIMA} [Cuzco]")


def form(header: tuple[str, ...], *rows: tuple[str, ...], name: str = "form.csv") -> dict[str, str]:
    """The export as Google Forms writes it: every cell is quoted."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    return {name: text.getvalue()}


def grid(*rows: tuple[str, ...], name: str = "form.csv") -> dict[str, str]:
    return form(("Timestamp", "Email Address", *OF_GRID), *rows, name=name)


def answered() -> set[tuple[str, str, str]]:
    found = Prediction.objects.values_list("question__text", "text", "system__name")
    return set(found)


class TestHeaders:
    @pytest.mark.parametrize(
        ("header", "question", "answer"),
        [
            ("Who wrote Emma? [Jane Austen]", EMMA, "Jane Austen"),
            ("Who wrote Emma? [Jane [nee] Austen]", EMMA, "Jane [nee] Austen"),
            ("Author of Emma [Jane Austen]", "Author of Emma", "Jane Austen"),
            ("Is the answer right? [Who wrote Emma? – Jane Austen]", EMMA, "Jane Austen"),
            ("Is the answer right? [Q: Author of Emma A: Jane Austen]", "Author of Emma", "Jane Austen"),
            ("Question: who wrote Emma? Answer: Jane Austen", "who wrote Emma?", "Jane Austen"),
            ("Question 12: Author of Emma | Model answer: Jane Austen", "Author of Emma", "Jane Austen"),
            ("Q1: Who wrote Emma?\nA1: Jane Austen", EMMA, "Jane Austen"),
            ("Frage: Wer schrieb Emma? Antwort: Jane Austen", "Wer schrieb Emma?", "Jane Austen"),
            (
                "Question: What is the answer: to life? Answer: 42",
                "What is the answer: to life?",
                "42",
            ),
            ("Who wrote Emma? | Jane Austen", EMMA, "Jane Austen"),
            ("Who wrote Emma? - Jane Austen", EMMA, "Jane Austen"),
            ("Who wrote Emma? → Jane Austen", EMMA, "Jane Austen"),
            ("Who wrote Emma?\nJane Austen", EMMA, "Jane Austen"),
            ("Who wrote “Emma?” / Jane Austen", "Who wrote “Emma?”", "Jane Austen"),
        ],
    )
    def test_that_part_question_and_answer(self, header: str, question: str, answer: str) -> None:
        found = asked_in(header)
        assert found is not None
        assert (found.question, found.answer) == (question, answer)

    @pytest.mark.parametrize(
        "header",
        [
            "Timestamp",
            "Who wrote Emma?",
            "Who wrote Emma? Jane Austen",
            "Who wrote Emma? []",
            "[Jane Austen]",
            # What quizzes add to a question.
            "Who wrote Emma? [Score]",
            "Who wrote Emma? [Feedback]",
            # An answer that is judged by several measures.
            "Who wrote Emma? – Jane Austen [Fluency]",
            "Comment: anything else",
            "Who? " * 1_000 + "[Ann]",
        ],
    )
    def test_that_do_not(self, header: str) -> None:
        assert asked_in(header) is None

    @pytest.mark.parametrize(
        ("header", "separator", "parts"),
        [
            ("Author of Emma // Jane Austen", "//", ("Author of Emma", "Jane Austen")),
            ("Author of Emma // Jane // Austen", "//", ("Author of Emma", "Jane // Austen")),
            ("Who wrote Emma? Jane Austen", "?", (EMMA, "Jane Austen")),
            ("Jean-Luc who - Picard", " - ", ("Jean-Luc who", "Picard")),
            ("Who wrote Emma? [Jane Austen]", "//", None),
            ("Author of Emma //", "//", None),
        ],
    )
    def test_that_somebody_says_how_to_part(
        self, header: str, separator: str, parts: tuple[str, str] | None
    ) -> None:
        found = asked_in(header, separator)
        assert (found and (found.question, found.answer)) == parts


class TestVotes:
    def test_each_row_is_a_respondent_and_each_column_an_answer(self, project: Project) -> None:
        files = grid(("1", "ann@x.org", "Correct", "No"), ("2", "bob@x.org", "Yes", "Incorrect"))
        made = import_into(project, files=files)
        assert (made.format, made.state, made.causes) == ("form", State.APPLIED, [])
        assert (made.counts["votes"], made.counts["raters"], made.counts["answers_to_judge"]) == (4, 2, 0)
        assert answered() == {(EMMA, "Jane Austen", "form"), (LIMA, "Cuzco", "form")}
        assert votes() == [
            ("form", "ann@x.org", "correct"),
            ("form", "ann@x.org", "incorrect"),
            ("form", "bob@x.org", "correct"),
            ("form", "bob@x.org", "incorrect"),
        ]

    def test_an_empty_cell_is_no_vote_and_its_answer_waits(self, project: Project) -> None:
        made = import_into(project, files=grid(("1", "ann", "Yes", ""), ("2", "bob", "Yes", "")))
        assert (made.causes, made.counts["votes"], made.counts["answers_to_judge"]) == ([], 2, 1)
        assert Candidate.objects.count() == 2

    def test_answers_to_one_question_stand_beside_each_other(self, project: Project) -> None:
        header = ("Timestamp", "Name", f"{EMMA} [Jane Austen]", f"{EMMA} [Charlotte Brontë]")
        made = import_into(project, files=form(header, ("1", "Ann", "Yes", "No")), system="gpt")
        assert [each["code"] for each in made.causes] == ["answers_numbered"]
        assert "“gpt (answer 2)”" in made.causes[0]["message"]
        assert Question.objects.count() == 1
        assert votes() == [("gpt", "Ann", "correct"), ("gpt (answer 2)", "Ann", "incorrect")]

    def test_without_names_respondents_are_numbered(self, project: Project) -> None:
        header = ("Timestamp", *OF_GRID)
        made = import_into(project, files=form(header, ("1", "Yes", "No"), ("2", "Yes", "")))
        assert [each["code"] for each in made.causes] == ["respondents_numbered"]
        assert votes() == [
            ("form", "respondent 1", "correct"),
            ("form", "respondent 1", "incorrect"),
            ("form", "respondent 2", "correct"),
        ]

    def test_whom_a_program_calls_anonymous_is_numbered(self, project: Project) -> None:
        header = ("ID", "Start time", "Completion time", "Email", *OF_GRID)
        rows = [(str(n), "1", "2", "anonymous", "Yes", "") for n in (1, 2)]
        made = import_into(project, files=form(header, *rows))
        assert (made.format, made.counts["raters"]) == ("form", 2)
        assert votes() == [("form", "respondent 1", "correct"), ("form", "respondent 2", "correct")]

    def test_two_equal_rows_of_a_respondent_count_once(self, project: Project) -> None:
        made = import_into(project, files=grid(("1", "ann", "Yes", "No"), ("2", "ann", "Yes", "")))
        assert (made.state, made.counts["votes"]) == (State.APPLIED, 2)

    def test_degrees_of_a_protocol_are_understood(self, lead: User) -> None:
        graded = make_project(lead=lead, slug="graded", preset="efficientqa")
        import_into(graded, files=grid(("1", "ann", "Possibly correct", "")))
        assert votes() == [("form", "ann", "possibly_correct")]

    def test_one_choice_says_what_words_mean(self, project: Project) -> None:
        files = grid(("1", "ann", "Good", "Bad"))
        (first, *_) = upload_to(project, files=files).causes
        assert (first["code"], first["line"]) == ("unknown_label", 2)
        import_into(project, files=files, format_key="form", labels="good=correct, bad=incorrect")
        assert [label for _, _, label in votes()] == ["correct", "incorrect"]

    def test_one_choice_says_who_responded(self, project: Project) -> None:
        files = form(("Timestamp", "Your code", *OF_GRID), ("1", "A7", "Yes", "No"))
        codes = {each["code"] for each in upload_to(project, files=files).causes}
        assert codes == {"respondents_numbered", "left_out_fields"}
        made = import_into(project, files=files, format_key="form", respondent_column="Your code")
        assert made.causes == []
        assert {rater for _, rater, _ in votes()} == {"A7"}

    def test_other_columns_are_named(self, project: Project) -> None:
        header = ("Timestamp", "Email Address", "Name", *OF_GRID, "Do you have any comments?")
        files = form(header, ("1", "ann@x.org", "Ann", "Yes", "No", "None at all"))
        (cause,) = import_into(project, files=files).causes
        assert cause["code"] == "left_out_fields"
        assert "“Name”, “Do you have any comments?”" in cause["message"]

    def test_a_form_in_two_files_is_added_up(self, project: Project) -> None:
        files = {
            **grid(("1", "ann", "Yes", ""), name="a.csv"),
            **grid(("1", "bob", "", "No"), name="b.csv"),
        }
        made = import_into(project, files=files, system="gpt")
        assert (made.format, made.counts["predictions"], made.counts["votes"]) == ("form", 2, 2)
        assert Judgment.objects.count() == 2


class TestRefusals:
    def test_two_rows_of_a_respondent_that_differ(self, project: Project) -> None:
        made = upload_to(project, files=grid(("1", "ann", "Yes", "No"), ("2", "ann", "No", "No")))
        (cause,) = made.causes
        assert (made.state, cause["code"], cause["line"]) == (State.REFUSED, "two_votes", 3)
        assert "“ann” judged “Jane Austen” twice, as “Yes” in line 2 and as “No” here." in cause["message"]

    def test_a_row_that_names_nobody(self, project: Project) -> None:
        made = upload_to(project, files=grid(("1", "ann", "Yes", "No"), ("2", "", "No", "No")))
        assert [(each["code"], each["line"]) for each in made.causes] == [("no_rater", 3)]

    def test_a_column_of_respondents_that_is_not_there(self, project: Project) -> None:
        files = grid(("1", "ann", "Yes", "No"))
        made = upload_to(project, files=files, format_key="form", respondent_column="Code")
        assert [(each["code"], each["line"]) for each in made.causes] == [("no_rater", 2)]

    def test_headers_without_a_separator_are_told_once_and_need_one_choice(self, project: Project) -> None:
        header = ("Timestamp", "Name", f"{EMMA} Jane Austen", f"{LIMA} Cuzco")
        files = form(header, ("1", "Ann", "Yes", "No"), ("2", "Bob", "Yes", "No"))
        made = upload_to(project, files=files)
        (cause,) = made.causes
        assert (made.format, made.state, cause["code"], cause["count"]) == (
            *("form", State.REFUSED, "no_answer_in_header"),
            1,
        )
        for words in (
            f"“{EMMA} Jane Austen”",
            "“Header separator”",
            "save a table with a row for each answer",
        ):
            assert words in cause["message"]
        import_into(project, files=files, format_key="form", header_separator="?")
        assert len(votes()) == 4

    def test_votes_below_questions_tell_a_form_without_times(self, project: Project) -> None:
        header = ("Name", f"{EMMA} Jane Austen", f"{LIMA} Cuzco")
        files = form(header, ("Ann", "Correct", ""), ("Bob", "Correct", "Incorrect"))
        assert upload_to(project, files=files).format == "form"
        import_into(project, files=files, header_separator="?")
        assert len(votes()) == 3

    def test_other_words_below_questions_do_not(self, project: Project) -> None:
        header = ("Name", f"{EMMA} Jane Austen", f"{LIMA} Cuzco")
        assert upload_to(project, files=form(header, ("Ann", "Yes", "It is Lima"))).format == "generic"

    def test_a_separator_that_no_header_has(self, project: Project) -> None:
        files = grid(("1", "ann", "Yes", "No"))
        (cause,) = upload_to(project, files=files, format_key="form", header_separator="//").causes
        assert cause["code"] == "no_answer_in_header"
        assert "No column has “//” between" in cause["message"]

    def test_a_table_with_a_column_of_questions_is_no_form(self, project: Project) -> None:
        header = ("Timestamp", "Question", "Response", *OF_GRID)
        made = upload_to(project, files=form(header, ("1", EMMA, "Ann", "1", "2")))
        assert made.format == "generic"

    def test_units_in_brackets_are_no_answers(self, project: Project) -> None:
        header = ("Topic", "Latency [ms]", "Cost [USD]")
        assert upload_to(project, files=form(header, (EMMA, "1", "2"))).format == "generic"
