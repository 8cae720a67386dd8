"""What leaves in a form that imports read comes in again as it was, whatever texts and votes it holds (P15).

EVOUNA's form is in `test_papers.py`, plain tables in `tests/annotation/items/formats`, whole studies in
`tests/judges/bundles/test_any_study.py`.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyarrow import parquet

from annotation.accounts.models import User
from annotation.items.models import GoldAnswer, Prediction
from annotation.items.services.applying import confirm_import
from annotation.projects.models import Project
from annotation.release.selectors.formats import EXPORT_FORMATS
from tests.annotation.items.conftest import jsonl, upload_to
from tests.annotation.release.test_papers import SYSTEMS, TEXTS, openqa, unpacked, written
from tests.factories import make_project
from tests.faults.proof import Proof
from tests.tables import IS_POSTGRES

pytestmark = pytest.mark.django_db
Drawn = st.SearchStrategy[Any]


def check_few(check: Callable[[Any], None], drawn: Drawn, *, examples: int = 6) -> None:
    """Check the same few examples each time."""
    _check(check, drawn, examples=examples, by_chance=False)


def prove(check: Callable[[Any], None], drawn: Drawn, *, form: str, examples: int = 200) -> None:
    """Check many examples, drawn by chance, and say so in the book of proofs."""
    checked = _check(check, drawn, examples=examples, by_chance=True)
    Proof().record(
        "P15",
        f"files drawn by chance: {form}",
        promised="import, then export: equal",
        measured=f"all of {checked}",
        database="PostgreSQL" if IS_POSTGRES else "SQLite",
    )


def _check(check: Callable[[Any], None], drawn: Drawn, *, examples: int, by_chance: bool) -> int:
    """Return how many were checked: fewer than asked for where no more can be drawn."""
    checked = 0

    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=not by_chance,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(drawn)
    def check_each(one: Any) -> None:
        nonlocal checked
        check(one)
        checked += 1

    check_each()
    return checked


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def fresh(lead: User, preset: str) -> Project:
    return make_project(lead=lead, slug=f"again-{Project.objects.count()}", preset=preset)


def imported(project: Project, name: str, content: str | bytes, **options: Any) -> Project:
    made = upload_to(project, files={name: content}, **options)
    assert made.state == "ready", made.message
    assert confirm_import(data_import=made).state == "applied"
    project.refresh_from_db()
    return project


class Rows(NamedTuple):
    """An OpenQA-eval release: by question its judged answers with their votes, and each system's outputs."""

    votes: Sequence[Mapping[str, Sequence[str]]]
    outputs: Mapping[str, Sequence[str | list[str] | None]]
    golds: Sequence[Sequence[str]]


@st.composite
def votes_on_an_answer(draw: st.DrawFn) -> tuple[str, str, str]:
    """Two raters, the second of whom may say nothing; a third where they do not agree.

    A vote behind a blank one leaves in the blank one's place: `docs/formats.md` says so.
    """
    first, second = draw(
        st.sampled_from([("Yes", "Yes"), ("No", "No"), ("Yes", "No"), ("No", "Yes"), ("Yes", ""), ("No", "")])
    )
    return first, second, "" if first == second else draw(st.sampled_from(["Yes", "No"]))


@st.composite
def releases(draw: st.DrawFn) -> dict[str, str]:
    """The files of a release, by name, as Assay writes them."""
    golds = draw(st.lists(st.lists(TEXTS, min_size=1, max_size=3, unique=True), min_size=1, max_size=3))
    votes, answers = ["id\tQuestion\tModel answer\tAcceptable?\tannotator1\tannotator2\tannotator3"], []
    for number, _ in enumerate(golds, 1):
        judged = draw(st.dictionaries(TEXTS, votes_on_an_answer(), min_size=1, max_size=3))
        answers.append(list(judged))
        votes += [
            "\t".join([str(number), f"question {number}", text, final(said), *said])
            for text, said in judged.items()
        ]
    files = {"human.tsv": "\n".join(votes)}
    for system in draw(st.lists(st.sampled_from(SYSTEMS), max_size=3, unique=True)):
        lines = []
        for number, (gold, texts) in enumerate(zip(golds, answers, strict=True), 1):
            if draw(st.booleans()):
                text = draw(st.sampled_from(texts) | TEXTS)
                prediction = draw(st.sampled_from([text, [text, "b"]]))
                own = draw(st.sampled_from([gold, gold[:1]]))
                lines.append({"question": f"question {number}", "answer": own, "prediction": prediction})
        if lines:
            files[f"{system}.jsonl"] = jsonl(lines)
    return files


