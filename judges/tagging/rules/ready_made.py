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
    name="Why exact match rejects correct answers",
    summary="For answers that people accept but that match no gold answer.",
    source="Kamalloo et al. 2023",
    subject=Subject.ANSWER,
    several=True,
    tags=(
        Tag(
            "multinominal-entity",
            "Another form of the name",
            "The answer uses another form of the name of the same person, place, or thing.",
            "Which river runs through Vienna? Gold: Danube. Answer: Donau.",
            SEMANTIC,
        ),
        Tag(
            "synonymous",
            "Synonymous",
            "The answer uses other words with the same meaning.",
            "What does a barometer measure? Gold: air pressure. Answer: the weight of the atmosphere.",
            SEMANTIC,
        ),
        Tag(
            "more-elaborate",
            "More elaborate",
            "The answer says the same thing as the gold answer, at greater length or in more detail.",
            "Why do leaves turn yellow? Gold: less chlorophyll. Answer: the green pigment breaks down first.",
            SEMANTIC,
        ),
        Tag(
            "in-explanation",
            "Exact match inside an explanation",
            "A sentence or an explanation contains a gold answer word for word.",
            "Who painted The Night Watch? Gold: Rembrandt. Answer: It was painted by Rembrandt in 1642.",
            SEMANTIC,
        ),
        Tag(
            "bridging",
            "Bridging or abridging",
            "Words are added to the gold answer or left out without changing its meaning.",
            "Where was the treaty signed? Gold: Lisbon, Portugal. Answer: Lisbon.",
            SEMANTIC,
        ),
        Tag(
            "tokenization",
            "Tokenization",
            "Only punctuation, spacing, or hyphens differ.",
            "What is the ship called? Gold: Sea-Eagle II. Answer: Sea Eagle II.",
            SEMANTIC,
        ),
        Tag(
            "symbolic",
            "Symbolic equivalence",
            "Both give equal numbers, or nearly equal ones if the question allows it.",
            "How tall is the tower? Gold: 300 meters. Answer: about three hundred meters.",
            SYMBOLIC,
        ),
        Tag(
            "ambiguity",
            "Intrinsic ambiguity",
            "The question can be read in several ways, and the answer and the gold answer fit different "
            "readings.",
            "Who won the derby? Gold: the home team. Answer: the horse that won the race of that name.",
            AMBIGUITY,
        ),
        Tag(
            "granularity-temporal",
            "Granularity of time",
            "The answer gives the correct time, but more precisely or less precisely than the gold answer.",
            "When was the bridge opened? Gold: May 12, 1931. Answer: 1931.",
            GRANULARITY,
        ),
        Tag(
            "granularity-spatial",
            "Granularity of place",
            "The answer gives the correct place, but more precisely or less precisely than the gold answer.",
            "Where is the observatory? Gold: Chile. Answer: the Atacama Desert.",
            GRANULARITY,
        ),
        Tag(
            "list",
            "List",
            "The question asks for one or all items of a list, and the gold answer names different "
            "items than the answer does.",
            "Name a moon of Jupiter. Gold: Io. Answer: Europa.",
            LIST_STYLE,
        ),
        Tag(
            "open-ended",
            "Open-ended",
            "The correct answers cannot be listed completely.",
            "What is wool good for? Gold: clothing. Answer: keeping out sound.",
            LIST_STYLE,
        ),
        Tag(
            "compound",
            "Compound",
            "The question asks several things at once, and the gold answer addresses a different one "
            "than the answer does.",
            "When and where was she born? Gold: 1867. Answer: Warsaw.",
            LIST_STYLE,
        ),
        Tag(
            "incorrect-gold",
            "Incorrect gold answer",
            "The gold answer itself is incorrect.",
            "How many strings does a cello have? Gold: five. Answer: four.",
            GOLD,
        ),
    ),
)

# Why people accept more than the references. Source: Min et al. 2021.
AS_VALID = "As valid as the gold answer"
NOT_THE_BEST = "Valid, but not the best"
LESS_PLAUSIBLE = "Less plausible"

