"""The plug points between steps: who is told of what, and who applies which file.

Earlier steps never import later ones; they publish an event, and this table names who listens.
"""

# event -> dotted paths of services, called in order, inside the publisher's transaction if it has one.
# What they do to whole projects can be repeated and is done in shares: an import holds no lock for all of it.
SUBSCRIPTIONS: dict[str, list[str]] = {
    # Whoever cannot do without the person may refuse.
    "account_closing": ["annotation.projects.services.leave_all_projects"],
    # Whoever built on a rater's votes may refuse that they are taken back.
    "judgments_taken_back": ["annotation.adjudication.services.deciding.refuse_taking_back"],
    # The same for one vote that its rater wants to change.
    "judgment_changing": ["annotation.adjudication.services.deciding.refuse_editing"],
    # What raters did is passed on after the reply, so that its time tells nothing of others' votes.
    "answers_judged": ["annotation.adjudication.services.settle_candidates"],
    # Somebody who may see results asks for some: first all is settled that raters handed in.
    "results_wanted": ["annotation.judgments.services.settle_before_reading"],
    # What a rater has in hand is judged by the guidelines just read.
    "guidelines_read": ["annotation.assignments.services.renew_versions"],
    # Gold answers join or leave what is judged, then the votes are read by the new rules.
    "protocol_changed": [
        "annotation.items.services.renew_gold_among_answers",
        "annotation.adjudication.services.settle_gold_equal",
        "annotation.adjudication.services.resettle_project",
        "annotation.judgments.services.ask_again_in_project",
        "annotation.gold.services.amend_project",
    ],
    "decisions_changed": [
        "annotation.gold.services.amend_questions",
        # Nobody may be waited for any more who could have agreed with a yes to a check.
        "annotation.judgments.services.ask_again_about",
    ],
    # An import with votes was undone: what rests on its decisions goes with them.
    "decisions_discarded": ["annotation.gold.services.discard_changes"],
    # A model's replies to a tagging round that asked it.
    "tags_proposed": ["judges.tagging.services.keep_proposals"],
    "plan_saved": ["annotation.assignments.services.renew_priorities"],
    "sample_chosen": ["annotation.items.services.mark_sample"],
    # Whoever knows of work that rests on an import may refuse that it is undone.
    "import_may_leave": ["annotation.adjudication.services.refuse_leaving"],
    "import_leaving": ["annotation.adjudication.services.discard_gold_equal"],
    "items_changed": [
        "annotation.items.services.renew_gold_among_answers",
        "annotation.adjudication.services.settle_gold_equal",
        "annotation.assignments.services.renew_priorities",
        "annotation.assignments.services.drop_empty_pilot",
        "annotation.gold.services.amend_project",
        "judges.runs.services.extend_lexical_runs",
    ],
}

# fact -> dotted path of the selector that knows it; the shapes are the asking step's own
FACTS: dict[str, str] = {
    # dict[int, annotation.assignments.blind_view.HowDecided] by candidate
    "how_people_decided": "annotation.adjudication.selectors.how_people_decided",
    # frozenset[int] of questions
    "improper_questions": "annotation.judgments.selectors.improper_questions",
    # int: of a rater
    "questions_left": "annotation.assignments.selectors.count_questions_left",
    # frozenset[int] of questions
    "judged_questions": "annotation.adjudication.selectors.judged_questions",
    # list[annotation.items.rules.LabelConflict]
    "label_conflicts": "annotation.adjudication.selectors.find_label_conflicts",
    # list[bool] by answer
    "votes_settle": "annotation.adjudication.selectors.do_votes_settle",
    # judges.methods.llm.proposer.TagChoices
    "tag_choices": "judges.tagging.selectors.tag_choices",
    # dict[int, bool | None] by candidate
    "tagged_verdicts": "judges.tagging.selectors.tagged_verdicts",
    # Iterator[str]: the lines of a study's report; `limit`: its first lines only
    "report_lines": "judges.release.selectors.report_lines",
    # annotation.adjudication.rules.JudgeConflicts
    "judge_conflicts": "judges.comparison.selectors.find_judge_conflicts",
}

# file format -> its reader, and the services that take over what it holds besides items, and take it back
IMPORT_FORMATS: dict[str, dict[str, str]] = {
    "generic": {"reader": "annotation.items.formats.generic.read", "apply": "", "undo": ""},
    "openqa-eval-outputs": {
        "reader": "annotation.items.formats.openqa_outputs.read",
        "apply": "",
        "undo": "",
    },
    "openqa-eval-votes": {
        "reader": "annotation.items.formats.openqa_votes.read",
        "apply": "annotation.adjudication.services.replay_votes",
        "undo": "annotation.adjudication.services.discard_replay",
    },
    "openqa-eval-verdicts": {
        "reader": "annotation.items.formats.openqa_verdicts.read",
        "apply": "judges.runs.services.apply_recorded_verdicts",
        "undo": "judges.runs.services.discard_recorded_verdicts",
    },
    "evouna": {
        "reader": "annotation.items.formats.evouna.read",
        "apply": "annotation.adjudication.services.replay_votes",
        "undo": "annotation.adjudication.services.discard_replay",
    },
    "gpt3qa": {"reader": "annotation.items.formats.gpt3qa.read", "apply": "", "undo": ""},
    "efficientqa-release": {
        "reader": "annotation.items.formats.efficientqa_release.read",
        "apply": "annotation.adjudication.services.apply_recorded_decisions",
        "undo": "annotation.adjudication.services.discard_recorded_decisions",
    },
    "trec-patterns": {"reader": "annotation.items.formats.trec_patterns.read", "apply": "", "undo": ""},
}
