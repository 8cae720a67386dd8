/** Who takes part in a project and in which role; more are invited by link. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { Invitation, InvitationCreateRequest, RoleEnum, Setup } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button, CopyButton } from "../../components/button";
import { Dialog, FormDialog } from "../../components/dialog";
import { Choice, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { useWrite } from "../../components/use-write";
import { annotatorsNeededWords, annotatorsToInvite, invitedWords } from "../../domain/annotators";
import { useSearchState } from "../../lib/search-state";
import { exactTime } from "../../lib/time";
import { MemberTable } from "./member-table";
import { countOf } from "../../lib/numbers";
import styles from "./people.module.css";
import { groupOptions, ROLES, useGroups } from "./roles";

export function PeoplePage() {
  const project = useProject();
  useTitle("People", project.name);
  const search = useSearchState();
  // How many to invite is in the address where another page leads here to invite them.
  const [inviting, setInviting] = useState(() => search.readNumber("invite", 0));
  const setup = useQuery(read("/api/projects/{slug}/setup", { slug: project.slug }));
  const members = useQuery(read("/api/projects/{slug}/members", { slug: project.slug }));
  const invitations = useQuery(read("/api/projects/{slug}/invitations", { slug: project.slug }));
  return (
    <Page>
      <PageHeader
        title="People"
        lead="Annotators judge blind: they never see systems, gold marks or each other’s votes. Anyone who has opened the project as lead or adjudicator can no longer judge blind."
        actions={
          <Button variant="primary" onClick={() => setInviting(1)}>
            Invite someone
          </Button>
        }
      />
      {setup.data && <Needed setup={setup.data} onInvite={setInviting} />}
      <Section title="Members">
        <QueryView query={members}>{(list) => <MemberTable slug={project.slug} members={list} />}</QueryView>
      </Section>
      <Section title="Invitations">
        <QueryView query={invitations}>
          {(list) => <InvitationList slug={project.slug} invitations={list} />}
        </QueryView>
      </Section>
      {inviting > 0 && (
        <InviteDialog
          slug={project.slug}
          count={inviting}
          onClose={() => {
            setInviting(0);
            search.write({ invite: undefined });
          }}
        />
      )}
    </Page>
  );
}

interface NeededProps {
  readonly setup: Setup;
  readonly onInvite: (count: number) => void;
}

/** What the protocol still lacks of people. */
function Needed({ setup, onInvite }: NeededProps) {
  const words = annotatorsNeededWords(setup);
  if (words === "") return null;
  const count = annotatorsToInvite(setup);
  return (
    <Notice
      tone={count > 0 ? "warning" : "info"}
      title={words}
      actions={
        count > 0 && (
          <Button size="small" onClick={() => onInvite(count)}>
            {`Invite ${countOf(count, "annotator")}`}
          </Button>
        )
      }
    >
      {setup.invited > 0 && <p>{invitedWords(setup)}</p>}
    </Notice>
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
  /** How many links are offered to begin with. */
  readonly count: number;
  readonly onClose: () => void;
}

const DAYS = [1, 7, 14, 30, 90];

const MOST_LINKS = 20;

function InviteDialog({ slug, count, onClose }: InviteDialogProps) {
  const [wanted, setWanted] = useState(String(count));
  const [role, setRole] = useState<RoleEnum>("annotator");
  const [label, setLabel] = useState("");
  const [days, setDays] = useState(14);
  const [group, setGroup] = useState("");
  const groups = useGroups(slug);
  const judgesGroup = role === "annotator" && groups.length > 0;
  const links = Number(wanted);
  const isReady = Number.isInteger(links) && links >= 1 && links <= MOST_LINKS;
  const body = {
    role,
    label: links === 1 ? label.trim() : "",
    group: judgesGroup ? group : "",
    expires_in_days: days,
  };
  const invitation = useWrite(() => createLinks(slug, body, links), {
    stale: [
      keyOf("/api/projects/{slug}/invitations", { slug }),
      keyOf("/api/projects/{slug}/setup", { slug }),
    ],
  });
  if (invitation.data)
    return <LinkDialog paths={invitation.data} onClose={onClose} onAnother={() => invitation.reset()} />;
  return (
    <FormDialog
      title={count === 1 ? "Invite someone" : "Invite people"}
      action={links > 1 && isReady ? `Create ${countOf(links, "link")}` : "Create link"}
      isReady={isReady}
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
        label="Number of links"
        hint={`One for each person, at most ${MOST_LINKS} at once.`}
        inputMode="numeric"
        value={wanted}
        onChange={setWanted}
      />
      {links === 1 && (
        <TextField
          label="For whom (optional)"
          hint="Only you see it, to tell the links apart."
          value={label}
          maxLength={150}
          onChange={setLabel}
        />
      )}
      <Choice
        label="Valid for"
        value={String(days)}
        options={DAYS.map((count) => ({ value: String(count), name: countOf(count, "day") }))}
        onChange={(value) => setDays(Number(value))}
      />
    </FormDialog>
  );
}

/** Creates links one after the other; those there are when one fails are shown, as they are shown only once. */
async function createLinks(slug: string, body: InvitationCreateRequest, count: number): Promise<string[]> {
  const paths: string[] = [];
  for (let made = 0; made < count; made += 1) {
    try {
      const { url_path: path } = await post("/api/projects/{slug}/invitations", { slug }, body);
      if (path) paths.push(path);
    } catch (error) {
      if (paths.length === 0) throw error;
      break;
    }
  }
  return paths;
}

interface LinkDialogProps {
  readonly paths: readonly string[];
  readonly onClose: () => void;
  readonly onAnother: () => void;
}

function LinkDialog({ paths, onClose, onAnother }: LinkDialogProps) {
  const links = paths.map((path) => `${window.location.origin}${path}`);
  const isOne = links.length === 1;
  return (
    <Dialog
      title={isOne ? "The link is ready" : `${countOf(links.length, "link is", "links are")} ready`}
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
      <p>
        {isOne
          ? "Copy it now: it is not shown again. It lets one person join."
          : "Copy them now: they are not shown again. Each lets one person join."}
      </p>
      {links.map((link, index) => (
        <div key={link} className={styles["link"]}>
          <TextField
            label={isOne ? "Link" : `Link ${index + 1}`}
            readOnly
            value={link}
            onFocus={(event) => event.target.select()}
          />
          <CopyButton text={link} name={isOne ? "link" : `link ${index + 1}`} size="medium" />
        </div>
      ))}
      {!isOne && <CopyButton text={links.join("\n")} name="all links" size="medium" />}
    </Dialog>
  );
}
