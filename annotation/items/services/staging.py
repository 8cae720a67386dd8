"""Rows of files become questions, gold answers, systems and predictions."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Max

from annotation.items.formats.records import (
    Gold,
    ItemRecord,
    PredictionRecord,
    QuestionRecord,
    Record,
    VerdictRecord,
    Vote,
    VoteRecord,
)
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.items.rules import (
    Ballot,
    Named,
    RecordedDecision,
    RecordedVerdict,
    match_rows,
    text_hash,
)
from annotation.items.services.preview import group_of
from annotation.items.services.reading import (
    AnswerIndex,
    Claims,
    GoldTexts,
    Surroundings,
    claims_of,
    find_questions,
    leaves_out_bad_rows,
    look_around,
    own_golds,
    record_key,
)
from annotation.projects.models import Project


@dataclass
class Staging:
    """One import on its way in: what must be remembered from chunk to chunk."""

    data_import: DataImport
    claims: Claims
    next_position: int = 0
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
    return Staging(
        data_import=data_import,
        claims=claims_of(data_import),
        next_position=0 if last is None else last + 1,
    )


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
    answers.give(first)
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


def stage_items(staging: Staging, records: Sequence[ItemRecord]) -> list[Ballot]:
    """Write questions, gold answers, systems, answers and predictions, and return the votes on answers."""
    if not records:
        return []
    _add_questions(staging, records)
    around = look_around(
        project=staging.project,
        records=records,
        is_link_only=staging.is_link_only,
        further_ids=staging.further_ids,
    )
    if leaves_out_bad_rows(staging.data_import):
        records = [record for record in records if record_key(record) in around.questions]
    _add_golds(staging, records, around)
    _add_systems(staging, records, around)
    return add_predictions(staging, records, around)


def stage_decided(staging: Staging, records: Sequence[ItemRecord]) -> list[RecordedDecision]:
    """Write questions, gold answers and listed answers, and return what the file decides of these."""
    if not records:
        return []
    _add_questions(staging, records)
    around = look_around(project=staging.project, records=records)
    _include_in_sample(around)
    _add_golds(staging, records, around)
    return add_listed(staging, records, around)


def stage_votes(staging: Staging, records: Sequence[VoteRecord]) -> list[Ballot]:
    """Write questions and answers, in the order of the rows, and return the votes on each answer."""
    if not records:
        return []
    _add_questions(staging, records)
    around = look_around(project=staging.project, records=records)
    _include_in_sample(around)
    rows = [(record, _candidate_of_row(staging, record, around)) for record in records]
    claimed = [(record, candidate) for record, candidate in rows if candidate is not None]
    insert_candidates(staging, [candidate for _, candidate in claimed if candidate.pk is None])
    if staging.claims.keeps_duplicates:
        _keep_texts_of_rows(claimed)
    return [Ballot(candidate.pk, record.votes, record_key(record)) for record, candidate in claimed]


def _include_in_sample(around: Surroundings) -> None:
    """What was judged belongs to the judged sample."""
    outside = [
        question.pk
        for question in around.questions.values()
        if not question.in_sample and not question.is_left_out
    ]
    Question.objects.filter(pk__in=outside).update(in_sample=True)


def match_verdicts(staging: Staging, records: Sequence[VerdictRecord]) -> list[RecordedVerdict]:
    """Return the verdicts with the answers they are about; rows without an answer are left out."""
    if not records:
        return []
    around = look_around(project=staging.project, records=records)
    by_key: dict[str, list[VerdictRecord]] = {}
    for record in records:
        by_key.setdefault(record_key(record), []).append(record)
    matched = []
    for key, rows in by_key.items():
        question = around.questions.get(key)
        known = around.answers.of_question(question.pk) if question else []
        named = [Named(each.pk, each.text) for each in known if each.is_judgeable]
        for row, found in zip(
            rows, match_rows(answers=[row.answer for row in rows], known=named), strict=True
        ):
            if found is not None:
                matched.append(RecordedVerdict(found, row))
    return matched


def _add_questions(staging: Staging, records: Sequence[Record]) -> None:
    known = find_questions(project=staging.project, records=records)
    new: dict[str, Question] = {}
    for record in records:
        key = record_key(record)
        if key not in known and key not in new and not key.startswith("id:"):
            new[key] = _question(staging, record, key, position=staging.next_position + len(new))
    Question.objects.bulk_create(new.values())
    staging.next_position += len(new)
    for record in records:
        if isinstance(record, ItemRecord) and record.question.text and record.question.external_id:
            question = known.get(key := record_key(record)) or new[key]
            if question.external_id != record.question.external_id:
                staging.further_ids[f"id:{record.question.external_id}"] = question.pk


def _question(staging: Staging, record: Record, key: str, *, position: int) -> Question:
    said = record.question if isinstance(record, ItemRecord) else QuestionRecord(text=record.question)
    project = staging.project
    return Question(
        project=project,
        data_import=staging.data_import,
        key=key,
        key_hash=text_hash(key),
        external_id=said.external_id,
        text=said.text,
        dataset=said.dataset,
        tags=list(said.tags),
        reference_count=said.reference_count,
        position=position,
        # A drawn sample stays as it was drawn; only a project judged as a whole takes in what comes.
        in_sample=project.sample_method == project.SampleMethod.ALL or not isinstance(record, ItemRecord),
    )


def _add_golds(staging: Staging, records: Sequence[ItemRecord], around: Surroundings) -> None:
    new: list[GoldAnswer] = []
    for record in records:
        question = around.questions[record_key(record)]
        known = around.gold_texts.setdefault(question.pk, GoldTexts())
        # Rows of an id and one pattern add to each other; else the first row that has any gives them.
        is_partial = not record.question.text
        if known and not is_partial:
            continue
        for gold in record.question.golds:
            # A row of its own gives its list as it stands; readers that tidy lists have done so.
            if not is_partial or gold.text not in known:
                new.append(_gold(staging, question, gold, position=len(known)))
                known.add(gold.text)
    GoldAnswer.objects.bulk_create(new)


def _gold(staging: Staging, question: Question, gold: Gold, *, position: int) -> GoldAnswer:
    return GoldAnswer(
        question=question,
        data_import=staging.data_import,
        kind=GoldAnswer.Kind.REGEX if gold.is_regex else GoldAnswer.Kind.STRING,
        text=gold.text,
        position=position,
    )


def _add_systems(staging: Staging, records: Iterable[ItemRecord], around: Surroundings) -> None:
    groups = {each.system: each.group for record in records for each in record.predictions}
    names = [name for name in groups if name not in around.systems]
    new = [
        System(
            project=staging.project,
            data_import=staging.data_import,
            name=name,
            label=name,
            group=groups[name] or str(staging.data_import.options.get("group") or ""),
        )
        for name in names
    ]
    around.systems.update({system.name: system for system in System.objects.bulk_create(new)})


def _candidate_of_row(staging: Staging, record: VoteRecord, around: Surroundings) -> Candidate | None:
    """Return the answer a row of votes stands for, stored or new; None where an earlier row stands for it."""
    question = around.questions[record_key(record)]
    same = staging.claims.find(record, question=question, answers=around.answers)
    candidate = same or _new_row(staging, question, record.answer, around.answers)
    return candidate if staging.claims.take(candidate) else None


def _keep_texts_of_rows(claimed: Iterable[tuple[VoteRecord, Candidate]]) -> None:
    other = [(row, each) for row, each in claimed if row.answer not in (each.text, each.text_of_row)]
    for row, candidate in other:
        candidate.text_of_row = row.answer
    Candidate.objects.bulk_update([candidate for _, candidate in other], ["text_of_row"])


def _new_row(staging: Staging, question: Question, text: str, answers: AnswerIndex) -> Candidate:
    candidate = answers.new_candidate(question=question, group=staging.group, text=text)
    answers.add(candidate)
    return candidate
