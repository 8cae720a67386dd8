/** What happened at one's own account, newest first: who signed in, from where, and what changed who can. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { AccountEventEntry } from "../../api/schema";
import { Pagination } from "../../components/pagination";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { t } from "../../lib/i18n/t";
import { formatCount } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { deviceOf } from "./devices";

const CURSOR = "sign-ins";

export function SignInsSection() {
  const cursor = useSearchState().read(CURSOR);
  const query = useQuery({
    ...read("/api/account/sign-ins", {}, { cursor }),
    placeholderData: keepPreviousData,
  });
  return (
    <QueryView query={query}>
      {(found) => (
        <>
          <p>
            {t(
              "If you do not recognize a sign-in, change your password. Entries are deleted after {days} days.",
              {
                days: formatCount(found.days),
              },
            )}
          </p>
          {found.count > 0 && (
            <Table
              folds
              keepsOrder
              caption={t("Recent sign-ins")}
              columns={columns()}
              rows={found.events}
              rowKey={({ id }) => String(id)}
            />
          )}
          <Pagination label={t("Pages of sign-ins")} of={found} shown={found.events.length} at={CURSOR} />
        </>
      )}
    </QueryView>
  );
}

const WHAT = {
  signed_in: "Signed in",
  sign_in_failed: "Sign-in failed",
  signed_out: "Signed out",
  wrong_password: "Current password entered incorrectly",
  wrong_code: "Password correct, two-factor code incorrect",
  password_changed: "Password changed",
  password_reset: "Password set by link",
  token_created: "API token created",
  token_revoked: "API token revoked",
  two_factor_on: "Two-factor authentication turned on",
  two_factor_off: "Two-factor authentication turned off",
  codes_renewed: "Recovery codes replaced",
  sso_signed_in: "Signed in with single sign-on",
  sso_failed: "Single sign-on refused: the account is inactive",
  sso_wrong_code: "Single sign-on succeeded, two-factor code incorrect",
  sso_connected: "Single sign-on connected",
  sso_disconnected: "Single sign-on disconnected",
  sso_ended: "Single sign-on disconnected because the password changed",
  sso_refused: "Single sign-on refused: disconnected",
  reset_requested: "Password link requested (sent by email)",
  email_confirmed: "Email address confirmed",
  email_removed: "Email address removed",
  account_closed: "Account closed",
} as const satisfies Record<AccountEventEntry["kind"], string>;

function columns(): Column<AccountEventEntry>[] {
  return [
    { key: "what", header: t("Event"), isRowHeader: true, cell: ({ kind }) => t(WHAT[kind]) },
    { key: "time", header: t("Time"), cell: ({ at }) => <RelativeTime at={at} /> },
    { key: "device", header: t("Device"), cell: (event) => <Device event={event} /> },
    { key: "address", header: t("Address"), cell: ({ client }) => <span className="number">{client}</span> },
  ];
}

function Device({ event: { client, user_agent: agent } }: { readonly event: AccountEventEntry }) {
  if (client === "" && agent === "") return t("Administrator");
  const device = deviceOf(agent);
  if (device === null) return <span dir="auto">{agent}</span>;
  return t("{browser} on {system}", device);
}
