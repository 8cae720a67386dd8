"""The names that files use for columns, and what they mean."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

# What a table’s first column is called where it has no name.
OF_ROW_NUMBERS = "Unnamed: 0"
SYNONYMS: dict[str, tuple[str, ...]] = {
    "id": ("id", "_id", "qid", "question_id", "query_id", "example_id", "uid"),
    "question": (
        *("question", "query", "input", "inputs", "problem", "prompt", "user_input", "q", "Frage"),
        *("question_text", "query_text", "user_question", "user_query", "ambiguous_question"),
    ),
    "gold": (
        *("answer", "answers", "gold", "gold_answer", "gold_answers", "golden_answer", "golden_answers"),
        *("possible_answers", "target", "expected_output", "reference", "ground_truth", "ground_truths"),
        *("expected", "expected_answer", "expected_answers", "reference_answer", "reference_answers"),
        *("correct_answer", "correct_answers", "exact_answer", "ideal", "Richtige Antwort"),
        *("ideal_answer", "right_answer", "true_answer", "accepted_answer", "accepted_answers"),
        *("acceptable_answer", "acceptable_answers", "golds", "references", "targets", "target_answer"),
        *("gt", "gt_answer", "gt_answers", "reference_output", "reference_outputs", "best_answer"),
        *("answer_aliases", "answers_aliases"),
        *("Antwort", "Antworten", "Musterantwort", "Referenzantwort", "Goldantwort", "erwartete Antwort"),
        *("korrekte Antwort", "korrekte Antworten", "richtige Antworten", "Musterlösung", "Musterlösungen"),
        *("expected_response", "ground_truth_answer", "ground_truth_answers"),
        *("alt_ans", "alternative_answers"),
    ),
    "prediction": (
        *("prediction", "Model answer", "output", "response", "candidate", "generated_answer"),
        *("predicted_answer", "predictions", "completion", "generation", "generated_text", "system_answer"),
        *("outputs", "pred", "preds", "actual_output", "Modellantwort"),
    ),
    "system": ("model", "system", "run", "model_name", "system_name", "model_id", "system_id"),
    "dataset": ("dataset",),
    "tags": ("tags",),
    "reference_count": ("reference_count",),
    "answerable": ("answerable", "is_answerable"),
    "unanswerable": ("unanswerable", "is_unanswerable", "is_impossible"),
    "confidence": ("confidence",),
    "vote": (
        *("human_label", "human_judgment", "human_judgement", "human_verdict", "human_vote"),
        *("human_annotation", "human_rating", "human_decision", "annotator_label", "rater_label"),
    ),
    "rater": (
        *("rater", "rater_id", "annotator", "annotator_id", "annotator_name", "worker", "worker_id"),
        *("labeler", "labeler_id", "assessor", "assessor_id"),
    ),
    "metadata": ("metadata",),
    "passages": (
        *("passages", "passage", "context", "reference_contexts", "positive_ctxs"),
        *("paragraphs", "snippets"),
    ),
    "retrieved": (
        *("retrieved", "retrieved_contexts", "retrieved_passages", "contexts", "ctxs"),
        *("retrieval_context", "retrieved_documents", "retrieved_docs", "retrieved_context"),
        "source_documents",
    ),
    # What EfficientQA's release adds to a question: found out by judging, so never read back as given.
    "ignore": (
        *("def_correct_predictions", "poss_correct_predictions", "def_incorrect_predictions"),
        "answer_and_def_correct_predictions",
        # The numbers of rows, as pandas writes them.
        OF_ROW_NUMBERS,
    ),
}
QUESTION_NAMES = frozenset(name.lower() for name in SYNONYMS["question"])
# Further spellings of an answer in another column: they add to the gold answers.
ALIASES = frozenset({"answer_aliases", "answers_aliases", "best_answer", "alt_ans", "alternative_answers"})
# Beside a column of gold answers, “answer” may be a system's: whoever imports the file has to say so.
_OF_WHOM = frozenset({"answer", "answers", "antwort", "antworten"})
WIDE_PREFIX = "answer_"
# “Answer GPT-4” holds what “answer_GPT-4” does.
_WIDE_BEGINNING = re.compile("(?:answer|antwort)[ _]+(?:(?:by|of|from|von) )?(.+)", re.IGNORECASE)
# What follows “answer_” and says something about an answer: no system is called so.
_ABOUT_ANSWER = frozenset(
    {
        *("id", "ids", "type", "types", "start", "starts", "end", "ends", "url", "category", "text", "texts"),
        *("length", "len", "words", "tokens", "count", "position", "index", "span", "spans", "offset"),
        *("key", "letter", "choice", "option", "source", "sources", "context", "language", "date", "time"),
        *("label", "labels", "score", "rating", "quality", "confidence", "correct", "correctness"),
        *("accuracy", "relevancy", "relevance", "similarity", "faithfulness", "f1", "em", "match"),
        *("choices", "options", "candidates", "list", "normalized", "entity", "entities", "format", "model"),
        *("explanation", "rationale", "reasoning", "note", "notes", "comment", "comments", "author"),
        *("idx", "justification", "reason", "judge", "judgment", "judgement", "verdict", "vote", "votes"),
        *("grade", "bleu", "rouge", "meteor", "bertscore", "precision", "recall", "passed"),
        *("latency", "cost", "seconds"),
        *("länge", "typ", "quelle", "bewertung", "richtig", "korrekt", "kommentar"),
    }
)
# Columns that may hold an object with each system's answer under its name.
BY_SYSTEM = frozenset({"predictions", "preds", "responses", "completions", "generations"})
# "GPT-4 output" holds one system's answers; "output_tokens" and the like are none.
_WIDE = re.compile("(.+?)[ _-]+(?:output|response|prediction|generation|completion)", re.IGNORECASE)
# What stands before “output” and names no system: a gold answer, or whatever system the file is about.
_OF_GOLD = frozenset(
    {"expected", "reference", "gold", "golden", "correct", "target", "ideal", "ground truth"}
)
_OF_NO_SYSTEM = frozenset({"model", "system", "llm", "raw", "generated", "actual", "predicted", "candidate"})
# Where the text stands in an object that is one gold answer.
TEXT_NAMES = ("text", "value", "answer")
VOTE_PREFIX = "annotator"
MEANING_BY_NAME = {name.lower(): meaning for meaning, names in SYNONYMS.items() for name in names}
IGNORE = "ignore"
LONGEST_MISTAKE = 60
LONGEST_WIDE = 200
# What the right side of a mapping may be.
MAPPABLE = (*SYNONYMS, "prediction:<system>", "vote:<annotator>")


_WORD_BEGINS = re.compile("(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN_WORDS = re.compile(r"[\W_]+")


def key_of(name: str) -> str:
    """Return a name as `gold_answer`, be it written `Gold answer`, `goldAnswer` or `gold-answer:`."""
    if len(name) > LONGEST_WIDE:
        return name.lower()
    return _BETWEEN_WORDS.sub("_", _WORD_BEGINS.sub("_", name)).strip("_").lower()


_MEANING_BY_KEY = {key_of(name): meaning for name, meaning in MEANING_BY_NAME.items()}
_ALIAS_KEYS = frozenset(map(key_of, ALIASES))
_PROMPTS = frozenset({"prompt", "input", "inputs"})
_OF_VOTES = frozenset(
    {"annotator", "annotators", "rater", "raters", "human", "verdict", "judgment", "judgement"}
)
# What stands between a system's name and the rest of a column's.
_JOINERS = " _-:"
_SURELY_GOLD = {key for key, meaning in _MEANING_BY_KEY.items() if meaning == "gold"} - _OF_WHOM - _ALIAS_KEYS
_SURELY_NO_SYSTEM = _SURELY_GOLD | {
    key for key, meaning in _MEANING_BY_KEY.items() if meaning in ("question", "id", "system", "rater")
}
# What columns hold that say something about a row and are no question, no answer and no system.
_ABOUT_ROW = frozenset(
    {
        *("category", "categories", "topic", "topics", "domain", "subject", "difficulty", "level", "split"),
        *("lang", "language", "locale", "source", "url", "link", "version", "status", "type", "kind", "role"),
        *("date", "time", "timestamp", "created", "updated", "author", "editor", "comment", "comments"),
        *("note", "notes", "remark", "remarks", "index", "idx", "row_idx", "no", "nr", "number"),
        *("explanation", "rationale", "reasoning", "chain_of_thought", "finish_reason", "usage", "seed"),
        *("latency", "duration", "tokens", "cost", "price", "temperature", "votes", "score", "f1", "em"),
        *("is_correct", "exact_match", "hash", "checksum", "truncated_cells"),
        *("scores", "metric", "metrics", "feedback", "success", "error", "errors", "status_code"),
        *("incorrect_answers", "supporting_facts", "question_decomposition"),
        *("kommentar", "kommentare", "anmerkung", "anmerkungen", "datum", "kategorie", "quelle"),
    }
)
_ABOUT_ENDS = (
    "_id",
    "_at",
    "_ms",
    "_seconds",
    "_tokens",
    "_cost",
    "_url",
    "_date",
    "_time",
    "_score",
    "_count",
    "_justification",
)
_NUMBERED = re.compile(r"(.+?)[ _-]?\d{1,3}")


# Beside who voted, these hold the votes.
_VOTES_BESIDE_RATER = frozenset(
    {
        *("vote", "label", "verdict", "judgment", "judgement", "rating", "grade", "decision"),
        *("correct", "is_correct", "correctness", "acceptable", "is_acceptable", "accepted"),
        *("annotation", "answer_correct", "is_the_answer_correct"),
        *("bewertung", "urteil", "korrekt", "richtig"),
    }
)
# A column of one annotator's votes.
_VOTES_OF = re.compile(
    r"((?:annotator|rater|labeler|human|assessor|coder)[ _-]?(?:\d{1,3}|[a-z]))"
    r"(?:[ _-]+(?:label|vote|judge?ment|verdict|rating))?",
    re.IGNORECASE,
)


class Column(NamedTuple):
    """What a column means; `system`: the system whose answers it holds, or the annotator whose votes."""

    name: str
    meaning: str
    system: str = ""


def known_meaning(name: str) -> str:
    """Return the meaning a mapping names, by itself or by a usual column name; empty where there is none."""
    meaning, _, whose = name.partition(":")
    if name in SYNONYMS or (meaning in ("prediction", "vote") and whose):
        return name
    return meaning_of(name)


def meaning_of(name: str) -> str:
    """Return what a usual name means however its words are joined; empty where nobody knows."""
    return MEANING_BY_NAME.get(name.lower()) or _MEANING_BY_KEY.get(key_of(name), "")


def is_about_row(name: str) -> bool:
    """Whether a column can be left out without asking: its name says that it is neither text nor answer.

    Of a field it may also be the name of what holds it: `feedback.tone`.
    """
    key = key_of(name)
    holder = key_of(name.split(".", 1)[0])
    return key in _ABOUT_ROW or holder in _ABOUT_ROW or key.endswith(_ABOUT_ENDS)


def may_hold_votes(name: str) -> bool:
    """Whether a column's name says that people judged answers."""
    words = set(key_of(base_of(name)).split("_"))
    return bool(words & _OF_VOTES) or "correct?" in name.lower()


