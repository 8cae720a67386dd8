"""A study as arrays, what a page counts of it, and what each way of judging says of each prediction."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from analysis.arrays import Flags, Floats, Integers
from analysis.prejudging.corrected import Corrected
from common.identifiers import hash_signature
from judges.comparison.rules.audit import Audit
from judges.protocol import Verdict

Codes: TypeAlias = NDArray[np.int8]

UNDECIDED = -1
REJECTED = 0
POSSIBLE = 1
ACCEPTED = 2

NO_VERDICT = -2
UNSCORED = -1


class Scope(StrEnum):
    """Which questions scores are over: those people judge, or all."""

    SAMPLE = "sample"
    ENTIRE = "entire"


def _places(sorted_ids: Integers, ids: Integers) -> Integers:
    if not len(sorted_ids):
        return np.full(len(ids), -1, dtype=np.int64)
    places = np.minimum(np.searchsorted(sorted_ids, ids), len(sorted_ids) - 1)
    return np.where(sorted_ids[places] == ids, places, -1)


class SystemFacts(NamedTuple):
    """A system as it was imported."""

    id: int
    name: str
    label: str
    description: dict[str, object]


class Questions(NamedTuple):
    """A project's questions in the order of their keys; the place in it numbers a question elsewhere.

    stratum: the part of a random draw that a question could be drawn in, -1 where it could not. probability:
    of being drawn, 0 where it could not. is_drawn: chance brought it into the judged sample.
    """

    ids: Integers
    in_sample: Flags
    stratum: Integers
    probability: Floats
    is_drawn: Flags

    def numbers(self, ids: Integers) -> Integers:
        """Return the numbers of questions given by id, -1 for one that is not among them."""
        return _places(self.ids, ids)


class Candidates(NamedTuple):
    """A project's pooled answers in the order of their keys."""

    ids: Integers
    question: Integers
    is_judgeable: Flags
    is_from_gold: Flags

    def numbers(self, ids: Integers) -> Integers:
        """Return the numbers of answers given by id, -1 for one that is not among them."""
        return _places(self.ids, ids)


class Predictions(NamedTuple):
    """What systems answered, by system and question; all but `own_golds` are one value a prediction.

    string: a number for the normalized text; equal texts have equal numbers, listed in `strings`.
    own_golds: gold answers of the prediction's own file where they differ from its question's.
    """

    system: Integers
    question: Integers
    candidate: Integers
    string: Integers
    strings: Mapping[str, int]
    own_golds: Mapping[int, tuple[str, ...]]

    def __len__(self) -> int:
        return len(self.system)


class Items(NamedTuple):
    """What was imported; systems are numbered by their place."""

    systems: list[SystemFacts]
    questions: Questions
    candidates: Candidates
    predictions: Predictions

    @property
    def is_given(self) -> Flags:
        """Say of each candidate whether some system gave it as its answer."""
        found = np.zeros(len(self.candidates.ids), dtype=bool)
        found[self.predictions.candidate] = True
        return found


class Decided(NamedTuple):
    """What every answer was decided to be, by candidate: worth; whether people said so, or their votes.

    ruled: what a rule of pre-judging in force says of it, decided by it or drawn for people; UNDECIDED where
    none does. is_drawn: it was drawn for people, as every answer of a rule was with `probability`.
    """

    worth: Codes
    is_by_people: Flags
    is_by_votes: Flags
    ruled: Codes
    is_drawn: Flags
    probability: Floats

    @property
    def has_ruled(self) -> bool:
        """Whether a rule speaks for any answer."""
        return bool((self.ruled != UNDECIDED).any())

    @property
    def said_by_people(self) -> Codes:
        """What people decided, UNDECIDED where they did not."""
        return np.where(self.is_by_people, self.worth, UNDECIDED).astype(np.int8)

    @property
    def is_seen(self) -> Flags:
        """Whether an answer was drawn for people, and they have decided it."""
        found: Flags = self.is_drawn & (self.said_by_people != UNDECIDED)
        return found

    @property
    def is_open(self) -> Flags:
        """Whether people have yet to decide an answer: left to them by every rule, or drawn for the audit.

        The one rule of when scores may be corrected: answers that are decided first are the easy ones, so
        neither they nor the audited ones among them stand for the others until none is open.
        """
        is_theirs = (self.ruled == UNDECIDED) | self.is_drawn
        found: Flags = is_theirs & (self.worth == UNDECIDED)
        return found


