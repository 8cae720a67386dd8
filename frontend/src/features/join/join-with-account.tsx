/** Joining for somebody who is not signed in: a new account, or the one they have. */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { post } from "../../api/client";
import type { Membership } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import { Form, FormError } from "../../components/form";
import { NewPasswordField } from "../../components/new-password-field";
import { rich } from "../../lib/i18n/rich";
import { t } from "../../lib/i18n/t";

interface JoinWithAccountProps {
  readonly token: string;
  readonly onJoined: (membership: Membership) => Promise<void>;
}

export function JoinWithAccount({ token, onJoined }: JoinWithAccountProps) {
  const [account, setAccount] = useState({ name: "", username: "", password: "" });
  const joining = useMutation({
    mutationFn: () => post("/api/invitations/{token}/accept", { token }, account),
    onSuccess: onJoined,
  });
  const complaint = (field: string) =>
    joining.error instanceof ApiError ? joining.error.fieldMessage(field) : null;
  const bind = (field: keyof typeof account) => ({
    value: account[field],
    error: complaint(field),
    onChange: (event: { target: { value: string } }) =>
      setAccount({ ...account, [field]: event.target.value }),
  });
  const hasComplaint = Object.keys(account).some((field) => complaint(field) !== null);
  return (
    <>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          joining.mutate();
        }}
      >
        <TextField
          label={t("Your name")}
          hint={t("Shown to the lead only; in results you stand under a pseudonym.")}
          autoComplete="name"
          required
          autoFocus
          {...bind("name")}
        />
        <TextField
          label={t("User name")}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...bind("username")}
        />
        <NewPasswordField
          label={t("Password")}
          value={account.password}
          error={complaint("password")}
          onChange={(password) => setAccount({ ...account, password })}
        />
        {joining.isError && !hasComplaint && <FormError>{messageOf(joining.error)}</FormError>}
        <Button variant="primary" size="large" type="submit" busy={joining.isPending}>
          {t("Make an account and join")}
        </Button>
      </Form>
      <p>
        {rich("You have an account already? {link} and come back here.", {
          link: (
            <Link to="/sign-in" search={{ next: `/join/${token}` }}>
              {t("Sign in")}
            </Link>
          ),
        })}
      </p>
    </>
  );
}
