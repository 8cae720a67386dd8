/** The page of a link that came by email or from somebody, once it opens nothing any more. */
import type { ReactNode } from "react";
import { ApiError, messageOf } from "../api/error";
import { t } from "../lib/i18n/t";
import { EmptyState } from "./query-view";

export function isDeadLink(error: unknown): boolean {
  return error instanceof ApiError && error.kind === "not_found";
}

interface DeadLinkProps {
  readonly error: unknown;
  /** Where another is to be had. */
  readonly action: ReactNode;
}

export function DeadLink({ error, action }: DeadLinkProps) {
  return (
    <EmptyState level={1} title={t("This link no longer works")} action={action}>
      <p>{messageOf(error)}</p>
    </EmptyState>
  );
}
