"""What judges settled, or estimate, in place of people: the methods paragraph's part on it."""

from collections.abc import Iterator

from analysis.prejudging.risk_control import certain_percent
from annotation.release.rules import count_of
from common.figures import rounded, share_with_interval
from judges.prejudging.rules.audit import AuditReport
from judges.prejudging.rules.certificates import Proof
from judges.prejudging.rules.decided_by import PARTS, DecidedBy
from judges.release.rules.facts import StudyFacts
from judges.release.rules.words import joined


def settled_words(facts: StudyFacts) -> Iterator[str]:
    """Say where people had a part in few answers or none: by rules, by routing, by a random sample."""
    if facts.decided_by is not None:
        yield _decided_by(facts.decided_by)
    yield from _audit(facts)
    yield from _routing(facts)
    yield from _sampled(facts)


def _decided_by(found: DecidedBy) -> str:
    """Say of all answers who decided them, so that the parts add up."""
    said: list[str] = []
    for part, words in PARTS.items():
        if count := getattr(found, part):
            verb = "" if said else "was " if count == 1 else "were "
            said.append(f"{count:,} {verb}{words}")
    return f"Of the {count_of(found.answers, 'distinct answer')}, {joined(said, 'and')}."


def _audit(facts: StudyFacts) -> Iterator[str]:
    """Say by which rules programs settled how many answers, and what the audit found of that."""
    if facts.audit is None:
        return
    pooled = facts.audit.pooled
    settled = pooled.settled - pooled.drawn
    share = f" ({rounded(settled / facts.answers, digits=1, scale=100)}%)" if facts.answers else ""
    rules = "; ".join(
        f"{row.text} ({row.figures.settled - row.figures.drawn:,})" for row in facts.audit.rules
    )
    yield (
        f"Pre-judging rules settled {settled:,} of {count_of(facts.answers, 'distinct answer')}{share} "
        f"without people: {rules}."
    )
    yield from map(_proof, facts.proofs)
    if pooled.unaudited < pooled.settled:
        yield from _drawn(facts.audit)
        yield from _corrected(facts)
    if pooled.unaudited:
        yield (
            f"{count_of(pooled.unaudited, 'answer')} settled by automatic judges could not be audited. "
            f"The judges’ error rate on {'this answer' if pooled.unaudited == 1 else 'these answers'} is "
            "unknown, so no score is corrected."
        )
    yield from _limits(facts)


def _limits(facts: StudyFacts) -> Iterator[str]:
    """Say what neither a certificate nor a corrected score promises."""
    if facts.proofs:
        yield (
            "A certificate covers all the answers that its rule settles, taken together, not individual "
            "answers or the answers of one system."
        )
    if facts.corrected and not _is_sampled(facts):
        yield (
            "In 95 of 100 studies, the 95% interval of a corrected score contains the score that the system "
            "would have if these annotators judged all its answers. It covers that system alone, not several "
            "systems at once."
        )
    if facts.proofs or facts.corrected:
        yield "All of this is about what these annotators would decide, not about what is true."


def _is_sampled(facts: StudyFacts) -> bool:
    """Whether scores of all questions are estimated from a sample, by which the audit is corrected, too."""
    return facts.sampled is not None and facts.sampled.systems > 0


def _routing(facts: StudyFacts) -> Iterator[str]:
    """Say where one rater was enough, what that saved, and how much the audit found to end otherwise."""
    found = facts.routing
    if found is None:
        return
    rules = "; ".join(f"{text}, audit share {share:.3g}" for text, share in found.rules)
    yield (
        f"{count_of(found.weighed, 'answer')} went to one annotator first, and to no other annotator if a "
        f"judge agreed ({rules}): {found.stopped:,} ended there. Overall, there were "
        f"{found.labels_an_answer:.2f} labels per answer."
    )
    if not found.decided:
        yield (
            "A random share of the answers on which the annotator and the judge agree goes to more "
            "annotators anyway. None of these is decided yet, so it is unknown how many would have been "
            "decided differently."
        )
        return
    bound = ""
    if found.residual.high is not None:
        bound = (
            f", so at most {100 * found.residual.high:.1f}% of all answers judged in this way would "
            "have been decided differently (95% confidence at any time)"
        )
    yield (
        "A random share of the answers on which the annotator and the judge agreed went to more annotators "
        f"anyway: {found.changed:,} of {found.decided:,} ended with a label different from the "
        f"first annotator’s{bound}."
    )
    yield (
        "Scores treat answers decided by one annotator and a judge as if a judge had settled them, and use "
        "this random share to correct for errors in these decisions. Annotators’ agreement covers only "
        "answers that went to more annotators regardless of the first annotator’s label."
    )


