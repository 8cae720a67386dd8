"""Read what proposals for gold lists would do to everything judged: answers called right, scores, ranks."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Integers
from analysis.text import gold_entries_of, normalize_answer
from annotation.gold.rules.proposals import Effect, Judged, Proposal, ProposalKind, find_effect
from annotation.gold.selectors.ledger import gold_lists, gold_patterns
from annotation.gold.selectors.proposals import proposal_id, read_proposals
from annotation.items.models import Candidate, Question
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.errors import Conflict
from judges.comparison.rules.leaderboard.proposals import ScoreMove, move_scores
from judges.comparison.rules.leaderboard.standings import comparable_systems
from judges.comparison.rules.study import ACCEPTED, REJECTED, Codes, Filter, Items, Selection
from judges.comparison.selectors.study import match_people, read_decided, read_items, read_selection

ANSWERS_SHOWN = 5


class ProposalsChanged(Conflict):
    """A proposal that was chosen is made no more."""

    code = "gold_proposal_gone"


@dataclass(frozen=True)
class MatchedAnswer:
    """An answer that a proposal would make correct, and the names of the systems that gave it."""

    id: str
    text: str
    systems: list[str]


@dataclass(frozen=True)
class ProposalRow:
    """A proposal and its effects.

    `source`: the text of the answer that it is based on. `source_answer`: that answer’s ID if people accepted
    it, otherwise null. `supported`: the number of accepted answers that it matches. `right`, `wrong`, `open`:
    the number of answers that would newly match, by whether people accepted them, rejected them, or have not
    decided on them. `wrong_answers`, `open_answers`: the first of these. `moves`: the systems whose score or
    rank would change.
    """

    id: str
    kind: ProposalKind
    question: str
    question_id: str
    text: str
    examples: list[str]
    source: str
    source_answer: str | None
    supported: int
    right: int
    wrong: int
    open: int
    wrong_answers: list[MatchedAnswer]
    open_answers: list[MatchedAnswer]
    moves: list[ScoreMove]


class Found(NamedTuple):
    """A proposal and what it does; turned: the numbers of predictions that it would make right.

    position: of its question.
    """

    id: str
    position: int
    question_id: int
    proposal: Proposal
    source_decision: int | None
    effect: Effect
    turned: Integers


class _OfQuestion(NamedTuple):
    """A question's answers, by the number each has in the study, and what people said of them."""

    numbers: list[int]
    judged: list[Judged]


class _Study(NamedTuple):
    items: Items
    selection: Selection
    is_match: Flags
    said: Codes
    worth: Codes


def _read_study(project: Project) -> _Study:
    decided = read_decided(project)
    return _Study(
        read_items(project),
        read_selection(project, Filter()),
        match_people(project),
        said=decided.said_by_people,
        worth=decided.worth,
    )


@kept()
def find_effects(project: Project) -> tuple[Found, ...]:
    """Return every proposal with what it would do: those that call most answers right first, wrong ones last.

    Of those alike the project's order decides.
    """
    study = _read_study(project)
    proposals = read_proposals(project)
    ids = [each.question_id for each in proposals]
    answers = _answers(project, ids, study)
    lists = gold_lists(project, amended=True, question_ids=ids)
    patterns = gold_patterns(project, amended=True, question_ids=ids)
    questions = Question.objects.in_bulk(ids)
    predictions = _by_question(study.items)
    found: list[Found] = []
    for each in proposals:
        own = patterns.get(each.question_id, set())
        gold = gold_entries_of((text, text in own) for text in lists[each.question_id])
        of_question = answers[each.question_id]
        places = predictions.get(each.question_id, np.zeros(0, dtype=np.int64))
        for proposal in each.proposals:
            effect = find_effect(proposal, answers=of_question.judged, gold=gold)
            turned = _turned(study, of_question, places, proposal, effect)
            question = questions[each.question_id]
            name = proposal_id(question.public_id, proposal)
            decision = each.decisions.get(proposal.source)
            found.append(Found(name, question.position, question.pk, proposal, decision, effect, turned))
    return tuple(sorted(found, key=order_of))


