"""Read what leaves: questions, answers, votes and changes of gold as plain values in a fixed order."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from heapq import merge
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet
from django.utils.timezone import localtime

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, RELEASED_LIST
from annotation.assignments.models import Purpose
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import gold_lists, gold_patterns, list_changes
from annotation.items.models import Candidate, Passage, Prediction, Question, RetrievedPassage
from annotation.items.rules import raw_answer
from annotation.judgments.models import CheckAnswer, Judgment, JudgmentRevision
from annotation.known_answers.models import TrainingAnswer
from annotation.projects.models import Project
from annotation.release.rules import (
    AnsweredCheck,
    CastVote,
    LeftOut,
    ReleasedAnswer,
    ReleasedChange,
    ReleasedCheck,
    ReleasedDecision,
    ReleasedJudgment,
    ReleasedPassage,
    ReleasedPrediction,
    ReleasedQuestion,
    ReleasedVote,
    VoteColumns,
    equal_additions,
    vote_columns,
    yes_or_no,
)
from common.database.rows import batched

# Rows in memory together.
ROWS_AT_ONCE = 1_000


def question_name(external_id: str, position: int) -> str:
    """Return the name under which a question leaves: the file's own, else its place counted from one."""
    return external_id or str(position + 1)


def in_batches(rows: QuerySet[Any, Any]) -> Iterator[list[Any]]:
    """Yield the rows of a query in lists of at most `ROWS_AT_ONCE`."""
    return batched(rows.iterator(chunk_size=ROWS_AT_ONCE), ROWS_AT_ONCE)


def standing_votes(project: Project) -> QuerySet[Judgment]:
    """Return the votes that leave, in the order in which they do; those taken back do not."""
    return (
        Judgment.objects.votes()
        .filter(candidate__project=project)
        .exclude(state=Judgment.State.WITHDRAWN)
        .order_by("candidate__question__position", "candidate__question_id", "candidate__position", "pk")
    )


def raw_answers(candidate_ids: Iterable[int]) -> dict[int, str]:
    """Return by candidate what the file of the first system that gave it had, where that is another text."""
    rows = Prediction.objects.filter(candidate__in=set(candidate_ids), raw__isnull=False)
    # The first system comes last and stays.
    last_first = rows.order_by("-system_id", "-pk").values_list("candidate_id", "raw")
    return {candidate: raw_answer(raw) or "" for candidate, raw in last_first}


def count_questions(project: Project) -> int:
    """Return how many questions leave."""
    return sampled_questions(project).count()


def count_answers(project: Project) -> int:
    """Return how many answers leave."""
    return _answers(project).count()


def count_all_answers(project: Project) -> int:
    """Return how many answers there are, whether people were asked about them or not."""
    return Candidate.objects.filter(project=project).count()


def released_questions(project: Project, *, limit: int | None = None) -> Iterator[ReleasedQuestion]:
    """Yield the judged sample with gold answers and decisions."""
    for chunk in in_batches(sampled_questions(project)[:limit]):
        yield from _with_gold(project, chunk)


def _with_gold(project: Project, questions: Sequence[Question]) -> Iterator[ReleasedQuestion]:
    ids = [question.pk for question in questions]
    original = gold_lists(project, amended=False, question_ids=ids)
    amended = gold_lists(project, amended=True, question_ids=ids)
    decided: Mapping[int, list[ReleasedDecision]] = defaultdict(list)
    judged = _current_decisions().exclude(rule=GOLD_EQUAL_RULE).filter(candidate__question__in=ids)
    fields = ("candidate__question_id", "candidate__text", "label", "source", "rule")
    for question_id, text, label, source, rule in judged.values_list(*fields):
        is_listed = source == Decision.Source.IMPORTED and rule == RELEASED_LIST
        decided[question_id].append(ReleasedDecision(text, label, is_listed))
    patterns = gold_patterns(project, amended=True, question_ids=ids)
    for question in questions:
        yield ReleasedQuestion(
            id=question_name(question.external_id, question.position),
            text=question.text,
            gold=original[question.pk],
            amended=amended[question.pk],
            decided=tuple(decided[question.pk]),
            patterns=frozenset(patterns.get(question.pk, ())),
        )


