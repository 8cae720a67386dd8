/** What a lead sends with an invitation link: a plain text, ready to paste. */
import { useProject } from "../../api/project";
import type { RoleEnum } from "../../api/schema";
import { shareWords } from "../../domain/sample";
import { useSetup } from "../../domain/votes-awaited";

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

interface Invited {
  readonly project: string;
  readonly role: RoleEnum;
  readonly link: string;
  /** What awaits each annotator; nothing where that is not known. */
  readonly share: string;
}

/** What the messages say of the project that is open. */
export function useInvited(role: RoleEnum): Omit<Invited, "link"> {
  const { name: project } = useProject();
  return { project, role, share: shareWords(useSetup()?.load_of_each ?? null) };
}

export function messageWith({ project, role, link, share }: Invited): string {
  const [asked, first] = ASKED[role];
  const amount = role === "annotator" && share ? ` Your share: ${share}.` : "";
  return [
    "Hello,",
    `${asked.replace("{project}", () => project)}${amount}`,
    `Open this link to join (it works for one person): ${link}`,
    first,
  ].join("\n\n");
}

const BETWEEN = `\n\n${"-".repeat(40)}\n\n`;

/** One message for each link, to be taken apart. */
export function messagesWith(invited: Omit<Invited, "link">, links: readonly string[]): string {
  return links.map((link) => messageWith({ ...invited, link })).join(BETWEEN);
}
