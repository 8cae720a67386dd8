"""Prompts are kept by version, and fixed when a run is started."""

import pytest

from annotation.items.models import (
    Candidate,
    GoldAnswer,
    Passage,
    Prediction,
    Question,
    RetrievedPassage,
)
from annotation.items.selectors import hash_passages
from annotation.projects.models import Project
from judges.connections.models import Connection
from judges.connections.selectors import describe_connection
from judges.methods.llm.judge import LlmOptions
from judges.methods.llm.prompts import BUILT_IN
from judges.prompts.models import ExampleSet, Prompt
from judges.prompts.selectors import (
    CONNECTION_CHANGED,
    PASSAGES_CHANGED,
    PROMPT_CHANGED,
    PromptNotFound,
    find_prompt,
    find_resources,
    list_prompts,
)
from judges.prompts.services import (
    ExamplesUnusable,
    PassagesMissing,
    Prepared,
    PromptKeyTaken,
    UnusablePrompt,
    add_prompt,
    keep_examples,
    make_draft,
    prepare_llm,
)
from judges.protocol import JudgeFailed
from judges.registry import state_judge
from tests.annotation.assignments.factories import make_question, make_source
from tests.factories import make_member, make_project, make_user
from tests.judges.prompts.conftest import decide_all

TEMPLATE = "Q: {question} G: {golds} A: {answer} Correct?"
IN_CONTEXT = {**vars(LlmOptions()), "prompt": "evouna-in-context", "examples_project": "other"}


def add(project: Project, *, key: str = "mine", template: str = TEMPLATE, name: str = "") -> Prompt:
    draft = make_draft(key=key, template=template, parser="strict", name=name)
    return add_prompt(project=project, by=project.created_by, draft=draft)


def make_passage(question: Question, text: str) -> Passage:
    return Passage.objects.create(
        question=question,
        data_import=question.data_import,
        is_given=True,
        text=text,
        text_hash=text,
        title="Title",
        position=0,
    )


@pytest.fixture
def connection(project: Project) -> Connection:
    return Connection(project=project, model="llama3|8b:q4", base_url="https://models.example.org/v1")


@pytest.fixture
def other(db: None) -> Project:
    """A project whose answers people decided: every second one is correct."""
    project = make_project(slug="other")
    for number in range(8):
        make_question(project=project, answers=1)
        candidate = Candidate.objects.filter(project=project).latest("pk")
        make_source(candidate=candidate, system=f"system-{number % 2}", gold=f"gold {number}")
    decide_all(project)
    return project


class TestAddPrompt:
    def test_a_change_is_a_new_version_and_the_old_one_stays(self, project: Project) -> None:
        first, second = add(project), add(project, template=TEMPLATE + " Say yes or no.")
        assert (first.version, second.version) == (1, 2)
        assert find_prompt(project=project, reference="mine").hash == second.hash
        assert find_prompt(project=project, reference="mine@1").hash == first.hash

    def test_the_same_again_is_the_same_version(self, project: Project) -> None:
        assert add(project) == add(project)

    def test_a_label_parser_brings_its_schema(self, project: Project) -> None:
        draft = make_draft(key="mine", template="{data}", parser="label")
        assert add_prompt(project=project, by=project.created_by, draft=draft).response_schema

    def test_assays_own_keys_are_taken(self, project: Project) -> None:
        with pytest.raises(PromptKeyTaken):
            add(project, key="kamalloo")

    @pytest.mark.parametrize("template", ["no place", "{question} {answer} {gold}", "{question} {answer}"])
    def test_a_broken_template_is_refused_with_its_field(self, project: Project, template: str) -> None:
        with pytest.raises(UnusablePrompt) as refused:
            add(project, template=template)
        assert "template" in refused.value.details["fields"]


class TestFindPrompt:
    def test_knows_those_that_come_with_assay(self, project: Project) -> None:
        assert find_prompt(project=project, reference="kamalloo") is BUILT_IN["kamalloo"]
        assert find_prompt(project=project, reference="kamalloo@1") is BUILT_IN["kamalloo"]

    @pytest.mark.parametrize(
        "reference", ["", "theirs", "kamalloo@2", "mine@0", "mine@x", "mine@٣", "@", "m@9e9"]
    )
    def test_finds_nothing_else(self, project: Project, reference: str) -> None:
        add(make_project(), key="theirs")
        add(project)
        with pytest.raises(PromptNotFound):
            find_prompt(project=project, reference=reference)

    def test_lists_assays_first_and_a_projects_own_by_version(self, project: Project) -> None:
        add(project)
        add(project, template=TEMPLATE + "!")
        listed = [(row.template.key, row.template.version) for row in list_prompts(project=project)]
        assert listed == [*((key, 1) for key in BUILT_IN), ("mine", 2), ("mine", 1)]