def is_prompt(name: str) -> bool:
    """Whether a column or field may hold what a question was made into, if another one holds the question."""
    return key_of(name.rsplit(".", 1)[-1]) in _PROMPTS


def is_alias(name: str) -> bool:
    """Whether a column adds spellings to the gold answers of another one."""
    return key_of(name) in _ALIAS_KEYS


def base_of(name: str) -> str:
    """Return a name without the number at its end: `gold` of `gold_2`."""
    match = _NUMBERED.fullmatch(name) if len(name) <= LONGEST_WIDE else None
    return match[1] if match else name


def understand(
    names: Iterable[str],
    mapping: Mapping[str, str],
    fields: Iterable[str] = (),
    beside: Iterable[str] = (),
) -> list[Column]:
    """Return what each column means; meaning "" where nobody knows. The mapping wins over the name.

    mapping: a name in it may have one `*`, which stands for anything; `*` alone stands for all columns that
    nobody knows. fields: those of the names that are mapped fields of other columns, which mean nothing
    themselves. beside: names that other rows of the file have, which say whose “answer” is.
    """
    names = tuple(names)
    parts = {name.split(".", 1)[0] for name in fields}
    patterns = [name for name in mapping if "*" in name and name != "*"]
    columns = []
    for name in names:
        if said := _said_of(name, mapping, patterns):
            columns.append(said)
        else:
            columns.append(Column(name, IGNORE) if name in parts else _by_name(name))
    others = [_by_name(name) for name in beside]
    columns = _settle_answers(_settle_votes(columns, mapping, others), mapping, others)
    rest = mapping.get("*")
    return [
        _column(each.name, rest, each.name) if rest and _is_rest(each, rest) else each for each in columns
    ]


