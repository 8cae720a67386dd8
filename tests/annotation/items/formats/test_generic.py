import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, strategies

from annotation.items.formats.columns import SYNONYMS, ColumnSamples
from annotation.items.formats.records import Gold, Source
from tests.annotation.items.formats.conftest import Read, read_source

just_a = strategies.just("a")


class TestColumns:
    @pytest.mark.parametrize("name", ["question", "query", "input", "problem", "prompt"])
    def test_the_usual_names_of_a_question_are_known(self, read: Read, name: str) -> None:
        (record,) = read("s.jsonl", json.dumps({name: "who"})).records
        assert record.question.text == "who"

    @pytest.mark.parametrize(
        "name", ["prediction", "Model answer", "output", "response", "candidate", "generated_answer"]
    )
    def test_the_usual_names_of_an_answer_are_known(self, read: Read, name: str) -> None:
        (record,) = read("dpr.jsonl", json.dumps({"question": "who", name: "me"})).records
        assert [(each.system, each.text) for each in record.predictions] == [("dpr", "me")]

    def test_an_answer_column_a_system_names_the_system(self, read: Read) -> None:
        (record,) = read("s.csv", "question,answer_fid,answer_gpt4\nwho,a,b\n").records
        assert {each.system: each.text for each in record.predictions} == {"fid": "a", "gpt4": "b"}

    @pytest.mark.parametrize("name", ["expected", "reference_answer", "correct_answers", "ideal"])
    def test_an_answer_beside_a_name_that_can_only_be_gold_has_to_be_explained(
        self, read: Read, name: str
    ) -> None:
        row = json.dumps({"question": "who", "answer": "a system's", name: "gold"})
        (error,) = read("s.jsonl", row).errors
        assert (error.line, error.column, error.code) == (1, "answer", "unknown_column")
        (record,) = read("s.jsonl", row, map={"answer": "prediction"}).records
        assert record.question.golds == (Gold("gold"),)
        assert [each.text for each in record.predictions] == ["a system's"]

    def test_aliases_add_to_the_gold_answers_in_either_order(self, read: Read) -> None:
        rows = [
            {"question": "who", "answer": "a", "answer_aliases": ["b", "a"]},
            {"question": "which", "answer_aliases": ["b"], "answer": "a"},
            {"question": "what", "answer_aliases": ["b"]},
        ]
        records = read("s.jsonl", "\n".join(map(json.dumps, rows))).records
        golds = [[gold.text for gold in record.question.golds] for record in records]
        assert golds == [["a", "b"], ["a", "b"], ["b"]]
        assert not any(record.predictions for record in records)

    def test_a_question_s_aliases_follow_those_of_the_row_before(self, read: Read) -> None:
        rows = [{"question": "who", "answer": "a", "answer_aliases": [alias]} for alias in "bc"]
        records = read("s.jsonl", "\n".join(map(json.dumps, rows))).records
        assert [record.question.golds[1].text for record in records] == ["b", "c"]

    def test_more_gold_answers_and_aliases_than_a_question_may_have_are_refused(self, read: Read) -> None:
        many = [str(number) for number in range(1_000)]
        row = {"question": "who", "answer": "one more", "answer_aliases": many}
        (error,) = read("s.jsonl", json.dumps(row)).errors
        assert (error.line, error.column, error.code) == (1, "answer_aliases", "too_many_golds")

    @pytest.mark.parametrize("name", ["answer_id", "answer_type", "answer_start"])
    def test_what_says_something_about_an_answer_is_no_system(self, read: Read, name: str) -> None:
        reading = read("s.jsonl", json.dumps({"question": "who", name: "x"}))
        assert reading.codes == ["unknown_column"]

    def test_a_column_may_name_the_system_of_each_row(self, read: Read) -> None:
        records = read("s.csv", "question,system,prediction\nwho,A,x\nwho,B,y\n").records
        assert [record.predictions[0].system for record in records] == ["A", "B"]

    def test_an_unknown_column_is_an_error_with_its_line(self, read: Read) -> None:
        reading = read("s.jsonl", '{"question": "a"}\n{"question": "b", "anwser": "c"}\n')
        (error,) = reading.errors
        assert (error.line, error.column, error.code) == (2, "anwser", "unknown_column")
        assert "answer" in error.message

    @pytest.mark.parametrize("value", [["a", "b"], {"a": 1}, True])
    def test_an_unknown_column_may_hold_anything(self, read: Read, value: object) -> None:
        line = json.dumps({"question": "who", "prediction": "me", "extra": value})
        (error,) = read("s.jsonl", line).errors
        assert (error.column, error.code) == ("extra", "unknown_column")

    @given(
        values=strategies.dictionaries(
            strategies.sampled_from([name for names in SYNONYMS.values() for name in names] + ["ctxs", "x"]),
            strategies.recursive(
                strategies.none() | strategies.booleans() | strategies.integers() | strategies.text("a|[{ "),
                lambda inner: strategies.lists(inner, max_size=2) | strategies.dictionaries(just_a, inner),
                max_leaves=4,
            ),
        ),
        unknown=strategies.sampled_from(["refuse", "keep", "ignore"]),
    )
    def test_whatever_cells_hold_is_read_or_refused(self, values: dict[str, Any], unknown: str) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder, "s.jsonl")
            path.write_text(json.dumps(values), encoding="utf-8")
            read_source(Source("s.jsonl", path), unknown_columns=unknown, samples=ColumnSamples())

    @given(
        rows=strategies.lists(
            strategies.fixed_dictionaries(
                {"question": strategies.sampled_from(["q", 1, 1.0, "1"])},
                optional={
                    "id": strategies.sampled_from([1, 1.0, "1"]),
                    "answer": strategies.sampled_from(["a", "a / b", "['a", ["1"], [1], [1.0]]),
                    "golden_answer": strategies.sampled_from(["a", "a / b", None]),
                },
            ),
            min_size=2,
            max_size=6,
        )
    )
    @example(rows=[{"question": "q", "answer": "a / b"}, {"question": "q", "golden_answer": "a / b"}])
    def test_a_row_is_read_alike_whatever_stands_before_it(self, rows: list[dict[str, Any]]) -> None:
        with TemporaryDirectory() as folder:
            path = Path(folder, "s.jsonl")

            def questions(of: list[dict[str, Any]]) -> list[str]:
                path.write_text("\n".join(map(json.dumps, of)), encoding="utf-8")
                # Which other columns there are would say whose “answer” is.
                reading = read_source(Source("s.jsonl", path), map={"answer": "gold"})
                return [repr(record.question) for record in reading.records]

            assert questions(rows) == [each for row in rows for each in questions([row])]

    def test_an_unknown_column_can_be_kept_as_metadata(self, read: Read) -> None:
        reading = read("s.csv", "question,prediction,cost\na,b,3\n", unknown_columns="keep")
        assert not reading.errors
        assert reading.records[0].predictions[0].metadata == {"cost": "3"}

    def test_a_mapping_gives_a_column_its_meaning(self, read: Read) -> None:
        reading = read(
            "s.csv",
            "Frage,Lösung,Antwort\nwer,ich,du\n",
            map={"Frage": "question", "Lösung": "gold", "Antwort": "prediction:GPT"},
        )
        (record,) = reading.records
        assert not reading.errors
        assert record.question.text == "wer"
        assert record.question.golds == (Gold("ich"),)
        assert [(each.system, each.text) for each in record.predictions] == [("GPT", "du")]

    def test_a_mapping_of_a_column_that_is_not_there_is_an_error(self, read: Read) -> None:
        assert read("s.csv", "question\na\n", map={"q": "question"}).codes == ["mapped_column_missing"]

    def test_of_two_columns_of_one_meaning_the_first_is_taken(self, read: Read) -> None:
        reading = read("s.csv", "question,gold,reference\na,b,c\nd,e,f\n")
        assert [record.question.golds for record in reading.records] == [(Gold("b"),), (Gold("e"),)]
        assert [(warning.code, warning.column) for warning in reading.warnings] == [
            ("two_columns", "reference")
        ]

    def test_a_row_without_question_and_id_is_an_error(self, read: Read) -> None:
        (error,) = read("s.csv", "question,prediction\n,b\n").errors
        assert (error.line, error.code) == (2, "missing_question")

    def test_judged_lists_of_efficientqa_are_left_out(self, read: Read) -> None:
        line = json.dumps(
            {"question": "q", "answer": ["a"], "answer_and_def_correct_predictions": ["a", "b"]}
        )
        reading = read("s.jsonl", line)
        assert not reading.errors
        assert reading.records[0].predictions == ()


