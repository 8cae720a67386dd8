/** Where somebody who forgot the password asks for a link by email. */
import { Link } from "@tanstack/react-router";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post } from "../../api/client";
import { sessionQuery } from "../../api/session";
import { Form, Submit, TextField } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";

export function PasswordRequestPage() {
  useTitle(t("Forgot your password?"));
  const [account, setAccount] = useState("");
  const queryClient = useQueryClient();
  const request = useWrite(async () => {
    // Its reply brings the token that the request must show: whoever is quick is there before it.
    await queryClient.ensureQueryData(sessionQuery);
    return post("/api/password-requests", {}, { account: account.trim() });
  });
  if (request.isSuccess)
    return (
      <Page width="narrow">
        <PageHeader title={t("Check your email")} />
        <p role="status">
          {t(
            "If what you entered matches an account with a confirmed email address, a link to set a new password is on its way. The link expires after one hour and works only once.",
          )}
        </p>
        <p>{t("No email? Look in the spam folder, or ask the administrator of this server for a link.")}</p>
        <p>
          <Link to="/sign-in">{t("Back to sign-in")}</Link>
        </p>
      </Page>
    );
  return (
    <Page width="narrow">
      <PageHeader
        title={t("Forgot your password?")}
        lead={t("If your account has a confirmed email address, you will get a link to set a new password.")}
      />
      <Form onSubmit={() => request.mutate()}>
        <TextField
          label={t("Username or email address")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          required
          autoFocus
          value={account}
          onChange={setAccount}
        />
        <Submit write={request} disabled={account.trim() === ""} variant="primary" size="large">
          {t("Send link")}
        </Submit>
      </Form>
      <p>
        <Link to="/sign-in">{t("Back to sign-in")}</Link>
      </p>
    </Page>
  );
}
