"""GPT3QA's files."""

import json
from pathlib import Path

from annotation.items.formats.records import Source
from annotation.items.formats.registry import detect
from tests.annotation.items.formats.conftest import Read

ROW = {"question": "who", "gold_answer": ["A | B"], "prediction": "A", "confidence": -1.5}


class TestRead:
    def test_system_and_data_set_are_named_after_the_file(self, read: Read) -> None:
        (record,) = read("NQ_test_GPT_preds.json", json.dumps([ROW]), "gpt3qa").records
        (prediction,) = record.predictions
        assert (prediction.system, prediction.text, prediction.confidence) == ("NQ_test_GPT", "A", -1.5)
        assert record.question.dataset == "NQ"
        # A list is a list: what stands in one element stays one gold answer.
        assert [gold.text for gold in record.question.golds] == ["A | B"]

    def test_a_question_that_stands_twice_is_two(self, read: Read) -> None:
        content = json.dumps([ROW, {**ROW, "prediction": "B"}])
        assert [each.question.repeat for each in read("a_preds.json", content, "gpt3qa").records] == [0, 1]
        once = read("a_preds.json", content, "gpt3qa", keep_duplicate_rows="no").records
        assert [each.question.repeat for each in once] == [0, 0]

    def test_gold_files_hold_no_predictions(self, read: Read) -> None:
        content = json.dumps([{"question": "who", "answer": ["A"]}])
        (record,) = read("CSQA2_test.json", content, "gpt3qa").records
        assert (record.question.dataset, record.predictions) == ("CSQA2", ())


class TestDetect:
    def test_both_papers_files_are_recognized(self, tmp_path: Path) -> None:
        judged = {"question": "q", "golden_answer": "A", "answer_x": "A", "judge_x": True, "improper": False}
        for name, rows, key in (
            ("NQ_test_GPT_preds.json", [ROW], "gpt3qa"),
            ("TQ.json", [judged], "evouna"),
            ("other.json", [ROW], "generic"),
        ):
            (tmp_path / name).write_text(json.dumps(rows))
            assert detect(Source(name, tmp_path / name)).key == key