class TestPredictions:
    LIST = '{"question": "q", "prediction": ["Bobby Scott", "Bob Russell"]}'

    @pytest.mark.parametrize(
        ("way", "text", "further", "words"),
        [
            ("first", "Bobby Scott", (), "Only the first is judged. To judge all of them, set"),
            ("joined", "Bobby Scott, Bob Russell", (), "They are joined and judged as one answer."),
            ("split", "Bobby Scott", ("Bob Russell",), "Each is judged separately"),
        ],
    )
    def test_a_list_is_taken_as_asked_and_kept(
        self, read: Read, way: str, text: str, further: tuple[str, ...], words: str
    ) -> None:
        reading = read("s.jsonl", self.LIST, list_prediction=way)
        prediction = reading.records[0].predictions[0]
        assert (prediction.text, prediction.further) == (text, further)
        assert prediction.raw == ("Bobby Scott", "Bob Russell")
        (warning,) = reading.warnings
        assert warning.code == "list_prediction"
        assert f"The row has a list of 2 predictions. {words}" in warning.message

    @pytest.mark.parametrize("elements", [[], ["Bobby Scott"]])
    def test_a_list_without_a_choice_is_not_worth_a_remark(self, read: Read, elements: list[str]) -> None:
        reading = read("s.jsonl", json.dumps({"question": "q", "prediction": elements}))
        assert not reading.warnings

    def test_an_empty_list_is_an_empty_answer(self, read: Read) -> None:
        assert read("s.jsonl", '{"question": "q", "prediction": []}').records[0].predictions[0].text == ""

    def test_no_answer_is_not_an_empty_answer(self, read: Read) -> None:
        reading = read(
            "s.jsonl", '{"question": "q", "prediction": null}\n{"question": "r", "prediction": ""}'
        )
        assert [len(record.predictions) for record in reading.records] == [0, 1]
        assert [warning.code for warning in reading.warnings] == ["missing_answer"]

    def test_references_are_counted_in_whole_numbers(self, read: Read) -> None:
        counts = ["3", "", "5.0", "-1", "many", "1001"]
        reading = read("s.csv", "question,reference_count\n" + "".join(f"q,{each}\n" for each in counts))
        assert [record.question.reference_count for record in reading.records] == [3, None, 5]
        assert [(error.line, error.code) for error in reading.errors] == [
            (5, "not_a_count"),
            (6, "not_a_count"),
            (7, "not_a_count"),
        ]

    def test_confidence_is_a_number(self, read: Read) -> None:
        reading = read("s.csv", "question,prediction,confidence\na,b,-3.24\nc,d,high\ne,f,\n")
        assert [record.predictions[0].confidence for record in reading.records] == [-3.24, None]
        assert [(error.line, error.code) for error in reading.errors] == [(3, "confidence_not_a_number")]


