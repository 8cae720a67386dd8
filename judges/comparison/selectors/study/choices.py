"""Read what the questions and systems of a study can be filtered by."""

from typing import NamedTuple

from annotation.items.models import Question, System
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.study.selection import FEWEST_REFERENCES, has_size
from judges.comparison.selectors.study.arrays import called_ambiguous


class Choices(NamedTuple):
    """What one can filter a study by.

    has_ambiguous: some questions are not unambiguous. knows_references: files said how many of those who
    wrote gold answers gave one. has_rest: there are questions that people do not judge.
    """

    datasets: list[str]
    tags: list[str]
    has_ambiguous: bool
    knows_references: bool
    has_sizes: bool
    has_rest: bool


@kept()
def read_choices(*, project: Project) -> Choices:
    """Return what the study can be filtered by."""
    questions = Question.objects.filter(project=project).order_by()
    tags = questions.exclude(tags=[]).values_list("tags", flat=True).distinct()
    descriptions = System.objects.filter(project=project).values_list("description", flat=True)
    return Choices(
        datasets=sorted(questions.exclude(dataset="").values_list("dataset", flat=True).distinct()),
        tags=sorted({tag for own in tags for tag in own}),
        has_ambiguous=any(
            rows.exists()
            for rows in (*called_ambiguous(project), questions.filter(reference_count__lt=FEWEST_REFERENCES))
        ),
        knows_references=questions.filter(reference_count__isnull=False).exists(),
        has_sizes=any(map(has_size, descriptions)),
        has_rest=questions.filter(in_sample=False).exists(),
    )
