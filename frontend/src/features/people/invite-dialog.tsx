/** Invitation links: how many for which role, and then the links themselves, which are shown only once. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { Invitation, InvitationCreateRequest, RoleEnum, Setup } from "../../api/schema";
import { messageOf } from "../../api/error";
import { sessionQuery } from "../../api/session";
import { Button, CopyButton } from "../../components/button";
import { Dialog, FormDialog } from "../../components/dialog";
import { Choice, Fields, TextField } from "../../components/form";
import { More } from "../../components/list";
import { Notice } from "../../components/notice";
import { useWrite } from "../../components/use-write";
import { capitalized } from "../../lib/lists";
import { countOf } from "../../lib/numbers";
import { messagesWith, messageWith, NUMBERED, type SentLink, useInvited } from "./invitation-message";
import styles from "./people.module.css";
import { groupOptions, ROLE_NAMES, ROLES, useGroups } from "./roles";

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

/** As many names as there are people in most studies stand there at once. */
const FEW_LINKS = 5;

export function InviteDialog({ slug, count, setup, firstNumber, onClose }: InviteDialogProps) {
  const [wanted, setWanted] = useState(String(count));
  const [role, setRole] = useState<RoleEnum>("annotator");
  const [labels, setLabels] = useState<readonly string[]>([]);
  // Whether names stand there from the start, which must be seen.
  const [hasNames, setHasNames] = useState(count <= FEW_LINKS);
  const [days, setDays] = useState(14);
  const [group, setGroup] = useState("");
  const [email, setEmail] = useState("");
  const session = useQuery(sessionQuery);
  const groups = useGroups(slug);
  const judgesGroup = role === "annotator" && groups.length > 0;
  const links = Number(wanted);
  const isReady = Number.isInteger(links) && links >= 1 && links <= MOST_LINKS;
  const recipients = Array.from({ length: isReady ? links : 0 }, (_, at) => labels[at] ?? "");
  const recipientFields = recipients.map((recipient, at) => (
    <TextField
      key={at}
      label={links === 1 ? "Recipient (optional)" : `Recipient ${at + 1}`}
      hint={at === 0 && "Your message will greet this name. In Assay, only leads see it."}
      value={recipient}
      maxLength={150}
      onChange={(typed) => setLabels(recipients.with(at, typed))}
    />
  ));
  // One link, to one person.
  const sendTo = session.data?.sends_mail && links === 1 ? email.trim() : "";
  const body = {
    role,
    group: judgesGroup ? group : "",
    expires_in_days: days,
    ...(sendTo && { email: sendTo }),
  };
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
        role={role}
        setup={setup}
        sentTo={sendTo}
        onClose={onClose}
        onAnother={() => {
          setEmail("");
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
      {isOnlyHere(window.location.hostname) && (
        <Notice tone="warning" title="Links will work only on this computer.">
          <p>{`You opened Assay at ${window.location.hostname}. Before you invite others, open it at this server’s address on your network.`}</p>
        </Notice>
      )}
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
        <More summary="Name the recipients (optional)" open={hasNames}>
          <Fields>{recipientFields}</Fields>
        </More>
      )}
      {session.data?.sends_mail && links === 1 && (
        <TextField
          label="Send to (optional)"
          hint={`Email address. The message has the link, the project’s name, ${role === "annotator" ? "the role, and an estimate of the work" : "and the role"}. You will also see the link.`}
          type="email"
          autoComplete="off"
          maxLength={254}
          value={email}
          onChange={setEmail}
        />
      )}
      <Choice
        label={links === 1 ? "Link expires after" : "Links expire after"}
        hint="People must join by then. Judging can take longer."
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
  if (role !== "annotator" || !setup) return each;
  return `${each} You do not need one yourself: ${leadDecides(setup) ? "you only break ties" : "leads do not judge"}.`;
}

function leadDecides(setup: Setup | undefined): boolean {
  return !!setup && setup.raters_per_answer > 1 && setup.annotators_needed === setup.raters_per_answer;
}

function inviteWords(role: RoleEnum, count: number): string {
  return count === 1 ? `Invite ${ROLE_NAMES[role]}` : `Invite ${countOf(count, role)}`;
}

/** The number of the next link that has no name: after those there are, so that each is told from the others. */
export function nextNumber(invitations: readonly Invitation[]): number {
  const numbers = invitations.map(({ label }) => Number(NUMBERED.exec(label ?? "")?.[1] ?? 0));
  return Math.max(0, ...numbers) + 1;
}

