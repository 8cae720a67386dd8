"""ONNX Runtime: the same network, exported once a process and run by another engine."""

import logging
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from judges.methods.pretrained.loading import require
from judges.protocol import JudgeFailed


def make_run(network: Any) -> Callable[[NDArray[np.int64]], NDArray[np.float32]]:
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
                "This model cannot be exported to ONNX: use `runtime=torch`.", retryable=False
            ) from error
    exported: bytes = program.model_proto.SerializeToString()
    return exported
