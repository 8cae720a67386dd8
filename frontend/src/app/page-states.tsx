/** What a page shows before it is there, when it broke, and when there is none. */
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { ApiError } from "../api/error";
import { ButtonLink } from "../components/button";
import { Page, useTitle } from "../components/page";
import { EmptyState, ErrorState, Skeleton } from "../components/query-view";
import { t } from "../lib/i18n/t";
import { AppShell } from "./layouts";

export function PageLoading() {
  return (
    <Page>
      <Skeleton lines={8} />
    </Page>
  );
}

export function PageError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const boundary = useQueryErrorResetBoundary();
  const retry = () => {
    boundary.reset();
    reset();
    void router.invalidate();
  };
  const mayHelp = !(error instanceof ApiError) || !["not_found", "forbidden"].includes(error.kind);
  return <ErrorState level={1} error={error} {...(mayHelp ? { onRetry: retry } : {})} />;
}

/** For errors that leave no layout standing. */
export function BarePageError(props: ErrorComponentProps) {
  return (
    <AppShell>
      <PageError {...props} />
    </AppShell>
  );
}

export function BarePageNotFound() {
  return (
    <AppShell>
      <PageNotFound />
    </AppShell>
  );
}

export function PageNotFound() {
  useTitle(t("Not found"));
  return (
    <EmptyState
      level={1}
      title={t("Page not found")}
      action={<ButtonLink to="/">{t("All projects")}</ButtonLink>}
    >
      <p>{t("Check the web address for typos. The page may have been removed.")}</p>
    </EmptyState>
  );
}
