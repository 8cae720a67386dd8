"""The APIs that a connection can speak: their names and addresses, and how each is given the key."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from common.outgoing.keys import BEARER, KeyHeader
from judges.connections.rules import anthropic, gemini, local, openai
from judges.connections.rules.calls import Parameters, UnusableParameter
from judges.methods.llm.client import CHAT, COMPLETION

OPENAI = "openai"
ANTHROPIC = "anthropic"
GEMINI = "gemini"
# Not a server: a model in the worker itself.
LOCAL = "transformers"


class Api(NamedTuple):
    """One API.

    base_url: the provider's own address; empty where many servers speak the API.
    library: the module that speaks it; extra: the extra that installs it, empty where Assay always has it.
    beside: what that extra leaves out, so that it is installed beside it.
    headers: those that the library writes and the server needs, besides the usual ones; lower case.
    """

    key: str
    name: str
    base_url: str
    library: str
    parameters: Parameters
    extra: str = ""
    beside: str = ""
    key_header: KeyHeader = BEARER
    headers: tuple[str, ...] = ()
    endpoints: tuple[str, ...] = (CHAT,)


APIS = {
    api.key: api
    for api in (
        Api(
            OPENAI,
            "OpenAI-compatible",
            base_url="",
            library="openai",
            parameters=openai.PARAMETERS,
            endpoints=(CHAT, COMPLETION),
        ),
        Api(
            ANTHROPIC,
            "Anthropic",
            base_url="https://api.anthropic.com",
            library="anthropic",
            parameters=anthropic.PARAMETERS,
            extra="anthropic",
            key_header=KeyHeader("x-api-key"),
            headers=("anthropic-version",),
        ),
        Api(
            GEMINI,
            "Gemini",
            base_url="https://generativelanguage.googleapis.com",
            library="google.genai",
            parameters=gemini.PARAMETERS,
            extra="gemini",
            key_header=KeyHeader("x-goog-api-key"),
        ),
        Api(
            LOCAL,
            "Local model (transformers)",
            base_url="",
            library="transformers",
            parameters=local.PARAMETERS,
            extra="neural",
            beside="torch",
        ),
    )
}


def stated_api(api: str, parameters: Mapping[str, Any]) -> str:
    """Return how a signature names an API: Anthropic's versions answer differently."""
    return f"{api} {anthropic.version_of(parameters)}" if api == ANTHROPIC else api


def parse_parameters(given: Mapping[str, Any], *, api: str = OPENAI) -> dict[str, Any]:
    """Return the parameters for an API, checked and in alphabetical order; raises `UnusableParameter`."""
    return APIS[api].parameters.parse(given)


def parse_parameters_of_any(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters that some API takes as they are; raises `UnusableParameter`."""
    refusals = []
    for api in APIS.values():
        try:
            return api.parameters.parse(given)
        except UnusableParameter as refusal:
            refusals.append(refusal)
    raise refusals[0]


@dataclass(frozen=True)
class OfferedApi:
    """An API that this server can call.

    `cure`: how to install what is missing; empty if nothing is. `models`: those to choose from, where the
    administrator names them.
    """

    key: str
    name: str
    base_url: str
    cure: str
    parameters: tuple[str, ...]
    models: tuple[str, ...] = ()


def not_installed(api: str, cure: str) -> str:
    """Return the words for an API whose library this server lacks."""
    what = "local models" if api == LOCAL else f"the {APIS[api].name} API"
    return f"The library for {what} is not installed on this server. To install it: {cure}"
