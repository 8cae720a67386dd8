/** Who takes part in a project and in which role; more are invited by link. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, patch, read } from "../../api/client";
import type { Invitation, Setup } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Refusal, submitting, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink, ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import {
  annotatorsNeededWords,
  annotatorsToInvite,
  fewerAnnotatorsWords,
  invitedWords,
  tieBreakWords,
  withoutLastWords,
} from "../../domain/annotators";
import { FEWEST_RATERS } from "../../domain/rater-test";
import { useSearchState } from "../../lib/search-state";
import { exactTime } from "../../lib/time";
import { InviteDialog, nextNumber } from "./invite-dialog";
import { NewLinkButton, NewLinkDialog, type Replaced } from "./new-link";
import { MemberTable } from "./member-table";
import { countOf } from "../../lib/numbers";
import styles from "./people.module.css";
import { ROLES } from "./roles";

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
        lead={
          <>
            Annotators judge <Term name="blind">blind</Term>: they see neither systems nor other votes. People
            in other roles see more, so they cannot be annotators.
          </>
        }
        actions={
          <Button variant="primary" onClick={() => setInviting(1)}>
            Invite someone
          </Button>
        }
      />
      {setup.data && <Needed setup={setup.data} onInvite={setInviting} />}
      <Section title={<Term name="member">Members</Term>}>
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
          setup={setup.data}
          firstNumber={nextNumber(invitations.data ?? [])}
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
  // Once everything is decided, nobody is needed, however many the protocol asks for.
  const isOver = setup.is_ready && setup.to_judge === 0;
  if (words === "" || isOver) return null;
  const count = annotatorsToInvite(setup);
  const fewer = fewerAnnotatorsWords(setup);
  return (
    <Notice
      tone={count > 0 ? "warning" : "info"}
      title={count > 0 || setup.invited === 0 ? words : invitedWords(setup)}
      actions={
        count > 0 ? (
          <Button size="small" onClick={() => onInvite(count)}>
            {`Invite ${countOf(count, "annotator")}`}
          </Button>
        ) : (
          <ProjectButtonLink page="overview" size="small">
            What to do next
          </ProjectButtonLink>
        )
      }
    >
      <TieBreak setup={setup} />
      {setup.invited > 0 && count > 0 && <p>{invitedWords(setup)}</p>}
      {fewer && count > 0 && (
        <p>
          {fewer} <LeadDecidesLink />
        </p>
      )}
    </Notice>
  );
}

/** Why there must be one annotator more than judge each answer, and what is lost where that one never joins. */
function TieBreak({ setup }: Pick<NeededProps, "setup">) {
  const words = tieBreakWords(setup);
  if (words === "") return null;
  return (
    <p>
      {words} {withoutLastWords(setup)}
      {setup.annotators_needed === FEWEST_RATERS && (
        <>
          {" "}
          and cannot{" "}
          <Term name="alternative-annotator-test">test whether a judge can replace an annotator</Term>
        </>
      )}
      .
    </p>
  );
}

/** To the setting by which the lead decides where annotators disagree. */
function LeadDecidesLink() {
  return (
    <ProjectLink page="protocol" search={{ field: "tie_break" }}>
      Change the protocol
    </ProjectLink>
  );
}

const ENDED_WORDS = {
  used: "Joined",
  revoked: "Revoked",
  expired: "Expired",
  ended: "Inactive: its creator can no longer invite people",
} as const satisfies Readonly<Record<Exclude<Invitation["unusable_reason"], "">, string>>;

interface InvitationListProps {
  readonly slug: string;
  readonly invitations: readonly Invitation[];
}

function InvitationList({ slug, invitations }: InvitationListProps) {
  const [replaced, setReplaced] = useState<Replaced | null>(null);
  if (invitations.length === 0) {
    return <p className="soft-regular">Each link lets one person join, with or without an account.</p>;
  }
  const someOpen = invitations.some(({ unusable_reason: reason }) => reason === "");
  return (
    <>
      {someOpen && <p className="soft-regular">Links are shown only once. “New link” replaces a lost one.</p>}
      <ul className="ruled">
        {inOrder(invitations).map((invitation) => (
          <InvitationRow
            key={invitation.public_id}
            slug={slug}
            invitation={invitation}
            onReplaced={setReplaced}
          />
        ))}
      </ul>
      {replaced && <NewLinkDialog replaced={replaced} onClose={() => setReplaced(null)} />}
    </>
  );
}

