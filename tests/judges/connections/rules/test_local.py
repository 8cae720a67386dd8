"""Which models the administrator offers is written in full, and nothing else is one."""

import pytest

from judges.connections.rules.local import LocalModel, parse_models

COMMIT = "0123456789abcdef" * 2 + "01234567"


class TestParseModels:
    def test_reads_folders_and_commits(self) -> None:
        assert parse_models(["small=/data/models/small", f" big=lab/big-1.5@{COMMIT}"]) == {
            "small": LocalModel("small", "/data/models/small"),
            "big": LocalModel("big", "lab/big-1.5", COMMIT),
        }

    @pytest.mark.parametrize(
        ("entry", "said"),
        [
            ("/data/models/small", "must begin with a name"),
            ("a b=/data", "must begin with a name"),
            ("small=models/small", "must name a folder from / on"),
            ("big=lab/big", "with all 40 digits"),
            ("big=lab/big@main", "with all 40 digits"),
            (f"big=lab/big@{COMMIT[1:]}", "with all 40 digits"),
            (f"big=https://elsewhere/lab/big@{COMMIT}", "with all 40 digits"),
        ],
    )
    def test_says_what_is_wrong(self, entry: str, said: str) -> None:
        with pytest.raises(ValueError, match=said):
            parse_models([entry])

    def test_wants_each_name_once(self) -> None:
        with pytest.raises(ValueError, match="the name small occurs twice"):
            parse_models(["small=/one", "small=/two"])
