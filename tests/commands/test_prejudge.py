"""The command applies, previews and undoes a policy, and says what it did."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.adjudication.models import Decision
from annotation.projects.models import Project
from judges.prejudging.models import PrejudgingPolicy
from judges.prejudging.rules.audit import UNAUDITED
from judges.runs.models import JudgeRun
from tests.judges.prejudging.conftest import decide, exact, rung, states, study

__all__ = ["exact", "rung", "study"]
RULES = [{"runs": ["exact_match"], "condition": "any_accepts"}]


@pytest.fixture
def policy(tmp_path: Path) -> str:
    return write(tmp_path, {"rules": RULES, "audit_share": 0.0})


def write(folder: Path, content: Any) -> str:
    path = folder / "policy.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return str(path)


def prejudge(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("prejudge", "--project", "small", "--json", *arguments, stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


class TestPrejudge:
    def test_previews_applies_and_undoes(self, study: Project, exact: JudgeRun, policy: str) -> None:
        preview = prejudge("--policy", policy, "--preview")
        assert (preview["state"], preview["decided"], preview["to_people"]) == ("preview", 2, 3)
        assert preview["by_people"] == 0
        assert preview["rules"][0]["words"].startswith(
            "People have decided no answers that this rule would settle"
        )
        assert not PrejudgingPolicy.objects.exists()
        done = prejudge("--policy", policy)
        assert (done["state"], done["decided"], done["drawn"]) == ("done", 2, 0)
        undone = prejudge("--undo", "--reason", "Too bold.")
        assert (undone["state"], undone["decided"]) == ("undone", 0)
        assert undone["given_back"] == [{"number": 1, "answers": 2}]
        assert Decision.objects.filter(is_reopening=True, reason="Too bold.").count() == 2
        assert set(states(study).values()) == {"open"}

    def test_the_share_on_the_command_line_goes_before_the_files(
        self, study: Project, exact: JudgeRun, policy: str
    ) -> None:
        assert prejudge("--policy", policy, "--audit-share", "1")["drawn"] == 2

    def test_says_in_words_what_it_did(self, study: Project, exact: JudgeRun, policy: str) -> None:
        out = StringIO()
        call_command("prejudge", "--project", "small", "--policy", policy, stdout=out)
        assert out.getvalue().splitlines() == [
            "1. Exact match accepts: counts as correct",
            "   2 settled, 0 sampled for the audit",
            f"   {UNAUDITED.format('2 answers')}",
            "done: 2 settled, 0 sampled for the audit",
        ]

    def test_a_preview_says_how_often_a_rule_would_have_erred(
        self, study: Project, exact: JudgeRun, policy: str
    ) -> None:
        decide(study, Paris="incorrect", Pacific="correct")
        preview = prejudge("--policy", policy, "--preview")
        (rule,) = preview["rules"]
        assert preview["by_people"] == 2
        assert (rule["beside_people"]["settled"], rule["beside_people"]["wrong"]) == (2, 1)
        assert rule["beside_people"]["share"] == 0.5
        out = StringIO()
        call_command("prejudge", "--project", "small", "--policy", policy, "--preview", stdout=out)
        line = out.getvalue().splitlines()[2].strip()
        assert line == rule["words"]
        assert line.startswith(
            "Among 2 answers that people have decided and that this rule would settle, the rule disagrees "
            "with people on 1"
        )

    def test_says_what_it_gave_back(self, study: Project, exact: JudgeRun, policy: str) -> None:
        prejudge("--policy", policy)
        out = StringIO()
        call_command("prejudge", "--project", "small", "--undo", stdout=out)
        assert out.getvalue().splitlines() == [
            "1. 2 answers returned to annotators",
            "undone: 2 answers returned to annotators",
        ]

    @pytest.mark.parametrize(
        ("content", "code"),
        [
            ([], 2),
            ({"rule": []}, 2),
            ({"rules": "all"}, 2),
            ({"rules": [{"runs": ["nobody"], "condition": "any_accepts"}]}, 2),
            ({"rules": ["exact_match"]}, 2),
            ({"rules": [], "audit_share": 3}, 2),
            ({"rules": []}, 2),
        ],
    )
    def test_what_is_no_policy_is_refused(
        self, study: Project, exact: JudgeRun, tmp_path: Path, content: Any, code: int
    ) -> None:
        with pytest.raises(CommandError) as refusal:
            prejudge("--policy", write(tmp_path, content))
        assert refusal.value.returncode == code

    def test_without_anything_to_undo_it_says_so(self, study: Project) -> None:
        with pytest.raises(CommandError, match="There is no applied policy"):
            prejudge("--undo")

    def test_an_unknown_project_is_named(self, db: None) -> None:
        with pytest.raises(CommandError, match="The project “small” does not exist"):
            prejudge()
