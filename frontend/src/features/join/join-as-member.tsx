/** Joining for somebody who is signed in. */
import { useMutation } from "@tanstack/react-query";
import { post } from "../../api/client";
import type { Membership, User } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Form, FormError } from "../../components/form";
import { rich } from "../../lib/i18n/rich";
import { t } from "../../lib/i18n/t";

interface JoinAsMemberProps {
  readonly token: string;
  readonly user: User;
  readonly onJoined: (membership: Membership) => Promise<void>;
}

export function JoinAsMember({ token, user, onJoined }: JoinAsMemberProps) {
  const joining = useMutation({
    mutationFn: () => post("/api/invitations/{token}/accept", { token }, {}),
    onSuccess: onJoined,
  });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        joining.mutate();
      }}
    >
      <p>{rich("You are signed in as {name}.", { name: <strong>{user.name || user.username}</strong> })}</p>
      {joining.isError && <FormError>{messageOf(joining.error)}</FormError>}
      <Button variant="primary" size="large" type="submit" busy={joining.isPending}>
        {t("Join")}
      </Button>
    </Form>
  );
}
