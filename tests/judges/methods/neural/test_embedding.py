"""Embeddings and the examples chosen by them."""

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

from judges.methods.neural.embedding import choose_examples, embed_by_words
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


def _items(count: int) -> list[JudgeInput]:
    subjects = ("river Danube", "song Yesterday", "year 1962", "city Vienna")
    return [
        JudgeInput(f"which {subjects[place % 4]}", f"{subjects[place % 4]} {place}", (subjects[place % 4],))
        for place in range(count)
    ]


class TestChooseExamples:
    def test_takes_one_of_each_kind(self) -> None:
        chosen = choose_examples(_items(40), count=4, seed=5)
        assert sorted(place % 4 for place in chosen) == [0, 1, 2, 3]

    def test_is_the_same_for_a_seed(self) -> None:
        one, other = (choose_examples(_items(600), seed=7) for _ in range(2))
        assert one == other
        assert len(set(one)) == 4

    def test_takes_all_where_there_are_few(self) -> None:
        assert choose_examples(_items(3), seed=0) == (0, 1, 2)
        assert choose_examples([], seed=0) == ()

    def test_does_without_words(self) -> None:
        chosen = choose_examples([JudgeInput("", "", ())] * 6, seed=0)
        assert chosen == (0,)
