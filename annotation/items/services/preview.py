"""What an import would do, said before it is confirmed."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max

from annotation.items.formats.openqa_votes import FINAL_COLUMN
from annotation.items.formats.records import (
    ItemRecord,
    PredictionRecord,
    Problem,
    Record,
    Severity,
    VerdictRecord,
    VoteRecord,
)
from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.ports import do_votes_settle, find_label_conflicts
from annotation.items.rules import CommonPrefix, Named, match_rows, pool_hash, text_hash
from annotation.items.selectors import gold_only
from annotation.items.services.reading import (
    AS_IN_FILE,
    SYSTEM_NAMES,
    WITHOUT_COMMON_PREFIX,
    Surroundings,
    claims_of,
    golds_differ,
    look_around,
    own_golds,
    record_key,
    short_hash,
    weighed,
)
from annotation.projects.models import Project
from annotation.projects.rules import is_improper, skipping_check_key
from common.database.shares import in_shares


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


State = Candidate.State
# Questions whose answers are in memory together.
SHARE = 200


def renew_gold_among_answers(*, project_id: int) -> None:
    """Make an answer of every gold answer that no system gave, or take out those nobody has begun.

    Gold answers that are pooled with an answer are judged with it, once. Share by share, each in a
    transaction of its own; safe to repeat.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    if project.protocol is None:
        return
    if project.protocol.rules.gold_among_answers:
        for questions in in_shares(list(project.questions.order_by("pk")), of=SHARE):
            _add_missing(project, questions)
    else:
        untouched = gold_only(project_id=project_id).filter(assignments=None, decisions=None)
        ids = list(untouched.order_by("pk").values_list("pk", flat=True))
        for share in in_shares(ids, of=SHARE):
            with transaction.atomic():
                # Asked again: a rater may have been handed one meanwhile.
                left = untouched.filter(pk__in=share)
                Candidate.objects.filter(pk__in=list(left.values_list("pk", flat=True))).delete()


def _add_missing(project: Project, questions: Sequence[Question]) -> None:
    # Most shares lack nothing, and only writing takes the lock.
    if next(_missing(project, questions), None) is not None:
        with transaction.atomic():
            Candidate.objects.bulk_create(list(_missing(project, questions)), ignore_conflicts=True)


def count_gold_to_join(*, project: Project) -> int:
    """Return how many answers putting gold answers among the answers of the sample would add."""
    return sum(
        candidate.state == State.OPEN
        for questions in in_shares(list(project.questions.order_by("pk")), of=SHARE)
        for candidate in _missing(project, questions)
    )


def _missing(project: Project, questions: Sequence[Question]) -> Iterator[Candidate]:
    assert project.protocol is not None
    raters = project.protocol.rules.raters_per_answer
    by_id = {question.pk: question for question in questions}
    known = Candidate.objects.filter(question__in=by_id)
    seen = set(known.values_list("question_id", "pool_hash"))
    places = known.order_by().values_list("question_id").annotate(last=Max("position"))
    last = dict(places)
    for gold in _golds(by_id):
        hashed = pool_hash(gold.text, pooling=project.pooling)
        if not gold.text.strip() or (gold.question_id, hashed) in seen:
            continue
        seen.add((gold.question_id, hashed))
        last[gold.question_id] = last.get(gold.question_id, -1) + 1
        is_asked = by_id[gold.question_id].in_sample
        yield Candidate(
            question_id=gold.question_id,
            project=project,
            data_import_id=gold.data_import_id,
            text=gold.text,
            pool_hash=hashed,
            position=last[gold.question_id],
            from_gold=True,
            state=State.OPEN if is_asked else State.UNASKED,
            wanted=raters if is_asked else 0,
        )


def _golds(question_ids: Iterable[int]) -> Iterable[GoldAnswer]:
    strings = GoldAnswer.objects.filter(question__in=list(question_ids), kind=GoldAnswer.Kind.STRING)
    return strings.order_by("question", "position", "pk")


PlaceOf = Callable[[PredictionRecord], str]


def settled_places(*, project: Project, record: ItemRecord, place_of: PlaceOf) -> frozenset[str]:
    """Return the places of the row's answers that need no judging: equal answers have one place.

    Where its raters take the question out of the scores, all of them. Votes on an answer in further rows or
    files are not added up.
    """
    if _takes_out(project, record):
        return frozenset(map(place_of, record.predictions))
    votes: dict[str, dict[str, str]] = defaultdict(dict)
    for prediction in record.predictions:
        if prediction.vote:
            votes[place_of(prediction)].setdefault(prediction.vote.rater, prediction.vote.label)
    if not votes:
        return frozenset()
    settled = do_votes_settle(project=project, columns=[list(said.values()) for said in votes.values()])
    return frozenset(place for place, is_settled in zip(votes, settled, strict=True) if is_settled)


def is_settled(*, project: Project, record: VoteRecord) -> bool:
    """Say whether a row of votes settles its answer."""
    (settled,) = do_votes_settle(project=project, columns=[[vote.label for vote in record.votes]])
    return settled


def label_conflicts(*, project: Project, records: Sequence[VoteRecord], file: str) -> Iterator[Problem]:
    """Yield a warning for each row whose own label is not what its votes come to."""
    for conflict in find_label_conflicts(project=project, records=records):
        comes_to = f"“{conflict.found}”" if conflict.found else "no label yet"
        message = (
            f"The row says “{conflict.said}”, but its votes come to {comes_to}; the votes count. "
            "Where the file's label is right, decide the answer yourself."
        )
        yield Problem(file, conflict.line, FINAL_COLUMN, Severity.WARNING, "label_differs", message)


def _takes_out(project: Project, record: ItemRecord) -> bool:
    if not record.marked_by or project.protocol is None:
        return False
    protocol = project.protocol.rules
    key = skipping_check_key(protocol)
    return is_improper(protocol=protocol, marks=[{key} for _ in record.marked_by])


class Foresight:
    """Counts what rows would add to a project; remembers earlier rows by short hashes only."""

    def __init__(self, data_import: DataImport) -> None:
        self.counts: Counter[str] = Counter()
        self._project = data_import.project
        self._data_import = data_import
        self._options = data_import.options
        self._file = ""
        self._seen: set[int] = set()
        self._claims = claims_of(data_import)
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
                f"they are; “{_as_words(WITHOUT_COMMON_PREFIX)}” for "
                f"“{_as_words(SYSTEM_NAMES).capitalize()}” leaves that out of what pages call them."
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
        known = question and self._claims.find(record, question=question, answers=around.answers)
        if known and self._claims.take(known):
            self.counts["answers_known"] += 1
        elif not known and self._is_new_row(record, key):
            self.counts["answers"] += 1
            self.counts["answers_to_judge"] += not is_settled(project=self._project, record=record)
        else:
            message = "The answer stands in the file twice; the votes of the first row count."
            yield self._problem(Severity.WARNING, "repeated_row", message, record.line)

    def _is_new_row(self, record: VoteRecord, key: str) -> bool:
        is_new = self._is_first(f"answer\t{key}\t\t{self._pool_hash(record.answer)}")
        return is_new or self._options.get("keep_duplicate_rows") == "yes"

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
        self._seen.add(short_hash(what))
        return len(self._seen) > count

    def _has_seen(self, what: str) -> bool:
        return short_hash(what) in self._seen


def group_of(*, project_groups: bool, options: dict[str, Any]) -> str:
    """Return the group within which answers are pooled; empty where the protocol knows no groups."""
    return str(options.get("group") or "") if project_groups else ""


def _as_words(name: str) -> str:
    """Return an option or a choice as the page has it."""
    return name.replace("_", " ")
