/** Every address of the product; each page is loaded when it is first opened. */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  type RouterHistory,
  lazyRouteComponent,
  Outlet,
  redirect,
} from "@tanstack/react-router";
import { sessionQuery } from "../api/accounts/session";
import { projectQuery } from "../api/projects/project";
import { BarePageError, BarePageNotFound, PageError, PageLoading, PageNotFound } from "./page-states";
import { firstPage } from "../components/project-nav";
import { useLanguage } from "../lib/i18n/use-language";
import { GeneralLayout, ProjectLayout } from "./layouts";

interface RouterContext {
  readonly queryClient: QueryClient;
}

/** Texts are read when they are shown, so another language draws everything anew. */
function Root() {
  return <Outlet key={useLanguage()} />;
}

/** Pages of leads and adjudicators, which are in no other language. */
const ENGLISH = { isEnglish: true };

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: BarePageError,
  notFoundComponent: BarePageNotFound,
});

const generalRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "general",
  component: GeneralLayout,
});

const signInRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "sign-in",
  validateSearch: (search: Record<string, unknown>): { next?: string } =>
    typeof search["next"] === "string" ? { next: search["next"] } : {},
  component: lazyRouteComponent(() => import("../features/sign-in/sign-in-page"), "SignInPage"),
});

const joinRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "join/$token",
  component: lazyRouteComponent(() => import("../features/join/join-page"), "JoinPage"),
});

const passwordRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "password/$token",
  component: lazyRouteComponent(() => import("../features/password/password-page"), "PasswordPage"),
});

interface Entering {
  readonly context: RouterContext;
  readonly location: { readonly href: string };
}

async function requireSession({ context, location }: Entering): Promise<void> {
  const session = await context.queryClient.ensureQueryData(sessionQuery);
  if (session.user === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
}

const projectsRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "/",
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/projects/projects-page"), "ProjectsPage"),
});

const accountRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "account",
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/account/account-page"), "AccountPage"),
});

const newProjectRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "new",
  staticData: ENGLISH,
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/projects/new-project-page"), "NewProjectPage"),
});

const compareRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "compare",
  staticData: ENGLISH,
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/compare/compare-page"), "ComparePage"),
});

const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "$slug",
  beforeLoad: requireSession,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(projectQuery(params.slug)),
  component: ProjectLayout,
  errorComponent: BarePageError,
});

const projectIndexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  loader: async ({ context, params }) => {
    const project = await context.queryClient.ensureQueryData(projectQuery(params.slug));
    throw redirect({ to: `/${params.slug}/${firstPage(project.role)}` as "/" });
  },
});

type PageComponent = ReturnType<typeof lazyRouteComponent>;

/** What annotators meet, in the language they chose. */
function annotatorPage<Path extends string>(path: Path, component: PageComponent) {
  return createRoute({ getParentRoute: () => projectRoute, path, component });
}

function projectPage<Path extends string>(path: Path, component: PageComponent) {
  return createRoute({ getParentRoute: () => projectRoute, path, component, staticData: ENGLISH });
}

