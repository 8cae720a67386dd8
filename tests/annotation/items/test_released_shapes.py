"""Each file of `../shared/data/shapes` comes in without an option, and what it holds is stored as it says."""

from typing import NamedTuple

import pytest

from annotation.items.models import GoldAnswer, Question
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from tests.annotation.items.conftest import import_into, jsonl
from tests.conftest import DATA

FOLDER = DATA / "shapes"
NAMES = sorted(path.name for path in FOLDER.glob("*") if path.name != "README.md")

HAMLET = "who wrote the play hamlet"
AUSTRALIA = "what is the capital of australia"
BOTH = ("William Shakespeare", "Shakespeare")
ONE = BOTH[:1]
TRAGEDY = "Hamlet is a tragedy written by William Shakespeare between 1599 and 1601."


class Stored(NamedTuple):
    """A question as it is stored, with all that belongs to it."""

    text: str
    golds: tuple[str, ...] = ()
    id: str = ""
    tags: tuple[str, ...] = ()
    dataset: str = ""
    patterns: tuple[str, ...] = ()
    answers: dict[str, str] = {}
    # Title, text, source, and whether the file says that the answer is in it.
    given: tuple[tuple[str, str, str, bool | None], ...] = ()
    retrieved: dict[str, tuple[str, ...]] = {}
    # Of each answer by its system.
    votes: dict[str, tuple[str, ...]] = {}


ASKED = HAMLET + "?"
ABOUT = (("Hamlet", TRAGEDY, "", None),)
SQUAD_2 = (
    Stored(ASKED, ONE, "a1", given=ABOUT),
    Stored("who sang hamlet?", id="a2", tags=("unanswerable",), given=ABOUT),
)
HOLDS: dict[str, tuple[Stored, ...]] = {
    "curatedtrec-v2.tsv": (Stored(ASKED, id="TREC Fm", patterns=("Shakespeare",)),),
    "dpr-qas.csv": (Stored(HAMLET, BOTH), Stored(AUSTRALIA, ("Canberra",))),
    "dpr-retriever.json": (Stored(HAMLET, BOTH, dataset="nq_dev", given=(("Hamlet", TRAGEDY, "1", True),)),),
    "fid.json": (Stored(HAMLET, BOTH, "0", given=ABOUT),),
    "inspect-log.json": (Stored(HAMLET, BOTH, "1", answers={"openai/gpt-4o": "Shakespeare"}),),
    "kilt-nq.jsonl": (
        Stored(HAMLET, BOTH, "1", given=(("Hamlet", "", "wikipedia:1", True), ("", "", "wikipedia:2", True))),
    ),
    "label-studio-export.json": (
        Stored(HAMLET, answers={"gpt-4": "Shakespeare"}, votes={"gpt-4": ("correct", "incorrect")}),
    ),
    "langfuse-dataset.jsonl": (Stored(HAMLET, ONE, "i1"),),
    "lm-eval-samples.jsonl": (Stored(HAMLET, BOTH, answers={"lm-eval-samples": "Shakespeare"}),),
    "msmarco-v2.1.json": (
        Stored(HAMLET, ONE, "1", ("PERSON",), given=(("", TRAGEDY, "http://www.example.org", True),)),
        Stored("who sang hamlet", id="2", tags=("PERSON", "unanswerable")),
    ),
    "nq-open.jsonl": (Stored(HAMLET, BOTH), Stored(AUSTRALIA, ("Canberra",))),
    "pandas-lists.csv": (Stored(HAMLET, BOTH, answers={"pandas-lists": "Shakespeare"}),),
    "popqa.tsv": (Stored("Who is the author of Hamlet?", BOTH, "4222362", ("author",)),),
    "rag-columns.csv": (
        Stored(HAMLET, ONE, answers={"rag-columns": "Shakespeare"}, retrieved={"rag-columns": (TRAGEDY,)}),
    ),
    "rag-ragas.jsonl": (
        Stored(
            HAMLET, ONE, answers={"rag-ragas": "It was Shakespeare."}, retrieved={"rag-ragas": (TRAGEDY,)}
        ),
    ),
    "squad-hf.jsonl": (Stored(ASKED, ONE, "a1", given=ABOUT),),
    "squad-predictions.json": (
        SQUAD_2[0]._replace(answers={"squad-predictions": "Shakespeare"}),
        SQUAD_2[1]._replace(answers={"squad-predictions": ""}),
    ),
    "squad-v1.1.json": (Stored(ASKED, ONE, "56be4db0acb80014", given=ABOUT),),
    "squad-v2.0.json": SQUAD_2,
    "trec-patterns.txt": (
        Stored(HAMLET, id="1395", patterns=(r"\s?Shakespeare",)),
        Stored(AUSTRALIA, id="1396", patterns=("Canberra",)),
    ),
    "triviaqa-hf.jsonl": (Stored("Who wrote Hamlet?", BOTH, "tc_1"),),
    "triviaqa-unfiltered.json": (Stored("Who wrote Hamlet?", (*BOTH, "The Bard"), "tc_1"),),
    "webquestions-hf.jsonl": (Stored("who wrote hamlet?", BOTH),),
    "webquestions.json": (Stored("who wrote hamlet?", BOTH),),
    "wide-models.csv": (Stored(HAMLET, ONE, answers={"GPT-4": "Shakespeare", "Llama": "Marlowe"}),),
}
# These name questions by their ids alone, so people import the questions with them.
WITH = {
    "squad-predictions.json": "squad-v2.0.json",
    "trec-patterns.txt": jsonl(
        [{"id": "1395", "question": HAMLET}, {"id": "1396", "question": AUSTRALIA}]
    ).encode(),
}


