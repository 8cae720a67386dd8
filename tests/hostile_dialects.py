"""What `tests.hostile` hears and says in APIs other than OpenAI's, as their providers document them."""

import json
import re
from collections.abc import Mapping
from typing import Any

# Under this name a request in OpenAI's form says in which API its reply is wanted.
DIALECT = "dialect"
ANTHROPIC_VERSIONS = {"2023-06-01", "2026-10-21"}
_ANTHROPIC_FIELDS = {
    "max_tokens",
    "messages",
    "model",
    "output_config",
    "service_tier",
    "stop_sequences",
    "system",
    "temperature",
    "thinking",
}
_ANTHROPIC_REASONS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_ANTHROPIC_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


_GEMINI_PATH = re.compile(r"/v1beta/models/[\w.-]+:generateContent")
_GEMINI_FIELDS = {"contents", "generationConfig", "systemInstruction"}
_GEMINI_SETTINGS = {
    "frequencyPenalty",
    "logprobs",
    "maxOutputTokens",
    "presencePenalty",
    "responseJsonSchema",
    "responseLogprobs",
    "responseMimeType",
    "temperature",
    "thinkingConfig",
    "topK",
    "topP",
}
_GEMINI_REASONS = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
_GEMINI_STATUSES = {
    400: "INVALID_ARGUMENT",
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    429: "RESOURCE_EXHAUSTED",
    500: "INTERNAL",
    503: "UNAVAILABLE",
}
# What a provider says besides the status, by the code that a script names.
_GEMINI_DETAILS = {
    "API_KEY_INVALID": {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"},
    "PerDay": {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": "GenerateRequestsPerDayPerProjectPerModel"}],
    },
    "PerMinute": {
        "@type": "type.googleapis.com/google.rpc.QuotaFailure",
        "violations": [{"quotaId": "GenerateRequestsPerMinutePerProjectPerModel"}],
    },
    "RetryInfo": {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"},
}


def key_in(headers: Any) -> str:
    """Return what a request brought as its key, under whichever name."""
    names = ("Authorization", "x-api-key", "x-goog-api-key")
    return next((headers[name] for name in names if headers.get(name)), "")


def unheard(path: str, headers: Any, said: Mapping[str, Any]) -> bytes | None:
    """Return the words with which an API refuses a request that it does not document."""
    if "/messages" in path and (fault := _fault_for_anthropic(path, headers, said)):
        return in_dialect_failed({"message": fault}, {DIALECT: "anthropic"}, status=400)
    if "generateContent" in path and (fault := _fault_for_gemini(path, said)):
        return in_dialect_failed({"message": fault}, {DIALECT: "gemini"}, status=400)
    return None


def _fault_for_anthropic(path: str, headers: Any, said: Mapping[str, Any]) -> str:
    version = headers.get("anthropic-version", "")
    if path != "/v1/messages":
        return f"no such path: {path}"
    if version not in ANTHROPIC_VERSIONS:
        return "anthropic-version: header is required"
    if unknown := set(said) - _ANTHROPIC_FIELDS:
        return f"{sorted(unknown)[0]}: Extra inputs are not permitted"
    if version == "2026-10-21" and "temperature" in said:
        return "temperature: Extra inputs are not permitted"
    if not isinstance(said.get("max_tokens"), int):
        return "max_tokens: Field required"
    if {message["role"] for message in said["messages"]} - {"user", "assistant"}:
        return "messages: Unexpected role"
    return ""


def _fault_for_gemini(path: str, said: Mapping[str, Any]) -> str:
    if not _GEMINI_PATH.fullmatch(path):
        return f"no such path: {path}"
    settings = said.get("generationConfig", {})
    if unknown := (set(said) - _GEMINI_FIELDS) | (set(settings) - _GEMINI_SETTINGS):
        return f"Unknown name {sorted(unknown)[0]}"
    if {turn.get("role") for turn in said["contents"]} - {"user", "model"}:
        return "Please use a valid role: user, model."
    if "responseJsonSchema" in settings and settings.get("responseMimeType") != "application/json":
        return "responseJsonSchema needs responseMimeType application/json"
    return ""


def heard(path: str, said: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request in OpenAI's form."""
    if path.endswith("/messages"):
        return _heard_from_anthropic(said)
    if path.endswith(":generateContent"):
        return _heard_from_gemini(said)
    return dict(said)


def _heard_from_anthropic(said: Mapping[str, Any]) -> dict[str, Any]:
    system = [{"role": "system", "content": said["system"]}] if "system" in said else []
    body = {**said, "messages": [*system, *said["messages"]], DIALECT: "anthropic"}
    wanted = said.get("output_config", {}).get("format")
    return {**body, "response_format": {"json_schema": {"schema": wanted["schema"]}}} if wanted else body


def _heard_from_gemini(said: Mapping[str, Any]) -> dict[str, Any]:
    settings = said.get("generationConfig", {})
    turns = [{**said["systemInstruction"], "role": "system"}] if "systemInstruction" in said else []
    texts = [
        (turn["role"], "".join(part["text"] for part in turn["parts"]))
        for turn in [*turns, *said["contents"]]
    ]
    body = {
        "messages": [{"role": role, "content": text} for role, text in texts],
        "max_tokens": settings.get("maxOutputTokens"),
        "logprobs": settings.get("responseLogprobs"),
        DIALECT: "gemini",
    }
    wanted = settings.get("responseJsonSchema")
    return {**body, "response_format": {"json_schema": {"schema": wanted}}} if wanted else body


def in_dialect(reply: Mapping[str, Any], body: Mapping[str, Any]) -> bytes:
    """Return a reply in OpenAI's form as the API of the request says it."""
    says = {"anthropic": _as_anthropic, "gemini": _as_gemini}.get(body.get(DIALECT, ""), dict)
    return json.dumps(says(reply)).encode()


def _as_anthropic(reply: Mapping[str, Any]) -> dict[str, Any]:
    (choice,) = reply["choices"]
    text = choice["message"]["content"]
    said = {
        "id": "msg_hostile",
        "type": "message",
        "role": "assistant",
        "model": reply["model"],
        # A model that thinks says so first.
        "content": [
            {"type": "thinking", "thinking": "No, no.", "signature": "x"},
            *([] if text is None else [{"type": "text", "text": text}]),
        ],
        "stop_reason": _ANTHROPIC_REASONS.get(choice["finish_reason"], choice["finish_reason"]),
        "stop_sequence": None,
    }
    if usage := reply.get("usage"):
        said["usage"] = {
            "input_tokens": usage["prompt_tokens"] - 1,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 1,
            "output_tokens": usage["completion_tokens"],
        }
    return said


def _as_gemini(reply: Mapping[str, Any]) -> dict[str, Any]:
    (choice,) = reply["choices"]
    text, reason = choice["message"]["content"], choice["finish_reason"]
    said: dict[str, Any] = {"modelVersion": reply["model"], "responseId": "hostile"}
    if usage := reply.get("usage"):
        said["usageMetadata"] = {
            "promptTokenCount": usage["prompt_tokens"],
            "cachedContentTokenCount": 1,
            "candidatesTokenCount": usage["completion_tokens"] - 1,
            "thoughtsTokenCount": 1,
            "totalTokenCount": usage["total_tokens"],
        }
    if text is None and reason == "content_filter":
        # Blocked before any model saw it.
        return {**said, "promptFeedback": {"blockReason": "SAFETY"}}
    # A model that thinks may say so first; one that says nothing has no parts.
    parts = [] if text is None else [{"text": "No, no.", "thought": True}, {"text": text}]
    candidate = {
        "index": 0,
        "content": {"role": "model", "parts": parts} if parts else {"role": "model"},
        "finishReason": _GEMINI_REASONS.get(reason, reason),
    }
    if offered := choice.get("logprobs"):
        candidate["logprobsResult"] = _as_gemini_logprobs(offered)
    return {**said, "candidates": [candidate]}


def _as_gemini_logprobs(offered: Mapping[str, Any]) -> dict[str, Any]:
    def pair(each: Mapping[str, Any]) -> dict[str, Any]:
        return {"token": each["token"], "tokenId": 7, "logProbability": each["logprob"]}

    return {
        "chosenCandidates": [pair(place) for place in offered["content"]],
        "topCandidates": [
            {"candidates": [pair(each) for each in place["top_logprobs"]]} for place in offered["content"]
        ],
    }


def in_dialect_failed(error: Mapping[str, Any], body: Mapping[str, Any], *, status: int) -> bytes:
    """Return an error in OpenAI's form as the API of the request says it."""
    said: dict[str, Any] = {"error": dict(error)}
    if body.get(DIALECT) == "anthropic":
        details = {"details": {"error_code": error["code"]}} if error.get("code") else {}
        kind = _ANTHROPIC_TYPES.get(status, "api_error")
        said = {
            "type": "error",
            "error": {"type": kind, "message": error["message"], **details},
            "request_id": "req_hostile",
        }
    if body.get(DIALECT) == "gemini":
        code = str(error.get("code") or "")
        detail = _GEMINI_DETAILS.get(code)
        said = {
            "error": {
                "code": status,
                "message": error["message"],
                "status": code if code and not detail else _GEMINI_STATUSES.get(status, "UNKNOWN"),
                "details": [detail] if detail else [],
            }
        }
    return json.dumps(said).encode()
