import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.accounts.models import User
from annotation.items.formats.columns import parse_mapping
from annotation.items.models import DataImport, Prediction, Question
from annotation.projects.models import Project
from tests.annotation.items.conftest import outputs


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "NQ_DPR.jsonl"
    path.write_text(outputs(q="a"))
    return path


def run(*arguments: object, **options: object) -> None:
    call_command("import_data", *map(str, arguments), project="small", **options)


class TestImportData:
    def test_it_imports(self, project: Project, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
        run(file)
        assert Prediction.objects.get().system.name == "NQ_DPR"
        said = capsys.readouterr().out
        assert "applied" in said
        assert "1 questions" in said

    def test_a_dry_run_changes_nothing(
        self, project: Project, file: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        run(file, "--dry-run", "--json")
        said = json.loads(capsys.readouterr().out)
        assert (said["state"], said["counts"]["predictions"]) == ("ready", 1)
        assert not DataImport.objects.exists()
        assert not Question.objects.exists()

    def test_answers_are_cleaned_if_asked_for_and_a_dry_run_changes_nothing(
        self, project: Project, tmp_path: Path
    ) -> None:
        path = tmp_path / "bing.jsonl"
        path.write_text(outputs(q="It is **Rome**."))
        run(path, "--cleaning", "chat", "--dry-run")
        project.refresh_from_db()
        assert project.cleaning == "none"
        run(path, "--cleaning", "chat")
        assert Prediction.objects.get().text == "It is Rome."
        with pytest.raises(CommandError, match="already has answers"):
            run(path, "--cleaning", "none")

    def test_system_and_columns_can_be_named(self, project: Project, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_text("Frage,Antwort\nwer,ich\n")
        run(path, "--map", "Frage=question", "--map", "prediction=Antwort", "--system", "GPT")
        assert Prediction.objects.get().system.name == "GPT"

    @pytest.mark.parametrize(
        ("pair", "column", "meaning"),
        [
            ("Frage=question", "Frage", "question"),
            ("question=Frage", "Frage", "question"),
            ("prediction=Antwort", "Antwort", "prediction"),
            ("Antwort=prediction", "Antwort", "prediction"),
            ("dataset=prediction:GPT", "dataset", "prediction:GPT"),
            ("id=ignore", "id", "ignore"),
            ("output=answer", "output", "gold"),
        ],
    )
    def test_either_side_may_be_the_meaning(self, pair: str, column: str, meaning: str) -> None:
        assert parse_mapping([pair]) == {column: meaning}

    def test_options_are_taken(self, project: Project, tmp_path: Path) -> None:
        path = tmp_path / "a.csv"
        path.write_text("question,colour\nwer,rot\n")
        run(path, "--option", "unknown_columns=ignore", "--format", "generic")
        assert Question.objects.get().text == "wer"

    @pytest.mark.parametrize("content", ["", '{"question": "half', '{"question": "a", "colour": 1}'])
    def test_bad_data_are_named_and_nothing_is_kept(
        self, project: Project, tmp_path: Path, content: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        path = tmp_path / "a.jsonl"
        path.write_text(content)
        with pytest.raises(CommandError) as caught:
            run(path)
        assert caught.value.returncode == 1
        assert "a.jsonl:1: error: " in capsys.readouterr().err
        assert not DataImport.objects.exists()

    def test_a_rare_remark_is_not_hidden_by_a_thousand_of_another(
        self, project: Project, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Told line by line are the first hundred, and by cause all."""
        many = tmp_path / "a.jsonl"
        many.write_text(outputs(**{f"q{number}": "a" for number in range(120)}) * 2)
        rare = tmp_path / "b.jsonl"
        rare.write_text(outputs(q="a") * 2)
        run(many, rare, "--dry-run")
        told = capsys.readouterr().err
        assert "… and 22 more. The first message" in told
        assert "\n120 × a.jsonl: warning: " in told
        assert "\n1 × b.jsonl: warning: " in told
        assert "\n1 × all files: warning: " in told
        run(many, rare, "--dry-run", "--json")
        causes = json.loads(capsys.readouterr().out)["causes"]
        # One more, of both files, says that the systems answer different questions.
        told_of = [(cause["file"], cause["count"], cause["code"]) for cause in causes]
        assert told_of == [
            ("", 1, "uneven_coverage"),
            ("a.jsonl", 120, "repeated_row"),
            ("b.jsonl", 1, "repeated_row"),
        ]

    @pytest.mark.parametrize(
        ("arguments", "code"),
        [
            (["--map", "colour"], 2),
            (["--option", "colour"], 2),
            (["--option", "colour=red"], 1),
        ],
    )
    def test_usage_is_told_from_data(
        self, project: Project, file: Path, arguments: list[str], code: int
    ) -> None:
        with pytest.raises(CommandError) as caught:
            run(file, *arguments)
        assert caught.value.returncode == code

    def test_an_absent_file_or_project_is_named(self, db: None, lead: User) -> None:
        with pytest.raises(CommandError, match="small"):
            run("absent.jsonl")
        call_command("create_project", "small", "--protocol", "openqa-eval")
        with pytest.raises(CommandError, match=r"absent\.jsonl"):
            run("absent.jsonl")


class TestCreateProject:
    def test_it_makes_a_project_led_by_somebody(self, lead: User) -> None:
        call_command("create_project", "nq", "--protocol", "efficientqa", "--pooling", "exact")
        project = Project.objects.get(slug="nq")
        assert (project.pooling, project.created_by) == ("exact", lead)

    @pytest.mark.parametrize("arguments", [[], ["--lead", "nobody"]])
    def test_a_project_needs_a_lead_and_an_address_of_its_own(
        self, project: Project, arguments: list[str]
    ) -> None:
        slug = "other" if arguments else "small"
        with pytest.raises(CommandError) as caught:
            call_command("create_project", slug, "--protocol", "openqa-eval", *arguments)
        assert caught.value.returncode == 1