interface MadeLinks {
  readonly made: readonly SentLink[];
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
  const made: SentLink[] = [];
  const names = recipients.map((recipient) => recipient.trim());
  for (const [place, name] of names.entries()) {
    const label = name || `Link ${firstNumber + place}`;
    try {
      const { url_path: path, expires_at: expiresAt } = await post(
        "/api/projects/{slug}/invitations",
        { slug },
        { ...body, label },
      );
      if (path) made.push({ link: `${window.location.origin}${path}`, label, expiresAt });
    } catch (error) {
      if (made.length === 0 || !(error instanceof Error)) throw error;
      return { made, refused: names.slice(place), error };
    }
  }
  return { made, refused: [], error: null };
}

interface LinkDialogProps extends MadeLinks {
  /** Where the one link is sent by email, or nothing. */
  readonly sentTo: string;
  /** Of whom the message asks something. */
  readonly role: RoleEnum;
  readonly setup: Setup | undefined;
  readonly onClose: () => void;
  readonly onAnother: () => void;
}

function LinkDialog({ made, refused, error, sentTo, role, setup, onClose, onAnother }: LinkDialogProps) {
  const invited = useInvited(role);
  const links = made.map(({ link }) => link);
  const isOne = links.length === 1;
  const [copied, setCopied] = useState<ReadonlySet<string>>(new Set());
  // What closing is held up for: to leave, or to make other links in this place.
  const [heldUp, setHeldUp] = useState<(() => void) | null>(null);
  const left = sentTo ? [] : links.filter((link) => !copied.has(link));
  const isHeldUp = heldUp !== null && left.length > 0;
  const noteCopied = (some: readonly string[]) => setCopied((before) => new Set([...before, ...some]));
  const leaveBy = (leave: () => void) => (left.length > 0 ? setHeldUp(() => leave) : leave());
  return (
    <Dialog
      title={isOne ? "Your link is ready" : `Your ${countOf(links.length, "link is", "links are")} ready`}
      onClose={() => leaveBy(onClose)}
      actions={
        <>
          <div role="alert" className={styles["heldUp"]}>
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
          <Button onClick={() => leaveBy(onAnother)}>
            {refused.length > 0
              ? `Create the other ${refused.length === 1 ? "link" : countOf(refused.length, "link")}`
              : "Invite more"}
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
      <p>
        {sentTo
          ? `Assay is sending the link to ${sentTo}. You can also copy it now; it will not be shown again.`
          : isOne
            ? "Send it to one person. It is shown only now; if it is lost, create a new one."
            : "Send each person one message: paste it before you copy the next. The links are shown only now; if one is lost, create a new one."}
      </p>
      {made.map((each, index) => (
        <div key={each.link} className={styles["link"]}>
          <TextField
            label={capitalized(linkName(made, index))}
            readOnly
            value={each.link}
            onFocus={(event) => event.target.select()}
            onCopy={() => noteCopied([each.link])}
          />
          <CopyButton
            text={each.link}
            name="link"
            {...(!isOne && { of: linkName(made, index) })}
            stays
            size="medium"
            onCopied={() => noteCopied([each.link])}
          />
          <CopyButton
            text={messageWith(invited, each)}
            name="message"
            {...(!isOne && { of: linkName(made, index, "message") })}
            stays
            size="medium"
            variant="primary"
            onCopied={() => noteCopied([each.link])}
          />
        </div>
      ))}
      {links.length > 2 && (
        <div className="row">
          <CopyButton
            text={links.join("\n")}
            name="all links"
            size="medium"
            onCopied={() => noteCopied(links)}
          />
          <CopyButton
            text={messagesWith(invited, made)}
            name="all messages"
            size="medium"
            onCopied={() => noteCopied(links)}
          />
        </div>
      )}
      {made[0] && (
        <More summary="What the message says">
          <p className={styles["message"]}>{messageWith(invited, made[0])}</p>
        </More>
      )}
      {role === "annotator" && (
        <p className="soft">
          {leadDecides(setup) && "You break ties in Human judging, under Adjudication. "}
          Follow progress and find the results on Overview.
        </p>
      )}
    </Dialog>
  );
}

/** Whether a host's name leads others to their own computer. */
function isOnlyHere(host: string): boolean {
  return host === "localhost" || host === "[::1]" || host.startsWith("127.");
}

function uncopiedWords(left: number, links: number): string {
  if (links === 1) return "You have not copied the link.";
  if (left === links) return "You have not copied the links.";
  return `You have not copied ${countOf(left, "link")}.`;
}

/** What a link, or the message with it, is called on its button: "link 4", "message for Ada". */
function linkName(made: readonly SentLink[], index: number, what = "link"): string {
  const label = made[index]?.label ?? "";
  const number = NUMBERED.exec(label)?.[1];
  return number ? `${what} ${number}` : `${what} for ${label}`;
}
