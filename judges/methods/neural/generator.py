"""A language model on this machine that writes, each time, the token it thinks likeliest."""

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from judges.methods.llm.client import Message, joined_messages
from judges.methods.neural.pretrained import NO_LIMIT, Source, open_pretrained, open_weights, require
from judges.protocol import JudgeFailed

TOP_LOGPROBS = 5

TOO_LONG = (
    "The prompt is too long for the model, which accepts at most {longest} tokens. Use a shorter prompt or "
    "a model with a longer context."
)

# A token that was written, and those that could have stood in its place, with their natural logarithms.
Place = tuple[str, list[tuple[str, float]]]


class Written(NamedTuple):
    """What a model wrote. is_whole: it ended by itself; is_cut: it was told to stop."""

    text: str
    input_tokens: int
    output_tokens: int
    is_whole: bool
    is_cut: bool
    places: tuple[Place, ...]


class Generator:
    """A tokenizer and a network. Threads take turns."""

    def __init__(self, *, tokenizer: Any, network: Any) -> None:
        """Take over a network that is ready for inference."""
        self._tokenizer = tokenizer
        self._network = network
        self._longest = _longest_of(network.config.get_text_config(), tokenizer)
        self._ends = _ends_of(network.generation_config, tokenizer)
        self._frame = _frame_of(tokenizer)
        self._turn = threading.Lock()
        # The model's own would sample, or punish words that were said before.
        network.generation_config = require("transformers").GenerationConfig(
            do_sample=False, eos_token_id=sorted(self._ends) or None, pad_token_id=self._padding()
        )

    def write(
        self,
        messages: Sequence[Message],
        *,
        most_tokens: int,
        settings: Mapping[str, Any],
        has_to_stop: Callable[[], bool],
        wants_places: bool = False,
    ) -> Written:
        """Write a reply of so many tokens at most; raises `JudgeFailed` where the prompt is too long.

        settings: for the chat template. has_to_stop: asked at every token.
        """
        prompt = self._read(messages, settings)
        if len(prompt) >= self._longest:
            reason = TOO_LONG.format(longest=self._longest)
            raise JudgeFailed(reason, retryable=False)
        with self._turn:
            room = min(most_tokens, self._longest - len(prompt))
            return self._write(prompt, room, has_to_stop, wants_places)

    def _read(self, messages: Sequence[Message], settings: Mapping[str, Any]) -> list[int]:
        tame = tuple(message._replace(content=self._tamed(message.content)) for message in messages)
        if not self._tokenizer.chat_template:
            ids: list[int] = self._tokenizer(joined_messages(tame))["input_ids"]
            return ids
        try:
            return self._read_chat(tame, settings)
        except require("jinja2").TemplateError:
            # Some templates know no system message, or no two of one role in a row.
            return self._read_chat((Message("user", joined_messages(tame)),), settings)

    def _read_chat(self, messages: Sequence[Message], settings: Mapping[str, Any]) -> list[int]:
        turns = [message._asdict() for message in messages]
        read = self._tokenizer.apply_chat_template(
            turns, add_generation_prompt=True, return_dict=True, **settings
        )
        ids: list[int] = read["input_ids"]
        return ids

    def _tamed(self, text: str) -> str:
        # An answer may spell the sign that ends a turn: it must not end its own.
        for sign in self._frame:
            text = text.replace(sign, f"{sign[0]} {sign[1:]}")
        return text

    def _write(
        self, prompt: list[int], most: int, has_to_stop: Callable[[], bool], wants_places: bool
    ) -> Written:
        torch = require("torch")
        stopped: list[bool] = []
        places: list[list[tuple[str, float]]] = []

        def look(*_: Any, **__: Any) -> Any:
            if has_to_stop():
                stopped.append(True)
            return torch.tensor([bool(stopped)])

        def note(_: Any, scores: Any) -> Any:
            places.append(self._likeliest(scores[0]))
            return scores

        given = torch.tensor([prompt])
        with torch.inference_mode():
            ids = self._network.generate(
                given,
                attention_mask=torch.ones_like(given),
                max_new_tokens=most,
                stopping_criteria=[look],
                logits_processor=[note] if wants_places else [],
            )
        said: list[int] = ids[0, len(prompt) :].tolist()
        is_whole = bool(said) and said[-1] in self._ends
        return Written(
            text=self._tokenizer.decode(said, skip_special_tokens=True),
            input_tokens=len(prompt),
            output_tokens=len(said),
            is_whole=is_whole,
            is_cut=bool(stopped) and not is_whole,
            places=tuple(zip(map(self._spell, said), places, strict=False)),
        )

    def _likeliest(self, scores: Any) -> list[tuple[str, float]]:
        best = scores.float().log_softmax(-1).topk(min(TOP_LOGPROBS, scores.shape[-1]))
        return [
            (self._spell(token), float(value))
            for token, value in zip(best.indices.tolist(), best.values.tolist(), strict=True)
        ]

    def _spell(self, token: int) -> str:
        return str(self._tokenizer.decode([token]))

    def _padding(self) -> int | None:
        own: int | None = self._tokenizer.pad_token_id
        return min(self._ends, default=None) if own is None else own


def _longest_of(config: Any, tokenizer: Any) -> int:
    """Return how many tokens a model reads and writes at most."""
    places = getattr(config, "max_position_embeddings", None) or NO_LIMIT
    return int(min(places, tokenizer.model_max_length, NO_LIMIT))


def _ends_of(config: Any, tokenizer: Any) -> frozenset[int]:
    """Return the tokens that end a reply, by the model and by its tokenizer."""
    own = config.eos_token_id
    ends = own if isinstance(own, list) else [own]
    return frozenset({*ends, tokenizer.eos_token_id} - {None})


def _frame_of(tokenizer: Any) -> tuple[str, ...]:
    """Return how the tokens are spelled that stand around texts, longest first."""
    added = [token.content for token in tokenizer.added_tokens_decoder.values() if token.special]
    signs = {sign for sign in (*added, *tokenizer.all_special_tokens) if len(sign) > 1}
    return tuple(sorted(signs, key=lambda sign: (-len(sign), sign)))


_LOADING = threading.Lock()


def load_generator(source: Source, *, name: str, revision: str = "") -> Generator:
    """Open a model, once a process; the one used last is kept. Raises `JudgeFailed`.

    name: what errors call it. revision: what tells its files from others in the same place.
    """
    with _LOADING:
        return _load(source, name, revision)


@lru_cache(maxsize=1)
def _load(source: Source, name: str, revision: str) -> Generator:  # noqa: ARG001
    require("torch")
    return Generator(
        tokenizer=open_pretrained("AutoTokenizer", name, source=source),
        # For a pickled model, the library would ask a service to convert it.
        network=open_weights("AutoModelForCausalLM", name, source=source, dtype="auto", use_safetensors=True),
    )
