"""The methods paragraph, word by word for each ready-made protocol."""

from dataclasses import replace
from typing import Any

import pytest

from analysis.classification import Confusion, measure_quality
from analysis.intervals import Figure, Interval, Undefined, Value, Why
from analysis.raters.agreement import MissingVotes
from annotation.agreement.rules.measures import AgreementReport
from annotation.agreement.rules.votes import RULE_TEXTS, LabelView
from annotation.projects.presets import find_preset
from annotation.projects.rules import Protocol
from judges.prejudging.rules.audit import (
    AuditCounts,
    AuditReport,
    AuditRow,
    measure_audit,
)
from judges.prejudging.rules.certificates import Proof
from judges.prejudging.rules.decided_by import DecidedBy
from judges.release.rules.facts import (
    GoldFacts,
    JudgeFacts,
    LeadFacts,
    PreparedFacts,
    RoutingFacts,
    SampledFacts,
    ScoreFacts,
    StudyFacts,
)
from judges.release.rules.methods import write_methods

COUNTS = Confusion(true_positive=50, false_negative=10, false_positive=5, true_negative=33, unscored=2)
FIGURES = {
    name: Figure.of(value, Interval(0.75, 0.9))
    for name, value in {**measure_quality(COUNTS), "cohen_kappa": 0.7, "kendall_tau_b": 0.5}.items()
}
JUDGE = JudgeFacts(
    name="BEM",
    signature="judge:bem|gold:original|revision:1",
    counts=COUNTS,
    figures=FIGURES,
    n=100,
)
NAMES = (
    "observed_agreement",
    "fleiss_kappa",
    "krippendorff_alpha",
    "gwet_ac1",
    "krippendorff_alpha_ordinal",
    "cohen_kappa",
)


def agreement(*, raters: int = 2, value: Value = 0.8, items: int = 100) -> AgreementReport:
    bounds = Undefined(Why.TOO_FEW_QUESTIONS) if isinstance(value, Undefined) else Interval(0.7, 0.9)
    return AgreementReport(
        missing_votes=MissingVotes.OWN_CATEGORY,
        rule_text=RULE_TEXTS[MissingVotes.OWN_CATEGORY],
        labels=LabelView.AS_LABELLED,
        label_views=(LabelView.AS_LABELLED,),
        raters=raters,
        items=items,
        questions=30,
        disagreements=20,
        figures=dict.fromkeys(NAMES, Figure.of(value, bounds)),
        is_paradox=False,
        band="",
        pairs=[],
        distribution={},
        label_shares={},
    )


def preset(key: str) -> Protocol:
    found = find_preset(key)
    assert found is not None
    return found.protocol


def facts(key: str = "openqa-eval", **other: Any) -> StudyFacts:
    values: dict[str, Any] = {
        "protocol": preset(key),
        "pooling": "normalized",
        "questions": 30,
        "all_questions": 300,
        "improper": 0,
        "scored_questions": 30,
        "judged_questions": 30,
        "answers": 100,
        "kept_apart": 0,
        "undecided": 0,
        "systems": 4,
        "sources": {"unanimous": 80, "majority": 20},
        "further": 20,
        "agreement": agreement(),
        "gold": GoldFacts(original=60, added=25, removed=1, version="amended-1f"),
        "judges": (JUDGE,),
    }
    return StudyFacts(**{**values, **other})


def audited(*, share: float = 0.05) -> AuditReport:
    """Return the audit of two rules that speak for 48 and 32 answers, of each two drawn or none."""
    counts = [
        AuditCounts(48, 2, 2, 0, weight=40, weight_squares=800),
        AuditCounts(32, 2, 2, 1, weight=40, weight_squares=800, weight_disagreed=20),
    ]
    if not share:
        counts = [AuditCounts(settled=48, unaudited=48), AuditCounts(settled=32, unaudited=32)]
    texts = ("Containment accepts: counts as correct", "All reject: counts as incorrect")
    rows = [
        AuditRow(number, text, measure_audit(own))
        for number, (text, own) in enumerate(zip(texts, counts, strict=True), start=1)
    ]
    return AuditReport(share, rows, measure_audit(counts[0].plus(counts[1])), watched=2)


