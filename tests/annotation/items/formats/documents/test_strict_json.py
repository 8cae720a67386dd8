import json
from typing import Any

import pytest

from annotation.items.formats.documents.strict_json import BadJson, loads


class TestLoads:
    @pytest.mark.parametrize(
        ("text", "code"),
        [
            (r'{"a": ["b", {"c": "\u0000"}]}', "nul_character"),
            (r'{"a\u0000": 1}', "nul_character"),
            (r'["\uDFff"]', "half_character"),
            (r'["\udE00\ud83d"]', "half_character"),
            (r'["\\\ud800"]', "half_character"),
            (r'{"a": 1, "a": 2}', "repeated_key"),
            ("[NaN]", "not_json"),
            ("[1e999]", "not_json"),
            ("[1] 2", "not_json"),
            ("[" * 50_000, "too_deep"),
        ],
    )
    def test_it_refuses_what_cannot_be_used_by_its_code(self, text: str, code: str) -> None:
        with pytest.raises(BadJson) as refused:
            loads(text)
        assert refused.value.code == code

    @pytest.mark.parametrize(
        "text",
        [r'["\ud83d\ude00"]', r'["\\u0000", "\\ud800"]', r'{"\uD7FF": "\u0001 \u00e9"}', ' {"a": [1.5]} '],
    )
    def test_it_reads_what_only_looks_so(self, text: str) -> None:
        found: Any = loads(text)
        assert found == json.loads(text)
