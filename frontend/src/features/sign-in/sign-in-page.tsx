/** Where people who have an account come in: the password or single sign-on, then a code where one is asked for. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/client";
import { ApiError } from "../../api/error";
import type { Session, SignInRequest } from "../../api/schema";
import { forgetAllButSession, sessionQuery } from "../../api/session";
import { Button } from "../../components/button";
import { Form, type Sending, Submit, TextField } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { useWrite } from "../../components/use-write";
import { SsoButton, SsoFailure } from "../../domain/single-sign-on";
import { localPath } from "../../lib/addresses";
import { t } from "../../lib/i18n/t";

type Credentials = Pick<SignInRequest, "username" | "password">;

export function SignInPage() {
  useTitle(t("Sign in"));
  const { step } = useSearch({ strict: false });
  return step === "code" ? <AfterProvider /> : <ByPassword />;
}

/** The provider has said who it is, and the account asks for a code. */
function AfterProvider() {
  const enter = useEntering();
  const navigate = useNavigate();
  const { next } = useSearch({ strict: false });
  const queryClient = useQueryClient();
  const proving = useWrite(
    async (code: string) => {
      await queryClient.ensureQueryData(sessionQuery);
      return post("/api/sso/code", {}, { code });
    },
    { onDone: enter },
  );
  const back = () => void navigate({ to: "/sign-in", search: { next: localPath(next) } });
  return <CodeStep write={proving} onSubmit={proving.mutate} onBack={back} />;
}

function ByPassword() {
  const enter = useEntering();
  const queryClient = useQueryClient();
  // Known to be right, of an account that asks for a code, too.
  const [proved, setProved] = useState<Credentials | null>(null);
  const send = async (credentials: SignInRequest) => {
    // Its reply brings the token that signing in must show: whoever is quick is there before it.
    await queryClient.ensureQueryData(sessionQuery);
    return post("/api/session", {}, credentials);
  };
  const entering = useWrite(
    async (credentials: Credentials) => {
      try {
        return await send(credentials);
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== "code_needed") throw error;
        setProved(credentials);
        return null;
      }
    },
    { onDone: (session) => session && enter(session) },
  );
  const proving = useWrite(send, { onDone: enter });
  if (proved === null) return <PasswordStep write={entering} onSubmit={entering.mutate} />;
  const back = () => {
    setProved(null);
    proving.reset();
  };
  return <CodeStep write={proving} onSubmit={(code) => proving.mutate({ ...proved, code })} onBack={back} />;
}

/** What follows signing in: the page that was asked for. */
function useEntering() {
  const { next } = useSearch({ strict: false });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (session: Session) => {
    // A read of the session that is under way knows nobody yet.
    await queryClient.cancelQueries({ queryKey: sessionQuery.queryKey });
    forgetAllButSession(queryClient);
    queryClient.setQueryData(sessionQuery.queryKey, session);
    await navigate({ to: localPath(next) as "/", replace: true });
  };
}

interface PasswordStepProps {
  readonly write: Sending;
  readonly onSubmit: (credentials: Credentials) => void;
}

function PasswordStep({ write, onSubmit }: PasswordStepProps) {
  const { next, failed } = useSearch({ strict: false });
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  return (
    <Page width="narrow">
      <PageHeader
        title={t("Sign in")}
        lead={t("Judge answers, follow your projects, and compare judges with people.")}
      />
      <SsoFailure code={failed} />
      <Form onSubmit={() => onSubmit({ username: username.trim(), password })}>
        <TextField
          label={t("Username")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          autoFocus
          value={username}
          onChange={setUsername}
        />
        <TextField
          label={t("Password")}
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <Submit write={write} variant="primary" size="large">
          {t("Sign in")}
        </Submit>
      </Form>
      <SsoButton to={{ next: localPath(next) }} />
      <p>{t("New here? Open your invitation link.")}</p>
      <Forgotten />
    </Page>
  );
}

/** By email, where the server sends any. */
function Forgotten() {
  const session = useQuery(sessionQuery);
  if (session.data?.sends_mail)
    return (
      <p>
        <Link to="/password">{t("Forgot your password?")}</Link>
      </p>
    );
  return (
    <p>{t("Forgot your password? Ask the administrator of this server for a link to set a new one.")}</p>
  );
}

interface CodeStepProps {
  readonly write: Sending;
  readonly onSubmit: (code: string) => void;
  readonly onBack: () => void;
}

function CodeStep({ write, onSubmit, onBack }: CodeStepProps) {
  const [code, setCode] = useState("");
  return (
    <Page width="narrow">
      <PageHeader title={t("Enter your code")} lead={t("Your account uses two-factor authentication.")} />
      <Form onSubmit={() => onSubmit(code)}>
        <TextField
          label={t("Authentication code")}
          hint={t("The 6-digit code from your authenticator app, or a recovery code.")}
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={40}
          required
          autoFocus
          value={code}
          onChange={setCode}
        />
        <Submit write={write} variant="primary" size="large">
          {t("Sign in")}
        </Submit>
      </Form>
      <p>
        <Button variant="quiet" onClick={onBack}>
          {t("Back")}
        </Button>
      </p>
      <p>
        {t(
          "Lost the app and the recovery codes? Ask the administrator of this server to reset two-factor authentication.",
        )}
      </p>
    </Page>
  );
}
