"""The papers' own files: what a project says in them, an import of them says again."""

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analysis.text import normalize_answer
from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.items.models import GoldAnswer, Prediction, System
from annotation.projects.models import Project
from annotation.release.services import write_file
from tests.annotation.items.conftest import import_into, jsonl
from tests.factories import make_project

pytestmark = pytest.mark.django_db

SYSTEMS = ("fid", "gpt4", "a “quoted” one")
GROUPS = "fid,gpt4"


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def written(project: Project, key: str, folder: Path) -> bytes:
    write_file(project=project, format_key=key, path=folder / key)
    return (folder / key).read_bytes()


def row(
    question: str = "who", gold: str | None = "me", *, improper: bool = False, **said: Any
) -> dict[str, Any]:
    """A question of EVOUNA's file; said: answer and verdict by system."""
    systems = {
        name: value
        for system, (answer, verdict) in said.items()
        for name, value in ((f"answer_{system}", answer), (f"judge_{system}", verdict))
    }
    return {"question": question, "golden_answer": gold, **systems, "improper": improper}


def as_released(rows: list[dict[str, Any]]) -> bytes:
    return json.dumps(rows, indent=1).encode()


def evouna(lead: User, rows: list[dict[str, Any]] | bytes, slug: str = "evouna") -> Project:
    """A project that has a file of EVOUNA's."""
    project = make_project(lead=lead, slug=slug, preset="evouna")
    content = rows if isinstance(rows, bytes) else as_released(rows)
    made = import_into(project, files={"NQ.json": content}, groups=GROUPS)
    assert made.state == "applied", made.message
    project.refresh_from_db()
    return project


class TestEvouna:
    def test_a_released_file_comes_out_byte_for_byte(self, lead: User, tmp_path: Path) -> None:
        rows = [
            row("who é", "me/Ida", fid=("me", True), gpt4=("It is\nyou.", False)),
            row("when", None, fid=("now", None), gpt4=(None, None)),
            row("why", "so", improper=True, fid=("so", True), gpt4=("that", False)),
            row("where", "x", improper=True, fid=("a", None), gpt4=("b", None)),
            row("who é", "me", fid=("", True), gpt4=("you", True)),
        ]
        assert written(evouna(lead, rows), "evouna", tmp_path) == as_released(rows)

    def test_equal_answers_of_a_group_may_have_two_verdicts(self, lead: User, tmp_path: Path) -> None:
        rows = [row(fid=("me", True), gpt4=("me", False))]
        assert written(evouna(lead, rows), "evouna", tmp_path) == as_released(rows)

    def test_an_answer_that_was_judged_though_it_is_null_is_empty(self, lead: User, tmp_path: Path) -> None:
        (out,) = json.loads(written(evouna(lead, [row(fid=(None, False))]), "evouna", tmp_path))
        assert (out["answer_fid"], out["judge_fid"]) == ("", False)

    def test_patterns_stay_out(self, lead: User, tmp_path: Path) -> None:
        project = evouna(lead, [row(gold="me/Ida", fid=("me", True))])
        GoldAnswer.objects.filter(text="Ida").update(kind=GoldAnswer.Kind.REGEX)
        (out,) = json.loads(written(project, "evouna", tmp_path))
        assert out["golden_answer"] == "me"

    def test_what_a_program_settled_has_no_verdict_of_people(self, lead: User, tmp_path: Path) -> None:
        project = evouna(lead, [row(fid=("me", True), gpt4=("you", False))])
        theirs = Decision.objects.current().filter(candidate__text="you")
        assert theirs.update(source=Decision.Source.PREJUDGED) == 1
        (out,) = json.loads(written(project, "evouna", tmp_path))
        assert (out["judge_fid"], out["judge_gpt4"]) == (True, None)

    def test_a_project_without_questions_is_an_empty_list(self, lead: User, tmp_path: Path) -> None:
        assert written(make_project(lead=lead, slug="empty"), "evouna", tmp_path) == b"[]"

    def test_possibly_correct_is_false(self, lead: User, tmp_path: Path) -> None:
        project = make_project(lead=lead, slug="three", preset="efficientqa")
        import_into(
            project, files={"DPR.jsonl": jsonl([{"question": "q", "answer": ["g"], "prediction": "p"}])}
        )
        released = {
            "question": "q",
            "answer": ["g"],
            "def_correct_predictions": [],
            "poss_correct_predictions": ["p"],
            "def_incorrect_predictions": [],
            "answer_and_def_correct_predictions": ["g"],
        }
        import_into(project, files={"r.jsonl": jsonl([released])})
        assert Decision.objects.current().get().label == "possibly_correct"
        (out,) = json.loads(written(project, "evouna", tmp_path))
        assert out["judge_DPR"] is False


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=8).filter(
    lambda text: (
        text == text.strip() and normalize_answer(text) and text.lower() not in ("nan", "none", "null")
    )
)
GOLDS = st.lists(TEXTS.filter(lambda text: "/" not in text), min_size=1, max_size=3, unique=True)
SAID = st.one_of(
    st.just((None, None)), st.tuples(TEXTS, st.sampled_from([True, False, None])), st.just(("", True))
)
ROWS = st.lists(
    st.builds(
        lambda number, golds, answers, improper: row(
            f"question {number}",
            "/".join(golds),
            # The protocol asks for two raters who call it so, and only who saw answers can.
            improper=improper and sum(answer is not None for answer, _ in answers) > 1,
            **dict(zip(SYSTEMS, answers, strict=True)),
        ),
        st.integers(0, 3),
        GOLDS,
        st.tuples(*[SAID] * len(SYSTEMS)),
        st.booleans(),
    ),
    min_size=1,
    max_size=4,
)