class Said(NamedTuple):
    """What one run said, by candidate: 1 accepted, 0 rejected, -1 unscored, -2 nothing yet; NaN: no score."""

    verdict: Codes
    score: Floats


def probabilities_of(said: Said, candidate: Integers) -> Floats | None:
    """Return how probably these answers are right by a run, NaN where it abstained or said nothing yet.

    None where it gave a verdict without saying how probable that is.
    """
    is_said = said.verdict[candidate] > UNSCORED
    found = np.where(is_said, said.score[candidate], np.nan)
    known = found[is_said]
    return found if len(known) and known.min() >= 0.0 and known.max() <= 1.0 else None


# NQ-open has no gold answer of more than five words (Lee et al. 2019), and TriviaQA's and WebQuestions' are
# hardly longer: an answer of more equals none, be it right or wrong.
MOST_GOLD_WORDS = 5


def count_words(predictions: Predictions) -> Integers:
    """Return how many words each answer has as exact match compares it, without articles and punctuation."""
    words = np.zeros(len(predictions.strings), dtype=np.int64)
    for text, number in predictions.strings.items():
        words[number] = len(text.split())
    found: Integers = words[predictions.string]
    return found


def median_words(
    words: Integers, *, systems: Integers, counted: Flags, ids: Sequence[int]
) -> dict[int, float]:
    """Return the median length of each system's counted answers, by its id; systems without any are left out.

    systems: each prediction's place in `ids`.
    """
    return {
        pk: float(np.median(words[own]))
        for place, pk in enumerate(ids)
        if (own := counted & (systems == place)).any()
    }


def are_mostly_long(median: float) -> bool:
    """Say whether at least half of answers with this median are longer than gold answers are."""
    return median > MOST_GOLD_WORDS


# Source: Min et al. 2021 (EfficientQA): of five who wrote references at least three gave a short answer.
FEWEST_REFERENCES = 3


class Part(StrEnum):
    """Which of a scope's questions count.

    Unambiguous are those that raters were asked about and none called ambiguous and, where it is known how
    many of those who wrote the gold answers gave one, that `FEWEST_REFERENCES` did.
    """

    ALL = "all"
    UNAMBIGUOUS = "unambiguous"


class Filter(NamedTuple):
    """What a reader chose; an empty text chooses everything.

    largest_bytes: the most a system may weigh. least_share: of the questions chosen a system must have at
    least this share right to stay, and its size must be known (EfficientQA's track of the smallest systems).
    """

    scope: Scope = Scope.SAMPLE
    part: Part = Part.ALL
    dataset: str = ""
    tag: str = ""
    largest_bytes: int | None = None
    least_share: float | None = None

    @property
    def chooses_systems(self) -> bool:
        """Whether only some of the systems count."""
        return self.largest_bytes is not None or self.least_share is not None

    @property
    def needs_traits(self) -> bool:
        """Whether one must know more of questions than whether people judge them."""
        return self.part is not Part.ALL or bool(self.dataset or self.tag)


class Traits(NamedTuple):
    """What questions are sorted by, one value a question.

    was_asked: whether any rater said if the question is ambiguous; true throughout where none said it of any.
    has_references: false where too few of those who wrote the gold answers gave one; true where nobody knows.
    """

    datasets: list[str]
    tags: list[frozenset[str]]
    is_ambiguous: Flags
    was_asked: Flags
    has_references: Flags


class Selection(NamedTuple):
    """The questions and predictions that count under a filter."""

    questions: Flags
    predictions: Flags


def select(items: Items, *, traits: Traits | None, improper: Flags, wanted: Filter) -> Selection:
    """Return what counts; questions that raters took out of the scores never do.

    In the entire data a system that answered judged questions only has no place beside the others. traits:
    None where the filter asks for none.
    """
    chosen = ~improper
    if wanted.scope is Scope.SAMPLE:
        chosen &= items.questions.in_sample
    if traits:
        chosen &= _has_traits(traits, wanted)
    return Selection(chosen, _predictions(items, chosen, wanted))


def _has_traits(traits: Traits, wanted: Filter) -> Flags:
    chosen: Flags = np.array([wanted.dataset in ("", name) for name in traits.datasets], dtype=bool)
    if wanted.part is Part.UNAMBIGUOUS:
        chosen &= ~traits.is_ambiguous & traits.was_asked & traits.has_references
    if wanted.tag:
        chosen &= np.array([wanted.tag in tags for tags in traits.tags], dtype=bool)
    return chosen


