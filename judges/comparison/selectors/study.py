"""Read a study into arrays, each part once for as long as its rows stay the same, and how it was judged."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Case, Exists, IntegerField, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from numpy.typing import NDArray

from analysis.arrays import Flags, Floats, Integers
from analysis.text import normalize_answer
from annotation.adjudication.models import WITH_PROGRAMS, Decision
from annotation.adjudication.rules import Basis
from annotation.assignments.models import QuestionFlag
from annotation.gold.selectors.ledger import (
    LedgerMoment,
    changes_undone_by_people,
    gold_lists,
    gold_patterns,
    ledger_summary,
)
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.items.selectors import gold_entries
from annotation.judgments.models import CheckAnswer
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Area, Credit, Label
from annotation.projects.selectors import kept, name_sample
from common.database.rows import read_integers, read_numbers, read_rows
from common.identifiers import hash_signature, sign_figures
from judges import registry
from judges.comparison.rules.boards import SEED
from judges.comparison.rules.study import (
    ACCEPTED,
    AMENDED_PREFIX,
    FEWEST_REFERENCES,
    NO_VERDICT,
    POSSIBLE,
    REJECTED,
    UNDECIDED,
    UNSCORED,
    Candidates,
    Codes,
    Column,
    Decided,
    Filter,
    Items,
    Predictions,
    Predictor,
    Questions,
    RunFacts,
    Said,
    Scores,
    Selection,
    Settled,
    SystemFacts,
    Traits,
    count_words,
    find_predictor,
    gold_of,
    has_size,
    human_columns,
    human_scores,
    is_recorded,
    judge_by_people,
    judge_scores,
    keep_able,
    matched_scores,
    select,
    with_own,
)
from judges.comparison.selectors.own_golds import Strings, amend, judge_by_own_golds, match_own
from judges.methods.lexical.regex import Regex, RegexOptions
from judges.prejudging.models import PrejudgedAnswer
from judges.prejudging.selectors.routing.routes import read_agreed
from judges.protocol import JudgeInput
from judges.runs.models import Verdict

# The key of the check by which raters say that a question has several answers (EfficientQA's).
AMBIGUOUS = "ambiguous"

VOTES = frozenset(basis.value for basis in Basis)
WORTH = {Credit.DEFINITE: ACCEPTED, Credit.POSSIBLE: POSSIBLE}


@kept(Area.ITEMS)
def read_items(project: Project) -> Items:
    """Return what was imported; shared, so nobody may write to it."""
    questions, candidates = read_candidates(project)
    systems = [
        SystemFacts(*row)
        for row in System.objects.filter(project=project)
        .order_by("pk")
        .values_list("pk", "name", "label", "description")
    ]
    predictions = _read_predictions(project, systems, questions, candidates)
    return Items(systems, questions, candidates, predictions)


@kept(Area.ITEMS)
def read_candidates(project: Project) -> tuple[Questions, Candidates]:
    """Return the questions and their answers.

    What is said of answers is put in their order: that takes no reading of what systems said.
    """
    questions = _read_questions(project)
    return questions, _read_candidates(project, questions)


@kept(Area.ITEMS)
def read_words(project: Project) -> Integers:
    """Return how many words every prediction has."""
    return count_words(read_items(project).predictions)


def as_flag(condition: Q) -> Case:
    """Return whether it holds, as a number that is read like ids."""
    return Case(When(condition, then=Value(1)), default=Value(0), output_field=IntegerField())


def _worths(labels: Iterable[Label]) -> dict[str, int]:
    return {label.key: WORTH.get(label.credit, REJECTED) for label in labels}


def meaning_of(labels: Iterable[Label]) -> Case:
    """Return what a row's label means: `ACCEPTED`, `POSSIBLE` or `REJECTED`."""
    return Case(
        *(When(label=label, then=Value(worth)) for label, worth in _worths(labels).items()),
        default=Value(REJECTED),
        output_field=IntegerField(),
    )


