"""The adapter to models on this machine. Their libraries are loaded when one is first asked."""

import threading
import time
from collections.abc import Mapping
from typing import Any

from judges.connections.rules.calls import alternatives_to_verdict, storable
from judges.connections.rules.local import LocalModel
from judges.methods.llm.client import Completion, CompletionRequest
from judges.methods.neural.generator import Generator, Written, load_generator
from judges.methods.neural.pretrained import Source
from judges.protocol import JudgeFailed

NOT_GREEDY = (
    "A local model always writes the likeliest token, so the temperature has no effect. Start the judge with "
    "temperature 0."
)
TOO_SLOW = (
    "The model did not finish its reply within {seconds:g} seconds. Raise the connection’s timeout, or lower "
    "the maximum tokens per reply."
)
ABANDONED = "The run ended while the model was replying."


class LocalAdapter:
    """A model in this process."""

    def __init__(
        self, model: LocalModel, *, revision: str, parameters: Mapping[str, Any], timeout_seconds: float
    ) -> None:
        self._model = model
        self._revision = revision
        self._parameters = parameters
        self._timeout_seconds = timeout_seconds
        self._is_unwanted = threading.Event()

    def ask(self, request: CompletionRequest) -> Completion:
        """Write one reply; raises `JudgeFailed`."""
        if request.temperature:
            raise JudgeFailed(NOT_GREEDY, retryable=False, pauses_run=True)
        generator = self._load()
        began = time.monotonic()
        written = generator.write(
            request.messages,
            most_tokens=request.max_tokens,
            settings=self._parameters,
            has_to_stop=lambda: self._is_unwanted.is_set() or self._is_late(began),
            wants_places=request.wants_logprobs,
        )
        self._require_end(written)
        return Completion(
            text=storable(written.text),
            finish_reason="stop" if written.is_whole else "length",
            model=self._model.name,
            fingerprint=self._revision,
            input_tokens=written.input_tokens,
            output_tokens=written.output_tokens,
            seconds=time.monotonic() - began,
            logprobs=alternatives_to_verdict(written.places),
        )

    def cut(self) -> None:
        """Let whatever is being written end at its next token."""
        self._is_unwanted.set()

    def close(self) -> None:
        """Keep the model: loading it takes longer than a reply."""

    def _load(self) -> Generator:
        model = self._model
        source = Source(model.place, model.commit or None, may_download=bool(model.commit))
        try:
            return load_generator(source, name=model.name, revision=self._revision)
        except JudgeFailed as error:
            # The next answer would not find it either.
            raise JudgeFailed(
                error.reason, retryable=error.retryable, pauses_run=not error.retryable
            ) from error

    def _is_late(self, began: float) -> bool:
        return time.monotonic() - began > self._timeout_seconds

    def _require_end(self, written: Written) -> None:
        if not written.is_cut:
            return
        if self._is_unwanted.is_set():
            raise JudgeFailed(ABANDONED, retryable=False)
        raise JudgeFailed(TOO_SLOW.format(seconds=self._timeout_seconds), retryable=False)