def count_equal_additions(project: Project) -> LeftOut:
    """Count the added answers that exact match holds equal to another gold answer of their question."""
    added = GoldChange.objects.filter(
        question=OuterRef("pk"), action=GoldChange.Action.ADDED, undone_at__isnull=True
    )
    found = LeftOut()
    for chunk in in_batches(sampled_questions(project).filter(Exists(added))):
        for question in _with_gold(project, chunk):
            found = found.plus(equal_additions(question))
    return found


def released_answers(project: Project, *, limit: int | None = None) -> Iterator[ReleasedAnswer]:
    """Yield the answers that leave, with their votes by column and their decision."""
    for chunk in in_batches(_answers(project)[:limit]):
        yield from _with_votes(project, chunk)


def votes_on_answers(project: Project, *, limit: int | None = None) -> Iterator[VoteColumns]:
    """Yield the votes by column of each answer that leaves, in no order; those without any once together."""
    answers = _answers(project).values("pk")[:limit]
    if answers.exists():
        yield columns_of(project, ())
    votes = cast_votes(project).filter(candidate__in=answers).order_by("candidate_id").iterator()
    for _, cast in groupby(votes, key=itemgetter(0)):
        yield columns_of(project, map(read_vote, cast))


def _with_votes(project: Project, candidates: Sequence[Candidate]) -> Iterator[ReleasedAnswer]:
    ids = [candidate.pk for candidate in candidates]
    raw = raw_answers(ids)
    decisions = {made.candidate_id: made for made in Decision.objects.in_force().filter(candidate__in=ids)}
    votes: Mapping[int, list[CastVote]] = defaultdict(list)
    for row in cast_votes(project).filter(candidate__in=ids):
        votes[row[0]].append(read_vote(row))
    for candidate in candidates:
        question = candidate.question
        yield ReleasedAnswer(
            item_id=candidate.public_id,
            question_id=question_name(question.external_id, question.position),
            question=question.text,
            answer=candidate.text,
            raw_answer=raw.get(candidate.pk, candidate.text),
            votes=columns_of(project, votes[candidate.pk]),
            **_decided(decisions.get(candidate.pk)),
        )


def cast_votes(project: Project) -> QuerySet[Judgment, tuple[Any, ...]]:
    """Return the votes that leave, each as `read_vote` takes it and in no order; its answer comes first."""
    votes = standing_votes(project).order_by()
    return votes.values_list("candidate_id", "round", "slot", "pk", "label", "state")


def read_vote(row: tuple[Any, ...]) -> CastVote:
    """Return a row of `cast_votes` as a vote."""
    _, turn, slot, number, label, state = row
    return CastVote(turn, slot, number, label, is_surplus=state == Judgment.State.SURPLUS)


def columns_of(project: Project, votes: Iterable[CastVote]) -> VoteColumns:
    """Return the labels of one answer's votes by column."""
    return vote_columns(votes, project.protocol.rules.raters_per_answer if project.protocol else 1)


def _decided(decision: Decision | None) -> dict[str, str]:
    if decision is None:
        return {"label": "", "source": ""}
    # The rule is the project that it came from.
    is_reused = decision.source == Decision.Source.REUSED
    return {
        "label": decision.label,
        "source": f"{decision.source}:{decision.rule}" if is_reused else decision.source,
        "category": decision.category,
        "reason": decision.reason,
    }


def sampled_questions(project: Project) -> QuerySet[Question]:
    """Return the questions that people judge, in their order."""
    return Question.objects.filter(project=project, in_sample=True).order_by("position", "pk")