def _read_questions(project: Project) -> Questions:
    rows = Question.objects.filter(project=project).order_by("pk")
    rows = rows.annotate(
        flag=as_flag(Q(in_sample=True)),
        stratum=Coalesce("sample_stratum", -1),
        probability=Coalesce("sample_probability", 0.0),
    )
    found = read_numbers(rows, "pk", "flag", "stratum", "probability")
    ids, in_sample, stratum = found[:, :3].astype(np.int64).T
    is_drawn = found[:, 3] > 0
    # By place, as numbers may be far apart.
    numbers, place = np.unique(stratum, return_inverse=True)
    of_stratum = np.zeros(len(numbers))
    of_stratum[place[is_drawn]] = found[is_drawn, 3]
    # Those that were not drawn were as likely as those of their part that were.
    probability = np.where(stratum >= 0, of_stratum[place], 0.0)
    return Questions(ids, in_sample.astype(bool), stratum, probability, is_drawn)


def _read_candidates(project: Project, questions: Questions) -> Candidates:
    rows = Candidate.objects.filter(project=project).order_by("pk")
    flags = {"judgeable": as_flag(Q(is_judgeable=True)), "gold": as_flag(Q(from_gold=True))}
    found = read_integers(rows.annotate(**flags), "pk", "question_id", "judgeable", "gold")
    # What was imported between two of these queries belongs to the next state.
    found = found[questions.numbers(found[:, 1]) >= 0]
    ids, question, judgeable, gold = found.T
    return Candidates(
        ids=ids,
        question=questions.numbers(question),
        is_judgeable=judgeable.astype(bool),
        is_from_gold=gold.astype(bool),
    )


def _read_predictions(
    project: Project, systems: list[SystemFacts], questions: Questions, candidates: Candidates
) -> Predictions:
    rows = Prediction.objects.filter(system__project=project).order_by("system_id", "question_id")
    strings: dict[str, int] = {}
    numbered = (
        (system, question, candidate, strings.setdefault(normalize_answer(text), len(strings)))
        for system, question, candidate, text in read_rows(
            rows, "system_id", "question_id", "candidate_id", "text"
        )
    )
    found = np.fromiter(chain.from_iterable(numbered), dtype=np.int64).reshape(-1, 4)
    ids = np.array([system.id for system in systems], dtype=np.int64)
    # What was imported between two of these queries belongs to the next state.
    is_known = np.isin(found[:, 0], ids) & np.isin(found[:, 2], candidates.ids)
    system, question, candidate, string = found[is_known].T
    return Predictions(
        system=np.searchsorted(ids, system),
        question=questions.numbers(question),
        candidate=candidates.numbers(candidate),
        string=string,
        strings=strings,
        own_golds=_own_golds(rows, system, question),
    )


def _own_golds(
    rows: QuerySet[Prediction], system: Integers, question: Integers
) -> dict[int, tuple[str, ...]]:
    own = rows.filter(golds__isnull=False).values_list("system_id", "question_id", "golds")
    given = {(place, asked): tuple(golds) for place, asked, golds in own if golds is not None}
    if not given:
        return {}
    pairs = zip(system.tolist(), question.tolist(), strict=True)
    return {number: given[pair] for number, pair in enumerate(pairs) if pair in given}