def _is_rest(column: Column, rest: str) -> bool:
    """Whether a column is one of those that `*` stands for; what people said of answers is no system's."""
    is_system = known_meaning(rest).startswith("prediction")
    return not column.meaning and not (is_system and may_hold_votes(column.name))


def _said_of(name: str, mapping: Mapping[str, str], patterns: Iterable[str]) -> Column | None:
    if name in mapping:
        return _column(name, mapping[name])
    for pattern in patterns:
        if star := star_in(name, pattern):
            said = _column(name, mapping[pattern], star)
            # “* answer” is said of systems, and not of “Reference answer.”
            return None if said.meaning == "prediction" and key_of(name) in _SURELY_NO_SYSTEM else said
    return None


def star_in(name: str, pattern: str) -> str:
    """Return what stands in a name where a pattern has its `*`; empty where it does not fit."""
    before, _, after = pattern.partition("*")
    if len(name) <= len(before) + len(after) or not (name.startswith(before) and name.endswith(after)):
        return ""
    return name[len(before) : len(name) - len(after)]


def _column(name: str, mapped: str, star: str = "") -> Column:
    """Return what somebody said of a column; star: what tells it apart from others of the same mapping."""
    meaning, _, system = known_meaning(mapped).partition(":")
    if star and meaning in ("prediction", "vote") and system in ("", "*"):
        system = star.strip(_JOINERS) or star
    return Column(name, meaning, system)


