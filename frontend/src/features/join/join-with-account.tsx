/** Joining for somebody who is not signed in: a new account, or the one they have. */
import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { acceptInvitation } from "../../api/accounts/accept-invitation";
import type { Membership } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import { Form, FormError } from "../../components/form";
import { NewPasswordField } from "../../components/new-password-field";

interface JoinWithAccountProps {
  readonly token: string;
  readonly onJoined: (membership: Membership) => Promise<void>;
}

export function JoinWithAccount({ token, onJoined }: JoinWithAccountProps) {
  const [account, setAccount] = useState({ name: "", username: "", password: "" });
  const joining = useMutation({ mutationFn: () => acceptInvitation(token, account), onSuccess: onJoined });
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
          label="Your name"
          hint="Shown to the lead only; in results you stand under a pseudonym."
          autoComplete="name"
          required
          autoFocus
          {...bind("name")}
        />
        <TextField
          label="User name"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...bind("username")}
        />
        <NewPasswordField
          label="Password"
          value={account.password}
          error={complaint("password")}
          onChange={(password) => setAccount({ ...account, password })}
        />
        {joining.isError && !hasComplaint && <FormError>{messageOf(joining.error)}</FormError>}
        <Button variant="primary" size="large" type="submit" busy={joining.isPending}>
          Make an account and join
        </Button>
      </Form>
      <p>
        You have an account already?{" "}
        <Link to="/sign-in" search={{ next: `/join/${token}` }}>
          Sign in
        </Link>{" "}
        and come back here.
      </p>
    </>
  );
}
