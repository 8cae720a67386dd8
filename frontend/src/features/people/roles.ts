/** The roles in plain words. */
import type { Role } from "../../api/contract";
import { ROLE_WORDS } from "../../lib/role-words";

export interface RoleWords {
  readonly value: Role;
  readonly name: string;
  readonly words: string;
}

export const ROLES: readonly RoleWords[] = [
  { value: "annotator", name: ROLE_WORDS.annotator, words: "Judges answers blind." },
  {
    value: "adjudicator",
    name: ROLE_WORDS.adjudicator,
    words: "Decides what raters disagree on; sees votes and gold.",
  },
  { value: "lead", name: ROLE_WORDS.lead, words: "Sees and changes everything." },
];

export const MEMBER_STATES = [
  { value: "active", name: "Active" },
  { value: "paused", name: "Paused" },
  { value: "left", name: "Left" },
] as const;