def final(said: Sequence[str]) -> str:
    """Return what more raters said; of one against one, nothing."""
    counts = Counter(filter(None, said)).most_common()
    return "" if len(counts) > 1 and counts[0][1] == counts[1][1] else counts[0][0]


class TestOpenqaRelease:
    def test_comes_in_again(self, lead: User, tmp_path: Path) -> None:
        check_few(partial(self.check, lead, tmp_path), releases())

    @pytest.mark.prove
    def test_comes_in_again_whatever_it_holds(self, lead: User, tmp_path: Path) -> None:
        prove(partial(self.check, lead, tmp_path), releases(), form="OpenQA-eval’s release")

    def check(self, lead: User, folder: Path, files: dict[str, str]) -> None:
        slug = f"again-{Project.objects.count()}"
        assert by_name(unpacked(openqa(lead, slug, files), folder)) == files


def by_name(files: Mapping[str, str]) -> dict[str, str]:
    """Return files under their own names, without the folder, and the project's address."""
    return {
        "human.tsv" if name.endswith("_human.tsv") else name.rpartition("/")[2]: text
        for name, text in files.items()
    }


# Of a released list anything stays as it stands, what is empty or stands twice, too.
LISTED = st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=8), max_size=4)


@st.composite
def released_lines(draw: st.DrawFn) -> str:
    lines = []
    for number in range(draw(st.integers(1, 4))):
        gold, accepted, possible, rejected = (draw(LISTED) for _ in range(4))
        lines.append(
            {
                # One may stand twice.
                "question": f"question {min(number, 2)}{draw(st.sampled_from(['', '?', ' “é”']))}",
                "answer": gold,
                "def_correct_predictions": accepted,
                "poss_correct_predictions": possible,
                "def_incorrect_predictions": rejected,
                "answer_and_def_correct_predictions": gold + accepted,
            }
        )
    return jsonl(lines)


class TestEfficientqaRelease:
    def test_comes_in_again(self, lead: User, tmp_path: Path) -> None:
        check_few(partial(self.check, lead, tmp_path), released_lines())

    @pytest.mark.prove
    def test_comes_in_again_whatever_it_holds(self, lead: User, tmp_path: Path) -> None:
        prove(partial(self.check, lead, tmp_path), released_lines(), form="EfficientQA’s release")

    def check(self, lead: User, folder: Path, content: str) -> None:
        project = imported(fresh(lead, "efficientqa"), "release.jsonl", content)
        assert written(project, "efficientqa-gold", folder).decode() == content