def order_of(found: Found) -> tuple[bool, int, int, int, int, str]:
    """Return the values by which proposals stand in order; no two have the same."""
    effect = found.effect
    use = -len(found.turned) - len(effect.open), -len(effect.supported)
    return bool(effect.wrong), *use, found.position, found.question_id, found.id


def _answers(project: Project, question_ids: Sequence[int], study: _Study) -> Mapping[int, _OfQuestion]:
    answers: dict[int, _OfQuestion] = defaultdict(lambda: _OfQuestion([], []))
    numbers = {pk: number for number, pk in enumerate(study.items.candidates.ids.tolist())}
    rows = Candidate.objects.filter(project=project, question__in=question_ids).order_by("position", "pk")
    said = {ACCEPTED: True, REJECTED: False}
    for pk, question, text in rows.values_list("pk", "question_id", "text"):
        if pk in numbers:
            answers[question].numbers.append(numbers[pk])
            answers[question].judged.append(Judged(text, said.get(int(study.said[numbers[pk]]))))
    return answers


def _by_question(items: Items) -> Mapping[int, Integers]:
    """Return the numbers of predictions by question id."""
    question = items.predictions.question
    order = np.argsort(question, kind="stable")
    present, starts = np.unique(question[order], return_index=True)
    ends = [*starts[1:].tolist(), len(order)]
    ids = items.questions.ids[present].tolist()
    # Where there are no predictions, there are no parts; `np.split` would make one.
    return {pk: order[start:end] for pk, start, end in zip(ids, starts.tolist(), ends, strict=False)}


def _turned(
    study: _Study, answers: _OfQuestion, places: Integers, proposal: Proposal, effect: Effect
) -> Integers:
    """Return which predictions would match: those of the answers, as the leaderboard compares them.

    A prediction is compared by its own text with a string, and a pattern never calls right what people
    rejected. One whose file has other gold answers is compared with those.
    """
    predictions = study.items.predictions
    own = np.isin(places, np.fromiter(predictions.own_golds, dtype=np.int64))
    places = places[~study.is_match[places] & ~own]
    if not proposal.kind.is_pattern:
        string = predictions.strings.get(normalize_answer(proposal.text), -1)
        is_taken: Flags = predictions.string[places] == string
    else:
        matched = [answers.numbers[place] for place in (*effect.right, *effect.open)]
        rejected = [
            predictions.strings.get(normalize_answer(each.text), -1)
            for number, each in zip(answers.numbers, answers.judged, strict=True)
            if study.worth[number] == REJECTED
        ]
        is_taken = np.isin(predictions.candidate[places], matched)
        is_taken &= ~np.isin(predictions.string[places], rejected)
    found: Integers = places[is_taken]
    return found


def describe_proposals(*, project: Project, found: Sequence[Found]) -> list[ProposalRow]:
    """Return proposals as pages show them."""
    study = _read_study(project)
    ids = [each.question_id for each in found]
    questions = Question.objects.in_bulk(ids)
    answers = _answers(project, list(questions), study)
    public_ids = dict(Candidate.objects.filter(question__in=list(questions)).values_list("pk", "public_id"))
    of_decisions = _answers_of_decisions([each.source_decision for each in found])
    mover = _Mover(study)
    rows = []
    for each in found:
        question, of_question = questions[each.question_id], answers[each.question_id]
        named = {
            "wrong_answers": each.effect.wrong[:ANSWERS_SHOWN],
            "open_answers": each.effect.open[:ANSWERS_SHOWN],
        }
        shown = {
            name: [_matched(study.items, of_question, place, public_ids) for place in places]
            for name, places in named.items()
        }
        rows.append(
            ProposalRow(
                id=each.id,
                kind=each.proposal.kind,
                question=question.text,
                question_id=question.public_id,
                text=each.proposal.text,
                examples=list(each.proposal.examples),
                source=each.proposal.source,
                source_answer=of_decisions.get(each.source_decision or 0),
                supported=len(each.effect.supported),
                right=len(each.effect.right),
                wrong=len(each.effect.wrong),
                open=len(each.effect.open),
                moves=mover.move(each.turned),
                **shown,
            )
        )
    return rows


