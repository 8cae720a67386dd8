"""HTTP for connections, for leads. A key comes in and never goes out."""

from decimal import Decimal
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.projects.api.access import LeadView
from common.outgoing import addresses
from common.web.replies import operation, reply
from judges.connections import selectors
from judges.connections.models import Connection
from judges.connections.rules import apis, calls
from judges.connections.services import changes

API_CHOICES = [(api.key, api.name) for api in apis.APIS.values()]


class MoneyField(serializers.DecimalField):
    """USD as a decimal string outside, whole pico-USD inside; `per_million` for prices of tokens."""

    def __init__(self, *, per_million: bool = False, **kwargs: Any) -> None:
        self._per_million = per_million
        super().__init__(max_digits=20, decimal_places=12, min_value=Decimal(0), **kwargs)

    def to_internal_value(self, data: Any) -> Any:
        """Return pico-USD."""
        read = calls.price_from_usd if self._per_million else calls.pico_from_usd
        try:
            return read(super().to_internal_value(data))
        except calls.UnusableAmount as error:
            raise serializers.ValidationError(str(error)) from None

    def to_representation(self, value: Any) -> Any:
        """Return USD without trailing zeros."""
        tell = calls.price_in_usd if self._per_million else calls.usd_from_pico
        return format(tell(int(value)), "f")

    def run_validators(self, value: Any) -> None:
        """Nothing is left to check: `to_internal_value` did, in USD."""


class ConnectionSerializer(serializers.Serializer[Any]):
    """A connection as leads see it. Prices are in USD per million tokens."""

    id = serializers.CharField(source="public_id")
    name = serializers.CharField()
    api = serializers.ChoiceField(choices=API_CHOICES)
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
        """Return whether a key is stored."""
        return bool(connection.encrypted_key)


class ConnectionChangeSerializer(serializers.Serializer[Any]):
    """Some fields of a connection.

    `key`: the API key, which is never returned; "" removes it.
    """

    name = serializers.CharField(max_length=100)
    api = serializers.ChoiceField(choices=API_CHOICES, required=False)
    base_url = serializers.CharField(
        max_length=500, allow_blank=True, required=False, help_text="Required unless the model is local."
    )
    endpoint = serializers.ChoiceField(choices=Connection.Endpoint.choices, required=False)
    model = serializers.CharField(max_length=200)
    parameters = serializers.DictField(
        required=False,
        help_text=" ".join(
            f"{api.name} API: {', '.join(api.parameters.names)}." for api in apis.APIS.values()
        ),
    )
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


class ConnectionsView(LeadView):
    """The connections of a project."""

    write_scope = "manage"

    @operation("list_connections", gives=ConnectionSerializer(many=True))
    def get(self, request: Request, slug: str) -> Response:
        """List the connections, archived ones last."""
        connections = selectors.list_connections(project=self.project)
        return Response(ConnectionSerializer(connections, many=True).data)

    @operation(
        "create_connection",
        takes=ConnectionChangeSerializer,
        gives=ConnectionSerializer,
        status=201,
        is_whole=True,
    )
    def post(self, request: Request, slug: str) -> Response:
        """Create a connection."""
        form = self.read(ConnectionChangeSerializer)
        connection = changes.create_connection(project=self.project, by=self.user, **form)
        return Response(ConnectionSerializer(connection).data, status=201)


class ConnectionView(LeadView):
    """One connection."""

    write_scope = "manage"

    @operation("get_connection", gives=ConnectionSerializer)
    def get(self, request: Request, slug: str, connection_id: str) -> Response:
        """Return the connection."""
        connection = selectors.get_connection(project=self.project, public_id=connection_id)
        return Response(ConnectionSerializer(connection).data)

    @operation("change_connection", takes=ConnectionChangeSerializer, gives=ConnectionSerializer)
    def patch(self, request: Request, slug: str, connection_id: str) -> Response:
        """Change the connection; a new address requires the key again."""
        selectors.get_connection(project=self.project, public_id=connection_id)
        form = self.read(ConnectionChangeSerializer, partial=True)
        connection = changes.change_connection(project=self.project, public_id=connection_id, changes=form)
        return Response(ConnectionSerializer(connection).data)


class ConnectionArchiveView(LeadView):
    """A connection nobody needs anymore."""

    write_scope = "manage"

    @operation("archive_connection", gives=ConnectionSerializer)
    def post(self, request: Request, slug: str, connection_id: str) -> Response:
        """Archive the connection and delete its key."""
        connection = changes.archive_connection(project=self.project, public_id=connection_id)
        return Response(ConnectionSerializer(connection).data)


class ConnectionTestView(LeadView):
    """Whether a connection works."""

    write_scope = "manage"

    @operation("test_connection", gives=calls.Trial)
    def post(self, request: Request, slug: str, connection_id: str) -> Response:
        """Test the connection with one small call."""
        connection = selectors.get_connection(project=self.project, public_id=connection_id)
        # Loaded when asked: it brings the network.
        from judges.connections.services.client import try_connection

        return reply(try_connection(connection=connection))


class ApisView(LeadView):
    """What connections can speak."""

    @operation("list_model_apis", gives=list[apis.OfferedApi])
    def get(self, request: Request, slug: str) -> Response:
        """List the APIs that a connection can use, and how to install those that are missing."""
        return reply(selectors.list_apis())


class AllowedHostsView(LeadView):
    """Where connections may lead."""

    @operation("get_allowed_hosts", gives=addresses.AllowedHosts)
    def get(self, request: Request, slug: str) -> Response:
        """Return the hosts that the administrator allows."""
        return reply(selectors.address_policy().told())
