"""Match predictions with gold answers: as people or a recorded judge would amend them, or a file's own."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analysis.text import normalize_answer
from annotation.adjudication.models import Decision
from annotation.gold.rules import Change, amended_gold, wanted_changes
from annotation.gold.selectors import ORIGINAL_VERSION, changes_undone_by_people, gold_lists
from annotation.items.models import Candidate, GoldAnswer, Prediction, Question
from annotation.items.selectors import gold_entries
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.database.columns import read_rows
from judges import protocol, registry
from judges.comparison.rules import RunFacts
from judges.comparison.rules.study.arrays import Flags, Items
from judges.comparison.selectors.study.arrays import read_items
from judges.methods.regex import Regex, RegexOptions
from judges.protocol import JudgeInput
from judges.runs.models import JudgeRun, Verdict

Lists = Mapping[int, tuple[str, ...]]
# By question id: the strings that were accepted, and those that were rejected.
Strings = dict[int, tuple[list[str], list[str]]]


@kept(Area.ITEMS)
def match_original(project: Project) -> Flags:
    """Say of every prediction whether it equals a gold answer of the files."""
    items, lists = read_items(project), gold_lists(project, amended=False)
    return _match_own(items, _match(items, lists, patterns=_find_patterns(project, items)), said={})


@kept(Area.ITEMS)
def read_beyond_gold(project: Project) -> Flags:
    """Say of every answer whether it is none of the question's gold answers as imported."""
    golds = gold_entries(questions=project.questions.all())
    rows = read_rows(Candidate.objects.filter(project=project).order_by(), "pk", "question_id", "text")
    equal = [pk for pk, question, text in rows if golds[question].has(text)]
    found: Flags = ~np.isin(read_items(project).candidates.ids, np.array(equal, dtype=np.int64))
    return found


@kept()
def match_people(project: Project) -> Flags:
    """Say of every prediction whether it equals an answer of the gold list as people amended it.

    Answers with gold of their own are compared with what was decided itself, as the protocol reads it.
    """
    items = read_items(project)
    patterns = _find_patterns(project, items)
    said = _decided_strings(project, _questions_of_their_own(items) | set(patterns.texts))
    is_match = _match(items, gold_lists(project, amended=True), patterns=patterns, said=said)
    if not items.predictions.own_golds:
        return is_match
    undone = changes_undone_by_people(project)
    kept_strings = _kept_strings(project, _questions_of_their_own(items))
    return _match_own(items, is_match, said=said, without=undone, kept=kept_strings)


class _Patterns(NamedTuple):
    """Gold answers that are regular expressions: by question id, and whether one is found, by prediction."""

    texts: Mapping[int, frozenset[str]]
    is_found: Flags


def _find_patterns(project: Project, items: Items) -> _Patterns:
    """Search every answer for the patterns of its question, as the regex judge does."""
    rows = GoldAnswer.objects.filter(question__project=project, kind=GoldAnswer.Kind.REGEX)
    texts: dict[int, set[str]] = defaultdict(set)
    for question, text in rows.values_list("question_id", "text"):
        texts[question].add(text)
    is_found = np.zeros(len(items.predictions), dtype=bool)
    if texts:
        answers = Candidate.objects.filter(project=project, question__in=list(texts)).order_by()
        judge = Regex(RegexOptions())
        found = [
            pk
            for pk, question, answer in answers.values_list("pk", "question_id", "text")
            if judge.judge([JudgeInput("", answer, (), patterns=tuple(sorted(texts[question])))])[0].accepted
        ]
        is_found = np.isin(items.candidates.ids[items.predictions.candidate], np.array(found, dtype=np.int64))
    return _Patterns({question: frozenset(found) for question, found in texts.items()}, is_found)


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


def _match_own(
    items: Items,
    is_match: Flags,
    *,
    said: Strings,
    without: frozenset[tuple[int, Change]] = frozenset(),
    kept: Mapping[int, frozenset[str]] | None = None,
) -> Flags:
    """Compare predictions whose file has other gold answers with those, amended alike."""
    predictions = items.predictions
    is_match = is_match.copy()
    texts = {number: text for text, number in predictions.strings.items()}
    for place, golds in predictions.own_golds.items():
        question = int(items.questions.ids[predictions.question[place]])
        amended = _amended(
            said, question, golds, without=without, kept=(kept or {}).get(question, frozenset())
        )
        is_match[place] = texts[int(predictions.string[place])] in map(normalize_answer, amended)
    return is_match


def _questions_of_their_own(items: Items) -> set[int]:
    """Return the questions to which a file has gold answers of its own."""
    places = np.fromiter(items.predictions.own_golds, dtype=np.int64)
    return set(items.questions.ids[np.unique(items.predictions.question[places])].tolist())


