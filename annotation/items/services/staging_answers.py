"""Write what systems answered, pooled into the answers that people and programs judge."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Max

from annotation.items.formats.records import ItemRecord, PredictionRecord, Vote
from annotation.items.models import Candidate, DataImport, Prediction, Question
from annotation.items.rules import Ballot, RecordedDecision
from annotation.items.services.foreseeing import group_of
from annotation.items.services.reading import record_key
from annotation.items.services.surroundings import AnswerIndex, Surroundings, own_golds
from annotation.projects.models import Project


@dataclass
class Staging:
    """One import on its way in: what must be remembered from chunk to chunk."""

    data_import: DataImport
    next_position: int = 0
    # Public ids of the answers that a row of a votes file already stands for.
    balloted: set[str] = field(default_factory=set)
    # Of questions that rows of this import name by more than one id: the key of each other id, the question.
    further_ids: dict[str, int] = field(default_factory=dict)

    @property
    def project(self) -> Project:
        """The project that is filled."""
        return self.data_import.project

    @property
    def is_link_only(self) -> bool:
        """Whether predictions are linked to answers that have votes, and no other answer is judged."""
        return bool(self.data_import.options.get("candidates") == "votes")

    @property
    def keeps_duplicate_rows(self) -> bool:
        """Whether each row of a votes file is an answer of its own."""
        return bool(self.data_import.options.get("keep_duplicate_rows") == "yes")

    @property
    def pools_within_groups(self) -> bool:
        """Whether the protocol has a rater for each group of systems."""
        protocol = self.project.protocol
        return protocol is not None and protocol.rules.pool_within_groups

    @property
    def group(self) -> str:
        """The group within which this import's answers are pooled."""
        return group_of(project_groups=self.pools_within_groups, options=self.data_import.options)

    def group_of(self, prediction: PredictionRecord) -> str:
        """Return the group within which an answer is pooled: its own, else the import's."""
        own = {"group": prediction.group or self.data_import.options.get("group")}
        return group_of(project_groups=self.pools_within_groups, options=own)


def begin_staging(*, data_import: DataImport) -> Staging:
    """Return the state with which the first chunk is written."""
    last = data_import.project.questions.aggregate(last=Max("position"))["last"]
    return Staging(data_import=data_import, next_position=0 if last is None else last + 1)


class _Answered(NamedTuple):
    question: Question
    prediction: PredictionRecord
    candidate: Candidate
    golds: list[str] | None


class Poll:
    """The votes that one row holds on its answers; equal answers with different votes stay apart."""

    def __init__(self) -> None:
        self._answers: dict[str, Candidate] = {}
        self._votes: dict[str, dict[str, Vote]] = {}

    def takes(self, candidate: Candidate, vote: Vote | None) -> bool:
        """Say whether the vote agrees with what its rater said of this answer before."""
        said = self._votes.get(candidate.public_id, {}).get(vote.rater) if vote else None
        return vote is None or said is None or said.label == vote.label

    def add(self, candidate: Candidate, vote: Vote | None) -> None:
        """Note an answer of the row with its vote."""
        self._answers[candidate.public_id] = candidate
        if vote is not None:
            self._votes.setdefault(candidate.public_id, {})[vote.rater] = vote

    def ballots(self, record: ItemRecord) -> Iterator[Ballot]:
        """Yield the votes on each answer that has any, or whose question was marked."""
        for public_id, candidate in self._answers.items():
            votes = tuple(self._votes.get(public_id, {}).values())
            if votes or record.marked_by:
                yield Ballot(candidate.pk, votes, record_key(record), record.marked_by)


