"""The table of judges: loaded late, described for forms, signed by all their options."""

import dataclasses
import re
import subprocess
import sys
from pathlib import Path

import pytest

from common.identifiers import hash_signature
from judges.protocol import UnusableOption
from judges.registry import (
    JUDGES,
    UnknownJudge,
    caution_of,
    display_name,
    get_entry,
    is_available,
    make_judge,
    make_options,
    make_signature,
    options_of,
)
from judges.runs.services.planning import GOLD_OPTION


class TestTable:
    def test_lists_judges_without_loading_any(self) -> None:
        program = "import sys, judges.registry; print('judges.methods' in sys.modules)"
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "False"

    def test_describes_judges_without_loading_a_model_library(self) -> None:
        program = (
            "import sys; from judges.registry import JUDGES, options_of\n"
            "for entry in JUDGES.values(): options_of(entry)\n"
            "print({'torch', 'transformers', 'onnxruntime', 'openai', 'scipy'} & set(sys.modules))"
        )
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
        assert done.stdout.strip() == "set()"

    @pytest.mark.parametrize("entry", JUDGES.values(), ids=list(JUDGES))
    def test_every_judge_loads_and_has_frozen_options(self, entry: object) -> None:
        options = make_options(entry, {})
        with pytest.raises(dataclasses.FrozenInstanceError):
            options.anything = 1

    def test_finds_recorded_judges_by_prefix(self) -> None:
        assert get_entry("recorded:bem").key == "recorded"
        assert display_name("recorded:bem") == "bem (recorded)"

    def test_refuses_unknown_keys(self) -> None:
        with pytest.raises(UnknownJudge):
            get_entry("oracle")

    def test_knows_when_something_must_be_installed(self) -> None:
        entry = JUDGES["exact_match"]
        assert is_available(entry)
        assert not is_available(entry._replace(requires=("no_such_module",)))


class TestPages:
    """Pages say options in words of their own; the codes are for programs."""

    def test_have_words_for_each_option_and_each_of_its_choices(self) -> None:
        source = Path(__file__).resolve().parents[2] / "frontend" / "src"
        words = (source / "features/runs/option-words.ts").read_text(encoding="utf-8")
        words += (source / "domain/parsers.ts").read_text(encoding="utf-8")
        described = [GOLD_OPTION, *(option for entry in JUDGES.values() for option in options_of(entry))]
        said = {name for option in described for name in (option.name, *(option.choices or ()))}
        assert not {name for name in said if not re.search(rf"\b{re.escape(name)}\b", words)}


class TestCaution:
    def test_is_said_once_of_judges_that_were_trained_on_public_data(self) -> None:
        learned = ["judge:learned|gold:original|revision:2", "judge:learned_memory|revision:3"]
        said = caution_of([*learned, "judge:exact_match|revision:1"])
        assert said == (
            "The learned judge included with Assay was trained on Natural Questions (EVOUNA-NQ). On "
            "questions from that data set, its agreement with people is probably overstated."
        )

    def test_is_none_of_others(self) -> None:
        assert caution_of(["judge:exact_match|revision:1", "judge:recorded:learned|revision:1"]) == ""
        assert caution_of([]) == ""


class TestOptions:
    def test_describe_themselves(self) -> None:
        option = options_of(JUDGES["containment"])[0]
        assert (option.name, option.type, option.default) == ("match", "str", "contained")
        assert option.choices == ("contained", "equal")
        assert option.help

    def test_take_text_from_a_command_line(self) -> None:
        assert make_options(JUDGES["token_f1"], {"threshold": "0.7"}).threshold == 0.7

    @pytest.mark.parametrize("value", ["much", None, True, 1.5, "nan", "inf", []])
    def test_refuse_what_is_no_share(self, value: object) -> None:
        with pytest.raises(UnusableOption) as caught:
            make_judge(JUDGES["token_f1"], {"threshold": value})
        assert caught.value.option == "threshold"

    def test_refuse_a_value_outside_the_choices(self) -> None:
        with pytest.raises(UnusableOption, match="not one of contained, equal"):
            make_judge(JUDGES["containment"], {"match": "fuzzy"})

    def test_refuse_an_unknown_name(self) -> None:
        with pytest.raises(UnusableOption, match="its options: threshold"):
            make_judge(JUDGES["token_f1"], {"treshold": 0.5})


class TestSignature:
    def test_states_every_option_and_the_revision(self) -> None:
        options = make_options(JUDGES["token_f1"], {})
        assert make_signature("token_f1", options, gold="original") == (
            "judge:token_f1|threshold:0.5|gold:original|revision:1"
        )

    def test_is_the_same_for_equal_options_however_typed(self) -> None:
        one, other = (make_options(JUDGES["token_f1"], {"threshold": value}) for value in ("0.50", 0.5))
        assert make_signature("token_f1", one) == make_signature("token_f1", other)

    def test_cannot_be_forged_by_a_value(self) -> None:
        options = make_options(JUDGES["exact_match"], {})
        one = make_signature("exact_match", options, file="a|gold:b")
        other = make_signature("exact_match", options, file="a", gold="b")
        assert hash_signature(one) != hash_signature(other)
