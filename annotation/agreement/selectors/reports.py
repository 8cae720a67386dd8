"""How far raters agree, over all, in parts and in pilots; what was decided; the rows behind the numbers."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
from django.db.models import Count

from analysis.intervals import Figure
from analysis.raters.agreement import MissingVotes
from annotation.adjudication.models import Decision
from annotation.agreement.ports import routed_unequally
from annotation.agreement.rules.measures import AgreementReport, bound_kinds, measure_agreement, measure_pilot
from annotation.agreement.rules.slices import OF_ANSWERS, Dimension, Slice, measure_slices
from annotation.agreement.rules.votes import LabelView, disagreeing_items
from annotation.agreement.selectors.parts import read_parts
from annotation.agreement.selectors.votes import find_checks, find_differences, read_pilot, read_votes
from annotation.assignments.models import Pilot
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Credit
from annotation.projects.selectors import kept, name_sample
from common.errors import NotFound
from common.identifiers import sign_figures
from common.memory import computed


class RaterNotFound(NotFound):
    """The project has no such rater."""


class Way(NamedTuple):
    """How agreement is measured. check: the key of a check about the question, empty for answers."""

    rule: MissingVotes = MissingVotes.OWN_CATEGORY
    view: LabelView = LabelView.AS_LABELLED
    check: str = ""
    with_intervals: bool = True


@dataclass(frozen=True)
class SignedAgreement(AgreementReport):
    """The overall agreement among annotators, and the signature of what produced the figures."""

    signature: str


@dataclass(frozen=True)
class Check:
    """A question check that several annotators answer."""

    key: str
    text: str


@dataclass(frozen=True)
class Agreement(SignedAgreement):
    """Overall agreement among annotators.

    `check_key`: the check on which they are compared; empty for answers. `left_out`: the number of answers
    for which the first annotator’s label determined whether others were asked.
    """

    check_key: str
    left_out: int
    checks: list[Check]


@dataclass(frozen=True)
class Slices:
    """Agreement by part of the study.

    `by`: the breakdown shown. `dimensions`: all breakdowns that apply here.
    """

    by: Dimension
    signature: str
    dimensions: list[Dimension]
    slices: list[Slice]


@dataclass(frozen=True)
class PilotVote:
    """An annotator’s label, under the annotator’s pseudonym."""

    rater: str
    label: str


@dataclass(frozen=True)
class PilotDifference:
    """An answer to which annotators in a pilot gave different labels."""

    id: str
    text: str
    question: str
    votes: list[PilotVote]


@dataclass(frozen=True)
class PilotAgreement:
    """The agreement among a pilot’s annotators.

    `outcome`: empty while the pilot is running.
    """

    id: str
    begun_at: datetime
    outcome: str
    questions: int
    report: SignedAgreement
    differences: list[PilotDifference]


@dataclass(frozen=True)
class LabelDecided:
    """A label, how many decisions have it, and their share of all decisions.

    `sources`: the number of these decisions by source; sources without any are left out.
    """

    label: str
    name: str
    count: int
    share: Figure
    sources: dict[str, int]


@dataclass(frozen=True)
class Decisions:
    """Decisions by label, in the protocol’s order, and each source’s share of all decisions."""

    signature: str
    labels: list[LabelDecided]
    sources: dict[str, Figure]


@kept()
def read_agreement(*, project: Project, way: Way) -> Agreement:
    """Return how far raters agree over all, signed; raises `CheckNotFound`."""
    return Agreement(
        **vars(read_report(project=project, way=way)),
        signature=sign_agreement(project=project, way=way),
        check_key=way.check,
        left_out=0 if way.check else len(routed_unequally(project=project)),
        checks=[Check(check.key, check.text) for check in find_checks(project)],
    )


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
        routed=None if way.check or not routed_unequally(project=project) else "audited",
        sample=name_sample(project),
        protocol=project.protocol and project.protocol.number,
        has_intervals=way.with_intervals,
    )


@kept()
def read_cut(*, project: Project, way: Way, by: Dimension) -> Slices:
    """Return the study in parts; a way of cutting without meaning for a check has none."""
    dimensions = [each for each in Dimension if not (way.check and each in OF_ANSWERS)]
    return Slices(
        by=by,
        signature=sign_agreement(project=project, way=way, by=by),
        dimensions=dimensions,
        slices=read_slices(project=project, way=way, by=by) if by in dimensions else [],
    )


def read_pilots(*, project: Project) -> list[PilotAgreement]:
    """Return how far raters agree in each pilot, the newest first."""
    pilots = Pilot.objects.filter(project=project).select_related("project__protocol")
    return [_read_pilot(pilot) for pilot in pilots.order_by("-begun_at", "-pk")]


def _read_pilot(pilot: Pilot) -> PilotAgreement:
    signature = sign_figures("agreement", of="answers", votes=f"pilot {pilot.public_id}", has_intervals=True)
    return PilotAgreement(
        id=pilot.public_id,
        begun_at=pilot.begun_at,
        outcome=pilot.outcome,
        questions=pilot.questions.count(),
        report=SignedAgreement(**vars(measure_pilot(read_pilot(pilot=pilot))), signature=signature),
        differences=[
            PilotDifference(
                id=candidate.public_id,
                text=candidate.text,
                question=candidate.question.text,
                votes=[PilotVote(*vote) for vote in votes],
            )
            for candidate, votes in find_differences(pilot=pilot)
        ],
    )


def find_disputed(*, project: Project, way: Way, pair: Sequence[str] = ()) -> list[int]:
    """Return the keys of the answers on which the first raters differ, as a report of the same way counts.

    Of a check they are the keys of questions. pair: the pseudonyms of two raters, of whom alone it is
    asked. Raises `CheckNotFound`, `RaterNotFound`.
    """
    known = Membership.objects.filter(project=project, pseudonym__in=pair)
    if pair and known.count() < 2:
        raise RaterNotFound("Choose two annotators in this project.")
    return disagreeing_items(read_votes(project, way.check), rule=way.rule, view=way.view, pair=pair)


def items_in_part(*, project: Project, by: Dimension, name: str, check: str = "") -> list[int]:
    """Return the answers of one part of the study by their keys; none where there is no such part.

    Of a check they are questions. Raises `CheckNotFound`.
    """
    if check and by in OF_ANSWERS:
        return []
    votes = read_votes(project, check)
    rows = read_parts(project=project, first_round=votes, by=by).get(name)
    return [] if rows is None else [int(item) for item in votes.items[rows]]


def read_decisions(*, project: Project) -> Decisions:
    """Count the decisions in force on proper questions, and bound their shares over questions, 95%.

    A label of an earlier protocol that decisions still bear comes last, under its key.
    """
    in_force = Decision.objects.in_force().filter(candidate__project=project)
    rows = list(
        in_force.exclude(candidate__question__in=improper_questions(project))
        .values_list("candidate__question_id", "label", "source")
        .annotate(Count("pk"))
        .order_by("candidate__question_id", "label", "source")
    )
    labels = project.protocol.rules.labels if project.protocol else ()
    names = {label.key: label.name for label in labels if label.credit is not Credit.MISSING}
    by_label: dict[str, dict[str, int]] = {key: {} for key in names}
    for _, label, source, count in sorted(rows, key=lambda row: row[1:3]):
        by_source = by_label.setdefault(label, {})
        by_source[source] = by_source.get(source, 0) + count
    questions, kinds, sources, counts = zip(*rows, strict=True) if rows else ((), (), (), ())
    shares = _shares(questions, kinds, counts)
    return Decisions(
        signature=sign_decisions(project),
        labels=[
            LabelDecided(key, names.get(key, key), sum(own.values()), shares.get(key, Figure(0.0)), dict(own))
            for key, own in by_label.items()
        ],
        sources=_shares(questions, sources, counts),
    )


def sign_decisions(project: Project) -> str:
    """Return in one line what produced the counts and the shares of what was decided."""
    return sign_figures(
        "decisions",
        of="answers to proper questions",
        sample=name_sample(project),
        protocol=project.protocol and project.protocol.number,
        has_intervals=True,
    )


def _shares(questions: Sequence[int], kinds: Sequence[str], counts: Sequence[int]) -> dict[str, Figure]:
    names, numbers = np.unique(np.array(kinds, dtype=str), return_inverse=True)
    _, groups = np.unique(np.array(questions, dtype=np.int64), return_inverse=True)
    of_each = np.array(counts, dtype=np.int64)
    bounds = bound_kinds(numbers, groups=groups, kind_count=len(names), counts=of_each)
    totals = np.bincount(numbers, weights=of_each, minlength=len(names)) / max(of_each.sum(), 1)
    found = zip(names.tolist(), totals.tolist(), bounds, strict=True)
    return {name: Figure.of(share, interval) for name, share, interval in found}
