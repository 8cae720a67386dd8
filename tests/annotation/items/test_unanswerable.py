"""Questions that a file says have no answer come in with a tag and without gold answers."""

from typing import Any

import pytest

from annotation.items.models import Question
from annotation.projects.models import Project
from tests.annotation.items.conftest import import_into, jsonl, upload_to

WHO = "Who wrote the song of the play?"
WHERE = "Where was the play shown?"


def hop(question: str, title: str, *, is_answerable: bool) -> dict[str, Any]:
    """A row as MuSiQue has it."""
    passage = {"idx": 0, "title": title, "paragraph_text": f"{title}.", "is_supporting": is_answerable}
    return {
        "id": f"2hop_{len(question)}",
        "paragraphs": [passage],
        "question": question,
        "question_decomposition": [],
        "answer": "Ann Lee",
        "answer_aliases": ["A. Lee"],
        "answerable": is_answerable,
    }


def stored(project: Project) -> list[tuple[str, list[str], list[str], list[str]]]:
    return [
        (
            question.text,
            question.tags,
            [gold.text for gold in question.gold_answers.order_by("position")],
            [passage.title for passage in question.passages.order_by("position")],
        )
        for question in Question.objects.filter(project=project).order_by("position")
    ]


def test_a_question_without_an_answer_is_tagged(project: Project) -> None:
    rows = [hop(WHO, "Songs", is_answerable=True), hop(WHERE, "Towns", is_answerable=False)]
    made = import_into(project, files={"musique.jsonl": jsonl(rows)})
    assert [each["code"] for each in made.causes] == ["unanswerable", "left_out_fields"]
    assert stored(project) == [
        (WHO, [], ["Ann Lee", "A. Lee"], ["Songs"]),
        (WHERE, ["unanswerable"], [], ["Towns"]),
    ]


@pytest.mark.parametrize("order", [(True, False), (False, True)])
def test_a_question_that_is_asked_both_ways_is_two(project: Project, order: tuple[bool, bool]) -> None:
    rows = [hop(WHO, str(is_answerable), is_answerable=is_answerable) for is_answerable in order]
    import_into(project, files={"musique.jsonl": jsonl([*rows, *rows])})
    assert sorted(stored(project)) == sorted(
        [
            (WHO, [], ["Ann Lee", "A. Lee"], ["True"]),
            (WHO, ["unanswerable"], [], ["False"]),
        ]
    )


@pytest.mark.parametrize(
    ("column", "cell", "is_tagged"),
    [
        ("is_impossible", "True", True),
        ("is_impossible", "False", False),
        ("answerable", "0", True),
        ("Is answerable", "", False),
    ],
)
def test_a_table_says_it_in_a_word(project: Project, column: str, cell: str, is_tagged: bool) -> None:
    import_into(project, files={"q.csv": f"question,gold,{column}\n{WHO},Ann Lee,{cell}\n"})
    golds = [] if is_tagged else ["Ann Lee"]
    assert stored(project) == [(WHO, ["unanswerable"] if is_tagged else [], golds, [])]


def test_another_word_is_refused_with_its_place(project: Project) -> None:
    made = upload_to(project, files={"q.csv": f"question,gold,answerable\n{WHO},Ann Lee,perhaps\n"})
    (cause,) = made.causes
    assert (cause["code"], cause["line"], cause["column"]) == ("not_a_truth", 2, "answerable")
    assert "“perhaps”" in cause["message"]
