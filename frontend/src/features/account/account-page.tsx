/** One's own account: name, language, password, projects to leave, and the end of it. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { keyOf, patch, post, read } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { ProjectListItem, User } from "../../api/schema";
import { forgetAllButSession, sessionQuery } from "../../api/session";
import { Button } from "../../components/button";
import { ConfirmDialog, FormDialog } from "../../components/dialog";
import {
  Checkbox,
  Fields,
  fieldsOf,
  Form,
  NewPasswordField,
  Refusal,
  Select,
  Submit,
  TextField,
} from "../../components/form";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { useToast } from "../../components/toast";
import { useWrite } from "../../components/use-write";
import { ROLE_WORDS } from "../../domain/roles";
import { type Language, LANGUAGES } from "../../lib/i18n/languages";
import { rich } from "../../lib/i18n/rich";
import { t } from "../../lib/i18n/t";
import { exactTime } from "../../lib/time";
import { EmailSection } from "./email-section";
import { OrganizationsSection } from "./organizations-section";
import { SignInsSection } from "./sign-ins-section";
import { SsoOutcome, SsoSection, useConnection } from "./sso-section";
import { TwoFactorSection } from "./two-factor-section";

export function AccountPage() {
  useTitle(t("Your account"));
  const session = useQuery(sessionQuery);
  const projects = useQuery(read("/api/projects"));
  return (
    <Page width="reading">
      <QueryView query={session}>
        {({ user }) =>
          user && (
            <>
              <PageHeader
                title={t("Your account")}
                lead={t("Your username is {username}.", { username: user.username })}
              />
              <SsoOutcome />
              <Section title={t("Name")}>
                <NameForm user={user} />
              </Section>
              <Section title={t("Language")}>
                <LanguageForm user={user} />
              </Section>
            </>
          )
        }
      </QueryView>
      <Section title={t("Password")}>
        <PasswordSection />
      </Section>
      <SsoSection />
      {session.data?.sends_mail && (
        <Section title={t("Email")}>
          <EmailSection />
        </Section>
      )}
      <Section title={t("Two-factor authentication")}>
        <TwoFactorSection />
      </Section>
      <Section title={t("Recent sign-ins")}>
        <SignInsSection />
      </Section>
      <Section title={t("Projects")}>
        <QueryView query={projects}>{(list) => <MembershipList projects={list} />}</QueryView>
      </Section>
      <OrganizationsSection />
      <Section title={t("API tokens")}>
        <p>{t("With an API token, a program can use Assay on your behalf.")}</p>
        <p>
          <Link to="/account/tokens">{t("Manage API tokens")}</Link>
        </p>
      </Section>
      <Section title={t("Close account")}>
        <ClosingSection />
      </Section>
    </Page>
  );
}

function NameForm({ user }: { readonly user: User }) {
  const [name, setName] = useState(user.name);
  const change = useWrite(() => patch("/api/account", {}, { name: name.trim() }), {
    note: t("Name changed."),
    stale: [sessionQuery.queryKey],
  });
  return (
    <Form onSubmit={() => change.mutate()}>
      <TextField
        label={t("Your name")}
        hint={t("Leads of your projects see this name. Results show your pseudonym instead.")}
        autoComplete="name"
        maxLength={150}
        required
        value={name}
        onChange={setName}
      />
      <Submit write={change} disabled={name.trim() === "" || name === user.name}>
        {t("Change name")}
      </Submit>
    </Form>
  );
}

const KEYS = Object.keys(LANGUAGES) as Language[];

function LanguageForm({ user }: { readonly user: User }) {
  const toast = useToast();
  const change = useWrite((language: User["language"]) => patch("/api/account", {}, { language }), {
    stale: [sessionQuery.queryKey],
    // Reading the session anew put the language in force, so the note is in it.
    onDone: () => toast({ text: t("Language changed.") }),
  });
  return (
    <Fields>
      <Select
        label={t("Page language")}
        hint={t("Questions, answers, and guidelines are not translated.")}
        value={change.isPending ? change.variables : user.language}
        onChange={(value) => change.mutate(value as User["language"])}
      >
        <option value="">{t("Same as browser")}</option>
        {KEYS.map((key) => (
          <option key={key} value={key} lang={key}>
            {LANGUAGES[key].name}
          </option>
        ))}
      </Select>
      <Refusal error={change.error} />
    </Fields>
  );
}

const EMPTY = { old: "", new: "", remove_email: false };

function PasswordSection() {
  const connection = useConnection();
  if (connection?.has_password !== false)
    return (
      <>
        {connection?.ends_with_password && (
          <p>{t("Changing your password disconnects {provider}.", connection)}</p>
        )}
        <PasswordForm />
      </>
    );
  return (
    <p>{t("Your account has no password. Ask the administrator of this server for a link to set one.")}</p>
  );
}

function PasswordForm() {
  const [passwords, setPasswords] = useState(EMPTY);
  const change = useWrite(() => post("/api/account/password", {}, passwords), {
    note: t("Password changed. You are signed out on all other devices, and your API tokens are revoked."),
    stale: [
      keyOf("/api/account/tokens"),
      keyOf("/api/account/sign-ins"),
      keyOf("/api/account/sso"),
      keyOf("/api/account/email"),
    ],
    onDone: () => setPasswords(EMPTY),
  });
  const complaint = fieldMessage(change.error, "password");
  const field = fieldsOf(passwords, (part) => setPasswords({ ...passwords, ...part }));
  return (
    <Form onSubmit={() => change.mutate()}>
      <TextField
        label={t("Current password")}
        type="password"
        autoComplete="current-password"
        required
        {...field("old")}
      />
      <NewPasswordField {...field("new")} error={complaint} />
      <AddressToRemove
        checked={passwords.remove_email}
        onChange={(isChosen) => setPasswords({ ...passwords, remove_email: isChosen })}
      />
      <Submit write={change} isSaid={complaint !== null}>
        {t("Change password")}
      </Submit>
    </Form>
  );
}

interface AddressToRemoveProps {
  readonly checked: boolean;
  readonly onChange: (isChosen: boolean) => void;
}

/** Whoever knew the former password may have entered the address, and would come back by it. */
function AddressToRemove(props: AddressToRemoveProps) {
  const email = useQuery({ ...read("/api/account/email"), retry: false }).data;
  if (!email?.is_on || email.confirmed_at === null) return null;
  const date = exactTime(new Date(email.confirmed_at));
  return (
    <>
      <p>
        {rich("When you need to set a new password, Assay sends a link to {address} (confirmed on {date}).", {
          address: <strong dir="ltr">{email.address}</strong>,
          date,
        })}
      </p>
      <Checkbox
        label={t("Remove this email address")}
        hint={t(
          "If this address is not yours, someone else could use it to reset your password and sign in to your account.",
        )}
        {...props}
      />
    </>
  );
}

