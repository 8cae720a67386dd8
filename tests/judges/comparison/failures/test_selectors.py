"""Boards read from a study: which tags count, what rounds could have drawn, what is chosen by itself."""

from typing import Any

import pytest

from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate, Prediction
from annotation.items.selectors import SystemNotFound
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.comparison.rules.failures import Bands, BoardKind
from judges.comparison.selectors.failures import Wanted, answers_behind, read_failure_board
from judges.comparison.selectors.judge_board.judged import RunNotComparable
from judges.runs.models import JudgeRun, Verdict
from judges.tagging.models import TaggedItem
from judges.tagging.rules.rounds import Filter, People, Said
from judges.tagging.selectors import TagSetNotFound
from judges.tagging.services import save_tag_set, tag_item, withdraw_tagging
from tests.judges.comparison.failures.conftest import Tagger
from tests.judges.tagging.conftest import item_of

MISSED = {"the city of Paris": ["bridging"], "William S.": ["multinominal-entity", "bridging"]}


def read(project: Project, kind: BoardKind, **chosen: Any) -> Any:
    return read_failure_board(project=project, wanted=Wanted(kind, **chosen))


def cells(found: Any) -> dict[tuple[str, str], tuple[int, int]]:
    """Return the cells that count something."""
    return {(cell.row, cell.column): (cell.items, cell.of) for cell in found.cells if cell.items}


def texts(ids: list[int]) -> set[str]:
    return set(Candidate.objects.filter(pk__in=ids).values_list("text", flat=True))


class TestMisses:
    def test_tags_stand_beside_each_judge(
        self, study: Project, exact: JudgeRun, bem: JudgeRun, tag: Tagger
    ) -> None:
        tag("kamalloo", Filter(run=exact.public_id, said=Said.REJECTS, people=People.ACCEPT), MISSED)
        found = read(study, BoardKind.MISSES)
        assert cells(found) == {
            ("bridging", "exact_match"): (2, 2),
            ("multinominal-entity", "exact_match"): (1, 2),
            ("bridging", "bem"): (1, 1),
            ("multinominal-entity", "bem"): (1, 1),
        }
        assert (found.set, found.rounds, found.items) == ("kamalloo", 1, 2)
        assert len(found.rows) == 14

    def test_what_another_judge_repairs(
        self, study: Project, exact: JudgeRun, bem: JudgeRun, tag: Tagger
    ) -> None:
        tag("kamalloo", Filter(run=exact.public_id, said=Said.REJECTS), MISSED | {"Marlowe": ["list"]})
        found = read(study, BoardKind.REPAIRS)
        assert cells(found) == {("bridging", "bem"): (1, 2)}
        (column,) = found.columns
        assert (column.rated, column.base, found.baseline) == (1, 2, "Exact match")

    def test_without_exact_match_nothing_can_be_repaired(
        self, study: Project, bem: JudgeRun, tag: Tagger
    ) -> None:
        tag("kamalloo", Filter(), MISSED)
        assert read(study, BoardKind.REPAIRS).columns == []

    def test_what_was_taken_back_is_no_tag_and_a_proposal_neither(
        self, study: Project, exact: JudgeRun, member: Membership, tag: Tagger
    ) -> None:
        drawn = tag("kamalloo", Filter(people=People.ACCEPT), MISSED, proposals="shown")
        withdraw_tagging(item=item_of(drawn, "William S."), by=member, seen_number=1)
        found = read(study, BoardKind.MISSES)
        assert cells(found) == {("bridging", "exact_match"): (1, 1)}

    def test_in_two_rounds_the_last_word_counts(self, study: Project, exact: JudgeRun, tag: Tagger) -> None:
        tag("kamalloo", Filter(), {"William S.": ["list"]})
        tag("kamalloo", Filter(people=People.ACCEPT), {"William S.": ["symbolic"]}, seed=2)
        assert cells(read(study, BoardKind.MISSES)) == {("symbolic", "exact_match"): (1, 1)}

    def test_a_new_tag_shows_at_once(
        self, study: Project, exact: JudgeRun, member: Membership, tag: Tagger
    ) -> None:
        drawn = tag("kamalloo", Filter(), {"William S.": ["list"]})
        read(study, BoardKind.MISSES)
        tag_item(item=item_of(drawn, "William S."), by=member, tags=["symbolic"], seen_number=1)
        assert cells(read(study, BoardKind.MISSES)) == {("symbolic", "exact_match"): (1, 1)}

    def test_what_people_decide_anew_leaves_the_board(
        self, study: Project, exact: JudgeRun, tag: Tagger
    ) -> None:
        tag("kamalloo", Filter(), MISSED)
        candidate = Candidate.objects.get(project=study, text="William S.")
        decide_answer(
            project=study,
            candidate_id=candidate.public_id,
            by=study.created_by,
            label="incorrect",
            reason="again",
        )
        assert cells(read(study, BoardKind.MISSES)) == {("bridging", "exact_match"): (1, 1)}

    def test_tags_of_an_earlier_version_keep_a_row(
        self, study: Project, exact: JudgeRun, tag: Tagger
    ) -> None:
        def save(*keys: str) -> None:
            tags = [{"key": key, "name": key.title(), "meaning": "…"} for key in keys]
            save_tag_set(
                project=study, by=study.created_by, key="own", name="Own", subject="answer", tags=tags
            )

        save("old")
        tag("own", Filter(), {"William S.": ["old"]})
        save("new")
        found = read(study, BoardKind.MISSES, set_key="own")
        assert [row.key for row in found.rows] == ["new", "old"]
        assert cells(found) == {("old", "exact_match"): (1, 1)}

    def test_a_set_nobody_used_is_not_found(self, study: Project, exact: JudgeRun, tag: Tagger) -> None:
        tag("kamalloo", Filter(), MISSED)
        with pytest.raises(TagSetNotFound):
            read(study, BoardKind.MISSES, set_key="evouna-answers")
        assert read(study, BoardKind.WRONG).set == "kamalloo"

    @pytest.mark.parametrize("kind", sorted(set(BoardKind) - {BoardKind.LENGTH, BoardKind.UNATTRIBUTABLE}))
    def test_before_anything_is_tagged_there_are_rates_alone(
        self, study: Project, exact: JudgeRun, bem: JudgeRun, kind: BoardKind
    ) -> None:
        found = read(study, kind)
        assert (found.rows, found.cells, found.sets, found.items) == ([], [], [], 0)
        assert {column.tagged for column in found.columns} == {0}
        assert all(column.base for column in found.columns)

    @pytest.mark.parametrize("kind", BoardKind)
    def test_an_empty_project_has_empty_boards(self, project: Project, kind: BoardKind) -> None:
        board = read(project, kind)
        assert board.cells == [] or {cell.of for cell in board.cells} == {0}


