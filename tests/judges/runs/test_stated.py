"""What runs state of themselves, name by name."""

from importlib import import_module

import pytest
from django.apps import apps

from annotation.projects.models import Project
from judges.runs.models import JudgeRun
from judges.runs.services.control import start_run

migration = import_module("judges.migrations.0023_what_runs_state")


@pytest.mark.django_db
class TestStated:
    def test_is_what_the_signature_says(self, project: Project) -> None:
        run = start_run(project=project, judge_key="token_f1", options={"threshold": 0.9})
        assert JudgeRun.objects.get(pk=run.pk).stated == [
            ["judge", "token_f1"],
            ["threshold", "0.9"],
            ["gold", "original"],
            ["revision", "1"],
        ]

    def test_is_read_once_out_of_the_signatures_of_earlier_runs(self, project: Project) -> None:
        run = start_run(project=project, judge_key="token_f1", options={})
        stated = JudgeRun.objects.get(pk=run.pk).stated
        JudgeRun.objects.update(stated=[])
        migration.read_signatures(apps, None)
        assert JudgeRun.objects.get(pk=run.pk).stated == stated

    def test_separators_inside_values_are_read_back(self, project: Project) -> None:
        start_run(project=project, judge_key="token_f1", options={})
        JudgeRun.objects.update(signature="judge:llm|model:a%7Cb:c%257C|revision:1")
        migration.read_signatures(apps, None)
        assert dict(JudgeRun.objects.get().stated) == {"judge": "llm", "model": "a|b:c%7C", "revision": "1"}
