/** What a role does in a study, in a sentence. */
import type { Role } from "../../api/contract";

const WORDS: Readonly<Record<Role, string>> = {
  annotator:
    "You are invited to judge answers: question after question, at your own pace, and you may stop at any time.",
  adjudicator: "You are invited to decide answers on which the raters disagree.",
  lead: "You are invited to lead this study together with others.",
};

export function roleWords(role: Role): string {
  return WORDS[role];
}
