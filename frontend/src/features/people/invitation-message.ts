/** What a lead sends with an invitation link: a plain text, ready to paste. */
import { useQuery } from "@tanstack/react-query";
import { useProject } from "../../api/project";
import type { RoleEnum } from "../../api/schema";
import { sessionQuery } from "../../api/session";
import { shareWords } from "../../domain/sample";
import { useSetup } from "../../domain/votes-awaited";
import { LANGUAGES } from "../../lib/i18n/languages";

/** What is asked, and what to do first. */
const ASKED: Readonly<Record<RoleEnum, readonly [string, string]>> = {
  annotator: [
    "For “{project},” please help judge answers to questions: decide for each answer whether it is correct.",
    "After you join, read the guidelines and judge your first answer. You can stop at any time and continue later.",
  ],
  adjudicator: [
    "For “{project},” please help decide whether answers are correct when annotators disagree.",
    "After you join, read the guidelines and open the queue.",
  ],
  lead: ["Please help run the project “{project}.”", "After you join, open the overview."],
  viewer: [
    "You are invited to view the results and data of “{project}.”",
    "After you join, open the leaderboard.",
  ],
};

/** What all links of one role have in common. */
interface Invited {
  readonly project: string;
  readonly role: RoleEnum;
  /** Who sends it, by the name of their account. */
  readonly sender: string;
  /** What awaits each annotator; nothing where that is not known. */
  readonly share: string;
}

/** One link, and what its list of invitations knows of it. */
export interface SentLink {
  readonly link: string;
  readonly label: string;
  readonly expiresAt: string;
}

/** What the messages say of the project that is open. */
export function useInvited(role: RoleEnum): Invited {
  const { name: project } = useProject();
  const user = useQuery(sessionQuery).data?.user;
  // A username is no name to sign with.
  const sender = user && user.name !== user.username ? user.name : "";
  return { project, role, sender, share: shareWords(useSetup()?.load_of_each ?? null) };
}

/** What links are called that have no name. */
export const NUMBERED = /^Link (\d+)$/;

export function messageWith(
  { project, role, sender, share }: Invited,
  { link, label, expiresAt }: SentLink,
): string {
  const [asked, first] = ASKED[role];
  const amount = role === "annotator" && share ? ` Your share: ${share}.` : "";
  const isNamed = label !== "" && !NUMBERED.test(label);
  return [
    isNamed ? `Hi ${label},` : "Hello,",
    `${asked.replace("{project}", () => project)}${amount}`,
    `To join, open this link by ${dayOf(expiresAt)}. It works for one person: ${link}`,
    first,
    ...(sender ? [`Best regards,\n${sender}`] : []),
  ].join("\n\n");
}

/** In the language of the message, whatever language its sender reads. */
function dayOf(time: string): string {
  return new Intl.DateTimeFormat(LANGUAGES.en.formats, { dateStyle: "long" }).format(new Date(time));
}

const BETWEEN = `\n\n${"-".repeat(40)}\n\n`;

/** One message for each link, to be taken apart. */
export function messagesWith(invited: Invited, links: readonly SentLink[]): string {
  return links.map((each) => messageWith(invited, each)).join(BETWEEN);
}
