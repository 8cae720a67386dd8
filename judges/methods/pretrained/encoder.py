"""Encoders: texts to tokens, tokens to one vector each."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judges.methods.pretrained import onnx
from judges.methods.pretrained.loading import open_pretrained, open_weights, require
from judges.protocol import JudgeFailed, look

LAST_LAYER = -1
TOKENS_AT_ONCE = 2_048
# What tokenizers without a limit of their own say.
_NO_LIMIT = 1_000_000

TokenIds = tuple[int, ...]
Vectors = NDArray[np.float32]
Run = Callable[[NDArray[np.int64]], Vectors]


def group_by_length(
    sequences: Iterable[TokenIds], *, tokens_at_once: int = TOKENS_AT_ONCE
) -> Iterator[list[TokenIds]]:
    """Yield groups of equally long sequences, so that none is padded; equal sequences come once."""
    groups: defaultdict[int, list[TokenIds]] = defaultdict(list)
    for sequence in dict.fromkeys(sequences):
        groups[len(sequence)].append(sequence)
    for length, group in sorted(groups.items()):
        step = max(1, tokens_at_once // max(length, 1))
        yield from (group[start : start + step] for start in range(0, len(group), step))


class Encoder:
    """A tokenizer and a model of one layer, ready to run."""

    def __init__(self, *, tokenizer: Any, run: Run, longest: int) -> None:
        self._tokenizer = tokenizer
        self._run = run
        self._longest = longest
        # RoBERTa and GPT-2 tell the first word from the rest by the space before it.
        self._prefix = " " if type(tokenizer).__name__.startswith(("Roberta", "GPT2")) else ""

    @property
    def frame_ids(self) -> frozenset[int]:
        """The tokens that stand around every text: [CLS] and [SEP] in BERT."""
        return frozenset({self._tokenizer.cls_token_id, self._tokenizer.sep_token_id} - {None})

    def tokenize(self, texts: Sequence[str], *, longest: int | None = None) -> list[TokenIds]:
        """Return each text's tokens with the frame around them, cut at what the model can read."""
        stripped = [text.strip() for text in texts]
        if not stripped:
            return []
        encoded = self._tokenizer(
            [self._prefix + text if text else "" for text in stripped],
            truncation=True,
            max_length=min(self._longest, longest or self._longest),
            return_attention_mask=False,
            return_token_type_ids=False,
        )
        return [tuple(ids) for ids in encoded["input_ids"]]

    def encode(self, sequences: Iterable[TokenIds]) -> Mapping[TokenIds, Vectors]:
        """Return tokens × dimensions of each sequence; equal ones are computed once."""
        found: dict[TokenIds, Vectors] = {}
        for group in group_by_length(sequences):
            look()
            found.update(zip(group, self._run(np.array(group, dtype=np.int64)), strict=True))
        return found


@lru_cache(maxsize=2)
def load_encoder(model: str, *, layer: int = LAST_LAYER, runtime: str = "torch") -> Encoder:
    """Open an encoder, once a process; the two used last are kept. Raises `JudgeFailed`.

    layer: how many layers to use, as bert-score's `num_layers` (0 is the embeddings), or -1 for all.
    """
    config = open_pretrained("AutoConfig", model)
    tokenizer = open_pretrained("AutoTokenizer", model)
    network = open_weights("AutoModel", model, **_only_layers(config, model=model, layer=layer))
    if config.is_encoder_decoder:
        network = network.get_encoder()
    make_run = onnx.make_run if runtime == "onnx" else _torch_run
    return Encoder(tokenizer=tokenizer, run=make_run(network), longest=_longest(tokenizer, config))


def _only_layers(config: Any, *, model: str, layer: int) -> dict[str, Any]:
    if layer == LAST_LAYER:
        return {}
    if layer > config.num_hidden_layers:
        raise JudgeFailed(
            f"The model “{model}” has {config.num_hidden_layers} layers, not {layer}.", retryable=False
        )
    config.num_hidden_layers = layer
    return {"config": config}


def _longest(tokenizer: Any, config: Any) -> int:
    if tokenizer.model_max_length < _NO_LIMIT:
        return int(tokenizer.model_max_length)
    # RoBERTa's first two places are taken.
    return int(getattr(config, "max_position_embeddings", 514)) - 2


def _torch_run(network: Any) -> Run:
    torch = require("torch")

    def run(ids: NDArray[np.int64]) -> Vectors:
        with torch.inference_mode():
            vectors: Vectors = network(input_ids=torch.from_numpy(ids))[0].numpy()
        return vectors

    return run