class TestWrong:
    def test_shares_are_of_all_answers_of_a_system(
        self, study: Project, exact: JudgeRun, tag: Tagger
    ) -> None:
        tag("evouna-answers", Filter(people=People.REJECT), {"Marlowe": ["inacc"]})
        found = read(study, BoardKind.WRONG)
        assert cells(found) == {("inacc", "beta"): (1, 3)}
        (share,) = [cell.share.value for cell in found.cells if cell.items]
        assert share == pytest.approx(1 / 3)
        assert [(column.name, column.rated, column.base) for column in found.columns] == [
            ("Alpha", 0, 3),
            ("Beta", 1, 3),
        ]

    def test_behind_a_cell_are_its_answers(self, study: Project, exact: JudgeRun, tag: Tagger) -> None:
        tag("evouna-answers", Filter(people=People.REJECT), {"Marlowe": ["inacc"]})
        wanted = Wanted(BoardKind.WRONG)

        def behind(row: str, column: str) -> set[str]:
            return texts(answers_behind(project=study, wanted=wanted, row=row, column=column))

        assert behind("inacc", "beta") == behind("", "beta") == {"Marlowe"}
        assert behind("inacc", "alpha") == behind("inacc", "gamma") == behind("none", "beta") == set()


class TestErrors:
    wanted = {"William S.": ["synonym"]}

    def test_are_of_one_judge_with_each_system(self, study: Project, exact: JudgeRun, tag: Tagger) -> None:
        tag("evouna-evaluators", Filter(run=exact.public_id, said=Said.ERRS), self.wanted)
        found = read(study, BoardKind.ERRORS)
        assert cells(found) == {("synonym", "alpha"): (1, 1)}
        assert [(each.key, each.name) for each in found.runs] == [(exact.public_id, "Exact match")]
        alpha, beta = found.columns
        assert (alpha.rated, alpha.base, beta.rated, beta.base) == (2, 3, 0, 3)

    def test_a_verdict_given_anew_takes_its_tag_away(
        self, study: Project, exact: JudgeRun, tag: Tagger
    ) -> None:
        tag("evouna-evaluators", Filter(run=exact.public_id, said=Said.ERRS), self.wanted)
        Verdict.objects.filter(run=exact, candidate__text="William S.").update(accepted=True, judged_at=now())
        assert cells(read(study, BoardKind.ERRORS)) == {}

    def test_a_run_nobody_tagged_is_not_found(
        self, study: Project, exact: JudgeRun, bem: JudgeRun, tag: Tagger
    ) -> None:
        tag("evouna-evaluators", Filter(run=exact.public_id, said=Said.ERRS), self.wanted)
        with pytest.raises(RunNotComparable):
            read(study, BoardKind.ERRORS, run=bem.public_id)


