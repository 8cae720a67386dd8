"""Estimated scores, ranks, gains and weighted judges are recounted, and what was changed is found."""

import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from pytest_django import DjangoDbBlocker

from analysis.intervals import Why
from annotation.adjudication.models import Decision
from annotation.items.models import Candidate, Question
from annotation.items.services.samples import Stratum, draw_strata
from annotation.projects.models import Project, Upkeep
from annotation.projects.services.upkeep import do_upkeep
from common.figures import WHY
from judges.prejudging.models import PrejudgedAnswer
from judges.prejudging.services.policies import apply_policy, make_policy, save_policy, work_on_application
from judges.verification.rules import study
from judges.verification.rules.study import Row, gather
from judges.verification.rules.verifying import verify
from judges.verification.selectors import read_report, study_rows
from tests.conftest import made_once
from tests.factories import make_project
from tests.judges.comparison.conftest import make_run
from tests.judges.comparison.leaderboard.test_sampled import Made, decide_sample, judge_all, make_study

Report = dict[str, Any]

AUDIT = re.compile(r"As an audit, a random sample .*? In total, (\d+) w(?:as|ere) sent\.")
# What the methods paragraph says of an audit: this version, and the two before.
AUDIT_WORDS = (
    "As an audit, a random sample of the answers that rules would have settled was sent to annotators "
    "instead, unmarked. Each answer was sampled with probability 0.4. In total, {} were sent.",
    "As an audit, answers that a rule would have settled were sent to annotators instead, at random and "
    "unmarked, with probability 0.4 each. In total, {} were sent.",
    "As an audit, each answer that a rule would have settled was sent to raters instead with "
    "probability 0.4, at random and unmarked: {} were.",
)


class Left(NamedTuple):
    """What left a study: its rows and its report."""

    rows: list[Row]
    report: Report


def make_left() -> Left:
    """Draw questions unequally, let containment settle part of their answers, and people decide the rest.

    A judge that states probabilities abstains on some.
    """
    made = make_study(make_project(slug="left"), systems=3)
    ids = list(
        Question.objects.filter(project=made.project).order_by("position").values_list("pk", flat=True)
    )
    strata = [Stratum(ids[:90], 70), Stratum(ids[90:], 60)]
    draw_strata(project=made.project, strata=strata, seed=3, options={})
    # Another process of these tests makes a study of the same id, and does one at a time.
    while Upkeep.objects.exclude(due=[]).exists():
        do_upkeep(project_id=made.project.pk)
    judge_all(made)
    run_others(made)
    rules = [{"runs": ["containment"], "condition": "any_accepts"}]
    save_policy(project=made.project, policy=make_policy(project=made.project, rules=rules, audit_share=0.4))
    work_on_application(application_id=apply_policy(project=made.project).pk)
    decide_sample(made)
    project = Project.objects.get(pk=made.project.pk)
    return Left(list(study_rows(project)), read_report(project))


def run_others(made: Made) -> None:
    chances = np.random.default_rng(3).random((3, 240)) / 2 + made.right / 2
    rows = made.project.candidates.select_related("question").order_by("pk")
    said = {row.text: float(chances[row.position, row.question.position]) for row in rows}
    make_run(
        made.project,
        "learned",
        {text: p if number % 11 else None for number, (text, p) in enumerate(said.items())},
    )
    make_run(made.project, "exact_match", {text: float(p > 0.6) for text, p in said.items()})


@pytest.fixture(scope="module")
def made_left(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Left]:
    with made_once(django_db_blocker, make_left) as made:
        yield made


@pytest.fixture
def left(made_left: Left, db: None) -> Left:
    return made_left


def places(rows: list[Row], report: Report) -> list[str]:
    found = verify(gather(rows), report)
    return [each.place for each in found.numbers.differences]


def changed(rows: list[Row], kind: type[Any], change: Callable[[Any], Any], *, most: int = 1) -> list[Row]:
    """Change the first rows of a kind that the change says something of, at most so many."""
    rows, left = list(rows), most
    for number, row in enumerate(rows):
        if left and isinstance(row, kind) and (found := change(row)) is not None:
            rows[number] = found
            left -= 1
    assert left < most
    return rows


FORMATS = (Path(__file__).parents[3] / "docs" / "formats.md").read_text("utf-8")
# What stands below these is named by the study: columns, judges, labels.
NAMED_HERE = frozenset({"scores", "distribution", "interval", "intervals", "words", "judges"})


def keys_of(value: Any, is_named_here: bool = False) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, each in value.items():
            if not is_named_here:
                yield key
            yield from keys_of(each, is_named_here=key in NAMED_HERE)
    elif isinstance(value, list):
        for each in value:
            yield from keys_of(each)


class TestDocumented:
    def test_every_key_of_a_report_stands_in_the_formats(self, left: Left) -> None:
        section = FORMATS[FORMATS.index("## Report") : FORMATS.index("## Exports")]
        documented = set(re.findall(r'[`"](\w+)[`"]', section))
        assert sorted(set(keys_of(left.report)) - documented) == []

    @pytest.mark.parametrize("kind", study.KINDS)
    def test_every_field_of_a_row_stands_in_the_formats(self, kind: str) -> None:
        section = FORMATS[FORMATS.index("**`study-jsonl`** holds") :]
        (line,) = re.findall(rf"^\| `{kind}` \| (.*) \|$", section, re.MULTILINE)
        assert set(study.KINDS[kind]._fields) <= set(re.findall(r"`(\w+)`", line))


