"""What is wrong with answers, and why judges err. Source: Wang et al. 2023; words and examples are ours."""

from judges.tagging.rules.sets import JudgeKind, SetSpec, Subject, Tag

EVOUNA_ANSWERS = SetSpec(
    key="evouna-answers",
    name="What is wrong with wrong answers",
    summary="For answers that people reject; one tag an answer, so that shares add up to the error rate.",
    source="Wang et al. 2023",
    subject=Subject.ANSWER,
    # The published shares of a system add up to its error rate.
    several=False,
    tags=(
        Tag(
            "inacc",
            "InAcc: inaccurate",
            "To the point, of the right kind, and not right.",
            "In which year did the line open? Gold: 1863. Answer: 1868.",
        ),
        Tag(
            "incom",
            "InCom: incomplete",
            "Right as far as it goes, and part of what was asked is missing.",
            "Which two metals make brass? Gold: copper and zinc. Answer: copper.",
        ),
        Tag(
            "irra",
            "IrrA: irrelevant",
            "It does not answer the question.",
            "Who invented the loom? Gold: its inventor. Answer: Weaving is an old craft.",
        ),
        Tag(
            "outinf",
            "OutInf: outdated",
            "It was right once and no longer is.",
            "Which bridge is tallest? Gold: the newest. Answer: the one that was tallest until last year.",
        ),
        Tag(
            "misqs",
            "MisQs: question misread",
            "It answers another question than the one asked.",
            "Who directed the remake? Gold: its director. Answer: the director of the original film.",
        ),
        Tag(
            "other",
            "Other",
            "Anything else; the note says what.",
            "What is the capital? Gold: the capital. Answer: a text that breaks off after two words.",
        ),
    ),
)

ANY_JUDGE = "Any judge"
LEXICAL = "Lexical judges"
NEURAL = "Neural judges"
LLM = "Language models"

EVOUNA_EVALUATORS = SetSpec(
    key="evouna-evaluators",
    name="Why a judge errs",
    summary="For one judge's verdict on one answer, where people decided otherwise.",
    source="Wang et al. 2023",
    subject=Subject.VERDICT,
    several=True,
    tags=(
        Tag(
            "paraphrase",
            "Paraphrase not recognized",
            "The answer says the same in another sentence, and the judge rejects it.",
            "Gold: it was never finished. Answer: work on it stopped before the end. Verdict: rejected.",
            ANY_JUDGE,
        ),
        Tag(
            "synonym",
            "Synonym not recognized",
            "A word stands for another of the same meaning, and the judge rejects it.",
            "Gold: physician. Answer: doctor. Verdict: rejected.",
            ANY_JUDGE,
        ),
        Tag(
            "partial-match",
            "Partial match",
            "The answer gives the part of gold that was asked for, and the judge wants all of it.",
            "Gold: Port of Hamburg, Germany. Answer: Hamburg. Verdict: rejected.",
            LEXICAL,
            JudgeKind.LEXICAL,
        ),
        Tag(
            "structure-variation",
            "Structure variation",
            "The same facts in another order or form, and the judge rejects them.",
            "Gold: 3 April 1902. Answer: April 3, 1902. Verdict: rejected.",
            LEXICAL,
            JudgeKind.LEXICAL,
        ),
        Tag(
            "overall-misleading",
            "Overall misleading",
            "The gold answer stands in the answer, which is wrong all the same, and the judge accepts it.",
            "Gold: Oslo. Answer: Many say Oslo, but it was Bergen. Verdict: accepted.",
            LEXICAL,
            JudgeKind.LEXICAL,
        ),
        Tag(
            "contextual-misunderstanding",
            "Contextual misunderstanding",
            "The judge compares words and misses what they mean in this question.",
            "Who was mayor before her? Gold: her father. Answer: her son. Verdict: accepted.",
            NEURAL,
            JudgeKind.NEURAL,
        ),
        Tag(
            "threshold-sensitivity",
            "Threshold sensitivity",
            "The score lies close to the threshold, on the wrong side of it.",
            "Threshold: 0.5. A right answer has the score 0.49. Verdict: rejected.",
            NEURAL,
            JudgeKind.NEURAL,
        ),
        Tag(
            "extended-answer",
            "Extended answer penalized",
            "A right answer loses because it says more than gold.",
            "Gold: tin. Answer: Mostly tin, with a little copper, as was common then. Verdict: rejected.",
            NEURAL,
            JudgeKind.NEURAL,
        ),
        Tag(
            "literal-interpretation",
            "Literal interpretation",
            "The judge insists on the letter of gold.",
            "Gold: ten years. Answer: a decade. Verdict: rejected, “it does not say ten years”.",
            LLM,
            JudgeKind.LLM,
        ),
        Tag(
            "overgeneralization",
            "Overgeneralization",
            "A vague answer is accepted where a definite one was asked for.",
            "Gold: Antwerp. Answer: a port in Europe. Verdict: accepted.",
            LLM,
            JudgeKind.LLM,
        ),
        Tag(
            "misleading-emphasis",
            "Misleading emphasis",
            "A right detail hides a main claim that is wrong.",
            "Gold: Ada, in 1843. Answer: Charles, in 1843. Verdict: accepted, “the year is right”.",
            LLM,
            JudgeKind.LLM,
        ),
        Tag(
            "unknowable",
            "Unknowable",
            "Nobody can tell from the verdict and its reply why the judge errs.",
            "Gold: blue. Answer: blue. Verdict: rejected, without a reason.",
            LLM,
            JudgeKind.LLM,
        ),
    ),
)
