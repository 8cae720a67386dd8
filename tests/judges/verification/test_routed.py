"""The recount of a study where one rater and a judge settled answers."""

import pytest

from annotation.adjudication.models import Decision
from annotation.projects.models import Membership, Project
from judges.prejudging.models import RoutedAnswer, Routing
from judges.prejudging.services.routing import end_routing, start_routing
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import vote
from tests.judges.verification.test_recount import check

pytestmark = pytest.mark.django_db
TEXTS = ("Paris", "the city of Paris", "Pacific", "William S.", "Marlowe")


@pytest.fixture
def routed(
    study: Project,
    annotators: list[Membership],
    exact_match: JudgeRun,
    monkeypatch: pytest.MonkeyPatch,
) -> Project:
    """Exact match agrees on three answers, of which one is audited and ends otherwise."""
    monkeypatch.setattr("judges.prejudging.selectors.routing.replays.LEAST_JUDGED", 0)
    drawn = study.candidates.get(text="Pacific").pool_hash
    monkeypatch.setattr(
        "judges.prejudging.selectors.routing.routes.is_drawn", lambda *, name, **_: drawn in name.split()
    )
    start_routing(project=study, run=exact_match.public_id, threshold=None, audit_share=0.2)
    first = dict.fromkeys(TEXTS, "correct") | {"Marlowe": "incorrect"}
    for labels in (first, first | {"Pacific": "incorrect"}, first | {"Pacific": "incorrect"}):
        rater = annotators.pop(0)
        for _ in range(study.questions.count()):
            vote(rater=rater, labels=labels)
            if not study.candidates.filter(state="open").exclude(assignments__rater=rater).exists():
                break
    return Project.objects.get(pk=study.pk)


def test_it_agrees(routed: Project) -> None:
    assert RoutedAnswer.objects.filter(is_drawn=True).count() == 1
    assert Decision.objects.in_force().filter(source="routed").count() > 1
    found = check(routed)
    assert (found.numbers.differences, found.labels) == ([], [])
    assert found.numbers.not_recounted == []
    assert found.numbers.compared >= 100


def test_it_agrees_while_answers_of_a_rule_that_was_undone_are_open(routed: Project) -> None:
    end_routing(routing=Routing.objects.get(), gives_back=True, reason="The judge errs.")
    assert routed.candidates.filter(state="open").exists()
    found = check(routed)
    assert (found.numbers.differences, found.labels) == ([], [])


def test_a_decision_that_its_one_vote_does_not_bear_is_found(routed: Project) -> None:
    decision = Decision.objects.in_force().filter(source="routed").first()
    assert decision is not None
    RoutedAnswer.objects.filter(candidate=decision.candidate).update(label="another")
    assert decision.candidate.public_id in {each.place.split()[-1] for each in check(routed).labels}