def _proof(proof: Proof) -> str:
    """Say what a certificate rests on, what it promises, and whether it still does."""
    allowed, certain = f"{100 * proof.alpha:.1f}%", certain_percent(proof.delta)
    lapsed = f" The certificate has since lapsed. {proof.lapse}" if proof.lapse else ""
    return (
        f"This rule was certified: {proof.text}. People first judged {proof.drawn:,} of "
        f"{count_of(proof.population, 'open answer')}, sampled at random, and disagreed with the rule "
        f"on {proof.errors:,} of the {proof.settled:,} that it would have settled (observed error rate). "
        f"Therefore, with {certain} confidence, they would disagree with the rule on at most {allowed} of "
        "the answers that it settles (maximum error rate; Learn then Test, Angelopoulos et al. 2021, exact "
        f"one-sided bound). This was attempt {proof.number} of {proof.tries} on that sample. The confidence "
        "holds over all attempts together: the first was tested at half of the risk, and each further one at "
        f"half the risk of the one before.{lapsed}"
    )


def _drawn(audit: AuditReport) -> Iterator[str]:
    pooled = audit.pooled
    probability = (
        "a recorded probability" if audit.audit_share is None else f"probability {audit.audit_share:g}"
    )
    was = "was" if pooled.drawn == 1 else "were"
    yield (
        "As an audit, a random sample of the answers that rules would have settled was sent to annotators "
        f"instead, unmarked. Each answer was sampled with {probability}. In total, {pooled.drawn:,} {was} "
        "sent."
    )
    if pooled.share.value is None:
        yield "People have not decided any of them yet, so no score is corrected."
        return
    by_rule = "; ".join(
        f"{row.text} ({row.figures.disagreed:,} of {row.figures.decided:,})"
        for row in audit.rules
        if row.figures.decided
    )
    yield (
        f"People disagreed with the rules on {share_with_interval(pooled.share)} of the "
        f"{pooled.decided:,} that they decided (95% interval, valid at any time during the "
        f"audit{_kept_words(audit)}). By rule: {by_rule}."
    )
    yield from (row.beside_certificate for row in audit.rules if row.beside_certificate)


def _corrected(facts: StudyFacts) -> Iterator[str]:
    """Say how scores are corrected, of how many systems, and what judges were not compared on."""
    if facts.audit is None or facts.audit.pooled.share.value is None:
        return
    # Scores of all questions are corrected by the sample, as is said of them.
    if not _is_sampled(facts):
        yield _correction(facts)
    # Every judge is compared on the same answers.
    if left_out := max((judge.left_out for judge in facts.judges), default=0):
        yield (
            f"Figures for judges leave out {count_of(left_out, 'answer')} that automatic judges settled "
            "and that no audited answer represents."
        )


def _correction(facts: StudyFacts) -> str:
    if not facts.corrected and facts.undecided:
        answers = count_of(facts.undecided, "distinct answer")
        return (
            f"No score is corrected yet: people have yet to decide {answers}, and the "
            "answers decided first are not a random sample."
        )
    if not facts.corrected:
        return "Too few audited answers have been decided, so no score can be corrected."
    of_some = f" of {facts.corrected:,} of {facts.systems:,} systems" * (facts.corrected < facts.systems)
    return f"Corrected scores{of_some} {_correction_words(facts.predicted_by)}."


def _correction_words(judge: str) -> str:
    if not judge:
        return (
            "start from the verdicts that settled the answers and add the difference between people’s "
            "decisions and these verdicts on the audited answers, each weighted by the inverse of its "
            "sampling probability"
        )
    return (
        f"start from a judge’s probabilities ({judge}) for the settled answers and add the difference "
        "between people’s decisions and these probabilities on the audited answers, each weighted by "
        "the inverse of its sampling probability, with power tuning (prediction-powered "
        "inference, PPI++, Angelopoulos, Duchi, and Zrnic 2023)"
    )


def _sampled(facts: StudyFacts) -> Iterator[str]:
    """Say how scores of all questions were estimated from those that people judged."""
    if facts.sampled is None:
        return
    how = (
        "stratified by a judge’s uncertainty about their answers"
        if facts.sampled.in_strata
        else "with a fixed seed"
    )
    yield f"The judged questions were sampled at random, {how}, each with a recorded probability."
    if not facts.sampled.systems:
        yield "Not all of their answers are decided yet, so no score over all questions is estimated."
        return
    yield (
        f"Scores of {count_of(facts.sampled.systems, 'system')} over all questions ({facts.sampled.column}) "
        "are the mean of the judge’s verdicts on all answers plus the mean difference between people’s "
        f"decisions and those verdicts on {count_of(facts.sampled.labels, 'judged answer')}, with power "
        "tuning (prediction-powered inference, PPI++). Each judged answer is weighted by the inverse of "
        "its sampling probability and counts once for each system that gave it. The 95% interval of each "
        "score is valid for its own system, however often the judge errs. The scores are about what these "
        "annotators would decide, not about what is true."
    )


def _kept_words(audit: AuditReport) -> str:
    """Say that some rules may have been undone for how their audit looked, where there is a choice."""
    if audit.watched < 2:
        return ""
    return f", no matter which of the {audit.watched} rules applied so far are kept"
