"""Question answering data sets: questions with their gold answers."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from annotation.items.formats.columns import MEANING_BY_NAME, QUESTION_NAMES
from annotation.items.formats.documents.arrangement import Arrangement, place_of_rows, read_object
from annotation.items.formats.documents.outline import outline_of
from annotation.items.formats.documents.streaming import EACH, NAMED, Found, Walk
from annotation.items.formats.generic import NO_ANSWERS, UNANSWERABLE
from annotation.items.formats.records import Look, Problem, Row, Source
from annotation.items.formats.shapes.shape import (
    Cells,
    Shape,
    as_row,
    given,
    is_object,
    is_objects,
    is_texts,
    limited,
    list_in,
    object_in,
    objects_in,
    walk_rows,
)
from annotation.items.formats.tables import BadCell, layout_of, mentions, read_rows


def _tagged(golds: list[Any], *tags: str, is_unanswerable: bool) -> dict[str, Any]:
    """Return gold answers and tags of a question; one that has no answer is tagged so and has no gold."""
    if is_unanswerable:
        return {"gold": [], "tags": [*tags, UNANSWERABLE]}
    return {"gold": golds, "tags": list(tags)}


def _one_tag(values: Cells, name: str) -> list[str]:
    """Return the text of a field as the only tag; none where it holds no text."""
    value = values.get(name)
    return [value] if isinstance(value, str) and value else []


def _squad(values: Cells) -> Iterator[dict[str, Any]]:
    said = [answer.get("text") for answer in objects_in(values, "answers")]
    # QuAC has this as an answer, which several people gave who found none.
    golds = [text for text in said if not (isinstance(text, str) and text in NO_ANSWERS)]
    is_impossible = values.get("is_impossible") is True or (bool(said) and not golds)
    yield given(
        question=values.get("question"),
        id=values.get("id"),
        passages=_context(values),
        **_tagged(golds, is_unanswerable=is_impossible),
    )


# What QuAC writes at the end of a text, as the place of answers that are not in it.
_OF_QUAC = " CANNOTANSWER"


def _context(values: Cells) -> list[dict[str, Any]] | None:
    """Return the paragraph that a question is about; None where there is none."""
    context = values.get("context")
    if isinstance(context, str):
        context = context.removesuffix(_OF_QUAC)
    return [{"text": context, "title": values.get("title")}] if context else None


_SQUAD_PATH = ("data", EACH, "paragraphs", EACH, "qas", EACH)
_OF_PARAGRAPH = frozenset({"title", "context"})


def _squad_questions(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    """Yield each question with its paragraph, which stands before the questions or behind them."""
    walk = Walk(source, _SQUAD_PATH, beside=_OF_PARAGRAPH)
    waiting: list[Found] = []
    for found in limited(source, walk.found()):
        if isinstance(found, Problem) or (waiting and found.place[:2] != waiting[0].place[:2]):
            yield from _with_paragraph(source, walk, waiting)
            waiting = []
        if isinstance(found, Problem):
            yield found
        else:
            waiting.append(found)
    yield from _with_paragraph(source, walk, waiting)
    passed_by.update(walk.passed_by)


def _with_paragraph(source: Source, walk: Walk, questions: list[Found]) -> Iterator[Row | Problem]:
    for found in questions:
        beside = {**walk.kept.get(found.place[:1], {}), **walk.kept.get(found.place[:2], {})}
        row = as_row(source, found)
        yield row if isinstance(row, Problem) else Row(row.line, {**row.values, **beside})
    if questions:
        walk.kept.pop(questions[0].place[:2], None)


def _is_squad(look: Look) -> bool:
    articles: Any = look.document.get("data")
    return is_objects(articles, "paragraphs") and is_objects(articles[0]["paragraphs"], "qas")


SQUAD = Shape(
    key="squad",
    name="SQuAD",
    summary="SQuAD 1.1 or 2.0 as released. Unanswerable questions have no gold answers.",
    recognized_by="a JSON object with `data[].paragraphs[].qas[]`",
    recognizes=_is_squad,
    items=_squad,
    reads=("question", "id", "answers.text", "is_impossible", *_OF_PARAGRAPH),
    rows=_squad_questions,
)


def _squad_rows(values: Cells) -> Iterator[dict[str, Any]]:
    golds = list_in(object_in(values, "answers"), "text")
    # SQuAD 2.0 on the Hub has no other sign of a question without an answer.
    yield given(
        question=values.get("question"),
        id=values.get("id"),
        passages=_context(values),
        **_tagged(golds, is_unanswerable=not golds),
    )


SQUAD_ROWS = Shape(
    key="squad-rows",
    name="SQuAD, one question per row",
    summary=("SQuAD as on the Hugging Face Hub: a question, its context, and answers with text and start."),
    recognized_by="`question`, `context`, `answers` with `text` and `answer_start`",
    recognizes=lambda look: (
        look.has("question", "context") and is_object(look.first.get("answers"), "text", "answer_start")
    ),
    items=_squad_rows,
    reads=("question", "id", "answers.text", *_OF_PARAGRAPH),
)


def _triviaqa(values: Cells) -> Iterator[dict[str, Any]]:
    answer = object_in(values, "Answer")
    golds = [answer.get("Value"), *list_in(answer, "Aliases"), *list_in(answer, "HumanAnswers")]
    yield given(question=values.get("Question"), id=values.get("QuestionId"), gold=golds)


TRIVIAQA = Shape(
    key="triviaqa",
    name="TriviaQA",
    summary="TriviaQA as released. Gold answers are the value, its aliases, and answers that people wrote.",
    recognized_by="a JSON object whose `Data[]` items have `Question`, `QuestionId`, and optionally `Answer`",
    recognizes=lambda look: is_objects(look.document.get("Data"), "Question", "QuestionId"),
    items=_triviaqa,
    reads=("Question", "QuestionId", "Answer.Value", "Answer.Aliases", "Answer.HumanAnswers"),
    path=("Data", EACH),
)


def _triviaqa_rows(values: Cells) -> Iterator[dict[str, Any]]:
    answer = object_in(values, "answer")
    golds = [answer.get("value"), *list_in(answer, "aliases")]
    yield given(question=values.get("question"), id=values.get("question_id"), gold=golds)


TRIVIAQA_ROWS = Shape(
    key="triviaqa-rows",
    name="TriviaQA, one question per row",
    summary="TriviaQA as on the Hugging Face Hub. Gold answers are the value and its aliases.",
    recognized_by="`question`, `question_id`, `answer` with `value` and `aliases`",
    recognizes=lambda look: (
        look.has("question", "question_id") and is_object(look.first.get("answer"), "value", "aliases")
    ),
    items=_triviaqa_rows,
    reads=("question", "question_id", "answer.value", "answer.aliases"),
)


def _popqa(values: Cells) -> Iterator[dict[str, Any]]:
    yield given(
        question=values.get("question"),
        id=values.get("id"),
        gold=values.get("possible_answers"),
        tags=_one_tag(values, "prop"),
    )


POPQA = Shape(
    key="popqa",
    name="PopQA",
    summary="PopQA: gold answers are possible_answers, and the relation is a tag.",
    recognized_by="`question`, `possible_answers`, `subj`, `prop`, `obj`",
    recognizes=lambda look: look.has("question", "possible_answers", "subj", "prop", "obj"),
    items=_popqa,
    reads=("question", "id", "possible_answers", "prop"),
)


_TARGET_ITEM = r"""\(\s*+(?:description|name|number)\s++(?:"((?:[^"\\]|\\.)*+)"|([^\s()"]++))\s*+\)"""
_TARGET = re.compile(rf"\s*+\(\s*+list\s*+(?:{_TARGET_ITEM}\s*+)*+\)\s*+", re.DOTALL)
_TARGET_VALUES = re.compile(_TARGET_ITEM, re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
LONGEST_TARGET = 100_000


def target_values(text: Any) -> list[str]:
    """Return the texts of `(list (description "One two") (description Three))`; raises `BadCell`."""
    if not isinstance(text, str) or len(text) > LONGEST_TARGET or not _TARGET.fullmatch(text):
        message = "“targetValue” must be a list of descriptions: (list (description …) …)."
        raise BadCell("targetValue", "gold_not_text", message)
    values = _TARGET_VALUES.finditer(text)
    return [
        bare if bare is not None else _ESCAPED.sub(r"\1", quoted) for quoted, bare in map(_groups, values)
    ]


def _groups(match: re.Match[str]) -> tuple[str, str | None]:
    return match[1] or "", match[2]


WEB_QUESTIONS = Shape(
    key="webquestions",
    name="WebQuestions",
    summary="WebQuestions as released: an utterance, and a list of descriptions as targetValue.",
    recognized_by="`utterance`, `targetValue`",
    recognizes=lambda look: look.has("utterance", "targetValue"),
    items=lambda values: [
        given(question=values.get("utterance"), gold=target_values(values.get("targetValue")))
    ],
    reads=("utterance", "targetValue"),
)

WEB_QUESTIONS_ROWS = Shape(
    key="webquestions-rows",
    name="WebQuestions, one question per row",
    summary="WebQuestions as on the Hugging Face Hub: url, question, and answers.",
    recognized_by="exactly `url`, `question`, `answers`",
    recognizes=lambda look: look.first.keys() == {"url", "question", "answers"},
    items=lambda values: [given(question=values.get("question"), gold=values.get("answers"))],
    reads=("question", "answers"),
)

NO_ANSWER = "No Answer Present."


def _msmarco(values: Cells) -> Iterator[dict[str, Any]]:
    answers = list_in(values, "answers")
    golds = [answer for answer in answers if answer != NO_ANSWER]
    yield given(
        question=values.get("query"),
        id=values.get("query_id"),
        passages=values.get("passages"),
        **_tagged(golds, *_one_tag(values, "query_type"), is_unanswerable=bool(answers) and not golds),
    )


_MSMARCO_NAMES = ("query", "query_id", "query_type", "answers")


def _is_msmarco(look: Look) -> bool:
    if look.has(*_MSMARCO_NAMES):
        return True
    # One column after the other, the first of which may be longer than the beginning of the file.
    place = place_of_rows(look.document, QUESTION_NAMES) if look.document else None
    return (
        place is not None
        and place.arrangement is Arrangement.COLUMNS
        and mentions(look.source, "query_type", "wellFormedAnswers")
    )


def _msmarco_table(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    place = place_of_rows(outline_of(source), QUESTION_NAMES) if layout_of(source) == "object" else None
    if place is None or place.arrangement is not Arrangement.COLUMNS:
        return read_rows(source)
    return read_object(source, place, passed_by=passed_by)


MSMARCO = Shape(
    key="msmarco",
    name="MS MARCO",
    summary=(
        "MS MARCO v2.1, as columns or rows. “No Answer Present.” means no gold answer; the type is a tag."
    ),
    recognized_by="`query`, `query_id`, `query_type`, `answers`, as columns or rows",
    recognizes=_is_msmarco,
    items=_msmarco,
    reads=(*_MSMARCO_NAMES, "passages"),
    rows=_msmarco_table,
)


_DPR_COLUMNS = ("question", "answers")


def _is_dpr(look: Look) -> bool:
    if look.layout not in {"csv", "tsv"}:
        return False
    first = [line for line in look.lines if line.strip()][:2]
    return bool(first) and all(map(_is_dpr_line, first))


def _is_dpr_line(line: str) -> bool:
    _, tab, answers = line.rstrip("\r\n").partition("\t")
    bare = answers.strip('"')
    return bool(tab) and bare.startswith("[") and bare.endswith("]")


DPR_QUESTIONS = Shape(
    key="dpr-questions",
    name="DPR: questions and answers",
    summary="No header: a question, a tab, and its gold answers as a Python list.",
    recognized_by="lines with a question, a tab, and a list in brackets, without a header",
    recognizes=_is_dpr,
    items=lambda values: [given(question=values["question"], gold=values["answers"])],
    reads=_DPR_COLUMNS,
    rows=lambda source, _passed_by: read_rows(source, quoting="on", header=_DPR_COLUMNS),
)

_CONTEXTS = ("ctxs", "positive_ctxs")


def _is_retrieved(look: Look) -> bool:
    return look.has("question") and is_texts(look.first.get("answers")) and any(map(look.has, _CONTEXTS))


def _retrieved(values: Cells) -> Iterator[dict[str, Any]]:
    golds, target = list_in(values, "answers"), values.get("target")
    if target and target not in golds:
        golds = [*golds, target]
    yield given(
        question=values.get("question"),
        id=values.get("id"),
        gold=golds,
        dataset=values.get("dataset"),
        passages=_as_gold(objects_in(values, "positive_ctxs")) or None,
        retrieved=values.get("ctxs"),
    )


def _as_gold(passages: Iterable[Cells]) -> list[dict[str, Any]]:
    """Mark passages as those that hold the answer."""
    return [{**passage, "is_gold": True} for passage in passages]


RETRIEVED = Shape(
    key="retrieved",
    name="DPR and FiD: questions with passages",
    summary="Retriever files of DPR and FiD: a question, its answers, and its passages.",
    recognized_by="`question`, a list of `answers`, and `ctxs` or `positive_ctxs`",
    recognizes=_is_retrieved,
    items=_retrieved,
    reads=("question", "id", "answers", "target", "dataset", *_CONTEXTS),
)


def _kilt(values: Cells) -> Iterator[dict[str, Any]]:
    answers = [each["answer"] for each in objects_in(values, "output") if each.get("answer")]
    pages = [page for each in objects_in(values, "output") for page in _provenance(each)]
    if "input" in values:
        yield given(
            question=values["input"], id=values.get("id"), gold=answers, passages=_as_gold(pages) or None
        )
    else:
        prediction = answers[0] if answers else ""
        yield given(id=values.get("id"), prediction=prediction, retrieved=pages or None)


def _provenance(output: Cells) -> Iterator[dict[str, Any]]:
    """Yield the pages of Wikipedia that an answer rests on, which KILT names and does not quote."""
    for page in objects_in(output, "provenance"):
        key = page.get("wikipedia_id")
        source = f"wikipedia:{key}" if isinstance(key, str | int) and key != "" else None
        yield given(text=page.get("text"), title=page.get("title"), source=source)


def _is_kilt(look: Look) -> bool:
    output = look.first.get("output")
    return look.has("id") and (is_objects(output, "answer") or is_objects(output, "provenance"))


KILT = Shape(
    key="kilt",
    name="KILT",
    summary="KILT’s questions and answers. Lines without “input” are a system’s answers to known questions.",
    recognized_by="`id`, and a list called `output` that contains objects with `answer` or `provenance`",
    recognizes=_is_kilt,
    items=_kilt,
    reads=("id", "input", "output.answer", "output.provenance"),
)


def _is_answers_by_id(look: Look) -> bool:
    return bool(look.document) and all(
        isinstance(answer, str) and name.lower() not in MEANING_BY_NAME
        for name, answer in look.document.items()
    )


def _answers_by_id(found: Found | Problem) -> Row | Problem:
    if isinstance(found, Problem):
        return found
    return Row(found.line, {"id": found.names[0], "prediction": found.value})


def _squad_answers(source: Source, _passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    return map(_answers_by_id, walk_rows(source, (NAMED,), {}))


SQUAD_PREDICTIONS = Shape(
    key="squad-predictions",
    name="SQuAD: predictions",
    summary=("A JSON object with a system’s answer under each question’s ID; import the questions first."),
    recognized_by="a JSON object whose values are all strings and whose keys are not column names",
    recognizes=_is_answers_by_id,
    items=lambda values: [dict(values)],
    reads=("id", "prediction"),
    rows=_squad_answers,
)


def _is_hotpotqa_predictions(look: Look) -> bool:
    answers = look.document.get("answer")
    return (
        isinstance(answers, Mapping)
        and bool(answers)
        and all(isinstance(each, str) for each in answers.values())
        and isinstance(look.document.get("sp"), Mapping)
    )


def _hotpotqa_answers(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    return map(_answers_by_id, walk_rows(source, ("answer", NAMED), passed_by))


HOTPOTQA_PREDICTIONS = Shape(
    key="hotpotqa-predictions",
    name="HotpotQA: predictions",
    summary=(
        "A system’s answer under each question’s ID, beside supporting facts. Import the questions first."
    ),
    recognized_by="a JSON object with `answer`, an object whose values are all strings, and `sp`",
    recognizes=_is_hotpotqa_predictions,
    items=lambda values: [dict(values)],
    reads=("id", "prediction"),
    rows=_hotpotqa_answers,
)


def _bioasq(values: Cells) -> Iterator[dict[str, Any]]:
    exact, ideal = values.get("exact_answer"), values.get("ideal_answer")
    groups = exact if isinstance(exact, list) else [exact]
    golds = [text for group in groups for text in (group if isinstance(group, list) else [group])]
    yield given(
        question=values.get("body"),
        id=values.get("id"),
        # Questions for a summary have no other answer.
        gold=golds if exact else ideal,
        tags=_one_tag(values, "type"),
        passages=[
            {"text": each.get("text"), "source": each.get("document")}
            for each in objects_in(values, "snippets")
        ],
    )


BIOASQ = Shape(
    key="bioasq",
    name="BioASQ",
    summary=(
        "BioASQ’s questions as released. Gold answers are the exact answers, one by one, or the ideal answer "
        "if there are no exact answers. The type is a tag: a “list” question asks for all of its gold "
        "answers together."
    ),
    recognized_by="a JSON object whose `questions[]` items have `body` and `type`",
    recognizes=lambda look: is_objects(look.document.get("questions"), "body", "type"),
    items=_bioasq,
    reads=("body", "id", "type", "exact_answer", "ideal_answer", "snippets.text", "snippets.document"),
    path=("questions", EACH),
)

FORMATS = tuple(
    shape.format
    for shape in (
        *(SQUAD, SQUAD_ROWS, TRIVIAQA, TRIVIAQA_ROWS, POPQA, WEB_QUESTIONS, WEB_QUESTIONS_ROWS, MSMARCO),
        *(DPR_QUESTIONS, RETRIEVED, KILT, SQUAD_PREDICTIONS, HOTPOTQA_PREDICTIONS, BIOASQ),
    )
)
