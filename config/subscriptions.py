"""The plug points between steps: who is told of what, and who applies which file.

Earlier steps never import later ones; they publish an event, and this table names who listens.
"""

from annotation.accounts.events import AccountClosing
from annotation.adjudication import services as adjudication
from annotation.adjudication.events import DecisionsChanged, DecisionsDiscarded
from annotation.adjudication.services.deciding import refuse_editing, refuse_taking_back
from annotation.assignments import services as assignments
from annotation.assignments.events import PlanSaved
from annotation.gold import services as gold
from annotation.items import services as items
from annotation.items.events import ImportLeaving, ImportMayLeave, ItemsChanged, SampleChosen
from annotation.judgments import services as judgments
from annotation.judgments.events import AnswersJudged, JudgmentChanging, JudgmentsTakenBack
from annotation.projects import services as projects
from annotation.projects.events import GuidelinesRead, ProtocolChanged, ResultsWanted
from common.events import subscribe
from judges.runs import services as runs
from judges.runs.events import TagsProposed
from judges.tagging import services as tagging

# Called in order, inside the publisher's transaction if it has one. What they do to whole projects can be
# repeated and is done in shares: an import holds no lock for all of it.
subscribe(AccountClosing, lambda it: projects.leave_all_projects(user=it.user))
subscribe(JudgmentsTakenBack, lambda it: refuse_taking_back(project_id=it.project_id, judged_at=it.judged_at))
subscribe(JudgmentChanging, lambda it: refuse_editing(project_id=it.project_id, judged_at=it.judged_at))
subscribe(
    AnswersJudged,
    lambda it: adjudication.settle_candidates(project_id=it.project_id, candidate_ids=it.candidate_ids),
)
subscribe(ResultsWanted, lambda it: judgments.settle_before_reading(project_id=it.project_id))
subscribe(GuidelinesRead, lambda it: assignments.renew_versions(member_id=it.member_id))
subscribe(
    ProtocolChanged,
    lambda it: items.renew_gold_among_answers(project_id=it.project_id),
    lambda it: adjudication.settle_gold_equal(project_id=it.project_id),
    lambda it: adjudication.resettle_project(project_id=it.project_id),
    lambda it: judgments.ask_again_in_project(project_id=it.project_id),
    lambda it: gold.amend_project(project_id=it.project_id),
)
subscribe(
    DecisionsChanged,
    lambda it: gold.amend_questions(project_id=it.project_id, question_ids=it.question_ids),
    # Nobody may be waited for any more who could have agreed with a yes to a check.
    lambda it: judgments.ask_again_about(project_id=it.project_id, question_ids=it.question_ids),
)
subscribe(DecisionsDiscarded, lambda it: gold.discard_changes(decision_ids=it.decision_ids))
subscribe(TagsProposed, lambda it: tagging.keep_proposals(run_id=it.run_id, replies=it.replies, at=it.at))
subscribe(PlanSaved, lambda it: assignments.renew_priorities(project_id=it.project_id))
subscribe(
    SampleChosen,
    lambda it: items.mark_sample(project_id=it.project_id, entering=it.entering, leaving=it.leaving),
)
subscribe(ImportMayLeave, lambda it: adjudication.refuse_leaving(data_import_id=it.data_import_id))
subscribe(ImportLeaving, lambda it: adjudication.discard_gold_equal(data_import_id=it.data_import_id))
subscribe(
    ItemsChanged,
    lambda it: items.renew_gold_among_answers(project_id=it.project_id),
    lambda it: adjudication.settle_gold_equal(project_id=it.project_id),
    lambda it: assignments.renew_priorities(project_id=it.project_id),
    lambda it: assignments.drop_empty_pilot(project_id=it.project_id),
    lambda it: gold.amend_project(project_id=it.project_id),
    lambda it: runs.extend_lexical_runs(project_id=it.project_id),
)

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
