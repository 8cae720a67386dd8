"""One line that says what produced numbers."""

from common.identifiers import VERSION, sign_figures, spell


class TestSignFigures:
    def test_says_choices_interval_and_version_in_their_order(self) -> None:
        signed = sign_figures("agreement", rule="drop", share=0.5, seed=7, has_intervals=True)
        assert signed == f"agreement|rule:drop|share:0.5|interval:questions t|seed:7|version:{VERSION}"

    def test_leaves_out_what_nobody_chose(self) -> None:
        assert sign_figures("board", tag="", dataset=None, least=0) == f"board|least:0|version:{VERSION}"

    def test_no_value_can_pass_for_a_part(self) -> None:
        assert spell(tag="a|gold:b") != spell(tag="a", gold="b")