@st.composite
def plain_rows(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Rows of one table: which columns there are is the same in all, which cells are empty is not."""
    confident = draw(st.booleans())
    rows = []
    for number in range(draw(st.integers(1, 4))):
        for system in draw(st.lists(st.sampled_from(SYSTEMS), min_size=1, max_size=3, unique=True)):
            row = {
                "question_id": f"q{number}",
                "question": f"question {number}",
                "gold": draw(st.lists(TEXTS, min_size=1, max_size=2, unique=True)),
                "system": system,
                "prediction": draw(TEXTS),
            }
            if confident:
                row["confidence"] = draw(st.one_of(st.none(), st.floats(0, 1)))
            rows.append(row)
    return rows


class TestParquet:
    def test_comes_in_as_json_lines_do_and_leaves_as_they_do(self, lead: User, tmp_path: Path) -> None:
        check_few(partial(self.check, lead, tmp_path), plain_rows(), examples=2)

    @pytest.mark.prove
    def test_does_whatever_it_holds(self, lead: User, tmp_path: Path) -> None:
        prove(
            partial(self.check, lead, tmp_path),
            plain_rows(),
            form="Parquet, read and written as JSON Lines",
            examples=40,
        )

    def check(self, lead: User, folder: Path, rows: list[dict[str, Any]]) -> None:
        parquet.write_table(pyarrow.Table.from_pylist(rows), folder / "rows.parquet")
        content = (folder / "rows.parquet").read_bytes()
        project = imported(fresh(lead, "openqa-eval"), "rows.parquet", content)
        plain = imported(fresh(lead, "openqa-eval"), "rows.jsonl", jsonl(rows))
        assert stored(project) == stored(plain)
        for key in (form.key for form in EXPORT_FORMATS if form.key.endswith("-parquet")):
            lines = written(project, key.replace("parquet", "jsonl"), folder).decode().splitlines()
            assert without_nothing(read_parquet(written(project, key, folder))) == without_nothing(
                list(map(json.loads, lines))
            )
        again = imported(
            fresh(lead, "openqa-eval"),
            "predictions.parquet",
            written(project, "predictions-parquet", folder),
            # Whose “answer” a column of this name is, files do not say.
            map={"answer": "ignore"},
            unknown_columns="ignore",
        )
        assert said_by_systems(again) == said_by_systems(project)


def read_parquet(content: bytes) -> list[dict[str, Any]]:
    return list(parquet.read_table(pyarrow.BufferReader(content)).to_pylist())


def without_nothing(value: Any) -> Any:
    """Return a value without what is null, for which a Parquet file has a cell all the same."""
    if isinstance(value, dict):
        return {name: without_nothing(each) for name, each in value.items() if each is not None}
    return [without_nothing(each) for each in value] if isinstance(value, list) else value


def said_by_systems(project: Project) -> list[tuple[Any, ...]]:
    rows = Prediction.objects.filter(question__project=project).order_by(
        "system__name", "question__external_id"
    )
    return list(rows.values_list("system__name", "question__text", "text", "confidence"))


def stored(project: Project) -> tuple[list[tuple[Any, ...]], ...]:
    golds = GoldAnswer.objects.filter(question__project=project).order_by("question__position", "position")
    return list(golds.values_list("question__external_id", "question__text", "text")), said_by_systems(
        project
    )


@st.composite
def label_studio_tasks(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Tasks as Label Studio exports them, each with an answer and what annotators chose for it."""
    tasks = []
    for number in range(1, draw(st.integers(1, 4)) + 1):
        said = draw(st.dictionaries(st.integers(1, 3), st.tuples(CHOICES, COMMENTS), max_size=2))
        data = {"question": f"question {number}", "prediction": draw(TEXTS), "correct_answer": draw(TEXTS)}
        annotations = [annotation(by, *each) for by, each in sorted(said.items())]
        tasks.append(
            {
                "id": number,
                "data": {**data, "system": draw(st.sampled_from(SYSTEMS))},
                "annotations": annotations,
            }
        )
    return tasks


CHOICES = st.sampled_from(["correct", "incorrect"])
COMMENTS = st.just("") | TEXTS


def annotation(by: int, choice: str, comment: str) -> dict[str, Any]:
    result = [{"from_name": "verdict", "to_name": "text", "type": "choices", "value": {"choices": [choice]}}]
    if comment:
        result.append(
            {"from_name": "why", "to_name": "text", "type": "textarea", "value": {"text": [comment]}}
        )
    return {"id": by, "completed_by": by, "result": result, "was_cancelled": False}


class TestLabelStudio:
    """Assay writes none of its files: its tasks are made again of what the exports say."""

    def test_tasks_can_be_made_again(self, lead: User, tmp_path: Path) -> None:
        check_few(partial(self.check, lead, tmp_path), label_studio_tasks())

    @pytest.mark.prove
    def test_tasks_can_be_made_again_whatever_they_hold(self, lead: User, tmp_path: Path) -> None:
        prove(
            partial(self.check, lead, tmp_path),
            label_studio_tasks(),
            form="Label Studio’s tasks, made again of the exports",
        )

    def check(self, lead: User, folder: Path, tasks: list[dict[str, Any]]) -> None:
        project = fresh(lead, "openqa-eval")
        imported(project, "export.json", json.dumps(tasks), format_key="label-studio")
        assert self.tasks_of(project, folder) == tasks

    def tasks_of(self, project: Project, folder: Path) -> list[dict[str, Any]]:
        """Return the tasks that the exports of answers and votes amount to."""
        raters = {member.pseudonym: member.user.name for member in project.members.select_related("user")}
        votes = sorted(
            map(json.loads, written(project, "votes-jsonl", folder).decode().splitlines()),
            key=lambda vote: raters[vote["rater"]],
        )
        answers = written(project, "answers-jsonl", folder).decode().splitlines()
        return [
            {
                "id": number,
                "data": {
                    "question": answer["question"],
                    "prediction": answer["answer"],
                    "correct_answer": answer["gold"][0],
                    "system": answer["systems"][0],
                },
                "annotations": [
                    annotation(
                        int(raters[vote["rater"]].removeprefix("annotator ")), vote["label"], vote["comment"]
                    )
                    for vote in votes
                    if vote["item_id"] == answer["item_id"]
                ],
            }
            for number, answer in enumerate(map(json.loads, answers), 1)
        ]
