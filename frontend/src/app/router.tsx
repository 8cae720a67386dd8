/** Every address of the product; each page is loaded when it is first opened. */
import type { QueryClient } from "@tanstack/react-query";
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from "@tanstack/react-router";
import { read } from "../api/client";
import type { HelpPlace } from "../api/help-places";
import { projectQuery } from "../api/project";
import { PageError, PageLoading, PageNotFound } from "./page-states";
import { ENGLISH, generalRoute, projectRoute, requireSession, rootRoute } from "./parent-routes";
import { projectPages } from "./project-pages";
import { firstPage } from "./project-places";

/** `failed`, `step`: what single sign-on came to, and what it still needs. */
interface SignInSearch {
  readonly next?: string;
  readonly failed?: string;
  readonly step?: "code";
}

const signInRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "sign-in",
  staticData: { help: "account#signing-in" },
  validateSearch: ({ next, failed, step }: Record<string, unknown>): SignInSearch => ({
    ...(typeof next === "string" ? { next } : {}),
    ...(typeof failed === "string" ? { failed } : {}),
    ...(step === "code" ? { step } : {}),
  }),
  component: lazyRouteComponent(() => import("../features/sign-in/sign-in-page"), "SignInPage"),
});

const joinRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "join/$token",
  staticData: { help: "account#joining-a-project" },
  component: lazyRouteComponent(() => import("../features/join/join-page"), "JoinPage"),
});

const passwordRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "password/$token",
  staticData: { help: "account#signing-in" },
  component: lazyRouteComponent(() => import("../features/password/password-page"), "PasswordPage"),
});

const passwordRequestRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "password",
  staticData: { help: "account#signing-in" },
  component: lazyRouteComponent(
    () => import("../features/password/password-request-page"),
    "PasswordRequestPage",
  ),
});

const projectsRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "/",
  staticData: { help: "guide#projects" },
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/projects/projects-page"), "ProjectsPage"),
});

const accountRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "account",
  staticData: { help: "account#your-account" },
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/account/account-page"), "AccountPage"),
});

const emailLinkRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "account/confirm-email/$token",
  staticData: { help: "account#your-account" },
  component: lazyRouteComponent(() => import("../features/account/email-link-page"), "EmailLinkPage"),
});

const unsubscribeRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "account/unsubscribe/$token",
  staticData: { help: "account#your-account" },
  component: lazyRouteComponent(() => import("../features/account/unsubscribe-page"), "UnsubscribePage"),
});

const tokensRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "account/tokens",
  staticData: { help: "api#api-tokens" },
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/account/tokens-page"), "TokensPage"),
});

const organizationRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "account/organizations/$organization",
  staticData: { ...ENGLISH, help: "guide#organizations" },
  beforeLoad: requireSession,
  component: lazyRouteComponent(
    () => import("../features/organizations/organization-page"),
    "OrganizationPage",
  ),
});

const newProjectRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "new",
  staticData: { ...ENGLISH, help: "guide#new-project" },
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/projects/new-project-page"), "NewProjectPage"),
});

const compareRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "compare",
  staticData: { ...ENGLISH, help: "reports#several-projects-in-one-table" },
  beforeLoad: requireSession,
  component: lazyRouteComponent(() => import("../features/compare/compare-page"), "ComparePage"),
});

const helpIndexRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "help",
  beforeLoad: () => {
    throw redirect({ to: "/help/$name", params: { name: "start" } });
  },
});

const helpRoute = createRoute({
  getParentRoute: () => generalRoute,
  path: "help/$name",
  staticData: { ...ENGLISH, help: "start" },
  loader: ({ context: { queryClient }, params: { name } }) =>
    Promise.all([
      queryClient.ensureQueryData(read("/api/help/{name}", { name })),
      queryClient.ensureQueryData(read("/api/help")),
    ]),
  component: lazyRouteComponent(() => import("../features/help/help-page"), "HelpPage"),
});

const projectIndexRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "/",
  loader: async ({ context, params }) => {
    const project = await context.queryClient.ensureQueryData(projectQuery(params.slug));
    throw redirect({ to: `/${params.slug}/${firstPage(project.role)}` as "/" });
  },
});

/** Bookmarks and links from before pre-judging was a part of the setup. */
const earlierPrejudgingRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: "runs/prejudging",
  beforeLoad: ({ params: { slug }, search, location: { hash } }) => {
    throw redirect({ to: `/${slug}/prejudging` as "/", search, hash, replace: true });
  },
});

const routeTree = rootRoute.addChildren([
  generalRoute.addChildren([
    signInRoute,
    joinRoute,
    passwordRoute,
    passwordRequestRoute,
    emailLinkRoute,
    unsubscribeRoute,
    accountRoute,
    tokensRoute,
    organizationRoute,
    projectsRoute,
    newProjectRoute,
    compareRoute,
    helpIndexRoute,
    helpRoute,
  ]),
  projectRoute.addChildren([projectIndexRoute, earlierPrejudgingRoute, ...projectPages]),
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
    /** Where the help is about this page. */
    help?: HelpPlace;
  }
}
