/** The roles in plain words. */
import type { Role } from "../../api/contract";

export interface RoleWords {
  readonly value: Role;
  readonly name: string;
  readonly words: string;
}

export const ROLES: readonly RoleWords[] = [
  { value: "annotator", name: "Annotator", words: "Judges answers blind." },
  {
    value: "adjudicator",
    name: "Adjudicator",
    words: "Decides what raters disagree on; sees votes and gold.",
  },
  { value: "lead", name: "Lead", words: "Sees and changes everything." },
];

export const MEMBER_STATES = [
  { value: "active", name: "Active" },
  { value: "paused", name: "Paused" },
  { value: "left", name: "Left" },
] as const;