@kept()
def read_decided(project: Project) -> Decided:
    """Return what every answer was decided to be, by whatever settled it."""
    _, candidates = read_candidates(project)
    labels = project.protocol.rules.labels if project.protocol else ()
    worths = _worths(labels)
    worth = np.full(len(candidates.ids), UNDECIDED, dtype=np.int8)
    by_people, by_votes = np.zeros((2, len(worth)), dtype=bool)
    rows = (
        Decision.objects.in_force()
        .filter(candidate__project=project)
        .annotate(
            worth=meaning_of(labels),
            people=as_flag(~Q(source__in=WITH_PROGRAMS)),
            votes=as_flag(Q(source__in=VOTES)),
        )
    )
    found = read_integers(rows, "candidate_id", "worth", "people", "votes")
    places = candidates.numbers(found[:, 0])
    is_known = places >= 0
    places = places[is_known]
    _, worth[places], by_people[places], by_votes[places] = found[is_known].T
    numbers = {pk: number for number, pk in enumerate(candidates.ids.tolist())}
    ruled, is_drawn, probability = _read_ruled(project, numbers, worths)
    # Whatever else left a decision to programs could draw none of it for people.
    unknown = (worth != UNDECIDED) & ~by_people & (ruled == UNDECIDED)
    ruled[unknown], probability[unknown] = worth[unknown], 0.0
    return Decided(worth, by_people, by_votes, ruled, is_drawn, probability)


def _read_ruled(
    project: Project, numbers: Mapping[int, int], worths: Mapping[str, int]
) -> tuple[Codes, Flags, Floats]:
    ruled = np.full(len(numbers), UNDECIDED, dtype=np.int8)
    is_drawn, probability = np.zeros(len(numbers), dtype=bool), np.ones(len(numbers))
    in_force = PrejudgedAnswer.objects.filter(application__project=project, undone_at=None)
    rows = in_force.annotate(drawn=as_flag(Q(is_audited=True)))
    for candidate, label, drawn, share in read_rows(
        rows, "candidate_id", "label", "drawn", "audit_probability"
    ):
        if candidate in numbers:
            place = numbers[candidate]
            ruled[place], is_drawn[place], probability[place] = worths.get(label, REJECTED), drawn, share
    # What a judge and the only rater agreed on was ruled by both; the audit tells what further raters say.
    for each in read_agreed(project=project) if project.has_routes else ():
        place = numbers.get(each.candidate_id, -1)
        if place >= 0 and ruled[place] == UNDECIDED:
            ruled[place] = worths.get(each.label, REJECTED)
            is_drawn[place], probability[place] = each.is_drawn, each.probability
    return ruled, is_drawn, probability


def read_said(project: Project, run_ids: Iterable[int]) -> dict[int, Said]:
    """Return what each of these runs of the project said, by run."""
    return {run: _read_said(project, run) for run in run_ids}


@kept(Area.ITEMS, Area.VERDICTS)
def _read_said(project: Project, run_id: int) -> Said:
    _, candidates = read_candidates(project)
    said = Case(
        When(accepted=True, then=Value(1)),
        When(accepted=False, then=Value(0)),
        default=Value(UNSCORED),
        output_field=IntegerField(),
    )
    rows = Verdict.objects.filter(run=run_id).annotate(
        said=said, number=Coalesce("score", 0.0), has_score=as_flag(Q(score__isnull=False))
    )
    found = read_numbers(rows, "candidate_id", "said", "number", "has_score")
    places = candidates.numbers(found[:, 0].astype(np.int64))
    is_known = places >= 0
    places = places[is_known]
    _, verdicts, scores, has_score = found[is_known].T
    verdict = np.full(len(candidates.ids), NO_VERDICT, dtype=np.int8)
    score = np.full(len(verdict), np.nan)
    verdict[places] = verdicts
    score[places] = np.where(has_score > 0, scores, np.nan)
    return Said(verdict, score)


@kept()
def read_improper(project: Project) -> Flags:
    """Say of every question whether raters took it out of the scores."""
    items = read_items(project)
    found: NDArray[np.int64] = np.array(sorted(improper_questions(project)), dtype=np.int64)
    flags: Any = np.isin(items.questions.ids, found)
    return flags  # type: ignore[no-any-return]


def read_selection(project: Project, wanted: Filter) -> Selection:
    """Return the questions and predictions that count under a filter; what is right, amended gold says."""
    items = read_items(project)
    traits = read_traits(project) if wanted.needs_traits else None
    selection = select(items, traits=traits, improper=read_improper(project), wanted=wanted)
    if wanted.least_share is None:
        return selection
    return keep_able(items, selection, is_right=match_people(project), least_share=wanted.least_share)


