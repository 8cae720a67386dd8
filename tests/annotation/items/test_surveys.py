"""Exports of surveys with several header rows come in as the forms that they are."""

import csv
import io
import json
from pathlib import Path

import pytest

from annotation.items.formats.judged.headers import survey_in
from annotation.items.formats.records import Source
from annotation.items.formats.registry import detect
from annotation.items.models import DataImport, Question
from annotation.projects.models import Project
from tests.annotation.items.conftest import import_into, upload_to
from tests.annotation.items.formats.conftest import Reading, read_source
from tests.annotation.items.test_votes_beside_answers import votes

State = DataImport.State
TYREE, PERU = "Who designed the Tyree tower?", "Which city is the capital of Peru?"
OF_MONKEY = (
    *("Respondent ID", "Collector ID", "Start Date", "End Date", "IP Address", "Email Address"),
    *("First Name", "Last Name", "Custom Data 1"),
)
OF_QUALTRICS = {
    "StartDate": "Start Date",
    "Status": "Response Type",
    "Duration (in seconds)": "Duration (in seconds)",
    "RecordedDate": "Recorded Date",
    "ResponseId": "Response ID",
    "RecipientEmail": "Recipient Email",
    "DistributionChannel": "Distribution Channel",
}


def table(*rows: tuple[str, ...], delimiter: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter).writerows(rows)
    return text.getvalue()


def monkey(*columns: tuple[str, ...], delimiter: str = ",") -> str:
    """The export of SurveyMonkey: of each column its title, its row, and what respondents said."""
    titles, below, *said = zip(*columns, strict=True)
    responses = [
        (str(900 + number), "7", "1/2", "1/2", "10.0.0.1", "", "", "", "", *cells)
        for number, cells in enumerate(said, 1)
    ]
    return table((*OF_MONKEY, *titles), ("",) * 9 + below, *responses, delimiter=delimiter)


def qualtrics(
    *columns: tuple[str, ...], status: str = "IP Address", channel: str = "anonymous", rows: str = "123"
) -> str:
    """The export of Qualtrics: of each column its code, its text, and what respondents said."""
    codes, texts, *said = zip(*columns, strict=True)
    first = (*OF_QUALTRICS, *codes)
    header = {
        "1": first,
        "2": (*OF_QUALTRICS.values(), *texts),
        "3": tuple(json.dumps({"ImportId": code}) for code in first),
    }
    marks = [(status, channel), *[("IP Address", "anonymous")] * len(said)]
    responses = [
        (
            "d",
            marks[number][0],
            "60",
            "d",
            f"R_{number + 1}",
            f"M{number + 1}@x.org",
            marks[number][1],
            *cells,
        )
        for number, cells in enumerate(said)
    ]
    return table(*(header[row] for row in rows), *responses)


def read(folder: Path, text: str | bytes, *, name: str = "survey.csv", **options: str) -> Reading:
    """Read a file as a form, which it has to be recognized as."""
    path = folder / "file"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    source = Source(name, path)
    assert detect(source).key == "form"
    return read_source(source, "form", **options)