def _predictions(items: Items, questions: Flags, wanted: Filter) -> Flags:
    predictions = items.predictions
    counted = questions[predictions.question]
    if wanted.largest_bytes is not None:
        light = np.array([is_light(system.description, wanted.largest_bytes) for system in items.systems])
        counted &= light.astype(bool)[predictions.system]
    if wanted.scope is Scope.SAMPLE or items.questions.in_sample[questions].all():
        return counted
    beyond = counted & ~items.questions.in_sample[predictions.question]
    return counted & np.isin(predictions.system, np.unique(predictions.system[beyond]))


def keep_able(items: Items, selection: Selection, *, is_right: Flags, least_share: float) -> Selection:
    """Leave out systems of unknown size, and those with too small a share of their counted answers right.

    Source: Min et al. 2021 (EfficientQA), the track of the smallest systems with 25% accuracy.
    """
    counted, system = selection.predictions, items.predictions.system
    n = np.bincount(system[counted], minlength=len(items.systems))
    right = np.bincount(system[counted & is_right], minlength=len(items.systems))
    known = np.array([has_size(each.description) for each in items.systems], dtype=bool)
    able: Flags = known & (right >= least_share * n)
    return Selection(selection.questions, counted & able[system])


def has_size(description: dict[str, object]) -> bool:
    """Say whether it is known how much a system weighs."""
    size = description.get("size_bytes")
    return isinstance(size, int | float) and not isinstance(size, bool)


def is_light(description: dict[str, Any], largest_bytes: int) -> bool:
    """Say whether a system is known to weigh at most so much; one of unknown size is not."""
    return has_size(description) and bool(description["size_bytes"] <= largest_bytes)


def table_of(values: Floats, *, items: Items, selection: Selection) -> Floats:
    """Return systems × selected questions; NaN where a system has no counted prediction or value."""
    predictions = items.predictions
    places = np.cumsum(selection.questions) - 1
    table = np.full((len(items.systems), int(selection.questions.sum())), np.nan)
    counted = selection.predictions
    table[predictions.system[counted], places[predictions.question[counted]]] = values[counted]
    return table


HUMAN = "human"
HUMAN_DECIDED = "human_decided"
HUMAN_POSSIBLY = "human_possibly"
SETTLED = "settled"
CORRECTED = "corrected"
EXACT_MATCH = "exact_match"
TOKEN_F1 = "token_f1"  # noqa: S105 - a judge's key, no secret
RECORDED_PREFIX = "recorded:"
VERSION_PREFIX = "gold:"
ORIGINAL_GOLD = "original"
AMENDED_PREFIX = "amended"
_UNNAMED = frozenset({"judge", "gold", "revision", "files", "corpus", "parameters"})
_UNREADABLE = ("hash", "members")


class Kind(StrEnum):
    """Who stands behind a column; `MIXED`: people, and programs that were let settle answers."""

    JUDGE = "judge"
    HUMAN = "human"
    MIXED = "mixed"


class Unit(StrEnum):
    """What a column's numbers are: a share of right answers, or a mean F1."""

    ACCURACY = "accuracy"
    F1 = "f1"


class RunFacts(NamedTuple):
    """What a column needs to know of a judge run.

    `stated`: what makes its verdicts, name by name; `is_partial`: it has not been through all answers, only
    through so many as `judged` (of complete runs, nobody counts);
    `reads_people`: it was told what people decided, by itself or by a member of its jury.
    """

    id: int
    public_id: str
    judge_key: str
    name: str
    gold_version: str
    signature: str
    stated: tuple[tuple[str, str], ...] = ()
    is_partial: bool = False
    judged: int = 0
    reads_people: bool = False

    @property
    def is_told(self) -> bool:
        """Whether it knows what people decided, itself or by its gold list: so it agrees with them more."""
        return self.reads_people or gold_of(self.gold_version) == AMENDED_PREFIX


@dataclass(frozen=True)
class Column:
    """One way of judging systems."""

    key: str
    name: str
    kind: Kind
    gold: str | None
    signature: str
    unit: Unit


def is_recorded(judge_key: str) -> bool:
    """Say whether a judge's verdicts came from a file."""
    return judge_key.startswith(RECORDED_PREFIX)


def gold_of(gold_version: str) -> str | None:
    """Return "original" or "amended", or None where a run's gold is not ours."""
    if gold_version.startswith(AMENDED_PREFIX):
        return AMENDED_PREFIX
    return ORIGINAL_GOLD if gold_version == ORIGINAL_GOLD else None


