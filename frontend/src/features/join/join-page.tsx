/** Where an invitation link leads: what it offers, and joining with or without an account. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { post, read } from "../../api/client";
import type { InvitationByToken, Joined, RoleEnum, Session, User } from "../../api/schema";
import { ApiError, fieldMessage, messageOf } from "../../api/error";
import { sessionQuery } from "../../api/session";
import { Button, ButtonLink } from "../../components/button";
import { fieldsOf, Form, FormError, NewPasswordField, Submit, TextField } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { EmptyState, QueryView } from "../../components/query-view";
import { useWrite } from "../../components/use-write";
import { SsoButton, SsoFailure } from "../../domain/single-sign-on";
import { rich } from "../../lib/i18n/rich";
import { t } from "../../lib/i18n/t";
import { useSearchState } from "../../lib/search-state";

export function JoinPage() {
  const { token = "" } = useParams({ strict: false });
  const invitation = useQuery({ ...read("/api/invitations/{token}", { token }), retry: false });
  const session = useQuery(sessionQuery);
  useTitle(t("Join"), invitation.data?.project_name);
  const { error } = invitation;
  if (error instanceof ApiError && error.kind === "not_found") return <Unusable words={messageOf(error)} />;
  return (
    <Page width="narrow">
      <QueryView query={invitation} level={1}>
        {(offer) => (
          <QueryView query={session}>
            {(current) => <Offer token={token} offer={offer} session={current} />}
          </QueryView>
        )}
      </QueryView>
    </Page>
  );
}

/** Why a link opens nothing is told to nobody who holds it. */
function Unusable({ words }: { readonly words: string }) {
  return (
    <Page width="narrow">
      <EmptyState
        level={1}
        title={t("You cannot use this invitation")}
        action={<ButtonLink to="/">{t("Your projects")}</ButtonLink>}
      >
        <p>{words}</p>
      </EmptyState>
    </Page>
  );
}

interface OfferProps {
  readonly token: string;
  readonly offer: InvitationByToken;
  readonly session: Session;
}

function Offer({ token, offer, session }: OfferProps) {
  const search = useSearchState();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const enter = async (membership: Joined) => {
    queryClient.clear();
    await queryClient.fetchQuery(sessionQuery);
    await navigate({ to: `/${membership.project_slug}` as "/", replace: true });
  };
  return (
    <>
      <PageHeader title={t("Join {project}", { project: offer.project_name })} lead={roleWords(offer.role)} />
      <SsoFailure code={search.read("failed")} />
      {session.user ? (
        <JoinAsMember token={token} user={session.user} onJoined={enter} />
      ) : (
        <JoinWithAccount token={token} onJoined={enter} />
      )}
    </>
  );
}

interface JoinAsMemberProps {
  readonly token: string;
  readonly user: User;
  readonly onJoined: (membership: Joined) => Promise<void>;
}

function JoinAsMember({ token, user, onJoined }: JoinAsMemberProps) {
  const joining = useWrite(() => post("/api/invitations/{token}/accept", { token }, {}), {
    onDone: onJoined,
  });
  return (
    <Form onSubmit={() => joining.mutate()}>
      <p>{rich("You are signed in as {name}.", { name: <strong>{user.name || user.username}</strong> })}</p>
      <Submit write={joining} variant="primary" size="large">
        {t("Join")}
      </Submit>
    </Form>
  );
}

interface JoinWithAccountProps {
  readonly token: string;
  readonly onJoined: (membership: Joined) => Promise<void>;
}

function JoinWithAccount({ token, onJoined }: JoinWithAccountProps) {
  const [account, setAccount] = useState({ name: "", username: "", password: "" });
  const joining = useWrite(() => post("/api/invitations/{token}/accept", { token }, account), {
    onDone: onJoined,
  });
  const complaint = (field: string) => fieldMessage(joining.error, field);
  const field = fieldsOf(account, (part) => setAccount({ ...account, ...part }), complaint);
  const hasComplaint = Object.keys(account).some((field) => complaint(field) !== null);
  return (
    <>
      <Form onSubmit={() => joining.mutate()}>
        <TextField
          label={t("Your name")}
          hint={t("Only leads see this name. Results show your pseudonym instead.")}
          autoComplete="name"
          required
          autoFocus
          {...field("name")}
        />
        <TextField
          label={t("Username")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...field("username")}
        />
        <NewPasswordField label={t("Password")} {...field("password")} />
        {joining.isError && !hasComplaint && <FormError>{messageOf(joining.error)}</FormError>}
        <Button variant="primary" size="large" type="submit" busy={joining.isPending}>
          {t("Create account and join")}
        </Button>
      </Form>
      <p>
        {rich("Already have an account? {link}, then open the invitation again.", {
          link: (
            <Link to="/sign-in" search={{ next: `/join/${token}` }}>
              {t("Sign in")}
            </Link>
          ),
        })}
      </p>
      <SsoButton to={{ invitation: token }} />
    </>
  );
}

const WORDS = {
  annotator:
    "You are invited to judge answers, question by question, at your own pace. You can stop at any time.",
  adjudicator: "You are invited to decide answers that annotators disagree on.",
  lead: "You are invited to lead this project with others.",
  viewer: "You are invited to read the results and data of this project. You cannot change anything.",
} as const satisfies Readonly<Record<RoleEnum, string>>;

function roleWords(role: RoleEnum): string {
  return t(WORDS[role]);
}