def add_predictions(staging: Staging, records: Sequence[ItemRecord], around: Surroundings) -> list[Ballot]:
    """Write the predictions of a chunk with their answers, and return the votes on these."""
    candidates: list[Candidate] = []
    wanted: list[_Answered] = []
    polls: list[tuple[ItemRecord, Poll]] = []
    for record in records:
        question = around.questions[record_key(record)]
        poll = Poll()
        golds = own_golds(record.question.golds, around.gold_texts.get(question.pk))
        for prediction in record.predictions:
            system = around.systems[prediction.system]
            place = (system.pk, question.pk)
            if place in around.predicted:
                continue
            # A place is taken at once, so that a repeated row of the same chunk is seen, too.
            around.predicted[place] = Prediction()
            pooled = _pooled_all(staging, question, prediction, poll, around.answers, candidates)
            wanted.append(_Answered(question, prediction, pooled, golds))
        polls.append((record, poll))
    insert_candidates(staging, candidates)
    Prediction.objects.bulk_create(_prediction(staging, around, each) for each in wanted)
    return [ballot for record, poll in polls for ballot in poll.ballots(record)]


def _pooled_all(
    staging: Staging,
    question: Question,
    prediction: PredictionRecord,
    poll: Poll,
    answers: AnswerIndex,
    new: list[Candidate],
) -> Candidate:
    """Find or make the answer of a prediction, and those judged besides it."""
    group = staging.group_of(prediction)
    first = _pooled(staging, question, prediction.text, group, answers, new)
    if not poll.takes(first, prediction.vote):
        equal = answers.equal(question_id=question.pk, group=group, text=prediction.text)
        fitting = (each for each in equal if poll.takes(each, prediction.vote))
        first = next(fitting, None) or _new_answer(staging, question, prediction.text, group, answers, new)
    poll.add(first, prediction.vote)
    for text in prediction.further:
        _pooled(staging, question, text, group, answers, new)
    return first


def _pooled(
    staging: Staging,
    question: Question,
    text: str,
    group: str,
    answers: AnswerIndex,
    new: list[Candidate],
) -> Candidate:
    found = answers.find(question_id=question.pk, group=group, text=text)
    return found or _new_answer(staging, question, text, group, answers, new)


def _new_answer(
    staging: Staging,
    question: Question,
    text: str,
    group: str,
    answers: AnswerIndex,
    new: list[Candidate],
) -> Candidate:
    candidate = answers.new_candidate(question=question, group=group, text=text)
    candidate.is_judgeable = not staging.is_link_only
    answers.add(candidate)
    new.append(candidate)
    return candidate


def add_listed(
    staging: Staging, records: Sequence[ItemRecord], around: Surroundings
) -> list[RecordedDecision]:
    """Write listed answers, each place of a list an answer of its own, in the order of the lists.

    An answer that the project has letter by letter takes the first place of its text.
    """
    new: list[Candidate] = []
    decided: list[tuple[Candidate, str]] = []
    for record in records:
        question = around.questions[record_key(record)]
        known: dict[str, deque[Candidate]] = {}
        for candidate in around.answers.of_question(question.pk):
            if candidate.is_judgeable:
                known.setdefault(candidate.text, deque()).append(candidate)
        for text, word in record.listed:
            same = known.get(text)
            candidate = (
                same.popleft()
                if same
                else _new_answer(staging, question, text, staging.group, around.answers, new)
            )
            decided.append((candidate, word))
    insert_candidates(staging, new)
    return [RecordedDecision(candidate.pk, word) for candidate, word in decided]


def insert_candidates(staging: Staging, candidates: Sequence[Candidate]) -> None:
    """Store new answers as this import's."""
    for candidate in candidates:
        candidate.data_import = staging.data_import
    Candidate.objects.bulk_create(candidates)


def _prediction(staging: Staging, around: Surroundings, answered: _Answered) -> Prediction:
    prediction = answered.prediction
    return Prediction(
        system=around.systems[prediction.system],
        question=answered.question,
        candidate=answered.candidate,
        golds=answered.golds,
        data_import=staging.data_import,
        text=prediction.text,
        raw=list(prediction.raw) if prediction.raw is not None else prediction.uncleaned or None,
        confidence=prediction.confidence,
        metadata=dict(prediction.metadata),
    )
