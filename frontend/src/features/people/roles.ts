/** The roles in plain words. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Member, RoleEnum } from "../../api/schema";
import { ROLE_WORDS } from "../../domain/roles";

interface RoleWords {
  readonly value: RoleEnum;
  readonly name: string;
  readonly words: string;
}

export const ROLES: readonly RoleWords[] = [
  {
    value: "annotator",
    name: ROLE_WORDS.annotator,
    words: "Judges answers without seeing systems or other votes.",
  },
  {
    value: "adjudicator",
    name: ROLE_WORDS.adjudicator,
    words: "Decides answers that annotators disagree on. Sees votes and gold answers.",
  },
  { value: "lead", name: ROLE_WORDS.lead, words: "Can see and change everything." },
  {
    value: "viewer",
    name: ROLE_WORDS.viewer,
    words:
      "Can view results and data: scores, answers, gold answers, agreement, and exports. Cannot change anything.",
  },
];

export const MEMBER_STATES = [
  { value: "active", name: "Active" },
  { value: "paused", name: "Paused" },
  { value: "left", name: "Left" },
] as const;

/** The roles as they stand after "make somebody". */
export const ROLE_NAMES: Readonly<Record<RoleEnum, string>> = {
  annotator: "an annotator",
  adjudicator: "an adjudicator",
  lead: "a lead",
  viewer: "a viewer",
};

const OPENED: Readonly<Record<Exclude<RoleEnum, "annotator">, string>> = {
  adjudicator:
    "Adjudicators see votes, gold answers, and judges’ verdicts, and they decide disputed answers.",
  lead: "Leads can see and change everything: data, protocol, people, and decisions.",
  viewer: "Viewers see scores, votes, gold answers, and judges’ verdicts, but they cannot change anything.",
};

/** What another role would mean for a member, said before it is given. */
export function roleChangeWords({ name, role, unblinded }: Member, wanted: RoleEnum): string {
  if (wanted === "annotator")
    return unblinded
      ? `${name} has seen information that is hidden from annotators, so ${name} will get no answers to judge in this project.`
      : `${name} has not seen any information that is hidden from annotators and will get answers to judge.`;
  const loses =
    role === "annotator"
      ? ` In this role, ${name} gets no more answers to judge and cannot submit any labels.`
      : "";
  const bars = unblinded
    ? ""
    : ` Once ${name} opens any of this, ${name} can never judge blind in this project again, even as an annotator.`;
  return `${OPENED[wanted]}${loses}${bars}`;
}

const ALL_GROUPS = "All groups";

export function useGroups(slug: string): readonly string[] {
  const { data } = useQuery(read("/api/projects/{slug}/systems", { slug }));
  const groups = (data ?? []).map((system) => system.group).filter((group) => group !== "");
  return [...new Set(groups)].sort();
}

/** Choices of a field: every group, the one chosen even if no system is in it any more. */
export function groupOptions(groups: readonly string[], chosen = ""): { value: string; name: string }[] {
  const names = chosen === "" || groups.includes(chosen) ? groups : [...groups, chosen];
  return [{ value: "", name: ALL_GROUPS }, ...names.map((name) => ({ value: name, name }))];
}
