"""What the rows of an import come to: one plan, which the preview counts and `applying` inserts."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Count

from annotation.items.formats.papers.openqa_votes import FINAL_COLUMN
from annotation.items.formats.passages import MOST_PASSAGES
from annotation.items.formats.records import (
    Gold,
    ItemRecord,
    Kind,
    PassageRecord,
    PredictionRecord,
    Problem,
    QuestionRecord,
    Record,
    Severity,
    VerdictRecord,
    Vote,
    VoteRecord,
)
from annotation.items.formats.voting import ONE_OR_NONE, meanings_in, rating_among
from annotation.items.models import Candidate, DataImport
from annotation.items.ports import (
    do_votes_settle,
    find_given_before,
    find_label_conflicts,
    find_unknown_labels,
)
from annotation.items.rules import (
    Ballot,
    CommonPrefix,
    Named,
    RecordedDecision,
    RecordedVerdict,
    match_rows,
    passage_hash,
    plain_names,
)
from annotation.items.selectors import get_format
from annotation.items.services.known import (
    EqualToGold,
    Known,
    KnownAnswer,
    KnownPassage,
    KnownQuestion,
    KnownSystem,
    claims_of,
    golds_differ,
    own_golds,
    quoted_golds,
    short_hash,
)
from annotation.items.services.reading import (
    AS_IN_FILE,
    BAD_ROWS,
    LEAVE_OUT,
    SHORTENED,
    SYSTEM_NAMES,
    WITHOUT_COMMON_PREFIX,
    leaves_out_bad_rows,
    record_key,
    weighed,
)
from annotation.projects.rules import GoldEqual, is_improper, skipping_check_key


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


class NewPassage(NamedTuple):
    """A passage that a row brings beside a question."""

    known: KnownPassage
    question: KnownQuestion
    said: PassageRecord
    hashed: str
    is_given: bool
    position: int


class NewRetrieval(NamedTuple):
    """That a system retrieved a passage for its prediction."""

    system: KnownSystem
    question: KnownQuestion
    passage: KnownPassage
    said: PassageRecord


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
    passages: list[NewPassage] = field(default_factory=list)
    retrievals: list[NewRetrieval] = field(default_factory=list)
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

    def takes(self, answer: KnownAnswer, votes: Iterable[Vote]) -> bool:
        """Say whether the votes agree with what their raters said of this answer before."""
        return all(self._labels.get((answer, vote.rater), vote.label) == vote.label for vote in votes)

    def add(self, answer: KnownAnswer, votes: Iterable[Vote]) -> int:
        """Note an answer of the row with its votes; say how many raters said nothing of it before."""
        said = self._row.setdefault(answer, {})
        count = len(self._labels)
        for vote in votes:
            said[vote.rater] = vote
            self._labels[answer, vote.rater] = vote.label
        return len(self._labels) - count

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

    @property
    def place(self) -> str:
        """Return where people find the rows."""
        return f"line {self.first_line:,}" if self.rows == 1 else f"the first is line {self.first_line:,}"


class Gaps:
    """Remembers by file how many rows have answers, how many none, and how many an empty one."""

    def __init__(self) -> None:
        self._answered: set[str] = set()
        self._without: dict[str, Gap] = {}
        self._empty: dict[str, Gap] = {}

    def take(self, record: ItemRecord, *, file: str) -> None:
        """Note what a row has; lists of decided answers are answers, too."""
        if not record.predictions and not record.listed and not record.has_passages:
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
                message = (
                    f"{rows} a question but no answer ({gap.place}). If a system did answer, add its "
                    "answers to the file."
                )
                yield Problem(file, gap.first_line, "", Severity.WARNING, "rows_without_answer", message)
        for file, gap in self._empty.items():
            rows = "1 answer is" if gap.rows == 1 else f"{gap.rows:,} answers are"
            message = (
                f"{rows} empty ({gap.place}). People judge empty answers, too. If a system did give an "
                "answer, add it to the file."
            )
            yield Problem(file, gap.first_line, "", Severity.WARNING, "empty_answers", message)


def _add(gaps: dict[str, Gap], file: str, line: int) -> None:
    found = gaps.get(file, Gap(0, line))
    gaps[file] = found._replace(rows=found.rows + 1)


# Of systems that answer fewer questions than others.
MOST_NAMED = 5


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
        self._project = data_import.project
        protocol = self._project.protocol
        # Of the answers to judge those that nobody needs to: later rows may have the gold answer, or votes.
        self._equal_to_gold = (
            EqualToGold()
            if is_preview and protocol is not None and protocol.rules.gold_equal is GoldEqual.CORRECT
            else None
        )
        self._known = Known(data_import, equal_to_gold=self._equal_to_gold)
        self._claims = claims_of(data_import)
        self._options = data_import.options
        self._is_link_only = data_import.options.get("candidates") == "votes"
        self._is_decided = get_format(data_import.format).kind is Kind.DECIDED_ITEMS
        self._file = ""
        self._files: set[str] = set()
        self._gaps = Gaps()
        self._polling = Polling()
        self._new_names = CommonPrefix()
        self._raters: set[str] = set()
        # The words of votes that were looked at, whatever they mean.
        self._words: set[str] = set()
        # Votes of 1 and 0, in case other numbers show that these are points on a scale.
        self._ones: list[tuple[Vote, Poll]] = []
        # How many questions each system answers in these files, of those that the project had not.
        self._given: Counter[str] = Counter()
        self._pools_within_groups = protocol is not None and protocol.rules.pool_within_groups
        self._ungrouped = 0

    def take(self, records: Sequence[Record], *, file: str = "") -> Chunk:
        """Plan what a chunk of rows comes to; whatever was planned before is taken as inserted."""
        self._file = file
        self._files.add(file)
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
            self._require_known_words(chunk.polls)
            self._compare_votes([poll for poll in chunk.polls if poll.answer.is_old])
        return chunk

    def _take_item(self, chunk: Chunk, record: ItemRecord) -> None:
        self._gaps.take(record, file=self._file)
        question = self._known.find_question(record)
        if question is None and not record.question.text:
            message = (
                f"No question has “{record.question.external_id}” as its ID, and the row does "
                "not contain the question’s text. Import the questions first, or together with this file."
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
        if record.has_passages:
            self._take_passages(chunk, record, question)

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
            given, kept = ("the project",) * 2 if question.is_old else ("an earlier row", "the earlier row")
            scored_against = (
                "the gold answers in this row"
                if own_golds(golds, question.golds)
                else "the question’s gold answers, because patterns are saved only with its first import"
            )
            here = quoted_golds([gold.text for gold in golds])
            there = quoted_golds(self._known.shown_golds(question))
            if here == there:
                # They differ further on than is shown.
                here = there = ""
            message = (
                f"The gold answers in this row{here} differ from those in {given}{there}. The question "
                f"keeps those in {kept}. Answers in this row are scored against "
                f"{scored_against}. If the difference is a mistake, correct the file."
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
                self._known.add_gold(question, gold)
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
            if prediction.votes and self._is_link_only:
                self._refuse_linking(record)
            self._known.add_prediction(system, question, prediction.text)
            self.counts["predictions"] += 1
            self._given[system.name] += 1
            if prediction.uncleaned:
                self.counts["answers_cleaned"] += 1
            hashed = self._known.answers.hashed(prediction.text)
            needs_raters = not settled or f"{group}\t{hashed}" not in settled
            answer = self._pooled(chunk, question, group, prediction.text, hashed, needs_raters=needs_raters)
            answer = self._take_votes(chunk, record, prediction, answer, hashed)
            self._known.answers.give(answer)
            for text in prediction.further:
                also = self._known.answers.hashed(text)
                self._pooled(chunk, question, group, text, also, needs_raters=True)
            chunk.predictions.append(NewPrediction(system, question, answer, prediction, golds))
        chunk.polls += self._polling.end_row(record)

    def _refuse_linking(self, record: ItemRecord) -> None:
        message = (
            "This row has votes of its own, so its answer cannot be matched to answers whose votes were "
            "imported. Set “Candidates” to “predictions.”"
        )
        self._refuse("votes_of_own", message, record.line)

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
                f"“{prediction.system}” already has an answer to this question. Undo the "
                "import that added it, or give the system another name."
            )
            self._refuse("already_answered", message, record.line)
        elif had == short_hash(prediction.text) and prediction.votes:
            self._add_votes(record, prediction)
        elif had == short_hash(prediction.text):
            message = (
                f"The row repeats an answer from “{prediction.system}.” Assay imports the answer only "
                "once. No action is needed."
            )
            self._warn("repeated_row", message, record.line)
        else:
            asked = f" “{record.question.text[:60]}”" if record.question.text else " this question"
            message = f"“{prediction.system}” gives two different answers to{asked}."
            if leaves_out_bad_rows(self.data_import):
                self._warn("two_answers", f"{message} Only the first is imported.", record.line)
                return
            advice = (
                "Remove one of them, rename the system in one row, or set "
                f"“{_as_words(BAD_ROWS).capitalize()}” to “{_as_words(LEAVE_OUT)}” to import only the first."
            )
            self._refuse("two_answers", f"{message} {advice}", record.line)

    def _pooled(
        self, chunk: Chunk, question: KnownQuestion, group: str, text: str, hashed: str, *, needs_raters: bool
    ) -> KnownAnswer:
        """Find or make the answer that a text is pooled into."""
        found = self._known.answers.find(question, group, text, hashed)
        if found is None:
            made = self._new_answer(chunk, question, group, text, hashed)
            is_work = needs_raters and question.in_sample and not self._is_link_only
            self.counts["answers_to_judge"] += is_work
            if is_work and self._equal_to_gold is not None:
                self._equal_to_gold.add(made)
            return made
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

    def _take_votes(
        self,
        chunk: Chunk,
        record: ItemRecord,
        prediction: PredictionRecord,
        answer: KnownAnswer,
        hashed: str,
    ) -> KnownAnswer:
        """Note what raters say of a system's answer, and return the answer that is said of."""
        votes = prediction.votes
        if not votes and not record.marked_by:
            return answer
        if not self._polling.takes(answer, votes):
            question, group = answer.question, answer.group
            equal = self._known.answers.equal(question, group, hashed)
            fitting = next((each for each in equal if self._polling.takes(each, votes)), None)
            if fitting is None:
                message = (
                    f"“{prediction.text[:60]}” was judged twice with different labels, so it "
                    "is imported as two answers. To import only one, remove a row from the "
                    "file."
                )
                self._warn("votes_differ", message, record.line)
            answer = fitting or self._new_answer(chunk, question, group, prediction.text, hashed)
        if self._equal_to_gold is not None:
            # What people have a part in is left to people.
            self._equal_to_gold.discard(answer)
        # Equal answers with equal votes are one answer, judged once.
        self.counts["votes"] += self._polling.add(answer, votes)
        for vote in votes:
            self._note_rater(vote.rater)
        return answer

    def _add_votes(self, record: ItemRecord, prediction: PredictionRecord) -> None:
        """Note what raters say of a system's answer that another row or file of the import has, too."""
        question = self._known.find_question(record)
        hashed = self._known.answers.hashed(prediction.text)
        group = self._group_of(prediction)
        assert question is not None, "A system's answer has a question."
        answer = self._known.answers.find(question, group, prediction.text, hashed)
        assert answer is not None, "A system's answer is pooled when it is met first."
        if not self._polling.takes(answer, prediction.votes):
            message = (
                f"An annotator judged “{prediction.text[:60]}” in two rows or files of this import, with "
                "different labels. Delete one of the two votes."
            )
            self._refuse("two_votes", message, record.line)
            return
        if self._equal_to_gold is not None:
            self._equal_to_gold.discard(answer)
        self.counts["votes"] += self._polling.add(answer, prediction.votes)
        for vote in prediction.votes:
            self._note_rater(vote.rater)

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
            for vote in prediction.votes:
                votes[self._place_of(prediction)].setdefault(vote.rater, vote.label)
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
                message = (
                    f"Annotators in this project are judging “{text[:60]}” or have judged it, so "
                    "the file’s decision on it is ignored. To use that decision, make it "
                    "yourself."
                )
                self._warn("judged_here", message, record.line)

    def _take_passages(self, chunk: Chunk, record: ItemRecord, question: KnownQuestion) -> None:
        """Plan the passages of a row: those of the question, then those that systems retrieved."""
        for said in record.passages:
            self._passage(chunk, question, said, is_given=True)
        if question.passages is not None and len(question.passages.given) > MOST_PASSAGES:
            message = (
                f"With this row, the question has {len(question.passages.given):,} passages; at "
                f"most {MOST_PASSAGES:,} are allowed."
            )
            self._refuse("too_many_passages", message, record.line)
        for name, passages in record.retrieved:
            system = self._known.systems.get(name)
            if system is None or self._known.prediction(system, question) is None:
                message = (
                    f"“{name}” has no answer to this question, so the passages that it "
                    "retrieved are not imported. Import its answers first, or together with "
                    "this file."
                )
                self._warn("retrieved_without_answer", message, record.line)
                continue
            for said in passages:
                passage = self._passage(chunk, question, said, is_given=False)
                if system.number not in passage.systems:
                    passage.systems += (system.number,)
                    chunk.retrievals.append(NewRetrieval(system, question, passage, said))
                    self.counts["passages_retrieved"] += 1

    def _passage(
        self, chunk: Chunk, question: KnownQuestion, said: PassageRecord, *, is_given: bool
    ) -> KnownPassage:
        hashed = passage_hash(text=said.text, title=said.title, source=said.source)
        passage, is_new = self._known.passage(question, hashed, is_given=is_given)
        if is_new:
            position = len(question.passages or ()) - 1
            chunk.passages.append(NewPassage(passage, question, said, hashed, is_given, position))
        if is_given:
            self.counts["passages" if is_new else "passages_known"] += 1
        return passage

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
            message = (
                "The answer appears in the file more than once; only the votes in its first row count. "
                "To use the votes in another of its rows, remove the first row."
            )
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
                f"The row’s label is “{conflict.said},” but its votes lead to {comes_to}; the votes "
                "count. If the file’s label is correct, decide the answer yourself."
            )
            self._warn("label_differs", message, conflict.line, column=FINAL_COLUMN)

    def _require_known_words(self, polls: Sequence[Poll]) -> None:
        """Refuse a vote in a word that means no label of the protocol, once for each word."""
        for poll in polls:
            first = {vote.label: vote for vote in reversed(poll.votes)}
            first = {word: vote for word, vote in first.items() if word and word not in self._words}
            self._words |= first.keys()
            unknown = find_unknown_labels(project=self._project, words=sorted(first)) if first else ()
            for word in unknown:
                self._refuse_word(first[word], poll)
            self._ones += [(vote, poll) for word, vote in first.items() if word in ONE_OR_NONE]
        self._require_clear_ratings()

    def _require_clear_ratings(self) -> None:
        """Refuse 1 and 0 beside other numbers until somebody says what they mean: 1 may be the worst of 5."""
        if not self._ones:
            return
        explained = meanings_in(str(self._options.get("labels") or ""))
        other = rating_among((*explained, *self._words))
        if not other:
            return
        protocol = self._project.protocol
        labels = protocol.rules.labels if protocol else ()
        named = {name for label in labels for name in (label.key, label.name)}
        for vote, poll in self._ones:
            if vote.label not in named:
                usual = "correct" if vote.label == "1" else "incorrect"
                message = (
                    f"“{vote.label}” usually means {usual}, but “{other}” is a vote, too, so the votes may "
                    f"be ratings. Say under “Meaning of votes” what “{vote.label}” means."
                )
                line = vote.line or poll.record.line
                self._refuse("unclear_rating", message, line, column=_column_of(vote, poll.record))
        self._ones = []

    def _refuse_word(self, vote: Vote, poll: Poll) -> None:
        protocol = self._project.protocol
        names = [label.name for label in protocol.rules.labels] if protocol else []
        advice = (
            "Say under “Meaning of votes” what the word means, correct the file"
            if "labels" in self._options
            else "Correct the file"
        )
        message = (
            f"“{vote.label[:60]}” is not a label in this project’s protocol, which has these labels: "
            f"{', '.join(names)}. “{vote.rater[:60]}” gave it to “{poll.answer.text[:60]}” in this row. "
            f"{advice}, or add the label to the protocol."
        )
        line = vote.line or poll.record.line
        self._refuse("unknown_label", message, line, column=_column_of(vote, poll.record))

    def _compare_votes(self, polls: Sequence[Poll]) -> None:
        """Warn of each vote and mark whose rater has spoken in an earlier import."""
        given = find_given_before(project=self._project, ballots=list(map(_ballot, polls)))
        records = {poll.answer.id: poll.record for poll in polls}
        for answer, vote, label, is_same in given.votes:
            who = f"“{vote.rater}” judged this answer “{label}” in an earlier import"
            code, message = (
                "vote_differs",
                (
                    f"{who}. That vote counts, and “{vote.label}” is ignored. To use “{vote.label}” "
                    "instead, undo the earlier import first."
                ),
            )
            if is_same:
                code, message = "vote_known", f"{who}. The vote counts only once. No action is needed."
            elif not label:
                code = "passed_on_before"
                message = (
                    f"“{vote.rater}” skipped this answer in an earlier import, so "
                    f"“{vote.label}” is ignored. To use it, undo the earlier import first."
                )
            self.counts["votes"] -= 1
            self._warn(code, message, records[answer].line, column=_column_of(vote, records[answer]))
        for answer, rater in given.unmarked:
            message = (
                f"In an earlier import, “{rater}” kept this question in the scores, so this "
                "file’s request to exclude it is ignored. To exclude it, undo the earlier "
                "import first."
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
                        f"“{row.answer[:60]}” is not an answer in this project, or appears in "
                        "the file twice. The row is left out. Import the answer first, or "
                        "remove the repeated row."
                    )
                    self._warn("unmatched_row", message, row.line)
                else:
                    chunk.verdicts.append(RecordedVerdict(match, row))

    def finish(self) -> None:
        """Add what can only be told of the whole: problems, and which answers equal a gold answer."""
        self.problems += self._gaps.problems()
        if self._equal_to_gold is not None:
            self.counts["answers_to_judge"] -= len(self._equal_to_gold)
        if self.counts["verdicts"] and not self.counts["verdicts_matched"]:
            message = "No row matches an answer in this project. Import the answers first."
            self._refuse("nothing_matches", message, 0)
        prefix = self._new_names.text
        if prefix and self._options.get(SYSTEM_NAMES) == AS_IN_FILE:
            message = (
                f"The names of all {self._new_names.count:,} new systems have the prefix “{prefix}” and are "
                "kept as they are. To hide this prefix in the web interface, set "
                f"“{_as_words(SYSTEM_NAMES).capitalize()}” to “{_as_words(WITHOUT_COMMON_PREFIX)}.”"
            )
            self._remark("common_prefix", message)
        self._name_shortened()
        self._compare_coverage()
        protocol = self._project.protocol
        checks = protocol.rules.question_checks if protocol else ()
        if self.counts["improper_questions"] and not any(check.skips_answers for check in checks):
            message = (
                "The file excludes questions from the scores, but this project’s protocol has "
                "no question check for that, so they stay in. To exclude them, add such a "
                "check, or choose the protocol “EVOUNA.”"
            )
            self._remark("no_check", message)
        if self._ungrouped:
            message = (
                f"{self._ungrouped:,} {'answer belongs' if self._ungrouped == 1 else 'answers belong'} to no "
                "group of systems, but this project’s protocol has one annotator for each group, so one "
                "annotator would judge all such answers. Read the files as “EVOUNA: answers with verdicts” "
                "and name the groups there, or import each group separately under its name."
            )
            self._remark("no_groups", message)

    def _name_shortened(self) -> None:
        """Say how new systems are called where their names are shortened."""
        if not self._is_preview or self._options.get(SYSTEM_NAMES) != SHORTENED:
            return
        had = dict(self._project.systems.values_list("name", "label"))
        new = {name: count for name, count in self._given.items() if name not in had}
        shown = plain_names(new, taken=set(had.values()))
        left_out = {part for name, label in shown.items() for part in name.split(label, 1) if part}
        if not left_out:
            return
        parts = " and ".join(f"“{part}”" for part in sorted(left_out))
        named = ", ".join(f"“{label}”" for label in sorted(shown.values())[:MOST_NAMED])
        more = f" and {len(shown) - MOST_NAMED} more" if len(shown) > MOST_NAMED else ""
        message = (
            f"System names are shown without {parts}. On pages, the systems are named {named}{more}. "
            "Files and commands keep the whole names. To show whole names on pages, too, set "
            f"“{_as_words(SYSTEM_NAMES).capitalize()}” to “{_as_words(AS_IN_FILE)}.”"
        )
        self._remark("shortened_names", message)

    def _compare_coverage(self) -> None:
        """Warn where some systems would answer fewer questions than others."""
        if not self._given or not self._is_preview:
            return
        had = self._project.systems.annotate(answers=Count("predictions")).filter(answers__gt=0)
        counts = self._given + Counter(dict(had.values_list("name", "answers")))
        behind = {name: count for name, count in counts.items() if count < max(counts.values())}
        if not behind:
            return
        fewest, most = min(behind.values()), max(behind.values())
        answered = f"{most:,}" if fewest == most else f"{fewest:,} to {most:,}"
        questions = self._project.questions.count() + self.counts["questions"]
        named = ", ".join(f"“{name}”" for name in sorted(behind)[:MOST_NAMED])
        more = f" and {len(behind) - MOST_NAMED} more" if len(behind) > MOST_NAMED else ""
        message = (
            f"{len(behind):,} of {len(counts):,} systems {'answers' if len(behind) == 1 else 'answer'} only "
            f"{answered} of {questions:,} questions: {named}{more}. To compare all systems on the same "
            "questions, let people judge those that every system answers."
        )
        self._remark("uneven_coverage", message)

    def _remark(self, code: str, message: str) -> None:
        """Warn of the whole, which is of no single file where there are several."""
        file = self._file if len(self._files) == 1 else ""
        self.problems.append(Problem(file, 0, "", Severity.WARNING, code, message))

    def _warn(self, code: str, message: str, line: int, *, column: str = "") -> None:
        self.problems.append(Problem(self._file, line, column, Severity.WARNING, code, message))

    def _refuse(self, code: str, message: str, line: int, *, column: str = "") -> None:
        self.problems.append(self._problem(Severity.ERROR, code, message, line, column=column))

    def _problem(
        self, severity: Severity, code: str, message: str, line: int, *, column: str = ""
    ) -> Problem:
        return Problem(self._file, line, column, severity, code, message)

    def forget_texts(self, chunk: Chunk) -> None:
        """Keep of new answers only what further rows are compared by: there may be a million."""
        for answer in () if self._known.answers.keeps_texts else chunk.answers:
            answer.text = answer.pool_hash = ""

    def note_inserted(self, chunk: Chunk) -> None:
        """Go on from what was written: further rows are compared with it."""
        if chunk.answers:
            self._known.last_answer_id = max(self._known.last_answer_id, chunk.answers[-1].id)
        self.forget_texts(chunk)


def _as_words(name: str) -> str:
    """Return an option or a choice as the page has it."""
    return name.replace("_", " ")