class TestTraps:
    def test_quotation_marks_are_characters_in_tsv_and_enclose_cells_in_csv(self, read: Read) -> None:
        # Trap 2: an answer that begins with a quotation mark.
        answer = '"Son of a Preacher Man" was released in 1968'
        (tsv,) = read("s.tsv", f"question\tprediction\nq\t{answer}\n").records
        (quoted,) = read("s.tsv", 'question\tprediction\nq\t"a ""b"""\n', quoting="on").records
        (csv,) = read("s.csv", 'question,prediction\nq,"a, ""b"""\n').records
        assert tsv.predictions[0].text == answer
        assert quoted.predictions[0].text == 'a "b"'
        assert csv.predictions[0].text == 'a, "b"'

    @pytest.mark.parametrize(
        ("way", "text", "words"),
        [
            ("keep", "30â€“31 October 2000", "stands for “30–31 October 2000” but is imported unchanged."),
            ("repair", "30–31 October 2000", "corrected to “30–31 October 2000” because it looked garbled."),
        ],
    )
    def test_misread_text_is_reported_and_kept_or_repaired(
        self, read: Read, way: str, text: str, words: str
    ) -> None:
        # Trap 4.
        reading = read(
            "s.jsonl", json.dumps({"question": "q", "answer": ["30â€“31 October 2000"]}), mojibake=way
        )
        assert reading.records[0].question.golds == (Gold(text),)
        (warning,) = reading.warnings
        assert (warning.code, warning.line, warning.column) == ("mojibake", 1, "answer")
        assert words in warning.message

    @pytest.mark.parametrize("text", ["Café", "naïve – so", "東京", "Ãlvaro", "£5"])
    def test_true_text_is_not_taken_for_misread(self, read: Read, text: str) -> None:
        assert not read("s.jsonl", json.dumps({"question": text})).warnings

    def test_a_mapping_to_a_pattern_that_re2_refuses_is_an_error(self, read: Read) -> None:
        reading = read("s.csv", "question,answer\na,(b+\nc,d|e\n", gold_kind="regex")
        assert [(error.line, error.code) for error in reading.errors] == [(2, "bad_pattern")]
        assert reading.records[0].question.golds == (Gold("d|e", is_regex=True),)


