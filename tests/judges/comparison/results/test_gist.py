"""Both results over HTTP: who may read them, and in how many queries."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.accounts.models import User
from annotation.projects.models import Project
from judges.comparison.selectors.results.gist import read_results
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import make_run
from tests.judges.comparison.results.test_trusted_judge import make_judged, says

Client = Callable[[User], Any]


class TestReadResults:
    def test_more_answers_take_no_more_queries_and_asking_again_hardly_any(self, lead: User) -> None:
        def count(project: Project) -> int:
            with CaptureQueriesContext(connection) as queries:
                read_results(project=project)
            return len(queries)

        counts = []
        for questions in (12, 24):
            project = make_judged(lead, slug=f"of-{questions}", questions=questions)
            for judge in ("bem", "containment"):
                make_run(project, judge, says(errors=3, questions=questions))
            project = Project.objects.get(pk=project.pk)
            counts.append((count(project), count(project)))
        assert counts[0] == counts[1]
        assert counts[0][1] <= 2


class TestResultsView:
    def test_gives_both_and_a_signature(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        body = client_of(lead).get("/api/projects/small/results").json()
        assert body["system"]["undecided_because"] == "few_questions"
        assert body["judge"]["untrusted_because"] == "few_answers"
        assert body["signature"].startswith("results|beside:people|epsilon:0.15|correction:holm|scope:sample")

    @pytest.mark.parametrize(
        ("who", "status"), [("annotator", 403), ("adjudicator", 403), ("outsider", 404), ("lead", 200)]
    )
    def test_only_leads_may_read_them(
        self,
        who: str,
        status: int,
        client_of: Client,
        people: dict[str, User],
    ) -> None:
        assert client_of(people[who]).get("/api/projects/small/results").status_code == status