/** Open links first, in the order in which they were made; then those that came to an end, the newest first. */
function inOrder(invitations: readonly Invitation[]): Invitation[] {
  const isOpen = ({ unusable_reason: reason }: Invitation) => reason === "";
  return [...invitations.filter(isOpen).reverse(), ...invitations.filter((each) => !isOpen(each))];
}

interface InvitationRowProps {
  readonly slug: string;
  readonly invitation: Invitation;
  readonly onReplaced: (replaced: Replaced) => void;
}

function InvitationRow({ slug, invitation, onReplaced }: InvitationRowProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  // Whoever closes the form goes on where they were: at its button.
  const [wasRenaming, setWasRenaming] = useState(false);
  const revocation = useWrite(
    () =>
      del("/api/projects/{slug}/invitations/{invitation_id}", { slug, invitation_id: invitation.public_id }),
    {
      note: "Link revoked.",
      refusal: "note",
      stale: [keyOf("/api/projects/{slug}/invitations", { slug })],
    },
  );
  const reason = invitation.unusable_reason;
  const name = invitation.label || NAMELESS;
  if (isRenaming && reason === "")
    return (
      <li className={styles["invitation"]}>
        <RenameForm
          slug={slug}
          invitation={invitation}
          onClose={() => {
            setIsRenaming(false);
            setWasRenaming(true);
          }}
        />
      </li>
    );
  return (
    <li className={styles["invitation"]}>
      <span className={styles["name"]}>
        <span dir="auto">{name}</span>
        <InvitationState invitation={invitation} />
      </span>
      {reason !== "" && <Badge tone={reason === "used" ? "success" : "neutral"}>{ENDED_WORDS[reason]}</Badge>}
      <span className="row">
        {reason === "" && <NewLinkButton slug={slug} invitation={invitation} onMade={onReplaced} />}
        {reason === "" && (
          <Button
            size="small"
            aria-label={`Rename ${name}`}
            autoFocus={wasRenaming}
            onClick={() => setIsRenaming(true)}
          >
            Rename
          </Button>
        )}
        {(reason === "" || reason === "ended") && (
          <Button size="small" busy={revocation.isPending} onClick={() => revocation.mutate()}>
            Revoke link
          </Button>
        )}
      </span>
    </li>
  );
}

/** Of the message that brings the link. */
const EMAIL_WORDS = {
  waiting: "email not sent yet · ",
  sent: "email sent · ",
  given_up: "email could not be sent · ",
  dropped: "",
} as const satisfies Readonly<Record<NonNullable<Invitation["email_state"]>, string>>;

const NAMELESS = "Anyone with the link";

function InvitationState({ invitation }: { readonly invitation: Invitation }) {
  const role = ROLES.find(({ value }) => value === invitation.role)?.name ?? invitation.role;
  return (
    <span className="soft-regular">
      {role} · {invitation.group && <span dir="auto">{invitation.group} · </span>}
      {invitation.email_state && EMAIL_WORDS[invitation.email_state]}
      {invitation.unusable_reason === "" ? (
        `valid until ${exactTime(new Date(invitation.expires_at))}`
      ) : (
        <>
          created <RelativeTime at={invitation.created_at} />
        </>
      )}
    </span>
  );
}

interface RenameFormProps extends Omit<InvitationRowProps, "onReplaced"> {
  readonly onClose: () => void;
}

/** The name of a link that still works, changed where it stands. */
function RenameForm({ slug, invitation, onClose }: RenameFormProps) {
  const [label, setLabel] = useState(invitation.label);
  const rename = useWrite(
    () =>
      patch(
        "/api/projects/{slug}/invitations/{invitation_id}",
        { slug, invitation_id: invitation.public_id },
        { label: label.trim() },
      ),
    {
      note: "Link renamed.",
      stale: [keyOf("/api/projects/{slug}/invitations", { slug })],
      onDone: onClose,
    },
  );
  return (
    <form className={styles["renaming"]} onSubmit={submitting(() => rename.mutate())}>
      <TextField
        autoFocus
        label="Link name"
        hint="Only leads see this name. The link stays the same."
        maxLength={150}
        value={label}
        onChange={setLabel}
        onFocus={(event) => event.target.select()}
      />
      <Refusal error={rename.error} />
      <div className="row">
        <Button
          type="submit"
          size="small"
          variant="primary"
          disabled={label.trim() === ""}
          busy={rename.isPending}
        >
          Save
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
