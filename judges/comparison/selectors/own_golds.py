"""Judge predictions whose file has gold answers of its own by those, amended like their question's."""

from collections.abc import Mapping, Sequence

from analysis.arrays import Flags
from analysis.text import normalize_answer
from annotation.gold.rules.ledger import Change, wanted_changes
from annotation.gold.selectors.ledger import ORIGINAL_VERSION, amended_gold
from annotation.items.models import Prediction, Question
from judges import protocol, registry
from judges.comparison.rules.study import Items, RunFacts
from judges.protocol import JudgeInput
from judges.runs.models import JudgeRun

# By question id: the strings that were accepted, and those that were rejected.
Strings = dict[int, tuple[list[str], list[str]]]


def match_own(
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
        amended = amend(said, question, golds, without=without, kept=(kept or {}).get(question, frozenset()))
        is_match[place] = texts[int(predictions.string[place])] in map(normalize_answer, amended)
    return is_match


def amend(
    said: Strings,
    question: int,
    original: tuple[str, ...],
    *,
    without: frozenset[tuple[int, Change]] = frozenset(),
    kept: frozenset[str] = frozenset(),
) -> tuple[str, ...]:
    """Return gold answers of a question as they are amended by what was said of its answers.

    without: changes that people undid. kept: what no removal takes away.
    """
    accepted, rejected = said.get(question, ((), ()))
    changes = wanted_changes(original=original, accepted=accepted, rejected=rejected, kept=kept)
    return amended_gold(
        original=original, changes=[change for change in changes if (question, change) not in without]
    )


def judge_by_own_golds(items: Items, *, runs: Sequence[RunFacts]) -> dict[int, dict[int, protocol.Verdict]]:
    """Return for each lexical run on original gold what it says of such answers, by prediction.

    Lexical judges are quick, pure functions, and such answers few: a stored verdict belongs to an answer
    that systems share, and cannot differ from file to file.
    """
    inputs = _inputs(items)
    asked = JudgeRun.objects.filter(pk__in=[run.id for run in runs], gold_version=ORIGINAL_VERSION)
    return {
        run.pk: dict(zip(inputs, _judge(run, list(inputs.values())), strict=True))
        for run in asked.order_by("pk")
        # A file's own golds are strings: they say nothing to a judge of patterns.
        if (entry := registry.get_entry(run.judge_key)).is_lexical and entry.reads is registry.Reads.GOLDS
    }


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
