/** Where people who have an account come in. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/client";
import type { SignInRequest } from "../../api/schema";
import { forgetAllButSession, sessionQuery } from "../../api/session";
import { Form, Submit, TextField } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { useWrite } from "../../components/use-write";
import { localPath } from "../../lib/addresses";
import { t } from "../../lib/i18n/t";

export function SignInPage() {
  useTitle(t("Sign in"));
  const { next } = useSearch({ strict: false });
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const entering = useWrite(
    async (credentials: SignInRequest) => {
      // Its reply brings the token that signing in must show: whoever is quick is there before it.
      await queryClient.ensureQueryData(sessionQuery);
      return post("/api/session", {}, credentials);
    },
    {
      onDone: async (session) => {
        // A read of the session that is under way knows nobody yet.
        await queryClient.cancelQueries({ queryKey: sessionQuery.queryKey });
        forgetAllButSession(queryClient);
        queryClient.setQueryData(sessionQuery.queryKey, session);
        await navigate({ to: localPath(next) as "/", replace: true });
      },
    },
  );
  const submit = () => entering.mutate({ username: username.trim(), password });
  return (
    <Page width="narrow">
      <PageHeader
        title={t("Sign in")}
        lead={t("Judge answers, follow your projects and compare judges with people.")}
      />
      <Form onSubmit={submit}>
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
        <Submit write={entering} variant="primary" size="large">
          {t("Sign in")}
        </Submit>
      </Form>
      <p>{t("New here? Open the invitation link from the lead of your project.")}</p>
      <p>{t("Forgot your password? Ask the administrator of this server for a link to set a new one.")}</p>
    </Page>
  );
}
