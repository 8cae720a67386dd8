"""Read a study as it is stored, row by row and with nothing kept, and what is published of it."""

from collections.abc import Iterator
from typing import Any

from analysis.raters.agreement import MissingVotes
from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment, Purpose
from annotation.gold.models import GoldChange
from annotation.items.models import (
    Candidate,
    GoldAnswer,
    Passage,
    Prediction,
    Question,
    RetrievedPassage,
    System,
)
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.projects.models import Membership, Project
from judges.comparison.selectors.judge_board.judged import read_votes
from judges.prejudging.models import CalibrationAnswer, PrejudgedAnswer, RoutedAnswer, Routing
from judges.prejudging.selectors.policies import list_applications, list_rules
from judges.release.selectors import read_published
from judges.runs.models import JudgeRun
from judges.runs.models import Verdict as StoredVerdict
from judges.verification.rules import study
from judges.verification.rules.study import Row, study_line


def study_rows(project: Project) -> Iterator[Row]:
    """Yield everything that the numbers of a study rest on; raters stand under their pseudonyms."""
    protocol = project.protocol
    yield study.Head(project.slug, protocol.rules.to_spec() if protocol else None)
    yield from _items(project)
    yield from _people(project)
    yield from _programs(project)


def study_lines(*, project: Project, limit: int | None = None) -> Iterator[str]:
    """Yield the same as lines of a file; limit: so many at most."""
    for number, row in enumerate(study_rows(project)):
        if limit is not None and number >= limit:
            return
        yield f"{study_line(row)}\n"


def _items(project: Project) -> Iterator[Row]:
    golds: dict[int, list[list[str]]] = {}
    of_gold = GoldAnswer.objects.filter(question__project=project).order_by("question_id", "position", "pk")
    for question, kind, text in of_gold.values_list("question_id", "kind", "text"):
        golds.setdefault(question, []).append([kind, text])
    questions = Question.objects.filter(project=project).order_by("position", "pk")
    fields = ("pk", "public_id", "text", "in_sample", "sample_stratum", "sample_probability")
    for pk, name, text, in_sample, *draw in questions.values_list(*fields):
        yield study.Question(name, text, in_sample, golds.get(pk, []), *draw)
    for name in System.objects.filter(project=project).order_by("pk").values_list("name", flat=True):
        yield study.System(name)
    answers = Candidate.objects.filter(project=project).order_by("question__position", "question_id", "pk")
    fields = ("public_id", "question__public_id", "text", "position", "is_judgeable", "from_gold")
    for *cells, state, least, pool in answers.values_list(*fields, "state", "least_votes", "pool_hash"):
        is_open, is_asked = state == Candidate.State.OPEN, state != Candidate.State.UNASKED
        yield study.Answer._make([*cells, is_open, is_asked, least, pool])
    predictions = Prediction.objects.filter(system__project=project).order_by("system_id", "question_id")
    named = ("system__name", "question__public_id", "candidate__public_id", "text", "golds")
    yield from (study.Prediction(*row) for row in predictions.values_list(*named).iterator())
    yield from _passages(project)


def _passages(project: Project) -> Iterator[Row]:
    passages = Passage.objects.filter(question__project=project).order_by("question_id", "position", "pk")
    cells = ("question__public_id", "text_hash", "is_given", "text", "title", "source", "is_gold")
    yield from (study.Passage(*row) for row in passages.values_list(*cells).iterator())
    links = RetrievedPassage.objects.filter(prediction__system__project=project)
    named = ("prediction__system__name", "prediction__question__public_id", "passage__text_hash")
    for row in links.order_by("prediction_id", "rank", "pk").values_list(*named, "rank", "score").iterator():
        yield study.Retrieved(*row)


def _people(project: Project) -> Iterator[Row]:
    yes = CheckAnswer.objects.votes().filter(question__project=project, answer=True).order_by("pk")
    for row in yes.values_list("question__public_id", "rater__pseudonym", "check_key"):
        yield study.Check(*row)
    yield from _raters(project)
    turns = Assignment.objects.votes().filter(
        candidate__project=project,
        round=Assignment.Round.FIRST,
        state__in=(Assignment.State.DONE, Assignment.State.SKIPPED),
    )
    fields = ("candidate__public_id", "rater__pseudonym", "state", "judgment__label")
    missing = set(_labels_that_are_no_votes(project))
    for answer, rater, state, label in turns.order_by("candidate_id", "pk").values_list(*fields):
        is_vote = state == Assignment.State.DONE and label is not None and label not in missing
        yield study.Turn(answer, rater, label if is_vote else None)
    yield from _votes(project)
    decisions = Decision.objects.in_force().filter(candidate__project=project).order_by("candidate_id")
    yield from (
        study.Decision(*row) for row in decisions.values_list("candidate__public_id", "label", "source")
    )
    changes = GoldChange.objects.filter(question__project=project).order_by("question_id", "pk")
    cells = ("question__public_id", "action", "text", "undone_at", "undone_by")
    for question, action, text, undone_at, undone_by in changes.values_list(*cells):
        yield study.Change(question, action, text, undone_at is not None, undone_by is not None)


