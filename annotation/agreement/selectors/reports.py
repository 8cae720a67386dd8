"""Agreement of a project, and in its parts."""

from typing import NamedTuple

from analysis.agreement import MissingVotes
from annotation.agreement.rules import (
    AgreementReport,
    Dimension,
    FirstRound,
    LabelView,
    Slice,
    measure_agreement,
    measure_slices,
)
from annotation.agreement.selectors.checks import read_check_round
from annotation.agreement.selectors.parts import read_parts
from annotation.agreement.selectors.votes import read_first_round
from annotation.assignments.models import Pilot
from annotation.projects.models import Project
from annotation.projects.selectors import kept, name_sample
from common.identifiers import sign_figures
from common.memory import computed


class Way(NamedTuple):
    """How agreement is measured. check: the key of a check about the question, empty for answers."""

    rule: MissingVotes = MissingVotes.OWN_CATEGORY
    view: LabelView = LabelView.AS_LABELLED
    check: str = ""
    with_intervals: bool = True


@kept()
def read_report(*, project: Project, way: Way) -> AgreementReport:
    """Return how far raters agree over all; raises `CheckNotFound`."""
    return computed(
        measure_agreement,
        read_votes(project, way.check),
        rule=way.rule,
        view=way.view,
        with_intervals=way.with_intervals,
    )


@kept()
def read_slices(*, project: Project, way: Way, by: Dimension) -> list[Slice]:
    """Return how far raters agree in each part of the study; raises `CheckNotFound`."""
    votes = read_votes(project, way.check)
    return computed(
        measure_slices,
        votes,
        read_parts(project=project, first_round=votes, by=by),
        rule=way.rule,
        view=way.view,
        with_intervals=way.with_intervals,
    )


def sign_agreement(*, project: Project, way: Way, by: Dimension | None = None) -> str:
    """Return what produced a report, or with `by` its parts, in one line."""
    return sign_figures(
        "agreement",
        of=f"check {way.check}" if way.check else "answers",
        votes="first round",
        labels=way.view.value,
        missing_votes=None if way.check else way.rule.value,
        by=by and by.value,
        sample=name_sample(project),
        protocol=project.protocol and project.protocol.number,
        has_intervals=way.with_intervals,
    )


def sign_pilot(pilot: Pilot) -> str:
    """Return what produced a pilot's report in one line."""
    return sign_figures("agreement", of="answers", votes=f"pilot {pilot.public_id}", has_intervals=True)


def read_votes(project: Project, check: str) -> FirstRound:
    """Return the votes on answers, or on a check where its key is given; raises `CheckNotFound`."""
    return read_check_round(project=project, key=check) if check else read_first_round(project=project)
