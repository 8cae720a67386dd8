"""What a check and an import do grows with the file and no faster, whatever stands in it.

Their steps are counted (`tests.counted_work`), and with them every query and each of its parameters.
"""

import json
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest
from django.db import connection

from annotation.items.models import DataImport
from annotation.projects.models import Project
from annotation.projects.presets import find_preset
from annotation.projects.services.protocols import set_protocol
from tests.annotation.items.conftest import uploads_of
from tests.counted_work import Counter, counted
from tests.routes import rolled_back

pytestmark = pytest.mark.long

# Doubling the file may at most double the steps; the rest is for what each import costs once.
MARGIN = 2.5
SIZE = 150
# Without the replay of their votes files may be longer, so that little things are seen, too.
LONG_SIZE = 800
# All that has a share in it and defines no tables.
COUNTED = (
    "analysis",
    "annotation.items.formats",
    "annotation.items.rules",
    "annotation.items.selectors",
    "annotation.items.services",
    "annotation.assignments.rules",
    "annotation.assignments.selectors",
    "annotation.assignments.services",
    "annotation.judgments.selectors",
    "annotation.judgments.services",
    "annotation.adjudication.rules",
    "annotation.adjudication.selectors",
    "annotation.adjudication.services",
    "annotation.gold.rules.ledger",
    "annotation.gold.selectors.ledger",
    "annotation.gold.services.ledger",
    "judges.runs.rules",
    "judges.runs.services",
)


class Shape:
    """A sort of file: its text by size, and what stands in the project before."""

    def __init__(
        self,
        make: Callable[[int], str],
        *,
        name: str,
        format_key: str,
        preset: str = "",
        before: Callable[[int], str] | None = None,
        **options: str,
    ) -> None:
        self.make = make
        # A table of predictions that is in the project already.
        self.before = before
        self.name = name
        self.format_key = format_key
        self.preset = preset or "openqa-eval"
        self.options = options


def _table(*header: str, row: Callable[[int], tuple[str, ...]]) -> Callable[[int], str]:
    return lambda size: "".join("\t".join(each) + "\n" for each in (header, *map(row, range(size))))


def _line(make: Callable[[int], dict[str, Any]]) -> Callable[[int], str]:
    return lambda size: json.dumps(make(size)) + "\n"


ITEMS = ("question", "system", "prediction", "gold")
VOTES = ("Question", "Model answer", "annotator1", "annotator2")
VERDICTS = ("Question", "Model answer", "Acceptable?")
SHAPES = {
    "questions": Shape(
        _table(*ITEMS, row=lambda n: (f"question {n}", "dpr", f"answer {n}", "gold")),
        name="a.tsv",
        format_key="generic",
    ),
    "systems of one question": Shape(
        _table(*ITEMS, row=lambda n: ("who", f"system {n}", f"answer {n}", "gold")),
        name="a.tsv",
        format_key="generic",
    ),
    "equal answers of one question": Shape(
        _table(*ITEMS, row=lambda n: ("who", f"system {n}", "answer", "gold")),
        name="a.tsv",
        format_key="generic",
    ),
    "repeated rows": Shape(
        _table(*ITEMS, row=lambda n: ("who", "dpr", "answer", "gold")), name="a.tsv", format_key="generic"
    ),
    "many golds, then rows with one": Shape(
        lambda size: "".join(
            json.dumps(row) + "\n"
            for row in (
                {
                    "question": "who",
                    "answer": [f"gold {n}" for n in range(size)],
                    "prediction": "a",
                    "system": "a",
                },
                *(
                    {"question": "who", "answer": ["b"], "prediction": "a", "system": f"s{n}"}
                    for n in range(size)
                ),
            )
        ),
        name="a.jsonl",
        format_key="generic",
    ),
    "linked predictions": Shape(
        _table(*ITEMS, row=lambda n: ("who", f"system {n}", f"Answer {n}", "gold")),
        name="a.tsv",
        format_key="generic",
        candidates="votes",
    ),
    "patterns of one question": Shape(
        lambda size: "".join(f"1 pattern{n}\n" for n in range(size)),
        name="a.txt",
        format_key="trec-patterns",
        before=_table(*ITEMS, "id", row=lambda n: (f"question {n}", "dpr", f"answer {n}", "gold", str(n))),
    ),
    "votes on answers of one question": Shape(
        _table(*VOTES, row=lambda n: ("who", f"answer {n}", "Yes", "No")),
        name="a.tsv",
        format_key="openqa-eval-votes",
    ),
    "votes on one answer": Shape(
        _table(*VOTES, row=lambda n: ("who", "answer", "Yes", "No")),
        name="a.tsv",
        format_key="openqa-eval-votes",
        keep_duplicate_rows="no",
    ),
    "votes on one answer, each row kept": Shape(
        _table(*VOTES, row=lambda n: ("who", "answer", "Yes", "No")),
        name="a.tsv",
        format_key="openqa-eval-votes",
        keep_duplicate_rows="yes",
    ),
    "votes on questions": Shape(
        _table(*VOTES, row=lambda n: (f"who {n}", "answer", "Yes", "Yes")),
        name="a.tsv",
        format_key="openqa-eval-votes",
    ),
    "decided answers of one question": Shape(
        _line(
            lambda size: {
                "question": "who",
                "answer": ["gold"],
                "def_correct_predictions": [f"right {n}" for n in range(size)],
                "poss_correct_predictions": ["same"] * size,
                "def_incorrect_predictions": [f"wrong {n}" for n in range(size)],
                "answer_and_def_correct_predictions": ["gold", *(f"right {n}" for n in range(size))],
            }
        ),
        name="a.jsonl",
        format_key="efficientqa-release",
        preset="efficientqa",
    ),
    "verdicts on one question": Shape(
        _table(*VERDICTS, row=lambda n: ("who", f"answer {n}", "Yes")),
        name="a.tsv",
        format_key="openqa-eval-verdicts",
        before=_table(*ITEMS, row=lambda n: ("who", f"system {n}", f"answer {n}", "gold")),
    ),
}


