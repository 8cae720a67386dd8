"""Gold answers among the answers, and answers that equal gold: what raters get, and what becomes of it."""

import pytest

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.protocol_changes import foresee_change, words_of_change
from annotation.assignments.models import Assignment
from annotation.assignments.services.handing_out import hand_out
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import judged_gold
from annotation.items.models import Candidate
from annotation.items.services.applying import undo_import
from annotation.projects.models import Project
from annotation.projects.services.protocols import set_protocol
from judges.runs.models import JudgeRun
from judges.runs.selectors.work import unplanned_candidates
from tests.annotation.assignments.factories import judge
from tests.annotation.items.conftest import import_into, jsonl
from tests.conftest import ClientOf
from tests.factories import make_member

pytestmark = pytest.mark.django_db
ROWS = (
    {"question": "largest city of france", "answer": ["Paris", "City of Paris"], "prediction": "the paris!"},
    {"question": "longest river", "answer": ["Nile"], "prediction": "Amazon"},
)


def adopt(project: Project, **changes: object) -> None:
    project.refresh_from_db()
    assert project.protocol is not None
    set_protocol(project=project, spec={**project.protocol.spec, **changes})


def open_texts() -> list[str]:
    return list(
        Candidate.objects.filter(state="open").order_by("question", "position").values_list("text", flat=True)
    )


@pytest.fixture
def study(project: Project) -> Project:
    import_into(project, files={"system.jsonl": jsonl(ROWS)})
    return project


class TestGoldAmongAnswers:
    def test_each_joins_once_and_leaves_again(self, study: Project) -> None:
        adopt(study, gold_among_answers=True)
        assert open_texts() == ["the paris!", "City of Paris", "Amazon", "Nile"]
        adopt(study, gold_among_answers=True, sheet_size=9)
        assert Candidate.objects.count() == 4
        adopt(study, gold_among_answers=False)
        assert open_texts() == ["the paris!", "Amazon"]

    def test_what_comes_in_later_joins_too(self, project: Project) -> None:
        adopt(project, gold_among_answers=True)
        made = import_into(project, files={"system.jsonl": jsonl(ROWS)})
        assert len(open_texts()) == 4
        # No run of a judge has anything to do with what no system said.
        asked = Candidate.objects.filter(pk__in=unplanned_candidates(JudgeRun(project=project)))
        assert set(asked.values_list("text", flat=True)) == {"the paris!", "Amazon"}
        undo_import(data_import=made)
        assert not Candidate.objects.exists()

    def test_a_system_that_says_the_same_is_pooled_with_it(self, study: Project) -> None:
        adopt(study, gold_among_answers=True)
        row = {"question": "longest river", "answer": ["Nile"], "prediction": "nile"}
        import_into(study, files={"other.jsonl": jsonl([row])})
        assert Candidate.objects.get(text="Nile").predictions.count() == 1

    def test_leads_learn_what_people_reject(self, study: Project, lead: User) -> None:
        adopt(study, gold_among_answers=True)
        for rater in (make_member(project=study), make_member(project=study)):
            for sheet in hand_out(rater=rater, ahead=2):
                labels = {"City of Paris": "correct", "Nile": "incorrect", "Amazon": "correct"}
                judge(sheet, {"the paris!": "correct", **labels})
        found = judged_gold(project=study)
        assert (found.judged, found.rejected) == (3, 1)
        ledger = ClientOf(lead).get("/api/projects/small/gold").json()
        share = ledger["judged_gold"].pop("share")
        assert ledger["judged_gold"] == {"judged": 3, "rejected": 1}
        assert [round(100 * share[end], 1) for end in ("value", "low", "high")] == [33.3, 0.4, 93.3]
        # Nothing is added that is gold already; what people reject leaves.
        changes = set(GoldChange.objects.values_list("action", "text"))
        assert changes == {("added", "Amazon"), ("added", "the paris!"), ("removed", "Nile")}

    def test_gold_that_was_judged_stays(self, study: Project) -> None:
        adopt(study, gold_among_answers=True)
        (sheet,) = hand_out(rater=make_member(project=study))
        judge(sheet)
        judged = Assignment.objects.filter(candidate__from_gold=True).count()
        adopt(study, gold_among_answers=False)
        assert Candidate.objects.filter(from_gold=True).count() == judged > 0


class TestGoldEqual:
    def test_is_settled_and_given_back_as_a_group(self, study: Project) -> None:
        adopt(study, gold_equal="correct")
        decision = Decision.objects.get()
        assert (decision.candidate.text, decision.label, decision.source) == (
            "the paris!",
            "correct",
            "prejudged",
        )
        assert open_texts() == ["Amazon"]
        assert not GoldChange.objects.exists()
        adopt(study, gold_equal="judged")
        assert open_texts() == ["the paris!", "Amazon"]
        assert [
            sheet.assignments.count() for sheet in hand_out(rater=make_member(project=study), ahead=2)
        ] == [1, 1]
        adopt(study, gold_equal="correct")
        # Somebody holds it now.
        assert open_texts() == ["the paris!", "Amazon"]

    def test_comes_with_every_import_and_leaves_with_it(self, project: Project) -> None:
        adopt(project, gold_equal="correct")
        made = import_into(project, files={"system.jsonl": jsonl(ROWS)})
        assert open_texts() == ["Amazon"]
        undo_import(data_import=made)
        assert not Candidate.objects.exists()

    def test_what_people_hold_stays_theirs(self, study: Project) -> None:
        hand_out(rater=make_member(project=study), ahead=2)
        adopt(study, gold_equal="correct")
        assert not Decision.objects.exists()


class TestForeseen:
    def test_the_editor_says_what_gold_will_change(self, study: Project) -> None:
        spec = study.protocol.spec
        among = words_of_change(foresee_change(project=study, spec={**spec, "gold_among_answers": True}))
        assert "2 gold answers are added to the answers that annotators judge." in among
        equal = words_of_change(foresee_change(project=study, spec={**spec, "gold_equal": "correct"}))
        assert "1 open answer equals a gold answer and counts as correct without being judged." in equal
        adopt(study, gold_equal="correct")
        study.refresh_from_db()
        back = words_of_change(foresee_change(project=study, spec=spec))
        assert (
            "1 answer goes to annotators. Until now, it counted as correct because it equals a gold answer."
            in back
        )
