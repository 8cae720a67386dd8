"""Files that teams have and that asked for more than one choice, or came in wrong, before the reader was mended."""

# ruff: noqa: E501 - files are easier to read as they are

import json
import pickle

from tests.annotation.items.formats.unprepared.shape_files import Meaning, ShapeFile, json_bytes, lines_of

_WHO = "who discovered radium"
_WHERE = "what is the capital of peru"
_GOLDS = ["Marie Curie", "Curie"]


def _of(system: str) -> list[Meaning]:
    return [(_WHO, ["Marie Curie"], {system: "Curie"}), (_WHERE, ["Lima"], {system: "Cuzco"})]


_ROWS = [(_WHO, "Marie Curie", "Curie"), (_WHERE, "Lima", "Cuzco")]

FILES = [
    ShapeFile(
        "nested_run.json",
        json_bytes(
            {
                "meta": {"author": "us"},
                "run": {
                    "model": "ours",
                    "results": [{"qid": "1", "q": _WHO, "gold": _GOLDS, "pred": "Curie", "latency_ms": 9}],
                },
                "summary": {"em": 0.5},
            }
        ),
        [(_WHO, _GOLDS, {"nested_run": "Curie"})],
    ),
    # Questions of searches have no mark, and no header need be above them.
    ShapeFile(
        "queries.tsv",
        "".join(f"{n}\t{q}\t{gold}\t{said}\n" for n, (q, gold, said) in enumerate(_ROWS)).encode(),
        [(_WHO, ["Marie Curie"], {"queries": "Curie"}), (_WHERE, ["Lima"], {"queries": "Cuzco"})],
        {"column 3": "gold", "column 4": "prediction"},
    ),
    ShapeFile(
        "input_output_expected.jsonl",
        lines_of(
            *(
                {"input": q, "output": said, "expected": gold, "scores": {"Factuality": 0.6}}
                for q, gold, said in _ROWS
            )
        ),
        _of("input_output_expected"),
    ),
    ShapeFile(
        "excel_german.csv",
        "\ufeffNr.;Frage;Musterantwort;Antwort ChatGPT;Antwort von Gemini;Kommentar\r\n1;Wer entdeckte Radium?;Marie Curie;Curie;Hahn;\r\n".encode(),
        [("Wer entdeckte Radium?", ["Marie Curie"], {"ChatGPT": "Curie", "Gemini": "Hahn"})],
    ),
    # Fields of objects as columns, and objects as text in cells.
    ShapeFile(
        "experiment.csv",
        f"id,inputs.question,outputs.answer,reference_outputs.answer,feedback.correctness,error\nr1,{_WHO},Curie,Marie Curie,1,\n".encode(),
        [(_WHO, ["Marie Curie"], {"experiment": "Curie"})],
    ),
    ShapeFile(
        "evaluation.json",
        json_bytes(
            {
                "rows": [
                    {
                        "inputs.query": _WHO,
                        "inputs.response": "Curie",
                        "inputs.ground_truth": "Marie Curie",
                        "outputs.f1_score.f1_score": 0.5,
                    }
                ],
                "metrics": {"f1_score.f1_score": 0.5},
            }
        ),
        [(_WHO, ["Marie Curie"], {"evaluation": "Curie"})],
    ),
    ShapeFile(
        "langsmith.csv",
        (
            "id,inputs,outputs\n"
            + "".join(
                ",".join(
                    [
                        '"' + cell.replace('"', '""') + '"'
                        for cell in (str(n), json.dumps({"question": q}), json.dumps({"answer": gold}))
                    ]
                )
                + "\n"
                for n, (q, gold, _) in enumerate(_ROWS)
            )
        ).encode(),
        [(_WHO, ["Marie Curie"], {}), (_WHERE, ["Lima"], {})],
        {"outputs.answer": "gold"},
    ),
    # What a run returned may be a gold answer, too.
    ShapeFile(
        "examples.jsonl",
        lines_of(*({"inputs": {"question": q}, "outputs": {"answer": gold}} for q, gold, _ in _ROWS)),
        [(_WHO, ["Marie Curie"], {}), (_WHERE, ["Lima"], {})],
        {"outputs.answer": "gold"},
    ),
    ShapeFile(
        "runs.jsonl",
        lines_of(
            *(
                {
                    "inputs": {"question": q},
                    "outputs": {"answer": said},
                    "reference_outputs": {"answer": gold},
                }
                for q, gold, said in _ROWS
            )
        ),
        _of("runs"),
    ),
    ShapeFile(
        "by_system.jsonl",
        lines_of(
            {"question": _WHO, "answers": _GOLDS, "predictions": {"gpt-4.1": "Curie", "llama": "Hahn"}},
            {"question": _WHERE, "answers": ["Lima"], "predictions": {"gpt-4.1": "Cuzco", "llama": None}},
        ),
        [(_WHO, _GOLDS, {"gpt-4.1": "Curie", "llama": "Hahn"}), (_WHERE, ["Lima"], {"gpt-4.1": "Cuzco"})],
    ),
    # Of several lists of objects only one asks anything.
    ShapeFile(
        "test_run.json",
        json_bytes(
            {
                "cases": [{"question": _WHO, "expected": "Marie Curie", "response": "Curie"}],
                "metrics": [{"metric": "EM", "value": 0}],
            }
        ),
        [(_WHO, ["Marie Curie"], {"test_run": "Curie"})],
    ),
    ShapeFile(
        "rag_checker.json",
        json_bytes(
            {
                "results": [
                    {
                        "query_id": "1",
                        "query": _WHO,
                        "gt_answer": "Marie Curie",
                        "response": "Curie",
                        "retrieved_context": [{"doc_id": "0", "text": "A text."}],
                    }
                ]
            }
        ),
        [(_WHO, ["Marie Curie"], {"rag_checker": "Curie"})],
    ),
    ShapeFile(
        "eval_table.json",
        json_bytes(
            {
                "columns": ["inputs", "ground_truth", "outputs", "token_count", "toxicity/v1/score"],
                "data": [[q, gold, said, 5, 0.0] for q, gold, said in _ROWS],
            }
        ),
        _of("eval_table"),
    ),
    ShapeFile(
        "multi_hop.json",
        json_bytes(
            [
                {
                    "_id": "1",
                    "question": _WHO,
                    "answer": "Marie Curie",
                    "supporting_facts": [["T", 0]],
                    "context": [["T", ["One.", "Two."]]],
                    "type": "bridge",
                    "level": "hard",
                }
            ]
        ),
        [(_WHO, ["Marie Curie"], {})],
    ),
    ShapeFile(
        "truthful.csv",
        f"Type,Category,Question,Best Answer,Correct Answers,Incorrect Answers,Source\nA,B,{_WHO},Marie Curie,Marie Curie; Curie,Hahn; Bohr,x\n".encode(),
        [(_WHO, _GOLDS, {})],
        {},
        {"gold_separator": "semicolon"},
    ),
    ShapeFile(
        "template_beside.jsonl",
        lines_of({"prompt": f"Answer briefly: {_WHO}", "question": _WHO, "gold": "Marie Curie"}),
        [(_WHO, ["Marie Curie"], {})],
    ),
    # What says something about an answer is no system's answer.
    ShapeFile(
        "measured.csv",
        f"query,response,expected,answer_relevancy,answer_length\n{_WHO},Curie,Marie Curie,0.87,5\n".encode(),
        [(_WHO, ["Marie Curie"], {"measured": "Curie"})],
        {"answer_relevancy": "ignore"},
    ),
    # Forms have a column for each answer.
    ShapeFile(
        "form.csv",
        f"Timestamp,Email Address,Q: {_WHO}? A: Curie,Q: {_WHERE}? A: Cuzco\n1,a@example.org,Correct,Incorrect\n".encode(),
        [(f"{_WHO}?", [], {"form": "Curie"}), (f"{_WHERE}?", [], {"form": "Cuzco"})],
    ),
    ShapeFile(
        "grid.csv",
        f"Timestamp,{_WHO} [Curie],{_WHERE} [Cuzco]\n1,Yes,No\n".encode(),
        [(_WHO, [], {"grid": "Curie"}), (_WHERE, [], {"grid": "Cuzco"})],
    ),
    ShapeFile(
        "unparted.csv",
        f"Timestamp,Name,{_WHO}? Curie,{_WHERE}? Cuzco\n1,Ann,Yes,No\n".encode(),
        [(f"{_WHO}?", [], {"unparted": "Curie"}), (f"{_WHERE}?", [], {"unparted": "Cuzco"})],
        {},
        {"header_separator": "?"},
    ),
    ShapeFile(
        "eval_results_table.json",
        json_bytes(
            {
                "columns": ["inputs", "ground_truth", "outputs", "answer_correctness/v1/score"],
                "data": [[f"{_WHO}?", "Marie Curie", "Curie", 5]],
            }
        ),
        [(f"{_WHO}?", ["Marie Curie"], {"eval_results_table": "Curie"})],
    ),
    ShapeFile(
        "mlflow.jsonl",
        lines_of(
            {
                "inputs": {"question": f"{_WHO}?"},
                "outputs": "Curie",
                "expectations": {"expected_response": "Marie Curie"},
            }
        ),
        [(f"{_WHO}?", ["Marie Curie"], {"mlflow": "Curie"})],
    ),
    ShapeFile(
        "reader.json",
        json_bytes(
            [
                {
                    "query": f"{_WHO}?",
                    "answers": [{"answer": "Curie", "score": 0.9, "context": "Curie found radium."}],
                },
                {"query": f"{_WHERE}?", "answers": [{"answer": None, "score": 0.5, "context": None}]},
            ]
        ),
        [(f"{_WHO}?", [], {"reader": "Curie"}), (f"{_WHERE}?", [], {"reader": ""})],
    ),
    ShapeFile(
        "choices.jsonl",
        lines_of(
            {"question": f"{_WHO}?", "choices": ["Bohr", "Curie"], "answer": 1, "response": "A"},
            {"question": f"{_WHERE}?", "choices": ["Cuzco", "Lima"], "answer": 0, "response": "Lima"},
        ),
        [(f"{_WHO}?", ["Curie"], {"choices": "Bohr"}), (f"{_WHERE}?", ["Cuzco"], {"choices": "Lima"})],
    ),
    ShapeFile(
        "options.jsonl",
        lines_of(
            {
                "question": f"{_WHO}?",
                "options": {"A": "Bohr", "B": "Curie"},
                "answer": "Curie",
                "answer_idx": "B",
            }
        ),
        [(f"{_WHO}?", ["Curie"], {})],
    ),
    ShapeFile(
        "stems.jsonl",
        lines_of(
            {
                "id": "s",
                "question": {
                    "stem": f"{_WHO}?",
                    "choices": [{"text": "Bohr", "label": "A"}, {"text": "Curie", "label": "B"}],
                },
                "answerKey": "B",
            }
        ),
        [(f"{_WHO}?", ["Curie"], {})],
    ),
    ShapeFile(
        "numpy.csv",
        f"question,answers,response\n{_WHO}?,['Marie Curie' 'Curie'],Curie\n".encode(),
        [(f"{_WHO}?", ["Marie Curie", "Curie"], {"numpy": "Curie"})],
    ),
    ShapeFile(
        "xor.jsonl",
        lines_of({"id": "x", "question": f"{_WHO}?", "answers": ["No Answer"], "lang": "de"}),
        [(f"{_WHO}?", [], {})],
    ),
    ShapeFile(
        "crag.jsonl",
        lines_of(
            {"query": f"{_WHO}?", "answer": "Curie", "alt_ans": ["M. Curie"], "search_results": [{"x": 1}]}
        ),
        [(f"{_WHO}?", ["Curie", "M. Curie"], {})],
        {"search_results": "ignore"},
    ),
    ShapeFile(
        "two_systems.csv",
        f"Question,Reference answer,GPT answer,GPT correct?\n{_WHO}?,Curie,Bohr,no\n".encode(),
        [(f"{_WHO}?", ["Curie"], {"GPT": "Bohr"})],
        {"* answer": "prediction"},
    ),
    ShapeFile(
        "all_systems.csv",
        f"Question,Reference answer,GPT,GPT correct?\n{_WHO}?,Curie,Bohr,no\n".encode(),
        [(f"{_WHO}?", ["Curie"], {"GPT": "Bohr"})],
        {"*": "prediction"},
    ),
    ShapeFile(
        "toloka.tsv",
        (
            "INPUT:question\tINPUT:answer\tINPUT:model\tOUTPUT:result\tASSIGNMENT:worker_id\t"
            f"ASSIGNMENT:status\n{_WHO}?\tCurie\tgpt\tcorrect\tw1\tAPPROVED\n"
        ).encode(),
        [(f"{_WHO}?", [], {"gpt": "Curie"})],
    ),
    ShapeFile(
        "prodigy.jsonl",
        lines_of(
            {
                "question": f"{_WHO}?",
                "model_answer": "Curie",
                "_task_hash": 1,
                "answer": "accept",
                "_annotator_id": "ann",
                "_session_id": "ann",
            }
        ),
        [(f"{_WHO}?", [], {"prodigy": "Curie"})],
    ),
    ShapeFile(
        "listed_votes.jsonl",
        lines_of(
            {
                "question": f"{_WHO}?",
                "prediction": "Curie",
                "annotations": [
                    {"annotator": "ann", "label": "correct"},
                    {"annotator": "bob", "label": "no"},
                ],
            }
        ),
        [(f"{_WHO}?", [], {"listed_votes": "Curie"})],
    ),
    # Of a benchmark in several languages, with further spellings.
    ShapeFile(
        "languages.jsonl",
        lines_of(
            {
                "query": f"{_WHO}?",
                "answers": {
                    "en": [{"type": "entity", "text": "Marie Curie", "aliases": ["Curie"]}],
                    "de": [{"type": "entity", "text": "Marie Curie aus Paris"}],
                },
            },
            {
                "query": f"{_WHERE}?",
                "answers": {
                    "en": [{"type": "unanswerable", "text": None}],
                    "de": [{"type": "unanswerable", "text": None}],
                },
            },
        ),
        [(f"{_WHO}?", _GOLDS, {}), (f"{_WHERE}?", [], {})],
        {"answers.en": "gold"},
    ),
    # The last of two choices is 2: they are counted from 1.
    ShapeFile(
        "counted_from_1.jsonl",
        lines_of(
            {"question": f"{_WHO}?", "choices": ["Bohr", "Curie"], "answer": 2, "response": 1},
            {"question": f"{_WHERE}?", "choices": ["Cuzco", "Lima"], "answer": 1, "response": 2},
        ),
        [
            (f"{_WHO}?", ["Curie"], {"counted_from_1": "Bohr"}),
            (f"{_WHERE}?", ["Cuzco"], {"counted_from_1": "Lima"}),
        ],
    ),
    ShapeFile(
        "counted_from_where.jsonl",
        lines_of({"question": f"{_WHO}?", "choices": ["Bohr", "Curie"], "answer": 1}),
        [(f"{_WHO}?", ["Bohr"], {})],
        {},
        {"choice_numbers": "from_1"},
    ),
    # A number that is a choice’s text, too, is its place where other rows show that.
    ShapeFile(
        "numbers_as_choices.jsonl",
        lines_of(
            {"question": "How many?", "choices": ["4", "2", "1", "0"], "answer": 1},
            {"question": f"{_WHERE}?", "choices": ["Cuzco", "Lima"], "answer": 0},
        ),
        [("How many?", ["2"], {}), (f"{_WHERE}?", ["Cuzco"], {})],
    ),
    ShapeFile(
        "numbers_or_places.jsonl",
        lines_of({"question": "How many?", "choices": ["4", "2", "1", "0"], "answer": 2}),
        [("How many?", ["2"], {})],
        {},
        {"choice_numbers": "none"},
    ),
    ShapeFile(
        "german_votes.csv",
        "Frage;Musterlösung;Antwort GPT-4;Bewertung Anna;Bewertung Bo\nWer entdeckte Radium?;Curie;Curie;richtig;falsch\n".encode(),
        [("Wer entdeckte Radium?", ["Curie"], {"GPT-4": "Curie"})],
    ),
    # Refused, and told what to do.
    ShapeFile("pairs.csv", f"question,answer_a,answer_b,preferred\n{_WHO}?,Curie,Bohr,A\n".encode(), None),
    ShapeFile(
        "arena.csv",
        f"prompt,response_a,response_b,winner_model_a,winner_model_b\n{_WHO}?,Curie,Bohr,1,0\n".encode(),
        None,
    ),
    ShapeFile("chosen.jsonl", lines_of({"prompt": f"{_WHO}?", "chosen": "Curie", "rejected": "Bohr"}), None),
    ShapeFile("answerless.csv", f"Timestamp,{_WHO}?,{_WHERE}?\n1,Yes,No\n".encode(), None),
    ShapeFile("survey.csv", f"Code,{_WHO}?,{_WHERE}?\n1,Yes,No\n".encode(), None),
    ShapeFile("rows.pkl", pickle.dumps([{"question": _WHO}]), None),
    ShapeFile("table.md", f"| Question | Gold |\n| --- | :-: |\n| {_WHO} | Curie |\n".encode(), None),
    ShapeFile("page.csv", b"<!DOCTYPE html><html><body>Sign in</body></html>", None),
]
# What each of the refused ones is told.
ADVICE = {
    **dict.fromkeys(("pairs.csv", "arena.csv", "chosen.jsonl"), "save a table with a row for each answer"),
    "answerless.csv": "save a table with a row for each answer",
    "survey.csv": "save a table with a row for each answer",
    "rows.pkl": "save its rows as JSONL",
    "table.md": "save it as CSV",
    "page.csv": "save the questions and answers as CSV or JSON",
}
