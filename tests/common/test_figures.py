"""What figures are called, and why there may be none."""

from analysis.intervals import Figure, Interval, Undefined, Why
from annotation.quality.rules.figures import FEWEST
from common.figures import FIGURES, JUDGE_MEASURES, WHY, words_or_none


class TestFigure:
    def test_has_a_value_between_its_bounds(self) -> None:
        figure = Figure.of(0.5, Interval(0.4, 0.6))
        assert (figure.value, figure.interval, figure.why) == (0.5, (0.4, 0.6), None)

    def test_says_why_it_has_no_value(self) -> None:
        nothing = Undefined(Why.NO_SCORED)
        assert Figure.of(nothing, Undefined(Why.NO_VALUE)) == Figure(None, why=Why.NO_SCORED)

    def test_says_why_it_has_no_interval(self) -> None:
        assert Figure.of(0.5, Undefined(Why.NEVER_VARIES)) == Figure(0.5, why=Why.NEVER_VARIES)

    def test_says_nothing_of_an_interval_that_was_not_asked_for(self) -> None:
        assert (Figure.of(0.5).interval, Figure.of(0.5).why) == (None, None)


class TestWords:
    def test_every_reason_is_a_sentence(self) -> None:
        assert set(WHY) == set(Why)
        assert all(words.endswith(".") for words in WHY.values())

    def test_reasons_differ(self) -> None:
        assert len(set(WHY.values())) == len(WHY)

    def test_few_is_what_quality_calls_few(self) -> None:
        few = {8: "eight"}[FEWEST]
        assert all(f"than {few} answers" in WHY[why] for why in (Why.FEW_REPEATS, Why.FEW_SHARED))

    def test_a_number_needs_no_words(self) -> None:
        assert (words_or_none(0.5), words_or_none(Undefined(Why.ITSELF))) == (None, WHY[Why.ITSELF])


class TestNames:
    def test_no_two_figures_have_one_name(self) -> None:
        assert len({name.name for name in FIGURES.values()}) == len(FIGURES)

    def test_an_explanation_is_a_sentence(self) -> None:
        assert all(each.about.endswith(".") for each in FIGURES.values() if each.about)

    def test_what_is_published_of_judges_has_a_name(self) -> None:
        assert set(JUDGE_MEASURES.values()) <= {each.plain for each in FIGURES.values()}
