/** Makes a link for one person and shows it, once. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { keyOf, post } from "../../api/client";
import type { Role } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { CopyButton } from "../../components/copy-button";
import { Dialog } from "../../components/dialog";
import { Select, TextField } from "../../components/field";
import { Notice } from "../../components/notice";
import styles from "./people.module.css";
import { ROLES } from "./roles";
import { groupOptions, useGroups } from "./use-groups";

interface InviteDialogProps {
  readonly slug: string;
  readonly onClose: () => void;
}

const DAYS = [1, 7, 14, 30, 90];

export function InviteDialog({ slug, onClose }: InviteDialogProps) {
  const form = useId();
  const queryClient = useQueryClient();
  const [role, setRole] = useState<Role>("annotator");
  const [label, setLabel] = useState("");
  const [days, setDays] = useState(14);
  const [group, setGroup] = useState("");
  const groups = useGroups(slug);
  const judgesGroup = role === "annotator" && groups.length > 0;
  const invitation = useMutation({
    mutationFn: () =>
      post(
        "/api/projects/{slug}/invitations",
        { slug },
        {
          role,
          label: label.trim(),
          group: judgesGroup ? group : "",
          expires_in_days: days,
        },
      ),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/invitations", { slug }) }),
  });
  const path = invitation.data?.url_path;
  if (path) return <LinkDialog path={path} onClose={onClose} onAnother={() => invitation.reset()} />;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    invitation.mutate();
  };
  return (
    <Dialog
      open
      title="Invite somebody"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={form} variant="primary" busy={invitation.isPending}>
            Make the link
          </Button>
        </>
      }
    >
      <form id={form} className={styles["form"]} onSubmit={submit}>
        <Select
          label="Role"
          hint={ROLES.find(({ value }) => value === role)?.words}
          value={role}
          onChange={(event) => setRole(event.target.value as Role)}
        >
          {ROLES.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
        {judgesGroup && (
          <Select
            label="Group of systems"
            hint="Whose answers this person judges. They do not see the name."
            value={group}
            onChange={(event) => setGroup(event.target.value)}
          >
            {groupOptions(groups).map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <TextField
          label="For whom (optional)"
          hint="Only you see it, to tell the links apart."
          value={label}
          maxLength={150}
          onChange={(event) => setLabel(event.target.value)}
        />
        <Select label="Holds for" value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {DAYS.map((count) => (
            <option key={count} value={count}>
              {count === 1 ? "1 day" : `${count} days`}
            </option>
          ))}
        </Select>
        {invitation.isError && <Notice tone="danger">{messageOf(invitation.error)}</Notice>}
      </form>
    </Dialog>
  );
}

interface LinkDialogProps {
  readonly path: string;
  readonly onClose: () => void;
  readonly onAnother: () => void;
}

function LinkDialog({ path, onClose, onAnother }: LinkDialogProps) {
  const link = `${window.location.origin}${path}`;
  return (
    <Dialog
      open
      title="The link is ready"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onAnother}>Invite another</Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <p>It is shown only now, and lets one person join. Send it the way you trust.</p>
      <div className={styles["link"]}>
        <TextField label="Link" readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton text={link} name="link" size="medium" />
      </div>
    </Dialog>
  );
}
