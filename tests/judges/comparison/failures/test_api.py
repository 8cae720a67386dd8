"""Failure boards as their page asks for them, and the answers behind their cells."""

from typing import Any

import pytest

from analysis.intervals import Why
from annotation.projects.models import Membership, Project
from judges.runs.models import JudgeRun
from judges.tagging.rules.rounds import Filter, People
from tests.factories import make_figure
from tests.judges.comparison.failures.conftest import Tagger
from tests.judges.tagging.test_api import Page


@pytest.fixture
def page(member: Membership) -> Page:
    return Page(member)


@pytest.fixture
def tagged(exact: JudgeRun, tag: Tagger) -> None:
    tag("kamalloo", Filter(people=People.ACCEPT), {"William S.": ["list"]})


def cell_of(body: Any, row: str, column: str) -> Any:
    (found,) = [cell for cell in body["cells"] if (cell["row"], cell["column"]) == (row, column)]
    return found


class TestFailureBoard:
    def test_says_what_was_counted_and_of_how_many(self, page: Page, tagged: None) -> None:
        body = page.get("/failure-board")
        assert (body["board"], body["set"], body["rounds"], body["items"]) == ("misses", "kamalloo", 1, 1)
        assert body["sets"] == [{"key": "kamalloo", "name": "Why exact match rejects correct answers"}]
        assert cell_of(body, "list", "exact_match") == {
            "row": "list",
            "column": "exact_match",
            "items": 1,
            "of": 1,
            "share": make_figure(1.0, why=Why.TOO_FEW_QUESTIONS),
        }
        (column,) = body["columns"]
        assert (column["total"], column["tagged"], column["stands_for"], column["base"]) == (2, 1, 2, 4)
        assert column["rate"]["value"] == 0.5

    def test_another_round_is_another_signature(self, page: Page, tagged: None, tag: Tagger) -> None:
        before = page.get("/failure-board")["signature"]
        assert "|set:kamalloo|rounds:" in before
        tag("kamalloo", Filter(people=People.ACCEPT), {"the city of Paris": ["list"]})
        assert page.get("/failure-board")["signature"] != before

    def test_says_why_a_share_is_missing(self, page: Page, tagged: None) -> None:
        cell = cell_of(page.get("/failure-board?board=wrong"), "list", "alpha")
        assert (cell["share"]["value"], cell["share"]["why"]) == (None, Why.NOTHING_SAMPLED)

    def test_of_lengths_says_which_classes(self, page: Page, exact: JudgeRun) -> None:
        body = page.get("/failure-board?board=length&system=alpha&bands=wide")
        assert (body["bands"], body["system"]) == ("wide", "alpha")
        assert [row["name"] for row in body["rows"]][::5] == ["Up to 35 words", "176 words or more"]
        assert [system["key"] for system in body["systems"]] == ["alpha", "beta"]
        assert cell_of(body, "0-35", "exact_match")["of"] == 3

    @pytest.mark.parametrize(
        ("query", "status"),
        [
            ("board=none", 400),
            ("bands=none", 400),
            ("set=nothing", 404),
            ("board=errors&run=nothing", 404),
            ("board=length&system=nothing", 404),
        ],
    )
    def test_what_there_is_not_is_said(self, page: Page, exact: JudgeRun, query: str, status: int) -> None:
        page.get(f"/failure-board?{query}", status)

    def test_annotators_reach_none_of_it(self, annotators: list[Membership], study: Project) -> None:
        Page(annotators[0]).get("/failure-board", 403)


class TestAnswersBehindACell:
    def test_are_found_in_the_list_of_answers(self, page: Page, tagged: None) -> None:
        def behind(query: str) -> list[str]:
            return [line["answer"] for line in page.get(f"/answers?{query}")["answers"]]

        assert behind("board=misses&set=kamalloo&row=list&column=exact_match") == ["William S."]
        assert behind("board=misses&set=kamalloo&column=exact_match") == ["the city of Paris", "William S."]
        assert behind("board=misses&set=kamalloo&row=symbolic&column=exact_match") == []
        assert behind("board=misses&column=exact_match&search=hamlet") == ["William S."]

    def test_one_question_has_its_own(self, page: Page, tagged: None) -> None:
        line = page.get("/answers?search=William")["answers"][0]
        question = page.get(f"/answers/{line['id']}")["question"]["id"]
        assert [each["answer"] for each in page.get(f"/answers?question={question}")["answers"]] == [
            "William S.",
            "Marlowe",
        ]