class Sources(NamedTuple):
    """Where questions come from, one value a question; has_references: as in `Traits`."""

    datasets: list[str]
    tags: list[frozenset[str]]
    has_references: Flags


@kept(Area.ITEMS)
def read_sources(project: Project) -> Sources:
    """Return what the files say of questions besides their texts."""
    rows = Question.objects.filter(project=project).order_by("pk")
    found = list(rows.values_list("dataset", "tags", "reference_count"))
    return Sources(
        datasets=[dataset for dataset, _, _ in found],
        tags=[frozenset(tags) for _, tags, _ in found],
        has_references=np.array(
            [count is None or count >= FEWEST_REFERENCES for _, _, count in found], dtype=bool
        ),
    )


@kept()
def read_traits(project: Project) -> Traits:
    """Return what questions are sorted by."""
    items, sources = read_items(project), read_sources(project)
    called = {pk for rows in called_ambiguous(project) for pk in rows.values_list("question_id", flat=True)}
    return Traits(
        sources.datasets,
        sources.tags,
        is_ambiguous=np.isin(items.questions.ids, np.array(sorted(called), dtype=np.int64)),
        was_asked=_was_asked(project, items),
        has_references=sources.has_references,
    )


def _was_asked(project: Project, items: Items) -> Flags:
    """Say of which questions raters said if they are ambiguous; of all where nobody was asked of any."""
    said = CheckAnswer.objects.votes().filter(question__project=project, check_key=AMBIGUOUS)
    asked = sorted(set(said.values_list("question_id", flat=True)))
    flags: Flags = np.isin(items.questions.ids, np.array(asked, dtype=np.int64))
    return flags if asked else np.ones(len(items.questions.ids), dtype=bool)


def called_ambiguous(project: Project) -> tuple[QuerySet[CheckAnswer], QuerySet[QuestionFlag]]:
    """Return by which checks and which flags raters called questions ambiguous."""
    answers = CheckAnswer.objects.votes().filter(question__project=project, check_key=AMBIGUOUS, answer=True)
    flags = QuestionFlag.objects.filter(question__project=project, kind=QuestionFlag.Kind.AMBIGUOUS)
    return answers, flags


@dataclass(frozen=True)
class FilterChoices:
    """The values by which a study can be filtered.

    `has_ambiguous`: whether some questions are ambiguous. `knows_references`: whether the files state how
    many of the people who were asked for a gold answer gave one. `has_sizes`: whether the size of any system
    is known. `has_rest`: whether some questions are not judged by people.
    """

    datasets: list[str]
    tags: list[str]
    has_ambiguous: bool
    knows_references: bool
    has_sizes: bool
    has_rest: bool


@kept()
def read_choices(*, project: Project) -> FilterChoices:
    """Return what the study can be filtered by."""
    questions = Question.objects.filter(project=project).order_by()
    tags = questions.exclude(tags=[]).values_list("tags", flat=True).distinct()
    descriptions = System.objects.filter(project=project).values_list("description", flat=True)
    return FilterChoices(
        datasets=sorted(questions.exclude(dataset="").values_list("dataset", flat=True).distinct()),
        tags=sorted({tag for own in tags for tag in own}),
        has_ambiguous=any(
            rows.exists()
            for rows in (*called_ambiguous(project), questions.filter(reference_count__lt=FEWEST_REFERENCES))
        ),
        knows_references=questions.filter(reference_count__isnull=False).exists(),
        has_sizes=any(map(has_size, descriptions)),
        has_rest=questions.filter(in_sample=False).exists(),
    )


# As juries name their members.
HASH_LENGTH = 16


def name_judges(signatures: Iterable[str]) -> str:
    """Return the beginnings of signatures' hashes, in an order that does not depend on theirs."""
    return ",".join(sorted(hash_signature(each)[:HASH_LENGTH] for each in signatures))


