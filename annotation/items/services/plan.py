"""What the rows of an import come to: one plan, which the preview counts and confirming inserts."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from annotation.items.formats.papers.openqa_votes import FINAL_COLUMN
from annotation.items.formats.records import (
    Gold,
    ItemRecord,
    Kind,
    PredictionRecord,
    Problem,
    QuestionRecord,
    Record,
    Severity,
    VerdictRecord,
    Vote,
    VoteRecord,
)
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction, Question, System
from annotation.items.ports import do_votes_settle, find_given_before, find_label_conflicts
from annotation.items.rules import (
    Ballot,
    CommonPrefix,
    Named,
    RecordedDecision,
    RecordedVerdict,
    match_rows,
    text_hash,
)
from annotation.items.selectors import get_format
from annotation.items.services.known import (
    Known,
    KnownAnswer,
    KnownQuestion,
    KnownSystem,
    claims_of,
    golds_differ,
    own_golds,
    short_hash,
)
from annotation.items.services.reading import (
    AS_IN_FILE,
    SYSTEM_NAMES,
    WITHOUT_COMMON_PREFIX,
    record_key,
    weighed,
)
from annotation.projects.rules import is_improper, skipping_check_key
from common.database.rows import insert_rows, reserve_keys
from common.identifiers import new_public_id


class NewQuestion(NamedTuple):
    """A question that a row makes."""

    known: KnownQuestion
    key: str
    said: QuestionRecord
    position: int


class NewGold(NamedTuple):
    """A gold answer that a row gives a question."""

    question: KnownQuestion
    gold: Gold
    position: int


class NewPrediction(NamedTuple):
    """What a system answers, and the answer it is pooled into."""

    system: KnownSystem
    question: KnownQuestion
    answer: KnownAnswer
    said: PredictionRecord
    golds: list[str] | None


class Poll(NamedTuple):
    """The votes that one row holds on an answer."""

    answer: KnownAnswer
    votes: tuple[Vote, ...]
    record: ItemRecord | VoteRecord


@dataclass
class Chunk:
    """The rows that some rows of a file come to, in the order in which they are inserted."""

    questions: list[NewQuestion] = field(default_factory=list)
    entering: list[KnownQuestion] = field(default_factory=list)
    golds: list[NewGold] = field(default_factory=list)
    systems: list[KnownSystem] = field(default_factory=list)
    answers: list[KnownAnswer] = field(default_factory=list)
    typed: list[tuple[KnownAnswer, str]] = field(default_factory=list)
    predictions: list[NewPrediction] = field(default_factory=list)
    polls: list[Poll] = field(default_factory=list)
    decided: list[tuple[KnownAnswer, str]] = field(default_factory=list)
    verdicts: list[RecordedVerdict] = field(default_factory=list)

    def ballots(self) -> list[Ballot]:
        """Return the votes on answers, which are inserted by now."""
        return [_ballot(poll) for poll in self.polls]

    def decisions(self) -> list[RecordedDecision]:
        """Return what the file decides of answers, which are inserted by now."""
        return [RecordedDecision(answer.id, word) for answer, word in self.decided]


def _ballot(poll: Poll) -> Ballot:
    marked_by = poll.record.marked_by if isinstance(poll.record, ItemRecord) else ()
    return Ballot(poll.answer.id, poll.votes, record_key(poll.record), marked_by)


def _column_of(vote: Vote, record: ItemRecord | VoteRecord) -> str:
    # A rater's votes are a column of their own only in files of votes.
    return vote.rater if isinstance(record, VoteRecord) else ""


class Polling:
    """What raters say of answers, row by row; equal answers with different votes stay apart."""

    def __init__(self) -> None:
        self._labels: dict[tuple[KnownAnswer, str], str] = {}
        self._row: dict[KnownAnswer, dict[str, Vote]] = {}

    def takes(self, answer: KnownAnswer, vote: Vote | None) -> bool:
        """Say whether the vote agrees with what its rater said of this answer before."""
        return vote is None or self._labels.get((answer, vote.rater), vote.label) == vote.label

    def add(self, answer: KnownAnswer, vote: Vote | None) -> bool:
        """Note an answer of the row with its vote, and say whether its rater said nothing of it before."""
        votes = self._row.setdefault(answer, {})
        if vote is None:
            return False
        votes[vote.rater] = vote
        count = len(self._labels)
        self._labels[answer, vote.rater] = vote.label
        return len(self._labels) > count

    def end_row(self, record: ItemRecord) -> Iterator[Poll]:
        """Yield the row's votes on each answer that has any, or whose question was marked."""
        for answer, votes in self._row.items():
            if votes or record.marked_by:
                yield Poll(answer, tuple(votes.values()), record)
        self._row = {}


