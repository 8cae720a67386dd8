"""Judge answers whose file has other gold answers than the question, by those."""

from collections.abc import Sequence

from annotation.gold.selectors import ORIGINAL_VERSION
from annotation.items.models import Prediction, Question
from judges import registry
from judges.comparison.rules import Items, RunFacts
from judges.protocol import JudgeInput, Verdict
from judges.runs.models import JudgeRun


def judge_by_own_golds(items: Items, *, runs: Sequence[RunFacts]) -> dict[int, dict[int, Verdict]]:
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


def _judge(run: JudgeRun, inputs: list[JudgeInput]) -> list[Verdict]:
    options = {name: value for name, value in run.options.items() if name != "gold"}
    return registry.make_judge(registry.get_entry(run.judge_key), options).judge(inputs)