TAIL = (
    "The decisions added 25 answers to the 60 gold answers and removed 1 (gold version amended-1f). "
    "Automatic judges agreed with people’s decisions as follows (share of all decided answers, "
    "unscored answers counted as errors, 95% intervals over questions): BEM 83.0% (75.0–90.0) of 100, "
    "2 unscored [judge:bem|gold:original|revision:1]. BEM accepts significantly more answers than people do "
    "(by the 95% interval of the bias)."
)
SAMPLE = "The study has 30 judged questions (of 300) with 100 distinct answers from 4 systems. "
MISSING_RULE = "A missing first-round vote counts as a separate label. "


class TestWriteMethods:
    def test_says_how_many_questions_are_judged_where_not_all_are(self) -> None:
        some = {"scored_questions": 3610, "judged_questions": 301}
        rest = "; on the other questions, systems are scored by exact match with the amended gold list."
        text = write_methods(facts(**some, undecided=40)).text
        assert f"People judged answers to 301 of 3,610 questions so far{rest}" in text
        # Nothing waits: it stays so.
        text = write_methods(facts(**some)).text
        assert f"People judged answers to 301 of 3,610 questions{rest}" in text
        assert "so far" not in write_methods(facts(judged_questions=0)).text

    @pytest.mark.parametrize("key", ["openqa-eval"])
    def test_tells_what_happened_and_not_what_the_protocol_would_do(self, key: str) -> None:
        text = write_methods(facts(key, further=0, sources={"unanimous": 80, "adjudicated": 10})).text
        assert "no answer went to another annotator." in text
        assert "majority" not in text

    def test_says_what_was_not_judged_once(self) -> None:
        text = write_methods(facts(kept_apart=1204)).text
        assert (
            "judged once, except for 1,204 that the files listed as separate rows, which were judged "
            "separately."
        ) in text

    def test_openqa_eval(self) -> None:
        assert write_methods(facts()).missing == ()
        assert write_methods(facts()).text == (
            "People judged answers under the OpenQA-eval protocol as set up in Assay. Two annotators "
            "judged each answer as correct or incorrect, without seeing the system, other annotators’ "
            "labels, or any judge’s verdict; if they disagreed, another annotator judged the answer "
            "without seeing their labels, and the majority decided. Gold answers were not shown to "
            "annotators. Answers from different systems that were equal after normalization (SQuAD) were "
            "judged once. "
            + SAMPLE
            + "The answers were decided as follows: 80 by unanimous vote and 20 by the protocol’s "
            "decision rule after annotators disagreed. First-round annotators agreed on 80.0% (70.0–90.0) "
            "of 100 answers; Fleiss’ κ (with two annotators, Scott’s π) was 0.800 (0.700–0.900), "
            "Krippendorff’s α 0.800 (0.700–0.900), and Gwet’s AC1 0.800 (0.700–0.900) (in "
            "parentheses: 95% intervals over questions). " + MISSING_RULE + TAIL
        )

    def test_the_same_stands_in_short_paragraphs(self) -> None:
        methods = write_methods(facts())
        prose, signatures = " ".join(methods.paragraphs[:-1]), methods.paragraphs[-1]
        signature = "[judge:bem|gold:original|revision:1]"
        assert prose == methods.text.replace(f" {signature}", "").replace(" (gold version amended-1f)", "")
        assert signatures == f"Signatures: BEM {signature}; gold list [amended-1f]."
        starts = [paragraph.split()[0] for paragraph in methods.paragraphs]
        assert starts == ["People", "The", "First-round", "The", "Automatic", "Signatures:"]

    def test_scores_are_said_where_there_are_any(self) -> None:
        score = Figure.of(0.712, Interval(0.66, 0.76))
        scores = ScoreFacts("People", (("EMDR2", score, 301), ("GPT-3.5", Figure.of(0.5), 300)))
        said = (
            "Scores by “People” (share of questions answered correctly, 95% intervals over "
            "questions): EMDR2 71.2% (66.0–76.0) of 301; GPT-3.5 50.0% of 300. "
            "These intervals account for chance in the choice of questions. They do not cover annotators’ "
            "mistakes or questions of another kind."
        )
        assert f"(gold version amended-1f). {said} Automatic" in write_methods(facts(scores=scores)).text
        assert "Scores by" not in write_methods(facts()).text
        sampled = "in the choice of questions and in the sampling of answers for people to judge."
        assert sampled in write_methods(facts(scores=scores, audit=audited())).text

    @pytest.mark.parametrize(
        ("lead", "said"),
        [
            (LeadFacts(("B",), 0, 1, 0), "B scores significantly higher than the other system (pairwise"),
            (LeadFacts(("B",), 0, 2, 0), "B scores significantly higher than every other system (pairwise"),
            (
                LeadFacts(("B",), 0, 2, 1),
                "B scores significantly higher than the two other systems that answered the same questions "
                "(pairwise tests, Holm-corrected). One other system answered fewer questions and is not "
                "ranked.",
            ),
            (
                LeadFacts(("B",), 1, 0, 0),
                "B has the highest score. One other system does not differ significantly from it (pairwise",
            ),
            (
                LeadFacts(("B",), 12, 1, 2),
                "Among systems that answered the same questions, B has the highest score. Ten or more other "
                "systems do not differ significantly from it, and one scores significantly lower (pairwise "
                "tests, Holm-corrected). Two other systems answered fewer questions and are not ranked.",
            ),
            # None was tested, so it is better than none.
            (
                LeadFacts(("B",), 0, 0, 1),
                "The other system answered fewer questions than B did and is not compared with it. Automatic",
            ),
            (LeadFacts(("A", "B"), 0, 0, 0), "A and B are tied for the highest score. Automatic"),
            (
                LeadFacts(("A", "B"), 0, 2, 0),
                "A and B are tied for the highest score, and both score significantly higher than every "
                "other system (pairwise tests, Holm-corrected).",
            ),
            (
                LeadFacts(("A", "B"), 1, 2, 0),
                "A and B are tied for the highest score. One other system does not differ significantly from "
                "at least one of them, and two score significantly lower than both (pairwise tests,",
            ),
            (LeadFacts(("A", "B", "C"), 0, 0, 0), "Three systems are tied for the highest score."),
            (
                LeadFacts(("A", "B"), 0, 0, 1),
                "Among systems that answered the same questions, A and B are tied for the highest score. One",
            ),
        ],
    )
    def test_says_how_sure_the_first_place_is(self, lead: LeadFacts, said: str) -> None:
        score = Figure.of(0.5)
        scores = ScoreFacts("People", (("A", score, 300), ("B", score, 300)))
        assert said in write_methods(facts(scores=scores, lead=lead)).text
        assert said not in write_methods(facts(lead=lead)).text

    def test_says_what_was_done_to_answers_before_they_were_judged(self) -> None:
        text = write_methods(facts(prepared=PreparedFacts(True, True, ("first", "split")))).text
        assert (
            " Chat formatting and filler were removed from answers before judging. Text in the imported "
            "files that was garbled by a wrong encoding (UTF-8 read as Windows-1252) was repaired. If a "
            "system gave a list of predictions, imports used different rules: only the first prediction was "
            "judged; each prediction was judged separately, but only the first was scored. The study has"
        ) in text
        assert "garbled" not in write_methods(facts()).text

    def test_says_each_judge_s_bias_and_caution_once(self) -> None:
        def judge(name: str, low: float, high: float, caution: str = "") -> JudgeFacts:
            bias = Figure.of((low + high) / 2, Interval(low, high))
            return JudgeFacts(name, f"judge:{name}", COUNTS, FIGURES | {"bias": bias}, 100, caution=caution)

        text = write_methods(
            facts(
                judges=(
                    judge("A", -0.3, -0.1, "Trained on NQ."),
                    judge("B", -0.2, -0.1, "Trained on NQ."),
                    judge("C", -0.1, 0.1),
                )
            )
        ).text
        assert text.endswith(
            "A and B accept significantly fewer answers than people do (by the 95% interval of the bias). "
            "For C, no significant bias was found. Trained on NQ."
        )

    def test_efficientqa(self) -> None:
        assert write_methods(facts("efficientqa", agreement=agreement(raters=3))).text == (
            "People judged answers under the EfficientQA protocol as set up in Assay. Three annotators "
            "judged each answer as definitely correct, possibly correct, or definitely incorrect, "
            "without seeing the system, other annotators’ labels, or any judge’s verdict; an answer "
            "counted as “definitely correct” if two of three annotators chose that label, as “possibly "
            "correct” if two chose “possibly correct” or “definitely correct,” and as “definitely "
            "incorrect” in all other cases. "
            "Gold answers were not shown to annotators; answers that equal a gold answer counted as "
            "correct without being judged. Annotators were also asked about each question: “Could this "
            "question have several answers?” (the result is yes if any annotator says yes). Answers from "
            "different systems that were equal after normalization (SQuAD) were judged once. "
            + SAMPLE
            + "The answers were decided as follows: 80 by unanimous vote and 20 by the protocol’s decision "
            "rule after annotators disagreed. First-round annotators agreed on 80.0% (70.0–90.0) of 100 "
            "answers; Fleiss’ κ was 0.800 (0.700–0.900), Krippendorff’s α 0.800 (0.700–0.900), and "
            "Gwet’s AC1 0.800 (0.700–0.900) (in parentheses: 95% intervals over questions). "
            + MISSING_RULE
            + TAIL
        )

    def test_evouna(self) -> None:
        one = agreement(raters=1, value=Undefined(Why.NO_TWO_VOTES))
        methods = write_methods(facts("evouna", agreement=one, improper=3, sources={"unanimous": 100}))
        assert methods.missing == ()
        assert methods.text == (
            "People judged answers under the EVOUNA protocol as set up in Assay. Systems were sorted "
            "into groups, and one annotator judged each group’s answers as correct or incorrect, without "
            "seeing the system, other annotators’ labels, or any judge’s verdict; the annotator’s label "
            "was the decision. Gold answers were shown to annotators. Annotators were also asked about each "
            "question: “Does the answer change over time?” (the result is yes if at least 2 annotators say "
            "yes; the question is then left out of the scores); “Do the gold answers have severe errors?” "
            "(the result is yes if at least 2 annotators say yes; the question is then left out of the "
            "scores). Answers from "
            "different systems that were equal after normalization (SQuAD) were judged once within a "
            "group. "
            + SAMPLE
            + "Annotators removed 3 questions from all scores. The answers were decided as follows: 100 by "
            "unanimous vote. Each answer has one annotator, so annotators’ agreement is not measured. " + TAIL
        )

    def test_an_unfinished_study_says_so_first_and_what_lacks(self) -> None:
        nobody = agreement(raters=0, value=Undefined(Why.NO_TWO_VOTES), items=0)
        methods = write_methods(
            facts(undecided=40, agreement=nobody, judges=(), sources={}, gold=GoldFacts(60, 0, 0, "original"))
        )
        assert methods.missing == (
            "40 of 100 distinct answers are not decided yet.",
            "Agreement is not known yet: No answer has votes from two annotators yet.",
            "No judge has a verdict on a decided answer yet.",
        )
        assert methods.text.startswith("Preliminary: this study is not finished. People judged answers")
        assert methods.text.endswith("from 4 systems. The 60 gold answers did not change after import.")

    def test_a_released_file_of_decisions_is_finished_without_votes(self) -> None:
        nobody = agreement(raters=0, value=Undefined(Why.NO_TWO_VOTES), items=0)
        methods = write_methods(facts(agreement=nobody, sources={"imported": 100}, systems=0, judges=()))
        assert "Preliminary" not in methods.text
        assert "100 distinct answers." in methods.text
        assert methods.missing == (
            "No systems’ answers have been imported yet.",
            "No judge has a verdict on a decided answer yet.",
        )
        assert (
            "No answer has votes from two annotators, so annotators’ agreement is not measured."
            in methods.text
        )

    def test_an_empty_project_names_everything(self) -> None:
        nobody = agreement(raters=0, value=Undefined(Why.NO_TWO_VOTES), items=0)
        empty = {"questions": 0, "all_questions": 0, "answers": 0, "systems": 0, "judges": (), "sources": {}}
        methods = write_methods(
            facts(protocol=None, agreement=nobody, gold=GoldFacts(0, 0, 0, "original"), **empty)
        )
        assert methods.text == "Preliminary: this study is not finished."
        assert methods.missing[:3] == (
            "The study has no protocol yet.",
            "No questions have been imported yet.",
            "No systems’ answers have been imported yet.",
        )

    @pytest.mark.parametrize(
        ("tie_break", "words"),
        [
            ("more_raters", "more annotators were asked one at a time, up to five in all"),
            ("lead", "the study’s lead or an adjudicator decided"),
            ("nobody", "; the majority decided."),
        ],
    )
    def test_every_tie_break_has_words(self, tie_break: str, words: str) -> None:
        protocol = Protocol.from_spec({**preset("openqa-eval").to_spec(), "tie_break": tie_break})
        assert (
            words
            in write_methods(
                facts(sources={"unanimous": 80, "majority": 10, "adjudicated": 10}, protocol=protocol)
            ).text
        )

    def test_what_programs_settled_is_said_with_its_rules_its_share_and_its_audit(self) -> None:
        text = write_methods(
            facts(audit=audited(), corrected=2, systems=2, sources={"unanimous": 24, "prejudged": 76})
        ).text
        assert "People judged answers under the OpenQA-eval protocol as set up in Assay, except" in text
        assert (
            "Two annotators judged each answer that automatic judges did not settle (including all sampled "
            "answers) as "
            "correct or incorrect, without"
        ) in text
        assert (
            "Pre-judging rules settled 76 of 100 distinct answers (76.0%) without people: Containment "
            "accepts: counts as correct (46); All reject: counts as incorrect (30). As an audit, a random "
            "sample of the answers that rules would have settled was sent to annotators instead, unmarked. "
            "Each answer was sampled with probability 0.05. In total, 4 were sent. People disagreed with the "
            "rules on 25.0% (0.3–85.7) of the 4 that they decided (95% interval, valid at any time during "
            "the audit, no matter which of the 2 rules applied so far are kept). By rule: Containment "
            "accepts: counts as correct (0 of 2); All reject: counts as incorrect (1 of 2)."
        ) in text
        assert "Corrected scores start from the verdicts that settled the answers" in text
        assert "each weighted by the inverse of its sampling probability" in text
        assert "leave out" not in text
        assert "including those of automatic judges" in text
        assert "audited answers weighted by the inverse of their sampling probability" in text

    def test_all_answers_are_counted_by_who_decided_them(self) -> None:
        counts = {"settled": 40, "routed": 0, "audited": 5, "calibrated": 30, "others": 23, "open": 2}
        parts = DecidedBy(answers=100, **counts)
        said = (
            "Of the 100 distinct answers, 40 were settled by automatic judges, 5 decided by people in the "
            "audit, 30 decided by people in the calibration sample, 23 decided by people outside the audit "
            "and the calibration sample, and 2 not decided yet. "
        )
        assert sum(counts.values()) == parts.answers
        assert said in write_methods(facts(audit=audited(), decided_by=parts)).text
        assert "Of the 100 distinct" not in write_methods(facts(audit=audited())).text

    def test_an_audit_too_small_to_correct_scores_is_called_so(self) -> None:
        told = write_methods(facts(audit=audited(), systems=3)).text
        assert "Too few audited answers have been decided, so no score can be corrected." in told
        assert "Corrected scores" not in told
        judges = (JUDGE._replace(left_out=12),)
        some = write_methods(facts(audit=audited(), corrected=1, systems=3, judges=judges)).text
        assert "Corrected scores of 1 of 3 systems start from the verdicts that settled the answers" in some
        assert (
            "Figures for judges leave out 12 answers that automatic judges settled and that no audited"
        ) in some

    def test_a_judge_trained_on_the_same_questions_leaves_certificates_as_they_are(self) -> None:
        proof = Proof("Learned judge is sure", 400, 2456, 280, 3, 0.05, 0.1, 0.0125, 3, 4)
        judges = (JudgeFacts("Learned judge", "judge:l", COUNTS, FIGURES, 100, caution="Trained on these."),)
        told = write_methods(facts(audit=audited(), proofs=(proof,), judges=judges)).text
        assert "Trained on these. Certificates do not depend on this" in told
        assert "Certificates do not" not in write_methods(facts(audit=audited(), judges=judges)).text

    def test_a_certificate_says_what_it_rests_on_and_whether_it_holds(self) -> None:
        proof = Proof("Learned judge is sure", 400, 2456, 280, 3, 0.05, 0.1, 0.0125, 3, 4)
        told = write_methods(facts(audit=audited(), systems=3, proofs=(proof,))).text
        assert (
            "People first judged 400 of 2,456 open answers, sampled at random, and disagreed with the "
            "rule on 3 of the 280 that it would have settled (observed error rate). Therefore, with "
            "90.0% confidence, they would disagree with the rule on at most 5.0% of the answers that it "
            "settles (maximum error rate; Learn then Test, Angelopoulos et al. 2021, exact one-sided bound). "
            "This was attempt 3 of 4 on that sample. The confidence holds over all attempts together: the "
            "first was tested at half of the risk, and each further one at half the risk of the one before."
        ) in told
        lapsed = write_methods(facts(audit=audited(), proofs=(proof._replace(lapse="Why."),))).text
        assert "The certificate has since lapsed. Why." in lapsed

    def test_what_is_not_promised_is_said_of_what_is_promised(self) -> None:
        whole = "A certificate covers all the answers that its rule settles, taken together, not individual"
        alone = "all its answers. It covers that system alone, not several systems at once."
        about = "All of this is about what these annotators would decide, not about what is true."
        proof = Proof("Learned judge is sure", 400, 2456, 280, 3, 0.05, 0.1, 0.0125, 3, 4)
        both = write_methods(facts(audit=audited(), corrected=4, proofs=(proof,))).text
        assert all(both.count(words) == 1 for words in (whole, alone, about))
        certified = write_methods(facts(audit=audited(), proofs=(proof,))).text
        assert (whole in certified, alone in certified, about in certified) == (True, False, True)
        neither = write_methods(facts(audit=audited())).text
        assert not any(words in neither for words in (whole, alone, about))

    def test_a_sample_and_an_audit_correct_scores_once(self) -> None:
        sampled = SampledFacts("Containment and people", systems=4, labels=320, in_strata=False)
        told = write_methods(facts(audit=audited(), corrected=4, sampled=sampled)).text
        assert "Scores of 4 systems over all questions" in told
        assert "The scores are about what these annotators would decide" in told
        assert "Corrected scores" not in told
        assert "corrected score" not in told
        # While the sample tells no score, the audit's are what there is.
        early = write_methods(facts(audit=audited(), corrected=4, sampled=sampled._replace(systems=0))).text
        assert "Corrected scores start from" in early

    def test_where_programs_settled_all_nobody_is_said_to_have_judged(self) -> None:
        text = write_methods(
            facts(audit=audited(share=0.0), judged_questions=0, sources={"prejudged": 80})
        ).text
        assert "People judged answers under the OpenQA-eval protocol as set up in Assay, except" not in text
        assert "Two annotators judged each answer as" not in text
        assert "People judged answers to" not in text
        assert "80 answers settled by automatic judges could not be audited. The judges’ error" in text

    def test_an_interval_below_zero_is_no_row_of_dashes(self) -> None:
        low = replace(agreement(), figures=dict.fromkeys(NAMES, Figure(0.01, -0.2, 0.2)))
        assert "0.010 (-0.200 to 0.200)" in write_methods(facts(agreement=low)).text


