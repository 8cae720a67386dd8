"""A project on whose answers two raters differ, while a third has judged none of them."""

from annotation.projects.models import Project
from annotation.projects.services.protocols import set_protocol
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_member, make_project, make_user

SLUG = "disputed"
LEAD = f"lead-{SLUG}"
ANSWERS = ["Lyon", "Marseille", "Nice"]


def fill() -> None:
    """Store the project."""
    project = make_project(lead=make_user(username=LEAD), slug=SLUG, name="Disputed")
    assert project.protocol is not None
    spec = {**project.protocol.spec, "preset": "own", "tie_break": "lead"}
    set_protocol(project=project, spec=spec)
    project = Project.objects.select_related("protocol").get(pk=project.pk)
    raters = [make_member(project=project, username=f"rater{number}-{SLUG}") for number in range(3)]
    make_answers(project=project, question="largest city of france", gold=["Paris"], texts=ANSWERS)
    for rater, label in zip(raters, ["correct", "incorrect"], strict=False):
        vote(rater=rater, labels=dict.fromkeys(ANSWERS, label))