EFFICIENTQA = SetSpec(
    key="efficientqa",
    name="Why people accept answers beyond the gold answers",
    summary="For answers that match no gold answer but that people found definitely or possibly correct.",
    source="Min et al. 2021",
    subject=Subject.ANSWER,
    several=True,
    tags=(
        Tag(
            "semantically-same",
            "Semantically the same",
            "The answer has the same meaning as a gold answer.",
            "What is frozen water called? Gold: ice. Answer: water ice.",
            AS_VALID,
        ),
        Tag(
            "open-ended",
            "Open-ended question",
            "Many answers are correct, and the gold answers list only a few.",
            "What can be made of clay? Gold: bricks. Answer: pots.",
            AS_VALID,
        ),
        Tag(
            "ambiguous-reference",
            "Ambiguous entity or event",
            "A name in the question fits several people, things, or events.",
            "Who wrote The Island? Gold: one novelist. Answer: the author of another book of that title.",
            AS_VALID,
        ),
        Tag(
            "different-granularity",
            "Different granularity",
            "The answer is the same as the gold answer, but at a different level of precision.",
            "When was the code adopted? Gold: 1804. Answer: March 1804.",
            AS_VALID,
        ),
        Tag(
            "gold-incorrect",
            "Incorrect gold answer",
            "The gold answer is incorrect, and this answer is correct.",
            "How many sides does a nonagon have? Gold: ten. Answer: nine.",
            AS_VALID,
        ),
        Tag(
            "ambiguous-answer-type",
            "Ambiguous answer type",
            "The question does not make clear which type of answer it asks for.",
            "Where does the comet go? Gold: around the Sun. Answer: the outer solar system.",
            NOT_THE_BEST,
        ),
        Tag(
            "time-dependent",
            "Time-dependent",
            "The answer is correct for one time, but the gold answer refers to another.",
            "Who leads the league? Gold: this year’s leader. Answer: last year’s leader.",
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
            "The answer is correct only under a condition that the question does not state.",
            "At what temperature does water boil? Gold: 100 °C. Answer: 90 °C, high in the mountains.",
            LESS_PLAUSIBLE,
        ),
        Tag(
            "intent-mismatch",
            "Mismatch with the intent",
            "The answer fits the wording of the question, but probably not its intent.",
            "Who lives in the lighthouse? Gold: the keeper’s family. Answer: swallows.",
            LESS_PLAUSIBLE,
        ),
        Tag(
            "incorrect",
            "Incorrect",
            "On closer inspection, the answer is incorrect.",
            "Who composed the opera? Gold: its composer. Answer: the author of its libretto.",
            LESS_PLAUSIBLE,
        ),
    ),
)

# What is wrong with answers, and why judges err. Source: Wang et al. 2023.
EVOUNA_ANSWERS = SetSpec(
    key="evouna-answers",
    name="Errors in incorrect answers",
    summary="For answers that people reject. Each answer gets one tag, so the shares add up to the error "
    "rate.",
    source="Wang et al. 2023",
    subject=Subject.ANSWER,
    # The published shares of a system add up to its error rate.
    several=False,
    tags=(
        Tag(
            "inacc",
            "InAcc: inaccurate",
            "The answer is relevant and of the correct type, but incorrect.",
            "In which year did the line open? Gold: 1863. Answer: 1868.",
        ),
        Tag(
            "incom",
            "InCom: incomplete",
            "The answer is correct but incomplete: it lacks something that was asked for.",
            "Which two metals make brass? Gold: copper and zinc. Answer: copper.",
        ),
        Tag(
            "irra",
            "IrrA: irrelevant",
            "The answer does not address the question.",
            "Who invented the loom? Gold: its inventor. Answer: Weaving is an old craft.",
        ),
        Tag(
            "outinf",
            "OutInf: outdated",
            "The answer used to be correct but no longer is.",
            "Which bridge is tallest? Gold: the newest. Answer: the one that was tallest until last year.",
        ),
        Tag(
            "misqs",
            "MisQs: question misread",
            "The answer responds to a different question.",
            "Who directed the remake? Gold: its director. Answer: the director of the original film.",
        ),
        Tag(
            "other",
            "Other",
            "Any other error. Describe it in the note.",
            "What is the capital? Gold: the capital. Answer: a sentence that breaks off after two words.",
        ),
    ),
)

