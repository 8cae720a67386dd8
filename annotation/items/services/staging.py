"""Write the rows of one chunk into a project; nobody is asked about them before the import is complete."""

from collections.abc import Iterable, Sequence

from annotation.items.formats.records import (
    Gold,
    ItemRecord,
    QuestionRecord,
    Record,
    VerdictRecord,
    VoteRecord,
)
from annotation.items.models import Candidate, GoldAnswer, Question, System
from annotation.items.rules import (
    Ballot,
    Named,
    RecordedDecision,
    RecordedVerdict,
    match_rows,
    text_hash,
)
from annotation.items.services.reading import leaves_out_bad_rows, record_key
from annotation.items.services.staging_answers import (
    Staging,
    add_listed,
    add_predictions,
    insert_candidates,
)
from annotation.items.services.surroundings import (
    AnswerIndex,
    GoldTexts,
    Surroundings,
    find_questions,
    look_around,
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
    same = (
        around.answers.first_waiting(question_id=question.pk, text=record.answer, taken=staging.balloted)
        if staging.keeps_duplicate_rows
        else around.answers.first_alike(question_id=question.pk, text=record.answer)
    )
    candidate = same or _new_row(staging, question, record.answer, around.answers)
    if candidate.public_id in staging.balloted:
        return None
    staging.balloted.add(candidate.public_id)
    return candidate


def _new_row(staging: Staging, question: Question, text: str, answers: AnswerIndex) -> Candidate:
    candidate = answers.new_candidate(question=question, group=staging.group, text=text)
    answers.add(candidate)
    return candidate
