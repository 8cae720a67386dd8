"""Files that were written when the reader was done, to see what it makes of what it was not made for."""

# ruff: noqa: E501 - files are easier to read as they are

from tests.annotation.items.formats.unprepared.shape_files import ShapeFile, json_bytes, lines_of

FILES = [
    ShapeFile(
        "survey.csv",
        b"ID,Question,Gold Answers,ChatBot A,ChatBot B\n7,Who discovered radium?,Marie Curie | Curie,Curie,Becquerel\n",
        [
            (
                "Who discovered radium?",
                ["Marie Curie", "Curie"],
                {"ChatBot A": "Curie", "ChatBot B": "Becquerel"},
            )
        ],
        {"*": "prediction"},
    ),
    ShapeFile(
        "eval_dump.jsonl",
        lines_of(
            {
                "sample": {"input": {"question": "Who discovered radium?"}, "target": "Marie Curie"},
                "output": {"text": "Curie", "tokens": 3},
            }
        ),
        [("Who discovered radium?", ["Marie Curie"], {"eval_dump": "Curie"})],
    ),
    ShapeFile(
        "api_page.json",
        json_bytes(
            {
                "count": 1,
                "next": None,
                "results": [
                    {"pk": 3, "query_text": "Who discovered radium?", "acceptable_answers": ["Marie Curie"]}
                ],
            }
        ),
        [("Who discovered radium?", ["Marie Curie"], {})],
        {"pk": "ignore"},
    ),
    ShapeFile(
        "table_rows.json",
        json_bytes(
            {
                "header": ["Question", "Reference", "Response"],
                "rows": [["Who discovered radium?", "Marie Curie", "Curie"]],
            }
        ),
        [("Who discovered radium?", ["Marie Curie"], {"table_rows": "Curie"})],
    ),
    ShapeFile(
        "pairs.tsv",
        b"prompt\tkey\nWho discovered radium?\tMarie Curie\nWho discovered argon?\tRayleigh\n",
        [("Who discovered radium?", ["Marie Curie"], {}), ("Who discovered argon?", ["Rayleigh"], {})],
        {"key": "gold"},
    ),
    ShapeFile(
        "alternatives.csv",
        b"question,correct,alt_1,alt_2\nWho discovered radium?,Marie Curie,Curie,M. Curie\n",
        [("Who discovered radium?", ["Marie Curie", "Curie", "M. Curie"], {})],
        {"correct": "gold", "alt_*": "gold"},
    ),
    ShapeFile(
        "by_system.json",
        json_bytes(
            {
                "alpha": [{"question": "Who discovered radium?", "prediction": "Curie"}],
                "beta": [{"question": "Who discovered radium?", "prediction": "Bohr"}],
            }
        ),
        [
            ("Who discovered radium?", [], {"alpha": "Curie"}),
            ("Who discovered radium?", [], {"beta": "Bohr"}),
        ],
        {"list": "system"},
    ),
    ShapeFile(
        "thread.json",
        json_bytes(
            [
                {
                    "dialog": [
                        {"role": "user", "content": "Who discovered radium?"},
                        {"role": "assistant", "content": "Curie"},
                    ],
                    "gold": ["Marie Curie"],
                }
            ]
        ),
        [("Who discovered radium?", ["Marie Curie"], {"thread": "Curie"})],
        {"dialog.assistant": "prediction"},
    ),
    ShapeFile(
        "outputs_map.jsonl",
        lines_of(
            {
                "query": "Who discovered radium?",
                "references": ["Marie Curie"],
                "systems": {"gpt-4.1": {"answer": "Curie", "ms": 20}, "phi": {"answer": "Bohr", "ms": 10}},
            }
        ),
        [("Who discovered radium?", ["Marie Curie"], {"gpt-4.1": "Curie", "phi": "Bohr"})],
        {"systems.*.answer": "prediction"},
    ),
    ShapeFile(
        "semis.csv",
        b"Frage;Richtige Antwort;Antwort\nWer entdeckte Radium?;Marie Curie;Curie\n",
        [("Wer entdeckte Radium?", ["Marie Curie"], {"semis": "Curie"})],
        {"Antwort": "prediction"},
    ),
    ShapeFile(
        "slashes.csv",
        b"question,target\nWho discovered radium?,Marie Curie / Curie\n",
        [("Who discovered radium?", ["Marie Curie", "Curie"], {})],
        {},
        {"gold_separator": "spaced_slash"},
    ),
    ShapeFile(
        "judge_input.jsonl",
        lines_of({"uid": "a", "problem": "What is 2 + 2?", "expected": 4, "answer": "four", "score": 1.0}),
        [("What is 2 + 2?", ["4"], {"judge_input": "four"})],
        {"answer": "prediction"},
    ),
    ShapeFile(
        "unnamed.csv",
        b",text,labels\n0,Who discovered radium?,Marie Curie\n1,Who discovered argon?,Rayleigh\n",
        [("Who discovered radium?", ["Marie Curie"], {}), ("Who discovered argon?", ["Rayleigh"], {})],
        {"labels": "gold"},
    ),
    ShapeFile(
        "padded.csv",
        b"Results of March,,,\nquestion,gold,answer_x,\nWho discovered radium?,Marie Curie,Curie,\n",
        [("Who discovered radium?", ["Marie Curie"], {"x": "Curie"})],
    ),
    ShapeFile("notes.yaml", b"- question: Who discovered radium?\n  gold: Marie Curie\n", None),
    ShapeFile(
        "flags.json",
        json_bytes(
            {
                "items": {
                    "1": {"question": "Is argon a gas?", "gold": True},
                    "2": {"question": "Is iron a gas?", "gold": False},
                }
            }
        ),
        [("Is argon a gas?", ["true"], {}), ("Is iron a gas?", ["false"], {})],
        {},
        {"booleans": "true_false"},
    ),
    # Surveys with several header rows: titles above rows, and texts below codes.
    ShapeFile(
        "titles.csv",
        b"Respondent ID,Collector ID,Start Date,Email Address,Who discovered radium?,,Comments\n"
        b",,,,Curie,Becquerel,Open-Ended Response\n11,2,1/2,,Yes,No,Thanks\n",
        [
            ("Who discovered radium?", [], {"titles": "Curie"}),
            ("Who discovered radium?", [], {"titles (answer 2)": "Becquerel"}),
        ],
    ),
    ShapeFile(
        "ticks.csv",
        b"Respondent ID;Collector ID;Who discovered radium?;\n;;Curie - Yes;Curie - No\n11;2;Yes;\n",
        [("Who discovered radium?", [], {"ticks": "Curie"})],
    ),
    ShapeFile(
        "codes.csv",
        b"StartDate,Status,ResponseId,Q1_1,Q2\n"
        b"Start Date,Response Type,Response ID,Who discovered radium? - Curie,Q: Who discovered argon? A: Ramsay\n"
        b'"{""ImportId"":""startDate""}","{""ImportId"":""status""}","{""ImportId"":""_recordId""}",'
        b'"{""ImportId"":""QID1_1""}","{""ImportId"":""QID2""}"\n'
        b"1/2,Survey Preview,R_1,Yes,Yes\n1/2,IP Address,R_2,Yes,No\n",
        [
            ("Who discovered radium?", [], {"codes": "Curie"}),
            ("Who discovered argon?", [], {"codes": "Ramsay"}),
        ],
    ),
    # Forms whose headers hold the answers alone.
    ShapeFile(
        "likert.csv",
        b"ID,Start time,Completion time,Email,Name,Curie,Becquerel\n1,1/2,1/2,anonymous,,Yes,No\n",
        [
            ("Who discovered radium?", [], {"likert": "Curie"}),
            ("Who discovered radium?", [], {"likert (answer 2)": "Becquerel"}),
        ],
        {},
        {"asked_question": "Who discovered radium?"},
    ),
    ShapeFile(
        "rows_behind.csv",
        b"Submission Date,Who discovered radium? >> Curie,Discoverer of argon >> Ramsay\n1/2,Yes,No\n",
        [
            ("Who discovered radium?", [], {"rows_behind": "Curie"}),
            ("Discoverer of argon", [], {"rows_behind": "Ramsay"}),
        ],
    ),
    ShapeFile(
        "codes_before.csv",
        b"submitdate,Q1[SQ001]. Who discovered radium? [Curie],Q2[SQ001]. Who discovered argon? [Ramsay]\n1/2,Yes,No\n",
        [
            ("Who discovered radium?", [], {"codes_before": "Curie"}),
            ("Who discovered argon?", [], {"codes_before": "Ramsay"}),
        ],
    ),
]