class Gap(NamedTuple):
    """How many rows of a file lack something, and the first of them."""

    rows: int
    first_line: int


class Gaps:
    """Remembers by file how many rows have answers, how many none, and how many an empty one."""

    def __init__(self) -> None:
        self._answered: set[str] = set()
        self._without: dict[str, Gap] = {}
        self._empty: dict[str, Gap] = {}

    def take(self, record: ItemRecord, *, file: str) -> None:
        """Note what a row has; lists of decided answers are answers, too."""
        if not record.predictions and not record.listed:
            _add(self._without, file, record.line)
            return
        self._answered.add(file)
        if any(not prediction.text.strip() for prediction in record.predictions):
            _add(self._empty, file, record.line)

    def problems(self) -> Iterator[Problem]:
        """Yield what is worth saying: a file that holds questions alone lacks nothing."""
        for file, gap in self._without.items():
            if file in self._answered:
                rows = "1 row has" if gap.rows == 1 else f"{gap.rows:,} rows have"
                message = f"{rows} a question and no answer, from line {gap.first_line:,} on; none is stored."
                yield Problem(file, gap.first_line, "", Severity.WARNING, "rows_without_answer", message)
        for file, gap in self._empty.items():
            rows = "1 answer is" if gap.rows == 1 else f"{gap.rows:,} answers are"
            message = f"{rows} empty, from line {gap.first_line:,} on; people judge them like any other."
            yield Problem(file, gap.first_line, "", Severity.WARNING, "empty_answers", message)


def _add(gaps: dict[str, Gap], file: str, line: int) -> None:
    found = gaps.get(file, Gap(0, line))
    gaps[file] = found._replace(rows=found.rows + 1)