def _labels_that_are_no_votes(project: Project) -> Iterator[str]:
    protocol = project.protocol
    if protocol:
        yield from (label.key for label in protocol.rules.labels if label.credit == "missing")


def _raters(project: Project) -> Iterator[Row]:
    letters = read_votes(project).letters
    rows = Membership.objects.filter(project=project, judgments__isnull=False).distinct().order_by("pk")
    for pk, name in rows.values_list("pk", "pseudonym"):
        yield study.Rater(name, letters.get(pk, ""))


def _votes(project: Project) -> Iterator[Row]:
    kept = Judgment.objects.filter(
        candidate__project=project, purpose__in=(Purpose.VOTE, Purpose.SECOND)
    ).exclude(state=Judgment.State.WITHDRAWN)
    handed_in = (JudgmentRevision.Action.SUBMIT, JudgmentRevision.Action.EDIT)
    revisions = JudgmentRevision.objects.filter(judgment__in=kept, action__in=handed_in)
    last = dict(revisions.order_by("judgment_id", "number").values_list("judgment_id", "label"))
    fields = ("candidate__public_id", "rater__pseudonym", "slot", "round", "state", "purpose", "label")
    for pk, *cells in kept.order_by("candidate_id", "slot", "pk").values_list("pk", *fields):
        yield study.Vote._make([*cells, last.get(pk, cells[-1])])


def _programs(project: Project) -> Iterator[Row]:
    runs = (
        JudgeRun.objects.filter(project=project, purpose=JudgeRun.Purpose.VERDICTS)
        .exclude(state=JudgeRun.State.CANCELLED)
        .order_by("created_at", "pk")
    )
    fields = ("public_id", "judge_key", "stated", "gold_version", "options", "state")
    for public_id, judge, stated, gold, options, state in runs.values_list(*fields):
        revision = dict(stated).get("revision", "")
        # Databases keep the keys of an object in orders of their own.
        chosen = dict(sorted(options.items()))
        yield study.Run(public_id, judge, revision, gold, chosen, state == JudgeRun.State.FINISHED)
    verdicts = StoredVerdict.objects.filter(run__in=runs).order_by("run_id", "candidate_id")
    said = ("run__public_id", "candidate__public_id", "accepted", "score")
    yield from (study.Verdict(*row) for row in verdicts.values_list(*said).iterator())
    yield from _settled(project)
    yield from _routed(project)


def _settled(project: Project) -> Iterator[Row]:
    rules = list_rules(applications=list_applications(project=project))
    texts = {place: rule.text for rule in rules for place in rule.places}
    yield from (study.Rule(rule.text, len(rule.places)) for rule in rules)
    settled = PrejudgedAnswer.objects.filter(application__project=project, undone_at=None).order_by("pk")
    cells = ("application_id", "rule_number", "candidate__public_id", "label", "is_audited")
    for application, number, *row, share in settled.values_list(*cells, "audit_probability"):
        yield study.Settled._make([texts[application, number], *row, share])
    sampled = CalibrationAnswer.objects.filter(sample__project=project).order_by("candidate_id")
    answers = sampled.values_list("candidate__public_id", flat=True).distinct()
    yield from (study.Calibrated(answer) for answer in answers)


def _routed(project: Project) -> Iterator[Row]:
    routings = Routing.objects.filter(project=project).order_by("number")
    yield from (study.Routing(text) for text in routings.values_list("text", flat=True))
    rows = RoutedAnswer.objects.filter(routing__project=project).order_by("pk")
    said = ("candidate__public_id", "label", "first_label", "is_drawn", "audit_probability")
    for *row, number, state in rows.values_list(*said, "routing__number", "routing__state"):
        yield study.Routed._make([*row, number, state == Routing.State.UNDONE])


def read_report(project: Project) -> dict[str, Any]:
    """Return the report as the boards give it now, their kept parts included."""
    return read_published(project=project, rules=list(MissingVotes))