def _decided_strings(project: Project, questions: set[int]) -> Strings:
    """Return what was accepted and rejected of these questions."""
    if not questions:
        return {}
    protocol = project.protocol.rules if project.protocol else None
    accepted = protocol.accepted_keys if protocol else frozenset()
    rejected = protocol.rejected_keys if protocol else frozenset()
    rows = Decision.objects.in_force().filter(candidate__question__in=sorted(questions))
    rows = rows.order_by("candidate__position", "candidate_id")
    return _by_question(
        (question, text, label in accepted)
        for question, text, label in rows.values_list("candidate__question_id", "candidate__text", "label")
        if label in accepted or label in rejected
    )


def _kept_strings(project: Project, questions: set[int]) -> dict[int, frozenset[str]]:
    """Return by question what people accepted, which no removal takes away."""
    kept: dict[int, set[str]] = defaultdict(set)
    protocol = project.protocol.rules if project.protocol else None
    accepted = protocol.accepted_keys if protocol else frozenset()
    rows = Decision.objects.in_force().filter(candidate__question__in=sorted(questions), label__in=accepted)
    rows = rows.exclude(source=Decision.Source.PREJUDGED)
    for question, text in rows.values_list("candidate__question_id", "candidate__text").order_by("pk"):
        kept[question].add(text)
    return {question: frozenset(texts) for question, texts in kept.items()}


def _by_question(said: Iterable[tuple[int, str, bool]]) -> Strings:
    strings: Strings = {}
    for question, text, is_accepted in said:
        strings.setdefault(question, ([], []))[0 if is_accepted else 1].append(text)
    return strings


def _amended(
    said: Strings,
    question: int,
    original: tuple[str, ...],
    *,
    without: frozenset[tuple[int, Change]] = frozenset(),
    kept: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    accepted, rejected = said.get(question, ((), ()))
    changes = wanted_changes(original=original, accepted=accepted, rejected=rejected, kept=kept)
    return amended_gold(
        original=original, changes=[change for change in changes if (question, change) not in without]
    )


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
        amended = {question: _amended(said, question, original[question]) for question in said}
        matches[run] = _match_own(
            items, _match(items, original | amended, patterns=patterns, said=said), said=said
        )
    return matches


def _said_strings(run_id: int) -> Strings:
    rows = (
        Verdict.objects.filter(run=run_id, accepted__isnull=False)
        .order_by("candidate__question_id", "candidate__position", "candidate_id")
        .values_list("candidate__question_id", "candidate__text", "accepted")
    )
    return _by_question((question, text, bool(accepted)) for question, text, accepted in rows.iterator())


def judge_by_own_golds(items: Items, *, runs: Sequence[RunFacts]) -> dict[int, dict[int, protocol.Verdict]]:
    """Return for each lexical run on original gold what it says of such answers, by prediction.

    Lexical judges are quick, pure functions, and such answers few: a stored verdict belongs to an answer
    that systems share, and cannot differ from file to file.
    """
    if not items.predictions.own_golds:
        return {}
    inputs = _inputs(items)
    asked = JudgeRun.objects.filter(pk__in=[run.id for run in runs], gold_version=ORIGINAL_VERSION)
    return {
        run.pk: dict(zip(inputs, _judge(run, list(inputs.values())), strict=True))
        for run in asked.order_by("pk")
        if _is_askable(registry.get_entry(run.judge_key))
    }


def _is_askable(entry: registry.JudgeEntry) -> bool:
    # A file's own golds are strings: they say nothing to a judge of patterns.
    return entry.is_lexical and entry.reads is registry.Reads.GOLDS


def _inputs(items: Items) -> dict[int, JudgeInput]:
    predictions, questions = items.predictions, items.questions
    pairs = {
        place: (items.systems[predictions.system[place]].id, int(questions.ids[predictions.question[place]]))
        for place in predictions.own_golds
    }
    asked = {question for _, question in pairs.values()}
    words = dict(Question.objects.filter(pk__in=asked).values_list("pk", "text"))
    rows = Prediction.objects.filter(question__in=asked, golds__isnull=False)
    answers = {
        (system, question): text
        for system, question, text in rows.values_list("system_id", "question_id", "text")
    }
    return {
        place: JudgeInput(words[pair[1]], answers[pair], predictions.own_golds[place])
        for place, pair in pairs.items()
    }


def _judge(run: JudgeRun, inputs: list[JudgeInput]) -> list[protocol.Verdict]:
    options = {name: value for name, value in run.options.items() if name != "gold"}
    return registry.make_judge(registry.get_entry(run.judge_key), options).judge(inputs)
