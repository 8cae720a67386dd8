"""A decided study whose answers can be tagged, by rounds drawn as a lead draws them."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.projects.models import Membership, Project
from judges.runs.models import JudgeRun
from judges.tagging.models import TaggingRound
from judges.tagging.rules.rounds import Filter
from judges.tagging.services import start_round, tag_item
from tests.judges.comparison.conftest import make_run
from tests.judges.tagging.conftest import exact, item_of, member, study

__all__ = ["exact", "member", "study"]

Tagger = Callable[..., TaggingRound]


@pytest.fixture
def tag(study: Project, member: Membership) -> Tagger:
    """Draw a round and tag its answers, given by text; a text may have several tags, none marks it."""

    def tag_answers(set_key: str, wanted: Filter, tags: dict[str, list[str]], **fields: Any) -> TaggingRound:
        given: dict[str, Any] = {"name": "", "size": None, "seed": 1, **fields}
        found = start_round(project=study, by=study.created_by, set_key=set_key, wanted=wanted, **given)
        for text, keys in tags.items():
            tag_item(
                item=item_of(found, text), by=member, tags=keys, seen_number=0, is_unattributable=not keys
            )
        return found

    return tag_answers


@pytest.fixture
def bem(study: Project) -> JudgeRun:
    """A judge that mends one of exact match's two misses and accepts the wrong answer."""
    return make_run(study, "bem", {"the city of Paris": 0.9, "Paris": 1.0, "William S.": 0.1, "Marlowe": 0.8})