class TestAgrees:
    @pytest.mark.parametrize("is_drawn", [True, False])
    def test_on_a_study_whose_audit_is_half_done(self, left: Left, is_drawn: bool) -> None:
        project = Project.objects.get(slug=left.report["project"])
        ruled = PrejudgedAnswer.objects.filter(candidate__project=project)
        drawn = ruled.filter(is_audited=True).values("candidate")
        people = Decision.objects.in_force().without_programs().filter(candidate__project=project)
        if is_drawn:
            people = people.filter(candidate__in=drawn)
        else:
            people = people.exclude(candidate__in=ruled.values("candidate"))
        decision = people.order_by("pk")[0]
        Candidate.objects.filter(pk=decision.candidate_id).update(state=Candidate.State.OPEN)
        Decision.objects.filter(pk=decision.pk).update(is_current=False)
        project = Project.objects.get(pk=project.pk)
        report = read_report(project)
        found = verify(gather(list(study_rows(project))), report)
        assert found.numbers.differences == []
        assert {judge["undecided"] for judge in report["judges"]} == {1}
        withheld = [system for system in report["systems"] if system["human_accuracy"] is None]
        assert 0 < len(withheld) < len(report["systems"])
        assert withheld[0]["words"]["human_accuracy"] == WHY[Why.SAMPLE_OPEN]

    def test_on_every_number_of_a_drawn_and_audited_study(self, left: Left) -> None:
        found = verify(gather(left.rows), left.report)
        assert found.numbers.differences == []
        assert found.numbers.not_recounted == ["prejudging › audit_share"]
        assert left.report["judges"][0]["reach"] == "weighed"
        assert left.report["judges"][0]["intervals"]["cohen_kappa"]
        (first, *_) = left.report["corrected"]["systems"]
        assert first["judges"]["learned"]["corrected"]["low"] < first["people_only"]["high"]
        scores = left.report["entire"][0]["scores"]["corrected"]
        assert scores["rank_range"]
        assert scores["gain_interval"]

    @pytest.mark.parametrize("words", AUDIT_WORDS)
    def test_on_the_audit_in_the_words_of_this_and_earlier_reports(self, left: Left, words: str) -> None:
        told = left.report["methods"]["text"]
        (drawn,) = AUDIT.findall(told)
        for count, differing in ((int(drawn), []), (int(drawn) + 1, ["methods › audit › drawn"])):
            text = AUDIT.sub(words.format(count), told)
            found = verify(gather(left.rows), {**left.report, "methods": {"text": text, "missing": []}})
            assert [each.place for each in found.numbers.differences] == differing
            assert found.numbers.not_recounted == ["prejudging › audit_share"]


class TestFinds:
    def test_another_probability_of_a_drawn_question(self, left: Left) -> None:
        rows = changed(
            left.rows,
            study.Question,
            lambda row: row._replace(probability=0.2) if row.probability else None,
        )
        found = places(rows, left.report)
        assert "judges › exact_match › weighed › tp" in found
        assert "judges › exact_match › intervals › accuracy_all › 1" in found

    def test_questions_of_another_part_of_the_draw(self, left: Left) -> None:
        rows = changed(
            left.rows,
            study.Question,
            lambda row: row._replace(stratum=1) if row.stratum == 0 else None,
            most=20,
        )
        found = places(rows, left.report)
        assert any(place.startswith("corrected › systems › s0 › people_only") for place in found)

    def test_another_probability_of_the_audit(self, left: Left) -> None:
        rows = changed(
            left.rows,
            study.Settled,
            lambda row: row._replace(probability=0.9) if row.is_drawn else None,
        )
        found = places(rows, left.report)
        assert any("scores › corrected › interval" in place for place in found)
        assert any(place.startswith("corrected › systems") for place in found)

    def test_another_probability_that_a_judge_stated(self, left: Left) -> None:
        runs = {row.id for row in left.rows if isinstance(row, study.Run) and row.judge == "learned"}
        rows = changed(
            left.rows,
            study.Verdict,
            lambda row: row._replace(score=1 - row.score) if row.run in runs and row.score else None,
            # One alone may be of an answer that people judged, or be as unsure as may be.
            most=20,
        )
        found = places(rows, left.report)
        assert any("› judges › learned › corrected › value" in place for place in found)
        assert not any("people_only" in place for place in found)

    def test_another_decision(self, left: Left) -> None:
        rows = changed(
            left.rows,
            study.Decision,
            lambda row: (
                row._replace(label="incorrect")
                if row.label == "correct" and row.source != "prejudged"
                else None
            ),
        )
        found = places(rows, left.report)
        assert any("gain" in place for place in found)
        assert any("people_only › value" in place for place in found)

    @pytest.mark.parametrize(
        ("change", "place"),
        [
            (
                lambda report: report["systems"][0]["scores"]["exact_match"].update(rank_range=[1, 3]),
                "systems › s0 › scores › exact_match › rank_range › 2",
            ),
            (
                lambda report: report["columns"][0].update(sure_pairs=9),
                "columns › containment › sure_pairs",
            ),
            (
                lambda report: report["judges"][0]["intervals"]["f1"].__setitem__(0, 0.5),
                "judges › containment › intervals › f1 › 1",
            ),
            (
                lambda report: report["entire"][1]["scores"]["corrected"].update(gain=0.5),
                "entire › s1 › scores › corrected › gain",
            ),
            (
                lambda report: report["methods"].update(
                    text=report["methods"]["text"].replace("130 judged questions", "131 judged questions")
                ),
                "methods › judged questions › questions",
            ),
            (
                lambda report: report["corrected"]["systems"][2]["judges"]["learned"].update(worth=1),
                "corrected › systems › s2 › judges › learned › worth",
            ),
        ],
    )
    def test_a_tampered_report(self, left: Left, change: Callable[[Report], None], place: str) -> None:
        report = deepcopy(left.report)
        change(report)
        assert places(left.rows, report) == [place]
