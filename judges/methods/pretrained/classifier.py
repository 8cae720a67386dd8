"""Classifiers: texts in segments to the numbers a trained head gives them."""

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judges.methods.pretrained.encoder import TOKENS_AT_ONCE
from judges.methods.pretrained.loading import open_pretrained, open_weights, require
from judges.protocol import JudgeFailed, look

TextsOfOne = tuple[str, ...]
Packed = tuple[tuple[int, ...], ...]
Logits = NDArray[np.float64]


def fit_parts(parts: Sequence[Sequence[int]], *, room: int) -> list[Sequence[int]]:
    """Cut tokens off the end of whichever part is longest until all fit into `room` together."""
    lengths = [len(part) for part in parts]
    while sum(lengths) > max(room, 0):
        lengths[lengths.index(max(lengths))] -= 1
    return [part[:length] for part, length in zip(parts, lengths, strict=True)]


class Classifier:
    """A tokenizer and a network with a trained head."""

    def __init__(self, *, tokenizer: Any, network: Any) -> None:
        self._tokenizer = tokenizer
        self._network = network
        self._longest = min(tokenizer.model_max_length, _places(network.config))
        self._segments = min(getattr(network.config, "type_vocab_size", 1) or 1, 2)

    def logits(self, texts: Sequence[TextsOfOne]) -> Logits:
        """Return inputs × labels. An input is some texts, packed `[CLS] one [SEP] two [SEP] … [SEP]`.

        The first text is segment 0, the others segment 1. What is too long is cut at the longest text.
        Equal inputs are computed once; equally long ones together, so that nothing is padded.
        """
        packed = self._pack(texts)
        found: dict[Packed, Logits] = {}
        for group in _group(packed):
            look()
            found.update(zip(group, self._run(group), strict=True))
        labels = self._network.config.num_labels
        return np.array([found[each] for each in packed], dtype=np.float64).reshape(len(texts), labels)

    def _pack(self, texts: Sequence[TextsOfOne]) -> list[Packed]:
        distinct = list(dict.fromkeys(text for each in texts for text in each))
        ids = dict(zip(distinct, self._tokenize(distinct), strict=True))
        return [self._frame([ids[text] for text in each]) for each in texts]

    def _tokenize(self, texts: list[str]) -> list[list[int]]:
        if not texts:
            return []
        encoded = self._tokenizer(texts, add_special_tokens=False)["input_ids"]
        # An answer may spell "[SEP]": it must not end its own part.
        frame = {self._tokenizer.cls_token_id, self._tokenizer.sep_token_id, self._tokenizer.pad_token_id}
        return [[token for token in ids if token not in frame] for ids in encoded]

    def _frame(self, parts: Sequence[Sequence[int]]) -> Packed:
        ids, segments = [self._tokenizer.cls_token_id], [0]
        for number, part in enumerate(fit_parts(parts, room=self._longest - len(parts) - 1)):
            ids += [*part, self._tokenizer.sep_token_id]
            segments += [min(number, self._segments - 1)] * (len(part) + 1)
        return tuple(ids), tuple(segments)

    def _run(self, group: list[Packed]) -> Logits:
        torch = require("torch")
        given = {"input_ids": torch.tensor([ids for ids, _ in group])}
        if self._segments > 1:
            given["token_type_ids"] = torch.tensor([segments for _, segments in group])
        with torch.inference_mode():
            logits: Logits = self._network(**given).logits.double().numpy()
        return logits


def _places(config: Any) -> int:
    # Models that know relative places only have no limit of their own.
    return int(getattr(config, "max_position_embeddings", 512) or 512)


def _group(packed: Sequence[Packed]) -> list[list[Packed]]:
    groups: defaultdict[int, list[Packed]] = defaultdict(list)
    for each in sorted(set(packed)):
        groups[len(each[0])].append(each)
    return [
        group[start : start + step]
        for length, group in sorted(groups.items())
        for step in (max(1, TOKENS_AT_ONCE // length),)
        for start in range(0, len(group), step)
    ]


@lru_cache(maxsize=2)
def load_classifier(model: str, *, labels: int) -> Classifier:
    """Open a classifier with so many labels, once a process; the two used last are kept.

    Raises `JudgeFailed`, also where the model has another number of labels or an untrained head.
    """
    network = open_weights("AutoModelForSequenceClassification", model)
    if network.config.num_labels != labels:
        raise JudgeFailed(
            f"The model “{model}” gives {network.config.num_labels} numbers an answer, not {labels}.",
            retryable=False,
        )
    return Classifier(tokenizer=open_pretrained("AutoTokenizer", model), network=network)
