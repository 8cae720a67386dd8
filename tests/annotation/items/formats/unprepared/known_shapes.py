"""The files that were written before anything read them, and that the reader was then made for."""

# ruff: noqa: E501 - files are easier to read as they are

import json

from tests.annotation.items.formats.unprepared.shape_files import (
    Meaning,
    ShapeFile,
    gzipped,
    json_bytes,
    lines_of,
    zipped,
)

_EMMA: Meaning = ("Who wrote Emma?", ["Jane Austen"], {})
_OSLO: Meaning = ("What is the capital of Norway?", ["Oslo"], {})


def _of(system: str, *answers: str) -> list[Meaning]:
    return [
        (question, golds, {system: answer})
        for (question, golds, _), answer in zip((_EMMA, _OSLO), answers, strict=True)
    ]


_TWO = _of("sys", "Austen", "Bergen")

FILES = [
    # Nested objects.
    ShapeFile(
        "nested_item.jsonl",
        lines_of(
            {"item": {"query": "Who wrote Emma?", "lang": "en"}, "truth": {"answers": ["Jane Austen"]}},
            {
                "item": {"query": "What is the capital of Norway?", "lang": "en"},
                "truth": {"answers": ["Oslo"]},
            },
        ),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "trace_export.json",
        json_bytes(
            {
                "exported_at": "2026-02-01T10:00:00Z",
                "traces": [
                    {
                        "trace_id": "t-1",
                        "request": {"payload": {"question": "Who wrote Emma?"}},
                        "reply": {"choices": [{"message": {"role": "assistant", "content": "Austen"}}]},
                        "expectation": {"texts": ["Jane Austen"]},
                    },
                    {
                        "trace_id": "t-2",
                        "request": {"payload": {"question": "What is the capital of Norway?"}},
                        "reply": {"choices": [{"message": {"role": "assistant", "content": "Bergen"}}]},
                        "expectation": {"texts": ["Oslo"]},
                    },
                ],
            },
            indent=1,
        ),
        _of("trace_export", "Austen", "Bergen"),
    ),
    ShapeFile(
        "per_model_object.jsonl",
        lines_of(
            {
                "question": "Who wrote Emma?",
                "gold": "Jane Austen",
                "models": {"alpha": "Austen", "beta": "Brontë"},
            },
            {
                "question": "What is the capital of Norway?",
                "gold": "Oslo",
                "models": {"alpha": "Oslo", "beta": "Bergen"},
            },
        ),
        [
            ("Who wrote Emma?", ["Jane Austen"], {"alpha": "Austen", "beta": "Brontë"}),
            ("What is the capital of Norway?", ["Oslo"], {"alpha": "Oslo", "beta": "Bergen"}),
        ],
        {"models.*": "prediction"},
    ),
    ShapeFile(
        "model_runs.jsonl",
        lines_of(
            {
                "q": {"id": "1", "body": "Who wrote Emma?"},
                "key": ["Jane Austen"],
                "run": {"name": "sys", "text": "Austen"},
            },
            {
                "q": {"id": "2", "body": "What is the capital of Norway?"},
                "key": ["Oslo"],
                "run": {"name": "sys", "text": "Bergen"},
            },
        ),
        _TWO,
        {"q.body": "question", "key": "gold", "run.name": "system", "run.text": "prediction"},
    ),
    # Wrapped and turned tables.
    ShapeFile(
        "frame_split.json",
        json_bytes(
            {
                "columns": ["question", "gold_answer", "prediction"],
                "index": [0, 1],
                "data": [
                    ["Who wrote Emma?", "Jane Austen", "Austen"],
                    ["What is the capital of Norway?", "Oslo", "Bergen"],
                ],
            }
        ),
        _of("frame_split", "Austen", "Bergen"),
    ),
    ShapeFile(
        "sheet_values.json",
        json_bytes(
            {
                "range": "Sheet1!A1:C3",
                "values": [
                    ["Question", "Expected answer"],
                    ["Who wrote Emma?", "Jane Austen"],
                    ["What is the capital of Norway?", "Oslo"],
                ],
            }
        ),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "list_of_lists.json",
        json_bytes(
            [
                ["question", "gold"],
                ["Who wrote Emma?", "Jane Austen"],
                ["What is the capital of Norway?", "Oslo"],
            ]
        ),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "column_lists.json",
        json_bytes(
            {
                "question": ["Who wrote Emma?", "What is the capital of Norway?"],
                "gold_answer": ["Jane Austen", "Oslo"],
                "output": ["Austen", "Bergen"],
            }
        ),
        _of("column_lists", "Austen", "Bergen"),
    ),
    ShapeFile(
        "hub_viewer.json",
        json_bytes(
            {
                "features": [{"feature_idx": 0, "name": "question", "type": {"dtype": "string"}}],
                "rows": [
                    {
                        "row_idx": 0,
                        "row": {"question": "Who wrote Emma?", "answers": ["Jane Austen"]},
                        "truncated_cells": [],
                    },
                    {
                        "row_idx": 1,
                        "row": {"question": "What is the capital of Norway?", "answers": ["Oslo"]},
                        "truncated_cells": [],
                    },
                ],
                "num_rows_total": 2,
            }
        ),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "bundle_by_id.json",
        json_bytes(
            {
                "version": "1.2",
                "questions": {
                    "emma": {"question": "Who wrote Emma?", "gold": ["Jane Austen"]},
                    "oslo": {"question": "What is the capital of Norway?", "gold": ["Oslo"]},
                },
            }
        ),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "question_to_answers.json",
        json_bytes(
            {"Who wrote Emma?": ["Jane Austen", "Austen"], "What is the capital of Norway?": ["Oslo"]}
        ),
        [("Who wrote Emma?", ["Jane Austen", "Austen"], {}), _OSLO],
        {"value": "gold"},
    ),
    ShapeFile(
        "page_of_results.json",
        json_bytes(
            {
                "meta": {"page": 1, "columns": [{"name": "prompt"}]},
                "result": {
                    "entries": [
                        {"prompt": "Who wrote Emma?", "ideal": "Jane Austen", "completion": "Austen"},
                        {"prompt": "What is the capital of Norway?", "ideal": "Oslo", "completion": "Bergen"},
                    ]
                },
            }
        ),
        _of("page_of_results", "Austen", "Bergen"),
    ),
    # Golds of other kinds.
    ShapeFile(
        "boolean_key.jsonl",
        lines_of(
            {"question": "Is Oslo in Norway?", "answer": True},
            {"question": "Is Bergen in Sweden?", "answer": False},
        ),
        [("Is Oslo in Norway?", ["yes"], {}), ("Is Bergen in Sweden?", ["no"], {})],
        {},
        {"booleans": "yes_no"},
    ),
    ShapeFile(
        "numeric_key.json",
        json_bytes(
            [
                {"problem": "What is 6 times 7?", "solution": 42},
                {"problem": "What is half of 5?", "solution": 2.5},
            ]
        ),
        [("What is 6 times 7?", ["42"], {}), ("What is half of 5?", ["2.5"], {})],
        {"solution": "gold"},
    ),
    ShapeFile(
        "semicolons_in_cell.csv",
        b"question,gold\nWho wrote Emma?,Jane Austen; Austen\nWho wrote Faust?,Goethe; Johann Wolfgang von Goethe\n",
        [
            ("Who wrote Emma?", ["Jane Austen", "Austen"], {}),
            ("Who wrote Faust?", ["Goethe", "Johann Wolfgang von Goethe"], {}),
        ],
        {},
        {"gold_separator": "semicolon"},
    ),
    ShapeFile(
        "bars_in_cell.tsv",
        b"query\tacceptable\nWho wrote Emma?\tJane Austen|Austen\nWho wrote Faust?\tGoethe|J. W. Goethe\n",
        [
            ("Who wrote Emma?", ["Jane Austen", "Austen"], {}),
            ("Who wrote Faust?", ["Goethe", "J. W. Goethe"], {}),
        ],
        {"acceptable": "gold"},
        {"gold_separator": "bar"},
    ),
    ShapeFile(
        "lines_in_cell.csv",
        b'question,reference\nWho wrote Emma?,"Jane Austen\nAusten"\nWho wrote Faust?,"Goethe\nJ. W. Goethe"\n',
        [
            ("Who wrote Emma?", ["Jane Austen", "Austen"], {}),
            ("Who wrote Faust?", ["Goethe", "J. W. Goethe"], {}),
        ],
        {},
        {"gold_separator": "line"},
    ),
    ShapeFile(
        "gold_objects.json",
        json_bytes(
            [
                {
                    "question": "Who wrote Emma?",
                    "answers": [{"text": "Jane Austen", "votes": 3}, {"text": "Austen", "votes": 1}],
                },
                {"question": "What is the capital of Norway?", "answers": [{"text": "Oslo", "votes": 5}]},
            ]
        ),
        [("Who wrote Emma?", ["Jane Austen", "Austen"], {}), _OSLO],
    ),
    ShapeFile(
        "numbered_golds.csv",
        b"question,gold_1,gold_2,gold_3\nWho wrote Emma?,Jane Austen,Austen,\nWhat is the capital of Norway?,Oslo,,\n",
        [("Who wrote Emma?", ["Jane Austen", "Austen"], {}), _OSLO],
    ),
    ShapeFile(
        "numbered_answers.csv",
        b"question,answer_1,answer_2\nWho wrote Emma?,Jane Austen,Austen\nWhat is the capital of Norway?,Oslo,\n",
        [("Who wrote Emma?", ["Jane Austen", "Austen"], {}), _OSLO],
        {"answer_*": "gold"},
    ),
    # Systems.
    ShapeFile(
        "wide_models.csv",
        "Question;Gold answer;GPT-5;Llama 4;Mistral\nWho wrote Emma?;Jane Austen;Austen;Brontë;J. Austen\n"
        "What is the capital of Norway?;Oslo;Oslo;Bergen;\n".encode(),
        [
            (
                "Who wrote Emma?",
                ["Jane Austen"],
                {"GPT-5": "Austen", "Llama 4": "Brontë", "Mistral": "J. Austen"},
            ),
            (
                "What is the capital of Norway?",
                ["Oslo"],
                {"GPT-5": "Oslo", "Llama 4": "Bergen", "Mistral": ""},
            ),
        ],
        {"*": "prediction"},
    ),
    ShapeFile(
        "long_runs.csv",
        b"system,question,answer\nalpha,Who wrote Emma?,Austen\nbeta,Who wrote Emma?,Charlotte\n",
        [("Who wrote Emma?", [], {"alpha": "Austen"}), ("Who wrote Emma?", [], {"beta": "Charlotte"})],
    ),
    ShapeFile(
        "long_with_key.tsv",
        b"model_id\tquestion\tanswer\tgold\nalpha\tWho wrote Emma?\tAusten\tJane Austen\nbeta\tWho wrote Emma?\tCharlotte\tJane Austen\n",
        [
            ("Who wrote Emma?", ["Jane Austen"], {"alpha": "Austen"}),
            ("Who wrote Emma?", ["Jane Austen"], {"beta": "Charlotte"}),
        ],
    ),
    ShapeFile(
        "key_and_answer.csv",
        b"question,answer,gold\nWho wrote Emma?,Austen,Jane Austen\nWhat is the capital of Norway?,Bergen,Oslo\n",
        _of("key_and_answer", "Austen", "Bergen"),
        {"answer": "prediction"},
    ),
    # Conversations.
    ShapeFile(
        "chat_tuning.jsonl",
        lines_of(
            {
                "messages": [
                    {"role": "system", "content": "Be brief."},
                    {"role": "user", "content": "Who wrote Emma?"},
                    {"role": "assistant", "content": "Jane Austen"},
                ]
            },
            {
                "messages": [
                    {"role": "user", "content": "What is the capital of Norway?"},
                    {"role": "assistant", "content": "Oslo"},
                ]
            },
        ),
        [_EMMA, _OSLO],
        {"messages.assistant": "gold"},
    ),
    ShapeFile(
        "chat_log_with_key.jsonl",
        lines_of(
            {
                "conversation": [
                    {"from": "human", "value": "Who wrote Emma?"},
                    {"from": "gpt", "value": "Austen"},
                ],
                "target": "Jane Austen",
            },
            {
                "conversation": [
                    {"from": "human", "value": "What is the capital of Norway?"},
                    {"from": "gpt", "value": "Bergen"},
                ],
                "target": "Oslo",
            },
        ),
        _of("chat_log_with_key", "Austen", "Bergen"),
        {"conversation.assistant": "prediction"},
    ),
    # Tables out of spreadsheets.
    ShapeFile(
        "report_with_title.csv",
        b"Evaluation round 3,,\n\nQuestion,Reference answer,Notes\nWho wrote Emma?,Jane Austen,easy\nWhat is the capital of Norway?,Oslo,\n,,\n",
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "commented.tsv",
        b"# dataset: trivia, v2\n# date: 2026-01-05\nquestion\tanswers\nWho wrote Emma?\tJane Austen\nWhat is the capital of Norway?\tOslo\n",
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "no_header.csv",
        b"Who wrote Emma?,Jane Austen\nWhat is the capital of Norway?,Oslo\n",
        [_EMMA, _OSLO],
        {"column 2": "gold"},
    ),
    ShapeFile(
        "camel_case.csv",
        b"questionId,questionText,correctAnswer,difficulty,createdAt\n1,Who wrote Emma?,Jane Austen,easy,2026-01-01\n2,What is the capital of Norway?,Oslo,easy,2026-01-01\n",
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "spanish.csv",
        "pregunta,respuesta correcta,respuesta del modelo\n¿Quién escribió Emma?,Jane Austen,Austen\n".encode(),
        [("¿Quién escribió Emma?", ["Jane Austen"], {"spanish": "Austen"})],
        {"pregunta": "question", "respuesta correcta": "gold", "respuesta del modelo": "prediction"},
    ),
    # Encodings and endings.
    ShapeFile(
        "excel_unicode.csv",
        "question\tgold\nWer schrieb Faust?\tGoethe\nWer malte Grün?\tMüller\n".encode("utf-16"),
        [("Wer schrieb Faust?", ["Goethe"], {}), ("Wer malte Grün?", ["Müller"], {})],
    ),
    ShapeFile(
        "western.csv",
        "question,gold\nWer malte Grün?,Müller\n".encode("cp1252"),
        [("Wer malte Grün?", ["Müller"], {})],
        {},
        {"encoding": "windows-1252"},
    ),
    ShapeFile(
        "tabs_inside.csv",
        b"question\tgold\nWho wrote Emma, and when?\tJane Austen, 1815\n",
        [("Who wrote Emma, and when?", ["Jane Austen, 1815"], {})],
    ),
    ShapeFile(
        "commas_inside.tsv",
        b'question,gold\n"Who wrote Emma, a novel?",Jane Austen\n',
        [("Who wrote Emma, a novel?", ["Jane Austen"], {})],
    ),
    ShapeFile(
        "really_lines.json",
        lines_of(*({"question": q, "gold": g} for q, g, _ in (_EMMA, _OSLO))),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "really_a_list.jsonl",
        json_bytes([{"question": q, "gold": g} for q, g, _ in (_EMMA, _OSLO)], indent=2),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "list_named.csv",
        json_bytes([{"question": q, "gold": g} for q, g, _ in (_EMMA, _OSLO)]),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "packed.jsonl.gz",
        gzipped(lines_of(*({"question": q, "gold": g} for q, g, _ in (_EMMA, _OSLO)))),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "packed.zip",
        zipped(
            run__questions_DOT_csv=b"question,gold\nWho wrote Emma?,Jane Austen\nWhat is the capital of Norway?,Oslo\n"
        ),
        [_EMMA, _OSLO],
    ),
    ShapeFile(
        "workbook.xlsx",
        zipped(**{"[Content_Types]_DOT_xml": b"<Types/>", "xl__workbook_DOT_xml": b"<workbook/>"}),
        None,
    ),
    ShapeFile(
        "python_lists.tsv",
        b"question\tgold\nWho wrote Emma?\t('Jane Austen', 'Austen')\nWhat is the capital of Norway?\t('Oslo',)\n",
        [("Who wrote Emma?", ["Jane Austen", "Austen"], {}), _OSLO],
    ),
    ShapeFile(
        "lists_as_text.csv",
        (
            "question,gold\n"
            + 'Who wrote Emma?,"'
            + json.dumps({"text": ["Jane Austen", "Austen"]}).replace('"', '""')
            + '"\n'
        ).encode(),
        [("Who wrote Emma?", ["Jane Austen", "Austen"], {})],
    ),
]
