"""Every address of the server."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path

from annotation.accounts import api as accounts
from annotation.accounts.mailboxes import api as mailboxes
from annotation.accounts.sso import api as sso
from annotation.adjudication import api as adjudication
from annotation.agreement import api as agreement
from annotation.assignments import api as assignments
from annotation.gold import api as gold
from annotation.items import api as items
from annotation.judgments import api as judgments
from annotation.known_answers import api as training
from annotation.projects.api import activity, members, organizations, projects
from annotation.projects.rules import PROGRAMS_WORDS
from annotation.quality import api as quality
from annotation.release import api as release
from common.help import api as help_pages
from common.help import reference
from common.web.pages import serve_application, serve_no_such_address
from config.operation.health import answer_health
from config.operation.metrics import answer_metrics
from judges.answers import api as answer_table
from judges.bundles import api as bundles
from judges.comparison.api import across, answers, boards, overview, proposals, references
from judges.connections import api as connections
from judges.prejudging import api as prejudging
from judges.prompts import api as prompts
from judges.release import api as study_release
from judges.runs import api as runs
from judges.tagging import api as tagging
from judges.webhooks import api as webhooks

PROJECT_ROUTES: list[URLPattern | URLResolver] = [
    # annotation.projects
    path("protocol", projects.ProtocolView.as_view()),
    path("protocol/versions", projects.ProtocolVersionsView.as_view()),
    path("protocol/guidelines-preview", projects.GuidelinesPreviewView.as_view()),
    path("protocol/readers", projects.ReadersView.as_view()),
    path("guidelines", projects.GuidelinesView.as_view()),
    path("members", members.MembersView.as_view()),
    path("members/<str:member_id>", members.MemberView.as_view()),
    path("copy", projects.ProjectCopyView.as_view()),
    path("organization", organizations.ProjectOrganizationView.as_view()),
    path("leave", members.LeaveView.as_view()),
    path("invitations", members.InvitationsView.as_view()),
    path("invitations/<str:invitation_id>", members.InvitationView.as_view()),
    path("activity", activity.ActivityView.as_view()),
    # annotation.items
    path("import-formats", items.ImportFormatsView.as_view()),
    path("imports", items.ImportsView.as_view()),
    path("imports/<str:id>", items.ImportView.as_view()),
    path("imports/<str:id>/check", items.ImportCheckView.as_view()),
    path("imports/<str:id>/cancel", items.ImportCancelView.as_view()),
    path("imports/<str:id>/confirm", items.ImportConfirmView.as_view()),
    path("imports/<str:id>/undo", items.ImportUndoView.as_view()),
    path("systems", items.SystemsView.as_view()),
    path("systems/<str:id>", items.SystemView.as_view()),
    path("questions/<str:question>/correct", items.QuestionCorrectView.as_view()),
    path("sample", items.SampleView.as_view()),
    # annotation.known_answers
    path("training", training.TrainingView.as_view()),
    path("training/answers", training.TrainingAnswersView.as_view()),
    path("training/again", training.TrainingAgainView.as_view()),
    # annotation.assignments and annotation.judgments
    path("work", assignments.WorkPlanView.as_view()),
    path("work/pilots", assignments.PilotsView.as_view()),
    path("work/pilots/end", assignments.PilotEndView.as_view()),
    path("work/raters/<str:member_id>/pause", assignments.PauseView.as_view()),
    path("work/raters/<str:member_id>/resume", assignments.ResumeView.as_view()),
    path("work/raters/<str:member_id>/take-back", assignments.TakeBackView.as_view()),
    path("sheets/next", assignments.NextSheetsView.as_view()),
    path("judged", judgments.JudgedView.as_view()),
    path("judged/<str:sheet_id>/answers/<str:answer_id>/edit", judgments.JudgedEditView.as_view()),
    path("sheets/undo", judgments.UndoSubmitView.as_view()),
    path("sheets/<str:sheet_id>/submit", judgments.SubmitSheetView.as_view()),
    path("sheets/<str:sheet_id>/skip", judgments.SkipSheetView.as_view()),
    path("sheets/<str:sheet_id>/flags", assignments.SheetFlagsView.as_view()),
    # annotation.adjudication
    path("protocol/foresee", adjudication.ProtocolChangeView.as_view()),
    path("queue", adjudication.QueueView.as_view()),
    path("queue/decide", adjudication.DecideTogetherView.as_view()),
    path("queue/send-back", adjudication.SendBackTogetherView.as_view()),
    path("queue/take-back", adjudication.TakeBackView.as_view()),
    path("queue/<str:candidate>", adjudication.DossierView.as_view()),
    path("reuse", adjudication.ReuseView.as_view()),
    path("reuse/preview", adjudication.ReusePreviewView.as_view()),
    path("reuse/undo", adjudication.ReuseUndoView.as_view()),
    path("answers/<str:candidate>/decision", adjudication.DecideView.as_view()),
    path("answers/<str:candidate>/reopen", adjudication.ReopenView.as_view()),
    path("answers/<str:candidate>/send-back", adjudication.SendBackView.as_view()),
    # annotation.gold
    path("gold", gold.LedgerView.as_view()),
    path("gold/questions", gold.GoldQuestionsView.as_view()),
    path("gold/days", gold.GoldDaysView.as_view()),
    path("gold/corrections", gold.GoldCorrectionsView.as_view()),
    path("gold/<str:change>/undo", gold.GoldUndoView.as_view()),
    # annotation.agreement
    path("agreement", agreement.AgreementView.as_view()),
    path("agreement/decisions", agreement.DecisionsView.as_view()),
    path("agreement/pilots", agreement.PilotAgreementView.as_view()),
    path("agreement/slices", agreement.AgreementSlicesView.as_view()),
    # annotation.quality
    path("raters", quality.RatersView.as_view()),
    path("raters/<str:rater>", quality.RaterView.as_view()),
    path("quality-plan", quality.QualityPlanView.as_view()),
    path("trainees/<str:member_id>/let-through", quality.TraineeView.as_view()),
    path("known-answers", quality.KnownAnswersView.as_view()),
    path("known-answers/several", quality.KnownAnswersMarkView.as_view()),
    path("known-answers/draw", quality.KnownAnswerDrawView.as_view()),
    path("known-answers/<str:known_id>", quality.KnownAnswerView.as_view()),
    # annotation.release
    path("export-formats", release.ExportFormatsView.as_view()),
    path("exports", release.ExportsView.as_view()),
    path("delete", release.ProjectDeleteView.as_view()),
    # judges.connections and judges.prompts
    path("connections", connections.ConnectionsView.as_view()),
    path("connections/<str:connection_id>", connections.ConnectionView.as_view()),
    path("connections/<str:connection_id>/archive", connections.ConnectionArchiveView.as_view()),
    path("connections/<str:connection_id>/test", connections.ConnectionTestView.as_view()),
    path("model-apis", connections.ApisView.as_view()),
    path("allowed-hosts", connections.AllowedHostsView.as_view()),
    path("prompts", prompts.PromptsView.as_view()),
    path("prompts/placeholders", prompts.PlaceholdersView.as_view()),
    path("prompts/preview", prompts.PromptPreviewView.as_view()),
    path("prompts/<str:prompt_id>", prompts.PromptView.as_view()),
    # judges.runs
    path("runs", runs.RunsView.as_view()),
    path("runs/estimate", runs.RunEstimateView.as_view()),
    path("runs/scopes", runs.RunScopesView.as_view()),
    path("runs/<str:run_id>", runs.RunView.as_view()),
    path("runs/<str:run_id>/verdicts", runs.RunVerdictsView.as_view()),
    path("runs/<str:run_id>/retry", runs.RunRetryView.as_view()),
    path("runs/<str:run_id>/pause", runs.RunPauseView.as_view()),
    path("runs/<str:run_id>/resume", runs.RunResumeView.as_view()),
    path("runs/<str:run_id>/continue", runs.RunContinueView.as_view()),
    path("runs/<str:run_id>/cancel", runs.RunCancelView.as_view()),
    # judges.prejudging
    path("prejudging", prejudging.PolicyView.as_view()),
    path("prejudging/preview", boards.PolicyPreviewView.as_view()),
    path("prejudging/apply", prejudging.ApplyView.as_view()),
    path("prejudging/calibration", prejudging.CalibrationView.as_view()),
    path("prejudging/certificates", prejudging.CertificatesView.as_view()),
    path("prejudging/undo", prejudging.UndoView.as_view()),
    path("prejudging/audit", prejudging.AuditView.as_view()),
    path("prejudging/decided-by", prejudging.DecidedByView.as_view()),
    path("prejudging/answers", prejudging.SettledAnswersView.as_view()),
    path("prejudging/routing", prejudging.RoutingView.as_view()),
    path("prejudging/routing/replay", prejudging.RoutingReplayView.as_view()),
    path("prejudging/routing/<str:routing_id>/end", prejudging.EndRoutingView.as_view()),
    # judges.tagging
    path("tag-sets", tagging.TagSetsView.as_view()),
    path("tag-sets/<str:key>", tagging.TagSetView.as_view()),
    path("tagging", tagging.RoundsView.as_view()),
    path("tagging/preview", tagging.RoundPreviewView.as_view()),
    path("tagging/chosen", tagging.TagChosenView.as_view()),
    path("tagging/<str:tagging_round>", tagging.RoundView.as_view()),
    path("tagging/<str:tagging_round>/results", tagging.RoundResultsView.as_view()),
    path("tagging/<str:tagging_round>/items/<str:item>", tagging.ItemView.as_view()),
    path("tagging/<str:tagging_round>/items/<str:item>/tags", tagging.ItemTagsView.as_view()),
    path("tagging/<str:tagging_round>/items/<str:item>/withdraw", tagging.ItemWithdrawView.as_view()),
    # judges.comparison
    path("gold/proposals", proposals.ProposalsView.as_view()),
    path("gold/proposals/accept", proposals.AcceptProposalsView.as_view()),
    path("gold/proposals/dismissed", proposals.DismissProposalsView.as_view()),
    path("gold/proposals/preview", proposals.PreviewProposalsView.as_view()),
    path("gold/groups/<str:group>/undo", proposals.UndoGroupView.as_view()),
    path("filters", boards.FilterChoicesView.as_view()),
    path("leaderboard", boards.LeaderboardView.as_view()),
    path("leaderboard/amendments", boards.AmendmentsView.as_view()),
    path("leaderboard/beyond", boards.BeyondExactMatchView.as_view()),
    path("leaderboard/corrected", boards.CorrectedView.as_view()),
    path("leaderboard/datasets", boards.ByDatasetView.as_view()),
    path("leaderboard/plan", boards.LabelPlanView.as_view()),
    path("leaderboard/pairs", boards.PairsView.as_view()),
    path("reference-scores", references.ReferencesView.as_view()),
    path("reference-scores/import", references.ReferencesFileView.as_view()),
    path("reference-scores/<str:reference>", references.ReferenceView.as_view()),
    path("reference-scores/<str:reference>/restore", references.ReferenceRestoreView.as_view()),
    path("systems-board", boards.SystemsBoardView.as_view()),
    path("systems-board/questions", boards.RightByQuestionsView.as_view()),
    path("systems-board/two", boards.OfTwoView.as_view()),
    path("failure-board", boards.FailureBoardView.as_view()),
    path("judge-board", boards.JudgeBoardView.as_view()),
    path("judge-board/pairs", boards.JudgePairsView.as_view()),
    path("judge-board/differences", boards.JudgeDifferencesView.as_view()),
    path("judge-board/strategies", boards.StrategiesView.as_view()),
    path("judge-board/cautions", boards.CautionsView.as_view()),
    path("judge-board/replacement", boards.ReplacementView.as_view()),
    path("judge-board/<str:run>/thresholds", boards.ScoredJudgeView.as_view()),
    path("judge-board/<str:run>/parts", boards.JudgedPartsView.as_view()),
    path("overview", overview.OverviewView.as_view()),
    path("results", overview.ResultsView.as_view()),
    path("setup", overview.SetupView.as_view()),
    path("answers/<str:candidate>", answers.AnswerHistoryView.as_view()),
    # judges.answers
    path("answers", answer_table.AnswersView.as_view()),
    path("answer-choices", answer_table.AnswerChoicesView.as_view()),
    path("answer-exports", answer_table.AnswersExportView.as_view()),
    path("answer-views", answer_table.SavedViewsView.as_view()),
    path("answer-views/<str:view>", answer_table.SavedViewView.as_view()),
    # judges.release
    path("methods", study_release.MethodsView.as_view()),
    path("paper-tables", study_release.PaperTablesView.as_view()),
    # judges.webhooks
    path("webhooks", webhooks.WebhooksView.as_view()),
    path("webhooks/<str:webhook>", webhooks.WebhookView.as_view()),
    path("webhooks/<str:webhook>/rotate", webhooks.WebhookRotateView.as_view()),
    path("webhooks/<str:webhook>/test", webhooks.WebhookTestView.as_view()),
    path("webhooks/<str:webhook>/deliveries", webhooks.WebhookDeliveriesView.as_view()),
    path("webhooks/<str:webhook>/deliveries/<str:delivery>/retry", webhooks.WebhookRetryView.as_view()),
]

API_ROUTES: list[URLPattern | URLResolver] = [
    path("help", help_pages.HelpContentsView.as_view()),
    path("help/search", help_pages.HelpSearchView.as_view()),
    path("help/<str:name>", help_pages.HelpPageView.as_view()),
    path("help/pictures/<str:name>", help_pages.HelpPictureView.as_view()),
    path("session", accounts.SessionView.as_view()),
    path("sso", sso.SsoView.as_view()),
    path("sso/begin", sso.SsoBeginView.as_view()),
    path("sso/code", sso.SsoCodeView.as_view()),
    path("account", accounts.AccountView.as_view()),
    path("account/password", accounts.AccountPasswordView.as_view()),
    path("account/close", accounts.AccountCloseView.as_view()),
    path("account/two-factor", accounts.TwoFactorView.as_view()),
    path("account/two-factor/turn-on", accounts.TwoFactorOnView.as_view()),
    path("account/two-factor/turn-off", accounts.TwoFactorOffView.as_view()),
    path("account/two-factor/recovery-codes", accounts.RecoveryCodesView.as_view()),
    path("account/sign-ins", accounts.SignInsView.as_view()),
    path("account/email", mailboxes.AccountEmailView.as_view()),
    path("account/sso", sso.OwnSsoView.as_view()),
    path("account/sso/disconnect", sso.OwnSsoEndView.as_view()),
    path("account/tokens", accounts.ApiTokensView.as_view()),
    path("account/tokens/<str:token_id>", accounts.ApiTokenView.as_view()),
    path("password-requests", mailboxes.PasswordRequestView.as_view()),
    path("email-links/<str:token>", mailboxes.EmailLinkView.as_view()),
    path("unsubscribe/<str:token>", mailboxes.UnsubscribeView.as_view()),
    path("password-links/<str:token>", accounts.PasswordLinkView.as_view()),
    path("presets", projects.PresetsView.as_view()),
    path("invitations/<str:token>", members.InvitationByTokenView.as_view()),
    path("invitations/<str:token>/accept", members.InvitationAcceptView.as_view()),
    path("organizations", organizations.OrganizationsView.as_view()),
    path("organizations/<str:organization>", organizations.OrganizationView.as_view()),
    path("organizations/<str:organization>/people", organizations.OrganizationPeopleView.as_view()),
    path(
        "organizations/<str:organization>/people/<str:member_id>",
        organizations.OrganizationPersonView.as_view(),
    ),
    path("projects", projects.ProjectsView.as_view()),
    path("projects/<slug:slug>", projects.ProjectDetailView.as_view()),
    path("projects/<slug:slug>/", include(PROJECT_ROUTES)),
    # judges.bundles
    path("bundles", bundles.BundlesView.as_view()),
    path("exports/<str:id>", release.ExportView.as_view()),
    path("exports/<str:id>/download", release.ExportDownloadView.as_view()),
    # judges.comparison
    path("comparison", across.ComparisonView.as_view()),
    # judges.runs
    path("judges", runs.JudgesView.as_view()),
    path("worker", runs.WorkerView.as_view()),
]

urlpatterns = [
    path("healthz", answer_health),
    path("metrics", answer_metrics),
    path("api/schema", reference.serve_schema),
    path("api/docs", reference.serve_page),
    path("api/docs.css", reference.serve_style),
    path("api/sso/callback", sso.answer_callback),
    path("api/", include(API_ROUTES)),
    re_path(r"^api/", serve_no_such_address),
    path("account/unsubscribe/<str:token>", mailboxes.unsubscribe_by_one_click),
    re_path(rf"^(?:{'|'.join(sorted(PROGRAMS_WORDS))})/?$", serve_no_such_address),
    # Files, but for the tokens of links, which may look like some.
    re_path(r"^(?!static/|join/|password/)(?:.*/)?[^/]*\.[^/]*$", serve_no_such_address),
    # Everything else is the single-page application, which routes by itself.
    re_path(r"^(?!api/|static/)", serve_application, {"folder": settings.FRONTEND_DIST}),
]

handler400 = "common.web.pages.serve_bad_request"
handler500 = "common.web.pages.serve_bug"
