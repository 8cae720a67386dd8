"""Files of failure tags: what stands now, and an item's ids as in all other files."""

import csv
import io
import json

from annotation.projects.models import Membership, Project
from annotation.release.selectors.formats import find_format
from judges.runs.models import JudgeRun
from judges.tagging.rules.rounds import Filter, Said
from judges.tagging.services import tag_item
from tests.judges.tagging.conftest import Starter, item_of


def lines_of(project: Project, key: str, *, limit: int | None = None) -> list[str]:
    form = find_format(key)
    assert form is not None
    return list(form.lines(project=project, limit=limit))


class TestTaggings:
    def test_say_what_was_tagged_by_whom(self, study: Project, member: Membership, start: Starter) -> None:
        tagging_round = start(name="First look")
        item = item_of(tagging_round, "the city of Paris")
        tag_item(item=item, by=member, tags=["bridging"], seen_number=0)
        tag_item(item=item, by=member, tags=["list", "bridging"], seen_number=1, note="two\nlines")
        (line,) = lines_of(study, "taggings-jsonl")
        row = json.loads(line)
        assert row == {
            "round": "First look",
            "tag_set": str(tagging_round.tag_set),
            "question_id": "1",
            "item_id": item.candidate.public_id if item.candidate else "",
            "question": "capital of france",
            "answer": "the city of Paris",
            "judge": "",
            "accepted": None,
            "tags": item.taggings.get(is_current=True).tags,
            "unattributable": False,
            "note": "two\nlines",
            "tagger": member.pseudonym,
            "tagged_at": row["tagged_at"],
        }
        assert len(row["tags"]) == 2
        (of_table,) = csv.DictReader(io.StringIO("".join(lines_of(study, "taggings-csv"))))
        same = {"accepted": "", "tags": ",".join(row["tags"]), "unattributable": "false"}
        assert of_table == {**row, **same}

    def test_name_the_verdict_that_was_tagged(
        self, study: Project, member: Membership, start: Starter, exact: JudgeRun
    ) -> None:
        tagging_round = start("evouna-evaluators", Filter(run=exact.public_id, said=Said.ERRS))
        tag = tagging_round.tag_set.as_spec().tags[0].key
        tag_item(item=item_of(tagging_round, "William S."), by=member, tags=[tag], seen_number=0)
        (row,) = csv.DictReader(io.StringIO("".join(lines_of(study, "taggings-csv"))))
        assert (row["judge"], row["accepted"], row["tags"]) == (exact.signature, "false", tag)

    def test_leave_out_what_was_withdrawn(self, study: Project, member: Membership, start: Starter) -> None:
        item = item_of(start(), "Paris")
        tag_item(item=item, by=member, tags=["list"], seen_number=0)
        item.taggings.update(is_withdrawal=True)
        assert lines_of(study, "taggings-jsonl") == []
        assert find_format("taggings-csv").count(study) == 0

    def test_a_preview_has_only_so_many(self, study: Project, member: Membership, start: Starter) -> None:
        tagging_round = start()
        for text in ("Paris", "Pacific", "Marlowe"):
            tag_item(item=item_of(tagging_round, text), by=member, tags=["list"], seen_number=0)
        rows = lines_of(study, "taggings-jsonl")
        assert len(rows) == 3
        assert lines_of(study, "taggings-jsonl", limit=2) == rows[:2]
