"""The sets of tags with which the papers explained errors: one literal table; words and examples are ours."""

from judges.tagging.rules.sets import JudgeKind, SetSpec, Subject, Tag

# Why exact match rejects right answers. Source: Kamalloo et al. 2023.
SEMANTIC = "Semantic equivalence"
SYMBOLIC = "Symbolic equivalence"
AMBIGUITY = "Ambiguity"
GRANULARITY = "Granularity"
LIST_STYLE = "List-style question"
GOLD = "Gold"

KAMALLOO = SetSpec(
    key="kamalloo",
    name="Why exact match rejects right answers",
    summary="For answers that people accept although they equal no gold answer.",
    source="Kamalloo et al. 2023",
    subject=Subject.ANSWER,
    several=True,
    tags=(
        Tag(
            "multinominal-entity",
            "Another form of the name",
            "The same person, place or thing under another form of its name.",
            "Which river runs through Vienna? Gold: Danube. Answer: Donau.",
            SEMANTIC,
        ),
        Tag(
            "synonymous",
            "Synonymous",
            "Other words that mean the same.",
            "What does a barometer measure? Gold: air pressure. Answer: the weight of the atmosphere.",
            SEMANTIC,
        ),
        Tag(
            "more-elaborate",
            "More elaborate",
            "The gold answer's content, said at greater length or in more detail.",
            "Why do leaves turn yellow? Gold: less chlorophyll. Answer: the green pigment breaks down first.",
            SEMANTIC,
        ),
        Tag(
            "in-explanation",
            "Exact match inside an explanation",
            "A gold answer stands word for word inside a sentence or an explanation.",
            "Who painted the Night Watch? Gold: Rembrandt. Answer: It was painted by Rembrandt in 1642.",
            SEMANTIC,
        ),
        Tag(
            "bridging",
            "Bridging or abridging",
            "Words added to the gold answer or left out of it, with the same meaning.",
            "Where was the treaty signed? Gold: Lisbon, Portugal. Answer: Lisbon.",
            SEMANTIC,
        ),
        Tag(
            "tokenization",
            "Tokenization",
            "Only punctuation, spacing or hyphens differ.",
            "What is the ship called? Gold: Sea-Eagle II. Answer: Sea Eagle II.",
            SEMANTIC,
        ),
        Tag(
            "symbolic",
            "Symbolic equivalence",
            "Numbers that are equal, or about equal where the question allows it.",
            "How tall is the tower? Gold: 300 metres. Answer: about three hundred metres.",
            SYMBOLIC,
        ),
        Tag(
            "ambiguity",
            "Intrinsic ambiguity",
            "The question can be read in several ways, and the answer fits another one than gold.",
            "Who won the derby? Gold: the home team. Answer: the horse that won the race of that name.",
            AMBIGUITY,
        ),
        Tag(
            "granularity-temporal",
            "Granularity of time",
            "The right time, given more or less exactly than gold.",
            "When was the bridge opened? Gold: 12 May 1931. Answer: 1931.",
            GRANULARITY,
        ),
        Tag(
            "granularity-spatial",
            "Granularity of place",
            "The right place, given more or less exactly than gold.",
            "Where is the observatory? Gold: Chile. Answer: the Atacama Desert.",
            GRANULARITY,
        ),
        Tag(
            "list",
            "List",
            "The question asks for one of several or for all, and gold names others of them.",
            "Name a moon of Jupiter. Gold: Io. Answer: Europa.",
            LIST_STYLE,
        ),
        Tag(
            "open-ended",
            "Open-ended",
            "There is no closed list of right answers.",
            "What is wool good for? Gold: clothing. Answer: keeping out sound.",
            LIST_STYLE,
        ),
        Tag(
            "compound",
            "Compound",
            "The question asks several things at once, and gold covers another part of them.",
            "When and where was she born? Gold: 1867. Answer: Warsaw, 1867.",
            LIST_STYLE,
        ),
        Tag(
            "incorrect-gold",
            "Incorrect gold",
            "The gold answer itself is wrong.",
            "How many strings has a cello? Gold: five. Answer: four.",
            GOLD,
        ),
    ),
)

# Why people accept more than the references. Source: Min et al. 2021.
AS_VALID = "As valid as gold"
NOT_THE_BEST = "Valid, not the best"
LESS_PLAUSIBLE = "Less plausible"

EFFICIENTQA = SetSpec(
    key="efficientqa",
    name="Why people accept more than the references",
    summary="For answers that people found definitely or possibly correct beyond the gold answers.",
    source="Min et al. 2021",
    subject=Subject.ANSWER,
    several=True,
    tags=(
        Tag(
            "semantically-same",
            "Semantically the same",
            "It means what a gold answer means.",
            "What is frozen water called? Gold: ice. Answer: water ice.",
            AS_VALID,
        ),
        Tag(
            "open-ended",
            "Open-ended question",
            "Many answers are right, and gold lists a few.",
            "What can be made of clay? Gold: bricks. Answer: pots.",
            AS_VALID,
        ),
        Tag(
            "ambiguous-reference",
            "Ambiguous entity or event",
            "A name in the question fits several people, things or events.",
            "Who wrote The Island? Gold: one novelist. Answer: the author of another book of that title.",
            AS_VALID,
        ),
        Tag(
            "different-granularity",
            "Different granularity",
            "The same answer, more or less exact than gold.",
            "When was the code adopted? Gold: 1804. Answer: March 1804.",
            AS_VALID,
        ),
        Tag(
            "gold-incorrect",
            "Gold incorrect",
            "The gold answer is wrong, and this one is right.",
            "How many sides has a nonagon? Gold: ten. Answer: nine.",
            AS_VALID,
        ),
        Tag(
            "ambiguous-answer-type",
            "Ambiguous answer type",
            "The question leaves open what sort of answer it wants.",
            "Where does the comet go? Gold: around the Sun. Answer: the outer solar system.",
            NOT_THE_BEST,
        ),
        Tag(
            "time-dependent",
            "Time-dependent",
            "Right at some time, not at the one that gold has in mind.",
            "Who leads the league? Gold: this year's first. Answer: last year's first.",
            NOT_THE_BEST,
        ),
        Tag(
            "conflicting-source",
            "Conflicting information in the source",
            "The sources contradict each other.",
            "How long is the cave? Gold: 40 km. Answer: 43 km, as another page of the same site says.",
            LESS_PLAUSIBLE,
        ),
        Tag(
            "conditional",
            "Plausible only under a condition",
            "Right only if something holds that the question does not say.",
            "At what temperature does water boil? Gold: 100 °C. Answer: 90 °C, high in the mountains.",
            LESS_PLAUSIBLE,
        ),
        Tag(
            "intent-mismatch",
            "Mismatch with the intent",
            "It answers the words of the question, hardly what was meant.",
            "Who lives in the lighthouse? Gold: the keeper's family. Answer: swallows.",
            LESS_PLAUSIBLE,
        ),
        Tag(
            "incorrect",
            "Incorrect",
            "Looked at again, it is wrong.",
            "Who composed the opera? Gold: its composer. Answer: the man who wrote its words.",
            LESS_PLAUSIBLE,
        ),
    ),
)

# What is wrong with answers, and why judges err. Source: Wang et al. 2023.
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

READY_MADE = {spec.key: spec for spec in (KAMALLOO, EFFICIENTQA, EVOUNA_ANSWERS, EVOUNA_EVALUATORS)}