class TestPrepareLlm:
    def prepare(self, project: Project, **options: object) -> Prepared:
        given = {**IN_CONTEXT, **options}
        return prepare_llm(project=project, options=given, by=project.created_by)

    def test_fixes_the_version_of_a_projects_own_prompt(self, project: Project) -> None:
        add(project)
        prepared = self.prepare(project, prompt="mine")
        assert prepared.options["prompt"] == "mine@1"
        assert prepared.context["examples_hash"] == "none"

    def test_passages_are_signed_only_where_the_prompt_asks_for_them(self, project: Project) -> None:
        make_passage(make_question(project=project, answers=1), "One.")
        add(project)
        add(project, template=f"{TEMPLATE} {{passages:500}}")
        assert "passages_hash" not in self.prepare(project, prompt="mine@1").context
        signed = self.prepare(project, prompt="mine@2").context["passages_hash"]
        make_passage(make_question(project=project, answers=1), "Two.")
        assert self.prepare(project, prompt="mine@2").context["passages_hash"] != signed

    def test_the_hash_is_that_of_what_each_prompt_gets(self, project: Project) -> None:
        def signed() -> str | None:
            return hash_passages(project=project)

        def rank(passage: Passage, place: int) -> None:
            RetrievedPassage.objects.update_or_create(
                prediction=prediction,
                passage=passage,
                defaults={"rank": place, "data_import": passage.data_import},
            )

        first, second = (make_question(project=project, answers=1) for _ in range(2))
        assert signed() is None
        one, two = make_passage(first, "One."), make_passage(second, "Two.")
        before = signed()
        Passage.objects.filter(pk=one.pk).update(question=second)
        Passage.objects.filter(pk=two.pk).update(question=first)
        swapped = signed()
        assert swapped != before
        Passage.objects.filter(pk=one.pk).update(question=first)
        Passage.objects.filter(pk=two.pk).update(question=second)
        assert signed() == before
        make_source(candidate=Candidate.objects.get(question=first), system="s", gold="g")
        prediction = Prediction.objects.get(question=first)
        third, fourth = make_passage(first, "Three."), make_passage(first, "Four.")
        Passage.objects.filter(pk__in=(third.pk, fourth.pk)).update(is_given=False)
        # Nobody retrieved them, so no prompt has them.
        assert signed() == before
        rank(third, 1)
        rank(fourth, 2)
        ranked = signed()
        rank(third, 3)
        assert len({before, ranked, signed()}) == 3
        rank(third, 1)
        assert signed() == ranked

    def test_a_prompt_with_passages_is_refused_where_there_are_none(self, project: Project) -> None:
        make_question(project=project, answers=1)
        add(project, template=f"{TEMPLATE} {{passages}}")
        with pytest.raises(PassagesMissing) as refused:
            self.prepare(project, prompt="mine")
        assert "{passages}" in refused.value.message
        assert list(refused.value.details["fields"]) == ["prompt"]

    def test_chooses_four_examples_and_writes_nothing(self, project: Project, other: Project) -> None:
        other.members.create(
            user=project.created_by, role="lead", pseudonym="x", joined_at=project.created_at
        )
        prepared = self.prepare(project)
        assert len(prepared.examples) == 4
        assert not ExampleSet.objects.exists()
        assert self.prepare(project) == prepared

    def test_kept_examples_are_one_set_however_often(self, project: Project, other: Project) -> None:
        prepared = prepare_llm(project=project, options=IN_CONTEXT, by=None)
        for _ in range(2):
            keep_examples(project=project, examples=prepared.examples)
            keep_examples(project=project, examples=())
        assert ExampleSet.objects.get().as_examples() == prepared.examples

    def test_takes_them_from_one_system_if_asked(self, project: Project, other: Project) -> None:
        prepared = prepare_llm(
            project=project, options={**IN_CONTEXT, "examples_system": "system-1"}, by=None
        )
        assert {example.is_correct for example in prepared.examples} == {False}

    def test_too_few_decided_answers_are_refused(self, project: Project, other: Project) -> None:
        with pytest.raises(ExamplesUnusable, match=r"can be examples \(0; at least"):
            prepare_llm(project=project, options={**IN_CONTEXT, "examples_system": "none"}, by=None)

    @pytest.mark.parametrize("slug", ["", "small", "nowhere", "other"])
    def test_only_another_project_that_one_leads_gives_them(
        self, project: Project, other: Project, slug: str
    ) -> None:
        with pytest.raises(ExamplesUnusable) as refused:
            self.prepare(project, examples_project=slug)
        assert "examples_project" in refused.value.details["fields"]

    def test_an_annotator_of_the_other_project_does_not_see_its_decisions(
        self, project: Project, other: Project
    ) -> None:
        member = make_member(project=other)
        with pytest.raises(ExamplesUnusable):
            prepare_llm(project=project, options=IN_CONTEXT, by=member.user)

    def test_who_is_nobody_there_learns_nothing_about_it(self, project: Project, other: Project) -> None:
        messages = set()
        for slug in ("other", "nowhere"):
            with pytest.raises(ExamplesUnusable) as refused:
                prepare_llm(project=project, options={**IN_CONTEXT, "examples_project": slug}, by=make_user())
            messages.add(refused.value.message.replace(f"“{slug}”", ""))
        assert len(messages) == 1

    def test_questions_without_gold_give_none(self, project: Project, other: Project) -> None:
        GoldAnswer.objects.filter(question__project=other).delete()
        with pytest.raises(ExamplesUnusable, match=r"can be examples \(0; at least"):
            prepare_llm(project=project, options=IN_CONTEXT, by=None)