const projectPages = [
  projectPage(
    "overview",
    lazyRouteComponent(() => import("../features/overview/overview-page"), "OverviewPage"),
  ),
  projectPage(
    "import",
    lazyRouteComponent(() => import("../features/import/import-page"), "ImportPage"),
  ),
  projectPage(
    "protocol",
    lazyRouteComponent(() => import("../features/protocol/protocol-page"), "ProtocolPage"),
  ),
  annotatorPage(
    "protocol/try",
    lazyRouteComponent(() => import("../features/judging/preview-page"), "PreviewPage"),
  ),
  projectPage(
    "people",
    lazyRouteComponent(() => import("../features/people/people-page"), "PeoplePage"),
  ),
  projectPage(
    "work",
    lazyRouteComponent(() => import("../features/work/work-page"), "WorkPage"),
  ),
  projectPage(
    "work/known-answers",
    lazyRouteComponent(() => import("../features/known-answers/known-answers-page"), "KnownAnswersPage"),
  ),
  annotatorPage(
    "judge",
    lazyRouteComponent(() => import("../features/judging/judging-page"), "JudgingPage"),
  ),
  annotatorPage(
    "judged",
    lazyRouteComponent(() => import("../features/judged/judged-page"), "JudgedPage"),
  ),
  projectPage(
    "queue",
    lazyRouteComponent(() => import("../features/adjudication/queue-page"), "QueuePage"),
  ),
  projectPage(
    "agreement",
    lazyRouteComponent(() => import("../features/agreement/agreement-page"), "AgreementPage"),
  ),
  projectPage(
    "agreement/raters",
    lazyRouteComponent(() => import("../features/raters/raters-page"), "RatersPage"),
  ),
  projectPage(
    "agreement/raters/$rater",
    lazyRouteComponent(() => import("../features/raters/rater-page"), "RaterPage"),
  ),
  projectPage(
    "runs",
    lazyRouteComponent(() => import("../features/runs/runs-page"), "RunsPage"),
  ),
  projectPage(
    "runs/new",
    lazyRouteComponent(() => import("../features/runs/new-run-page"), "NewRunPage"),
  ),
  projectPage(
    "runs/board",
    lazyRouteComponent(() => import("../features/runs/board/board-page"), "JudgeBoardPage"),
  ),
  projectPage(
    "runs/$run",
    lazyRouteComponent(() => import("../features/runs/run-page"), "RunPage"),
  ),
  projectPage(
    "runs/prejudging",
    lazyRouteComponent(() => import("../features/prejudging/prejudging-page"), "PrejudgingPage"),
  ),
  projectPage(
    "runs/connections",
    lazyRouteComponent(() => import("../features/connections/connections-page"), "ConnectionsPage"),
  ),
  projectPage(
    "runs/prompts",
    lazyRouteComponent(() => import("../features/prompts/prompts-page"), "PromptsPage"),
  ),
  projectPage(
    "leaderboard/amendments",
    lazyRouteComponent(() => import("../features/leaderboard/amendments-page"), "AmendmentsPage"),
  ),
  projectPage(
    "leaderboard/datasets",
    lazyRouteComponent(() => import("../features/leaderboard/datasets-page"), "DatasetsPage"),
  ),
  projectPage(
    "leaderboard/systems",
    lazyRouteComponent(() => import("../features/leaderboard/systems-page"), "SystemsPage"),
  ),
  projectPage(
    "leaderboard",
    lazyRouteComponent(() => import("../features/leaderboard/leaderboard-page"), "LeaderboardPage"),
  ),
  projectPage(
    "failures",
    lazyRouteComponent(() => import("../features/failures/failures-page"), "FailuresPage"),
  ),
  projectPage(
    "failures/board",
    lazyRouteComponent(() => import("../features/failures/board-page"), "BoardPage"),
  ),
  projectPage(
    "failures/new",
    lazyRouteComponent(() => import("../features/failures/new-round-page"), "NewRoundPage"),
  ),
  projectPage(
    "failures/sets",
    lazyRouteComponent(() => import("../features/failures/sets-page"), "SetsPage"),
  ),
  projectPage(
    "failures/$round",
    lazyRouteComponent(() => import("../features/failures/tagging-page"), "TaggingPage"),
  ),
  projectPage(
    "answers",
    lazyRouteComponent(() => import("../features/explorer/answers-page"), "AnswersPage"),
  ),
  projectPage(
    "answers/$answer",
    lazyRouteComponent(() => import("../features/explorer/answer-page"), "AnswerPage"),
  ),
  projectPage(
    "gold",
    lazyRouteComponent(() => import("../features/gold/gold-page"), "GoldPage"),
  ),
  projectPage(
    "export",
    lazyRouteComponent(() => import("../features/export/export-page"), "ExportPage"),
  ),
  projectPage(
    "settings",
    lazyRouteComponent(() => import("../features/settings/settings-page"), "SettingsPage"),
  ),
];

const routeTree = rootRoute.addChildren([
  generalRoute.addChildren([
    signInRoute,
    joinRoute,
    passwordRoute,
    accountRoute,
    projectsRoute,
    newProjectRoute,
    compareRoute,
  ]),
  projectRoute.addChildren([projectIndexRoute, ...projectPages]),
]);

export function createAppRouter(queryClient: QueryClient, history?: RouterHistory) {
  return createRouter({
    routeTree,
    context: { queryClient },
    ...(history ? { history } : {}),
    defaultPreload: "intent",
    // Reads are kept by the query client alone.
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: PageError,
    defaultPendingComponent: PageLoading,
    defaultNotFoundComponent: PageNotFound,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface StaticDataRouteOption {
    isEnglish?: boolean;
  }
}
