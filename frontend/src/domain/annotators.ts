/** Whether enough people take part for the protocol. */
import type { Setup } from "../api/schema";
import { countOf } from "../lib/numbers";

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
  const there = present === 0 ? "" : `; ${countOf(present, "has", "have")} joined`;
  return `This protocol needs ${countOf(needed, "annotator")}${there}.`;
}

/** What a project with fewer people can do instead; nothing where its protocol asks for no more than the first. */
export function fewerAnnotatorsWords({
  annotators_needed: needed,
  annotators_with_lead: fewer,
}: Pick<Setup, "annotators_needed" | "annotators_with_lead">): string {
  if (fewer >= needed) return "";
  return `As a lead, you see results, so you cannot be one of the annotators. ${countOf(fewer, "annotator is", "annotators are")} enough if you decide the answers on which they disagree.`;
}

export function invitedWords({ invited }: People): string {
  return invited === 0
    ? ""
    : `${countOf(invited, "invitation has", "invitations have")} not been accepted yet.`;
}