class TestFindResources:
    def stated(self, prepared: Prepared, connection: Connection) -> dict[str, str]:
        context = {**describe_connection(connection), **prepared.context}
        return dict(state_judge("llm", LlmOptions(prompt=prepared.options["prompt"]), **context))

    def test_brings_back_what_was_prepared(
        self, project: Project, other: Project, connection: Connection
    ) -> None:
        prepared = prepare_llm(project=project, options=IN_CONTEXT, by=None)
        keep_examples(project=project, examples=prepared.examples)
        found = find_resources(
            project=project,
            options=prepared.options,
            stated=self.stated(prepared, connection),
            connection=connection,
        )
        assert (found.template, found.examples) == (prepared.template, prepared.examples)

    def test_pauses_where_the_prompt_is_another(self, project: Project, connection: Connection) -> None:
        add(project)
        prepared = prepare_llm(project=project, options={**IN_CONTEXT, "prompt": "mine"}, by=None)
        Prompt.objects.update(template=TEMPLATE + "!")
        self.pauses(project, prepared, connection, connection, PROMPT_CHANGED)
        Prompt.objects.all().delete()
        self.pauses(project, prepared, connection, connection, PROMPT_CHANGED)

    def test_pauses_where_the_examples_are_gone(
        self, project: Project, other: Project, connection: Connection
    ) -> None:
        prepared = prepare_llm(project=project, options=IN_CONTEXT, by=None)
        self.pauses(project, prepared, connection, connection, PROMPT_CHANGED)

    @pytest.mark.parametrize(
        ("field", "value"),
        [("model", "b"), ("base_url", "https://b.example"), ("parameters", {"top_p": 0.5})],
    )
    def test_pauses_where_the_connection_leads_elsewhere(
        self, project: Project, connection: Connection, field: str, value: object
    ) -> None:
        prepared = prepare_llm(project=project, options={**IN_CONTEXT, "prompt": "kamalloo"}, by=None)
        changed = Connection(project=project, model=connection.model, base_url=connection.base_url)
        setattr(changed, field, value)
        self.pauses(project, prepared, connection, changed, CONNECTION_CHANGED)

    def test_pauses_where_the_passages_of_its_prompt_are_others(
        self, project: Project, connection: Connection
    ) -> None:
        question = make_question(project=project, answers=1)
        make_passage(question, "One.")
        add(project, template=f"{TEMPLATE} {{passages}}")
        prepared = prepare_llm(project=project, options={**IN_CONTEXT, "prompt": "mine"}, by=None)
        given = {"project": project, "options": prepared.options, "connection": connection}
        stated = self.stated(prepared, connection)
        assert find_resources(stated=stated, **given).template.needs_passages
        make_passage(question, "Two.")
        self.pauses(project, prepared, connection, connection, PASSAGES_CHANGED)

    def pauses(
        self,
        project: Project,
        prepared: Prepared,
        connection: Connection,
        present: Connection,
        reason: str,
    ) -> None:
        with pytest.raises(JudgeFailed) as failed:
            find_resources(
                project=project,
                options=prepared.options,
                stated=self.stated(prepared, connection),
                connection=present,
            )
        assert (failed.value.reason, failed.value.pauses_run) == (reason, True)
