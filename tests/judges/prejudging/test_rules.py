"""What settles an answer, which settled answers raters get anyway, and what their audit says."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.intervals import Figure, Why
from judges.prejudging.rules.audit import (
    NOBODY_YET,
    NOTHING_DRAWN,
    UNAUDITED,
    AuditCounts,
    beside_certificate,
    count_choices,
    is_drawn,
    measure_audit,
)
from judges.prejudging.rules.policies import (
    Condition,
    Finding,
    Rule,
    Said,
    UnusablePolicy,
    content_hash,
    describe_rule,
    find_rule,
    read_rules,
    read_scores,
    read_verdicts,
    require_share,
    say,
)

EXACT = Rule(runs=("exact",), condition=Condition.ANY_ACCEPTS)
BOTH = Rule(runs=("bem", "gpt"), condition=Condition.ALL_AGREE)
VERDICTS = st.lists(st.sampled_from([True, False, None]), min_size=1, max_size=4)


class TestReadVerdicts:
    @pytest.mark.parametrize(
        ("condition", "verdicts", "said"),
        [
            ("any_accepts", [None, True, False], True),
            ("any_accepts", [False, None], None),
            ("any_rejects", [None, False, True], False),
            ("any_rejects", [True, None], None),
            ("all_accept", [True, True], True),
            ("all_accept", [True, None], None),
            ("all_accept", [False, False], None),
            ("all_reject", [False, False], False),
            ("all_reject", [False, None], None),
            ("all_reject", [True], None),
            ("all_agree", [True, True], True),
            ("all_agree", [False, False], False),
            ("all_agree", [True, False], None),
            ("all_agree", [None, None], None),
        ],
    )
    def test_by_hand(self, condition: str, verdicts: list[bool | None], said: bool | None) -> None:
        assert read_verdicts(Condition(condition), verdicts) is said

    @given(VERDICTS, st.sampled_from(Condition), st.permutations(range(4)))
    def test_does_not_depend_on_the_order(
        self, verdicts: list[bool | None], condition: Condition, order: list[int]
    ) -> None:
        shuffled = [verdicts[place] for place in order if place < len(verdicts)]
        assert read_verdicts(condition, verdicts) is read_verdicts(condition, shuffled)

    @given(st.integers(1, 4), st.sampled_from(Condition))
    def test_judges_that_could_not_judge_settle_nothing(self, count: int, condition: Condition) -> None:
        assert read_verdicts(condition, [None] * count) is None


SCORES = st.lists(st.one_of(st.none(), st.floats(0.0, 1.0)), min_size=1, max_size=4)


class TestReadScores:
    @pytest.mark.parametrize(
        ("condition", "scores", "said"),
        [
            ("any_accepts", [0.2, 0.75, None], Said(True, 0.75)),
            ("any_accepts", [0.2, 0.25], None),
            ("any_rejects", [0.25, 0.75, None], Said(False, 0.75)),
            ("any_rejects", [0.75], None),
            ("all_accept", [0.75, 0.875], Said(True, 0.75)),
            ("all_accept", [0.75, None], None),
            ("all_reject", [0.25, 0.125], Said(False, 0.75)),
            ("all_reject", [0.25, 0.75], None),
            ("all_agree", [0.75], Said(True, 0.75)),
            ("all_agree", [0.125, 0.25], Said(False, 0.75)),
            ("all_agree", [0.25, 0.75], None),
            ("all_agree", [0.5, 0.5], Said(True, 0.5)),
            ("any_accepts", [None], None),
            ("any_accepts", [1.5], None),
            ("all_accept", [0.75, -1.0], None),
        ],
    )
    def test_by_hand(self, condition: str, scores: list[float | None], said: Said | None) -> None:
        assert read_scores(Condition(condition), scores) == said

    @given(SCORES, st.sampled_from(Condition), st.floats(0.51, 1.0))
    def test_is_what_verdicts_of_judges_that_are_sure_enough_come_to(
        self, scores: list[float | None], condition: Condition, threshold: float
    ) -> None:
        def verdict(score: float | None) -> bool | None:
            if score is None or max(score, 1 - score) < threshold:
                return None
            return score >= threshold

        said = read_scores(condition, scores)
        settled = said.is_accepted if said is not None and said.confidence >= threshold else None
        assert settled is read_verdicts(condition, list(map(verdict, scores)))


class TestSay:
    SURE = Rule(runs=("bem",), condition=Condition.ALL_AGREE, threshold=0.9)

    def say(self, score: float | None, verdict: bool | None = True) -> bool | None:
        return say(self.SURE, verdicts={"bem": verdict}, scores={"bem": score})

    def test_a_judge_that_is_sure_enough_settles_either_way(self) -> None:
        # 1 - .9 is a little less than .1 in binary.
        assert (self.say(0.9), self.say(0.1), self.say(0.89), self.say(0.11)) == (True, False, None, None)

    def test_a_judge_that_could_not_judge_settles_nothing_by_its_score(self) -> None:
        assert (self.say(None), self.say(0.99, None)) == (None, None)


class TestFindRule:
    def test_the_first_rule_that_speaks_decides(self) -> None:
        said = {"exact": False, "bem": False, "gpt": False}
        assert find_rule(rules=[EXACT, BOTH], verdicts=said) == Finding(rule=2, is_accepted=False)
        assert find_rule(rules=[EXACT, BOTH], verdicts={**said, "exact": True}) == Finding(1, True)

    def test_without_verdicts_or_rules_people_judge(self) -> None:
        assert find_rule(rules=[EXACT, BOTH], verdicts={"bem": True}) is None
        assert find_rule(rules=[], verdicts={"exact": True}) is None


class TestReadRules:
    def test_reads_what_it_writes(self) -> None:
        sure = EXACT._replace(threshold=0.9)
        assert read_rules([EXACT.to_json(), BOTH.to_json(), sure.to_json()]) == (EXACT, BOTH, sure)

    def test_a_rule_without_a_threshold_is_written_as_before_there_were_any(self) -> None:
        assert EXACT.to_json() == {"runs": ["exact"], "condition": "any_accepts"}
        hashed = content_hash(rules=[EXACT], audit_share=0.05, seed=1)
        assert hashed == "8a8e68bd62574ab278aae324b645b87eaa1a7053b534e96843b8b70110946369"

    @pytest.mark.parametrize(
        "rule",
        [
            {},
            {"runs": [], "condition": "any_accepts"},
            {"runs": "exact", "condition": "any_accepts"},
            {"runs": [1], "condition": "any_accepts"},
            {"runs": ["a", "a"], "condition": "all_accept"},
            {"runs": ["a"], "condition": "sometimes"},
            {"runs": ["a"], "condition": ["any_accepts"]},
            {"runs": ["a"], "condition": "all_agree"},
            {"runs": ["a"], "condition": "any_accepts", "threshold": 0.49},
            {"runs": ["a"], "condition": "any_accepts", "threshold": 1.01},
            {"runs": ["a"], "condition": "any_accepts", "threshold": float("nan")},
            {"runs": ["a"], "condition": "any_accepts", "threshold": "sure"},
            {"runs": ["a"], "condition": "any_accepts", "threshold": True},
            {"runs": ["a"], "condition": "any_accepts", "certificate": 7},
        ],
    )
    def test_refuses_what_is_no_rule(self, rule: dict[str, object]) -> None:
        with pytest.raises(UnusablePolicy) as refusal:
            read_rules([rule])
        assert refusal.value.field == "rules"

    @pytest.mark.parametrize("share", [-0.1, 1.1, float("nan")])
    def test_refuses_what_is_no_share(self, share: float) -> None:
        with pytest.raises(UnusablePolicy):
            require_share(share)

    def test_equal_policies_have_one_hash(self) -> None:
        same = {"audit_share": 0.05, "seed": 1}
        assert content_hash(rules=[EXACT, BOTH], **same) == content_hash(rules=(EXACT, BOTH), **same)
        assert content_hash(rules=[EXACT, BOTH], **same) != content_hash(rules=[BOTH, EXACT], **same)


class TestDescribeRule:
    @pytest.mark.parametrize(
        ("runs", "condition", "text"),
        [
            (["a"], "any_accepts", "Alpha accepts: counts as correct"),
            (["a", "b"], "any_accepts", "Alpha or Beta accepts: counts as correct"),
            (["a", "b"], "all_reject", "Alpha and Beta reject: counts as incorrect"),
            (["a"], "all_reject", "Alpha rejects: counts as incorrect"),
            (["a", "b"], "all_agree", "Alpha and Beta agree: the verdict counts"),
            (["a", "gone"], "all_accept", "Alpha and gone accept: counts as correct"),
        ],
    )
    def test_in_words(self, runs: list[str], condition: str, text: str) -> None:
        rule = Rule(runs=tuple(runs), condition=Condition(condition))
        assert describe_rule(rule, names={"a": "Alpha", "b": "Beta"}) == text

    @pytest.mark.parametrize(
        ("runs", "threshold", "text"),
        [
            (["a"], 0.5, "Alpha is sure enough: the verdict counts"),
            (["a", "b"], 0.5, "Alpha and Beta are sure enough: the verdict counts"),
            (["a", "b"], None, "Alpha and Beta agree: the verdict counts"),
        ],
    )
    def test_a_threshold_that_nobody_found_is_not_named(
        self, runs: list[str], threshold: float | None, text: str
    ) -> None:
        rule = Rule(runs=tuple(runs), condition=Condition.ALL_AGREE, threshold=threshold)
        names = {"a": "Alpha", "b": "Beta"}
        assert describe_rule(rule, names=names, probable=runs, is_threshold_open=True) == text

    @pytest.mark.parametrize(
        ("threshold", "words"),
        [(0.819759, "81.9%"), (0.99999, "99.9%"), (0.57, "57.0%"), (1.0, "100.0%")],
    )
    def test_how_sure_is_rounded_down(self, threshold: float, words: str) -> None:
        rule = Rule(runs=("a",), condition=Condition.ALL_AGREE, threshold=threshold)
        assert f"at least {words} sure" in describe_rule(rule, names={"a": "Alpha"}, probable=["a"])

    @pytest.mark.parametrize(
        ("runs", "condition", "probable", "text"),
        [
            (["a"], "any_accepts", ["a"], "Alpha is at least 97.5% sure: counts as correct"),
            (["a"], "any_rejects", ["a"], "Alpha is at least 97.5% sure: counts as incorrect"),
            (["a"], "all_agree", ["a"], "Alpha is at least 97.5% sure: the verdict counts"),
            (
                ["a", "b"],
                "any_accepts",
                ["a", "b"],
                "Alpha or Beta is at least 97.5% sure: counts as correct",
            ),
            (
                ["a", "b"],
                "all_agree",
                ["a", "b"],
                "Alpha and Beta agree and are at least 97.5% sure: the verdict counts",
            ),
            (["a"], "any_accepts", [], "Alpha scores at least 0.975: counts as correct"),
            (["a"], "all_agree", [], "Alpha scores at least 0.975 or at most 0.025: the verdict counts"),
            (["a", "b"], "all_reject", ["a"], "Alpha and Beta score at most 0.025: counts as incorrect"),
        ],
    )
    def test_sure_ones_in_words(
        self, runs: list[str], condition: str, probable: list[str], text: str
    ) -> None:
        rule = Rule(runs=tuple(runs), condition=Condition(condition), threshold=0.975)
        assert describe_rule(rule, names={"a": "Alpha", "b": "Beta"}, probable=probable) == text


class TestIsDrawn:
    def test_about_the_share_is_drawn_and_always_the_same(self) -> None:
        drawn = [is_drawn(seed=1, name=str(place), share=0.1) for place in range(10_000)]
        assert drawn == [is_drawn(seed=1, name=str(place), share=0.1) for place in range(10_000)]
        # Five standard errors around a tenth.
        assert abs(sum(drawn) - 1_000) < 150

    def test_another_seed_draws_others(self) -> None:
        both = sum(
            is_drawn(seed=1, name=str(place), share=0.1) and is_drawn(seed=2, name=str(place), share=0.1)
            for place in range(10_000)
        )
        assert both < 200

    @given(st.integers(0, 2**31), st.text(max_size=20))
    def test_a_larger_share_draws_the_same_and_more(self, seed: int, name: str) -> None:
        drawn = [is_drawn(seed=seed, name=name, share=share) for share in (0.0, 0.05, 0.5, 1.0)]
        assert drawn == sorted(drawn)
        assert (drawn[0], drawn[-1]) == (False, True)


class TestMeasureAudit:
    def test_three_of_forty(self) -> None:
        weights = {"weight": 40 * 20.0, "weight_squares": 40 * 400.0, "weight_disagreed": 3 * 20.0}
        figures = measure_audit(AuditCounts(settled=800, drawn=42, decided=40, disagreed=3, **weights))
        assert figures.share.value == 3 / 40
        # Where the likelihood of 3 of 40 is a twentieth of its mean over all shares, 1 / (41 · C(40, 3)).
        for bound in (figures.share.low, figures.share.high):
            assert bound is not None
            assert bound**3 * (1 - bound) ** 37 == pytest.approx(0.05 / (41 * 9_880), rel=1e-6)
        low, high = bounds_of(3, 40)
        assert low < 3 / 40 < high
        assert figures.words == (
            "People disagreed with automatic judges on 3 of 40 audited answers. "
            "Audited answers still open: 2."
        )

    def test_without_decided_answers_there_is_no_share(self) -> None:
        assert measure_audit(AuditCounts(settled=9)).words == NOTHING_DRAWN
        assert measure_audit(AuditCounts(settled=9, unaudited=9)).words == UNAUDITED.format("9 answers")
        waiting = measure_audit(AuditCounts(settled=9, drawn=2))
        assert waiting.share == Figure(None, why=Why.NOTHING_SAMPLED)
        assert (waiting.open, waiting.words) == (2, NOBODY_YET)

    def test_one_of_little_weight_among_many_of_much_leaves_the_low_end_at_none(self) -> None:
        light = AuditCounts(drawn=1, decided=1, disagreed=1, weight=1, weight_squares=1, weight_disagreed=1)
        heavy = AuditCounts(drawn=10, decided=10, weight=200, weight_squares=4_000)
        figures = measure_audit(light.plus(heavy)).share
        assert figures.low == 0.0
        assert figures.value is not None
        assert figures.high is not None
        assert figures.value < figures.high < 1.0

    def test_counts_add_up(self) -> None:
        assert AuditCounts(4, 3, 2, 1).plus(AuditCounts(1, 1, 1, 1)) == AuditCounts(5, 4, 3, 2)


WRONG = 0.1


@cache
def bounds_of(disagreed: int, decided: int, choices: int = 1) -> tuple[float, float]:
    """Return the interval of so many answers audited, all drawn with one probability."""
    counts = {
        "weight": 20.0 * decided,
        "weight_squares": 400.0 * decided,
        "weight_disagreed": 20.0 * disagreed,
    }
    found = measure_audit(
        AuditCounts(drawn=decided, decided=decided, disagreed=disagreed, **counts), choices=choices
    )
    assert found.share.interval is not None
    return found.share.interval


class TestBesideCertificate:
    def test_an_estimate_above_the_maximum_does_not_contradict_it_while_the_interval_includes_it(
        self,
    ) -> None:
        share = Figure(0.0542, 0.0341, 0.0812)
        assert beside_certificate(maximum=0.05, share=share, is_contradicted=False) == (
            "The certificate allows an error rate of at most 5.0%, and the audit found 5.4% (3.4–8.1). This "
            "does not contradict the certificate, because the interval includes 5.0%. Corrected scores rest "
            "on the audit, not on the certificate."
        )

    def test_where_the_estimate_is_within_the_maximum_nothing_needs_explaining(self) -> None:
        words = beside_certificate(maximum=0.05, share=Figure(0.02, 0.01, 0.07), is_contradicted=False)
        assert "This does not contradict the certificate. Corrected" in words

    def test_an_audit_that_contradicts_is_said_to(self) -> None:
        words = beside_certificate(maximum=0.05, share=Figure(0.2, 0.1, 0.3), is_contradicted=True)
        assert "found 20.0% (10.0–30.0). This contradicts the certificate. Corrected" in words

    def test_before_the_first_decision_there_is_nothing_to_compare(self) -> None:
        words = beside_certificate(maximum=0.05, share=Figure(None), is_contradicted=False)
        assert words.endswith("and the audit has no result yet.")


class TestWatching:
    def test_the_interval_holds_after_every_audited_answer(self) -> None:
        """An exact interval of one look missed the truth at some look in a quarter of studies."""
        generator = np.random.default_rng(21)
        held = 0
        for _ in range(500):
            seen = np.cumsum(generator.random(200) < WRONG).tolist()
            looks = [bounds_of(hits, total) for total, hits in enumerate(seen, start=1)]
            held += all(low <= WRONG <= high for low, high in looks)
        assert held / 500 >= 0.95

    def test_so_it_does_where_answers_were_drawn_with_two_probabilities(self) -> None:
        generator = np.random.default_rng(22)
        # 2,000 answers drawn at 2%, wrong in 15%; 300 at 20%, wrong in 5%.
        truth = (2_000 * 0.15 + 300 * 0.05) / 2_300
        held = 0
        for _ in range(200):
            is_rare = generator.permutation(np.repeat([True, False], [40, 60]))
            wrong = generator.random(100) < np.where(is_rare, 0.15, 0.05)
            weights = np.where(is_rare, 50.0, 5.0)
            counts = AuditCounts()
            holds = True
            for weight, is_wrong in zip(weights.tolist(), wrong.tolist(), strict=True):
                one = AuditCounts(0, 1, 1, int(is_wrong), 0, weight, weight**2, weight * is_wrong)
                counts = counts.plus(one)
                found = measure_audit(counts)
                assert found.share.interval is not None
                low, high = found.share.interval
                holds = holds and low <= truth <= high
            held += holds
        assert held / 200 >= 0.95

    def test_it_holds_though_the_rules_that_look_bad_are_undone(self) -> None:
        """Of twenty rules that err alike, a lead keeps those that look best, at whatever moment they do."""
        generator = np.random.default_rng(23)
        places, held, naive = 20, 0, 0
        choices = count_choices([1] * places)
        for _ in range(300):
            seen = np.cumsum(generator.random((places, 80)) < WRONG, axis=1)
            of_rules, of_pooled, of_plain = [], [], []
            for look in range(9, 80, 10):
                order = np.sort(seen[:, look])
                for kept in range(1, places + 1):
                    hits, total = int(order[:kept].sum()), kept * (look + 1)
                    of_pooled.append(bounds_of(hits, total, choices.pooled))
                    of_plain.append(bounds_of(hits, total))
                of_rules += [bounds_of(int(hits), look + 1, choices.rules) for hits in order]
                of_plain += [bounds_of(int(hits), look + 1) for hits in order]
            held += all(low <= WRONG <= high for low, high in [*of_rules, *of_pooled])
            naive += all(low <= WRONG <= high for low, high in of_plain)
        assert held / 300 >= 0.95
        assert naive / 300 < 0.95

    def test_choices_are_counted(self) -> None:
        assert count_choices([1]) == (1, 1)
        # One rule was applied twice: alone in the first, alone in the second, in both; the other once.
        assert count_choices([2, 1]) == (3 + 1, 7)
        assert count_choices([]) == (1, 1)
