/** Who takes part in a project and in which role; more are invited by link. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { Invitation, RoleEnum } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button, CopyButton } from "../../components/button";
import { Dialog, FormDialog } from "../../components/dialog";
import { Choice, TextField } from "../../components/form";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { useWrite } from "../../components/use-write";
import { exactTime } from "../../lib/time";
import { MemberTable } from "./member-table";
import { countOf } from "../../lib/numbers";
import styles from "./people.module.css";
import { groupOptions, ROLES, useGroups } from "./roles";

export function PeoplePage() {
  const project = useProject();
  useTitle("People", project.name);
  const [inviting, setInviting] = useState(false);
  const members = useQuery(read("/api/projects/{slug}/members", { slug: project.slug }));
  const invitations = useQuery(read("/api/projects/{slug}/invitations", { slug: project.slug }));
  return (
    <Page>
      <PageHeader
        title="People"
        lead="Annotators judge blind: they never see systems, gold marks or each other’s votes. Anyone who has opened the project as lead or adjudicator can no longer judge blind."
        actions={
          <Button variant="primary" onClick={() => setInviting(true)}>
            Invite someone
          </Button>
        }
      />
      <Section title="Members">
        <QueryView query={members}>{(list) => <MemberTable slug={project.slug} members={list} />}</QueryView>
      </Section>
      <Section title="Invitations">
        <QueryView query={invitations}>
          {(list) => <InvitationList slug={project.slug} invitations={list} />}
        </QueryView>
      </Section>
      {inviting && <InviteDialog slug={project.slug} onClose={() => setInviting(false)} />}
    </Page>
  );
}

const ENDED_WORDS = {
  used: "Joined",
  revoked: "Revoked",
  expired: "Expired",
  ended: "Ended: its creator may no longer invite people",
} as const satisfies Readonly<Record<Exclude<Invitation["unusable_reason"], "">, string>>;

interface InvitationListProps {
  readonly slug: string;
  readonly invitations: readonly Invitation[];
}

function InvitationList({ slug, invitations }: InvitationListProps) {
  if (invitations.length === 0) {
    return (
      <p className="soft-regular">
        Links you create appear here. Each lets one person join, with or without an account.
      </p>
    );
  }
  return (
    <ul className="ruled">
      {invitations.map((invitation) => (
        <InvitationRow key={invitation.public_id} slug={slug} invitation={invitation} />
      ))}
    </ul>
  );
}

function InvitationRow({ slug, invitation }: { readonly slug: string; readonly invitation: Invitation }) {
  const revocation = useWrite(
    () =>
      del("/api/projects/{slug}/invitations/{invitation_id}", { slug, invitation_id: invitation.public_id }),
    {
      note: "The link no longer works.",
      refusal: "note",
      stale: [keyOf("/api/projects/{slug}/invitations", { slug })],
    },
  );
  const role = ROLES.find(({ value }) => value === invitation.role)?.name ?? invitation.role;
  const reason = invitation.unusable_reason;
  return (
    <li className={styles["invitation"]}>
      <span className={styles["name"]}>
        <span dir="auto">{invitation.label || "For anyone with the link"}</span>
        <span className="soft-regular">
          {role} · {invitation.group && <span dir="auto">{invitation.group} · </span>}
          {reason === "" ? (
            `valid until ${exactTime(new Date(invitation.expires_at))}`
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

interface InviteDialogProps {
  readonly slug: string;
  readonly onClose: () => void;
}

const DAYS = [1, 7, 14, 30, 90];

function InviteDialog({ slug, onClose }: InviteDialogProps) {
  const [role, setRole] = useState<RoleEnum>("annotator");
  const [label, setLabel] = useState("");
  const [days, setDays] = useState(14);
  const [group, setGroup] = useState("");
  const groups = useGroups(slug);
  const judgesGroup = role === "annotator" && groups.length > 0;
  const invitation = useWrite(
    () =>
      post(
        "/api/projects/{slug}/invitations",
        { slug },
        { role, label: label.trim(), group: judgesGroup ? group : "", expires_in_days: days },
      ),
    { stale: [keyOf("/api/projects/{slug}/invitations", { slug })] },
  );
  const path = invitation.data?.url_path;
  if (path) return <LinkDialog path={path} onClose={onClose} onAnother={() => invitation.reset()} />;
  return (
    <FormDialog
      title="Invite someone"
      action="Create link"
      write={invitation}
      onSubmit={() => invitation.mutate()}
      onClose={onClose}
    >
      <Choice
        label="Role"
        hint={ROLES.find(({ value }) => value === role)?.words}
        value={role}
        options={ROLES}
        onChange={setRole}
      />
      {judgesGroup && (
        <Choice
          label="Group of systems"
          hint="Whose answers this person judges. They do not see the name."
          value={group}
          options={groupOptions(groups)}
          onChange={setGroup}
        />
      )}
      <TextField
        label="For whom (optional)"
        hint="Only you see it, to tell the links apart."
        value={label}
        maxLength={150}
        onChange={setLabel}
      />
      <Choice
        label="Valid for"
        value={String(days)}
        options={DAYS.map((count) => ({ value: String(count), name: countOf(count, "day") }))}
        onChange={(value) => setDays(Number(value))}
      />
    </FormDialog>
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
      <p>Copy it now: it is not shown again. It lets one person join.</p>
      <div className={styles["link"]}>
        <TextField label="Link" readOnly value={link} onFocus={(event) => event.target.select()} />
        <CopyButton text={link} name="link" size="medium" />
      </div>
    </Dialog>
  );
}