def _answers(project: Project) -> QuerySet[Candidate]:
    """Return the answers that people were asked about, or judged, or decided."""
    return (
        Candidate.objects.filter(project=project, is_judgeable=True)
        .exclude(state=Candidate.State.UNASKED)
        .select_related("question")
        .order_by("question__position", "question_id", "position", "pk")
    )


def _current_decisions() -> QuerySet[Decision]:
    return Decision.objects.in_force().order_by(
        "candidate__question_id", "candidate__position", "candidate_id"
    )


def count_changes(project: Project) -> int:
    """Return how many changes the gold ledger has, those undone included."""
    return list_changes(project=project).count()


def released_changes(project: Project, *, limit: int | None = None) -> Iterator[ReleasedChange]:
    """Yield the gold ledger, the oldest change first; who made a change stays here."""
    rows = GoldChange.objects.filter(question__project=project).select_related("question")
    for chunk in in_batches(rows.order_by("changed_at", "pk")[:limit]):
        yield from map(_released_change, chunk)


def _released_change(change: GoldChange) -> ReleasedChange:
    return ReleasedChange(
        question_id=question_name(change.question.external_id, change.question.position),
        question=change.question.text,
        action=change.action,
        answer=change.text,
        kind=change.kind,
        rule=change.rule,
        reason=change.reason,
        changed_at=localtime(change.changed_at).isoformat(),
        undone_at=localtime(change.undone_at).isoformat() if change.undone_at else "",
        undo_reason=change.undo_reason,
    )


def count_predictions(project: Project) -> int:
    """Return how many predictions there are, of questions that people judge and of all others."""
    return Prediction.objects.filter(system__project=project).count()


def released_predictions(project: Project, *, limit: int | None = None) -> Iterator[ReleasedPrediction]:
    """Yield what every system answered, system by system."""
    rows = (
        Prediction.objects.filter(system__project=project)
        .select_related("system", "question", "candidate")
        # As the index has them: a preview reads as little of many as of few.
        .order_by("system_id", "question_id")
    )
    for chunk in in_batches(rows[:limit]):
        yield from map(_released_prediction, chunk)


def _released_prediction(row: Prediction) -> ReleasedPrediction:
    return ReleasedPrediction(
        system=row.system.name,
        question_id=question_name(row.question.external_id, row.question.position),
        question=row.question.text,
        item_id=row.candidate.public_id,
        answer=row.candidate.text,
        prediction=row.text,
        raw_prediction=row.text if row.raw is None else raw_answer(row.raw) or "",
        own_gold=tuple(row.golds or ()),
        confidence=row.confidence,
    )


def count_passages(project: Project) -> int:
    """Return how many passages there are: given with a question, or retrieved for a prediction."""
    given = Passage.objects.filter(question__project=project, is_given=True).count()
    return given + RetrievedPassage.objects.filter(prediction__system__project=project).count()


def released_passages(project: Project, *, limit: int | None = None) -> Iterator[ReleasedPassage]:
    """Yield the passages of all questions, then those that each system retrieved, by rank."""
    of_project = Passage.objects.filter(question__project=project, is_given=True)
    given = of_project.select_related("question").order_by("question_id", "position", "pk")
    told = 0
    for chunk in in_batches(given[:limit]):
        for row in chunk:
            yield _released_passage(row.question, "", row)._replace(is_gold=row.is_gold)
        told += len(chunk)
    retrieved = (
        RetrievedPassage.objects.filter(prediction__system__project=project)
        .select_related("passage", "prediction__system", "prediction__question")
        .order_by("prediction__system_id", "prediction__question_id", "rank", "pk")
    )
    for some in in_batches(retrieved[: None if limit is None else limit - told]):
        for each in some:
            prediction = each.prediction
            released = _released_passage(prediction.question, prediction.system.name, each.passage)
            yield released._replace(rank=each.rank, score=each.score)