class Counted(NamedTuple):
    """Copies that count: of the two steps of an import, and of the module of the second."""

    create_import: Callable[..., DataImport]
    confirm_import: Callable[..., object]
    applying: ModuleType


@pytest.fixture(scope="module")
def counting() -> Iterator[tuple[Counted, Counter]]:
    with counted(*COUNTED) as (load, counter):
        uploads, applying = map(
            load, ("annotation.items.services.uploads", "annotation.items.services.applying")
        )
        yield Counted(uploads.create_import, applying.confirm_import, applying), counter


def steps_of(
    counting: tuple[Counted, Counter], shape: Shape, project: Project, size: int, *, is_replayed: bool
) -> dict[str, int]:
    """Return what checking a file takes, what bringing it in takes, and then the replay of its votes."""
    services, counter = counting
    applying = services.applying
    taken: dict[str, int] = {}

    def count_query(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        counter.steps += 1 + len(params or ())
        return execute(sql, params, many, context)

    def replay(*arguments: Any) -> None:
        taken["bringing in"], counter.steps = counter.steps, 0
        if is_replayed:
            as_it_is(*arguments)

    as_it_is = applying._replay
    with (
        rolled_back(),
        connection.execute_wrapper(count_query),
        patch.object(applying, "_replay", replay),
    ):
        found = find_preset(shape.preset)
        assert found is not None
        set_protocol(project=project, spec=found.protocol.to_spec())
        if shape.before:
            services.confirm_import(
                data_import=check(services, project, "b.tsv", shape.before(size), "generic", {})
            )
        counter.steps = 0
        data_import = check(services, project, shape.name, shape.make(size), shape.format_key, shape.options)
        taken["check"], counter.steps = counter.steps, 0
        services.confirm_import(data_import=data_import)
        taken["replay" if "bringing in" in taken else "bringing in"] = counter.steps
        assert data_import.state == "applied", data_import.message
    return taken


def check(
    services: Counted, project: Project, name: str, text: str, format_key: str, options: dict[str, str]
) -> DataImport:
    made: DataImport = services.create_import(
        project=Project.objects.select_related("protocol").get(pk=project.pk),
        by=project.created_by,
        files=uploads_of({name: text}),
        format_key=format_key,
        options=options,
    )
    assert made.state == "ready", made.problems[:3]
    return made


def grown(
    counting: tuple[Counted, Counter], shape: Shape, project: Project, size: int, **how: bool
) -> dict[str, str]:
    """Return what takes more than its share for a file twice as long, with both counts."""
    once, twice = (steps_of(counting, shape, project, each, **how) for each in (size, 2 * size))
    return {
        part: f"{once[part]:,} steps, then {twice[part]:,}"
        for part in once
        if twice[part] > MARGIN * once[part]
    }


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_twice_as_long_takes_at_most_twice_the_steps(
    name: str, counting: tuple[Counted, Counter], project: Project
) -> None:
    has_votes = SHAPES[name].format_key == "openqa-eval-votes"
    size = LONG_SIZE if has_votes else SIZE
    assert grown(counting, SHAPES[name], project, size, is_replayed=False) == {}


@pytest.mark.parametrize("name", [name for name in SHAPES if name.startswith("votes")])
def test_replaying_twice_as_many_votes_takes_at_most_twice_the_steps(
    name: str, counting: tuple[Counted, Counter], project: Project
) -> None:
    assert grown(counting, SHAPES[name], project, SIZE, is_replayed=True) == {}
