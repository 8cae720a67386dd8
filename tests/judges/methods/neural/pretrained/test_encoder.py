"""Encoders: grouping without padding, one computation a text, one loading a process."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from judges.methods.neural.pretrained import Encoder, Vectors, group_by_length, load_encoder
from judges.protocol import looking


class TestGroupByLength:
    @given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple)), st.integers(1, 20))
    def test_keeps_each_once_among_its_like(self, sequences: list[tuple[int, ...]], most: int) -> None:
        groups = list(group_by_length(sequences, most=most))
        assert sorted(each for group in groups for each in group) == sorted(set(sequences))
        for group in groups:
            assert len({len(each) for each in group}) == 1
            assert len(group) == 1 or len(group) * len(group[0]) <= most


class TestEncoder:
    def test_computes_equal_texts_once(self, encoder_folder: str) -> None:
        loaded = load_encoder(encoder_folder)
        rows: list[int] = []

        def run(ids: NDArray[np.int64]) -> Vectors:
            rows.append(len(ids))
            return loaded._run(ids)

        counting = Encoder(tokenizer=loaded._tokenizer, run=run, longest=64)
        found = counting.encode(counting.tokenize(["Rain", "rain ", "city", "danube river"]))
        assert sum(rows) == len(found) == 3

    def test_gives_each_token_a_vector(self, encoder_folder: str) -> None:
        encoder = load_encoder(encoder_folder)
        [ids] = encoder.tokenize(["danube river"])
        assert len(ids) == 4
        assert encoder.encode([ids])[ids].shape == (4, 32)

    def test_cuts_what_is_too_long(self, encoder_folder: str) -> None:
        encoder = load_encoder(encoder_folder)
        assert [len(ids) for ids in encoder.tokenize(["rain " * 100])] == [64]
        short = Encoder(tokenizer=encoder._tokenizer, run=encoder._run, longest=10)
        assert [len(ids) for ids in short.tokenize(["rain " * 100])] == [10]

    def test_is_loaded_once(self, encoder_folder: str) -> None:
        assert load_encoder(encoder_folder) is load_encoder(encoder_folder)
        assert load_encoder(encoder_folder) is not load_encoder(encoder_folder, layer=1)

    def test_holds_two_at_most(self) -> None:
        assert load_encoder.cache_info().maxsize == 2

    def test_looks_before_each_step(self, encoder_folder: str) -> None:
        encoder = load_encoder(encoder_folder)
        looks: list[None] = []
        with looking(lambda: looks.append(None)):
            encoder.encode(encoder.tokenize(["rain", "rain vienna", "rain vienna who"]))
        assert len(looks) == 3
