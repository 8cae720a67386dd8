"""The plug points between steps: who is told of what, who knows what, who takes over what files hold.

Earlier steps never import later ones; they publish an event or ask a port, and this table names who
listens and who knows.
"""

from annotation.accounts.events import AccountClosing, PasswordChanged
from annotation.accounts.idempotency import claims
from annotation.accounts.mailboxes import confirming
from annotation.accounts.outbox import ports as outbox_ports
from annotation.accounts.sign_ins import noting
from annotation.accounts.sso import identities
from annotation.accounts.tokens import issuing
from annotation.accounts.tokens import ports as accounts_ports
from annotation.adjudication import ports as adjudication_ports
from annotation.adjudication.events import DecisionsChanged, DecisionsDiscarded, VotesWeighed
from annotation.adjudication.selectors import decisions, queue
from annotation.adjudication.services import recorded, settling
from annotation.adjudication.services.deciding import refuse_editing, refuse_taking_back
from annotation.agreement import ports as agreement_ports
from annotation.assignments import ports as assignments_ports
from annotation.assignments.events import PlanSaved
from annotation.assignments.selectors import open_work
from annotation.assignments.services import pilots, slots, work_plans
from annotation.gold.services import ledger as gold
from annotation.items import ports as items_ports
from annotation.items import selectors as items_selectors
from annotation.items.events import ImportLeaving, ImportMayLeave, ItemsChanged, SampleChosen
from annotation.items.services import samples
from annotation.judgments import ports as judgments_ports
from annotation.judgments import selectors as judgments_selectors
from annotation.judgments.events import AnswersJudged, JudgmentChanging, JudgmentsTakenBack
from annotation.judgments.services import settling as judgments_settling
from annotation.projects import ports as projects_ports
from annotation.projects import selectors as projects_selectors
from annotation.projects.events import GuidelinesRead, ProtocolChanged, ResultsWanted
from annotation.projects.services import activity, members, organizations
from annotation.release import ports as release_ports
from annotation.release.events import ExportReady
from common.events import subscribe
from common.requests.idempotency import claim_request
from common.web.door import find_bearer
from judges.answers.selectors import export as answer_export
from judges.answers.selectors import taggings as tagging_export
from judges.answers.selectors import verdicts as verdict_export
from judges.bundles.selectors.rows import bundle_lines
from judges.bundles.services import writing
from judges.comparison.selectors import overview
from judges.comparison.selectors.answers import find_judge_conflicts
from judges.connections import ports as connections_ports
from judges.prejudging.events import CalibrationChanged, RoutingChanged
from judges.prejudging.selectors.routing import routes
from judges.prejudging.services import certificates, routing
from judges.release import selectors as study_release_selectors
from judges.runs import ports as runs_ports
from judges.runs.events import RunStopped, TagsProposed
from judges.runs.selectors import progress
from judges.runs.services import control, spending
from judges.tagging import selectors as tagging_selectors
from judges.tagging import services as tagging
from judges.verification import selectors as verification_selectors
from judges.webhooks.services import noting as webhooks

# Called in order, inside the publisher's transaction if it has one. What they do to whole projects can be
# repeated and is done in chunks: an import holds no lock for all of it.
subscribe(
    AccountClosing,
    members.leave_all_projects,
    organizations.leave_all_organizations,
    activity.forget_token_names,
)
# A command sets it because somebody else may know the former one, and may have left ways in.
subscribe(
    PasswordChanged,
    issuing.revoke_tokens,
    identities.end_connections,
    noting.note_new_password,
    confirming.remove_address,
)
subscribe(JudgmentsTakenBack, refuse_taking_back)
subscribe(JudgmentChanging, refuse_editing)
subscribe(
    AnswersJudged,
    settling.settle_candidates,
)
subscribe(ResultsWanted, judgments_settling.settle_before_reading)
subscribe(GuidelinesRead, slots.renew_versions)
subscribe(
    ProtocolChanged,
    samples.renew_gold_among_answers,
    settling.settle_gold_equal,
    settling.resettle_project,
    judgments_settling.ask_again_in_project,
    gold.amend_project,
)
subscribe(
    DecisionsChanged,
    gold.amend_questions,
    # Nobody may be waited for any more who could have agreed with a yes to a check.
    judgments_settling.ask_again_about,
)
subscribe(DecisionsDiscarded, gold.discard_changes)
subscribe(VotesWeighed, routing.keep_routes)
subscribe(RoutingChanged, settling.resettle_project)
subscribe(TagsProposed, tagging.keep_proposals)
subscribe(RunStopped, webhooks.note_run)
subscribe(ExportReady, webhooks.note_export)
subscribe(PlanSaved, work_plans.renew_priorities)
subscribe(CalibrationChanged, certificates.put_sample_first)
subscribe(
    SampleChosen,
    samples.mark_sample,
)
subscribe(ImportMayLeave, recorded.refuse_leaving)
subscribe(ImportLeaving, settling.discard_gold_equal)
subscribe(
    ItemsChanged,
    samples.renew_gold_among_answers,
    settling.settle_gold_equal,
    work_plans.renew_priorities,
    pilots.drop_empty_pilot,
    gold.amend_project,
    control.extend_runs,
)