def name_columns(runs: Iterable[RunFacts]) -> dict[int, Column]:
    """Return a column for each run, by run id; the first run of a judge has the judge's own key.

    Against amended gold the key gains `:amended`; further runs of the same judge gain their id. Runs that
    would have one name gain the options in which they differ; partial ones say how many answers
    they have judged.
    """
    runs = list(runs)
    differences = _differences(runs)
    columns: dict[int, Column] = {}
    taken: set[str] = set()
    for run in runs:
        gold = gold_of(run.gold_version)
        key = f"{run.judge_key}:amended" if gold == AMENDED_PREFIX else run.judge_key
        key = f"{key}:{run.public_id}" if key in taken else key
        taken.add(key)
        words = [
            run.name,
            differences[run.id],
            "amended gold" * (gold == AMENDED_PREFIX),
            f"{run.judged:,} {'answer' if run.judged == 1 else 'answers'} so far" * run.is_partial,
        ]
        name = ", ".join(filter(None, words))
        unit = Unit.F1 if run.judge_key == TOKEN_F1 else Unit.ACCURACY
        columns[run.id] = Column(key, name, Kind.JUDGE, gold, run.signature, unit)
    return columns


def _differences(runs: list[RunFacts]) -> dict[int, str]:
    """Return in which options each run differs from the others of its judge, in words."""
    stated = {run.id: _named(run.stated) for run in runs}
    words: dict[int, str] = {}
    for run in runs:
        others = [stated[other.id] for other in runs if other.name == run.name]
        own = stated[run.id].items()
        apart = [f"{name.replace('_', ' ')} {value}" for name, value in own if _differs(name, value, others)]
        words[run.id] = ", ".join(apart)
    return words


def _named(stated: Iterable[tuple[str, str]]) -> dict[str, str]:
    # What nobody can read is left to the signature, and gold has words of its own.
    return {name: value for name, value in stated if name not in _UNNAMED and not name.endswith(_UNREADABLE)}


def _differs(name: str, value: str, others: list[dict[str, str]]) -> bool:
    return any(other.get(name) != value for other in others)


class Predictor(NamedTuple):
    """A judge's column, and how probably each prediction is right by it, NaN where it abstains."""

    column: Column
    probability: Floats


def find_predictor(judges: Iterable[tuple[Column, Said]], *, items: Items) -> Predictor | None:
    """Return the first judge that has dealt with all that people judge and tells how probable its word is.

    judges: those that have read nothing that people decided, in the order of their columns. No label has a
    part in the choice: of several judges the one that fits the labels best would seem surer than it is.
    """
    candidate = items.predictions.candidate
    is_asked = items.questions.in_sample[items.predictions.question]
    for column, said in judges:
        if (said.verdict[candidate[is_asked]] != NO_VERDICT).all():
            found = probabilities_of(said, candidate)
            if found is not None:
                return Predictor(column, found)
    return None


def human_columns(
    *, has_prejudged: bool, has_possible: bool = False, predictor: Column | None = None
) -> list[Column]:
    """Return the scores people give: over everything by amended gold, and over decided answers.

    has_prejudged: some of the decisions were left to verdicts. Then each column says who spoke: people
    alone; people and programs as they settled answers, and as that amended gold; and people again, with what
    programs settled corrected by the audit. has_possible: the protocol has labels between right and wrong,
    so that there is a second, milder count. predictor: the judge whose probabilities the audit corrects;
    None: it corrects what rules said.
    """
    amended = "human|gold:amended|unjudged:exact_match"
    decided = _column(HUMAN_DECIDED, "People, decided answers", "human|answers:decided")
    possibly = _column(
        HUMAN_POSSIBLY, "People, possibly or definitely correct", "human|answers:decided|possibly:correct"
    )
    milder = [possibly] * has_possible
    if not has_prejudged:
        return [
            _column(HUMAN, "People, otherwise exact match", amended, gold=AMENDED_PREFIX),
            decided,
            *milder,
        ]
    return [
        _column(
            CORRECTED,
            "Corrected by the audit",
            f"human|prejudged:corrected|predicted:{_name_predictor(predictor)}|weights:1/probability",
        ),
        replace(
            decided,
            name="Answers that people decided",
            signature=f"{decided.signature}|prejudged:left_out",
        ),
        *(replace(each, signature=f"{each.signature}|prejudged:left_out") for each in milder),
        _column(
            SETTLED,
            "As settled, by people and judges",
            "human|answers:decided|prejudged:counted",
            kind=Kind.MIXED,
        ),
        _column(
            HUMAN,
            "As settled; exact match for the rest",
            f"{amended}|prejudged:counted",
            kind=Kind.MIXED,
            gold=AMENDED_PREFIX,
        ),
    ]


