"""HTTP for the judges there are, and for the worker that runs them."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from common.web.replies import operation
from common.web.starting import start_of_background
from judges import registry
from judges.methods.golds import IN_WORDS
from judges.protocol import OptionDescription
from judges.runs import selectors, services


class JudgeOptionSerializer(serializers.Serializer[Any]):
    """An option of a judge, for a form; `low` and `high` are the least and the largest number it may be."""

    name = serializers.CharField()
    type = serializers.ChoiceField(choices=["bool", "int", "float", "str"])
    default = serializers.JSONField()
    choices = serializers.ListField(child=serializers.CharField(), allow_null=True)
    help = serializers.CharField()
    low = serializers.SerializerMethodField()
    high = serializers.SerializerMethodField()

    def get_low(self, option: OptionDescription) -> float | None:
        """Return the least number, if there is one."""
        return option.between[0] if option.between else None

    def get_high(self, option: OptionDescription) -> float | None:
        """Return the largest number, if there is one."""
        return option.between[1] if option.between else None


class JudgeSerializer(serializers.Serializer[Any]):
    """A judge that can be started; `needs` says what it is started with besides its options."""

    key = serializers.CharField()
    name = serializers.CharField()
    summary = serializers.SerializerMethodField()
    # DRF's own attribute of this name is given up for the field.
    source = serializers.CharField()  # type: ignore[assignment]
    reads = serializers.ChoiceField(choices=[each.value for each in registry.Reads])
    needs = serializers.ChoiceField(choices=[each.value for each in registry.Needs])
    options = serializers.SerializerMethodField()
    extra = serializers.CharField(allow_null=True)
    is_lexical = serializers.BooleanField()
    available = serializers.SerializerMethodField()

    def get_summary(self, entry: registry.JudgeEntry) -> str:
        """Say in a sentence or two what it does, and what it leaves alone."""
        return f"{entry.summary} {IN_WORDS}" if entry.compares_pairs else entry.summary

    @extend_schema_field(JudgeOptionSerializer(many=True))
    def get_options(self, entry: registry.JudgeEntry) -> Any:
        """Describe the judge's own options and the choice of gold."""
        described = [*registry.options_of(entry), services.GOLD_OPTION]
        return JudgeOptionSerializer(described, many=True).data

    def get_available(self, entry: registry.JudgeEntry) -> bool:
        """Say whether everything it needs is installed."""
        return registry.is_available(entry)


class WorkerSerializer(serializers.Serializer[Any]):
    """Whether anybody does the background work, and how to start it."""

    running = serializers.BooleanField()
    lack = serializers.ChoiceField(choices=[each.value for each in selectors.Lack if each], allow_null=True)
    command = serializers.CharField()


class JudgesView(APIView):
    """The judges there are."""

    access = "signed_in"

    @operation("list_judges", gives=JudgeSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List the judges that can be started."""
        entries = [entry for entry in registry.JUDGES.values() if entry.is_startable]
        return Response(JudgeSerializer(entries, many=True).data)


class WorkerView(APIView):
    """The background worker."""

    access = "signed_in"

    @operation("get_worker", gives=WorkerSerializer)
    def get(self, request: Request) -> Response:
        """Say whether background work is done, what it lacks, and what starts that."""
        lack = selectors.background_lack()
        worker = {"running": not lack, "lack": lack or None, "command": start_of_background()}
        return Response(WorkerSerializer(worker).data)
