import json
from pathlib import Path

import pytest

from annotation.items.formats.documents import streaming
from annotation.items.formats.documents.streaming import NAMED, Found, Walk
from annotation.items.formats.records import Problem, Source


class TestChunks:
    """A document is read alike wherever a chunk of it ends."""

    @pytest.mark.parametrize("number", ["-1.5e+3", "0.25", "7E-2", "-120"])
    def test_a_number_may_be_cut_anywhere(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
    ) -> None:
        content = f'{{"id": {{"1": {number}, "2": true}}}}'
        path = tmp_path / "x.json"
        path.write_text(content)
        start = content.index(number)
        for edge in range(start, start + len(number) + 1):
            monkeypatch.setattr(streaming, "JSON_CHUNK_BYTES", edge)
            found = list(Walk(Source("x.json", path), (NAMED, NAMED)).found())
            assert [each.value for each in found if isinstance(each, Found)] == [
                json.loads(number),
                True,
            ], edge

    @pytest.mark.parametrize("number", ["-", "1.", "1.e3", "1e+", "1-2", "01"])
    def test_what_only_looks_like_a_number_is_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: str
    ) -> None:
        path = tmp_path / "x.json"
        path.write_text(f'{{"id": {number}}}')
        for edge in range(1, 12):
            monkeypatch.setattr(streaming, "JSON_CHUNK_BYTES", edge)
            (*_, last) = Walk(Source("x.json", path), (NAMED,)).found()
            assert isinstance(last, Problem), edge