def _name_predictor(judge: Column | None) -> str:
    return hash_signature(judge.signature)[:16] if judge else "rules"


def sampled_column(judge: Column) -> Column:
    """Return the scores of all answers, from those of a random sample that people decided and one judge's.

    judge: the way of judging that speaks for what nobody saw.
    """
    return _column(
        CORRECTED,
        f"Corrected, {judge.name} and people",
        f"human|sample:random|predicted:{_name_predictor(judge)}|weights:1/probability",
    )


def version_column(*, version: str, gold: str, has_prejudged: bool) -> Column:
    """Return the column of exact match with a version of the gold list; gold: the name of its state."""
    if gold == ORIGINAL_GOLD:
        name, kind = "Exact match, gold list as imported", Kind.JUDGE
    else:
        name, kind = f"Exact match, gold list as of {version}", Kind.MIXED if has_prejudged else Kind.HUMAN
    return replace(
        _column(f"{VERSION_PREFIX}{version}", name, f"exact_match|gold:{gold}", kind=kind), gold=gold_of(gold)
    )


def people_key(columns: Iterable[Column]) -> str:
    """Return the key of the column by which people rank systems: never one that counts verdicts as theirs."""
    return CORRECTED if any(column.key == CORRECTED for column in columns) else HUMAN


def _column(
    key: str, name: str, signature: str, *, kind: Kind = Kind.HUMAN, gold: str | None = None
) -> Column:
    return Column(key, name, kind, gold, signature, Unit.ACCURACY)


class Correction(Protocol):
    """What corrects values by labels that people gave to answers drawn at random."""

    @property
    def is_paired(self) -> bool:
        """Whether single values vary as their means do, so that systems can be compared by questions."""

    def correct(self, *, systems: Integers, counted: Flags, size: int) -> Corrected:
        """Correct what is counted, system by system; a value a prediction, NaN of those not counted."""


class Scores(NamedTuple):
    """One way of judging, a value a prediction.

    values: 1 accepted, 0 rejected, a score in a column of scores, NaN = no value. is_dealt_with: nothing more
    is to come for the prediction; an unscored verdict has no value and is dealt with. audit: what corrects
    the values, which depends on what is counted.
    """

    column: Column
    values: Floats
    is_dealt_with: Flags
    audit: Correction | None = None

    def over(self, *, systems: Integers, counted: Flags, size: int) -> tuple["Scores", Floats]:
        """Return the scores as they are over what is counted, and each system's variance by correcting them.

        systems: each prediction's system, of so many.
        """
        if self.audit is None:
            return self, np.zeros(size)
        found = self.audit.correct(systems=systems, counted=counted, size=size)
        return self._replace(values=found.values), found.variance

    def to_test(self, *, systems: Integers, counted: Flags, size: int) -> tuple[Floats, Floats | None]:
        """Return the values to compare systems by, and what else varies in each system's mean."""
        if self.audit is None:
            return self.values, None
        found = self.audit.correct(systems=systems, counted=counted, size=size)
        if not self.audit.is_paired:
            return found.expected, found.chance
        # Where few labels differ from predictions, values vary less than labels of others would.
        apart = np.square(np.nan_to_num(found.values - found.expected))[counted]
        rows = np.maximum(np.bincount(systems[counted], minlength=size), 1)
        own = np.bincount(systems[counted], weights=apart, minlength=size) / rows**2
        return found.values, np.maximum(0.0, found.chance - own)


class Settled(NamedTuple):
    """What people's word on each prediction is worth now.

    is_match: it equals the amended gold list. is_right: it was accepted, or, undecided, is a match.
    is_pending: it may yet be decided. is_by_programs: a rule of pre-judging decided it.
    """

    is_match: Flags
    is_decided: Flags
    is_right: Flags
    is_pending: Flags
    is_by_programs: Flags


