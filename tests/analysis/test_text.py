"""Normalization: worked examples, and the key on which real files meet."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.text import normalize_answer, question_key, tokens, transliterate
from benchmarks.baselines import squad_loop

OPENQA_EVAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "openqa-eval"


class TestNormalizeAnswer:
    @pytest.mark.parametrize(
        ("typed", "normalized"),
        [
            ("The Beatles", "beatles"),
            ("  an   Apple\ta day\n", "apple day"),
            ("U.S. $1,499", "us 1499"),
            ("Röntgen", "röntgen"),
            ("30–31 October", "30–31 october"),
            ("theatre of a-ha", "theatre of aha"),
            ("“A” team", "“ ” team"),
            ("a.", ""),
            ("", ""),
        ],
    )
    def test_follows_squad(self, typed: str, normalized: str) -> None:
        assert normalize_answer(typed) == normalized

    def test_puts_nothing_in_place_of_punctuation(self) -> None:
        assert normalize_answer("new-york") == "newyork"

    @given(st.text())
    def test_leaves_no_ascii_punctuation_and_no_outer_space(self, text: str) -> None:
        normalized = normalize_answer(text)
        assert normalized == normalized.strip()
        assert not set(normalized) & set("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~")


class TestTokens:
    def test_are_the_words_of_the_normalized_answer(self) -> None:
        assert tokens("The 14th of December, 1972") == ["14th", "of", "december", "1972"]

    def test_are_none_where_nothing_remains(self) -> None:
        assert tokens("The...") == []


class TestQuestionKey:
    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("who wrote He Ain’t Heavy", "who wrote he ai n't heavy"),
            ("DON'T you (forget)", "do n't you ( forget )"),
            ("I wanna gimme", "i wan na gim me"),
            ("who sang x ?", "Who sang X"),
            ("1990--2000", "1990 _ 2000"),
        ],
    )
    def test_joins_tokenized_and_plain_files(self, one: str, other: str) -> None:
        assert question_key(one) == question_key(other)

    def test_keeps_cannot_and_unlisted_contractions_whole(self) -> None:
        assert question_key("cannot isn't") == "cannot isn ' t"

    def test_splits_only_whole_words(self) -> None:
        assert question_key("gimmer condon't") == "gimmer condon ' t"

    def test_drops_one_final_question_mark_only(self) -> None:
        assert question_key("what??") == "what ?"

    def test_keeps_combining_marks_inside_their_word(self) -> None:
        assert question_key("Cafe\u0301 \u0928\u093f") == "cafe\u0301 \u0928\u093f"

    def test_sets_apart_the_underscore(self) -> None:
        assert question_key("a_b") == "a _ b"

    @given(st.text(alphabet=st.characters(codec="utf-8", categories=["L", "N", "P", "Z"])))
    def test_ignores_outer_white_space(self, text: str) -> None:
        assert question_key(f" {text}\n") == question_key(text)


@pytest.mark.skipif(not OPENQA_EVAL.is_dir(), reason="needs ../shared/data/openqa-eval")
class TestOnOpenQAEval:
    def test_all_files_meet_on_the_same_301_questions(self) -> None:
        judged = _column("NQ301_human.tsv")
        keys = set(map(question_key, judged))
        assert len(keys) == 301
        for name in ("NQ301_BEM.tsv", "NQ301_gpt-4.tsv"):
            assert set(map(question_key, _column(name))) == keys
        # The tab after the question is missing in this one.
        joined = _column("NQ301_text-davinci-003.tsv")
        pairs = zip(judged, joined, strict=True)
        assert all(question_key(row[: len(question)]) in keys for question, row in pairs)
        outputs = sorted((OPENQA_EVAL / "model_outputs").glob("*.jsonl"))
        assert len(outputs) == 12
        for path in outputs:
            lines = path.read_text(encoding="utf-8").splitlines()
            assert keys <= {question_key(json.loads(line)["question"]) for line in lines}


def _column(name: str) -> list[str]:
    rows = (OPENQA_EVAL / name).read_text(encoding="utf-8").split("\n")[1:]
    return [row.split("\t")[1] for row in rows if row]


class TestNormalizeAnswerAsTheScript:
    """However it is made faster, it stays what SQuAD's script does."""

    _PIECES = (
        *"aAnN tTheE\t\n\x01\x1c\x7f.,-_'1é“”—İß\u00a0\u2003\u0301中\ud800",
        *(" the ", " a ", "an", "the", "The"),
    )

    @given(st.lists(st.sampled_from(_PIECES)).map("".join))
    def test_deletes_replaces_and_squeezes_the_same(self, text: str) -> None:
        assert normalize_answer(text) == squad_loop.normalize(text)

    @given(st.text())
    def test_on_any_text(self, text: str) -> None:
        assert normalize_answer(text) == squad_loop.normalize(text)

    def test_on_texts_too_long_to_be_kept(self) -> None:
        assert normalize_answer("The  cat! " * 1000) == " ".join(["cat"] * 1000)


class TestTransliterate:
    @pytest.mark.parametrize(
        ("text", "ascii_text"), [("Zoë", "Zoe"), ("plain", "plain"), ("Москва", "Moskva")]
    )
    def test_spells_in_ascii(self, text: str, ascii_text: str) -> None:
        assert transliterate(text) == ascii_text