function MembershipList({ projects }: { readonly projects: readonly ProjectListItem[] }) {
  const [leaving, setLeaving] = useState<ProjectListItem | null>(null);
  const queryClient = useQueryClient();
  if (projects.length === 0) return <p>{t("You are not in any projects.")}</p>;
  const leave = async (slug: string) => {
    await post("/api/projects/{slug}/leave", { slug });
    queryClient.removeQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
    await queryClient.invalidateQueries({ queryKey: read("/api/projects").queryKey });
  };
  return (
    <>
      <Table
        caption={t("Your projects")}
        columns={columnsFor(setLeaving)}
        rows={projects}
        rowKey={(project) => project.slug}
      />
      {leaving && (
        <ConfirmDialog
          title={t("Leave {project}?", { project: leaving.name })}
          confirm={t("Leave")}
          onConfirm={() => leave(leaving.slug)}
          onClose={() => setLeaving(null)}
        >
          <p>{t("You will lose access to this project. Your judgments stay under your pseudonym.")}</p>
          <p>{t("To rejoin, you need a new invitation.")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsFor(leave: (project: ProjectListItem) => void): Column<ProjectListItem>[] {
  return [
    { key: "name", header: t("Project"), cell: (project) => <span dir="auto">{project.name}</span> },
    { key: "role", header: t("Role"), cell: (project) => t(ROLE_WORDS[project.role]) },
    {
      key: "leave",
      header: t("Actions"),
      align: "end",
      cell: (project) => (
        <Button
          size="small"
          aria-label={t("Leave {project}", { project: project.name })}
          onClick={() => leave(project)}
        >
          {t("Leave")}
        </Button>
      ),
    },
  ];
}

function ClosingSection() {
  const [asking, setAsking] = useState(false);
  return (
    <>
      <p>
        {t(
          "Closing your account deletes your name, username, and password and removes you from all projects. Your judgments stay under your pseudonym. You cannot undo this.",
        )}
      </p>
      <p>
        <Button variant="danger" onClick={() => setAsking(true)}>
          {t("Close account")}
        </Button>
      </p>
      {asking && <ClosingDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function ClosingDialog({ onClose }: { readonly onClose: () => void }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const closing = useWrite(() => post("/api/account/close", {}, { password }), {
    onDone: async () => {
      forgetAllButSession(queryClient);
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      await navigate({ to: "/sign-in" });
    },
  });
  return (
    <FormDialog
      title={t("Close your account?")}
      action={t("Close permanently")}
      cancel={t("Cancel")}
      variant="danger"
      write={closing}
      isReady={password !== ""}
      onSubmit={() => closing.mutate()}
      onClose={onClose}
    >
      <p>{t("Neither you nor a lead can restore the account.")}</p>
      <TextField
        label={t("Current password")}
        type="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    </FormDialog>
  );
}
