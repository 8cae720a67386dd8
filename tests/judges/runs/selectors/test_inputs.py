"""What a judge gets: question by question, strings and patterns apart, and of its own project only."""

from annotation.items.models import GoldAnswer, Question
from annotation.projects.models import Project
from judges.protocol import JudgeInput
from judges.runs.selectors.work import judge_inputs
from tests.factories import make_project
from tests.judges.runs.conftest import add_question
from tests.judges.runs.services.conftest import start


class TestJudgeInputs:
    def test_come_question_by_question(self, study: Project) -> None:
        pks = list(study.candidates.order_by("-pk").values_list("pk", flat=True))
        inputs = judge_inputs(start(study), pks)
        assert list(inputs) == sorted(pks)
        assert inputs[pks[-1]] == JudgeInput("who sang help", "beatles", ("The Beatles", "Fab Four"))

    def test_part_patterns_from_strings(self, study: Project) -> None:
        candidates = add_question(study, "which", golds=["x|y"], answers=["x"], regex=True)
        question = Question.objects.get(text="which")
        GoldAnswer.objects.create(question=question, data_import=question.data_import, text="z", position=1)
        inputs = judge_inputs(start(study), [candidates[0].pk])
        assert inputs[candidates[0].pk] == JudgeInput("which", "x", ("z",), ("x|y",))

    def test_leave_out_other_projects_and_what_is_gone(self, study: Project) -> None:
        other = make_project()
        strangers = add_question(other, "who", golds=["x"], answers=["x"])
        assert judge_inputs(start(study), [strangers[0].pk, 10**9]) == {}

    def test_of_the_amended_list_name_what_people_made_of_it(self, study: Project) -> None:
        run = start(study, gold="amended")
        pk = study.candidates.earliest("pk").pk
        assert judge_inputs(run, [pk])[pk].golds == ("The Beatles", "Fab Four")
