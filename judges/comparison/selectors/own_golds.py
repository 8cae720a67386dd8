"""Judge answers whose file has other gold answers than the question, by those."""

from typing import NamedTuple

from annotation.gold.selectors import ORIGINAL_VERSION
from annotation.items.models import Question
from judges import registry
from judges.comparison.selectors.answers import Answer, Facts
from judges.protocol import JudgeInput, Verdict
from judges.runs.models import JudgeRun


class Counts(NamedTuple):
    """Sums over verdicts: how many, of these scored, of these accepted, and of scores and their squares."""

    seen: int = 0
    scored: int = 0
    correct: int = 0
    total: float = 0.0
    squares: float = 0.0

    def plus(self, other: "Counts") -> "Counts":
        """Return both together."""
        return Counts(
            seen=self.seen + other.seen,
            scored=self.scored + other.scored,
            correct=self.correct + other.correct,
            total=self.total + other.total,
            squares=self.squares + other.squares,
        )


def counts_of(verdict: Verdict) -> Counts:
    """Return what one verdict adds."""
    score = verdict.score or 0.0
    return Counts(
        seen=1,
        scored=int(verdict.accepted is not None),
        correct=int(verdict.accepted is True),
        total=score,
        squares=score * score,
    )


def judge_by_own_golds(facts: Facts, *, run_ids: list[int]) -> dict[int, list[tuple[int, Verdict]]]:
    """Return for each lexical run on original gold what it says of such answers, with their systems.

    Lexical judges are quick, pure functions, and such answers few: a stored verdict belongs to an answer
    that systems share, and cannot differ from file to file.
    """
    answers = [answer for answer in facts.answers if answer.golds is not None]
    if not answers:
        return {}
    inputs = _inputs(answers)
    runs = JudgeRun.objects.filter(pk__in=run_ids, gold_version=ORIGINAL_VERSION).order_by("pk")
    return {
        run.pk: list(zip((answer.system for answer in answers), _judge(run, inputs), strict=True))
        for run in runs
        if _is_askable(registry.get_entry(run.judge_key))
    }


def _is_askable(entry: registry.JudgeEntry) -> bool:
    # A file's own golds are strings: they say nothing to a judge of patterns.
    return entry.is_lexical and entry.reads is registry.Reads.GOLDS


def _inputs(answers: list[Answer]) -> list[JudgeInput]:
    questions = Question.objects.in_bulk({answer.question for answer in answers})
    return [
        JudgeInput(question=questions[answer.question].text, answer=answer.text, golds=answer.golds or ())
        for answer in answers
    ]


def _judge(run: JudgeRun, inputs: list[JudgeInput]) -> list[Verdict]:
    options = {name: value for name, value in run.options.items() if name != "gold"}
    return registry.make_judge(registry.get_entry(run.judge_key), options).judge(inputs)
