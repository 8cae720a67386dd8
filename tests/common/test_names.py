"""Names told apart: only where several are the same, and in their order."""

from common.identifiers import tell_apart


class TestTellApart:
    def test_adds_to_names_that_several_have(self) -> None:
        names = [("DPR", "NQ_DPR"), ("FiD", "fid"), ("DPR", "TQ_DPR")]
        assert tell_apart(names) == ["DPR (NQ_DPR)", "FiD", "DPR (TQ_DPR)"]

    def test_names_nothing_where_there_is_nothing(self) -> None:
        assert tell_apart([]) == []
