/** Joining for somebody who is signed in. */
import { useMutation } from "@tanstack/react-query";
import { acceptInvitation } from "../../api/accounts/accept-invitation";
import type { Membership, User } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Form, FormError } from "../../components/form";

interface JoinAsMemberProps {
  readonly token: string;
  readonly user: User;
  readonly onJoined: (membership: Membership) => Promise<void>;
}

export function JoinAsMember({ token, user, onJoined }: JoinAsMemberProps) {
  const joining = useMutation({ mutationFn: () => acceptInvitation(token, {}), onSuccess: onJoined });
  return (
    <Form
      onSubmit={(event) => {
        event.preventDefault();
        joining.mutate();
      }}
    >
      <p>
        You are signed in as <strong>{user.name || user.username}</strong>.
      </p>
      {joining.isError && <FormError>{messageOf(joining.error)}</FormError>}
      <Button variant="primary" size="large" type="submit" busy={joining.isPending}>
        Join
      </Button>
    </Form>
  );
}
