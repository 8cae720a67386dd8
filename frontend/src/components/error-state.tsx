/** An error says what happened, what was kept and what to do. */
import { ApiError, messageOf } from "../api/error";
import { rich } from "../lib/i18n/rich";
import { currentLanguage } from "../lib/i18n/catalog";
import { t } from "../lib/i18n/t";
import { Button, ButtonLink } from "./button";
import styles from "./state.module.css";

interface ErrorStateProps {
  /** 1 where it stands for the whole page. */
  readonly level?: 1 | 2;
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** What was kept, where something was at stake. */
  readonly kept?: string;
}

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return t("This page broke");
  if (error.kind === "network") return t("No connection");
  if (error.kind === "not_found") return t("Nothing is here");
  if (error.kind === "forbidden") return t("This is not open to you");
  if (error.kind === "signed_out") return t("You are signed out");
  return error.kind === "bug" ? t("Assay made a mistake") : t("That did not work");
}

export function ErrorState({ error, level = 2, onRetry, kept }: ErrorStateProps) {
  const Heading = level === 1 ? "h1" : "h2";
  const isSignedOut = error instanceof ApiError && error.kind === "signed_out";
  const reference = error instanceof ApiError ? error.reference : null;
  return (
    <section className={styles["state"]} role="alert" lang={currentLanguage()}>
      <Heading>{titleOf(error)}</Heading>
      <div className={styles["text"]}>
        <p>{messageOf(error)}</p>
        {kept && <p>{kept}</p>}
      </div>
      {reference && (
        <p className={styles["reference"]}>
          {rich("Reference {reference}: whoever runs this installation finds it in the log.", {
            reference: <code>{reference}</code>,
          })}
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