def said_in(reading: Reading) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Each answer that was judged: its question, its text, and who said what."""
    return [
        (record.question.text, answer.text, [(vote.rater, vote.label) for vote in answer.votes])
        for record in reading.records
        for answer in record.predictions
    ]


def left_out_of(reading: Reading) -> str:
    return "".join(each.message for each in reading.warnings if each.code == "left_out_fields")


MATRIX = monkey(
    (TYREE, "Ives", "No", "No"),
    ("", "Okafor", "Yes", "Correct"),
    (PERU, "Cuzco", "Incorrect", ""),
    ("", "Other (please specify)", "", "no idea"),
    ("Do you have any comments?", "Open-Ended Response", "", "Thanks"),
)


class TestTitlesAboveRows:
    def test_a_matrix_is_a_question_with_answers(self, project: Project) -> None:
        made = import_into(project, files={"survey.csv": MATRIX})
        assert (made.format, made.state) == ("form", State.APPLIED)
        codes = {each["code"] for each in made.causes}
        assert codes == {"answers_numbered", "left_out_fields", "uneven_coverage"}
        assert Question.objects.count() == 2
        assert votes() == [
            ("survey", "901", "incorrect"),
            ("survey", "901", "incorrect"),
            ("survey", "902", "incorrect"),
            ("survey (answer 2)", "901", "correct"),
            ("survey (answer 2)", "902", "correct"),
        ]

    def test_other_columns_are_named(self, tmp_path: Path) -> None:
        message = left_out_of(read(tmp_path, MATRIX))
        for words in (f"“{TYREE} [Other (please specify)]”".replace(TYREE, PERU), "“Do you have any comm"):
            assert words in message

    def test_a_question_for_each_answer(self, tmp_path: Path) -> None:
        text = monkey(
            (f"Question: {TYREE} Answer: Ives", "Response", "No"),
            (f"{PERU} [Lima]", "Response", "Yes"),
        )
        assert said_in(read(tmp_path, text)) == [
            (TYREE, "Ives", [("901", "No")]),
            (PERU, "Lima", [("901", "Yes")]),
        ]

    @pytest.mark.parametrize("delimiter", [";", "\t"])
    def test_other_separators_and_line_breaks_keep_lines(self, delimiter: str, tmp_path: Path) -> None:
        text = monkey(
            (f"Please look it up:\n{TYREE}", "Ives", "No", "Yes"),
            ("", "Okafor", "Yes", "No\n"),
            delimiter=delimiter,
        )
        reading = read(tmp_path, text, labels="")
        assert [vote.line for record in reading.records for vote in record.predictions[0].votes] == [4, 5] * 2

    def test_answers_with_brackets_stay_whole(self, tmp_path: Path) -> None:
        text = monkey((TYREE, "Ives [sic", "No"), ("", "a] b", "Yes"), ("", "[c] >> d", "Yes"))
        assert [answer for _, answer, _ in said_in(read(tmp_path, text))] == ["Ives [sic", "a] b", "[c] >> d"]

    def test_a_column_for_each_choice_is_one_vote(self, tmp_path: Path) -> None:
        text = monkey(
            (TYREE, "Ives - Yes", "", "Yes"),
            ("", "Ives - No", "No", ""),
            ("", "Okafor - Yes", "Yes", ""),
            ("", "Okafor - No", "", ""),
            (PERU, "Lima - Correct", "1", ""),
            ("", "Lima - Incorrect", "0", ""),
        )
        assert said_in(read(tmp_path, text)) == [
            (TYREE, "Ives", [("901", "No"), ("902", "Yes")]),
            (TYREE, "Okafor", [("901", "Yes")]),
            (PERU, "Lima", [("901", "Correct")]),
        ]

    @pytest.mark.parametrize(("first", "second"), [("Yes", "No"), ("maybe", "")])
    def test_no_single_choice_is_refused_by_line(self, first: str, second: str, tmp_path: Path) -> None:
        columns = [(TYREE, "Ives - Yes", "Yes", first), ("", "Ives - No", "", second)]
        (error,) = read(tmp_path, monkey(*columns, (PERU, "Lima", "No", "No"))).errors
        assert (error.code, error.line, error.column[:5]) == ("not_one_choice", 4, TYREE[:5])

    def test_answers_with_a_dash_are_no_choices(self, tmp_path: Path) -> None:
        text = monkey(("When did the war rage?", "1914 - 1918", "Yes"), ("", "1939 - 1945", "No"))
        assert [answer for _, answer, _ in said_in(read(tmp_path, text))] == ["1914 - 1918", "1939 - 1945"]

    def test_boxes_are_no_votes(self, tmp_path: Path) -> None:
        text = monkey(
            (TYREE, "Ives", "No", "No"),
            ("", "Okafor", "No", "No"),
            ("Which models do you use?", "GPT", "GPT", ""),
            ("", "Llama", "", "Llama"),
            ("Contact information", "Name", "Ann", "Bob"),
            ("", "City", "", "Bonn"),
        )
        reading = read(tmp_path, text)
        assert {question for question, _, _ in said_in(reading)} == {TYREE}
        for name in ("Which models do you use? [GPT]", "Contact information [City]"):
            assert f"“{name}”" in left_out_of(reading)

    def test_an_answer_may_be_judged_in_its_own_word(self, tmp_path: Path) -> None:
        text = monkey(
            ("Is the moon made of cheese?", "Yes", "Yes", "Yes"),
            ("", "No", "No", "No"),
            (PERU, "Lima", "No", ""),
        )
        assert len(said_in(read(tmp_path, text))) == 3

    def test_a_title_without_a_question_counts_by_its_votes(self, tmp_path: Path) -> None:
        text = monkey(
            (TYREE, "Ives", "Maybe", "Yes"),
            ("", "Okafor", "No", "No"),
            ("Capital of Peru", "Lima", "Maybe", ""),
        )
        reading = read(tmp_path, text, labels="maybe=correct")
        assert ("Capital of Peru", "Lima", [("901", "correct")]) in said_in(reading)

    def test_one_choice_says_who_responded(self, tmp_path: Path) -> None:
        text = MATRIX.replace("10.0.0.1,", "10.0.0.1,Ann@X.org", 1).replace(
            "10.0.0.1,,", "10.0.0.1,bob@x.org,"
        )
        reading = read(tmp_path, text, respondent_column="Email Address")
        assert {rater for _, _, said in said_in(reading) for rater, _ in said} == {"ann@x.org", "bob@x.org"}

    def test_a_table_is_none(self, tmp_path: Path) -> None:
        for text in (
            "Timestamp,Name,Who wrote it? [Ann]\n,Bob,Yes\n,Response,Response\n",
            "question,answer\n,a\n",
            "Name\n\n",
        ):
            path = tmp_path / "file.csv"
            path.write_text(text)
            assert survey_in(Source("file.csv", path)) is None


TEXTS = (
    ("Q1_1", f"{TYREE} - Ives", "Yes", "No", "No"),
    ("Q1_2", f"{TYREE} - Okafor", "No", "Yes", ""),
    ("Q2", f"Question: {PERU}\nAnswer: Lima", "No", "Yes", "Yes"),
    ("Q3_First Click", "Timing - First Click", "1", "1", "1"),
    ("Q4_First Click", "Timing - First Click", "1", "1", "1"),
    ("PANEL", "PANEL", "x", "y", "z"),
)
SAID = [
    (TYREE, "Ives", [("R_2", "No"), ("R_3", "No")]),
    (TYREE, "Okafor", [("R_2", "Yes")]),
    (PERU, "Lima", [("R_2", "Yes"), ("R_3", "Yes")]),
]


class TestTextsBelowCodes:
    @pytest.mark.parametrize("rows", ["123", "12"])
    @pytest.mark.parametrize(
        ("status", "channel"),
        [("Survey Preview", "preview"), ("1", "anonymous"), ("IP Address", "preview"), ("Survey Test", "")],
    )
    def test_previews_are_told_and_no_votes(
        self, rows: str, status: str, channel: str, tmp_path: Path
    ) -> None:
        reading = read(tmp_path, qualtrics(*TEXTS, status=status, channel=channel, rows=rows))
        assert (reading.errors, said_in(reading)) == ([], SAID)
        assert [each.code for each in reading.warnings] == [
            *("previews_left_out", "answers_numbered", "left_out_fields"),
        ]
        assert "“Timing - First Click (Q4_First Click)”" in left_out_of(reading)
        assert "“PANEL”" in left_out_of(reading)

    def test_lines_are_those_of_the_file(self, tmp_path: Path) -> None:
        reading = read(tmp_path, qualtrics(*TEXTS))
        # The text of Q2 has two lines.
        assert [vote.line for vote in reading.records[0].predictions[0].votes] == [5, 6, 7]

    def test_annotators_are_responses_or_whom_one_choice_names(self, project: Project) -> None:
        files = {"survey.csv": qualtrics(*TEXTS)}
        assert upload_to(project, files=files).counts["raters"] == 3
        import_into(project, files=files, format_key="form", respondent_column="RecipientEmail")
        assert {rater for _, rater, _ in votes()} == {"m1@x.org", "m2@x.org", "m3@x.org"}

    def test_an_old_export_has_no_blanks_around_dashes(self, tmp_path: Path) -> None:
        text = table(
            ("V1", "V2", "V3", "Q1_1", "Q1_2", "Q2_1", "Q2_2"),
            (
                "ResponseID",
                "ResponseSet",
                "Name",
                f"{TYREE}-Ives",
                f"{TYREE}-Okafor",
                "Peru-Lima",
                "Peru-Cuzco",
            ),
            ("R_1", "Default Response Set", "Anonymous", "No", "Yes", "Yes", ""),
        )
        assert said_in(read(tmp_path, text)) == [
            (TYREE, "Ives", [("R_1", "No")]),
            (TYREE, "Okafor", [("R_1", "Yes")]),
            ("Peru", "Lima", [("R_1", "Yes")]),
        ]

    def test_a_question_without_a_mark_ends_where_its_columns_differ(self, tmp_path: Path) -> None:
        text = qualtrics(
            ("Q1_1", "Architect of the Tyree - tower - A. Ives", "No"),
            ("Q1_2", "Architect of the Tyree - tower - A. Okafor", "Yes"),
        )
        assert [(question, answer) for question, answer, _ in said_in(read(tmp_path, text))] == [
            ("Architect of the Tyree - tower", "A. Ives"),
            ("Architect of the Tyree - tower", "A. Okafor"),
        ]

    def test_what_people_wrote_beside_a_row_is_no_vote(self, tmp_path: Path) -> None:
        text = qualtrics(
            ("Q1_1", f"{TYREE} - Ives", "No"),
            ("Q1_2", f"{TYREE} - Okafor", "Yes"),
            ("Q1_2_TEXT", f"{TYREE} - Okafor - Text", "Yes"),
            ("Q2", f"{PERU} - Selected Choice", "Lima"),
        )
        assert [answer for _, answer, _ in said_in(read(tmp_path, text))] == ["Ives", "Okafor"]

    def test_without_texts_the_file_is_told_as_a_form(self, tmp_path: Path) -> None:
        reading = read(tmp_path, qualtrics(*TEXTS, rows="13"))
        assert [each.code for each in reading.errors] == ["no_question_in_header"]


class TestRefusals:
    @pytest.mark.parametrize(
        "text",
        [
            MATRIX.split("901")[0],
            qualtrics(*TEXTS).split("d,IP")[0],
            qualtrics(*(column[:3] for column in TEXTS), status="Survey Preview"),
            "Timestamp,Who wrote it? [Ann],Who read it? [Bob]\n",
            "ID,Start time,Completion time,Email,Name,Ann,Bob\n",
            "Response ID,Date submitted,Who wrote it? [Ann],Who read it? [Bob]\n,,,\n",
        ],
    )
    def test_nobody_responded(self, text: str, tmp_path: Path) -> None:
        reading = read(tmp_path, text)
        assert (reading.records, [each.code for each in reading.errors]) == ([], ["no_responses"])

    @pytest.mark.parametrize("place", [0, 1, 2, 3, 5])
    @pytest.mark.parametrize("text", [MATRIX, qualtrics(*TEXTS)])
    def test_each_bad_line_is_named(self, text: str, place: int, tmp_path: Path) -> None:
        lines = text.encode().splitlines(keepends=True)
        place = min(place, len(lines) - 1)
        lines[place] = b"\0" + lines[place]
        path = tmp_path / "survey.csv"
        path.write_bytes(b"".join(lines))
        errors = read_source(Source("survey.csv", path), "form").errors
        assert ("nul_character", place + 1) in {(each.code, each.line) for each in errors}

    @pytest.mark.parametrize("cut", ["901,7", "901" + "," * 40])
    def test_rows_of_another_length(self, cut: str, tmp_path: Path) -> None:
        reading = read(tmp_path, MATRIX.replace("901,7,1/2", cut, 1))
        assert [(each.code, each.line) for each in reading.errors] == [("wrong_cell_count", 3)]

    def test_a_second_row_of_another_length(self, tmp_path: Path) -> None:
        path = tmp_path / "survey.csv"
        path.write_text(MATRIX.replace(",,,,,,,,,", ",,", 1))
        errors = read_source(Source("survey.csv", path), "form").errors
        assert errors

    def test_more_columns_than_are_allowed(self, tmp_path: Path) -> None:
        path = tmp_path / "survey.csv"
        many = [("", f"a{number}", "No") for number in range(3_000)]
        path.write_text(monkey((TYREE, "a", "No"), *many, (PERU, "b", "No")))
        errors = read_source(Source("survey.csv", path), "form").errors
        assert {each.code for each in errors} == {"too_many_columns"}

    def test_names_that_collide_stay_apart(self, tmp_path: Path) -> None:
        text = monkey(
            (TYREE, "Ives", "No"),
            (PERU, "Lima", "No"),
            ("x", "Response", "1"),
            ("x (column 14)", "Response", "2"),
            ("x", "Response", "3"),
            ("", "", "4"),
        )
        assert "“x (column 14)_”, “column 15”" in left_out_of(read(tmp_path, text))


class TestHeadersOfAnswersAlone:
    TEXT = table(
        ("ID", "Start time", "Completion time", "Email", "Name", "Total points", "Ives", "Okafor"),
        ("1", "1/2", "1/2", "Ann@X.org", "Ann", "", "No", "Yes"),
    )

    def test_are_refused_until_somebody_says_the_question(self, project: Project) -> None:
        files = {"form.csv": self.TEXT}
        made = upload_to(project, files=files)
        (cause,) = made.causes
        assert (made.format, made.state, cause["code"]) == ("form", State.REFUSED, "no_question_in_header")
        for words in ("“Asked question.”", "does not say which answer belongs to which", "save a table"):
            assert words in cause["message"]
        import_into(project, files=files, format_key="form", asked_question=TYREE)
        assert votes() == [
            ("form", "ann@x.org", "incorrect"),
            ("form (answer 2)", "ann@x.org", "correct"),
        ]

    def test_questions_beside_them_are_no_answers(self, tmp_path: Path) -> None:
        text = self.TEXT.replace("Total points", "Do you have any comments?").replace("Ann,,", "Ann,None,")
        reading = read(tmp_path, text, asked_question=TYREE)
        assert [answer for _, answer, _ in said_in(reading)] == ["Ives", "Okafor"]
        assert "“Do you have any comments?”" in left_out_of(reading)


class TestOtherTools:
    @pytest.mark.parametrize(
        "header",
        [
            # Jotform.
            ("Submission Date", f"{TYREE} >> Ives", f"{PERU} >> Lima"),
            # Typeform.
            ("#", f"{TYREE} - Ives", f"Question: {PERU} Answer: Lima", "Submit Date (UTC)"),
            # LimeSurvey, with full texts, and with codes before them.
            ("Response ID", "Date submitted", f"{TYREE} [Ives]", f"{PERU} [Lima]"),
            ("id", "submitdate", f"Q1[SQ001]. {TYREE} [Ives]", f"G01Q02. Question: {PERU} Answer: Lima"),
        ],
    )
    def test_headers_are_understood(self, header: tuple[str, ...], tmp_path: Path) -> None:
        cells = tuple("Yes" if "?" in name else "1" for name in header)
        reading = read(tmp_path, table(header, cells))
        assert [(question, answer) for question, answer, _ in said_in(reading)] == [
            (TYREE, "Ives"),
            (PERU, "Lima"),
        ]

    def test_codes_alone_are_refused_with_advice(self, tmp_path: Path) -> None:
        text = "id,submitdate,Q1[SQ001],Q1[SQ002]\n1,2026-01-01,Yes,No\n2,2026-01-01,Yes,No\n"
        (error,) = read(tmp_path, text).errors
        assert (error.code, error.line, error.column) == ("no_answer_in_header", 2, "Q1[SQ001]")
        assert "full text of questions" in error.message


class TestAddresses:
    def test_are_one_person_however_they_are_capitalized(self, project: Project) -> None:
        text = table(
            ("Timestamp", "Email Address", f"{TYREE} [Ives]", f"{PERU} [Lima]"),
            ("1", "Ann@Example.org", "Yes", ""),
            ("2", "ann@example.org", "", "No"),
        )
        made = import_into(project, files={"form.csv": text})
        assert made.counts["raters"] == 1
        assert {rater for _, rater, _ in votes()} == {"ann@example.org"}

    def test_names_keep_their_case(self, project: Project) -> None:
        text = table(("question", "response", "annotator", "label"), (TYREE, "Ives", "Ann @ Home", "correct"))
        import_into(project, files={"rows.csv": text})
        assert {rater for _, rater, _ in votes()} == {"Ann @ Home"}

    def test_who_came_in_before_stays_the_same(self, project: Project) -> None:
        header = ("Timestamp", "Email Address", f"{TYREE} [Ives]", f"{PERU} [Lima]")
        import_into(project, files={"form.csv": table(header, ("1", "ann@example.org", "Yes", ""))})
        member = project.members.get(user__is_imported=True)
        member.user.name = "Ann@Example.org"
        member.user.save(update_fields=["name"])
        files = {"again.csv": table(header, ("1", "ann@example.org", "Yes", "No"))}
        made = import_into(project, files=files)
        assert "vote_known" in {each["code"] for each in made.causes}
        assert project.members.filter(user__is_imported=True).count() == 1
