"""Why people accept more than the references. Source: Min et al. 2021; words and examples are ours."""

from judges.tagging.rules.sets import SetSpec, Subject, Tag

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
