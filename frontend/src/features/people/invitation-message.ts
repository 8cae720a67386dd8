/** What a lead sends with an invitation link: a plain text, ready to paste. */
import type { RoleEnum } from "../../api/schema";

/** What is asked, and what to do first. */
const ASKED: Readonly<Record<RoleEnum, readonly [string, string]>> = {
  annotator: [
    "For “{project},” please help judge answers to questions: decide for each answer whether it is correct.",
    "After you join, read the guidelines and judge your first answer. You can stop at any time and continue later.",
  ],
  adjudicator: [
    "For “{project},” please help decide answers on which annotators disagree.",
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
}

export function messageWith({ project, role, link }: Invited): string {
  const [asked, first] = ASKED[role];
  return [
    "Hello,",
    asked.replace("{project}", () => project),
    `Open this link to join (it works for one person): ${link}`,
    first,
  ].join("\n\n");
}

const BETWEEN = `\n\n${"-".repeat(40)}\n\n`;

/** One message for each link, to be taken apart. */
export function messagesWith(invited: Omit<Invited, "link">, links: readonly string[]): string {
  return links.map((link) => messageWith({ ...invited, link })).join(BETWEEN);
}
