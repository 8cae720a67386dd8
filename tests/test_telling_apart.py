"""A decision tree over all numbers heard of a sheet tells hidden sheets from work no better than chance."""

from datetime import timedelta
from typing import NamedTuple

import numpy as np
import pytest
from django.conf import LazySettings
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict
from sklearn.tree import DecisionTreeClassifier

from annotation.assignments.blind_view import build_work
from annotation.assignments.models import Purpose, Sheet
from annotation.assignments.selectors.open_work import count_questions_left
from annotation.assignments.services.handing_out import flag_question, hand_out
from annotation.items.models import Candidate, Question
from annotation.judgments.rules import AnswerGiven
from annotation.judgments.services.revising import edit_judgment, undo_submit
from annotation.known_answers.services import mark_known
from annotation.projects.models import Membership, Project
from tests.annotation.assignments.factories import judge, make_question
from tests.annotation.known_answers.factories import use_plan
from tests.factories import make_member
from tests.twins import LEASE, Clock, fixed, queries_asked

pytestmark = pytest.mark.long

RATERS, SHEETS, SHUFFLES = 4, 16, 99
# All that is drawn is fixed, so the test says the same in every run.
CHANCE_OF_ERROR = 0.01


class Count(NamedTuple):
    """What the judging page says of a rater's work."""

    left: int
    questions: int
    answers: int

    def since(self, before: "Count") -> tuple[int, int, int]:
        return (self.left - before.left, self.questions - before.questions, self.answers - before.answers)


def count(rater: Membership) -> Count:
    left = count_questions_left(rater=rater)
    progress = build_work(rater=rater, sheets=[], left_questions=left, references=None).progress
    return Count(progress.left_questions, progress.judged_questions, progress.judged_answers)


def shown(rater: Membership, sheet: Sheet) -> tuple[int, int]:
    """Return how many answers and how many flags a sheet shows."""
    (blind,) = build_work(rater=rater, sheets=[sheet], left_questions=0, references=None).sheets
    return len(blind.answers), len(blind.question.flags)


def look_at(rater: Membership, sheet: Sheet, clock: Clock, begun: Count) -> list[float]:
    """Flag, let lapse, hand in, take back and edit a sheet; return every number heard on the way.

    begun: what the page says once the sheet is handed out.
    """
    heard = [*shown(rater, sheet)]
    flag_question(rater=rater, sheet_id=sheet.public_id, kind="list")
    heard += shown(rater, sheet)
    clock.now += 2 * LEASE
    back = hand_out(rater=rater)
    heard += [back[0] == sheet, *shown(rater, back[0]), *count(rater).since(begun)]
    outcome = judge(sheet, "correct")
    heard += [outcome.counted, outcome.surplus, len(outcome.message), *count(rater).since(begun)]
    clock.now += timedelta(seconds=1)
    undo_submit(rater=rater)
    heard += [*shown(rater, sheet), *count(rater).since(begun)]
    outcome = judge(sheet, "incorrect")
    heard += [outcome.counted, *count(rater).since(begun)]
    answer = sheet.assignments.order_by("position")[0].candidate
    given = AnswerGiven(id=answer.public_id, label="correct", comment="on second thoughts")
    edited = edit_judgment(rater=rater, sheet_id=sheet.public_id, given=given, seen_at=clock.now)
    heard += [len(edited.label), *count(rater).since(begun)]
    return [float(number) for number in heard]


def make_items(project: Project) -> None:
    """Make questions of one to four answers; of every third one answer is known, outside the sample."""
    for number in range(60):
        question = make_question(project=project, answers=1 + number % 4)
        if number % 3 == 0:
            Candidate.objects.filter(question=question).update(state=Candidate.State.UNASKED, wanted=0)
            Question.objects.filter(pk=question.pk).update(in_sample=False)
            known = question.candidates.order_by("pk")[0]
            mark_known(project=project, candidate=known, by=project.created_by, use="hidden", label="correct")