class Plan:
    """What the rows of an import come to, beside what the project holds; remembered from chunk to chunk.

    counts, problems: what there is to say of the rows taken so far; the caller takes the problems away.
    `is_preview`: nothing is to be inserted, and what only somebody who decides wants to know is looked up.
    """

    def __init__(self, data_import: DataImport, *, is_preview: bool) -> None:
        self.data_import = data_import
        self.counts: Counter[str] = Counter()
        self.problems: list[Problem] = []
        self._is_preview = is_preview
        self._known = Known(data_import)
        self._claims = claims_of(data_import)
        self._project = data_import.project
        self._options = data_import.options
        self._is_link_only = data_import.options.get("candidates") == "votes"
        self._is_decided = get_format(data_import.format).kind is Kind.DECIDED_ITEMS
        self._file = ""
        self._gaps = Gaps()
        self._polling = Polling()
        self._new_names = CommonPrefix()
        self._raters: set[str] = set()
        protocol = self._project.protocol
        self._pools_within_groups = protocol is not None and protocol.rules.pool_within_groups
        self._ungrouped = 0

    def take(self, records: Sequence[Record], *, file: str = "") -> Chunk:
        """Plan what a chunk of rows comes to; whatever was planned before is taken as inserted."""
        self._file = file
        if not self._is_preview and self._known.is_stale:
            self._known.forget()
        self._known.read_around(records)
        chunk = Chunk()
        for record in records:
            if isinstance(record, ItemRecord):
                self._take_item(chunk, record)
            elif isinstance(record, VoteRecord):
                self._take_row_of_votes(chunk, record)
        self._take_verdicts(chunk, [record for record in records if isinstance(record, VerdictRecord)])
        if self._is_preview:
            self._compare_labels([record for record in records if isinstance(record, VoteRecord)])
            self._compare_votes([poll for poll in chunk.polls if poll.answer.is_old])
        return chunk

    def _take_item(self, chunk: Chunk, record: ItemRecord) -> None:
        self._gaps.take(record, file=self._file)
        question = self._known.find_question(record)
        if question is None and not record.question.text:
            message = (
                f"No question has the id “{record.question.external_id}”, and the row has no text of its own."
            )
            problem = self._problem(Severity.ERROR, "unknown_question", message, record.line)
            self.problems.append(weighed(problem, self.data_import))
            return
        question = question or self._new_question(chunk, record, in_sample=self._is_sampled())
        if not question.is_met:
            question.is_met = True
            self.counts["questions_known" if question.is_old else "questions"] += 1
            self.counts["gold_answers"] += 0
        if record.question.text and record.question.external_id:
            self._known.name_further(question, record.question.external_id)
        if self._is_decided:
            self._include_in_sample(chunk, question)
        if record.marked_by:
            self.counts["improper_questions"] += 1
        self._compare_golds(record, question)
        self._add_golds(chunk, record, question)
        self._take_predictions(chunk, record, question)
        self._take_listed(chunk, record, question)

    def _is_sampled(self) -> bool:
        # A drawn sample stays as it was drawn; only a project judged as a whole takes in what comes.
        return self._project.sample_method == self._project.SampleMethod.ALL

    def _new_question(
        self, chunk: Chunk, record: ItemRecord | VoteRecord, *, in_sample: bool
    ) -> KnownQuestion:
        said = record.question if isinstance(record, ItemRecord) else QuestionRecord(text=record.question)
        position = self._known.next_position
        question = self._known.add_question(record, in_sample=in_sample)
        chunk.questions.append(NewQuestion(question, record_key(record), said, position))
        return question

    def _include_in_sample(self, chunk: Chunk, question: KnownQuestion) -> None:
        """What was judged belongs to the judged sample."""
        if not question.in_sample and not question.is_left_out:
            question.in_sample = True
            if question.id:
                chunk.entering.append(question)

    def _compare_golds(self, record: ItemRecord, question: KnownQuestion) -> None:
        # Rows without a question's text add gold answers; they need not repeat those there are.
        if not record.question.text:
            return
        golds = record.question.golds
        if golds_differ(golds, question.golds):
            # Those of an earlier row of these files are the project's as soon as they are in.
            whose = "the project's" if question.is_old else "an earlier row's"
            scored_by = "its own" if own_golds(golds, question.golds) else f"{whose}: patterns are kept once"
            message = (
                f"The gold answers differ from {whose}, which stay; "
                f"the file's systems are scored against {scored_by}."
            )
            self._warn("gold_differs", message, record.line)

    def _add_golds(self, chunk: Chunk, record: ItemRecord, question: KnownQuestion) -> None:
        known = question.golds
        # Rows of an id and one pattern add to each other; else the first row that has any gives them.
        is_partial = not record.question.text
        if len(known) and not is_partial:
            return
        for gold in record.question.golds:
            # A row of its own gives its list as it stands; readers that tidy lists have done so.
            if not is_partial or gold.text not in known:
                chunk.golds.append(NewGold(question, gold, len(known)))
                known.add(gold.text)
                self.counts["gold_answers"] += 1

    def _take_predictions(self, chunk: Chunk, record: ItemRecord, question: KnownQuestion) -> None:
        golds = own_golds(record.question.golds, question.golds) if record.predictions else None
        settled = self._settled_places(record) if self._is_preview else frozenset()
        for prediction in record.predictions:
            group = self._group_of(prediction)
            self._ungrouped += self._pools_within_groups and not group
            system = self._known.systems.get(prediction.system) or self._new_system(chunk, prediction)
            had = self._known.prediction(system, question)
            if had is not None:
                self._repeated(record, prediction, had)
                continue
            self._known.add_prediction(system, question, prediction.text)
            self.counts["predictions"] += 1
            if prediction.uncleaned:
                self.counts["answers_cleaned"] += 1
            hashed = self._known.answers.hashed(prediction.text)
            needs_raters = not settled or f"{group}\t{hashed}" not in settled
            answer = self._pooled(chunk, question, group, prediction.text, hashed, needs_raters=needs_raters)
            answer = self._take_vote(chunk, record, prediction, answer, hashed)
            self._known.answers.give(answer)
            for text in prediction.further:
                also = self._known.answers.hashed(text)
                self._pooled(chunk, question, group, text, also, needs_raters=True)
            chunk.predictions.append(NewPrediction(system, question, answer, prediction, golds))
        chunk.polls += self._polling.end_row(record)

    def _new_system(self, chunk: Chunk, prediction: PredictionRecord) -> KnownSystem:
        group = prediction.group or str(self._options.get("group") or "")
        system = self._known.add_system(prediction.system, group=group)
        chunk.systems.append(system)
        self.counts["systems"] += 1
        self._new_names.take(prediction.system)
        return system

    def _group_of(self, prediction: PredictionRecord) -> str:
        """Return the group within which an answer is pooled; empty where the protocol knows no groups."""
        if not self._pools_within_groups:
            return ""
        return prediction.group or self._group

    @property
    def _group(self) -> str:
        return str(self._options.get("group") or "") if self._pools_within_groups else ""

    def _repeated(self, record: ItemRecord, prediction: PredictionRecord, had: int) -> None:
        if had == 0:
            message = (
                f"“{prediction.system}” has an answer to this question already. "
                "Undo its import, or name the system otherwise."
            )
            self._refuse("already_answered", message, record.line)
        elif had == short_hash(prediction.text):
            message = f"The row repeats an answer of “{prediction.system}”; it is stored once."
            self._warn("repeated_row", message, record.line)
        else:
            message = f"“{prediction.system}” answers this question twice, differently."
            self._refuse("two_answers", message, record.line)

    def _pooled(
        self, chunk: Chunk, question: KnownQuestion, group: str, text: str, hashed: str, *, needs_raters: bool
    ) -> KnownAnswer:
        """Find or make the answer that a text is pooled into."""
        found = self._known.answers.find(question, group, text, hashed)
        if found is None:
            self.counts["answers_to_judge"] += needs_raters and question.in_sample and not self._is_link_only
            return self._new_answer(chunk, question, group, text, hashed)
        if found.is_old:
            self.counts["answers_known"] += 1
            self.counts["answers_inherited"] += found.state == Candidate.State.DECIDED
        return found

    def _new_answer(
        self, chunk: Chunk, question: KnownQuestion, group: str, text: str, hashed: str
    ) -> KnownAnswer:
        self.counts["answers"] += 1
        answer = self._known.answers.make(question, group, text, hashed, is_judgeable=not self._is_link_only)
        chunk.answers.append(answer)
        return answer

    def _take_vote(
        self,
        chunk: Chunk,
        record: ItemRecord,
        prediction: PredictionRecord,
        answer: KnownAnswer,
        hashed: str,
    ) -> KnownAnswer:
        """Note what a rater says of a system's answer, and return the answer that is said of."""
        vote = prediction.vote
        if vote is None and not record.marked_by:
            return answer
        if not self._polling.takes(answer, vote):
            question, group = answer.question, answer.group
            equal = self._known.answers.equal(question, group, hashed)
            fitting = next((each for each in equal if self._polling.takes(each, vote)), None)
            if fitting is None:
                message = f"“{prediction.text[:60]}” was judged twice, differently; it stays two answers."
                self._warn("votes_differ", message, record.line)
            answer = fitting or self._new_answer(chunk, question, group, prediction.text, hashed)
        is_new = self._polling.add(answer, vote)
        if vote is not None:
            self._note_rater(vote.rater)
            # Equal answers with equal votes are one answer, judged once.
            self.counts["votes"] += is_new
        return answer

    def _note_rater(self, name: str) -> None:
        self.counts["raters"] += name not in self._raters
        self._raters.add(name)

    def _settled_places(self, record: ItemRecord) -> frozenset[str]:
        """Return the places of the row's answers that need no judging: equal answers have one place.

        Where its raters take the question out of the scores, all of them. Votes on an answer in further rows
        or files are not added up.
        """
        if self._takes_out(record):
            return frozenset(map(self._place_of, record.predictions))
        votes: dict[str, dict[str, str]] = defaultdict(dict)
        for prediction in record.predictions:
            if prediction.vote:
                said = votes[self._place_of(prediction)]
                said.setdefault(prediction.vote.rater, prediction.vote.label)
        if not votes:
            return frozenset()
        columns = [list(said.values()) for said in votes.values()]
        settled = do_votes_settle(project=self._project, columns=columns)
        return frozenset(place for place, is_settled in zip(votes, settled, strict=True) if is_settled)

    def _place_of(self, prediction: PredictionRecord) -> str:
        return f"{self._group_of(prediction)}\t{self._known.answers.hashed(prediction.text)}"

    def _takes_out(self, record: ItemRecord) -> bool:
        if not record.marked_by or self._project.protocol is None:
            return False
        protocol = self._project.protocol.rules
        key = skipping_check_key(protocol)
        return is_improper(protocol=protocol, marks=[{key} for _ in record.marked_by])

    def _take_listed(self, chunk: Chunk, record: ItemRecord, question: KnownQuestion) -> None:
        """Plan listed answers, each place of a list an answer of its own, in the order of the lists.

        An answer that the project has letter by letter takes the first place of its text.
        """
        known: dict[str, deque[KnownAnswer]] = {}
        for answer in question.answers if record.listed else ():
            if answer.is_judgeable:
                known.setdefault(answer.text, deque()).append(answer)
        for text, word in record.listed:
            same = known.get(text)
            if same:
                answer = same.popleft()
                self.counts["answers_known"] += answer.is_old
            else:
                hashed = self._known.answers.hashed(text)
                answer = self._new_answer(chunk, question, self._group, text, hashed)
            chunk.decided.append((answer, word))
            if answer.is_untouched:
                self.counts["decisions"] += 1
            else:
                message = f"People here are at “{text[:60]}”, or have judged it; it stays theirs."
                self._warn("judged_here", message, record.line)

    def _take_row_of_votes(self, chunk: Chunk, record: VoteRecord) -> None:
        question = self._known.find_question(record)
        if question is None:
            question = self._new_question(chunk, record, in_sample=True)
            self.counts["questions"] += 1
        self._include_in_sample(chunk, question)
        answers = self._known.answers
        answer = self._claims.find(record, question, answers)
        if answer is None:
            hashed = answers.hashed(record.answer)
            answer = self._new_answer(chunk, question, self._group, record.answer, hashed)
            if self._is_preview:
                self.counts["answers_to_judge"] += not self._is_settled(record)
            self._claims.take(answer)
        elif self._claims.take(answer):
            self.counts["answers_known"] += 1
        else:
            message = "The answer stands in the file twice; the votes of the first row count."
            self._warn("repeated_row", message, record.line)
            return
        for vote in record.votes:
            self._note_rater(vote.rater)
            self.counts["votes"] += bool(vote.label)
        if self._claims.keeps_duplicates and record.answer not in (answer.text, answer.text_of_row):
            chunk.typed.append((answer, record.answer))
        chunk.polls.append(Poll(answer, record.votes, record))

    def _is_settled(self, record: VoteRecord) -> bool:
        """Say whether a row of votes settles its answer."""
        (settled,) = do_votes_settle(project=self._project, columns=[[vote.label for vote in record.votes]])
        return settled

    def _compare_labels(self, records: Sequence[VoteRecord]) -> None:
        """Warn of each row whose own label is not what its votes come to."""
        for conflict in find_label_conflicts(project=self._project, records=records) if records else ():
            comes_to = f"“{conflict.found}”" if conflict.found else "no label yet"
            message = (
                f"The row says “{conflict.said}”, but its votes come to {comes_to}; the votes count. "
                "Where the file's label is right, decide the answer yourself."
            )
            self._warn("label_differs", message, conflict.line, column=FINAL_COLUMN)

    def _compare_votes(self, polls: Sequence[Poll]) -> None:
        """Warn of each vote and mark whose rater has spoken in an earlier import."""
        given = find_given_before(project=self._project, ballots=list(map(_ballot, polls)))
        records = {poll.answer.id: poll.record for poll in polls}
        for answer, vote, label, is_same in given.votes:
            who = f"“{vote.rater}” judged this answer “{label}” in an earlier import"
            code, message = "vote_differs", f"{who}, which stays; “{vote.label}” is not taken."
            if is_same:
                code, message = "vote_known", f"{who} already; it is stored once."
            elif not label:
                code = "passed_on_before"
                message = (
                    f"“{vote.rater}” passed this answer on in an earlier import; “{vote.label}” is not taken."
                )
            self.counts["votes"] -= 1
            self._warn(code, message, records[answer].line, column=_column_of(vote, records[answer]))
        for answer, rater in given.unmarked:
            message = (
                f"“{rater}” left this question in the scores in an earlier import, which stays; "
                "that the file takes it out is not taken."
            )
            self._warn("mark_differs", message, records[answer].line)

    def _take_verdicts(self, chunk: Chunk, records: Sequence[VerdictRecord]) -> None:
        # Each judge by itself: a chunk may hold the rows of several files.
        groups: dict[tuple[str, str], list[VerdictRecord]] = {}
        for record in records:
            groups.setdefault((record.judge, record_key(record)), []).append(record)
        for rows in groups.values():
            question = self._known.find_question(rows[0])
            known = question.answers if question else ()
            named = [Named(each.id, each.text) for each in known if each.is_judgeable]
            matches = match_rows(answers=[row.answer for row in rows], known=named)
            self.counts["verdicts"] += len(rows)
            for row, match in zip(rows, matches, strict=True):
                self.counts["verdicts_matched"] += match is not None
                if match is None:
                    message = (
                        f"“{row.answer[:60]}” is no answer of this project, or stands in the file twice; "
                        "left out."
                    )
                    self._warn("unmatched_row", message, row.line)
                else:
                    chunk.verdicts.append(RecordedVerdict(match, row))

    def finish(self) -> None:
        """Add the problems that can only be told of the whole."""
        self.problems += self._gaps.problems()
        if self.counts["verdicts"] and not self.counts["verdicts_matched"]:
            message = "No row belongs to an answer of this project. Import the answers first."
            self._refuse("nothing_matches", message, 0)
        prefix = self._new_names.text
        if prefix and self._options.get(SYSTEM_NAMES) == AS_IN_FILE:
            message = (
                f"The names of all {self._new_names.count:,} new systems begin with “{prefix}”. They stay as "
                f"they are; “{_as_words(WITHOUT_COMMON_PREFIX)}” for "
                f"“{_as_words(SYSTEM_NAMES).capitalize()}” leaves that out of what pages call them."
            )
            self._warn("common_prefix", message, 0)
        protocol = self._project.protocol
        checks = protocol.rules.question_checks if protocol else ()
        if self.counts["improper_questions"] and not any(check.skips_answers for check in checks):
            message = (
                "The file takes questions out of the scores, which this project's protocol cannot: "
                "they stay in. The protocol “evouna” has a check for it."
            )
            self._warn("no_check", message, 0)
        if self._ungrouped:
            message = (
                f"{self._ungrouped:,} answers are of no group of systems, and this project's protocol has "
                "one rater for each group: one rater would judge them all. Read the files as “EVOUNA: "
                "answers with verdicts” and name the groups there, or import each group by itself, named."
            )
            self._warn("no_groups", message, 0)

    def _warn(self, code: str, message: str, line: int, *, column: str = "") -> None:
        self.problems.append(Problem(self._file, line, column, Severity.WARNING, code, message))

    def _refuse(self, code: str, message: str, line: int) -> None:
        self.problems.append(self._problem(Severity.ERROR, code, message, line))

    def _problem(self, severity: Severity, code: str, message: str, line: int) -> Problem:
        return Problem(self._file, line, "", severity, code, message)

    def forget_texts(self, chunk: Chunk) -> None:
        """Keep of new answers only what further rows are compared by: there may be a million."""
        for answer in () if self._known.answers.keeps_texts else chunk.answers:
            answer.text = answer.pool_hash = ""

    def insert(self, chunk: Chunk) -> None:
        """Write what was planned, in the caller's transaction."""
        _insert_questions(self.data_import, chunk)
        _insert_systems(self.data_import, chunk.systems)
        _insert_golds(self.data_import, chunk.golds)
        _insert_answers(self.data_import, chunk.answers)
        _insert_predictions(self.data_import, chunk.predictions)
        Candidate.objects.bulk_update(
            [Candidate(pk=answer.id, text_of_row=text) for answer, text in chunk.typed], ["text_of_row"]
        )
        if chunk.answers:
            self._known.last_answer_id = max(self._known.last_answer_id, chunk.answers[-1].id)
        self.forget_texts(chunk)


