/** A new link in place of one that was lost: shown only once, too, and copied at once. */
import { del, keyOf, post } from "../../api/client";
import { messageOf } from "../../api/error";
import type { Invitation } from "../../api/schema";
import { Button, CopyButton, copyText } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { useWrite } from "../../components/use-write";
import { messageWith, type SentLink, useInvited } from "./invitation-message";
import styles from "./people.module.css";

interface NewLinkButtonProps {
  readonly slug: string;
  readonly invitation: Invitation;
  /** Opens the dialog, which outlives the row of the old link. */
  readonly onMade: (replaced: Replaced) => void;
}

export interface Replaced extends SentLink {
  readonly role: Invitation["role"];
  readonly isCopied: boolean;
  /** Why the old link still works; null: it does not. */
  readonly error: Error | null;
}

const DAYS = 14;

/** Makes the new link before the old one ends, so that nobody is without one. */
async function replace(slug: string, { public_id, role, label, group }: Invitation): Promise<Replaced> {
  const body = { role, label, group, expires_in_days: DAYS };
  const made = await post("/api/projects/{slug}/invitations", { slug }, body);
  const link = `${window.location.origin}${made.url_path}`;
  const sent = { link, label, expiresAt: made.expires_at, role, isCopied: await copyText(link) };
  try {
    await del("/api/projects/{slug}/invitations/{invitation_id}", { slug, invitation_id: public_id });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ...sent, error };
  }
  return { ...sent, error: null };
}

export function NewLinkButton({ slug, invitation, onMade }: NewLinkButtonProps) {
  const replacement = useWrite(
    async () => {
      const replaced = await replace(slug, invitation);
      onMade(replaced);
    },
    { refusal: "note", stale: [keyOf("/api/projects/{slug}/invitations", { slug })] },
  );
  return (
    <Button
      size="small"
      aria-label={`New link for ${invitation.label || "anyone"}`}
      busy={replacement.isPending}
      onClick={() => replacement.mutate()}
    >
      New link
    </Button>
  );
}

interface NewLinkDialogProps {
  readonly replaced: Replaced;
  readonly onClose: () => void;
}

export function NewLinkDialog({ replaced, onClose }: NewLinkDialogProps) {
  const { link, role, isCopied, error } = replaced;
  const invited = useInvited(role);
  return (
    <Dialog
      title={isCopied ? "New link copied" : "Your new link is ready"}
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {error ? (
        <Notice tone="warning" title="The old link still works. Revoke it in the list.">
          <p>{messageOf(error)}</p>
        </Notice>
      ) : (
        <p>{`The old link no longer works. This one is valid for ${DAYS} days and will not be shown again.`}</p>
      )}
      <div className={styles["link"]}>
        <TextField label="Link" readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton text={link} name="link" size="medium" />
        <CopyButton text={messageWith(invited, replaced)} name="message" size="medium" />
      </div>
    </Dialog>
  );
}
