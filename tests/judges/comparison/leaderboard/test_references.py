"""Published numbers beside a study's own: kept by leads, shown as such, in no statistic."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.items.models import Question
from annotation.projects.models import Membership, Project
from common.errors import DomainError
from judges.comparison.models import ReferenceScore
from judges.comparison.rules.leaderboard.references import (
    FileProblem,
    Reference,
    Subject,
    Unreadable,
    is_web_address,
    measure_key,
    place,
    read_references,
)
from judges.comparison.selectors.leaderboard.references import list_references
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.services import (
    add_reference,
    import_references,
    remove_reference,
    restore_reference,
)
from judges.runs.models import JudgeRun

Client = Callable[[User], Any]
ADDRESS = "/api/projects/small/reference-scores"

# Kamalloo et al. 2023, section 6: known by its score alone.
LCC = Reference(
    subject=Subject.SYSTEM,
    name="LCCmain2002",
    measure="exact_match",
    value=0.881,
    n=444,
    about="CuratedTREC 2002",
    source="Kamalloo et al. 2023, section 6",
    source_url="",
)
FILE = """subject,name,measure,percent,n,about,source,source_url
system,LCCmain2002,EM,88.1,444,CuratedTREC 2002,"Kamalloo et al. 2023, section 6",
,pris2002,exact match,62.4%,444,CuratedTREC 2002,Kamalloo et al. 2023,https://arxiv.org/abs/2305.06984
judge,GPT-3.5,accuracy,93.6,,FiD's answers,Wang et al. 2023,
"""


@pytest.fixture
def kept(project: Project, lead: User) -> ReferenceScore:
    return add_reference(project=project, by=lead, reference=LCC)


class TestReadReferences:
    def test_rows_become_shares_under_the_keys_of_columns(self) -> None:
        found, problems = read_references(FILE)
        assert problems == []
        assert found[0] == LCC
        assert (found[1].subject, found[1].name, found[1].value) == (Subject.SYSTEM, "pris2002", 0.624)
        assert (found[2].subject, found[2].measure, found[2].n) == (Subject.JUDGE, "accuracy_all", None)

    def test_columns_stand_in_any_order_and_some_may_lack(self) -> None:
        (found,), problems = read_references("\ufeffSource , percent,Name,measure\r\na paper,-7.5,x,tau\r\n")
        assert problems == []
        assert found == Reference(Subject.SYSTEM, "x", "tau", -0.075, None, "", "a paper", "")

    @pytest.mark.parametrize(
        ("row", "column"),
        [
            (",,em,1,,,s,", "name"),
            (",x,,1,,,s,", "measure"),
            (",x,em,1,,,,", "source"),
            (",x,em,,,,s,", "percent"),
            (",x,em,100.1,,,s,", "percent"),
            (",x,em,nan,,,s,", "percent"),
            (",x,em,\"88,1\",,,s,", "percent"),
            (",x,em,1,0,,s,", "n"),
            (",x,em,1,-3,,s,", "n"),
            (",x,em,1,2147483648,,s,", "n"),
            (",x,em,1,three,,s,", "n"),
            ("model,x,em,1,,,s,", "subject"),
            (",x,em,1,,,s,javascript:alert(1)", "source_url"),
            (",x,em,1,,,s", ""),
            (",x,em,1,,,s,,more", ""),
            (f",{'x' * 201},em,1,,,s,", "name"),
            (",x\0,em,1,,,s,", "name"),
        ],
    )  # fmt: skip
    def test_a_bad_row_is_named_by_line_and_column_and_the_rest_is_read(self, row: str, column: str) -> None:
        header, *rows = FILE.splitlines()
        found, problems = read_references("\n".join([header, row, *rows]))
        assert len(found) == 3
        assert [(problem.line, problem.column) for problem in problems] == [(2, column)]

    def test_missing_and_unknown_columns_are_named(self) -> None:
        _, problems = read_references("name,measure,percent,score\nx,em,1,2\n")
        assert [(problem.line, problem.column) for problem in problems] == [(1, "source"), (1, "score")]

    @pytest.mark.parametrize("text", ["", "\ufeff", "\n\n"])
    def test_an_empty_file_lacks_its_header(self, text: str) -> None:
        found, problems = read_references(text)
        assert found == []
        assert {problem.column for problem in problems} == {"name", "measure", "percent", "source"}

    def test_what_is_no_table_is_said_to_be_none(self) -> None:
        found, problems = read_references('name,measure,percent,source\n"x"y,em,1,s\n')
        assert found == []
        assert "not a CSV file" in problems[0].message

    def test_one_number_twice_is_a_problem(self) -> None:
        twice = f"{FILE}{FILE.splitlines()[1]}\n"
        _, problems = read_references(twice)
        assert problems == [
            FileProblem(0, "name", "“LCCmain2002” appears twice with “Exact match”. Remove one row.")
        ]

    def test_a_file_without_end_is_not_read_to_it(self) -> None:
        rows = [f",x{number},em,1,,,s," for number in range(1_002)]
        found, problems = read_references("\n".join([FILE.splitlines()[0], *rows]))
        assert len(found) == 1_000
        assert "more than 1,000 rows" in problems[0].message


class TestPlaces:
    def test_a_file_says_what_a_number_belongs_to(self) -> None:
        text = "name,measure,percent,source,subject,dataset,system,prompt\n"
        found, problems = read_references(f"{text}x,em,1,s,,nq,,\ny,f1,2,s,judge,,fid,original\n")
        assert problems == []
        assert [(each.dataset, each.system, each.prompt) for each in found] == [
            ("nq", "", ""), ("", "fid", "original"),
        ]  # fmt: skip

    def test_a_system_is_found_by_name_and_by_label(self) -> None:
        judge = LCC._replace(subject=Subject.JUDGE, system="FiD", prompt="original")
        assert place(judge, datasets=[], systems={"FiD": "fid"}).system == "fid"

    @pytest.mark.parametrize(
        ("change", "column"),
        [
            ({"dataset": "moon"}, "dataset"),
            ({"system": "fid"}, "system"),
            ({"prompt": "original"}, "prompt"),
            ({"subject": Subject.JUDGE, "dataset": "nq"}, "dataset"),
            ({"subject": Subject.JUDGE, "system": "nobody"}, "system"),
        ],
    )
    def test_what_the_study_or_such_a_number_has_not_is_named(
        self, change: dict[str, Any], column: str
    ) -> None:
        with pytest.raises(Unreadable) as refused:
            place(LCC._replace(**change), datasets=["nq"], systems={"fid": "fid"})
        assert refused.value.column == column


class TestWords:
    @pytest.mark.parametrize(
        ("words", "key"),
        [
            (" EM ", "exact_match"),
            ("F1", "token_f1"),
            ("BEM", "BEM"),
            # The names that pages have for lexical judges.
            ("Fuzzy Match", "fuzzy_match"),
            ("Containment of whole words", "containment_words"),
        ],
    )
    def test_usual_names_stand_for_columns(self, words: str, key: str) -> None:
        assert measure_key(words, Subject.SYSTEM) == key

    @pytest.mark.parametrize(
        ("words", "key"), [(" F1 ", "f1"), ("Accuracy", "accuracy_all"), ("f1", "f1"), ("people", "people")]
    )
    def test_a_judge_is_measured_by_the_names_of_the_board(self, words: str, key: str) -> None:
        assert measure_key(words, Subject.JUDGE) == key

    @pytest.mark.parametrize("text", ["https://a.org/x?y=1", "http://a.org"])
    def test_web_addresses_are_known(self, text: str) -> None:
        assert is_web_address(text)

    @pytest.mark.parametrize(
        "text", ["javascript:alert(1)", "//a.org", "https://", "data:x", "https://[", "http://a b"]
    )
    def test_anything_else_is_none(self, text: str) -> None:
        assert not is_web_address(text)


class TestKeeping:
    def test_a_number_says_who_added_it_and_when(self, kept: ReferenceScore, lead: User) -> None:
        assert kept.as_reference() == LCC
        assert kept.added_by == lead
        assert str(kept) == "LCCmain2002, exact_match: 0.881"

    def test_one_stands_there_once(self, project: Project, lead: User, kept: ReferenceScore) -> None:
        with pytest.raises(DomainError) as refused:
            add_reference(project=project, by=lead, reference=LCC)
        assert refused.value.error_code == "reference_score_taken"
        add_reference(project=project, by=lead, reference=LCC._replace(about="another year"))

    def test_what_was_taken_out_comes_back(self, project: Project, lead: User, kept: ReferenceScore) -> None:
        removed = remove_reference(project=project, public_id=kept.public_id, by=lead)
        assert (removed.removed_by, removed.removed_at is None) == (lead, False)
        assert list(list_references(project=project)) == []
        assert list(list_references(project=project, with_removed=True)) == [kept]
        restore_reference(project=project, public_id=kept.public_id)
        (row,) = list_references(project=project)
        assert (row.removed_by, row.removed_at) == (None, None)

    def test_nothing_is_taken_out_or_put_back_twice(
        self, project: Project, lead: User, kept: ReferenceScore
    ) -> None:
        with pytest.raises(DomainError) as refused:
            restore_reference(project=project, public_id=kept.public_id)
        assert refused.value.error_code == "reference_score_moved"
        remove_reference(project=project, public_id=kept.public_id, by=lead)
        with pytest.raises(DomainError):
            remove_reference(project=project, public_id=kept.public_id, by=lead)

    def test_what_was_replaced_does_not_come_back(
        self, project: Project, lead: User, kept: ReferenceScore
    ) -> None:
        remove_reference(project=project, public_id=kept.public_id, by=lead)
        add_reference(project=project, by=lead, reference=LCC._replace(value=0.9))
        with pytest.raises(DomainError) as refused:
            restore_reference(project=project, public_id=kept.public_id)
        assert refused.value.error_code == "reference_score_taken"

    def test_no_statistic_knows_of_them(
        self, study: Project, all_decided: None, exact_match: JudgeRun, lead: User
    ) -> None:
        before = read_leaderboard(project=study, intervals=True)
        add_reference(project=study, by=lead, reference=LCC._replace(name="beta"))
        after = read_leaderboard(project=study, intervals=True)
        assert after == before

    def test_one_judge_stands_there_once_for_each_system_and_prompt(self, study: Project, lead: User) -> None:
        judge = LCC._replace(subject=Subject.JUDGE, measure="accuracy_all")
        for system, prompt in (("", ""), ("Alpha", "original"), ("beta", "original"), ("beta", "chain")):
            add_reference(project=study, by=lead, reference=judge._replace(system=system, prompt=prompt))
        kept = list_references(project=study).values_list("system", "prompt")
        assert list(kept) == [("", ""), ("beta", "chain"), ("alpha", "original"), ("beta", "original")]
        with pytest.raises(DomainError) as refused:
            add_reference(project=study, by=lead, reference=judge._replace(system="alpha", prompt="original"))
        assert refused.value.error_code == "reference_score_taken"

    def test_no_statistic_of_judges_or_projects_knows_of_them(
        self, client_of: Client, study: Project, all_decided: None, exact_match: JudgeRun, lead: User
    ) -> None:
        pages = (
            "judge-board",
            "judge-board?intervals=true",
            "judge-board/strategies",
            "leaderboard/datasets",
        )
        client = client_of(lead)

        def told() -> list[Any]:
            found = [client.get(f"/api/projects/small/{page}").json() for page in pages]
            compared = client.get("/api/comparison?projects=small").json()
            return [*found, compared["evaluators"], compared["rows"]]

        before = told()
        add_reference(project=study, by=lead, reference=LCC._replace(name="beta"))
        add_reference(
            project=study,
            by=lead,
            reference=LCC._replace(subject=Subject.JUDGE, measure="accuracy_all", system="beta"),
        )
        assert told() == before


class TestImporting:
    def test_all_of_a_file_is_kept(self, project: Project, lead: User) -> None:
        read = import_references(project=project, by=lead, text=FILE)
        assert (len(read.references), read.problems) == (3, [])
        names = list(list_references(project=project).values_list("name", flat=True))
        assert names == ["LCCmain2002", "pris2002", "GPT-3.5"]

    def test_a_dry_run_and_a_bad_line_keep_nothing(self, project: Project, lead: User) -> None:
        assert len(import_references(project=project, by=lead, text=FILE, is_dry_run=True).references) == 3
        assert import_references(project=project, by=lead, text=f"{FILE},x,em,no,,,s,\n").problems
        assert not ReferenceScore.objects.exists()

    def test_what_is_there_already_is_a_problem(
        self, project: Project, lead: User, kept: ReferenceScore
    ) -> None:
        read = import_references(project=project, by=lead, text=FILE)
        assert [problem.column for problem in read.problems] == ["name"]
        assert ReferenceScore.objects.count() == 1

    def test_a_place_that_is_not_there_keeps_nothing(self, study: Project, lead: User) -> None:
        text = "name,measure,percent,source,subject,system\nx,f1,2,s,judge,Alpha\ny,f1,2,s,judge,Gamma\n"
        (problem,) = import_references(project=study, by=lead, text=text).problems
        assert problem == FileProblem(0, "system", "“y”: The system “Gamma” does not exist in this project.")
        assert not ReferenceScore.objects.exists()

    def test_a_header_alone_is_said_to_be_empty(self, project: Project, lead: User) -> None:
        (problem,) = import_references(project=project, by=lead, text=FILE.splitlines()[0]).problems
        assert problem == FileProblem(0, "", "The file has no rows.")


class TestViews:
    draft = {**LCC._asdict(), "subject": "system"}

    def test_leads_add_take_out_and_put_back(self, client_of: Client, lead: User, project: Project) -> None:
        client = client_of(lead)
        added = client.post(ADDRESS, self.draft, format="json")
        assert added.status_code == 201
        assert added.json()["removed_at"] is None
        one = f"{ADDRESS}/{added.json()['id']}"
        assert client.delete(one).json()["removed_by"] == added.json()["added_by"]
        assert [row["removed_at"] is None for row in client.get(ADDRESS).json()] == [False]
        assert client.post(f"{one}/restore").json()["removed_by"] == ""

    @pytest.mark.parametrize(
        "change",
        [{"value": 88.1}, {"value": None}, {"name": ""}, {"source": " "}, {"n": 0}, {"subject": "team"}],
    )
    def test_what_makes_no_sense_is_refused_by_field(
        self, change: dict[str, Any], client_of: Client, lead: User, project: Project
    ) -> None:
        reply = client_of(lead).post(ADDRESS, {**self.draft, **change}, format="json")
        assert reply.status_code == 400
        assert list(reply.json()["error"]["details"]["fields"]) == list(change)

    def test_what_it_belongs_to_is_told_and_refused_by_field(
        self, client_of: Client, lead: User, study: Project
    ) -> None:
        Question.objects.filter(project=study, position=0).update(dataset="nq")
        client = client_of(lead)
        added = client.post(ADDRESS, {**self.draft, "dataset": "nq"}, format="json").json()
        assert (added["dataset"], added["system"], added["prompt"]) == ("nq", "", "")
        refused = client.post(ADDRESS, {**self.draft, "dataset": "tq"}, format="json")
        assert refused.status_code == 400
        assert list(refused.json()["error"]["details"]["fields"]) == ["dataset"]

    def test_a_script_is_no_address(self, client_of: Client, lead: User, project: Project) -> None:
        reply = client_of(lead).post(
            ADDRESS, {**self.draft, "source_url": "javascript:alert(1)"}, format="json"
        )
        assert reply.status_code == 400
        assert "source_url" in reply.json()["error"]["details"]["fields"]

    def test_a_file_is_looked_at_before_it_is_kept(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        body = {"content": FILE, "is_dry_run": True}
        reply = client_of(lead).post(f"{ADDRESS}/import", body, format="json").json()
        assert [row["name"] for row in reply["references"]] == ["LCCmain2002", "pris2002", "GPT-3.5"]
        assert client_of(lead).get(ADDRESS).json() == []

    def test_adjudicators_read_and_do_not_write(
        self, client_of: Client, adjudicator: Membership, kept: ReferenceScore
    ) -> None:
        client = client_of(adjudicator.user)
        assert [row["name"] for row in client.get(ADDRESS).json()] == ["LCCmain2002"]
        assert client.post(ADDRESS, self.draft, format="json").status_code == 403
        assert client.delete(f"{ADDRESS}/{kept.public_id}").status_code == 403

    def test_annotators_are_told_nothing(
        self, client_of: Client, annotators: list[Membership], kept: ReferenceScore
    ) -> None:
        assert client_of(annotators[0].user).get(ADDRESS).status_code == 403
