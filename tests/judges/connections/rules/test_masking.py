"""Whatever a server says of its key, none of it remains."""

import json
import re
import string
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judges.connections.rules.keys import PART, hide_key
from judges.methods.llm.client import Completion
from tests.judges.connections.conftest import KEY

KEYS = st.text(string.ascii_letters + string.digits + "-_.+/=", min_size=PART, max_size=80)
TEXTS = st.text(max_size=30)


def parts_of(text: str) -> set[str]:
    return {text[at : at + PART] for at in range(len(text) - PART + 1)}


class TestHideKey:
    @given(key=KEYS, before=TEXTS, after=TEXTS, data=st.data())
    @example(key=KEY, before="", after="", data=None)
    def test_leaves_no_part_of_it(
        self, key: str, before: str, after: str, data: st.DataObject | None
    ) -> None:
        start = data.draw(st.integers(0, len(key) - PART)) if data else 0
        end = data.draw(st.integers(start + PART, len(key))) if data else len(key)
        hidden = hide_key(before + key[start:end] + after, key=key)
        assert parts_of(hidden).isdisjoint(parts_of(key))

    @given(key=KEYS, before=st.binary(max_size=7), after=st.binary(max_size=7))
    def test_nor_of_its_base64(self, key: str, before: bytes, after: bytes) -> None:
        for encode in (b64encode, urlsafe_b64encode):
            said = encode(before + key.encode() + after).decode()
            at = (len(before) + 2) // 3 * 4
            settled = said[at : (len(before) + len(key)) // 3 * 4]
            assert parts_of(hide_key(said, key=key)).isdisjoint(parts_of(settled))

    @pytest.mark.parametrize(
        "form",
        [
            KEY.upper(),
            KEY.encode().hex(),
            quote(KEY),
            "".join(f"%{ord(sign):02X}" for sign in KEY),
            f"{KEY[:9]} {KEY[9:]}",
            "".join(f"%25{ord(sign):02x}" for sign in KEY),
            "".join(f"\\u{ord(sign):04x}" for sign in KEY),
            "".join(f"\\\\x{ord(sign):02X}" for sign in KEY),
            "".join(f"&#{ord(sign)};" for sign in KEY),
            "".join(f"&#x{ord(sign):x};" for sign in KEY),
            "".join(chr(ord(sign) + 0xFEE0) for sign in KEY),
            "".join(f"\\u{ord(sign) + 0xFEE0:04x}" for sign in KEY),
            KEY.encode().hex(":"),
            " ".join(f"0x{ord(sign):02x}" for sign in KEY),
            "\\u200b".join(KEY),
            *(sep.join(KEY) for sep in ("\n", "\r\n    ", "\\n", "\u200b", "\u00ad", '", "')),
            "\n".join(re.findall(".{1,7}", KEY)),
            # But for the last group, which is of the key and of what follows it.
            "\n".join(re.findall(".{1,6}", b64encode(KEY.encode()).decode()[:28])),
            # Shorter than what merely looks like a key, without its prefix.
            KEY.removeprefix("sk-"),
        ],
    )
    def test_nor_of_other_usual_forms(self, form: str) -> None:
        assert set(hide_key(f"so {form}", key=KEY).split()) <= {"so", "[key]"}

    def test_hides_of_a_json_text_only_what_stands_between_its_quotes(self) -> None:
        escaped = "".join(f"\\u{ord(sign):04x}" for sign in KEY)
        said = f'{{"tags": ["dates"], "reason": "{escaped} \u00e9 100% \\n"}}'
        assert json.loads(hide_key(said, key=KEY)) == {"tags": ["dates"], "reason": "[key] \u00e9 100% \n"}

    def test_keeps_what_a_reply_says_besides(self) -> None:
        assert hide_key(f"Yes. ({KEY}) No.", key=KEY) == "Yes. ([key]) No."

    @given(TEXTS)
    def test_changes_nothing_where_there_is_no_key(self, text: str) -> None:
        assert hide_key(text, key="") == text

    def test_takes_a_word_of_three_letters_for_no_secret(self) -> None:
        assert hide_key("Yes", key="Yes") == "Yes"
        assert hide_key("I know EMPTY", key="EMPTY") == "I know [key]"

    def test_reaches_every_text_of_a_completion(self) -> None:
        words = Completion(KEY, KEY, KEY, KEY, logprobs=((KEY, -0.1), ("Yes", -2.0)))
        hidden = hide_key(words, key=KEY)
        assert isinstance(hidden, Completion)
        assert KEY not in repr(hidden)
        assert hidden.logprobs == (("[key]", -0.1), ("Yes", -2.0))
