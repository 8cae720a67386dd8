"""The replay of routing on NQ301, in small."""

from pathlib import Path

from benchmarks.prejudging.released.nq301 import FOLDER
from benchmarks.prejudging.routing import foresee, read_votes, replay


class TestNQ301:
    """What `docs/proof.md` says, on the released files."""

    def test_two_labels_of_five_are_saved_at_one_final_label_of_fifty(self, data_folder: Path) -> None:
        found = read_votes(data_folder / FOLDER)
        assert len(found.final) == 1490
        row = replay(found, judge=found.gpt4, share=0.0, draws=20)
        assert row.labels_an_answer <= 1.28 < 2.1 < row.fixed
        assert row.same_share >= 0.98

    def test_the_bound_of_the_audit_holds(self, data_folder: Path) -> None:
        found = read_votes(data_folder / FOLDER)
        row = replay(found, judge=found.gpt4, share=0.05, draws=100)
        assert row.held is not None
        assert row.held >= 0.95

    def test_what_is_foreseen_from_a_part_of_the_questions_holds(self, data_folder: Path) -> None:
        row = foresee(read_votes(data_folder / FOLDER), size=60, draws=100)
        assert row.held >= 0.93
        assert row.bound <= 0.05