class TestServedModels:
    """What a provider says it served is told beside the judge, and a change of it."""

    def written(self, judge: JudgeFacts) -> str:
        return write_methods(facts(judges=(judge,))).text

    def test_one_is_named(self) -> None:
        judge = JUDGE._replace(served=("gpt-4o-2024-08-06 (fp_1)",))
        assert "[judge:bem|gold:original|revision:1], served by gpt-4o-2024-08-06 (fp_1)." in self.written(
            judge
        )

    def test_a_change_within_the_run_is_told(self) -> None:
        told = self.written(JUDGE._replace(served=("one (fp_1)", "one (fp_2)")))
        assert ", where the provider changed the model during the run: one (fp_1), then one (fp_2)." in told

    def test_many_are_counted(self) -> None:
        told = self.written(JUDGE._replace(served=("a", "b", "c", "d", "e")))
        assert "during the run: a, then b, then c and 2 more." in told

    def test_nothing_is_said_of_judges_that_ask_nobody(self) -> None:
        assert "served" not in self.written(JUDGE)


class TestRouting:
    ROUTED = RoutingFacts(
        rules=(("one annotator and BEM, at least 90% sure", 0.05),),
        weighed=90,
        stopped=70,
        labels_an_answer=1.26,
        decided=4,
        changed=1,
        residual=Figure(0.1, 0.01, 0.214),
    )

    def test_says_what_one_rater_and_a_judge_settled_and_what_the_audit_found(self) -> None:
        sources = {"unanimous": 20, "majority": 10, "routed": 70}
        text = write_methods(facts(sources=sources, routing=self.ROUTED)).text
        assert "Two annotators (only one if a judge agreed) judged each answer as" in text
        assert (
            "90 answers went to one annotator first, and to no other annotator if a judge agreed (one "
            "annotator and BEM, at least 90% sure, audit share 0.05): 70 ended there. Overall, there were "
            "1.26 labels per answer."
        ) in text
        assert (
            "1 of 4 ended with a label different from the first annotator’s, so at most 21.4% of all "
            "answers judged in this way would have been decided differently (95% confidence at any "
            "time)."
        ) in text
        assert "70 by one annotator and a judge that agreed" in text

    def test_says_that_the_error_is_unknown_before_the_audit(self) -> None:
        text = write_methods(facts(routing=self.ROUTED._replace(decided=0))).text
        assert "it is unknown how many would have been decided differently" in text
        assert "correct them with" not in text