def name_ledger(project: Project) -> str:
    """Return the version of the gold lists as people amended them."""
    return ledger_summary(project=project).version


def sign_comparison(
    project: Project,
    subject: str,
    *,
    wanted: Filter | None = None,
    judges: Iterable[str] = (),
    has_intervals: bool = True,
    ledger: str | None = None,
    **choices: object,
) -> str:
    """Return in one line what a table is of, what was chosen, and whether there are intervals.

    wanted: the questions and systems that count; without it those of the judged sample do. judges: the
    signatures of all that have numbers in the table, in any order; the line names each by its hash.
    ledger: as `name_ledger` gives it, which reads it anew where nothing is given: for tables with a line
    each row.
    """
    return sign_figures(
        subject,
        **choices,
        **(wanted._asdict() if wanted else {}),
        judges=name_judges(judges),
        protocol=project.protocol and project.protocol.number,
        sample=name_sample(project),
        ledger=ledger or name_ledger(project),
        has_intervals=has_intervals,
        seed=SEED if has_intervals else None,
    )


Lists = Mapping[int, tuple[str, ...]]


@kept(Area.ITEMS)
def match_original(project: Project) -> Flags:
    """Say of every prediction whether it equals a gold answer of the files."""
    items, lists = read_items(project), gold_lists(project, amended=False)
    is_match = _match(items, lists, patterns=_find_patterns(project, items))
    return match_own(items, is_match, said={}) if items.predictions.own_golds else is_match


@kept(Area.ITEMS)
def read_beyond_gold(project: Project) -> Flags:
    """Say of every answer whether it is none of the question's gold answers as imported."""
    golds = gold_entries(questions=project.questions.all())
    rows = read_rows(Candidate.objects.filter(project=project).order_by(), "pk", "question_id", "text")
    equal = [pk for pk, question, text in rows if golds[question].has(text)]
    found: Flags = ~np.isin(read_items(project).candidates.ids, np.array(equal, dtype=np.int64))
    return found


@kept()
def match_people(project: Project, moment: LedgerMoment | None = None) -> Flags:
    """Say of every prediction whether it equals an answer of the gold list as people amended it.

    Answers with gold of their own are compared with what was decided itself, as the protocol reads it.
    moment: the list and the decisions as of then, not as of now.
    """
    items = read_items(project)
    patterns = _find_patterns(project, items, amended=True, moment=moment)
    said, kept = _decided_strings(project, _questions_of_their_own(items) | set(patterns.texts), moment)
    lists = gold_lists(project, amended=True, moment=moment)
    is_match = _match(items, lists, patterns=patterns, said=said)
    if not items.predictions.own_golds:
        return is_match
    undone = changes_undone_by_people(project, moment)
    return match_own(items, is_match, said=said, without=undone, kept=kept)


class _Patterns(NamedTuple):
    """Gold answers that are regular expressions: by question id, and whether one is found, by prediction."""

    texts: Mapping[int, frozenset[str]]
    is_found: Flags


def _find_patterns(
    project: Project, items: Items, *, amended: bool = False, moment: LedgerMoment | None = None
) -> _Patterns:
    """Search every answer for the patterns of its question, as the regex judge does.

    amended: those of proposals that joined the list, too.
    """
    texts = gold_patterns(project, amended, moment=moment)
    is_found = np.zeros(len(items.predictions), dtype=bool)
    if texts:
        answers = Candidate.objects.filter(project=project, question__in=list(texts)).order_by()
        found = [
            pk
            for pk, question, answer in answers.values_list("pk", "question_id", "text")
            if has_pattern(answer, frozenset(texts[question]))
        ]
        is_found = np.isin(items.candidates.ids[items.predictions.candidate], np.array(found, dtype=np.int64))
    return _Patterns({question: frozenset(found) for question, found in texts.items()}, is_found)


