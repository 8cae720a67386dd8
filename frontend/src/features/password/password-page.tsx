/** Where the link leads that somebody who forgot the password was given. */
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { post, read } from "../../api/client";
import { fieldMessage } from "../../api/error";
import { ButtonLink } from "../../components/button";
import { DeadLink, isDeadLink } from "../../components/dead-link";
import { Form, NewPasswordField, Submit } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";

export function PasswordPage() {
  const { token = "" } = useParams({ strict: false });
  useTitle(t("New password"));
  const link = useQuery({ ...read("/api/password-links/{token}", { token }), retry: false });
  if (isDeadLink(link.error))
    return (
      <Page width="narrow">
        <DeadLink error={link.error} action={<ButtonLink to="/sign-in">{t("Sign in")}</ButtonLink>} />
      </Page>
    );
  return (
    <Page width="narrow">
      <QueryView query={link} level={1}>
        {({ username }) => (
          <>
            <PageHeader
              title={t("New password")}
              lead={t("Choose a new password for {username}. This link works only once.", { username })}
            />
            <NewPasswordForm token={token} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

function NewPasswordForm({ token }: { readonly token: string }) {
  const navigate = useNavigate();
  const [password, setPassword] = useState("");
  const setting = useWrite(() => post("/api/password-links/{token}", { token }, { password }), {
    note: t("Password set. Sign in with your new password."),
    onDone: () => navigate({ to: "/sign-in", replace: true }),
  });
  const complaint = fieldMessage(setting.error, "password");
  return (
    <Form onSubmit={() => setting.mutate()}>
      <NewPasswordField value={password} error={complaint} onChange={setPassword} />
      <Submit write={setting} isSaid={complaint !== null} variant="primary" size="large">
        {t("Set password")}
      </Submit>
    </Form>
  );
}
