/** Links that were made: for whom, how long they hold, and taking one back. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { del, keyOf } from "../../api/client";
import type { SentInvitation } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { RelativeTime } from "../../components/relative-time";
import { useToast } from "../../components/toast";
import { exactTime } from "../../lib/time";
import styles from "./people.module.css";
import { ROLES } from "./roles";

const ENDED_WORDS = {
  used: "Joined",
  revoked: "Revoked",
  expired: "Expired",
  ended: "Ended: whoever made it may not invite now",
} as const satisfies Readonly<Record<Exclude<SentInvitation["unusable_reason"], "">, string>>;

interface InvitationListProps {
  readonly slug: string;
  readonly invitations: readonly SentInvitation[];
}

export function InvitationList({ slug, invitations }: InvitationListProps) {
  if (invitations.length === 0) {
    return (
      <p className={styles["soft"]}>
        Links you make will be listed here. Each lets one person join, with or without an account.
      </p>
    );
  }
  return (
    <ul className={styles["list"]}>
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.public_id} slug={slug} invitation={invitation} />
      ))}
    </ul>
  );
}

function InvitationRow({ slug, invitation }: { readonly slug: string; readonly invitation: SentInvitation }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const revocation = useMutation({
    mutationFn: () =>
      del("/api/projects/{slug}/invitations/{invitation_id}", { slug, invitation_id: invitation.public_id }),
    onSuccess: () => toast({ text: "The link no longer works." }),
    onError: (error) => toast({ text: messageOf(error), tone: "error" }),
    onSettled: () =>
      queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/invitations", { slug }) }),
  });
  const role = ROLES.find(({ value }) => value === invitation.role)?.name ?? invitation.role;
  const reason = invitation.unusable_reason;
  return (
    <li className={styles["invitation"]}>
      <span className={styles["name"]}>
        <span dir="auto">{invitation.label || "For anyone with the link"}</span>
        <span className={styles["soft"]}>
          {role} · {invitation.group && <span dir="auto">{invitation.group} · </span>}
          {reason === "" ? (
            `holds until ${exactTime(new Date(invitation.expires_at))}`
          ) : (
            <>
              made <RelativeTime at={invitation.created_at} />
            </>
          )}
        </span>
      </span>
      {reason !== "" && <Badge tone={reason === "used" ? "success" : "neutral"}>{ENDED_WORDS[reason]}</Badge>}
      {(reason === "" || reason === "ended") && (
        <Button size="small" busy={revocation.isPending} onClick={() => revocation.mutate()}>
          Revoke link
        </Button>
      )}
    </li>
  );
}
