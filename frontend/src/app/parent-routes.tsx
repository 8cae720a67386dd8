/** What pages hang on: the root, the layout outside of projects, and a project with its layout. */
import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, Outlet, redirect } from "@tanstack/react-router";
import { sessionQuery } from "../api/session";
import { projectQuery } from "../api/project";
import { useLanguage } from "../lib/i18n/use-language";
import { GeneralLayout, ProjectLayout } from "./layouts";
import { BarePageError, BarePageNotFound } from "./page-states";

interface RouterContext {
  readonly queryClient: QueryClient;
}

/** Texts are read when they are shown, so another language draws everything anew. */
function Root() {
  return <Outlet key={useLanguage()} />;
}

/** Pages of leads and adjudicators, which are in no other language. */
export const ENGLISH = { isEnglish: true };

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Root,
  errorComponent: BarePageError,
  notFoundComponent: BarePageNotFound,
});

export const generalRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: "general",
  component: GeneralLayout,
});

interface Entering {
  readonly context: RouterContext;
  readonly location: { readonly href: string };
}

export async function requireSession({ context, location }: Entering): Promise<void> {
  const session = await context.queryClient.ensureQueryData(sessionQuery);
  if (session.user === null) throw redirect({ to: "/sign-in", search: { next: location.href } });
}

export const projectRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "$slug",
  beforeLoad: requireSession,
  loader: ({ context, params }) => context.queryClient.ensureQueryData(projectQuery(params.slug)),
  component: ProjectLayout,
  errorComponent: BarePageError,
});