class _Mover:
    """Moves scores of one study again and again; which systems have ranks is found once."""

    def __init__(self, study: _Study) -> None:
        self._study = study
        items, counted = study.items, study.selection.predictions
        self._comparable = comparable_systems(
            systems=items.predictions.system,
            questions=items.predictions.question,
            counted=counted,
            ids=[system.id for system in items.systems],
        )

    def move(self, turned: Integers) -> list[ScoreMove]:
        """Return the systems that move where these predictions turn right."""
        flags = np.zeros(len(self._study.items.predictions), dtype=bool)
        flags[turned] = True
        return move_scores(
            systems=self._study.items.systems,
            places=self._study.items.predictions.system,
            counted=self._study.selection.predictions,
            comparable=self._comparable,
            is_match=self._study.is_match,
            turned=flags,
        )


def _matched(items: Items, answers: _OfQuestion, place: int, public_ids: Mapping[int, str]) -> MatchedAnswer:
    number = answers.numbers[place]
    given = items.predictions.system[items.predictions.candidate == number]
    return MatchedAnswer(
        id=public_ids[int(items.candidates.ids[number])],
        text=answers.judged[place].text,
        systems=[items.systems[system].label for system in np.unique(given).tolist()],
    )


def _answers_of_decisions(decision_ids: Iterable[int | None]) -> Mapping[int, str]:
    rows = Candidate.objects.filter(decisions__in={each for each in decision_ids if each})
    return dict(rows.values_list("decisions__pk", "public_id"))


@dataclass(frozen=True)
class ProposalsPreview:
    """The effects of accepting proposals together.

    `right`, `wrong`, `open`: the number of answers that would newly match, by whether people accepted them,
    rejected them, or have not decided on them. `moves`: the systems whose score or rank would change.
    """

    proposals: int
    right: int
    wrong: int
    open: int
    moves: list[ScoreMove]


def preview_proposals(*, project: Project, ids: Collection[str] | None) -> ProposalsPreview:
    """Return what accepting these together would do; None: all that call nothing right that people rejected.

    Raises `ProposalsChanged`.
    """
    chosen = choose_proposals(project=project, ids=ids)
    turned = np.unique(np.concatenate([np.zeros(0, dtype=np.int64), *(each.turned for each in chosen)]))

    def count(name: str) -> int:
        return len({(each.question_id, place) for each in chosen for place in getattr(each.effect, name)})

    return ProposalsPreview(
        proposals=len(chosen),
        right=count("right"),
        wrong=count("wrong"),
        open=count("open"),
        moves=_Mover(_read_study(project)).move(turned),
    )


def choose_proposals(*, project: Project, ids: Collection[str] | None) -> list[Found]:
    """Return the proposals named, or all without a wrong answer; raises `ProposalsChanged`."""
    found = find_effects(project)
    if ids is None:
        return [each for each in found if not each.effect.wrong]
    wanted = set(ids)
    chosen = [each for each in found if each.id in wanted]
    if len(chosen) < len(wanted):
        raise ProposalsChanged("Some of these proposals no longer apply. Reload the list.")
    return chosen


class Part(StrEnum):
    """Which proposals are listed.

    changing: they call an answer right now that the list does not have. safe: they call none right that
    people rejected; wrong: they do.
    """

    ALL = "all"
    CHANGING = "changing"
    SAFE = "safe"
    WRONG = "wrong"


def is_in_part(found: Found, part: Part) -> bool:
    """Say whether a proposal belongs to a part of the list."""
    effect = found.effect
    return {
        Part.ALL: True,
        Part.CHANGING: bool(effect.open or effect.right or effect.wrong),
        Part.SAFE: not effect.wrong,
        Part.WRONG: bool(effect.wrong),
    }[part]