def _released_passage(question: Question, system: str, row: Passage) -> ReleasedPassage:
    return ReleasedPassage(
        question_id=question_name(question.external_id, question.position),
        question=question.text,
        system=system,
        sha256=row.text_hash,
        text=row.text,
        title=row.title,
        source=row.source,
    )


def count_checks(project: Project) -> int:
    """Return how many answers to checks about questions there are, of any purpose."""
    return CheckAnswer.objects.filter(question__project=project).count()


def released_checks(project: Project, *, limit: int | None = None) -> Iterator[ReleasedCheck]:
    """Yield what raters answered to checks about questions, question by question, under their pseudonyms."""
    rows = (
        CheckAnswer.objects.filter(question__project=project)
        .select_related("question", "rater")
        .order_by("question__position", "question_id", "check_key", "pk")
    )
    for chunk in in_batches(rows[:limit]):
        yield from map(_released_check, chunk)


def _released_check(row: CheckAnswer) -> ReleasedCheck:
    return ReleasedCheck(
        question_id=question_name(row.question.external_id, row.question.position),
        question=row.question.text,
        check=row.check_key,
        rater=row.rater.pseudonym,
        round=row.round,
        answer=yes_or_no(row.answer),
        purpose=row.purpose,
        answered_at=localtime(row.answered_at).isoformat(),
    )


def checks_of(questions: Iterable[int]) -> Mapping[int, list[AnsweredCheck]]:
    """Return what raters answered to checks about questions, where that counts, check by check."""
    found: dict[int, list[AnsweredCheck]] = defaultdict(list)
    rows = CheckAnswer.objects.votes().filter(question__in=questions).order_by("check_key", "pk")
    fields = ("question_id", "check_key", "rater__pseudonym", "round", "answer")
    for question, check, rater, turn, answer in rows.values_list(*fields):
        found[question].append(AnsweredCheck(check, rater, turn, yes_or_no(answer)))
    return found


def count_votes(project: Project) -> int:
    """Return how many votes leave; those taken back do not."""
    return standing_votes(project).count()


def released_votes(project: Project, *, limit: int | None = None) -> Iterator[ReleasedVote]:
    """Yield the votes that stand, surplus ones included, each under its rater's pseudonym."""
    return (said for *_, said in _read(standing_votes(project)[:limit]))


# The place of the answer, the purpose, and what was said.
_Said = tuple[tuple[int, int, int, int], str, ReleasedVote]
# What is read of a judgment, in the order of the names below.
_FIELDS = (
    "pk",
    "purpose",
    "candidate__question__position",
    "candidate__question_id",
    "candidate__position",
    "candidate_id",
    "candidate__public_id",
    "candidate__question__external_id",
    "candidate__question__text",
    "candidate__text",
    "rater__pseudonym",
    "round",
    "label",
    "state",
    "comment",
    "evidence_url",
    "evidence_quote",
    "judged_at",
)