@lru_cache(maxsize=65_536)
def has_pattern(answer: str, patterns: frozenset[str]) -> bool:
    """Say whether any of a question's patterns is found in an answer.

    Kept by the texts: a list changes with every decision, its patterns hardly ever.
    """
    given = JudgeInput("", answer, (), patterns=tuple(sorted(patterns)))
    return Regex(RegexOptions()).judge([given])[0].accepted is True


def _match(items: Items, lists: Lists, *, patterns: _Patterns, said: Strings | None = None) -> Flags:
    """Compare with a list a question, given by question id; an empty list has no match.

    A pattern is searched for, never compared as a text; what was said of an answer itself (`said`, by
    question: accepted and rejected strings) goes before what a pattern says.
    """
    texts, said = patterns.texts, said or {}
    if not texts:
        return _equals(items, lists)
    strings = {
        question: tuple(answer for answer in answers if answer not in texts.get(question, ()))
        for question, answers in lists.items()
        if question in texts
    }
    accepted = {question: tuple(said[question][0]) for question in texts if question in said}
    rejected = {question: tuple(said[question][1]) for question in texts if question in said}
    is_match = _equals(items, {**lists, **strings})
    is_found = patterns.is_found & ~_equals(items, rejected)
    return is_match | is_found | _equals(items, accepted)


def _equals(items: Items, lists: Lists) -> Flags:
    predictions = items.predictions
    strings = predictions.strings
    width = len(strings) + 1
    numbers = {pk: number for number, pk in enumerate(items.questions.ids.tolist())}
    golds = {
        numbers[question] * width + strings[text]
        for question, answers in lists.items()
        for text in map(normalize_answer, answers)
        if text in strings
    }
    found: Flags = np.isin(predictions.question * width + predictions.string, np.array(sorted(golds)))
    return found


def _questions_of_their_own(items: Items) -> set[int]:
    """Return the questions to which a file has gold answers of its own."""
    places = np.fromiter(items.predictions.own_golds, dtype=np.int64)
    return set(items.questions.ids[np.unique(items.predictions.question[places])].tolist())


def _decided_strings(
    project: Project, questions: set[int], moment: LedgerMoment | None = None
) -> tuple[Strings, dict[int, frozenset[str]]]:
    """Return what was accepted and rejected of these questions, and by question what people accepted.

    No removal takes away what people accepted.
    """
    said: Strings = {}
    kept: dict[int, set[str]] = defaultdict(set)
    protocol = project.protocol.rules if project.protocol else None
    if not questions or protocol is None:
        return said, {}
    accepted = protocol.accepted_keys
    in_force = Decision.objects.in_force() if moment is None else _decisions_as_of(moment)
    rows = in_force.filter(
        candidate__question__in=sorted(questions), label__in=accepted | protocol.rejected_keys
    )
    rows = rows.order_by("candidate__position", "candidate_id")
    for question, text, label, source in rows.values_list(
        "candidate__question_id", "candidate__text", "label", "source"
    ):
        said.setdefault(question, ([], []))[label not in accepted].append(text)
        if label in accepted and source != Decision.Source.PREJUDGED:
            kept[question].add(text)
    return said, {question: frozenset(texts) for question, texts in kept.items()}


def _decisions_as_of(moment: LedgerMoment) -> QuerySet[Decision]:
    """Return the decisions that held then: the last rows of histories up to it, but for reopenings."""
    until = Decision.objects.filter(decided_at__lte=moment.at)
    later = until.filter(candidate=OuterRef("candidate"), number__gt=OuterRef("number"))
    return until.filter(~Exists(later), is_reopening=False)


def match_recorded(project: Project, items: Items, *, run_ids: Iterable[int]) -> dict[int, Flags]:
    """Say of every prediction, for each run, whether it equals the gold list as that run would amend it.

    Recorded verdicts cover the judged strings only, so, as for people, an answer counts when it equals
    the gold answers with what the judge accepted and without what it rejected.
    Source: Kamalloo et al. 2023; reproduction rule AMEND(J).
    """
    run_ids = list(run_ids)
    if not run_ids:
        return {}
    original = gold_lists(project, amended=False)
    patterns = _find_patterns(project, items)
    matches = {}
    for run in run_ids:
        said = _said_strings(run)
        amended = {question: amend(said, question, original[question]) for question in said}
        matches[run] = match_own(
            items, _match(items, original | amended, patterns=patterns, said=said), said=said
        )
    return matches