def test_a_tree_cannot_tell_hidden_sheets_from_work(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    Project.objects.filter(pk=project.pk).update(seed=7)
    with fixed(monkeypatch) as (clock, _):
        make_items(project)
        use_plan(project, known_share=0.3, repeat_share=0.2, repeat_distance=2, repeat_hours=0)
        clock.now += timedelta(hours=1)
        features, hidden, groups = [], [], []
        for group in range(RATERS):
            member = make_member(project=project)
            Membership.objects.filter(pk=member.pk).update(public_id=f"rater {group}")
            rater = Membership.objects.select_related("project__protocol", "user").get(pk=member.pk)
            for _ in range(SHEETS):
                before = count(rater)
                (sheet,) = hand_out(rater=rater)
                begun = count(rater)
                features.append([*begun.since(before), *look_at(rater, sheet, clock, begun)])
                hidden.append(sheet.purpose != Purpose.VOTE)
                groups.append(group)
                clock.now += timedelta(minutes=5)
    assert 10 < sum(hidden) < RATERS * SHEETS - 10
    assert chance_of(features, hidden, groups) > CHANCE_OF_ERROR


def test_a_tree_cannot_tell_them_by_what_is_asked_of_the_database(
    project: Project, monkeypatch: pytest.MonkeyPatch, settings: LazySettings
) -> None:
    # It takes its time, which a client can measure: known answers took half as long again as work.
    settings.ASSAY_SETTLES_AT_ONCE = False
    Project.objects.filter(pk=project.pk).update(seed=7)
    with fixed(monkeypatch) as (clock, _):
        make_items(project)
        use_plan(project, known_share=0.3, repeat_share=0.2, repeat_distance=2, repeat_hours=0)
        clock.now += timedelta(hours=1)
        asked, hidden, groups = [], [], []
        for group in range(RATERS):
            member = make_member(project=project)
            Membership.objects.filter(pk=member.pk).update(public_id=f"rater {group}")
            rater = Membership.objects.select_related("project__protocol", "user").get(pk=member.pk)
            for _ in range(SHEETS):
                with queries_asked() as handing_out:
                    (sheet,) = hand_out(rater=rater)
                with queries_asked() as handing_in:
                    judge(sheet, "correct")
                asked.append([float(len(handing_out)), float(len(handing_in))])
                hidden.append(sheet.purpose != Purpose.VOTE)
                groups.append(group)
                clock.now += timedelta(minutes=5)
    assert 10 < sum(hidden) < RATERS * SHEETS - 10
    assert chance_of(asked, hidden, groups) > CHANCE_OF_ERROR


def chance_of(features: list[list[float]], hidden: list[bool], groups: list[int]) -> float:
    """Return p that a tree tells sheets of raters it has not seen as well where purposes are dealt anew.

    A permutation test: within each rater, who works in a day of their own, the purposes are shuffled, and
    the cross-validated area under the curve is measured again (Phipson and Smyth 2010: p is never 0).
    """
    table, truth, raters = np.array(features), np.array(hidden), np.array(groups)
    chance = np.random.default_rng(1)

    def measure(labels: np.ndarray) -> float:
        tree = DecisionTreeClassifier(max_depth=3, random_state=1)
        said = cross_val_predict(
            tree, table, labels, groups=raters, cv=GroupKFold(RATERS), method="predict_proba"
        )
        return float(roc_auc_score(labels, said[:, 1]))

    def shuffled() -> np.ndarray:
        labels = truth.copy()
        for group in set(groups):
            labels[raters == group] = chance.permutation(truth[raters == group])
        return labels

    found = measure(truth)
    as_good = sum(measure(shuffled()) >= found for _ in range(SHUFFLES))
    return (1 + as_good) / (1 + SHUFFLES)


def planted(*, telling_share: float, seed: int) -> tuple[list[list[float]], list[bool], list[int]]:
    """Return noise of which one number tells some of the hidden sheets."""
    chance = np.random.default_rng(seed)
    hidden = [bool(is_hidden) for is_hidden in chance.random(RATERS * SHEETS) < 0.35]
    features = [
        [*chance.integers(1, 5, 3), float(is_hidden and chance.random() < telling_share)]
        for is_hidden in hidden
    ]
    return features, hidden, [number // SHEETS for number in range(RATERS * SHEETS)]


@pytest.mark.parametrize("seed", range(2))
def test_a_leak_of_six_in_ten_hidden_sheets_is_found(seed: int) -> None:
    assert chance_of(*planted(telling_share=0.6, seed=seed)) <= CHANCE_OF_ERROR


@pytest.mark.parametrize("seed", range(2))
def test_nothing_is_found_in_noise(seed: int) -> None:
    assert chance_of(*planted(telling_share=0, seed=seed)) > CHANCE_OF_ERROR
