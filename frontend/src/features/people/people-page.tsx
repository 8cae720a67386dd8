/** Who takes part in a project and in which role; more are invited by link. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf, post, read } from "../../api/client";
import type { Invitation, InvitationCreateRequest, RoleEnum, Setup } from "../../api/schema";
import { messageOf } from "../../api/error";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button, CopyButton } from "../../components/button";
import { Dialog, FormDialog } from "../../components/dialog";
import { Choice, Fields, TextField } from "../../components/form";
import { More } from "../../components/list";
import { Notice } from "../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
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
} from "../../domain/annotators";
import { useSearchState } from "../../lib/search-state";
import { exactTime } from "../../lib/time";
import { MemberTable } from "./member-table";
import { capitalized } from "../../lib/lists";
import { countOf } from "../../lib/numbers";
import styles from "./people.module.css";
import { groupOptions, ROLE_NAMES, ROLES, useGroups } from "./roles";

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
            Annotators judge <Term name="blind">blind</Term>: they never see which system gave an answer or
            how others voted. Leads and adjudicators see this, so they cannot be annotators.
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
      title={words}
      actions={
        count > 0 && (
          <Button size="small" onClick={() => onInvite(count)}>
            {`Invite ${countOf(count, "annotator")}`}
          </Button>
        )
      }
    >
      {tieBreakWords(setup) && <p>{tieBreakWords(setup)}</p>}
      {setup.invited > 0 && <p>{invitedWords(setup)}</p>}
      {fewer && count > 0 && (
        <p>
          {fewer} <LeadDecidesLink />
        </p>
      )}
    </Notice>
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
  if (invitations.length === 0) {
    return (
      <p className="soft-regular">
        Invitations appear here. Each link lets one person join, with or without an account.
      </p>
    );
  }
  const someOpen = invitations.some(({ unusable_reason: reason }) => reason === "");
  return (
    <>
      {someOpen && (
        <p className="soft-regular">
          A link is shown only when you create it. If one is lost, revoke it and create another.
        </p>
      )}
      <ul className="ruled">
        {inOrder(invitations).map((invitation) => (
          <InvitationRow key={invitation.public_id} slug={slug} invitation={invitation} />
        ))}
      </ul>
    </>
  );
}

/** Open links first, in the order in which they were made; then those that came to an end, the newest first. */
function inOrder(invitations: readonly Invitation[]): Invitation[] {
  const isOpen = ({ unusable_reason: reason }: Invitation) => reason === "";
  return [...invitations.filter(isOpen).reverse(), ...invitations.filter((each) => !isOpen(each))];
}

