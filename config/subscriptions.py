"""The plug points between steps: who is told of what, and who applies which file.

Earlier steps never import later ones; they publish an event, and this table names who listens.
"""

# event -> dotted paths of services, called in order inside the publisher's transaction
SUBSCRIPTIONS: dict[str, list[str]] = {
    # Whoever built on a rater's votes may refuse that they are taken back.
    "judgments_taken_back": ["annotation.adjudication.services.guarding.refuse_taking_back"],
    "answers_judged": ["annotation.adjudication.services.settle_candidates"],
    "decisions_changed": ["annotation.gold.services.amend_questions"],
    "items_changed": ["judges.runs.services.extend_lexical_runs"],
}