class TestMisreadGolds:
    """What exact match would score 0 for good must not come in without a word."""

    def test_a_list_as_pandas_writes_it_is_read(self, read: Read) -> None:
        (record,) = read(
            "a.csv", "question,answers\nwho,\"['William Shakespeare', 'Shakespeare']\"\n"
        ).records
        assert [gold.text for gold in record.question.golds] == ["William Shakespeare", "Shakespeare"]

    def test_a_quoted_list_in_tsv_is_read(self, read: Read) -> None:
        content = 'question\tpossible_answers\nwho\t"[""William Shakespeare"", ""Shakespeare""]"\n'
        found = read("popqa.tsv", content)
        (record,) = found.records
        assert [gold.text for gold in record.question.golds] == ["William Shakespeare", "Shakespeare"]
        assert not found.warnings

    def test_where_marks_are_characters_elsewhere_they_stay_so_and_it_is_told(self, read: Read) -> None:
        content = 'question\tanswers\n"who" is it\t"[""a"", ""b""]"\n"what" is it\tc\n'
        found = read("a.tsv", content)
        assert [gold.text for gold in found.records[0].question.golds] == ['"[""a"", ""b""]"']
        assert [(each.code, each.line) for each in found.warnings] == [("gold_looks_like_list", 2)]

    def test_numpys_lists_that_were_cut_off_are_told(self, read: Read) -> None:
        (warning,) = read("a.csv", "question,answers\nwho,['a' 'b' ... 'z']\n").warnings
        assert (warning.code, warning.line, warning.column) == ("gold_looks_like_list", 2, "answers")

    def test_answers_that_are_probably_none_are_told_and_kept(self, read: Read) -> None:
        found = read("a.csv", "question,prediction\nq,nan\nr,None\ns,\"['a']\"\nt,none of them\n")
        assert [record.predictions[0].text for record in found.records] == [
            "nan",
            "None",
            "['a']",
            "none of them",
        ]
        assert [each.code for each in found.warnings] == [
            "answer_looks_missing",
            "answer_looks_missing",
            "answer_looks_like_list",
        ]

    def test_a_number_beyond_all_bounds_is_refused(self, read: Read) -> None:
        found = read("a.jsonl", '{"question": "q", "prediction": "a", "metadata": {"x": 1e999}}\n')
        assert found.codes == ["not_json"]

    def test_more_columns_than_anybody_has_are_refused_at_once(self, read: Read) -> None:
        header = ",".join(["question", *(f"answer_{number}" for number in range(2_000))])
        assert read("a.csv", f"{header}\nq\n").codes == ["too_many_columns"]
        row = json.dumps({"question": "q", **{f"answer_{number}": "a" for number in range(2_000)}})
        assert read("a.jsonl", f"{row}\n").codes == ["too_many_columns"]