function InvitationRow({ slug, invitation }: { readonly slug: string; readonly invitation: Invitation }) {
  const revocation = useWrite(
    () =>
      del("/api/projects/{slug}/invitations/{invitation_id}", { slug, invitation_id: invitation.public_id }),
    {
      note: "Link revoked.",
      refusal: "note",
      stale: [keyOf("/api/projects/{slug}/invitations", { slug })],
    },
  );
  const role = ROLES.find(({ value }) => value === invitation.role)?.name ?? invitation.role;
  const reason = invitation.unusable_reason;
  return (
    <li className={styles["invitation"]}>
      <span className={styles["name"]}>
        <span dir="auto">{invitation.label || "Anyone with the link"}</span>
        <span className="soft-regular">
          {role} · {invitation.group && <span dir="auto">{invitation.group} · </span>}
          {reason === "" ? (
            `valid until ${exactTime(new Date(invitation.expires_at))}`
          ) : (
            <>
              created <RelativeTime at={invitation.created_at} />
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
  readonly setup: Setup | undefined;
  /** By which the first link is called that has no name. */
  readonly firstNumber: number;
  readonly onClose: () => void;
}

const DAYS = [1, 7, 14, 30, 90];

const MOST_LINKS = 20;

function InviteDialog({ slug, count, setup, firstNumber, onClose }: InviteDialogProps) {
  const [wanted, setWanted] = useState(String(count));
  const [role, setRole] = useState<RoleEnum>("annotator");
  const [labels, setLabels] = useState<readonly string[]>([]);
  // Whether names stand there from the start, which must be seen.
  const [hasNames, setHasNames] = useState(false);
  const [days, setDays] = useState(14);
  const [group, setGroup] = useState("");
  const groups = useGroups(slug);
  const judgesGroup = role === "annotator" && groups.length > 0;
  const links = Number(wanted);
  const isReady = Number.isInteger(links) && links >= 1 && links <= MOST_LINKS;
  const recipients = Array.from({ length: isReady ? links : 0 }, (_, at) => labels[at] ?? "");
  const recipientFields = recipients.map((recipient, at) => (
    <TextField
      key={at}
      label={links === 1 ? "Link name (optional)" : `Name of link ${at + 1} (optional)`}
      hint={at === 0 && "For example, who it is for. Only leads see this name."}
      value={recipient}
      maxLength={150}
      onChange={(typed) => setLabels(recipients.with(at, typed))}
    />
  ));
  const body = { role, group: judgesGroup ? group : "", expires_in_days: days };
  const invitation = useWrite(() => createLinks(slug, body, recipients, firstNumber), {
    stale: [
      keyOf("/api/projects/{slug}/invitations", { slug }),
      keyOf("/api/projects/{slug}/setup", { slug }),
    ],
  });
  if (invitation.data)
    return (
      <LinkDialog
        {...invitation.data}
        onClose={onClose}
        onAnother={() => {
          // Whom these links are for is said; the next ones are for others.
          setLabels(invitation.data.refused);
          setHasNames(invitation.data.refused.some((name) => name !== ""));
          setWanted(String(Math.max(1, invitation.data.refused.length)));
          invitation.reset();
        }}
      />
    );
  return (
    <FormDialog
      title={inviteWords(role, isReady ? links : 1)}
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
          hint="Annotators in a group judge only answers from its systems. They do not see the group’s name."
          value={group}
          options={groupOptions(groups)}
          onChange={setGroup}
        />
      )}
      <TextField
        label="Number of links"
        hint={countHint(role, setup)}
        error={wanted === "" || isReady ? null : `Enter a number from 1 to ${MOST_LINKS}.`}
        inputMode="numeric"
        value={wanted}
        onChange={setWanted}
      />
      {links === 1 ? (
        recipientFields
      ) : (
        <More summary="Name the links (optional)" open={hasNames}>
          <Fields>{recipientFields}</Fields>
        </More>
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

/** Whom links are for; above all not for the lead where annotators are invited who need to be blind. */
function countHint(role: RoleEnum, setup: Setup | undefined): string {
  const each = "One link per person.";
  return role === "annotator" && setup ? `${each} Do not use one yourself: you see results.` : each;
}

function inviteWords(role: RoleEnum, count: number): string {
  return count === 1 ? `Invite ${ROLE_NAMES[role]}` : `Invite ${countOf(count, role)}`;
}

const NUMBERED = /^Link (\d+)$/;

/** The number of the next link that has no name: after those there are, so that each is told from the others. */
function nextNumber(invitations: readonly Invitation[]): number {
  const numbers = invitations.map(({ label }) => Number(NUMBERED.exec(label ?? "")?.[1] ?? 0));
  return Math.max(0, ...numbers) + 1;
}

interface MadeLink {
  readonly path: string;
  /** The name that stands in the list of invitations, too. */
  readonly label: string;
}

interface MadeLinks {
  readonly made: readonly MadeLink[];
  /** The recipients who have no link, because one could not be created; empty: all have theirs. */
  readonly refused: readonly string[];
  readonly error: Error | null;
}

/** Creates a link for each recipient; those there are when one fails are shown, as they are shown only once. */
async function createLinks(
  slug: string,
  body: Omit<InvitationCreateRequest, "label">,
  recipients: readonly string[],
  firstNumber: number,
): Promise<MadeLinks> {
  const made: MadeLink[] = [];
  const names = recipients.map((recipient) => recipient.trim());
  for (const [place, name] of names.entries()) {
    const label = name || `Link ${firstNumber + place}`;
    try {
      const { url_path: path } = await post("/api/projects/{slug}/invitations", { slug }, { ...body, label });
      if (path) made.push({ path, label });
    } catch (error) {
      if (made.length === 0 || !(error instanceof Error)) throw error;
      return { made, refused: names.slice(place), error };
    }
  }
  return { made, refused: [], error: null };
}

interface LinkDialogProps extends MadeLinks {
  readonly onClose: () => void;
  readonly onAnother: () => void;
}

function LinkDialog({ made, refused, error, onClose, onAnother }: LinkDialogProps) {
  const links = made.map(({ path }) => `${window.location.origin}${path}`);
  const isOne = links.length === 1;
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  // What closing is held up for: to leave, or to make other links in this place.
  const [heldUp, setHeldUp] = useState<(() => void) | null>(null);
  const left = links.filter((link) => !copied.has(link));
  const isHeldUp = heldUp !== null && left.length > 0;
  const noteCopied = (some: readonly string[]) => setCopied((before) => new Set([...before, ...some]));
  const leaveBy = (leave: () => void) => (left.length > 0 ? setHeldUp(() => leave) : leave());
  return (
    <Dialog
      title={isOne ? "Your link is ready" : `Your ${countOf(links.length, "link is", "links are")} ready`}
      onClose={() => leaveBy(onClose)}
      actions={
        <>
          <Button onClick={() => leaveBy(onAnother)}>
            {refused.length > 0 ? `Create the other ${countOf(refused.length, "link")}` : "Invite more"}
          </Button>
          <Button variant={left.length > 0 ? "secondary" : "primary"} onClick={() => leaveBy(onClose)}>
            Done
          </Button>
        </>
      }
    >
      {error && (
        <Notice tone="warning" title={`${countOf(refused.length, "link was", "links were")} not created.`}>
          <p>{messageOf(error)}</p>
        </Notice>
      )}
      <p>{isOne ? "Copy it now and send it to one person." : "Copy them now and send one to each person."}</p>
      {links.map((link, index) => (
        <div key={link} className={styles["link"]}>
          <TextField
            label={capitalized(linkName(made, index))}
            readOnly
            value={link}
            onFocus={(event) => event.target.select()}
            onCopy={() => noteCopied([link])}
          />
          <CopyButton
            text={link}
            name={isOne ? "link" : linkName(made, index)}
            size="medium"
            variant={isOne ? "primary" : "secondary"}
            onCopied={() => noteCopied([link])}
          />
        </div>
      ))}
      {!isOne && (
        <CopyButton
          text={links.join("\n")}
          name="all links"
          size="medium"
          variant="primary"
          onCopied={() => noteCopied(links)}
        />
      )}
      <div role="alert">
        {isHeldUp && (
          <Notice
            tone="warning"
            title={uncopiedWords(left.length, links.length)}
            actions={
              <Button size="small" onClick={heldUp}>
                Continue without copying
              </Button>
            }
          />
        )}
      </div>
    </Dialog>
  );
}

function uncopiedWords(left: number, links: number): string {
  if (links === 1) return "You have not copied the link.";
  if (left === links) return "You have not copied the links.";
  return `You have not copied ${countOf(left, "link")}.`;
}

function linkName(made: readonly MadeLink[], index: number): string {
  const label = made[index]?.label ?? "";
  return NUMBERED.test(label) ? label.toLowerCase() : `link for ${label}`;
}