# What an earlier step asks, and the selector of the one that knows.
find_bearer.provided_by(issuing.find_bearer)
claim_request.provided_by(claims.claim_request)
outbox_ports.what_waits.provided_by(projects_selectors.what_waits)
outbox_ports.share_of.provided_by(overview.read_share)
outbox_ports.is_invitation_open.provided_by(projects_selectors.is_invitation_open)
accounts_ports.find_own_project.provided_by(projects_selectors.find_own_project)
accounts_ports.join_by_invitation.provided_by(members.join_by_invitation)
projects_ports.questions_left.provided_by(open_work.count_questions_left)
projects_ports.decisions_waiting.provided_by(queue.count_waiting)
projects_ports.answers_by_project.provided_by(items_selectors.answers_by_project)
projects_ports.spending_of.provided_by(progress.spending_of)
connections_ports.charge_trial.provided_by(spending.charge_trial)
connections_ports.refund_trial.provided_by(spending.refund_trial)
items_ports.judged_questions.provided_by(decisions.judged_questions)
items_ports.improper_questions.provided_by(judgments_selectors.improper_questions)
items_ports.find_label_conflicts.provided_by(decisions.find_label_conflicts)
items_ports.do_votes_settle.provided_by(decisions.do_votes_settle)
items_ports.find_unknown_labels.provided_by(decisions.find_unknown_labels)
items_ports.find_given_before.provided_by(decisions.find_given_before)
assignments_ports.improper_questions.provided_by(judgments_selectors.improper_questions)
judgments_ports.how_people_decided.provided_by(decisions.how_people_decided)
adjudication_ports.find_judge_conflicts.provided_by(find_judge_conflicts)
agreement_ports.routed_unequally.provided_by(routes.routed_unequally)
adjudication_ports.find_routes.provided_by(routes.find_routes)
release_ports.report_lines.provided_by(study_release_selectors.report_lines)
release_ports.systems_csv_lines.provided_by(study_release_selectors.systems_csv_lines)
release_ports.systems_latex_lines.provided_by(study_release_selectors.systems_latex_lines)
release_ports.count_table_systems.provided_by(study_release_selectors.count_table_systems)
release_ports.count_table_judges.provided_by(study_release_selectors.count_table_judges)
release_ports.judges_csv_lines.provided_by(study_release_selectors.judges_csv_lines)
release_ports.judges_latex_lines.provided_by(study_release_selectors.judges_latex_lines)
release_ports.answer_json_lines.provided_by(answer_export.answer_json_lines)
release_ports.answer_csv_lines.provided_by(answer_export.answer_csv_lines)
release_ports.count_verdicts.provided_by(verdict_export.count_verdicts)
release_ports.verdict_json_lines.provided_by(verdict_export.verdict_json_lines)
release_ports.verdict_csv_lines.provided_by(verdict_export.verdict_csv_lines)
release_ports.count_taggings.provided_by(tagging_export.count_taggings)
release_ports.tagging_json_lines.provided_by(tagging_export.tagging_json_lines)
release_ports.tagging_csv_lines.provided_by(tagging_export.tagging_csv_lines)
release_ports.study_lines.provided_by(verification_selectors.study_lines)
release_ports.bundle_lines.provided_by(bundle_lines)
release_ports.write_bundle.provided_by(writing.write_bundle)
release_ports.require_rest.provided_by(writing.require_rest)
runs_ports.tag_choices.provided_by(tagging_selectors.tag_choices)
runs_ports.tagged_verdicts.provided_by(tagging_selectors.tagged_verdicts)

# What files hold besides items: who takes it over, and who takes it out again.
items_ports.take_over_votes.provided_by(recorded.replay_votes)
items_ports.take_over_decisions.provided_by(recorded.apply_recorded_decisions)
items_ports.take_over_verdicts.provided_by(control.apply_recorded_verdicts)
items_ports.take_out_votes.provided_by(recorded.discard_replay)
items_ports.take_out_decisions.provided_by(recorded.discard_recorded_decisions)
items_ports.take_out_verdicts.provided_by(control.discard_recorded_verdicts)
