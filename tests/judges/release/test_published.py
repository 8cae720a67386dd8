"""Published numbers as the report prints them."""

from common.figures import JUDGE_MEASURES
from judges.comparison.rules.leaderboard.references import USUAL_MEASURES, Reference, Subject
from judges.release.rules.report import published_rows

NUMBER = Reference(
    subject=Subject.JUDGE,
    name="GPT-4 as judge",
    measure="cohen_kappa",
    value=-0.05,
    n=1490,
    about="the judged sample",
    source="A paper",
    source_url="https://a.example/paper",
    system="fid",
    prompt="plain",
)


class TestPublishedRows:
    def test_says_what_it_measures_and_where(self) -> None:
        (row,) = published_rows([NUMBER], subject=Subject.JUDGE, measures=JUDGE_MEASURES)
        assert tuple(row) == (
            "GPT-4 as judge",
            "Cohen’s κ",
            "−5.0",
            "1,490",
            "prompt plain, answers of fid, the judged sample",
            "A paper, https://a.example/paper",
        )

    def test_words_of_its_own_stand_as_they_are(self) -> None:
        other = NUMBER._replace(measure="BLEURT", n=None)
        (row,) = published_rows([other], subject=Subject.JUDGE, measures=JUDGE_MEASURES)
        assert (row.measure, row.n) == ("BLEURT", "")

    def test_leaves_out_those_of_the_other_subject(self) -> None:
        assert published_rows([NUMBER], subject=Subject.SYSTEM, measures={}) == []

    def test_what_a_file_may_call_by_its_usual_name_has_a_name_here(self) -> None:
        assert set(USUAL_MEASURES.values()) <= JUDGE_MEASURES.keys()
