"""What the pages that compare say of how their numbers came about."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl

import pytest

from annotation.accounts.models import User
from annotation.gold.selectors.ledger import ledger_summary
from annotation.items.models import System
from annotation.projects.models import Membership, Project
from common.identifiers import VERSION, hash_signature
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_import
from tests.factories import make_project
from tests.judges.comparison.conftest import Decider, make_run

Client = Callable[[User], Any]
Sign = Callable[..., str]

FILTERED = (
    "leaderboard",
    "leaderboard/pairs?column=exact_match",
    "leaderboard/amendments",
    "leaderboard/beyond",
    "leaderboard/datasets",
    "systems-board",
    "systems-board?intervals=true",
)
FILTERS = (
    {"scope": "entire"},
    {"part": "unambiguous"},
    {"dataset": "nq"},
    {"tag": "hard"},
    {"largest_bytes": "9"},
    {"least_share": "0.5"},
)


@pytest.fixture
def sign(client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun) -> Sign:
    """Ask a page of a decided study, with one judge, for its line."""

    def signed(page: str, **query: str) -> str:
        address, _, own = page.partition("?")
        query |= dict(parse_qsl(own))
        return str(client_of(lead).get(f"/api/projects/small/{address}", query).json()["signature"])

    return signed


@pytest.mark.parametrize("page", FILTERED)
class TestPagesOfChosenQuestions:
    def test_every_choice_is_another_line(self, sign: Sign, page: str) -> None:
        lines = [sign(page), *(sign(page, **wanted) for wanted in FILTERS)]
        assert len(set(lines)) == len(lines)

    def test_what_is_as_usual_and_said_is_the_same_line(self, sign: Sign, page: str) -> None:
        assert sign(page) == sign(page) == sign(page, scope="sample", part="all", dataset="", tag="")

    def test_sample_and_protocol_are_said(self, sign: Sign, page: str, study: Project) -> None:
        drawn = "" if page == "leaderboard/datasets" else "interval:questions t|seed:20231|"
        ledger = ledger_summary(project=study).version
        end = f"|protocol:1|sample:all|ledger:{ledger}|{drawn}version:{VERSION}"
        assert sign(page).endswith(end)
        Project.objects.filter(pk=study.pk).update(sample_method="seed", sample_options={"seed": 3})
        assert "|sample:seed,seed=3|" in sign(page)

    def test_another_gold_list_is_another_line(self, sign: Sign, page: str, decide: Decider) -> None:
        before = sign(page)
        decide("Marlowe", "correct")
        assert sign(page) != before


class TestLeaderboard:
    def test_another_judge_is_another_line_where_judges_are_columns(self, sign: Sign, study: Project) -> None:
        pages = ("leaderboard", "leaderboard/datasets", "leaderboard/amendments", "leaderboard/beyond")
        before = {page: sign(page) for page in pages}
        make_run(study, "bem", {"Paris": 0.8})
        assert [page for page in pages if sign(page) != before[page]] == list(pages[:2])

    def test_pairs_bear_the_way_of_judging_and_their_own_number_of_resamples(
        self, sign: Sign, study: Project
    ) -> None:
        by_people = sign("leaderboard/pairs", column="human")
        by_judge = sign("leaderboard/pairs", column="exact_match")
        assert by_people.startswith("human|gold:amended|unjudged:exact_match|compared:systems two by two|")
        assert by_judge.startswith("exact_match|gold:original|compared:systems two by two|correction:holm|")
        assert "|interval:questions t|" in by_judge
        more = make_import(project=study)
        for name in "cdef":
            System.objects.create(project=study, name=name, label=name, data_import=more)
        # Fifteen pairs need more, for corrected p-values to fall below 5%.
        assert "|interval:questions t|" in sign("leaderboard/pairs", column="exact_match")


class TestJudgeBoard:
    @pytest.fixture
    def signed(self, client_of: Client, lead: User, sign: Sign) -> Callable[..., dict[str, str]]:
        def rows(**query: str) -> dict[str, str]:
            found = client_of(lead).get("/api/projects/small/judge-board", query).json()
            return {row["name"]: row["signature"] for row in found}

        return rows

    def test_a_row_begins_with_what_produced_the_verdicts(
        self, signed: Callable[..., dict[str, str]]
    ) -> None:
        assert signed()["Exact match"].startswith("exact_match|gold:original|beside:people|answers:decided|")

    def test_answers_that_all_have_judged_depend_on_who_has(
        self, signed: Callable[..., dict[str, str]], study: Project
    ) -> None:
        everywhere, common = signed(), signed(common="true")
        make_run(study, "bem", {"Paris": 0.8})
        assert signed()["Exact match"] == everywhere["Exact match"] != common["Exact match"]
        assert signed(common="true")["Exact match"] not in (common["Exact match"], everywhere["Exact match"])

    def test_parts_say_by_what(self, sign: Sign, exact_match: JudgeRun) -> None:
        page = f"judge-board/{exact_match.public_id}/parts"
        lines = [sign(page), sign(page, by="question_type"), sign(page, by="system", common="true")]
        assert len(set(lines)) == 3
        assert lines[0] == sign(page, by="system")
        assert lines[0].startswith("exact_match|gold:original|beside:people|")

    def test_prompts_have_their_own_and_the_hash_of_the_one_they_are_set_beside(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        for prompt in ("a", "b"):
            run = make_run(study, "llm", {"Paris": 1.0}, gold_version=f"original|prompt_hash:{prompt}")
            JudgeRun.objects.filter(pk=run.pk).update(options={"prompt": prompt})
        rows = client_of(lead).get("/api/projects/small/judge-board/strategies").json()
        first, second = (row["signature"] for row in rows)
        assert first.startswith("llm|gold:original|prompt_hash:a|beside:people|")
        assert second.startswith("llm|gold:original|prompt_hash:b|beside:people|")
        own = hash_signature("llm|gold:original|prompt_hash:a")
        assert f"|difference_from:{own[:16]}|" in second


class TestBoardsWithIntervals:
    def test_points_and_intervals_have_one_line(self, sign: Sign) -> None:
        assert sign("leaderboard") == sign("leaderboard?intervals=true&compared=human")
        assert sign("systems-board") == sign("systems-board?intervals=true")


class TestSeveralProjects:
    def test_projects_their_order_and_judges_are_said(
        self, client_of: Client, lead: User, study: Project, exact_match: JudgeRun
    ) -> None:
        make_project(lead=lead, slug="second")

        def signed(projects: str) -> str:
            return str(client_of(lead).get("/api/comparison", {"projects": projects}).json()["signature"])

        alone, both = signed("small"), signed("small,second")
        assert "|projects:small,second|" in both
        assert "|samples:all;all|" in both
        # The questions of each are drawn by its place.
        assert len({alone, both, signed("second,small")}) == 3
        make_run(study, "bem", {"Paris": 0.8})
        assert signed("small") != alone


class TestPeople:
    def test_decisions_say_sample_and_draws(self, sign: Sign) -> None:
        assert sign("agreement/decisions").startswith("decisions|of:answers to proper questions|sample:all|")

    def test_a_raters_line_is_that_of_all_with_the_pseudonym(
        self, sign: Sign, client_of: Client, lead: User, annotators: list[Membership]
    ) -> None:
        everybody, rater = sign("raters"), sign(f"raters/{annotators[0].public_id}")
        assert rater.replace(f"|rater:{annotators[0].pseudonym}", "") == everybody
        assert "|shuffles:200|" in everybody
        assert "|interval:questions t|" in everybody


class TestFailureBoards:
    def test_each_board_and_choice_is_another_line(self, sign: Sign) -> None:
        boards = ("misses", "repairs", "wrong", "errors", "length", "credit", "unattributable")
        lines = [sign("failure-board", board=board) for board in boards]
        lines += [
            sign("failure-board", board="length", bands="wide"),
            sign("failure-board", board="length", system="alpha"),
        ]
        assert len(set(lines)) == len(lines)

    def test_what_is_usual_is_said_as_if_it_were_chosen(self, sign: Sign, exact_match: JudgeRun) -> None:
        assert sign("failure-board") == sign("failure-board", board="misses")
        usual = sign("failure-board", board="errors")
        assert usual == sign("failure-board", board="errors", run=exact_match.public_id)

    def test_another_judge_changes_the_boards_that_count_judges(self, sign: Sign, study: Project) -> None:
        before = {board: sign("failure-board", board=board) for board in ("misses", "wrong", "credit")}
        make_run(study, "bem", {"Paris": 0.8})
        after = {board: sign("failure-board", board=board) for board in before}
        assert [board for board in before if after[board] != before[board]] == ["misses"]

    def test_each_judge_has_its_own(self, client_of: Client, lead: User, sign: Sign) -> None:
        body = client_of(lead).get("/api/projects/small/failure-board").json()
        assert body["judges"] == [{"name": "Exact match", "signature": "exact_match|gold:original"}]
