/** What stands for a read: while it loads, where it failed, and where there is nothing yet. */
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ApiError, messageOf } from "../api/error";
import { currentLanguage } from "../lib/i18n/catalog";
import { t } from "../lib/i18n/t";
import { Button, ButtonLink } from "./button";
import { Notice } from "./notice";
import styles from "./query-view.module.css";

interface QueryViewProps<Data> {
  readonly query: UseQueryResult<Data>;
  readonly loading?: ReactNode;
  /** 1 where the read is the whole page. */
  readonly level?: 1 | 2;
  /** The page's title and its way back, where what is read has its own: until it is there, and where it failed. */
  readonly head?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

export function QueryView<Data>({ query, loading, level, head, children }: QueryViewProps<Data>) {
  // What is there stays shown while a repeated read fails.
  if (query.data !== undefined) return children(query.data);
  if (query.isError)
    return (
      <>
        {head}
        <ErrorState {...(level ? { level } : {})} error={query.error} onRetry={() => void query.refetch()} />
      </>
    );
  return (
    <>
      {head}
      {loading ?? <Skeleton lines={6} />}
    </>
  );
}

interface SkeletonProps {
  readonly lines?: number;
  /** Height of a line in rem. */
  readonly height?: number;
}

export function Skeleton({ lines = 3, height = 1.25 }: SkeletonProps) {
  return (
    <div className="stack" role="status" aria-label={t("Loading")}>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={styles["line"]} style={{ height: `${height}rem` }} />
      ))}
    </div>
  );
}

interface EmptyStateProps {
  readonly title: string;
  /** 1 where it stands for the whole page. */
  readonly level?: 1 | 2;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ title, level = 2, children, action }: EmptyStateProps) {
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section className={styles["state"]} data-empty>
      <Heading>{title}</Heading>
      {children && <div className={styles["text"]}>{children}</div>}
      {action && <div className={styles["actions"]}>{action}</div>}
    </section>
  );
}

interface ErrorStateProps {
  /** 1 where it stands for the whole page. */
  readonly level?: 1 | 2;
  readonly error: unknown;
  readonly onRetry?: () => void;
}

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t("This page stopped working");
  if (error.kind === "network") return t("No connection");
  if (error.kind === "not_found") return t("Not found");
  if (error.kind === "forbidden") return t("You do not have access");
  if (error.kind === "signed_out") return t("You are signed out");
  return error.kind === "bug" ? t("Something went wrong on the server") : t("The request failed");
}

export function ErrorState({ error, level = 2, onRetry }: ErrorStateProps) {
  const Heading = level === 1 ? "h1" : "h2";
  const isSignedOut = error instanceof ApiError && error.kind === "signed_out";
  const reference = error instanceof ApiError ? error.reference : null;
  return (
    <section className={styles["state"]} role="alert" lang={currentLanguage()}>
      <Heading>{titleOf(error)}</Heading>
      <div className={styles["text"]}>
        <p>{messageOf(error)}</p>
      </div>
      {reference && (
        <p className="soft">
          {t("The administrator of this server can use this reference to find the error in the log.")}
        </p>
      )}
      <div className={styles["actions"]}>
        {isSignedOut && (
          <ButtonLink variant="primary" to="/sign-in" search={{ next: window.location.pathname }}>
            {t("Sign in")}
          </ButtonLink>
        )}
        {onRetry && !isSignedOut && <Button onClick={onRetry}>{t("Try again")}</Button>}
        <ButtonLink to="/">{t("All projects")}</ButtonLink>
      </div>
    </section>
  );
}

interface ErrorNoticeProps {
  readonly error: unknown;
  /** Absent where the same would be refused again. */
  readonly onRetry?: (() => void) | undefined;
}

/** A read that failed inside a form, whose other parts stand. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  return (
    <Notice
      tone="danger"
      title={titleOf(error)}
      actions={
        onRetry && (
          <Button size="small" onClick={onRetry}>
            {t("Try again")}
          </Button>
        )
      }
    >
      <p>{messageOf(error)}</p>
    </Notice>
  );
}