def _as_words(name: str) -> str:
    """Return an option or a choice as the page has it."""
    return name.replace("_", " ")


def _insert_questions(data_import: DataImport, chunk: Chunk) -> None:
    Question.objects.filter(pk__in=[question.id for question in chunk.entering]).update(in_sample=True)
    new = chunk.questions
    for each, key in zip(new, reserve_keys(Question, len(new)) if new else (), strict=True):
        each.known.id = key
    insert_rows(
        Question,
        (
            "id", "public_id", "project", "data_import", "key", "key_hash", "external_id", "text", "dataset",
            "tags", "reference_count", "position", "in_sample", "is_left_out",
        ),
        [
            (
                each.known.id, new_public_id(), data_import.project_id, data_import.pk, each.key,
                text_hash(each.key), each.said.external_id, each.said.text, each.said.dataset,
                list(each.said.tags), each.said.reference_count, each.position, each.known.in_sample, False,
            )
            for each in new
        ],
    )  # fmt: skip


def _insert_systems(data_import: DataImport, systems: Sequence[KnownSystem]) -> None:
    made = System.objects.bulk_create(
        System(
            project=data_import.project,
            data_import=data_import,
            name=system.name,
            label=system.name,
            group=system.group,
        )
        for system in systems
    )
    for system, row in zip(systems, made, strict=True):
        system.id = row.pk


