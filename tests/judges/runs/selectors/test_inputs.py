"""What a judge gets: question by question, strings and patterns apart, and of its own project only."""

from annotation.items.models import Candidate, GoldAnswer, Passage, Prediction, Question, RetrievedPassage
from annotation.projects.models import Project
from judges.protocol import JudgeInput
from judges.runs.selectors.work import judge_inputs
from tests.annotation.assignments.factories import make_source
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


class TestPassages:
    def test_come_only_with_runs_whose_prompt_asks_for_them(self, study: Project) -> None:
        candidate = Candidate.objects.filter(project=study).order_by("pk")[0]
        make_source(candidate=candidate, system="system")
        prediction = Prediction.objects.get(candidate=candidate)
        for position, (text, is_given) in enumerate(
            [("Found.", False), ("Found again.", False), ("Given.", True)]
        ):
            passage = Passage.objects.create(
                question=candidate.question,
                data_import=candidate.data_import,
                is_given=is_given,
                text=text,
                text_hash=text,
                title="Title" if is_given else "",
                position=position,
            )
            if not is_given:
                RetrievedPassage.objects.create(
                    prediction=prediction,
                    passage=passage,
                    data_import=candidate.data_import,
                    rank=9 - position,
                )
        run = start(study)
        assert judge_inputs(run, [candidate.pk])[candidate.pk].passages == ()
        run.stated = [*run.stated, ["passages_hash", "x"]]
        assert judge_inputs(run, [candidate.pk])[candidate.pk].passages == (
            "Title: Given.",
            "Found again.",
            "Found.",
        )