def _by_name(name: str) -> Column:
    meaning = meaning_of(name)
    if meaning:
        return Column(name, meaning)
    base = base_of(name)
    if base != name and (base.lower() in _OF_WHOM or meaning_of(base) == "gold"):
        # “answer_2” may be a second gold answer, a second system's or a second guess.
        return Column(name, "gold" if key_of(base) in _SURELY_GOLD else "")
    if len(name) > LONGEST_WIDE:
        return Column(name, "")
    if match := _VOTES_OF.fullmatch(name):
        return Column(name, "vote", match[1])
    if match := _WIDE_BEGINNING.fullmatch(name):
        return _of_answer(name, match[1])
    found = _wide(name)
    return Column(name, IGNORE) if not found.meaning and is_about_row(name) else found


def _of_answer(name: str, whose: str) -> Column:
    """Return what “answer_<whose>” means: a system's answers, or something about them (“gpt_score”)."""
    if key_of(whose).rsplit("_", 1)[-1] in _ABOUT_ANSWER:
        return Column(name, IGNORE if "_" in key_of(whose) and is_about_row(name) else "")
    return Column(name, "prediction", whose)


def _settle_votes(
    columns: list[Column], mapping: Mapping[str, str], beside: Sequence[Column]
) -> list[Column]:
    """Say which columns hold votes: where no answer is, they are about nothing and nobody knows them."""
    named = [each for each in (*columns, *beside) if each.name not in mapping]
    has_answer = any(each.meaning == "prediction" or _is_of_whom(each, mapping) for each in named)
    if not has_answer and not any(known_meaning(each).startswith("prediction") for each in mapping.values()):
        columns = [_without_votes(each) if each.name not in mapping else each for each in columns]
    meanings = {each.meaning for each in columns}
    if "rater" not in meanings:
        return columns
    if "vote" not in meanings:
        columns = [
            Column(each.name, "") if each.name not in mapping and _is_vote_beside_rater(each) else each
            for each in columns
        ]
        found = [each for each in columns if not each.meaning and _is_vote_beside_rater(each)]
        if len(found) == 1:
            columns = [Column(each.name, "vote") if each is found[0] else each for each in columns]
    has_votes = any(each.meaning == "vote" or _is_vote_beside_rater(each) for each in columns)
    return [
        Column(each.name, IGNORE)
        if each.meaning == "rater" and each.name not in mapping and not has_votes
        else each
        for each in columns
    ]