class _Row(NamedTuple):
    pk: int
    purpose: str
    question_position: int
    question_id: int
    position: int
    candidate_id: int
    item_id: str
    external_id: str
    question: str
    answer: str
    rater: str
    round: str
    label: str
    state: str
    comment: str
    evidence_url: str
    evidence_quote: str
    judged_at: datetime

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Where the answer stands among all of the project."""
        return (self.question_position, self.question_id, self.position, self.candidate_id)


class _Submission(NamedTuple):
    """The last act of a rater on a judgment, which knows time spent and protocol version."""

    seconds: float | None
    version: int
    version_hash: str


def _read(judgments: QuerySet[Judgment]) -> Iterator[_Said]:
    for chunk in in_batches(judgments.values_list(*_FIELDS)):
        rows = [_Row(*values) for values in chunk]
        last = _last_submissions([row.pk for row in rows])
        raw = raw_answers(row.candidate_id for row in rows)
        for row in rows:
            yield row.place, row.purpose, _released_vote(row, last[row.pk], raw)


def _last_submissions(judgment_ids: list[int]) -> dict[int, _Submission]:
    acts = [JudgmentRevision.Action.SUBMIT, JudgmentRevision.Action.EDIT]
    revisions = JudgmentRevision.objects.filter(judgment__in=judgment_ids, action__in=acts)
    fields = ("judgment_id", "seconds", "protocol_version__number", "protocol_version__content_hash")
    rows = revisions.order_by("judgment_id", "number").values_list(*fields)
    return {judgment: _Submission(*said) for judgment, *said in rows}


def _released_vote(row: _Row, submission: _Submission, raw: Mapping[int, str]) -> ReleasedVote:
    return ReleasedVote(
        item_id=row.item_id,
        question_id=question_name(row.external_id, row.question_position),
        question=row.question,
        answer=row.answer,
        raw_answer=raw.get(row.candidate_id, row.answer),
        rater=row.rater,
        round=row.round,
        label=row.label,
        state=row.state,
        comment=row.comment,
        evidence_url=row.evidence_url,
        evidence_quote=row.evidence_quote,
        seconds=submission.seconds,
        judged_at=localtime(row.judged_at).isoformat(),
        protocol_version=submission.version,
        protocol_hash=submission.version_hash,
    )


def count_judgments(project: Project) -> int:
    """Return how many judgments of any purpose leave."""
    return _standing_judgments(project).count() + _training_answers(project).count()


def released_judgments(project: Project, *, limit: int | None = None) -> Iterator[ReleasedJudgment]:
    """Yield what raters said of answers, whatever for; votes as `released_votes` has them."""
    on_sheets = _read(_standing_judgments(project)[:limit])
    in_training = _read_training(_training_answers(project)[:limit])
    # Both come in the order of the answers; within an answer what was said on sheets comes first.
    both = merge(on_sheets, in_training, key=lambda said: said[0])
    return (ReleasedJudgment(purpose, said) for *_, purpose, said in islice(both, limit))


def _standing_judgments(project: Project) -> QuerySet[Judgment]:
    return (
        Judgment.objects.filter(candidate__project=project)
        .exclude(state=Judgment.State.WITHDRAWN)
        .order_by(
            "candidate__question__position",
            "candidate__question_id",
            "candidate__position",
            "candidate_id",
            "pk",
        )
    )


def _training_answers(project: Project) -> QuerySet[TrainingAnswer]:
    of_answer = [f"known__candidate__{name}" for name in ("question__position", "question_id", "position")]
    return (
        TrainingAnswer.objects.filter(known__project=project)
        .select_related("known__candidate__question", "attempt__rater")
        .order_by(*of_answer, "known__candidate_id", "pk")
    )


def _read_training(answers: QuerySet[TrainingAnswer]) -> Iterator[_Said]:
    for chunk in in_batches(answers):
        raw = raw_answers(said.known.candidate_id for said in chunk)
        for said in chunk:
            place = _place(said.known.candidate)
            yield place, Purpose.TRAINING.value, _released_training(said, raw)


def _place(candidate: Candidate) -> tuple[int, int, int, int]:
    return (candidate.question.position, candidate.question_id, candidate.position, candidate.pk)


def _released_training(said: TrainingAnswer, raw: Mapping[int, str]) -> ReleasedVote:
    candidate = said.known.candidate
    question = candidate.question
    return ReleasedVote(
        item_id=candidate.public_id,
        question_id=question_name(question.external_id, question.position),
        question=question.text,
        answer=candidate.text,
        raw_answer=raw.get(candidate.pk, candidate.text),
        rater=said.attempt.rater.pseudonym,
        round="",
        label=said.label,
        # Kept and never counted, as with every other purpose that is no vote.
        state=Judgment.State.SURPLUS.value,
        comment="",
        evidence_url="",
        evidence_quote="",
        seconds=None,
        judged_at=localtime(said.answered_at).isoformat(),
        protocol_version=None,
        protocol_hash="",
    )
