"""Classifiers: what is cut when it is too long, and in which order the numbers come."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.methods.neural.pretrained import Logits, Packed, fit_parts, load_classifier
from judges.protocol import NotWanted, looking


class TestFitParts:
    def test_cuts_the_longest(self) -> None:
        assert fit_parts([[1, 2, 3, 4, 5], [6], [7, 8]], room=6) == [[1, 2, 3], [6], [7, 8]]

    @given(st.lists(st.lists(st.integers(), max_size=9), min_size=1, max_size=3), st.integers(-1, 20))
    def test_keeps_beginnings_and_fits(self, parts: list[list[int]], room: int) -> None:
        fitted = fit_parts(parts, room=room)
        assert sum(map(len, fitted)) == min(sum(map(len, parts)), max(room, 0))
        assert all(part[: len(kept)] == kept for part, kept in zip(parts, fitted, strict=True))


class TestClassifier:
    TEXTS = [
        ("rain", "vienna", "who"),
        ("x", "y", "z"),
        ("rain", "vienna", "who"),
        ("who " * 99, "x", "city"),
    ]

    def test_gives_a_row_an_input_and_a_column_a_label(self, classifier_folder: str) -> None:
        logits = load_classifier(classifier_folder, labels=2).logits(self.TEXTS)
        assert logits.shape == (4, 2)
        assert np.array_equal(logits[0], logits[2])
        assert not np.allclose(logits[0], logits[1])

    @pytest.mark.parametrize("texts", [[], TEXTS[:1]])
    def test_takes_any_number(self, classifier_folder: str, texts: list[tuple[str, ...]]) -> None:
        assert load_classifier(classifier_folder, labels=2).logits(texts).shape == (len(texts), 2)

    def test_fits_long_texts_into_the_model(self, classifier_folder: str) -> None:
        classifier = load_classifier(classifier_folder, labels=2)
        [(ids, segments)] = classifier._pack([("who " * 99, "x " * 99, "city")])
        assert len(ids) == len(segments) == 64
        assert ids[-2:] == (classifier._tokenizer.convert_tokens_to_ids("city"), ids[-1])
        assert sorted(set(segments)) == [0, 1]

    def test_looks_before_each_step_and_stops_where_nobody_wants_the_rest(
        self, classifier_folder: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        classifier = load_classifier(classifier_folder, labels=2)
        run, steps = classifier._run, list[str]()

        def note(group: list[Packed]) -> Logits:
            steps.append("run")
            return run(group)

        monkeypatch.setattr(classifier, "_run", note)
        # Of four lengths: nothing is padded, so each is a step of its own.
        texts = [("who " * length, "x", "city") for length in range(1, 5)]
        with looking(lambda: steps.append("look")):
            classifier.logits(texts)
        assert steps == ["look", "run"] * 4
        steps.clear()

        def cancel() -> None:
            if steps:
                raise NotWanted

        with looking(cancel), pytest.raises(NotWanted):
            classifier.logits(texts)
        assert steps == ["run"]