def stored(question: Question) -> Stored:
    golds, patterns = (
        tuple(question.gold_answers.filter(kind=kind).order_by("position").values_list("text", flat=True))
        for kind in (GoldAnswer.Kind.STRING, GoldAnswer.Kind.REGEX)
    )
    predictions = {each.system.name: each for each in question.predictions.select_related("system")}
    given = question.passages.filter(is_given=True).order_by("position")
    retrieved = {
        name: tuple(each.passage.text for each in prediction.retrieved_passages.order_by("rank"))
        for name, prediction in predictions.items()
    }
    votes = {
        name: tuple(
            Judgment.objects.filter(candidate=each.candidate).order_by("pk").values_list("label", flat=True)
        )
        for name, each in predictions.items()
    }
    return Stored(
        text=question.text,
        golds=golds,
        id=question.external_id,
        tags=tuple(question.tags),
        dataset=question.dataset,
        patterns=patterns,
        answers={name: each.text for name, each in predictions.items()},
        given=tuple(given.values_list("title", "text", "source", "is_gold")),
        retrieved={name: texts for name, texts in retrieved.items() if texts},
        votes={name: labels for name, labels in votes.items() if labels},
    )


@pytest.mark.usefixtures("data_folder")
class TestFolder:
    def test_is_told_completely(self) -> None:
        if not FOLDER.is_dir():
            pytest.skip("the shapes are not at ../shared/data/shapes")
        assert set(NAMES) == set(HOLDS)

    @pytest.mark.django_db
    @pytest.mark.parametrize("name", NAMES)
    def test_a_file_comes_in_without_an_option(self, project: Project, name: str) -> None:
        before = WITH.get(name)
        if isinstance(before, str):
            import_into(project, files={before: (FOLDER / before).read_bytes()})
        elif before:
            import_into(project, files={"questions.jsonl": before})
        made = import_into(project, files={name: (FOLDER / name).read_bytes()})
        assert (made.state, made.message) == ("applied", "")
        assert tuple(map(stored, project.questions.order_by("position"))) == HOLDS[name]