def judge_by_people(items: Items, *, decided: Decided, is_match: Flags) -> Settled:
    """Return what people say of each prediction: by their decision, else by exact match with amended gold."""
    predictions, candidates = items.predictions, items.candidates
    worth = decided.worth[predictions.candidate]
    is_decided = worth != UNDECIDED
    # Outside the sample people may yet be asked; an answer linked to no row of a file never is.
    is_asked = (
        candidates.is_judgeable[predictions.candidate] | ~items.questions.in_sample[predictions.question]
    )
    return Settled(
        is_match=is_match,
        is_decided=is_decided,
        is_right=np.where(is_decided, worth == ACCEPTED, is_match),
        is_pending=~is_decided & is_asked,
        is_by_programs=is_decided & ~decided.is_by_people[predictions.candidate],
    )


def count_judged(items: Items, *, decided: Decided, questions: Flags) -> int:
    """Return how many of these questions have an answer that people decided."""
    has_decision = np.zeros(len(questions), dtype=bool)
    has_decision[items.candidates.question[decided.said_by_people != UNDECIDED]] = True
    return int((has_decision & questions).sum())


def judge_scores(column: Column, said: Said, *, items: Items) -> Scores:
    """Return a run's verdicts by prediction, its scores where the column is a mean of these."""
    verdict = said.verdict[items.predictions.candidate]
    values = verdict.astype(np.float64)
    if column.unit is Unit.F1:
        values = np.nan_to_num(said.score[items.predictions.candidate])
    return Scores(column, np.where(verdict >= 0, values, np.nan), verdict != NO_VERDICT)


def with_own(scores: Scores, verdicts: Mapping[int, Verdict]) -> Scores:
    """Put other verdicts on some predictions, given by their number."""
    values, is_dealt_with = scores.values.copy(), scores.is_dealt_with.copy()
    for number, verdict in verdicts.items():
        values[number] = np.nan if verdict.accepted is None else _value(verdict, scores.column.unit)
        is_dealt_with[number] = True
    return Scores(scores.column, values, is_dealt_with)


def _value(verdict: Verdict, unit: Unit) -> float:
    return (verdict.score or 0.0) if unit is Unit.F1 else float(verdict.accepted is True)


def matched_scores(column: Column, is_match: Flags) -> Scores:
    """Return exact match with some gold list as a way of judging."""
    return Scores(column, is_match.astype(np.float64), np.ones(len(is_match), dtype=bool))


def human_scores(
    columns: Sequence[Column],
    *,
    items: Items,
    decided: Decided,
    settled: Settled,
    predictor: Predictor | None = None,
) -> list[Scores]:
    """Return what people say under each of their columns."""
    candidate = items.predictions.candidate
    worth, people = decided.worth[candidate], decided.said_by_people[candidate]
    is_asked = items.candidates.is_judgeable[candidate]
    audit = audit_of(decided, candidate, predictor, is_asked=is_asked)
    values = {
        HUMAN: settled.is_match.astype(np.float64),
        HUMAN_DECIDED: audit.people,
        HUMAN_POSSIBLY: np.where(people != UNDECIDED, people >= POSSIBLE, np.nan),
        SETTLED: np.where(settled.is_decided, worth == ACCEPTED, np.nan),
        CORRECTED: np.where(np.isnan(audit.programs), audit.people, audit.programs),
    }
    everything = np.ones(len(worth), dtype=bool)
    # Whoever let programs settle answers never asks people of them: what people decided has no ranks.
    of_people = people != UNDECIDED if decided.has_ruled else everything
    return [
        Scores(
            column,
            values[column.key],
            of_people if column.key in (HUMAN_DECIDED, HUMAN_POSSIBLY) else everything,
            audit if column.key == CORRECTED else None,
        )
        for column in columns
    ]


def audit_of(decided: Decided, candidate: Integers, predictor: Predictor | None, *, is_asked: Flags) -> Audit:
    """Return what the audit knows of the predictions, given by their answers.

    What somebody decided anew without its being drawn counts there as the rule has it: those drawn stand for
    it, and who looks for errors finds more of them than chance would. is_asked: people can be asked of it.
    """
    people, ruled = decided.said_by_people[candidate], decided.ruled[candidate]
    return Audit(
        people=np.where(people != UNDECIDED, people == ACCEPTED, np.nan),
        programs=np.where(ruled != UNDECIDED, ruled == ACCEPTED, np.nan),
        seen=decided.is_seen[candidate],
        probability=decided.probability[candidate],
        answer=candidate,
        is_open=decided.is_open[candidate] & is_asked,
        predictions=None if predictor is None else predictor.probability,
    )
