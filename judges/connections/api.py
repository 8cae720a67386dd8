"""HTTP for connections, for leads. A key comes in and never goes out."""

from decimal import Decimal
from typing import Any, cast

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.models import User
from annotation.projects.api import LEAD, ProjectView
from common.web.http import ErrorSerializer
from judges.connections import selectors, services
from judges.connections.models import Connection
from judges.connections.rules import money, parameters

ERRORS = {400: ErrorSerializer, 404: ErrorSerializer, 409: ErrorSerializer}


class MoneyField(serializers.DecimalField):
    """USD as a decimal string outside, whole pico-USD inside; `per_million` for prices of tokens."""

    def __init__(self, *, per_million: bool = False, **kwargs: Any) -> None:
        self._per_million = per_million
        super().__init__(max_digits=20, decimal_places=12, min_value=Decimal(0), **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        """Return pico-USD."""
        read = money.price_from_usd if self._per_million else money.pico_from_usd
        try:
            return read(super().to_internal_value(data))
        except money.UnusableAmount as error:
            raise serializers.ValidationError(str(error)) from None

    def to_representation(self, value: Any) -> Any:
        """Return USD without trailing zeros."""
        tell = money.price_in_usd if self._per_million else money.usd_from_pico
        return format(tell(int(value)), "f")

    def run_validators(self, value: Any) -> None:
        """Nothing is left to check: `to_internal_value` did, in USD."""


class ConnectionSerializer(serializers.Serializer[Any]):
    """A connection as leads see it. Prices are USD per million tokens."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    base_url = serializers.CharField()
    endpoint = serializers.ChoiceField(choices=Connection.Endpoint.choices)
    model = serializers.CharField()
    parameters = serializers.DictField()
    has_key = serializers.SerializerMethodField()
    key_last_four = serializers.CharField()
    input_price = MoneyField(per_million=True)
    output_price = MoneyField(per_million=True)
    requests_per_minute = serializers.IntegerField(allow_null=True)
    parallel_calls = serializers.IntegerField()
    timeout_seconds = serializers.IntegerField()
    spend_cap = MoneyField(allow_null=True)
    spent = MoneyField()
    reserved = MoneyField()
    rests_until = serializers.DateTimeField(allow_null=True)
    archived_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()

    def get_has_key(self, connection: Connection) -> bool:
        """Say whether a key is stored."""
        return bool(connection.encrypted_key)


class ConnectionChangeSerializer(serializers.Serializer[Any]):
    """Some fields of a connection; `key` is written and never read, "" takes it out."""

    name = serializers.CharField(max_length=100)
    base_url = serializers.CharField(max_length=500)
    endpoint = serializers.ChoiceField(choices=Connection.Endpoint.choices, required=False)
    model = serializers.CharField(max_length=200)
    parameters = serializers.DictField(required=False, help_text=f"Of these: {', '.join(parameters.KNOWN)}.")
    key = serializers.CharField(
        max_length=1000, allow_blank=True, required=False, write_only=True, trim_whitespace=True
    )
    input_price = MoneyField(per_million=True, required=False)
    output_price = MoneyField(per_million=True, required=False)
    requests_per_minute = serializers.IntegerField(
        min_value=1, max_value=100_000, allow_null=True, required=False
    )
    parallel_calls = serializers.IntegerField(min_value=1, max_value=32, required=False)
    timeout_seconds = serializers.IntegerField(min_value=1, max_value=600, required=False)
    spend_cap = MoneyField(allow_null=True, required=False)


class TrialSerializer(serializers.Serializer[Any]):
    """How one tiny call went."""

    works = serializers.BooleanField()
    error = serializers.CharField()
    model = serializers.CharField()
    reply = serializers.CharField()
    seconds = serializers.FloatField(allow_null=True)
    input_tokens = serializers.IntegerField()
    output_tokens = serializers.IntegerField()


class AllowedHostsSerializer(serializers.Serializer[Any]):
    """Where the operator allows calls to: public addresses or not, and what else."""

    public = serializers.BooleanField(source="is_public_allowed")
    named = serializers.SerializerMethodField()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_named(self, policy: Any) -> list[str]:
        """Return hosts and networks as the operator names them."""
        places = [*((str(network), port) for network, port in policy.networks), *policy.hosts]
        return sorted(f"{place}:{port}" if port else place for place, port in places)


class ConnectionsView(ProjectView):
    """The connections of a project."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="list_connections", responses=ConnectionSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the connections, archived ones last."""
        connections = selectors.list_connections(project=self.project)
        return Response(ConnectionSerializer(connections, many=True).data)

    @extend_schema(
        operation_id="create_connection",
        request=ConnectionChangeSerializer,
        responses={201: ConnectionSerializer, **ERRORS},
    )
    def post(self, request: Request, slug: str) -> Response:
        """Make one."""
        form = ConnectionChangeSerializer(data=request.data)
        form.is_valid(raise_exception=True)
        connection = services.create_connection(
            project=self.project, by=cast(User, request.user), **form.validated_data
        )
        return Response(ConnectionSerializer(connection).data, status=201)


class ConnectionView(ProjectView):
    """One connection."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_connection", responses={200: ConnectionSerializer, 404: ErrorSerializer})
    def get(self, request: Request, slug: str, connection_id: str) -> Response:
        """Show it."""
        connection = selectors.get_connection(project=self.project, public_id=connection_id)
        return Response(ConnectionSerializer(connection).data)

    @extend_schema(
        operation_id="change_connection",
        request=ConnectionChangeSerializer,
        responses={200: ConnectionSerializer, **ERRORS},
    )
    def patch(self, request: Request, slug: str, connection_id: str) -> Response:
        """Change some of it; a new address asks for the key again."""
        selectors.get_connection(project=self.project, public_id=connection_id)
        form = ConnectionChangeSerializer(data=request.data, partial=True)
        form.is_valid(raise_exception=True)
        connection = services.change_connection(
            project=self.project, public_id=connection_id, changes=form.validated_data
        )
        return Response(ConnectionSerializer(connection).data)


class ConnectionArchiveView(ProjectView):
    """A connection nobody needs anymore."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="archive_connection",
        request=None,
        responses={200: ConnectionSerializer, 404: ErrorSerializer},
    )
    def post(self, request: Request, slug: str, connection_id: str) -> Response:
        """Take it out of use; its key is forgotten."""
        connection = services.archive_connection(project=self.project, public_id=connection_id)
        return Response(ConnectionSerializer(connection).data)


class ConnectionTestView(ProjectView):
    """Whether a connection works."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(
        operation_id="test_connection", request=None, responses={200: TrialSerializer, 404: ErrorSerializer}
    )
    def post(self, request: Request, slug: str, connection_id: str) -> Response:
        """Make one tiny call."""
        connection = selectors.get_connection(project=self.project, public_id=connection_id)
        return Response(TrialSerializer(services.try_connection(connection=connection)).data)


class AllowedHostsView(ProjectView):
    """Where connections may lead."""

    allowed_roles = frozenset({LEAD})

    @extend_schema(operation_id="get_allowed_hosts", responses=AllowedHostsSerializer)
    def get(self, request: Request, slug: str) -> Response:
        """Say what the operator allows."""
        return Response(AllowedHostsSerializer(services.address_policy()).data)
