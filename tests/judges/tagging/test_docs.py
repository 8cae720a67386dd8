from pathlib import Path

from judges.tagging.rules.ready_made import READY_MADE

DOCS = Path(__file__).parents[3] / "docs" / "failure-modes.md"


class TestDocs:
    def test_tell_every_ready_made_tag_in_the_words_of_the_table(self) -> None:
        text = DOCS.read_text(encoding="utf-8")
        for spec in READY_MADE.values():
            assert f"### `{spec.key}`: {spec.name}" in text
            for tag in spec.tags:
                row = f"| `{tag.key}` | {tag.group or '–'} | **{tag.name}.** {tag.meaning} | {tag.example} |"
                assert row in text
