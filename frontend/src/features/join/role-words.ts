/** What a role does in a study, in a sentence. */
import type { Role } from "../../api/contract";
import { t } from "../../lib/i18n/t";

const WORDS = {
  annotator:
    "You are invited to judge answers: question after question, at your own pace, and you may stop at any time.",
  adjudicator: "You are invited to decide answers on which the raters disagree.",
  lead: "You are invited to lead this study together with others.",
} as const satisfies Readonly<Record<Role, string>>;

export function roleWords(role: Role): string {
  return t(WORDS[role]);
}