class TestLength:
    def test_is_of_what_systems_gave(self, study: Project, exact: JudgeRun) -> None:
        found = read(study, BoardKind.LENGTH)
        # Paris, Pacific twice and Marlowe of one word; "William S."; "the city of Paris".
        assert cells(found) == {("0-1", "exact_match"): (4, 4)}
        assert {cell.of for cell in found.cells} == {4, 1, 0}
        assert found.bands is Bands.NARROW

    def test_of_one_system(self, study: Project, exact: JudgeRun) -> None:
        found = read(study, BoardKind.LENGTH, system="alpha")
        assert cells(found) == {("0-1", "exact_match"): (1, 1)}
        with pytest.raises(SystemNotFound):
            read(study, BoardKind.LENGTH, system="gamma")

    def test_the_length_is_that_of_the_systems_own_words(self, study: Project, exact: JudgeRun) -> None:
        Prediction.objects.filter(text="Marlowe").update(text="well  Marlowe\n then")
        assert cells(read(study, BoardKind.LENGTH)) == {
            ("0-1", "exact_match"): (3, 3),
            ("3-5", "exact_match"): (1, 2),
        }

    def test_behind_a_share_of_right_verdicts_are_the_wrong_ones(
        self, study: Project, exact: JudgeRun
    ) -> None:
        ids = answers_behind(project=study, wanted=Wanted(BoardKind.LENGTH), row="2-2", column="exact_match")
        assert texts(ids) == {"William S."}

    def test_without_a_judge_there_is_nothing(self, study: Project) -> None:
        assert read(study, BoardKind.LENGTH).columns == []


class TestFurtherBoards:
    def test_unattributable_is_read_from_every_set(
        self, study: Project, exact: JudgeRun, bem: JudgeRun, tag: Tagger
    ) -> None:
        tag("kamalloo", Filter(), {"Marlowe": ["list"]})
        tag("evouna-answers", Filter(people=People.REJECT), {"Marlowe": []})
        assert cells(read(study, BoardKind.UNATTRIBUTABLE)) == {("unattributable", "bem"): (1, 1)}

    def test_unattributable_can_be_of_one_system(
        self, study: Project, exact: JudgeRun, bem: JudgeRun, tag: Tagger
    ) -> None:
        tag("evouna-answers", Filter(people=People.REJECT), {"Marlowe": []})
        found = read(study, BoardKind.UNATTRIBUTABLE, system="beta")
        assert cells(found) == {("unattributable", "bem"): (1, 1)}
        assert "beta" in found.signature
        of_alpha = read(study, BoardKind.UNATTRIBUTABLE, system="alpha")
        assert cells(of_alpha) == {}
        assert {column.base for column in of_alpha.columns} == {0}
        wanted = Wanted(BoardKind.UNATTRIBUTABLE, system="alpha")
        assert answers_behind(project=study, wanted=wanted, row="", column="bem") == []

    def test_credit_counts_questions_beyond_gold(self, study: Project, exact: JudgeRun, tag: Tagger) -> None:
        tag("efficientqa", Filter(beyond_gold=True), {"the city of Paris": ["different-granularity"]})
        found = read(study, BoardKind.CREDIT)
        assert cells(found) == {("different-granularity", "definitely"): (1, 1)}
        (column,) = found.columns
        assert (column.total, column.base) == (2, 3)

    def test_credit_takes_sets_about_questions(
        self, study: Project, exact: JudgeRun, member: Membership, tag: Tagger
    ) -> None:
        tags = [{"key": "vague", "name": "Vague", "meaning": "…"}]
        save_tag_set(project=study, by=study.created_by, key="own", name="Own", subject="question", tags=tags)
        drawn = tag("own", Filter(), {})
        item = TaggedItem.objects.select_related("round__tag_set", "round__run").get(
            round=drawn, question__text="who wrote hamlet"
        )
        tag_item(item=item, by=member, tags=["vague"], seen_number=0)
        assert cells(read(study, BoardKind.CREDIT)) == {("vague", "definitely"): (1, 1)}
