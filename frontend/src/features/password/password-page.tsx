/** Where the link leads that somebody who forgot the password was given. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { post, read } from "../../api/client";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Form, FormError, NewPasswordField } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { useToast } from "../../components/toast";
import { t } from "../../lib/i18n/t";

export function PasswordPage() {
  const { token = "" } = useParams({ strict: false });
  useTitle(t("New password"));
  const link = useQuery({ ...read("/api/password-links/{token}", { token }), retry: false });
  return (
    <Page width="narrow">
      <QueryView query={link} level={1}>
        {({ username }) => (
          <>
            <PageHeader
              title={t("New password")}
              lead={t("For {username}. The link works once.", { username })}
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
  const toast = useToast();
  const [password, setPassword] = useState("");
  const setting = useMutation({
    mutationFn: () => post("/api/password-links/{token}", { token }, { password }),
    onSuccess: async () => {
      toast({ text: t("Your password is set. Sign in with it.") });
      await navigate({ to: "/sign-in", replace: true });
    },
  });
  const complaint = setting.error instanceof ApiError ? setting.error.fieldMessage("password") : null;
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        setting.mutate();
      }}
    >
      <NewPasswordField value={password} error={complaint} onChange={setPassword} />
      {setting.isError && complaint === null && <FormError>{messageOf(setting.error)}</FormError>}
      <Button variant="primary" size="large" type="submit" busy={setting.isPending}>
        {t("Set the password")}
      </Button>
    </Form>
  );
}
