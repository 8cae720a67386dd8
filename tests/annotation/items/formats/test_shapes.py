"""Files of data sets and evaluation programs are read without a question, and what stays out is said."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from annotation.items.formats.columns import understand
from annotation.items.formats.documents import outline
from annotation.items.formats.records import Limits, PassageRecord, Source
from annotation.items.formats.registry import FORMATS, RECOGNIZED, detect, look_at
from annotation.items.formats.shapes import choices, datasets, harnesses, logs, promptfoo
from annotation.items.formats.shapes.benchmarks import ambiguity, comprehension, conversations
from annotation.items.formats.shapes.datasets import target_values
from annotation.items.formats.tables import BadCell
from tests.annotation.items.formats.conftest import Reading, read_source

DOCS = Path(__file__).parents[4] / "docs" / "formats.md"
WHO = "Who painted the ceiling?"


class Said(NamedTuple):
    """What one row comes to."""

    question: str
    id: str = ""
    golds: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    answers: dict[str, str] = {}
    dataset: str = ""
    # What each begins with: its mark, title, text and source, as far as it has them.
    passages: tuple[str, ...] = ()
    retrieved: dict[str, tuple[str, ...]] = {}


class Case(NamedTuple):
    """A file of a shape, what its rows come to, and the fields that stay out."""

    key: str
    name: str
    content: Any
    rows: list[Said]
    left_out: tuple[str, ...] = ()


def lines(*rows: Any) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def squad(*qas: dict[str, Any]) -> dict[str, Any]:
    paragraph = {"context": "A long text.", "qas": list(qas)}
    return {"version": "v2.0", "data": [{"title": "Rome", "paragraphs": [paragraph]}]}


ANSWER = {"text": "Michelangelo", "answer_start": 4}
ABOUT = ("Rome: A long text.",)
NO_DATE = {"day": "", "month": "", "year": ""}


def of_drop(number: str = "", date: dict[str, str] = NO_DATE, spans: tuple[str, ...] = ()) -> dict[str, Any]:
    return {"number": number, "date": date, "spans": list(spans)}


CASES = {
    "DROP": Case(
        "drop",
        "drop.json",
        {
            "p1": {
                "passage": "A long text.",
                "qa_pairs": [
                    {
                        "question": "How many were sold?",
                        "query_id": "d1",
                        "answer": of_drop("3"),
                        "validated_answers": [of_drop("three")],
                    },
                    {"question": WHO, "query_id": "d2", "answer": of_drop(spans=("Ann", "Bo"))},
                    {
                        "question": "When was it?",
                        "query_id": "d3",
                        "answer": of_drop(date={"day": "3", "month": "May", "year": "1508"}),
                        "how": "asked",
                    },
                ],
                "wiki_url": "x",
            }
        },
        [
            Said("How many were sold?", "d1", ("3", "three"), passages=("A long text.",)),
            Said(WHO, "d2", ("Ann, Bo",), passages=("A long text.",)),
            Said("When was it?", "d3", ("3 May 1508",), passages=("A long text.",)),
        ],
        ("qa_pairs.how", "wiki_url"),
    ),
    "BoolQ": Case(
        "yes-or-no",
        "dev.jsonl",
        lines(
            {
                "question": "is it blue and large",
                "title": "T",
                "answer": True,
                "passage": "A text.",
                "response": False,
            },
            {"question": "is it red", "title": "T", "answer": False, "passage": "A text.", "response": "no"},
        ),
        [
            Said("is it blue and large", "", ("yes",), answers={"dev": "no"}, passages=("A text.",)),
            Said("is it red", "", ("no",), answers={"dev": "no"}, passages=("A text.",)),
        ],
        ("title",),
    ),
    "StrategyQA": Case(
        "yes-or-no",
        "dev.json",
        [{"qid": "s1", "question": "Is it high?", "answer": False, "facts": ["It is low."]}],
        [Said("Is it high?", "s1", ("no",))],
        ("facts",),
    ),
    "AmbigQA": Case(
        "ambigqa",
        "dev.json",
        [
            {
                "id": "a1",
                "question": WHO,
                "annotations": [
                    {"type": "singleAnswer", "answer": ["Ann", "A."]},
                    {
                        "type": "multipleQAs",
                        "qaPairs": [
                            {"question": "x", "answer": ["Bo"]},
                            {"question": "y", "answer": ["Ann"]},
                        ],
                    },
                ],
                "nq_answer": ["Ann"],
            },
            {"id": "a2", "question": "When?", "annotations": [{"type": "singleAnswer", "answer": ["1508"]}]},
        ],
        [Said(WHO, "a1", ("Ann", "A.", "Bo"), ("multipleQAs",)), Said("When?", "a2", ("1508",))],
        ("nq_answer",),
    ),
    "ASQA": Case(
        "asqa",
        "ASQA.json",
        {
            "train": {"1": {"ambiguous_question": WHO, "annotations": [{"long_answer": "Ann, later Bo."}]}},
            "dev": {
                "2": {
                    "ambiguous_question": "When?",
                    "qa_pairs": [{"question": "When first?", "short_answers": ["1508"]}],
                    "annotations": [{"long_answer": "In 1508."}, {"long_answer": "First in 1508."}],
                }
            },
        },
        [
            Said(WHO, "1", ("Ann, later Bo.",), ("train",)),
            Said("When?", "2", ("In 1508.", "First in 1508."), ("dev",)),
        ],
        ("qa_pairs",),
    ),
    "MT-bench": Case(
        "mt-bench",
        "question.jsonl",
        lines(
            {"question_id": 81, "category": "art", "turns": [WHO, "When?"], "reference": ["Ann", "1508"]},
            {"question_id": 82, "turns": ["Where?", "Why?"]},
        ),
        [Said(WHO, "81", ("Ann",), ("art",)), Said("Where?", "82")],
        ("turns after the first",),
    ),
    "BIG-bench with choices": Case(
        "scored-choices",
        "task.json",
        {"name": "x", "examples": [{"input": WHO, "target_scores": {"Ann": 1, "Bo": 0, "A.": 1}}]},
        [Said(WHO, "", ("Ann", "A."))],
        ("name",),
    ),
    "HotpotQA’s predictions": Case(
        "hotpotqa-predictions",
        "pred.json",
        {"answer": {"h1": "Ann", "h2": ""}, "sp": {"h1": [["T", 0]]}},
        [Said("", "h1", answers={"pred": "Ann"}), Said("", "h2", answers={"pred": ""})],
        ("sp",),
    ),
    "promptfoo’s table": Case(
        "promptfoo-table",
        "out.csv",
        "question,__expected,__expected2,[a:b] Say: {{question}},[c:d] Say: {{question}}\n"
        f'{WHO},icontains: Ann,llm-rubric: is short,[PASS] Ann,"[FAIL] Expected Ann\n---\nBo"\n'
        'When?,"contains-any: 1508, 1509",,"[PASS] (1.00)\n\nIn 1508\n\nPass Reason: Good",1509\n',
        [
            Said(WHO, "", ("Ann",), answers={"a:b": "Ann"}),
            Said(WHO, "", ("Ann",), answers={"c:d": "Bo"}),
            Said("When?", "", ("1508", "1509"), answers={"a:b": "In 1508"}),
            Said("When?", "", ("1508", "1509"), answers={"c:d": "1509"}),
        ],
        ("__expected2 (llm-rubric)",),
    ),
    "SQuAD 1.1": Case(
        "squad",
        "dev.json",
        squad({"id": "s1", "question": WHO, "answers": [ANSWER, {**ANSWER, "text": "Buonarroti"}, ANSWER]}),
        [Said(WHO, "s1", ("Michelangelo", "Buonarroti"), passages=ABOUT)],
        ("answers.answer_start", "version"),
    ),
    "SQuAD 2.0": Case(
        "squad",
        "dev.json",
        squad(
            {"id": "s1", "question": WHO, "answers": [ANSWER], "is_impossible": False},
            {
                "id": "s2",
                "question": "Who painted the roof?",
                "answers": [],
                "is_impossible": True,
                "plausible_answers": [ANSWER],
            },
        ),
        [
            Said(WHO, "s1", ("Michelangelo",), passages=ABOUT),
            Said("Who painted the roof?", "s2", tags=("unanswerable",), passages=ABOUT),
        ],
        ("answers.answer_start", "plausible_answers", "version"),
    ),
    "SQuAD on the Hub": Case(
        "squad-rows",
        "train.jsonl",
        lines(
            {
                "id": "s1",
                "title": "Rome",
                "context": "A long text.",
                "question": WHO,
                "answers": {"text": ["Michelangelo", "Buonarroti"], "answer_start": [4, 4]},
            },
            {"id": "s2", "question": "Who?", "context": "", "answers": {"text": [], "answer_start": []}},
        ),
        [
            Said(WHO, "s1", ("Michelangelo", "Buonarroti"), passages=ABOUT),
            Said("Who?", "s2", tags=("unanswerable",)),
        ],
        ("answers.answer_start",),
    ),
    "SQuAD predictions": Case(
        "squad-predictions",
        "gpt.json",
        {"s1": "Michelangelo", "s2": ""},
        [Said("", "s1", answers={"gpt": "Michelangelo"}), Said("", "s2", answers={"gpt": ""})],
    ),
    "TriviaQA": Case(
        "triviaqa",
        "dev.json",
        {
            "Data": [
                {
                    "Answer": {"Value": "Michelangelo", "Aliases": ["Buonarroti"], "Type": "WikipediaEntity"},
                    "Question": WHO,
                    "QuestionId": "t1",
                    "SearchResults": [],
                },
                {"Question": "Who?", "QuestionId": "t2"},
            ],
            "Domain": "web",
        },
        [Said(WHO, "t1", ("Michelangelo", "Buonarroti")), Said("Who?", "t2")],
        ("Answer.Type", "Domain"),
    ),
    "TriviaQA on the Hub": Case(
        "triviaqa-rows",
        "dev.jsonl",
        lines(
            {
                "question": WHO,
                "question_id": "t1",
                "entity_pages": {"title": []},
                "answer": {
                    "value": "Michelangelo",
                    "aliases": ["Buonarroti"],
                    "normalized_value": "michelangelo",
                    "normalized_aliases": ["buonarroti"],
                },
            }
        ),
        [Said(WHO, "t1", ("Michelangelo", "Buonarroti"))],
        ("entity_pages", "answer.normalized_aliases", "answer.normalized_value"),
    ),
    "PopQA": Case(
        "popqa",
        "test.tsv",
        "id\tsubj\tprop\tobj\tquestion\tpossible_answers\n"
        '7\tCeiling\tpainter\tMichelangelo\tWho painted it?\t"[""Michelangelo"", ""M. Buonarroti""]"\n',
        [Said("Who painted it?", "7", ("Michelangelo", "M. Buonarroti"), ("painter",))],
        ("subj", "obj"),
    ),
    "WebQuestions": Case(
        "webquestions",
        "test.json",
        [
            {
                "url": "http://www.example.org/",
                "utterance": WHO,
                "targetValue": '(list (description "Michel \\"M\\" Angelo") (description Buonarroti))',
            }
        ],
        [Said(WHO, golds=('Michel "M" Angelo', "Buonarroti"))],
        ("url",),
    ),
    "WebQuestions on the Hub": Case(
        "webquestions-rows",
        "test.jsonl",
        lines({"url": "http://www.example.org/", "question": WHO, "answers": ["Michelangelo"]}),
        [Said(WHO, golds=("Michelangelo",))],
        ("url",),
    ),
    "MS MARCO by columns": Case(
        "msmarco",
        "dev.json",
        {
            "answers": {"4": ["Michelangelo"], "9": ["No Answer Present."]},
            "passages": {
                "4": [
                    {"is_selected": 0, "passage_text": "A long text.", "url": "http://a.example"},
                    {"is_selected": 1, "passage_text": "He did.", "url": "http://b.example"},
                ],
                "9": [],
            },
            "query": {"4": WHO, "9": "who painted the roof"},
            "query_id": {"4": 40, "9": 90},
            "query_type": {"4": "PERSON", "9": "PERSON"},
            "wellFormedAnswers": {"4": "[]", "9": "[]"},
        },
        [
            Said(
                WHO,
                "40",
                ("Michelangelo",),
                ("PERSON",),
                passages=("-A long text. (http://a.example)", "+He did. (http://b.example)"),
            ),
            Said("who painted the roof", "90", tags=("PERSON", "unanswerable")),
        ],
        ("wellFormedAnswers",),
    ),
    "MS MARCO on the Hub": Case(
        "msmarco",
        "dev.jsonl",
        lines(
            {
                "query": WHO,
                "query_id": 40,
                "query_type": "PERSON",
                "answers": ["Michelangelo"],
                "passages": {"is_selected": [1, 0], "passage_text": ["He did.", "No."], "url": ["a", "b"]},
            }
        ),
        [Said(WHO, "40", ("Michelangelo",), ("PERSON",), passages=("+He did. (a)", "-No. (b)"))],
    ),
    "MS MARCO by rows": Case(
        "msmarco",
        "dev.jsonl",
        lines({"query": WHO, "query_id": 40, "query_type": "PERSON", "answers": ["Michelangelo"]}),
        [Said(WHO, "40", ("Michelangelo",), ("PERSON",))],
    ),
    "MS MARCO, rows in an object": Case(
        "msmarco",
        "dev.json",
        {"data": [{"query": WHO, "query_id": 40, "query_type": "PERSON", "answers": ["Michelangelo"]}]},
        [Said(WHO, "40", ("Michelangelo",), ("PERSON",))],
    ),
    "MS MARCO, one row": Case(
        "msmarco",
        "dev.json",
        lines({"query": WHO, "query_id": 40, "query_type": "PERSON", "answers": ["Michelangelo"]}),
        [Said(WHO, "40", ("Michelangelo",), ("PERSON",))],
    ),
    "DPR questions": Case(
        "dpr-questions",
        "nq-test.qa.csv",
        'who painted it\t[\'Michelangelo\', "D\'Angelo"]\nwho sang\t"[\'""Weird"" Al\']"\n',
        [Said("who painted it", golds=("Michelangelo", "D'Angelo")), Said("who sang", golds=('"Weird" Al',))],
    ),
    "DPR questions behind blank lines": Case(
        "dpr-questions",
        "nq-test.qa.csv",
        "\n\nwho painted it\t['Michelangelo']\n",
        [Said("who painted it", golds=("Michelangelo",))],
    ),
    "DPR retriever": Case(
        "retrieved",
        "nq-dev.json",
        [
            {
                "dataset": "nq",
                "question": WHO,
                "answers": ["Michelangelo"],
                "positive_ctxs": [{"title": "Rome", "text": "x", "score": 1000, "passage_id": "7"}],
                "hard_negative_ctxs": [{"text": "y"}],
            }
        ],
        [Said(WHO, golds=("Michelangelo",), dataset="nq", passages=("+Rome: x (7)",))],
        ("hard_negative_ctxs",),
    ),
    "FiD with a system's answers": Case(
        "retrieved",
        "fid.json",
        [
            {
                "id": "0",
                "question": WHO,
                "target": "Michelangelo",
                "answers": ["Buonarroti", "Michelangelo"],
                "ctxs": [{"title": "Rome", "text": "x", "score": "81.2"}],
                "prediction": "Raphael",
            }
        ],
        [
            Said(
                WHO,
                "0",
                ("Buonarroti", "Michelangelo"),
                answers={"fid": "Raphael"},
                retrieved={"fid": ("Rome: x 1@81.2",)},
            )
        ],
    ),
    "FiD before a system answers": Case(
        "retrieved",
        "fid.json",
        [{"id": "0", "question": WHO, "answers": ["M."], "ctxs": [{"title": "Rome"}, {"text": "x"}]}],
        [Said(WHO, "0", ("M.",), passages=("Rome: ", "x"))],
    ),
    "KILT": Case(
        "kilt",
        "nq-dev.jsonl",
        lines(
            {
                "id": "k1",
                "input": WHO,
                "output": [
                    {"answer": "Michelangelo", "provenance": [{"wikipedia_id": "1", "title": "Rome"}]},
                    {"answer": "Buonarroti"},
                    {"provenance": [{"wikipedia_id": "2"}]},
                ],
                "meta": {},
            }
        ),
        [
            Said(
                WHO,
                "k1",
                ("Michelangelo", "Buonarroti"),
                passages=("+Rome:  (wikipedia:1)", "+ (wikipedia:2)"),
            )
        ],
    ),
    "KILT predictions": Case(
        "kilt",
        "bart.jsonl",
        lines({"id": "k1", "output": [{"answer": "Raphael", "provenance": [{"wikipedia_id": "3"}]}]}),
        [Said("", "k1", answers={"bart": "Raphael"}, retrieved={"bart": (" (wikipedia:3) 1",)})],
    ),
    "Ragas": Case(
        "ragas",
        "run.jsonl",
        lines(
            {
                "user_input": WHO,
                "retrieved_contexts": ["A text."],
                "reference_contexts": ["His life."],
                "response": "It was Michelangelo.",
                "reference": "Michelangelo | the sculptor",
            }
        ),
        [
            Said(
                WHO,
                golds=("Michelangelo | the sculptor",),
                answers={"run": "It was Michelangelo."},
                passages=("His life.",),
                retrieved={"run": ("A text. 1",)},
            )
        ],
    ),
    "Haystack": Case(
        "haystack",
        "reader.jsonl",
        lines(
            {
                "query": WHO,
                "answers": [
                    {"answer": None, "score": 0.9, "context": None},
                    {"answer": "Raphael", "score": 0.5, "context": "A text.", "document_id": "d"},
                ],
            }
        ),
        [
            Said(
                WHO,
                answers={"reader": "Raphael"},
                retrieved={"reader": ("A text. (d) 1@0.5",)},
            )
        ],
    ),
    "RAG, one question per row": Case(
        "rag-rows",
        "run.csv",
        f"question,contexts,answer,ground_truths\n{WHO},\"['A', 'B']\",Raphael,\"['Michelangelo', 'M.']\"\n",
        [
            Said(
                WHO,
                golds=("Michelangelo", "M."),
                answers={"run": "Raphael"},
                retrieved={"run": ("A 1", "B 2")},
            )
        ],
    ),
    "Langfuse": Case(
        "langfuse",
        "items.jsonl",
        lines(
            {
                "id": "i1",
                "input": {"question": WHO, "topic": "art", "context": "A text."},
                "expectedOutput": {"answer": "Michelangelo"},
                "metadata": {"source": "x"},
            },
            {"id": "i2", "input": "Who?", "expectedOutput": "Nobody", "metadata": None},
        ),
        [Said(WHO, "i1", ("Michelangelo",), passages=("A text.",)), Said("Who?", "i2", ("Nobody",))],
        ("metadata", "input.topic"),
    ),
    "Inspect": Case(
        "inspect-log",
        "log.json",
        {
            "version": 2,
            "eval": {"task": "qa", "model": "lab/model-1"},
            "samples": [
                {
                    "id": 1,
                    "epoch": epoch,
                    "input": question,
                    "target": target,
                    "messages": [{"role": "user", "content": "x"}],
                    "output": {"model": "model-1", "choices": [{"message": {"content": said}}]},
                    "scores": {"match": {"value": "C"}},
                }
                for epoch, question, target, said in [
                    (1, WHO, ["Michelangelo", "M."], "Raphael"),
                    (2, [{"role": "user", "content": WHO}], "M.", [{"type": "text", "text": "Michelangelo"}]),
                ]
            ],
        },
        [
            Said(WHO, "1", ("Michelangelo", "M."), answers={"lab/model-1": "Raphael"}),
            Said(WHO, "1", ("M.",), answers={"lab/model-1 (epoch 2)": "Michelangelo"}),
        ],
        ("scores", "version", "eval", "messages"),
    ),
    "lm-evaluation-harness": Case(
        "lm-eval-samples",
        "model-1.jsonl",
        lines(
            {
                "doc_id": 0,
                "doc": {"question": WHO, "answer": {"value": "Michelangelo"}, "passage": "A text."},
                "target": ["Michelangelo", "M."],
                "resps": [[" Raphael\n"]],
                "filtered_resps": ["Raphael"],
                "exact_match": 0.0,
            }
        ),
        [
            Said(WHO, golds=("Michelangelo", "M."), answers={"model-1": "Raphael"}, passages=("A text.",)),
        ],
        ("doc_id", "exact_match", "doc.answer"),
    ),
    "BioASQ": Case(
        "bioasq",
        "training.json",
        {
            "questions": [
                {
                    "id": "b1",
                    "body": WHO,
                    "type": "factoid",
                    "exact_answer": [["Michelangelo", "M."]],
                    "ideal_answer": ["It was painted by Michelangelo."],
                    "snippets": [{"text": "A text.", "document": "doc/1", "beginSection": "abstract"}],
                },
                {"id": "b2", "body": "Which two?", "type": "list", "exact_answer": [["a", "A"], ["b"]]},
                {"id": "b3", "body": "Tell me of it.", "type": "summary", "ideal_answer": ["Long."]},
            ]
        },
        [
            Said(WHO, "b1", ("Michelangelo", "M."), ("factoid",), passages=("A text. (doc/1)",)),
            Said("Which two?", "b2", ("a", "A", "b"), ("list",)),
            Said("Tell me of it.", "b3", ("Long.",), ("summary",)),
        ],
        ("snippets.beginSection",),
    ),
    "DeepEval": Case(
        "deepeval",
        "run-1.json",
        {
            "testCases": [
                {
                    "name": "test_case_0",
                    "input": WHO,
                    "actualOutput": "Raphael",
                    "expectedOutput": "Michelangelo",
                    "context": ["Given."],
                    "retrievalContext": ["Found."],
                    "success": False,
                    "metricsData": [{"name": "Correctness", "score": 0.1}],
                }
            ],
            "conversationalTestCases": [],
            "metricsScores": [{"metric": "Correctness", "scores": [0.1]}],
        },
        [
            Said(
                WHO,
                golds=("Michelangelo",),
                answers={"run-1": "Raphael"},
                passages=("Given.",),
                retrieved={"run-1": ("Found. 1",)},
            )
        ],
        ("name", "success", "metricsData", "conversationalTestCases", "metricsScores"),
    ),
    "DeepEval goldens": Case(
        "deepeval",
        "goldens.json",
        [{"input": WHO, "actual_output": None, "expected_output": "Michelangelo", "source_file": "a.txt"}],
        [Said(WHO, golds=("Michelangelo",))],
        ("source_file",),
    ),
    "promptfoo": Case(
        "promptfoo",
        "output.json",
        {
            "evalId": "eval-1",
            "results": {
                "version": 3,
                "prompts": [
                    {"raw": "A {{question}}", "label": "A", "provider": "lab:small"},
                    {"raw": "B {{question}}", "label": "B", "provider": "lab:small"},
                    {"raw": "A {{question}}", "label": "A", "provider": "lab:large"},
                ],
                "results": [
                    {
                        "promptIdx": number,
                        "provider": {"id": provider, "label": ""},
                        "prompt": {"raw": f"A {WHO}", "label": "A"},
                        "vars": variables,
                        "testCase": {
                            "vars": variables,
                            "assert": [
                                {"type": "icontains", "value": "Michelangelo"},
                                {"type": "not-contains", "value": "Raphael"},
                                {"type": "equals", "value": "{{reference}}"},
                                {"type": "llm-rubric", "value": "is polite"},
                            ],
                        },
                        "response": {"output": output, "cached": False},
                        "score": 0,
                    }
                    for number, provider, variables, output in [
                        (0, "lab:small", {"question": WHO, "reference": "M."}, "Raphael"),
                        (1, "lab:small", {"topic": WHO}, "Donatello"),
                        (2, "lab:large", {"a": "x", "b": "y"}, {"said": "Michelangelo"}),
                    ]
                ],
            },
            "config": {"description": "x"},
        },
        [
            Said(WHO, golds=("M.",), answers={"lab:small (prompt 1)": "Raphael"}),
            Said(WHO, golds=("Michelangelo",), answers={"lab:small (prompt 2)": "Donatello"}),
            Said(f"A {WHO}", golds=("Michelangelo",), answers={"lab:large": '{"said": "Michelangelo"}'}),
        ],
        ("score", "response.cached", "evalId", "version", "prompts", "config"),
    ),
    "HELM": Case(
        "helm",
        "scenario_state.json",
        {
            "adapter_spec": {"model": "lab/model-1"},
            "request_states": [
                {
                    "instance": {
                        "input": {"text": question},
                        "references": [
                            {"output": {"text": "Michelangelo"}, "tags": ["correct"]},
                            {"output": {"text": "Raphael"}, "tags": []},
                        ],
                        "id": "id7",
                        **changed,
                    },
                    "train_trial_index": trial,
                    "output_mapping": mapping,
                    "request": {"model": "lab/model-1", "prompt": "Question: …"},
                    "result": {"completions": [{"text": said}, {"text": "more"}], "cached": True},
                }
                for question, changed, trial, mapping, said in [
                    (WHO, {}, 0, None, " Raphael"),
                    (WHO, {}, 1, {"A": "Michelangelo", "B": "Raphael"}, " A"),
                    ("who painted?", {"perturbation": {"name": "lower"}}, 0, None, "M."),
                ]
            ],
        },
        [
            Said(WHO, "id7", ("Michelangelo",), answers={"lab/model-1": " Raphael"}),
            Said(WHO, "id7", ("Michelangelo",), answers={"lab/model-1 (trial 2)": "Michelangelo"}),
            Said("who painted?", golds=("Michelangelo",), answers={"lab/model-1": "M."}),
        ],
        ("request.prompt", "result.cached", "adapter_spec"),
    ),
    "OpenAI Evals": Case(
        "openai-evals",
        "230101_model.jsonl",
        lines(
            {"spec": {"completion_fns": ["model-1"], "eval_name": "qa.dev.v0"}},
            {
                "run_id": "r",
                "event_id": 0,
                "sample_id": "qa.dev.1",
                "type": "sampling",
                "data": {
                    "prompt": [{"role": "system", "content": "x"}, {"role": "user", "content": WHO}],
                    "sampled": ["Raphael"],
                },
            },
            {
                "run_id": "r",
                "event_id": 1,
                "sample_id": "qa.dev.2",
                "type": "raw_sample",
                "data": {"input": [{"role": "user", "content": "Who?"}], "ideal": ["Nobody", "No one"]},
            },
            {
                "run_id": "r",
                "event_id": 2,
                "sample_id": "qa.dev.1",
                "type": "match",
                "data": {"correct": False, "expected": "Michelangelo", "picked": [], "sampled": "Raphael"},
            },
            {
                "run_id": "r",
                "event_id": 3,
                "sample_id": "qa.dev.2",
                "type": "sampling",
                "data": {"prompt": "Who?", "sampled": "Somebody"},
            },
            {
                "run_id": "r",
                "event_id": 4,
                "sample_id": "qa.dev.2",
                "type": "sampling",
                "data": {"prompt": "Is “Somebody” right?", "sampled": "No"},
            },
            {"final_report": {"accuracy": 0.0}},
        ),
        [
            Said(WHO, golds=("Michelangelo",), answers={"model-1": "Raphael"}),
            Said("Who?", golds=("Nobody", "No one"), answers={"model-1": "Somebody"}),
        ],
        ("final_report",),
    ),
    "Batch of OpenAI": Case(
        "batch-output",
        "model-1.jsonl",
        lines(
            {
                "id": "batch_req_1",
                "custom_id": "i1",
                "response": {
                    "status_code": 200,
                    "request_id": "x",
                    "body": {"choices": [{"message": {"role": "assistant", "content": "Raphael"}}]},
                },
                "error": None,
            },
            {
                "id": "batch_req_2",
                "custom_id": "i2",
                "response": {
                    "body": {
                        "output": [{"type": "message", "content": [{"type": "output_text", "text": "M."}]}]
                    }
                },
            },
            {"id": "batch_req_3", "custom_id": "i3", "response": None, "error": {"code": "expired"}},
        ),
        [
            Said("", "i1", answers={"model-1": "Raphael"}),
            Said("", "i2", answers={"model-1": "M."}),
            Said("", "i3"),
        ],
        ("error",),
    ),
    "Batch of Anthropic": Case(
        "batch-output",
        "model-2.jsonl",
        lines(
            {
                "custom_id": "i1",
                "result": {
                    "type": "succeeded",
                    "message": {"content": [{"type": "text", "text": "Raphael"}]},
                },
            },
            {"custom_id": "i2", "result": {"type": "errored", "error": {"type": "overloaded"}}},
        ),
        [Said("", "i1", answers={"model-2": "Raphael"}), Said("", "i2")],
        ("result.error",),
    ),
    "CuratedTREC": Case(
        "trec-patterns",
        "curatedtrec.tsv",
        f"T8\t{WHO}\tM(ichel)?angelo\nT9\tfactoid\tWho?\tNobody\n",
        [
            Said(WHO, "T8", golds=("M(ichel)?angelo",)),
            Said("Who?", "T9", golds=("Nobody",), tags=("factoid",)),
        ],
    ),
    "TREC patterns": Case(
        "trec-patterns",
        "patterns.txt",
        "1395 M(ichel)?angelo\n1396\tRome\n",
        [Said("", "1395", ("M(ichel)?angelo",)), Said("", "1396", ("Rome",))],
    ),
    "a column a model": Case(
        "generic",
        "wide.csv",
        f"Frage;Gold;Model-4 output;llama_response\n{WHO};Michelangelo;M.;Raphael\n",
        [Said(WHO, golds=("Michelangelo",), answers={"Model-4": "M.", "llama": "Raphael"})],
    ),
    "row numbers of pandas": Case(
        "generic",
        "frame.csv",
        f",question,answer\n0,{WHO},Michelangelo\n1,Who?,M.\n",
        [Said(WHO, golds=("Michelangelo",)), Said("Who?", golds=("M.",))],
        ("Unnamed: 0",),
    ),
    "rows within an object": Case(
        "generic",
        "rows.json",
        {"version": 3, "result": {"rows": [{"question": WHO, "answer": "Michelangelo"}]}},
        [Said(WHO, golds=("Michelangelo",))],
        ("version",),
    ),
    "rows by id": Case(
        "generic",
        "rows.json",
        {"r1": {"question": WHO, "answer": "Michelangelo"}, "r2": {"question": "Who?", "answer": "M."}},
        [Said(WHO, "r1", ("Michelangelo",)), Said("Who?", "r2", ("M.",))],
    ),
    "columns of pandas": Case(
        "generic",
        "frame.json",
        {"question": {"0": WHO, "1": "Who?"}, "answer": {"0": ["Michelangelo"], "1": None}},
        [Said(WHO, golds=("Michelangelo",)), Said("Who?")],
    ),
}


def written(folder: Path, case: Case) -> Source:
    path = folder / case.name
    text = case.content if isinstance(case.content, str) else json.dumps(case.content)
    path.write_text(text, encoding="utf-8")
    return Source(case.name, path)


def said(reading: Reading) -> list[Said]:
    return [
        Said(
            record.question.text,
            record.question.external_id,
            tuple(gold.text for gold in record.question.golds),
            record.question.tags,
            {each.system: each.text for each in record.predictions},
            record.question.dataset,
            tuple(map(beginning, record.passages)),
            {each.system: tuple(map(ranked, each.passages)) for each in record.retrieved},
        )
        for record in reading.records
    ]


def beginning(passage: PassageRecord) -> str:
    mark = {True: "+", False: "-", None: ""}[passage.is_gold]
    title = f"{passage.title}: " if passage.title else ""
    source = f" ({passage.source})" if passage.source else ""
    return f"{mark}{title}{passage.text}{source}"


def ranked(passage: PassageRecord) -> str:
    score = "" if passage.score is None else f"@{passage.score:g}"
    return f"{beginning(passage)} {passage.rank}{score}"


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
class TestEachShape:
    def test_is_recognized_and_read_without_a_question(self, tmp_path: Path, case: Case) -> None:
        source = written(tmp_path, case)
        assert detect(source).key == case.key
        reading = read_source(source, case.key)
        assert (reading.errors, said(reading)) == ([], case.rows)

    def test_names_what_it_leaves_out(self, tmp_path: Path, case: Case) -> None:
        warnings = read_source(written(tmp_path, case), case.key).warnings
        told = [warning.message for warning in warnings if warning.code == "left_out_fields"]
        named = told[0].split(": ", 1)[1].split(". ")[0].split(", ") if told else []
        assert sorted(named) == sorted(f"“{name}”" for name in case.left_out)

    def test_reads_alike_over_several_lines(self, tmp_path: Path, case: Case) -> None:
        if isinstance(case.content, str):
            pytest.skip("not a JSON document")
        spread = case._replace(content=json.dumps(case.content, indent=2))
        source = written(tmp_path, spread)
        assert detect(source).key == case.key
        assert said(read_source(source, case.key)) == case.rows

    def test_what_is_cut_off_is_an_error_with_its_place(self, tmp_path: Path, case: Case) -> None:
        text = case.content if isinstance(case.content, str) else json.dumps(case.content)
        cut = case._replace(content=text[: len(text) // 2])
        reading = read_source(written(tmp_path, cut), case.key)
        if text.startswith(("{", "[")):
            assert reading.errors
        assert all(error.line and error.file == case.name for error in reading.errors)


class TestLongDocuments:
    """What is recognized by its beginning is recognized wherever the beginning is cut off."""

    DOCUMENTS = {
        "squad": squad(*({"id": f"s{n}", "question": f"q{n}?", "answers": [ANSWER]} for n in range(90))),
        "squad-predictions": {f"s{n}": f"answer {n}" for n in range(300)},
        "triviaqa": {"Data": [{"Question": f"q{n}", "QuestionId": f"t{n}"} for n in range(90)]},
        "msmarco": {
            name: {str(n): value for n in range(90)}
            for name, value in {
                "answers": ["Michelangelo"],
                "passages": [{"passage_text": "A long text."}],
                "query": WHO,
                "query_id": 3,
                "query_type": "PERSON",
                "wellFormedAnswers": "[]",
            }.items()
        },
        "generic": {"version": 1, "rows": [{"question": f"q{n}"} for n in range(200)]},
    }

    @pytest.mark.parametrize("key", DOCUMENTS)
    def test_each_is_recognized(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
        source = written(tmp_path, Case(key, "x.json", self.DOCUMENTS[key], []))
        for size in range(1_000, 1_040):
            monkeypatch.setattr(outline, "LOOKED_AT_BYTES", size)
            assert detect(source).key == key, size
        assert len(read_source(source, key).records) >= 90


class TestHostileDocuments:
    """A document is refused with the line and the cause, and nothing of its rest is guessed."""

    @pytest.mark.parametrize(
        ("content", "line", "code"),
        [
            ('{"data": [{"paragraphs": [{"qas": [\n{"question": "a"},\n"b"]}]}]}', 3, "not_an_object"),
            ('{"data": [{"paragraphs": [{"qas": [\n{"question": ' + "[" * 50_000, 2, "too_deep"),
            ('{"data": [{"paragraphs": [{"qas": [\n{"question": ' + "9" * 5_000 + "}]}]}]}", 2, "not_json"),
            ('{"data": [{"paragraphs": [{"qas": [\n{"question": NaN}]}]}]}', 2, "not_json"),
            ('{"data": [{"paragraphs": [{"qas": [\n{"question": "\\ud800"}]}]}]}', 2, "half_character"),
            ('{"data": [{"paragraphs": [{"qas": [\n{"question": "\\u0000"}]}]}]}', 2, "nul_character"),
            ('{"data": [{"paragraphs": [{"qas": [{"question": "a"}]}]}]}\nmore', 2, "not_json"),
            ('{"data": [{"paragraphs": [{"qas": [{"question": "a"}],\n"qas": []}]}]}', 2, "repeated_key"),
            ('{"data": [{"paragraphs": [{"qas": 7}]}]}', 1, "unexpected_shape"),
            ('{"data": [{"paragraphs": [{"qas": [{"question": "a"} {}]}]}]}', 1, "not_json"),
            (
                '{"data": [{"paragraphs": [{"qas": [{"question": "a", "answers": [7]}]}]}]}',
                1,
                "not_an_object",
            ),
            ('{"data": [{"paragraphs": [{"qas": [{"question": "a", "answers": {}}]}]}]}', 1, "not_a_list"),
            ('{"data": [{"paragraphs": [{"qas": [{"question": ["a"]}]}]}]}', 1, "not_text"),
            ('{"data": [{"paragraphs": [{"qas": [{"answers": []}]}]}]}', 1, "missing_question"),
        ],
    )
    def test_it_names_both(self, tmp_path: Path, content: str, line: int, code: str) -> None:
        source = written(tmp_path, Case("squad", "dev.json", content, []))
        error = read_source(source, "squad").errors[0]
        assert (error.line, error.code) == (line, code)

    def test_what_is_passed_by_may_be_longer_than_a_row_may(self, tmp_path: Path) -> None:
        log = CASES["Inspect"].content
        long = {**log, "samples": [{**each, "messages": ["x" * 900] * 9} for each in log["samples"]]}
        source = written(tmp_path, Case("inspect-log", "log.json", long, []))
        reading = read_source(Source(source.name, source.path, Limits(max_line_bytes=1_000)), "inspect-log")
        assert (reading.errors, len(reading.records)) == ([], 2)

    def test_too_many_rows_end_the_reading(self, tmp_path: Path) -> None:
        content = squad(*({"id": str(number), "question": f"q{number}"} for number in range(5)))
        source = written(tmp_path, Case("squad", "dev.json", content, []))
        reading = read_source(Source(source.name, source.path, Limits(max_rows=3)), "squad")
        assert (reading.codes, len(reading.records)) == (["too_many_rows"], 3)

    @pytest.mark.parametrize("key", sorted({case.key for case in CASES.values()} - {"generic"}))
    @pytest.mark.parametrize(
        "content",
        [
            *("{}", "[]", "[[]]", '{"data": {}}', '{"data": [[]]}', '[{"input": [], "output": [[]]}]', "7"),
            '{"Data": [{"Answer": [], "Question": {}}]}',
            '[{"question": {"a": [[]]}, "answers": {"text": 7}, "answer": [], "target": {}, "doc": 3}]',
            '{"eval": 3, "samples": [{"input": {}, "target": {}, "output": {"choices": [7]}, "epoch": "x"}]}',
            '{"a": {"1": 3}, "b": [1, 2]}',
        ],
    )
    def test_whatever_stands_where_something_else_was_meant_is_refused_or_read(
        self, tmp_path: Path, key: str, content: str
    ) -> None:
        source = written(tmp_path, Case(key, "x.json", content, []))
        detect(source)
        for error in read_source(source, key).errors:
            assert error.message.endswith((".", "?", ".”"))


class TestRowsInAnObject:
    TWO = '{"train": {"rows": [{"question": "a"}]}, "test": {"rows": [{"question": "b"}]}}'

    def test_of_several_lists_somebody_must_say_which_has_the_rows(self, tmp_path: Path) -> None:
        source = written(tmp_path, Case("generic", "x.json", self.TWO, []))
        assert read_source(source).codes == ["several_lists"]
        assert [each.question for each in said(read_source(source, rows_at="test.rows"))] == ["b"]

    @pytest.mark.parametrize(("place", "code"), [("test.lines", None), ("test", "unexpected_shape")])
    def test_a_place_without_rows_gives_none(self, tmp_path: Path, place: str, code: str | None) -> None:
        source = written(tmp_path, Case("generic", "x.json", self.TWO, []))
        reading = read_source(source, rows_at=place)
        assert (reading.codes, reading.records) == ([code] if code else [], [])

    def test_lists_named_as_columns_may_be_meant_too(self, tmp_path: Path) -> None:
        content = '{"questions": [{"qid": "1", "query": "a"}], "answers": [{"qid": "1", "answer": "x"}]}'
        source = written(tmp_path, Case("generic", "x.json", content, []))
        assert read_source(source).codes == ["several_lists"]
        assert [each.id for each in said(read_source(source, rows_at="answers"))] == ["1"]

    def test_one_object_alone_is_a_row(self, tmp_path: Path) -> None:
        row = {"question": "a", "metadata": {"parts": [{"x": 1}]}}
        source = written(tmp_path, Case("generic", "x.json", json.dumps(row, indent=1), []))
        assert [each.question for each in said(read_source(source))] == ["a"]


class TestWideColumns:
    @pytest.mark.parametrize(
        ("name", "meaning", "system"),
        [
            ("GPT-4 output", "prediction", "GPT-4"),
            ("gpt4_response", "prediction", "gpt4"),
            ("Model output", "prediction", ""),
            ("expected output", "gold", ""),
            ("correct_response", "gold", ""),
            ("output", "prediction", ""),
            ("output_tokens", "ignore", ""),
            ("num_outputs", "", ""),
        ],
    )
    def test_a_name_says_whose_answers_it_holds(self, name: str, meaning: str, system: str) -> None:
        (column,) = understand([name], {})
        assert (column.meaning, column.system) == (meaning, system)


class TestTargetValues:
    @pytest.mark.parametrize(
        ("text", "values"),
        [
            ("(list)", []),
            ("(list (description One))", ["One"]),
            ('(list (description "One two") (number 3))', ["One two", "3"]),
            ('(list (description "(a) \\"b\\""))', ['(a) "b"']),
        ],
    )
    def test_it_reads(self, text: str, values: list[str]) -> None:
        assert target_values(text) == values

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "(list",
            "(list (description))",
            "(list description)",
            "(or (description a))",
            "x",
            7,
            None,
            "(" * 99,
        ],
    )
    def test_it_refuses_anything_else(self, text: Any) -> None:
        with pytest.raises(BadCell, match="list of descriptions"):
            target_values(text)


READ_AS_SHAPES = (
    *(datasets.FORMATS, harnesses.FORMATS, logs.FORMATS, comprehension.FORMATS, ambiguity.FORMATS),
    *(conversations.FORMATS, promptfoo.FORMATS, choices.FORMATS[1:]),
)


class TestTable:
    def test_every_shape_has_a_test_file(self) -> None:
        shapes = {shape.key for shapes in READ_AS_SHAPES for shape in shapes}
        assert shapes == {case.key for case in CASES.values()} - {"generic", "trec-patterns"}

    def test_no_two_formats_recognize_one_file(self, tmp_path: Path) -> None:
        for name, case in CASES.items():
            look = look_at(written(tmp_path, case))
            assert len([each for each in RECOGNIZED if each.recognizes(look)]) <= 1, name

    def test_the_documentation_lists_what_is_recognized_by_what(self) -> None:
        text = DOCS.read_text("utf-8")
        for each in FORMATS.values():
            assert f"| `{each.key}` | {each.recognized_by} |" in text, each.key
