"""What a stored study says of each question, answer and prediction, looked up one at a time."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from analysis.text import normalize_answer
from annotation.projects.rules import Credit, Protocol, is_improper
from judges.methods.lexical.regex import Regex, RegexOptions
from judges.protocol import JudgeInput
from judges.verification.rules.study import Answer, Change, Prediction, Question, Routed, StoredStudy

RIGHT, POSSIBLE, WRONG = 2, 1, 0
_WORTH = {Credit.DEFINITE: RIGHT, Credit.POSSIBLE: POSSIBLE}
PREJUDGED = "prejudged"
ROUTED = "routed"
# A program had a part in it.
WITH_PROGRAMS = frozenset({PREJUDGED, ROUTED})
REGEX = "regex"


class Ruled(NamedTuple):
    """What a rule of pre-judging says of an answer; an answer with probability 0 could never be drawn."""

    worth: int
    is_drawn: bool
    probability: float


class Said(NamedTuple):
    """Texts that were accepted and rejected, in the order of the answers."""

    accepted: list[str]
    rejected: list[str]


class Facts:
    """A study looked up by id."""

    def __init__(self, study: StoredStudy) -> None:
        self.study = study
        spec = study.head.protocol
        self.protocol = Protocol.from_spec(spec) if spec else None
        self.questions = {question.id: question for question in study.questions}
        self.answers = {answer.id: answer for answer in study.answers}
        self.decisions = {decision.answer: decision for decision in study.decisions}
        self.verdicts = {(verdict.run, verdict.answer): verdict for verdict in study.verdicts}

    def worth_of(self, label: str) -> int:
        """Return what a label is worth; one the protocol does not have is worth nothing."""
        found = self.protocol.label(label) if self.protocol else None
        return _WORTH.get(found.credit, WRONG) if found else WRONG

    def worth(self, answer: str) -> int | None:
        """Return what an answer was decided to be, by whomever."""
        decision = self.decisions.get(answer)
        return None if decision is None else self.worth_of(decision.label)

    def people_say(self, answer: str) -> int | None:
        """Return what people decided it to be."""
        decision = self.decisions.get(answer)
        return None if decision is None or decision.source in WITH_PROGRAMS else self.worth(answer)

    @cached_property
    def ruled(self) -> dict[str, Ruled]:
        """What rules say, by answer; a program's decision that no rule explains could draw nothing."""
        found = {
            each.answer: Ruled(self.worth_of(each.label), each.is_drawn, each.probability)
            for each in self.study.settled
        }
        for each in self.routed.values():
            if each.label and each.label == each.first_label:
                found.setdefault(
                    each.answer, Ruled(self.worth_of(each.label), each.is_drawn, each.probability)
                )
        for answer, decision in self.decisions.items():
            if decision.source in WITH_PROGRAMS and answer not in found:
                found[answer] = Ruled(self.worth_of(decision.label), is_drawn=False, probability=0.0)
        return found

    @cached_property
    def routed(self) -> dict[str, Routed]:
        """Answers on a route that was not undone."""
        return {each.answer: each for each in self.study.routed if not each.is_undone}

    @cached_property
    def routed_unequally(self) -> set[str]:
        """Answers that had further raters, or none, because of the first.

        Of a rule that was undone, while one of them is open.
        """
        rows = [each for each in self.study.routed if not each.is_drawn]
        waiting = {each.routing for each in rows if self.answers[each.answer].is_open}
        return {each.answer for each in rows if not each.is_undone or each.routing in waiting}

    @cached_property
    def improper(self) -> set[str]:
        """Questions that raters took out of every score."""
        marks: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for check in self.study.checks:
            marks[check.question][check.rater].add(check.key)
        if self.protocol is None:
            return set()
        keys = set(self.protocol.skipping_keys)
        return {
            question
            for question, by_rater in marks.items()
            if is_improper(
                protocol=self.protocol, marks=[own & keys for own in by_rater.values() if own & keys]
            )
        }

    @cached_property
    def given(self) -> set[str]:
        """Answers that some system gave."""
        return {prediction.answer for prediction in self.study.predictions}

    def waits(self, answer: str) -> bool:
        """Say whether people have yet to decide it: no rule speaks for it, or it was drawn for people."""
        rule = self.ruled.get(answer)
        return (rule is None or rule.is_drawn) and self.worth(answer) is None

    @cached_property
    def undecided(self) -> int:
        """How many answers that judges are compared on wait for people, where rules settled any."""
        rows = self.study.answers if self.ruled else ()
        return sum(self.is_compared(answer) and self.waits(answer.id) for answer in rows)

    def is_compared(self, answer: Answer) -> bool:
        """Say whether judges are compared on it."""
        return (
            self.questions[answer.question].in_sample
            and answer.question not in self.improper
            and answer.is_judgeable
            and (answer.id in self.given or not answer.is_from_gold)
        )

    def stands(self, answer: Answer) -> bool:
        """Say whether judges are compared with people on it."""
        rule = self.ruled.get(answer.id)
        return (
            self.is_compared(answer)
            and self.people_say(answer.id) is not None
            and (rule is None or rule.is_drawn)
        )

    @cached_property
    def _chances(self) -> dict[int, float]:
        """With which probability questions of each part of a draw were drawn."""
        drawn = (each for each in self.study.questions if each.stratum is not None)
        return {
            each.stratum: each.probability for each in drawn if each.stratum is not None and each.probability
        }

    def chance(self, question: Question) -> float:
        """Return with which probability a question was to be drawn; 0 where it could not."""
        return 0.0 if question.stratum is None else self._chances.get(question.stratum, 0.0)

    @cached_property
    def of_question(self) -> dict[str, float]:
        """How many questions each judged one stands for; 1 where all stand for as many."""
        judged = [question for question in self.study.questions if question.in_sample]
        chances = {question.probability for question in judged}
        is_part = len(judged) < len(self.study.questions)
        is_unequal = is_part and len(chances) > 1
        return {
            question.id: 1.0 / question.probability if is_unequal and question.probability else 1.0
            for question in self.study.questions
        }

    @cached_property
    def weights(self) -> dict[str, float]:
        """How many answers each one stands for that judges are compared with people on."""
        rows = [answer for answer in self.study.answers if self.is_compared(answer)]
        found = {answer.id: self.of_question[answer.question] for answer in rows if self.stands(answer)}
        for is_accepted in (True, False):
            cell = [
                answer.id
                for answer in rows
                if (rule := self.ruled.get(answer.id))
                and rule.probability > 0
                and (rule.worth == RIGHT) == is_accepted
            ]
            of = {answer: self.of_question[self.answers[answer].question] for answer in cell}
            seen = {answer: of[answer] / self.ruled[answer].probability for answer in cell if answer in found}
            total = sum(seen.values())
            found |= {answer: weight * sum(of.values()) / total for answer, weight in seen.items()}
        return found

    @cached_property
    def left_out(self) -> int:
        """How many answers programs settled of which no audited one tells anything."""
        found = 0
        for is_accepted in (True, False):
            cell = [
                answer
                for answer in self.study.answers
                if self.is_compared(answer)
                and (rule := self.ruled.get(answer.id))
                and (rule.worth == RIGHT) == is_accepted
            ]
            is_checked = any(self.ruled[each.id].probability > 0 and self.stands(each) for each in cell)
            settled = [self.ruled[each.id] for each in cell if not self.ruled[each.id].is_drawn]
            found += sum(not is_checked or rule.probability == 0 for rule in settled)
        return found

    def input_of(self, answer: Answer) -> JudgeInput:
        """Return what a judge gets of an answer, against the gold answers of the files."""
        question = self.questions[answer.question]
        strings = tuple(text for kind, text in question.golds if kind != REGEX)
        patterns = tuple(text for kind, text in question.golds if kind == REGEX)
        return JudgeInput(question.text, answer.text, strings, patterns=patterns)

    def can_be_judged_by(self, reads_golds: bool, answer: str) -> bool:
        """Say whether there is a gold answer of the kind that a judge reads."""
        asked = self.input_of(self.answers[answer])
        return bool(asked.golds if reads_golds else asked.patterns)

    # How predictions are matched with gold answers.

    @cached_property
    def _patterns(self) -> dict[str, set[str]]:
        return {
            question.id: patterns
            for question in self.study.questions
            if (patterns := {text for kind, text in question.golds if kind == REGEX})
        }

    def _is_found(self, prediction: Prediction) -> bool:
        patterns = self._patterns.get(prediction.question)
        if not patterns:
            return False
        asked = JudgeInput("", self.answers[prediction.answer].text, (), patterns=tuple(sorted(patterns)))
        return bool(Regex(RegexOptions()).judge([asked])[0].accepted)

    def _golds(self, question: str) -> list[str]:
        return [text for _, text in self.questions[question].golds]

    def matches_original(self, prediction: Prediction) -> bool:
        """Say whether a prediction equals a gold answer of the files."""
        if prediction.golds is not None:
            return is_among(prediction.text, prediction.golds)
        return self._matches(prediction, self._golds(prediction.question), Said([], []))

    def matches_amended(self, prediction: Prediction) -> bool:
        """Say whether it equals an answer of the list as people amended it."""
        said = self._decided.get(prediction.question, Said([], []))
        if prediction.golds is not None:
            accepted = self._accepted_by_people.get(prediction.question, set())
            undone = self._undone.get(prediction.question, set())
            return is_among(prediction.text, amend(prediction.golds, said, kept=accepted, without=undone))
        golds, removed = self._golds(prediction.question), set()
        for change in self._in_force.get(prediction.question, ()):
            if change.action == "added":
                golds.append(change.text)
            else:
                removed.add(change.text)
        return self._matches(prediction, [text for text in golds if text not in removed], said)

    def matches_said(self, prediction: Prediction, said: Said | None) -> bool:
        """Say whether it equals the list as a judge would amend it who said so; None: it said nothing."""
        if said is None:
            return self.matches_original(prediction)
        if prediction.golds is not None:
            return is_among(prediction.text, amend(prediction.golds, said))
        return self._matches(prediction, amend(self._golds(prediction.question), said), said)

    def _matches(self, prediction: Prediction, golds: Iterable[str], said: Said) -> bool:
        """What was said of an answer itself goes before what a pattern says of it."""
        patterns = self._patterns.get(prediction.question)
        if not patterns:
            return is_among(prediction.text, golds)
        return (
            is_among(prediction.text, [text for text in golds if text not in patterns])
            or is_among(prediction.text, said.accepted)
            or (self._is_found(prediction) and not is_among(prediction.text, said.rejected))
        )

    @cached_property
    def _in_force(self) -> dict[str, list[Change]]:
        return _by_question(change for change in self.study.changes if not change.is_undone)

    @cached_property
    def _undone(self) -> dict[str, set[tuple[str, str]]]:
        in_force = {
            (each.question, each.action, each.text) for each in self.study.changes if not each.is_undone
        }
        found: dict[str, set[tuple[str, str]]] = defaultdict(set)
        for each in self.study.changes:
            if each.by_person and (each.question, each.action, each.text) not in in_force:
                found[each.question].add((each.action, each.text))
        return found

    @cached_property
    def _in_order(self) -> list[Answer]:
        return sorted(self.study.answers, key=lambda answer: answer.position)

    @cached_property
    def _decided(self) -> dict[str, Said]:
        found: dict[str, Said] = defaultdict(lambda: Said([], []))
        protocol = self.protocol
        for answer in self._in_order if protocol else ():
            decision = self.decisions.get(answer.id)
            if decision is None or protocol is None:
                continue
            if decision.label in protocol.accepted_keys:
                found[answer.question].accepted.append(answer.text)
            elif decision.label in protocol.rejected_keys:
                found[answer.question].rejected.append(answer.text)
        return found

    @cached_property
    def _accepted_by_people(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = defaultdict(set)
        for answer in self.study.answers:
            decision = self.decisions.get(answer.id)
            accepted = self.protocol.accepted_keys if self.protocol else frozenset()
            if decision and decision.source != PREJUDGED and decision.label in accepted:
                found[answer.question].add(answer.text)
        return found

    def said_by(self, run: str) -> dict[str, Said]:
        """Return what a run accepted and rejected, by question."""
        found: dict[str, Said] = defaultdict(lambda: Said([], []))
        for answer in self._in_order:
            verdict = self.verdicts.get((run, answer.id))
            if verdict is not None and verdict.accepted is not None:
                said = found[answer.question]
                (said.accepted if verdict.accepted else said.rejected).append(answer.text)
        return dict(found)


def _by_question(changes: Iterable[Change]) -> dict[str, list[Change]]:
    found: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        found[change.question].append(change)
    return found


def is_among(text: str, golds: Iterable[str]) -> bool:
    """Say whether exact match holds a text equal to one of these."""
    return normalize_answer(text) in {normalize_answer(gold) for gold in golds}


def amend(
    original: Iterable[str],
    said: Said,
    *,
    kept: Collection[str] = (),
    without: Collection[tuple[str, str]] = (),
) -> list[str]:
    """Add what was accepted, then take away what was rejected, as typed or in lower case.

    kept: what no rejection takes away. without: changes, as pairs of action and text, that are not made.
    Source: Kamalloo et al. 2023, reproduction rule AMEND.
    """
    golds = list(original)
    known = set(golds)
    added = [text for text in dict.fromkeys(said.accepted) if text not in known]
    everything = known | set(added)
    removed = set()
    for text in said.rejected:
        form = text if text in everything else text.lower()
        if form in everything and form not in kept and ("removed", form) not in without:
            removed.add(form)
    grown = [*golds, *(text for text in added if ("added", text) not in without)]
    return [text for text in grown if text not in removed]


def verdicts_of(facts: Facts, run: str) -> Mapping[str, bool | None]:
    """Return what a run said, by answer; None: it could not judge."""
    return {verdict.answer: verdict.accepted for verdict in facts.study.verdicts if verdict.run == run}