def _said_strings(run_id: int) -> Strings:
    strings: Strings = {}
    rows = (
        Verdict.objects.filter(run=run_id, accepted__isnull=False)
        .order_by("candidate__question_id", "candidate__position", "candidate_id")
        .values_list("candidate__question_id", "candidate__text", "accepted")
    )
    for question, text, accepted in rows.iterator():
        strings.setdefault(question, ([], []))[not accepted].append(text)
    return strings


class StudyScores(NamedTuple):
    """A study's predictions under every way of judging; `judges` by run id, in the order of the runs.

    words: of every string that was predicted. said: what runs said of answers, by run id. improper: of every
    question, whether raters took it out. predictor: the judge whose probabilities an audit corrects, where
    programs settled answers and there is one.
    """

    items: Items
    words: Integers
    decided: Decided
    improper: Flags
    settled: Settled
    said: dict[int, Said]
    judges: dict[int, Scores]
    people: list[Scores]
    predictor: Predictor | None


def read_scores(*, project: Project, runs: Sequence[RunFacts], columns: dict[int, Column]) -> StudyScores:
    """Return the scores of these runs, each under its column, and of people once they decided something.

    Answers whose file has other gold answers than the question are judged by those where the judge is
    lexical: the stored verdict is about the question's.
    """
    items, decided = read_items(project), read_decided(project)
    settled = judge_by_people(items, decided=decided, is_match=match_people(project))
    said = read_said(project, [run.id for run in runs])
    recorded = match_recorded(project, items, run_ids=[run.id for run in runs if is_recorded(run.judge_key)])
    own = judge_by_own_golds(items, runs=runs) if items.predictions.own_golds else {}
    judges = {
        run.id: matched_scores(columns[run.id], recorded[run.id])
        if run.id in recorded
        else with_own(judge_scores(columns[run.id], said[run.id], items=items), own.get(run.id, {}))
        for run in runs
    }
    predictor = read_predictor(project, runs=runs, columns=columns) if decided.has_ruled else None
    return StudyScores(
        items=items,
        words=read_words(project),
        decided=decided,
        improper=read_improper(project),
        settled=settled,
        said=said,
        judges=judges,
        people=_people(project, items, decided, settled, predictor),
        predictor=predictor,
    )


def read_predictor(
    project: Project, *, runs: Sequence[RunFacts], columns: Mapping[int, Column]
) -> Predictor | None:
    """Return the judge whose probabilities an audit corrects, None where no run is fit for it."""
    # Nobody knows what made the verdicts of a file: people's own labels may have a part in them.
    apart = [
        run
        for run in runs
        if registry.get_entry(run.judge_key).states_probability
        and not is_recorded(run.judge_key)
        and not run.reads_people
        and gold_of(run.gold_version) != AMENDED_PREFIX
    ]
    said = read_said(project, [run.id for run in apart])
    return find_predictor(((columns[run.id], said[run.id]) for run in apart), items=read_items(project))


def _people(
    project: Project, items: Items, decided: Decided, settled: Settled, predictor: Predictor | None
) -> list[Scores]:
    if not (decided.worth != UNDECIDED).any():
        return []
    columns = human_columns(
        has_prejudged=decided.has_ruled,
        has_possible=has_possible(project),
        predictor=predictor and predictor.column,
    )
    return human_scores(columns, items=items, decided=decided, settled=settled, predictor=predictor)


def has_possible(project: Project) -> bool:
    """Say whether people can call an answer possibly correct."""
    labels = project.protocol.rules.labels if project.protocol else ()
    return any(label.credit is Credit.POSSIBLE for label in labels)
