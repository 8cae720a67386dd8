from dataclasses import asdict
from typing import Any

import pytest

from judges.tagging.rules.ready_made import READY_MADE
from judges.tagging.rules.sets import Subject, UnusableSet, read_set

TAG = {"key": "vague", "name": "Vague", "meaning": "It commits itself to nothing."}


def make(**fields: Any) -> Any:
    given = {"key": "own", "name": "Own", "summary": "", "subject": "answer", "several": True, "tags": [TAG]}
    return read_set(**{**given, **fields})


class TestReadyMadeSets:
    def test_are_the_four_of_the_papers(self) -> None:
        assert {key: (spec.subject, len(spec.tags)) for key, spec in READY_MADE.items()} == {
            "kamalloo": (Subject.ANSWER, 14),
            "efficientqa": (Subject.ANSWER, 11),
            "evouna-answers": (Subject.ANSWER, 6),
            "evouna-evaluators": (Subject.VERDICT, 12),
        }

    @pytest.mark.parametrize("key", READY_MADE)
    def test_can_be_read_back_and_give_every_tag_a_meaning_and_an_example(self, key: str) -> None:
        spec = READY_MADE[key]
        read = read_set(**{**asdict(spec), "tags": [tag.to_json() for tag in spec.tags]})
        assert read == spec
        assert read.content_hash == spec.content_hash
        assert all(tag.meaning and tag.example for tag in spec.tags)
        assert len({tag.example for tag in spec.tags}) == len(spec.tags)

    def test_one_tag_an_answer_where_published_shares_add_up_to_the_error_rate(self) -> None:
        assert [key for key, spec in READY_MADE.items() if not spec.several] == ["evouna-answers"]


class TestReadSet:
    @pytest.mark.parametrize(
        ("fields", "field"),
        [
            ({"key": "Not a key"}, "key"),
            ({"name": " "}, "name"),
            ({"tags": []}, "tags"),
            ({"tags": [TAG, TAG]}, "tags"),
            ({"tags": [{**TAG, "meaning": ""}]}, "tags"),
            ({"tags": [{**TAG, "key": "a b"}]}, "tags"),
            ({"tags": [{**TAG, "key": f"tag-{number}"} for number in range(31)]}, "tags"),
        ],
    )
    def test_refuses_what_cannot_be_used(self, fields: dict[str, Any], field: str) -> None:
        with pytest.raises(UnusableSet) as refused:
            make(**fields)
        assert refused.value.field == field

    def test_any_word_changed_is_another_hash(self) -> None:
        hashes = {
            make().content_hash,
            make(name="Other").content_hash,
            make(several=False).content_hash,
            make(tags=[{**TAG, "meaning": "Other."}]).content_hash,
        }
        assert len(hashes) == 4
