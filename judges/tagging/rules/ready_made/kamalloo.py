"""Why exact match rejects right answers. Source: Kamalloo et al. 2023; words and examples are ours."""

from judges.tagging.rules.sets import SetSpec, Subject, Tag

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