def _is_vote_beside_rater(column: Column) -> bool:
    is_named_so = key_of(column.name) in _VOTES_BESIDE_RATER or "correct?" in column.name.lower()
    return column.meaning in ("", IGNORE) and is_named_so


def _without_votes(column: Column) -> Column:
    return Column(column.name, "") if column.meaning == "vote" else column


def _settle_answers(
    columns: list[Column], mapping: Mapping[str, str], beside: Iterable[Column]
) -> list[Column]:
    """Say whose the column “answer” is: a system's where each row names one, unclear beside gold answers."""
    whose = [_is_of_whom(each, mapping) for each in columns]
    if not any(whose):
        return columns
    others = [each for each, is_unclear in zip(columns, whose, strict=True) if not is_unclear]
    others += [each for each in beside if not _is_of_whom(each, mapping)]
    meanings = {each.meaning for each in others}
    meaning = "gold"
    # What a system retrieved may stand in a row without its answer.
    if "vote" in meanings and "prediction" not in meanings:
        # People judge what a system answers.
        meaning = "prediction"
    elif "system" in meanings and meanings.isdisjoint({"prediction", "retrieved"}):
        meaning = "prediction"
    elif any(_is_surely_gold(each, mapping) for each in others):
        meaning = ""
    return [
        Column(each.name, meaning) if is_unclear else each
        for each, is_unclear in zip(columns, whose, strict=True)
    ]


def _is_of_whom(column: Column, mapping: Mapping[str, str]) -> bool:
    is_named_so = column.name.lower() in _OF_WHOM and column.name not in mapping
    return is_named_so and column.meaning != IGNORE


def _is_surely_gold(column: Column, mapping: Mapping[str, str]) -> bool:
    is_named_so = column.name in mapping or key_of(base_of(column.name)) in _SURELY_GOLD
    return column.meaning == "gold" and is_named_so


def _wide(name: str) -> Column:
    """Return what a column means whose name ends in “output” or the like; nothing where it does not."""
    match = _WIDE.fullmatch(name)
    named = match[1].strip() if match else ""
    word = named.lower().replace("_", " ")
    if word in _OF_GOLD:
        return Column(name, "gold")
    if word in _OF_NO_SYSTEM:
        return Column(name, "prediction")
    return Column(name, "prediction" if named else "", named)


def closest(name: str, known: Iterable[str]) -> str:
    """Return the known name that was probably meant, or nothing."""
    # Comparing takes time with the square of the length, and no known name is longer.
    if len(name) > LONGEST_MISTAKE:
        return ""
    # Imported here: only a mistake needs it.
    from difflib import get_close_matches

    return next(iter(get_close_matches(name.lower(), list(known), n=1, cutoff=0.75)), "")
