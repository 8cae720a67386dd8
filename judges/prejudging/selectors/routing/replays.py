"""Try a rule of routing on answers that people judged in full."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import Integers
from analysis.intervals import Figure
from analysis.prejudging.routing import NOTHING, foresee_routing
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, may_be_routed
from annotation.judgments.models import Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.identifiers import hash_signature
from judges.prejudging.rules.routing import (
    FIXED_VOTES,
    LEAST_JUDGED,
    NO_PROTOCOL,
    ONE_RATER,
    THRESHOLDS,
    lacking_words,
)
from judges.prejudging.selectors.policies import ChoosableRun, labels_of
from judges.prejudging.selectors.routing.figures import sign_routing
from judges.prejudging.selectors.routing.routes import hear_run, routed_unequally
from judges.prejudging.selectors.routing.runs import find_run, says_how_sure


class JudgedInFull(NamedTuple):
    """Answers judged in full, one a row, as `foresee_routing` takes them."""

    ids: list[int]
    votes: Integers
    given: Integers
    final: Integers
    questions: Integers


def judged_in_full(project: Project) -> JudgedInFull:
    """Return the answers that had all raters of the protocol, whatever the first one said, and are decided.

    Decided by people: their votes, or somebody who broke the tie.
    """
    protocol = project.protocol.rules if project.protocol else None
    width = protocol.raters_per_answer if protocol else 0
    numbers = {label.key: place for place, label in enumerate(protocol.labels)} if protocol else {}
    decided = Decision.objects.in_force().without_programs().filter(candidate__project=project)
    decided = decided.filter(candidate__question__in_sample=True).exclude(rule=GOLD_EQUAL_RULE)
    decided = decided.exclude(candidate__question__in=improper_questions(project))
    ended = {
        candidate: (question, label)
        for candidate, question, label in decided.order_by("candidate_id").values_list(
            "candidate_id", "candidate__question_id", "label"
        )
        if label in numbers
    }
    first: dict[int, list[int]] = defaultdict(list)
    given: Counter[int] = Counter()
    counted = Judgment.objects.votes().filter(candidate__project=project, state=Judgment.State.COUNTED)
    for candidate, slot, label in counted.order_by("pk").values_list("candidate_id", "slot", "label"):
        if candidate in ended and label in numbers:
            given[candidate] += 1
            if slot <= width:
                first[candidate].append(numbers[label])
    unequal = routed_unequally(project=project)
    ids = [pk for pk in ended if len(first[pk]) == width > 1 and pk not in unequal]
    return JudgedInFull(
        ids,
        np.array([first[pk] for pk in ids], dtype=np.int64).reshape(-1, max(width, 1)),
        np.array([given[pk] for pk in ids], dtype=np.int64),
        np.array([numbers[ended[pk][1]] for pk in ids], dtype=np.int64),
        np.array([ended[pk][0] for pk in ids], dtype=np.int64),
    )


@dataclass(frozen=True)
class ReplayedRouting:
    """The results that a rule would have had on the study’s own answers.

    `threshold`: the minimum confidence; null if every verdict counts. `same_share`: the share of answers that
    would have received the same label, with its 95% interval, clustered by question.
    """

    threshold: float | None
    labels_an_answer: float
    fixed: float
    stopped_share: float
    same_share: Figure


@dataclass(frozen=True)
class RoutingReplay:
    """A judge tested as a routing judge on answers that people judged in full.

    `answers`: the number of these answers. `rows`: the results for several confidence thresholds. `why_not`:
    why there are no rows; otherwise empty.
    """

    run: str
    audit_share: float
    answers: int
    why_not: str
    rows: list[ReplayedRouting]
    signature: str


@kept()
def replay_routing(*, project: Project, run: str, audit_share: float) -> RoutingReplay:
    """Return what one rater and a run would have settled of the answers that people judged in full."""
    chosen = find_run(project=project, run=run)
    judged = judged_in_full(project)
    why_not = why_not_tried(project, judged=len(judged.ids))
    rows = [] if why_not else _replay(project, chosen, judged, audit_share=audit_share)
    return RoutingReplay(
        run=run,
        audit_share=audit_share,
        answers=len(judged.ids),
        why_not=why_not,
        rows=rows,
        signature=sign_routing(
            project,
            of="answers judged in full",
            judge=hash_signature(chosen.signature)[:16],
            audit_share=audit_share,
        ),
    )


def _replay(
    project: Project, run: ChoosableRun, judged: JudgedInFull, *, audit_share: float
) -> list[ReplayedRouting]:
    assert project.protocol is not None
    numbers = {label.key: place for place, label in enumerate(project.protocol.rules.labels)}
    worth = {is_accepted: numbers[label] for is_accepted, label in labels_of(project).items()}
    tried: list[float | None] = [None, *THRESHOLDS] if says_how_sure(project, run) else [None]
    found = []
    for least in tried:
        said = hear_run(project, run.id, least, judged.questions.tolist())
        heard = [said.get(pk) for pk in judged.ids]
        row = foresee_routing(
            votes=judged.votes,
            given=judged.given,
            final=judged.final,
            questions=judged.questions,
            judge=np.array([NOTHING if each is None else worth[each.is_accepted] for each in heard]),
            confidence=np.array([0.0 if each is None else each.confidence for each in heard]),
            least=least,
            audit_share=audit_share,
        )
        found.append(
            ReplayedRouting(least, row.labels_an_answer, row.fixed, row.stopped_share, row.same_share)
        )
    return found


def why_not_routed(project: Project) -> str:
    """Return why no answer of the project could be settled by one rater and a judge; empty where some can."""
    if project.protocol is None:
        return NO_PROTOCOL
    protocol = project.protocol.rules
    if may_be_routed(protocol):
        return ""
    return ONE_RATER if protocol.raters_per_answer < 2 else FIXED_VOTES


def why_not_tried(project: Project, *, judged: int) -> str:
    """Return why no rule can be tried on so many answers judged in full; empty where one can."""
    return why_not_routed(project) or lacking_words(max(0, LEAST_JUDGED - judged))
