"""The report of a study: one file, whole, that names no annotator and takes no text for markup."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from unittest.mock import Mock

import pytest
from django.core.management import CommandError, call_command

from analysis.intervals import Figure, Undefined, Why
from annotation.accounts.models import User
from annotation.items.models import DataImport, System
from annotation.judgments.models import CheckAnswer, JudgmentRevision
from annotation.projects.models import Membership, Project
from annotation.release.services import write_file
from common.figures import WHY
from judges.comparison.models import ReferenceScore
from judges.comparison.rules.leaderboard.references import Reference, Subject
from judges.comparison.rules.leaderboard.standings import LeaderboardColumn, Score, SystemRow
from judges.comparison.rules.study import Filter, Kind, Unit
from judges.comparison.selectors.leaderboard.standings import read_leaderboard, read_scored
from judges.comparison.services import add_reference
from judges.release.rules.facts import PreparedFacts
from judges.release.rules.tables import ordered
from judges.release.selectors import read_facts, read_methods, report_lines
from judges.runs.models import JudgeRun
from tests.conftest import ClientOf
from tests.factories import make_member
from tests.judges.comparison.conftest import Decider, find_improper

pytestmark = pytest.mark.long

HOSTILE = '"><script>alert(1)</script><img src=https://a.example/x onerror=alert(2)>{{ 7|add:7 }}{% now %}'


class TestWhatImportsDid:
    def test_is_of_those_that_stand_and_found_something_to_do(self, project: Project) -> None:
        def imported(state: str, codes: list[str], **options: str) -> None:
            causes = [{"code": code} for code in codes]
            DataImport.objects.create(
                project=project,
                state=state,
                options=options,
                causes=causes,
                created_by=project.created_by,
                created_at=datetime(2026, 11, 1, tzinfo=UTC),
            )

        imported("applied", ["mojibake"], mojibake="repair")
        imported("applied", ["list_prediction"])
        imported("applied", [], list_prediction="joined")
        imported("undone", ["list_prediction"], list_prediction="split")
        facts = read_facts(project, read_scored(project=project, wanted=Filter()))
        assert facts.prepared == PreparedFacts(is_repaired=True, list_rules=("first",))


def made(project: Project) -> str:
    return "".join(report_lines(project=project))


def board_of(text: str, name: str) -> str:
    """Return a failure board's part of the report."""
    return text.split(f"<h3>{name}</h3>")[1].split("</table>")[0]


