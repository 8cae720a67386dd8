/** Whether enough people take part for the protocol. */
import type { Setup } from "../api/schema";
import { countOf, formatCount } from "../lib/numbers";

type People = Pick<Setup, "annotators_needed" | "annotators_present" | "invited">;

const PLACES = ["", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];

/** How many annotators to invite: those whom nobody is and no open link stands for. */
export function annotatorsToInvite({ annotators_needed, annotators_present, invited }: People): number {
  return Math.max(0, annotators_needed - annotators_present - invited);
}

/** What the protocol still lacks; nothing where enough take part. */
export function annotatorsNeededWords({
  annotators_needed: needed,
  annotators_present: present,
}: People): string {
  if (present >= needed) return "";
  if (present > 0 && present === needed - 1 && PLACES[needed])
    return `This protocol needs a ${PLACES[needed]} annotator.`;
  const there = present === 0 ? "" : `; ${formatCount(present)} take${present === 1 ? "s" : ""} part`;
  return `This protocol needs ${countOf(needed, "annotator")}${there}.`;
}

export function invitedWords({ invited }: People): string {
  return invited === 0 ? "" : `${countOf(invited, "invitation")} not yet accepted.`;
}
