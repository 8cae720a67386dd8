/** One's own API tokens: those there are, a new one, and the end of each. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { ApiToken, CreatedApiToken, TokenScopeEnum } from "../../api/schema";
import { Button } from "../../components/button";
import { ConfirmDialog, FormDialog } from "../../components/dialog";
import { Choice, fieldsOf, optionsOf, TextField } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { SecretDialog } from "../../components/secret-dialog";
import { type Column, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";
import { exactTime } from "../../lib/time";

const STALE = [keyOf("/api/account/tokens"), keyOf("/api/account/sign-ins")];

export function TokensPage() {
  useTitle(t("API tokens"));
  const tokens = useQuery(read("/api/account/tokens"));
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiToken | null>(null);
  const [revoking, setRevoking] = useState<ApiToken | null>(null);
  return (
    <Page>
      <PageHeader
        title={t("API tokens")}
        lead={t("With an API token, a program can use Assay on your behalf.")}
        actions={
          <Button variant="primary" onClick={() => setCreating(true)}>
            {t("Create API token")}
          </Button>
        }
      />
      <QueryView query={tokens}>{(list) => <TokenList tokens={list} revoke={setRevoking} />}</QueryView>
      {creating && (
        <CreateDialog
          onCreated={(token) => {
            setCreating(false);
            setCreated(token);
          }}
          onClose={() => setCreating(false)}
        />
      )}
      {created && (
        <SecretDialog
          title={t("Copy your API token")}
          about={t("Copy the token now. Assay will not show it again.")}
          label={t("API token")}
          name={t("token")}
          secret={created.text}
          onClose={() => setCreated(null)}
        />
      )}
      {revoking && (
        <ConfirmDialog
          title={t("Revoke {name}?", { name: revoking.name })}
          confirm={t("Revoke")}
          onConfirm={() => del("/api/account/tokens/{token_id}", { token_id: revoking.id })}
          stale={STALE}
          note={t("API token revoked.")}
          onClose={() => setRevoking(null)}
        >
          <p>{t("Programs that use this token will lose access immediately. You cannot undo this.")}</p>
        </ConfirmDialog>
      )}
    </Page>
  );
}

const SCOPES = {
  read: "Read",
  run: "Read data, and start judges and exports",
  write: "Read and write",
  manage: "Everything, including people, connections, and deletion",
} as const satisfies Record<TokenScopeEnum, string>;

function TokenList({ tokens, revoke }: { readonly tokens: readonly ApiToken[]; readonly revoke: Revoke }) {
  if (tokens.length === 0) return <p>{t("You have no API tokens.")}</p>;
  return (
    <Table
      folds
      caption={t("Your API tokens")}
      columns={columnsFor(revoke, new Date())}
      rows={tokens}
      rowKey={(token) => token.id}
    />
  );
}

type Revoke = (token: ApiToken) => void;

function hasEnded(token: ApiToken, now: Date): boolean {
  return token.revoked_at !== null || new Date(token.expires_at) <= now;
}

function columnsFor(revoke: Revoke, now: Date): Column<ApiToken>[] {
  return [
    { key: "name", header: t("Name"), cell: (token) => <span dir="auto">{token.name}</span> },
    {
      key: "project",
      header: t("Project"),
      cell: (token) => <span dir="auto">{token.project_name ?? t("All your projects")}</span>,
    },
    { key: "scope", header: t("Access"), cell: (token) => t(SCOPES[token.scope]) },
    { key: "used", header: t("Last used"), cell: (token) => lastUse(token) },
    { key: "end", header: t("Status"), cell: (token) => <State token={token} now={now} /> },
    {
      key: "revoke",
      header: t("Actions"),
      align: "end",
      cell: (token) =>
        !hasEnded(token, now) && (
          <Button
            size="small"
            aria-label={t("Revoke {name}", { name: token.name })}
            onClick={() => revoke(token)}
          >
            {t("Revoke")}
          </Button>
        ),
    },
  ];
}

function lastUse({ last_used_at: at }: ApiToken) {
  return at === null ? t("Never") : <RelativeTime at={at} />;
}

function State({ token, now }: { readonly token: ApiToken; readonly now: Date }) {
  if (token.revoked_at !== null) return t("Revoked");
  if (hasEnded(token, now)) return t("Expired");
  return t("Active until {date}", { date: exactTime(new Date(token.expires_at)) });
}

const DAYS = [30, 90, 180, 365];
const EMPTY = { name: "", project: "", password: "" };

interface CreateDialogProps {
  readonly onCreated: (created: CreatedApiToken) => void;
  readonly onClose: () => void;
}

function CreateDialog({ onCreated, onClose }: CreateDialogProps) {
  const projects = useQuery(read("/api/projects"));
  const [draft, setDraft] = useState(EMPTY);
  const [scope, setScope] = useState<TokenScopeEnum>("read");
  const [days, setDays] = useState("90");
  // Viewers change nothing, by no token either.
  const isViewer = projects.data?.find(({ slug }) => slug === draft.project)?.role === "viewer";
  const access = isViewer ? "read" : scope;
  const create = useWrite(
    () =>
      post(
        "/api/account/tokens",
        {},
        { ...draft, name: draft.name.trim(), scope: access, days: Number(days) },
      ),
    { stale: STALE, onDone: onCreated },
  );
  const field = fieldsOf(draft, (part) => setDraft({ ...draft, ...part }));
  return (
    <FormDialog
      title={t("Create API token")}
      action={t("Create token")}
      cancel={t("Cancel")}
      write={create}
      isReady={draft.name.trim() !== "" && draft.password !== ""}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t("Name")}
        hint={t("Describe what the token is for, such as “nightly import.”")}
        maxLength={100}
        autoFocus
        {...field("name")}
      />
      <Choice
        label={t("Project")}
        empty={t("All your projects")}
        options={projects.data?.map(({ slug, name }) => ({ value: slug, name }))}
        {...field("project")}
      />
      <Choice
        label={t("Access")}
        hint={t("A token never grants more access than your role in the project does.")}
        options={optionsOf({
          read: t(SCOPES.read),
          run: t(SCOPES.run),
          write: t(SCOPES.write),
          manage: t(SCOPES.manage),
        }).filter(({ value }) => !isViewer || value === "read")}
        value={access}
        onChange={setScope}
      />
      <Choice
        label={t("Valid for")}
        options={DAYS.map((each) => ({ value: String(each), name: t("{days} days", { days: each }) }))}
        value={days}
        onChange={setDays}
      />
      <TextField
        label={t("Current password")}
        type="password"
        autoComplete="current-password"
        {...field("password")}
      />
    </FormDialog>
  );
}