def _insert_golds(data_import: DataImport, golds: Sequence[NewGold]) -> None:
    kinds = GoldAnswer.Kind
    insert_rows(
        GoldAnswer,
        ("question", "data_import", "kind", "text", "position"),
        [
            (
                each.question.id,
                data_import.pk,
                kinds.REGEX.value if each.gold.is_regex else kinds.STRING.value,
                each.gold.text,
                each.position,
            )
            for each in golds
        ],
    )


def _insert_answers(data_import: DataImport, answers: Sequence[KnownAnswer]) -> None:
    for answer, key in zip(answers, reserve_keys(Candidate, len(answers)) if answers else (), strict=True):
        answer.id = key
    insert_rows(
        Candidate,
        (
            "id", "public_id", "question", "project", "data_import", "text", "text_of_row", "pool_hash",
            "group", "duplicate", "position", "is_judgeable", "from_gold", "state", "wanted", "taken",
            "least_votes", "goes_first",
        ),
        [
            (
                each.id, new_public_id(), each.question.id, data_import.project_id, data_import.pk, each.text,
                "", each.pool_hash, each.group, each.duplicate, each.position, each.is_judgeable, False,
                Candidate.State.UNASKED.value, 0, 0, 0, False,
            )
            for each in answers
        ],
    )  # fmt: skip


def _insert_predictions(data_import: DataImport, predictions: Sequence[NewPrediction]) -> None:
    insert_rows(
        Prediction,
        ("system", "question", "candidate", "data_import", "text", "raw", "golds", "confidence", "metadata"),
        [
            (
                each.system.id,
                each.question.id,
                each.answer.id,
                data_import.pk,
                each.said.text,
                list(each.said.raw) if each.said.raw is not None else each.said.uncleaned or None,
                each.golds,
                each.said.confidence,
                dict(each.said.metadata),
            )
            for each in predictions
        ],
    )