class Tags(HTMLParser):
    """Every tag with its attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def columns_of(*keys: str, fewest: int = 0) -> list[LeaderboardColumn]:
    tau = Figure.of(Undefined(Why.NOT_RANKED))
    return [
        LeaderboardColumn(key, key, Kind.HUMAN, None, "", Unit.ACCURACY, tau, fewest=fewest) for key in keys
    ]


def row_of(system: str, *, n: int = 9, **scores: float) -> SystemRow:
    cells: dict[str, Score | None] = {
        key: Score(**vars(Figure.of(value)), correct=None, n=n, rank=Figure.of(Undefined(Why.NOT_RANKED)))
        for key, value in scores.items()
    }
    return SystemRow(system, system, {}, n, 1.0, False, cells, 1.0, None)


class TestOrder:
    def test_who_has_no_corrected_score_stands_by_what_was_settled(self) -> None:
        board = Mock(
            columns=columns_of("corrected", "settled", "exact_match"),
            rows=[
                row_of("low", corrected=0.5, settled=0.6, exact_match=0.7),
                row_of("few labels", settled=0.62, exact_match=0.2),
                row_of("high", corrected=0.7, settled=0.6, exact_match=0.3),
            ],
        )
        assert [row.system for row in ordered(board)] == ["high", "few labels", "low"]

    def test_who_was_judged_on_too_few_answers_comes_last(self) -> None:
        rows = [
            row_of("six", n=6, human=1.0),
            row_of("low", n=60, human=0.4),
            row_of("high", n=50, human=0.7),
        ]
        board = Mock(columns=columns_of("human", fewest=30), rows=rows)
        assert [row.system for row in ordered(board)] == ["high", "low", "six"]


class TestReportLines:
    def test_says_systems_judges_and_signatures(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        text = made(study)
        assert '<th scope="row">Alpha</th><td>3</td>' in text
        assert ">100.0<small>43.9–100.0</small>" in text
        assert "<code>exact_match|gold:original</code>" in text
        assert "<td>2</td><td>2</td><td>0</td><td>1</td><td>0</td>" in text

    def test_counts_the_questions_that_scores_are_over(
        self, study: Project, exact_match: JudgeRun, annotators: list[Membership]
    ) -> None:
        find_improper(study, by=annotators[0])
        text = made(Project.objects.get(pk=study.pk))
        assert text.count("n = 2 questions") == 3
        assert "n = 3 questions" not in text

    def test_says_how_many_of_them_are_judged(
        self, study: Project, exact_match: JudgeRun, decide: Decider
    ) -> None:
        decide("Paris", "correct")
        assert made(study).count("n = 3 questions, 1 of them judged by people") == 3

    def test_says_no_tau_of_people_with_themselves(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        text = made(study)
        taus = text.split("Kendall’s τ-b with people</th>")[1].split("</tr>")[0].split("<td>")[2:]
        keys = [column.key for column in read_leaderboard(project=study).columns]
        said = {key: tau.split("<small>")[0] for key, tau in zip(keys, taus, strict=True)}
        assert (said["exact_match"], said["human"]) == ("−1.00", "")
        assert WHY[Why.PEOPLE_THEMSELVES] not in text

    def test_says_between_which_ranks_a_system_lies(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        scores = [row.scores["exact_match"] for row in read_leaderboard(project=study, intervals=True).rows]
        ends = [score.rank.interval for score in scores if score and score.rank.interval]
        open_ends = [(low, high) for low, high in ends if low < high]
        assert open_ends
        text = made(study)
        assert all(f"({low:.0f}–{high:.0f})</small>" in text for low, high in open_ends)

    def test_counts_why_judges_fail_and_names_what_is_not_tagged(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        text = made(study)
        assert "<h3>Accuracy by answer length</h3>" in text
        # Nothing is tagged, and misses are counted all the same; there is no second judge to repair any.
        assert "2 of 4" in board_of(text, "Correct answers that judges miss")
        assert "No items are tagged for this board yet" in board_of(text, "Correct answers that judges miss")
        assert "Nothing to count yet for Exact-match misses that judges accept" in text

    def test_counts_how_many_misses_of_exact_match_a_judge_repairs(
        self, study: Project, all_decided: None, exact_match: JudgeRun, token_f1: JudgeRun
    ) -> None:
        board = board_of(made(study), "Exact-match misses that judges accept")
        assert "Share of all misses accepted" in board
        assert "1 of 2" in board

    def test_prints_published_numbers_with_their_source(
        self, study: Project, all_decided: None, exact_match: JudgeRun, lead: User
    ) -> None:
        assert "Published numbers" not in made(study)
        number = Reference(Subject.SYSTEM, "GPT-3", "exact_match", 0.299, 3610, "", "Brown 2020", "")
        add_reference(project=study, reference=number, by=lead)
        judge = number._replace(subject=Subject.JUDGE, name="BEM", measure="accuracy_all", n=None)
        add_reference(project=study, reference=judge, by=lead)
        text = made(study)
        systems, judges = (
            text.split(f'aria-label="Table: Published results of {whose}"')[1].split("</table>")[0]
            for whose in ("systems", "judges")
        )
        assert (
            '<th scope="row">GPT-3</th><td class="text">Exact match</td><td>29.9</td><td>3,610</td>'
            in systems
        )
        assert '<th scope="row">BEM</th><td class="text">Accuracy</td><td>29.9</td><td>–</td>' in judges
        assert "GPT-3" not in judges

    def test_charts_name_their_axes(self, study: Project, all_decided: None, exact_match: JudgeRun) -> None:
        systems, judges = (part.split("</svg>")[0] for part in made(study).split("<svg")[1:])
        assert "<title>Accuracy of each system</title>" in systems
        assert ">System</text>" in systems
        assert "Accuracy (percent of the system’s answers), n = 3 questions</text>" in systems
        assert ">Judge</text>" in judges
        assert "Accuracy (percent of decided answers), n = 5 answers</text>" in judges

    @pytest.mark.parametrize(
        "change",
        [
            lambda study, at: ReferenceScore.objects.create(
                project=study,
                subject="system",
                name="x",
                measure="em",
                value=0.5,
                source="y",
                added_by=study.created_by,
                added_at=at,
            ),
            lambda study, at: study.imports.update(undone_at=at),
            lambda study, at: study.protocol_versions.update(created_at=at),
            lambda study, at: JudgmentRevision.objects.update(at=at),
            lambda study, at: CheckAnswer.objects.update(answered_at=at),
        ],
        ids=["published number", "undone import", "protocol", "changed judgment", "check"],
    )
    def test_says_when_anything_in_it_last_changed(
        self,
        study: Project,
        annotators: list[Membership],
        change: Callable[[Project, datetime], object],
    ) -> None:
        find_improper(study, by=annotators[0])
        change(study, datetime(2031, 5, 6, 7, 8, tzinfo=UTC))
        assert "last changed on 2031-05-06 07:08 UTC" in made(study)

    def test_needs_nothing_beside_it(self, study: Project, all_decided: None, exact_match: JudgeRun) -> None:
        text = made(study)
        tags = Tags(text).found
        assert not {"script", "link", "img", "iframe", "a", "image", "use", "form"} & {tag for tag, _ in tags}
        assert not [name for _, attributes in tags for name in attributes if re.match(r"on|href|src", name)]
        assert not re.search(r"https?:|url\(|@import|//", text)
        assert [tag for tag, _ in tags].count("svg") == 2

    def test_takes_no_text_for_markup(self, study: Project, all_decided: None, exact_match: JudgeRun) -> None:
        System.objects.filter(project=study, name="alpha").update(label=HOSTILE)
        Project.objects.filter(pk=study.pk).update(name=HOSTILE)
        JudgeRun.objects.update(signature=HOSTILE)
        text = made(Project.objects.select_related("protocol").get(pk=study.pk))
        assert not {"script", "img"} & {tag for tag, _ in Tags(text).found}
        assert "&lt;script&gt;alert(1)" in text
        assert "{{ 7|add:7 }}" in text

    def test_names_no_member(self, study: Project, all_decided: None, lead: User) -> None:
        User.objects.filter(pk=lead.pk).update(username="xqlead", name="Xqlena Boss")
        rater = make_member(project=study, username="xqrater")
        text = made(study)
        assert "xq" not in text.lower()
        assert "Boss" not in text
        assert rater.pseudonym not in text

    def test_an_empty_project_says_what_is_missing(self, project: Project) -> None:
        text = made(project)
        assert "No questions have been imported yet." in text
        assert "<svg" not in text

    def test_the_preview_is_its_beginning(self, study: Project, all_decided: None) -> None:
        head = "".join(report_lines(project=study, limit=3))
        assert made(study).startswith(head)
        assert head.count("\n") == 3

    def test_equal_states_give_equal_bytes(self, study: Project, all_decided: None, tmp_path: Path) -> None:
        first, second = (
            write_file(project=study, format_key="report-html", path=tmp_path / name) for name in "ab"
        )
        assert first == second


class TestFacts:
    def test_count_what_people_judge(self, study: Project, decide: Decider, exact_match: JudgeRun) -> None:
        decide("Paris", "correct")
        found = read_facts(study, read_scored(project=study, wanted=Filter()))
        assert (found.questions, found.answers, found.undecided, found.systems) == (3, 5, 4, 2)
        assert found.sources == {"adjudicated": 1}
        (judge,) = found.judges
        assert (judge.n, judge.figures["accuracy_all"].value) == (1, 1.0)


class TestMethodsView:
    def test_says_what_the_report_says(self, study: Project, all_decided: None, lead: User) -> None:
        body = ClientOf(lead).get("/api/projects/small/methods").json()
        assert body["text"] == read_methods(project=study).text
        assert body["text"] in made(study).replace("&#x27;", "'")
        assert "No judge has a verdict on a decided answer yet." in body["missing"]

    def test_annotators_and_outsiders_are_refused(
        self, study: Project, annotators: list[Membership], outsider: User
    ) -> None:
        for user, status in ((annotators[0].user, 403), (outsider, 404)):
            assert ClientOf(user).get("/api/projects/small/methods").status_code == status


class TestCommand:
    def test_writes_the_file(self, study: Project, all_decided: None, tmp_path: Path) -> None:
        out = StringIO()
        path = tmp_path / "deep" / "small.html"
        call_command("report", "--project", "small", "--html", str(path), stdout=out)
        assert path.read_text(encoding="utf-8") == made(study)
        assert str(path) in out.getvalue()

    def test_a_file_that_cannot_be_written_is_a_data_error(self, study: Project, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(CommandError, match=r"small\.html") as caught:
            call_command("report", "--project", "small", "--html", str(tmp_path / "file" / "small.html"))
        assert caught.value.returncode == 1
