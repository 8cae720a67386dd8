/** Every page of a project; each is loaded when it is first opened. */
import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { PAGE_HELP } from "./page-help";
import { ENGLISH, projectRoute } from "./parent-routes";

type PageModule<Name extends string> = Readonly<Record<Name, () => React.ReactNode>>;

/** What annotators meet, and Webhooks: in the language that the reader chose. */
function translatedPage<Path extends keyof typeof PAGE_HELP, Name extends string>(
  path: Path,
  load: () => Promise<PageModule<Name>>,
  name: Name,
) {
  const component = lazyRouteComponent(load, name);
  const staticData = { help: PAGE_HELP[path] };
  return createRoute({ getParentRoute: () => projectRoute, path, component, staticData });
}

function projectPage<Path extends keyof typeof PAGE_HELP, Name extends string>(
  path: Path,
  load: () => Promise<PageModule<Name>>,
  name: Name,
) {
  const component = lazyRouteComponent(load, name);
  const staticData = { ...ENGLISH, help: PAGE_HELP[path] };
  return createRoute({ getParentRoute: () => projectRoute, path, component, staticData });
}

export const projectPages = [
  projectPage("overview", () => import("../features/overview/overview-page"), "OverviewPage"),
  projectPage("import", () => import("../features/import/import-page"), "ImportPage"),
  projectPage("sample", () => import("../features/sample/sample-page"), "SamplePage"),
  projectPage("protocol", () => import("../features/protocol/protocol-page"), "ProtocolPage"),
  translatedPage("protocol/try", () => import("../features/judging/preview-page"), "PreviewPage"),
  projectPage("people", () => import("../features/people/people-page"), "PeoplePage"),
  projectPage("work", () => import("../features/work/work-page"), "WorkPage"),
  projectPage(
    "work/known-answers",
    () => import("../features/known-answers/known-answers-page"),
    "KnownAnswersPage",
  ),
  projectPage("prejudging", () => import("../features/prejudging/prejudging-page"), "PrejudgingPage"),
  translatedPage("judge", () => import("../features/judging/judging-page"), "JudgingPage"),
  translatedPage("judged", () => import("../features/judged/judged-page"), "JudgedPage"),
  projectPage("queue", () => import("../features/adjudication/queue-page"), "QueuePage"),
  projectPage("agreement", () => import("../features/agreement/agreement-page"), "AgreementPage"),
  projectPage("agreement/raters", () => import("../features/raters/raters-page"), "RatersPage"),
  projectPage("agreement/raters/$rater", () => import("../features/raters/rater-page"), "RaterPage"),
  projectPage("runs", () => import("../features/runs/runs-page"), "RunsPage"),
  projectPage("runs/new", () => import("../features/runs/new-run-page"), "NewRunPage"),
  projectPage("runs/board", () => import("../features/runs/board/board-page"), "JudgeBoardPage"),
  projectPage("runs/$run", () => import("../features/runs/run-page"), "RunPage"),
  projectPage(
    "runs/connections",
    () => import("../features/connections/connections-page"),
    "ConnectionsPage",
  ),
  projectPage("runs/prompts", () => import("../features/prompts/prompts-page"), "PromptsPage"),
  projectPage(
    "leaderboard/amendments",
    () => import("../features/leaderboard/amendments-page"),
    "AmendmentsPage",
  ),
  projectPage("leaderboard/datasets", () => import("../features/leaderboard/datasets-page"), "DatasetsPage"),
  projectPage("leaderboard/systems", () => import("../features/leaderboard/systems-page"), "SystemsPage"),
  projectPage("leaderboard", () => import("../features/leaderboard/leaderboard-page"), "LeaderboardPage"),
  projectPage("failures", () => import("../features/failures/failures-page"), "FailuresPage"),
  projectPage("failures/board", () => import("../features/failures/board-page"), "BoardPage"),
  projectPage("failures/new", () => import("../features/failures/round-form"), "NewRoundPage"),
  projectPage("failures/sets", () => import("../features/failures/sets-page"), "SetsPage"),
  projectPage("failures/$round", () => import("../features/failures/tagging-page"), "TaggingPage"),
  projectPage("answers", () => import("../features/explorer/answers-page"), "AnswersPage"),
  projectPage("answers/views/$view", () => import("../features/explorer/view-page"), "AnswerViewPage"),
  projectPage("answers/$answer", () => import("../features/explorer/answer-page"), "AnswerPage"),
  projectPage("gold/proposals", () => import("../features/gold/proposals-page"), "ProposalsPage"),
  projectPage("gold", () => import("../features/gold/gold-page"), "GoldPage"),
  projectPage("export", () => import("../features/export/export-page"), "ExportPage"),
  projectPage("settings", () => import("../features/settings/settings-page"), "SettingsPage"),
  projectPage("settings/activity", () => import("../features/settings/activity-page"), "ActivityPage"),
  translatedPage("settings/webhooks", () => import("../features/webhooks/webhooks-page"), "WebhooksPage"),
];
