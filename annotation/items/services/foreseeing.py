"""What an import would do, counted without storing anything."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from annotation.items.formats.records import (
    ItemRecord,
    PredictionRecord,
    Problem,
    Record,
    Severity,
    VerdictRecord,
    VoteRecord,
)
from annotation.items.models import Candidate, DataImport, Question
from annotation.items.rules import CommonPrefix, Named, match_rows, pool_hash, text_hash
from annotation.items.services.gaps import Gaps
from annotation.items.services.own_votes import is_settled, label_conflicts, settled_places
from annotation.items.services.reading import (
    AS_IN_FILE,
    SYSTEM_NAMES,
    WITHOUT_COMMON_PREFIX,
    record_key,
    weighed,
)
from annotation.items.services.surroundings import Surroundings, golds_differ, look_around, own_golds


class Foresight:
    """Counts what rows would add to a project; remembers earlier rows by short hashes only."""

    def __init__(self, data_import: DataImport) -> None:
        self.counts: Counter[str] = Counter()
        self._project = data_import.project
        self._data_import = data_import
        self._options = data_import.options
        self._file = ""
        self._seen: set[int] = set()
        self._gaps = Gaps()
        self._new_names = CommonPrefix()
        protocol = self._project.protocol
        self._needs_groups = protocol is not None and protocol.rules.pool_within_groups
        self._ungrouped = 0
        self._is_link_only = data_import.options.get("candidates") == "votes"

    def take(self, records: Sequence[Record], *, file: str) -> Iterator[Problem]:
        """Count a chunk of rows of a file and yield what the project has against them."""
        self._file = file
        around = look_around(project=self._project, records=records, is_link_only=self._is_link_only)
        for record in records:
            if isinstance(record, ItemRecord):
                self._gaps.take(record, file=file)
                yield from self._take_item(record, around)
            elif isinstance(record, VoteRecord):
                yield from self._take_votes(record, around)
        votes = [record for record in records if isinstance(record, VoteRecord)]
        yield from label_conflicts(project=self._project, records=votes, file=file)
        verdicts = [record for record in records if isinstance(record, VerdictRecord)]
        yield from self._take_verdicts(verdicts, around)

    def finish(self) -> Iterator[Problem]:
        """Yield what can only be said of the whole."""
        yield from self._gaps.problems()
        if self.counts["verdicts"] and not self.counts["verdicts_matched"]:
            message = "No row belongs to an answer of this project. Import the answers first."
            yield self._problem(Severity.ERROR, "nothing_matches", message, 0)
        yield from self._common_prefix()
        protocol = self._project.protocol
        checks = protocol.rules.question_checks if protocol else ()
        if self.counts["improper_questions"] and not any(check.skips_answers for check in checks):
            message = (
                "The file takes questions out of the scores, which this project's protocol cannot: "
                "they stay in. The protocol “evouna” has a check for it."
            )
            yield self._problem(Severity.WARNING, "no_check", message, 0)
        if self._ungrouped:
            message = (
                f"{self._ungrouped:,} answers are of no group of systems, and this project's protocol has "
                "one rater for each group: one rater would judge them all. Read the files as “EVOUNA: "
                "answers with verdicts” and name the groups there, or import each group by itself, named."
            )
            yield self._problem(Severity.WARNING, "no_groups", message, 0)

    def _common_prefix(self) -> Iterator[Problem]:
        prefix = self._new_names.text
        if prefix and self._options.get(SYSTEM_NAMES) == AS_IN_FILE:
            message = (
                f"The names of all {self._new_names.count:,} new systems begin with “{prefix}”. They stay as "
                f"they are; {SYSTEM_NAMES}={WITHOUT_COMMON_PREFIX} leaves that out of what pages call them."
            )
            yield self._problem(Severity.WARNING, "common_prefix", message, 0)

    def _take_item(self, record: ItemRecord, around: Surroundings) -> Iterator[Problem]:
        key = record_key(record)
        question = around.questions.get(key)
        if question is None and not record.question.text and not self._has_seen(key):
            message = (
                f"No question has the id “{record.question.external_id}”, and the row has no text of its own."
            )
            problem = self._problem(Severity.ERROR, "unknown_question", message, record.line)
            yield weighed(problem, self._data_import)
            return
        self._count_question(record, key, question, around)
        # A row may have a long question and many answers: what names it is short from here on.
        key = text_hash(key)
        if record.marked_by:
            self.counts["improper_questions"] += 1
        yield from self._gold_problems(record, question, around)
        settled = settled_places(project=self._project, record=record, place_of=self._place_of)
        for prediction in record.predictions:
            needs_raters = not settled or self._place_of(prediction) not in settled
            yield from self._take_prediction(record, prediction, key, question, around, needs_raters)
        yield from self._take_listed(record, question, around)

    def _count_question(
        self, record: ItemRecord, key: str, question: Question | None, around: Surroundings
    ) -> None:
        external_id = record.question.external_id
        if question is None and record.question.text and self._is_first(key):
            self.counts["questions"] += 1
            self.counts["gold_answers"] += len(record.question.golds)
        elif question is not None and self._is_first(key):
            self.counts["questions_known"] += 1
            self.counts["gold_answers"] += (
                0 if question.pk in around.gold_texts else len(record.question.golds)
            )
        if external_id:
            self._is_first(f"id:{external_id}")

    def _gold_problems(
        self, record: ItemRecord, question: Question | None, around: Surroundings
    ) -> Iterator[Problem]:
        known = around.gold_texts.get(question.pk) if question else None
        # Rows without a question's text add gold answers; they need not repeat those there are.
        golds = record.question.golds
        if record.question.text and golds_differ(golds, known):
            scored_by = "its own" if own_golds(golds, known) else "the project's: patterns are kept once"
            message = (
                "The gold answers differ from the project's, which stay; "
                f"the file's systems are scored against {scored_by}."
            )
            yield self._problem(Severity.WARNING, "gold_differs", message, record.line)

    def _take_prediction(
        self,
        record: ItemRecord,
        prediction: PredictionRecord,
        key: str,
        question: Question | None,
        around: Surroundings,
        needs_raters: bool,
    ) -> Iterator[Problem]:
        named = prediction.group or self._options.get("group")
        self._ungrouped += self._needs_groups and not named
        system = around.systems.get(prediction.system)
        if system is None and self._is_first(f"system\t{prediction.system}"):
            self.counts["systems"] += 1
            self._new_names.take(prediction.system)
        if system and question and (system.pk, question.pk) in around.predicted:
            message = (
                f"“{prediction.system}” has an answer to this question already. "
                "Undo its import, or name the system otherwise."
            )
            yield self._problem(Severity.ERROR, "already_answered", message, record.line)
            return
        if not self._is_first(f"prediction\t{prediction.system}\t{key}"):
            yield from self._repeated(record, prediction, key)
            return
        self._is_first(f"prediction\t{prediction.system}\t{key}\t{prediction.text}")
        self.counts["predictions"] += 1
        if prediction.uncleaned:
            self.counts["answers_cleaned"] += 1
        group = self._group_of(prediction)
        yield from self._take_vote(record, prediction, f"{key}\t{group}")
        self._count_answer(prediction.text, key, group, question, around, needs_raters)
        for text in prediction.further:
            self._count_answer(text, key, group, question, around, True)

    def _take_listed(
        self, record: ItemRecord, question: Question | None, around: Surroundings
    ) -> Iterator[Problem]:
        known = around.answers.of_question(question.pk) if question and record.listed else []
        by_text = {each.text: each for each in known if each.is_judgeable}
        for text, _ in record.listed:
            found = by_text.pop(text, None)
            self.counts["answers" if found is None else "answers_known"] += 1
            if found is None or found.is_untouched:
                self.counts["decisions"] += 1
                continue
            message = f"People here are at “{text[:60]}”, or have judged it; it stays theirs."
            yield self._problem(Severity.WARNING, "judged_here", message, record.line)

    def _group_of(self, prediction: PredictionRecord) -> str:
        options = {"group": prediction.group or self._options.get("group")}
        return group_of(project_groups=self._pools_within_groups, options=options)

    def _place_of(self, prediction: PredictionRecord) -> str:
        return f"{self._group_of(prediction)}\t{self._pool_hash(prediction.text)}"

    def _take_vote(self, record: ItemRecord, prediction: PredictionRecord, place: str) -> Iterator[Problem]:
        vote = prediction.vote
        if vote is None:
            return
        self.counts["raters"] += self._is_first(f"rater\t{vote.rater}")
        answer = f"vote\t{place}\t{self._pool_hash(prediction.text)}\t{vote.rater}"
        is_first_vote = self._is_first(answer)
        is_first_of_label = self._is_first(f"{answer}\t{vote.label}")
        # Equal answers with equal votes are one answer, judged once.
        self.counts["votes"] += is_first_of_label
        if is_first_of_label and not is_first_vote:
            self.counts["answers"] += 1
            message = f"“{prediction.text[:60]}” was judged twice, differently; it stays two answers."
            yield self._problem(Severity.WARNING, "votes_differ", message, record.line)

    def _repeated(self, record: ItemRecord, prediction: PredictionRecord, key: str) -> Iterator[Problem]:
        if self._has_seen(f"prediction\t{prediction.system}\t{key}\t{prediction.text}"):
            message = f"The row repeats an answer of “{prediction.system}”; it is stored once."
            yield self._problem(Severity.WARNING, "repeated_row", message, record.line)
        else:
            message = f"“{prediction.system}” answers this question twice, differently."
            yield self._problem(Severity.ERROR, "two_answers", message, record.line)

    def _count_answer(
        self,
        text: str,
        key: str,
        group: str,
        question: Question | None,
        around: Surroundings,
        needs_raters: bool,
    ) -> None:
        if question is not None:
            found = around.answers.find(question_id=question.pk, group=group, text=text)
            if found is not None:
                self.counts["answers_known"] += 1
                self.counts["answers_inherited"] += found.state == Candidate.State.DECIDED
                return
        hashed = text_hash(text.casefold()) if self._is_link_only else self._pool_hash(text)
        if self._is_first(f"answer\t{key}\t{group}\t{hashed}"):
            self.counts["answers"] += 1
            self.counts["answers_to_judge"] += needs_raters and self._will_be_asked(question)

    def _will_be_asked(self, question: Question | None) -> bool:
        if self._is_link_only:
            return False
        if question is not None:
            return question.in_sample
        return self._project.sample_method == self._project.SampleMethod.ALL

    def _take_votes(self, record: VoteRecord, around: Surroundings) -> Iterator[Problem]:
        key = record_key(record)
        if key not in around.questions and self._is_first(key):
            self.counts["questions"] += 1
        for vote in record.votes:
            self.counts["raters"] += self._is_first(f"rater\t{vote.rater}")
            self.counts["votes"] += bool(vote.label)
        question = around.questions.get(key)
        known = question and around.answers.find(question_id=question.pk, group="", text=record.answer)
        is_new = self._is_first(f"answer\t{key}\t\t{self._pool_hash(record.answer)}")
        if is_new or self._options.get("keep_duplicate_rows") == "yes":
            is_known = known and is_new
            self.counts["answers_known" if is_known else "answers"] += 1
            if not is_known:
                self.counts["answers_to_judge"] += not is_settled(project=self._project, record=record)
        else:
            message = "The answer stands in the file twice; the votes of the first row count."
            yield self._problem(Severity.WARNING, "repeated_row", message, record.line)

    def _take_verdicts(self, records: list[VerdictRecord], around: Surroundings) -> Iterator[Problem]:
        by_key: dict[str, list[VerdictRecord]] = {}
        for record in records:
            by_key.setdefault(record_key(record), []).append(record)
        for key, rows in by_key.items():
            question = around.questions.get(key)
            known = around.answers.of_question(question.pk) if question else []
            named = [Named(each.pk, each.text) for each in known if each.is_judgeable]
            matches = match_rows(answers=[row.answer for row in rows], known=named)
            self.counts["verdicts"] += len(rows)
            self.counts["verdicts_matched"] += sum(match is not None for match in matches)
            for row, match in zip(rows, matches, strict=True):
                if match is None:
                    yield self._unmatched(row)

    def _unmatched(self, row: VerdictRecord) -> Problem:
        message = f"“{row.answer[:60]}” is no answer of this project, or stands in the file twice; left out."
        return self._problem(Severity.WARNING, "unmatched_row", message, row.line)

    @property
    def _pools_within_groups(self) -> bool:
        protocol = self._project.protocol
        return protocol is not None and protocol.rules.pool_within_groups

    def _pool_hash(self, text: str) -> str:
        return pool_hash(text, pooling=self._project.pooling)

    def _problem(self, severity: Severity, code: str, message: str, line: int) -> Problem:
        return Problem(self._file, line, "", severity, code, message)

    def _is_first(self, what: str) -> bool:
        """Remember something and return whether it is new."""
        count = len(self._seen)
        self._seen.add(_short_hash(what))
        return len(self._seen) > count

    def _has_seen(self, what: str) -> bool:
        return _short_hash(what) in self._seen


def group_of(*, project_groups: bool, options: dict[str, Any]) -> str:
    """Return the group within which answers are pooled; empty where the protocol knows no groups."""
    return str(options.get("group") or "") if project_groups else ""


def _short_hash(what: str) -> int:
    # 60 bits: among two million rows two share one with a chance of one in half a million.
    return int(text_hash(what)[:15], 16)