class TestEvounaAgain:
    @settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(rows=ROWS)
    def test_import_and_export_give_the_same(
        self, lead: User, tmp_path: Path, rows: list[dict[str, Any]]
    ) -> None:
        first = written(self.fresh(lead, as_released(rows)), "evouna", tmp_path)
        # A system that answers nowhere is unknown to a project.
        answering = {name for each in rows for name in SYSTEMS if each[f"answer_{name}"] is not None}
        assert json.loads(first) == [
            {
                name: value
                for name, value in each.items()
                if not name.startswith(("answer_", "judge_")) or name.partition("_")[2] in answering
            }
            for each in rows
        ]
        if answering:
            assert written(self.fresh(lead, first), "evouna", tmp_path) == first

    @staticmethod
    def fresh(lead: User, content: bytes) -> Project:
        return evouna(lead, content, slug=f"again-{Project.objects.count()}")


HEADER = "id\tQuestion\tModel answer\tAcceptable?\tannotator1\tannotator2\tannotator3"
VOTES = "\n".join(
    [
        HEADER,
        "1\twho\tme\tYes\tYes\tYes\t",
        '1\twho\t"I" am\tNo\tYes\tNo\tNo',
        "1\twho\tme\tYes\tYes\tYes\t",
        "2\twhen\tnöw\tYes\tYes\t\tYes",
    ]
)
DPR = jsonl(
    [
        {"question": "who", "answer": ["me"], "prediction": "me"},
        {"question": "when", "answer": ["now", "today"], "prediction": "nöw"},
    ]
)
LISTS = jsonl([{"question": "who", "answer": ["me", "I"], "prediction": ['"I" am', "me"]}])


@pytest.fixture
def study(lead: User) -> Project:
    return openqa(lead, "openqa", {"NQ_human.tsv": VOTES, "NQ_DPR.jsonl": DPR, "few shot.jsonl": LISTS})


def openqa(lead: User, slug: str, files: dict[str, Any]) -> Project:
    project = make_project(lead=lead, slug=slug, preset="openqa-eval")
    for name, content in files.items():
        made = import_into(
            project, files={name: content}, **({} if "human" in name else {"candidates": "votes"})
        )
        assert made.state == "applied", made.message
    return project


def unpacked(project: Project, folder: Path) -> dict[str, str]:
    written(project, "openqa-eval-release", folder)
    with zipfile.ZipFile(folder / "openqa-eval-release") as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}


class TestOpenqaRelease:
    def test_released_files_come_out_byte_for_byte(self, study: Project, tmp_path: Path) -> None:
        assert unpacked(study, tmp_path) == {
            "openqa_human.tsv": VOTES,
            "model_outputs/NQ_DPR.jsonl": DPR,
            "model_outputs/few shot.jsonl": LISTS,
        }

    def test_its_files_imported_give_the_same_files(self, lead: User, study: Project, tmp_path: Path) -> None:
        files = unpacked(study, tmp_path)
        again = openqa(lead, "again", {name.rpartition("/")[2]: text for name, text in files.items()})
        assert list(unpacked(again, tmp_path).values()) == list(files.values())

    def test_a_text_with_a_tab_puts_every_cell_in_quotation_marks(
        self, study: Project, tmp_path: Path
    ) -> None:
        study.candidates.filter(text="nöw").update(text="n\tw")
        votes = unpacked(study, tmp_path)["openqa_human.tsv"]
        assert votes.splitlines()[-1] == '"2"\t"when"\t"n\tw"\t"Yes"\t"Yes"\t""\t"Yes"'
        assert votes.startswith('"id"')

    def test_a_cleaned_answer_leaves_as_people_judged_it(self, study: Project, tmp_path: Path) -> None:
        Prediction.objects.filter(text="me").update(raw="**me**")
        assert unpacked(study, tmp_path)["model_outputs/NQ_DPR.jsonl"] == DPR

    @pytest.mark.parametrize("name", ["../a/b", "..", "CON:\n", "x" * 199 + "é" * 9, " ."])
    def test_a_name_that_is_no_files_is_changed(self, study: Project, tmp_path: Path, name: str) -> None:
        System.objects.filter(name="few shot").update(name=name[:200])
        *_, last = unpacked(study, tmp_path)
        stem = last.removeprefix("model_outputs/").removesuffix(".jsonl")
        assert stem
        assert not set(stem) & set("/\\:\n")
        assert not stem.startswith(".")
        assert len(last.encode()) < 255

    def test_names_that_differ_in_case_alone_are_told_apart(self, study: Project, tmp_path: Path) -> None:
        System.objects.filter(name="few shot").update(name="nq_dpr")
        assert list(unpacked(study, tmp_path))[1:] == [
            "model_outputs/NQ_DPR (1).jsonl",
            "model_outputs/nq_dpr (2).jsonl",
        ]