ANY_JUDGE = "Any judge"
LEXICAL = "Lexical judges"
NEURAL = "Neural judges"
LLM = "Language models"

EVOUNA_EVALUATORS = SetSpec(
    key="evouna-evaluators",
    name="Why a judge is wrong",
    summary="For verdicts of one judge that disagree with people’s decisions.",
    source="Wang et al. 2023",
    subject=Subject.VERDICT,
    several=True,
    tags=(
        Tag(
            "paraphrase",
            "Paraphrase not recognized",
            "The answer says the same thing in different words, but the judge rejects it.",
            "Gold: it was never finished. Answer: work on it stopped before the end. Verdict: rejected.",
            ANY_JUDGE,
        ),
        Tag(
            "synonym",
            "Synonym not recognized",
            "The answer uses a word with the same meaning, but the judge rejects it.",
            "Gold: physician. Answer: doctor. Verdict: rejected.",
            ANY_JUDGE,
        ),
        Tag(
            "partial-match",
            "Partial match",
            "The answer gives the part of the gold answer that was asked for, but the judge requires all "
            "of it.",
            "Gold: Port of Hamburg, Germany. Answer: Hamburg. Verdict: rejected.",
            LEXICAL,
            JudgeKind.LEXICAL,
        ),
        Tag(
            "structure-variation",
            "Structure variation",
            "The answer gives the same facts in a different order or form, but the judge rejects it.",
            "Gold: 3 April 1902. Answer: April 3, 1902. Verdict: rejected.",
            LEXICAL,
            JudgeKind.LEXICAL,
        ),
        Tag(
            "overall-misleading",
            "Overall misleading",
            "The answer contains the gold answer but is incorrect as a whole, and the judge accepts it.",
            "Gold: Oslo. Answer: Many say Oslo, but it was Bergen. Verdict: accepted.",
            LEXICAL,
            JudgeKind.LEXICAL,
        ),
        Tag(
            "contextual-misunderstanding",
            "Contextual misunderstanding",
            "The judge compares words but misses their meaning in this question.",
            "Who was mayor before her? Gold: her father. Answer: her son. Verdict: accepted.",
            NEURAL,
            JudgeKind.NEURAL,
        ),
        Tag(
            "threshold-sensitivity",
            "Threshold sensitivity",
            "The score is close to the threshold, but on the wrong side.",
            "Threshold: 0.5. A correct answer has a score of 0.49. Verdict: rejected.",
            NEURAL,
            JudgeKind.NEURAL,
        ),
        Tag(
            "extended-answer",
            "Extended answer penalized",
            "A correct answer is rejected because it says more than the gold answer.",
            "Gold: tin. Answer: Mostly tin, with a little copper, as was common then. Verdict: rejected.",
            NEURAL,
            JudgeKind.NEURAL,
        ),
        Tag(
            "literal-interpretation",
            "Literal interpretation",
            "The judge insists on the exact wording of the gold answer.",
            "Gold: ten years. Answer: a decade. Verdict: rejected, “it does not say ten years.”",
            LLM,
            JudgeKind.LLM,
        ),
        Tag(
            "overgeneralization",
            "Overgeneralization",
            "A vague answer is accepted although a specific one was asked for.",
            "Gold: Antwerp. Answer: a port in Europe. Verdict: accepted.",
            LLM,
            JudgeKind.LLM,
        ),
        Tag(
            "misleading-emphasis",
            "Misleading emphasis",
            "A correct detail hides an incorrect main claim.",
            "Gold: Ada, in 1843. Answer: Charles, in 1843. Verdict: accepted, “the year is right.”",
            LLM,
            JudgeKind.LLM,
        ),
        Tag(
            "unknowable",
            "Unknowable",
            "Neither the verdict nor the reply shows why the judge is wrong.",
            "Gold: blue. Answer: blue. Verdict: rejected, without a reason.",
            LLM,
            JudgeKind.LLM,
        ),
    ),
)

READY_MADE = {spec.key: spec for spec in (KAMALLOO, EFFICIENTQA, EVOUNA_ANSWERS, EVOUNA_EVALUATORS)}