class TestOneMapping:
    """A file of any shape needs its fields named once; what nobody names is left out and said."""

    ROW = {
        "no": 7,
        "input": {"text": "Who?", "lang": "en"},
        "refs": [{"text": "Ann"}, {"text": "A.", "by": "x"}, {}],
        "outputs": [{"message": {"text": "Bea"}}],
        "cost": 3,
    }
    MAP = {"input.text": "question", "refs.text": "gold", "outputs.0.message.text": "prediction:gpt"}

    def test_fields_within_objects_are_columns(self, read: Read) -> None:
        reading = read("s.jsonl", json.dumps(self.ROW), map=self.MAP)
        (record,) = reading.records
        assert (reading.errors, record.question.text) == ([], "Who?")
        assert [gold.text for gold in record.question.golds] == ["Ann", "A."]
        assert [(each.system, each.text) for each in record.predictions] == [("gpt", "Bea")]

    def test_what_nobody_mapped_is_left_out_and_named(self, read: Read) -> None:
        (warning,) = read(
            "s.jsonl", json.dumps(self.ROW) + "\n" + json.dumps(self.ROW), map=self.MAP
        ).warnings
        assert warning.code == "left_out_fields"
        assert "not imported: “no”, “input.lang”, “cost”. " in warning.message

    def test_without_a_mapping_each_is_an_error(self, read: Read) -> None:
        reading = read("s.csv", "question,a,b\nwho,1,2\n")
        assert [error.column for error in reading.errors] == ["a", "b"]
        # What is refused is not left out.
        assert reading.warnings == []

    def test_columns_left_out_on_purpose_are_not_named(self, read: Read) -> None:
        assert read("s.csv", "question,a\nwho,1\n", map={"a": "ignore"}).warnings == []

    def test_columns_left_out_by_an_option_are(self, read: Read) -> None:
        (warning,) = read("s.csv", "question,a\nwho,1\n", unknown_columns="ignore").warnings
        assert "“a”" in warning.message

    def test_refuse_means_with_a_mapping_too(self, read: Read) -> None:
        reading = read("s.csv", "q,a\nwho,1\n", map={"q": "question"}, unknown_columns="refuse")
        assert reading.codes == ["unknown_column"]

    def test_a_field_of_a_column_that_is_not_there_is_an_error(self, read: Read) -> None:
        assert "mapped_column_missing" in read("s.jsonl", '{"id": 1}', map={"input.text": "question"}).codes

    def test_a_column_may_have_a_point_in_its_name(self, read: Read) -> None:
        (record,) = read("s.jsonl", '{"a.b": "Who?", "a": {"b": "no"}}', map={"a.b": "question"}).records
        assert record.question.text == "Who?"

    def test_a_mapped_name_with_a_point_leaves_other_columns_alone(self, read: Read) -> None:
        mapping = {"answer_gpt-3.5": "prediction:GPT-3.5"}
        content = "question,answer,answer_gpt-3,answer_gpt-3.5\nWho?,Ann,Bea,Cat\n"
        reading = read("s.csv", content, map=mapping)
        (record,) = reading.records
        assert (reading.errors, reading.warnings) == ([], [])
        assert {each.system: each.text for each in record.predictions} == {"gpt-3": "Bea", "GPT-3.5": "Cat"}

    @pytest.mark.parametrize("header", ["question,a,a.b", "question,a.b,a"])
    def test_a_column_whose_name_begins_a_mapped_one_is_named_if_left_out(
        self, read: Read, header: str
    ) -> None:
        (warning,) = read("s.csv", f"{header}\nWho?,x,y\n", map={"a.b": "gold"}).warnings
        assert "not imported: “a”. " in warning.message

    def test_a_text_in_place_of_an_object_is_named_as_left_out(self, read: Read) -> None:
        mapping = {"answer_gpt-3.5": "prediction:GPT-3.5"}
        warnings = read("s.csv", "question,answer_gpt-3\nWho?,Bea\n", map=mapping).warnings
        assert "not imported: “answer_gpt-3”. " in warnings[-1].message

    def test_a_name_may_be_a_field_in_one_row_and_a_column_in_another(self, read: Read) -> None:
        rows = [
            '{"question": "a", "output": {"x": "b"}}',
            '{"question": "c", "output": "d", "output.x": "e"}',
        ]
        records = read("s.jsonl", "\n".join(rows), map={"output.x": "prediction:X"}).records
        said = [{each.system: each.text for each in record.predictions} for record in records]
        assert said == [{"X": "b"}, {"s": "d", "X": "e"}]

    @pytest.mark.parametrize(
        "name", ["input.9", "input.text.x", "refs.text.x.y", "outputs.99999999999.a", "." * 99]
    )
    def test_a_place_where_nothing_stands_holds_nothing(self, read: Read, name: str) -> None:
        mapping = {name: "gold", "input.text": "question"}
        reading = read("s.jsonl", json.dumps({**self.ROW, "": 1}), map=mapping)
        assert (reading.errors, reading.records[0].question.golds) == ([], ())

    def test_samples_show_the_fields_within_objects(self, read: Read) -> None:
        samples = ColumnSamples()
        read("s.jsonl", json.dumps(self.ROW), samples=samples)
        seen = {column["name"]: column["values"] for column in samples.to_json()}
        assert seen["input.text"] == ["Who?"]
        assert seen["refs.text"] == ["Ann"]
        assert seen["outputs.message.text"] == ["Bea"]

    def test_samples_show_no_fields_of_what_is_read_as_a_whole(self, read: Read) -> None:
        samples = ColumnSamples()
        row = {"question": "q", "answers": {"text": ["a"]}, "metadata": {"x": 1}}
        read("s.jsonl", json.dumps(row), samples=samples)
        assert [column["name"] for column in samples.to_json()] == ["question", "answers", "metadata"]

    def test_samples_of_a_deep_or_broad_object_are_few(self, read: Read) -> None:
        broad: dict[str, Any] = {f"k{number}": {"x": {"y": {"z": {}}}} for number in range(5_000)}
        samples = ColumnSamples()
        read("s.jsonl", json.dumps({"question": "q", "more": broad}), samples=samples)
        names = [column["name"] for column in samples.to_json()]
        assert len(names) < 200
        assert max(name.count(".") for name in names) == 3
