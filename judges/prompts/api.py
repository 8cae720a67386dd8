"""HTTP for prompts, for leads."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import LeadView
from common.web.replies import operation
from judges.methods.llm.parsing import find_emptiness
from judges.methods.llm.prompts import PLACEHOLDERS, render
from judges.methods.llm.suspicion import find_suspicions
from judges.prompts import selectors, services
from judges.prompts.models import Prompt
from judges.prompts.rules import PUBLISHED_SCORES, PUBLISHED_SYSTEMS


class PublishedScoreSerializer(serializers.Serializer[Any]):
    """The published scores of GPT-3.5 with this prompt on one system’s answers in EVOUNA-NQ, in percent."""

    system = serializers.CharField()
    accuracy = serializers.FloatField()
    f1 = serializers.FloatField()


class PromptSerializer(serializers.Serializer[Any]):
    """A prompt: a built-in one, or a version of the project’s own.

    `id`: null if it is built in. `reference`: the value of the option `prompt` that selects this version.
    """

    id = serializers.SerializerMethodField()
    reference = serializers.SerializerMethodField()
    key = serializers.CharField(source="template.key")
    version = serializers.IntegerField(source="template.version")
    name = serializers.CharField(source="template.name")
    system = serializers.CharField(source="template.system")
    template = serializers.CharField(source="template.template")
    parser = serializers.ChoiceField(source="template.parser", choices=Prompt.Parser.choices)
    needs_examples = serializers.BooleanField(source="template.needs_examples")
    reply_tokens = serializers.IntegerField(source="template.reply_tokens")
    hash = serializers.CharField(source="template.hash")
    built_in = serializers.SerializerMethodField()
    paper = serializers.CharField(source="template.source")
    published_scores = serializers.SerializerMethodField()

    def get_id(self, prompt: selectors.ListedPrompt) -> str | None:
        """Return the ID of the project’s own prompt, or null if it is built in."""
        return prompt.public_id or None

    def get_reference(self, prompt: selectors.ListedPrompt) -> str:
        """Return the value of the option `prompt` that selects this version."""
        return f"{prompt.template.key}@{prompt.template.version}"

    def get_built_in(self, prompt: selectors.ListedPrompt) -> bool:
        """Return whether the prompt comes with Assay."""
        return not prompt.public_id

    @extend_schema_field(PublishedScoreSerializer(many=True))
    def get_published_scores(self, prompt: selectors.ListedPrompt) -> Any:
        """Return reference scores, where a paper has some for this prompt."""
        scores = () if prompt.public_id else PUBLISHED_SCORES.get(prompt.template.key, ())
        return [
            {"system": system, "accuracy": accuracy, "f1": f1}
            for system, (accuracy, f1) in zip(PUBLISHED_SYSTEMS, scores, strict=False)
        ]


class PromptDraftSerializer(serializers.Serializer[Any]):
    """A draft of a prompt."""

    key = serializers.SlugField(max_length=60)
    name = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")
    system = serializers.CharField(required=False, allow_blank=True, default="", trim_whitespace=False)
    template = serializers.CharField(trim_whitespace=False)
    parser = serializers.ChoiceField(choices=Prompt.Parser.choices, default=Prompt.Parser.STRICT)


class PromptPreviewRequestSerializer(serializers.Serializer[Any]):
    """The prompt or draft to preview, and the answer to use.

    `draft`: if given, it is previewed instead of `prompt`. `answer`: the ID of the answer; if empty, the
    first one.
    """

    prompt = serializers.CharField(required=False, default="structured", max_length=80)
    draft = PromptDraftSerializer(required=False)
    answer = serializers.CharField(required=False, allow_blank=True, default="")


class PromptMessageSerializer(serializers.Serializer[Any]):
    """One message to the model."""

    role = serializers.CharField()
    content = serializers.CharField()


class PromptPreviewSerializer(serializers.Serializer[Any]):
    """What the model would get for one answer.

    `settled`: why the model would not be asked at all; empty if it would be.
    """

    question = serializers.CharField()
    golds = serializers.ListField(child=serializers.CharField())
    answer = serializers.CharField()
    messages = PromptMessageSerializer(many=True)
    hash = serializers.CharField()
    flags = serializers.ListField(child=serializers.CharField())
    settled = serializers.CharField()


class PlaceholderSerializer(serializers.Serializer[Any]):
    """A placeholder, written in braces in a prompt, and its meaning."""

    name = serializers.CharField()
    meaning = serializers.CharField()


class PlaceholdersView(LeadView):
    """The placeholders of prompts."""

    @operation("list_placeholders", gives=PlaceholderSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the placeholders of prompts."""
        rows = [{"name": name, "meaning": meaning} for name, meaning in PLACEHOLDERS.items()]
        return Response(PlaceholderSerializer(rows, many=True).data)


class PromptsView(LeadView):
    """The prompts of a project."""

    @operation("list_prompts", gives=PromptSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List built-in prompts and the project’s own, in all versions."""
        prompts = selectors.list_prompts(project=self.project)
        return Response(PromptSerializer(prompts, many=True).data)

    @operation(
        "add_prompt",
        takes=PromptDraftSerializer,
        gives=PromptSerializer,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Save a prompt; an existing key gets a new version."""
        draft = services.make_draft(**self.read(PromptDraftSerializer))
        prompt = services.add_prompt(project=self.project, by=self.user, draft=draft)
        listed = selectors.ListedPrompt(prompt.as_template(), prompt.public_id)
        return Response(PromptSerializer(listed).data, status=201)


class PromptView(LeadView):
    """One of the project's own prompts."""

    @operation("get_prompt", gives=PromptSerializer)
    def get(self, request: Request, slug: str, prompt_id: str) -> Response:
        """Return the prompt."""
        return Response(
            PromptSerializer(selectors.get_prompt(project=self.project, public_id=prompt_id)).data
        )


class PromptPreviewView(LeadView):
    """A prompt, filled in."""

    @operation(
        "preview_prompt",
        takes=PromptPreviewRequestSerializer,
        gives=PromptPreviewSerializer,
        takes_key=False,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Return the messages for one answer; nothing is sent to a model."""
        form = self.read(PromptPreviewRequestSerializer)
        draft = form.get("draft")
        template = (
            services.make_draft(**draft)
            if draft
            else selectors.find_prompt(project=self.project, reference=form["prompt"])
        )
        item = selectors.example_input(project=self.project, candidate=form["answer"])
        messages = render(template, item)
        body = {
            "question": item.question,
            "golds": item.golds,
            "answer": item.answer,
            "messages": [message._asdict() for message in messages],
            "hash": template.hash,
            "flags": find_suspicions(item.answer, question=item.question, golds=item.golds),
            "settled": find_emptiness(item.answer, golds=item.golds),
        }
        return Response(PromptPreviewSerializer(body).data)
