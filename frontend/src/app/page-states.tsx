/** What a page shows before it is there, when it broke, and when there is none. */
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { ApiError } from "../api/error";
import { AppShell } from "../components/app-shell";
import { ButtonLink } from "../components/button";
import { EmptyState } from "../components/empty-state";
import { ErrorState } from "../components/error-state";
import { Page } from "../components/page";
import { Skeleton } from "../components/skeleton";
import { t } from "../lib/i18n/t";
import { useTitle } from "../lib/title";

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
      title={t("There is no such page")}
      action={<ButtonLink to="/">{t("All projects")}</ButtonLink>}
    >
      <p>{t("The address may be mistyped, or what it named was removed.")}</p>
    </EmptyState>
  );
}
