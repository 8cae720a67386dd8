/** A round while its form is filled in. */
import type { RoundDraft, RoundFilter, TaggableRun, TagSet } from "../../api/contract";

export interface RoundForm {
  readonly name: string;
  readonly set: string;
  readonly filter: RoundFilter;
  readonly size: string;
  readonly seed: string;
  readonly proposals: NonNullable<RoundDraft["proposals"]>;
  /** The connection of the model that proposes; empty where rules do. */
  readonly connection: string;
  /** What it may cost, in USD; empty for no limit. */
  readonly cap: string;
  readonly taggers: readonly string[];
}

/** What a set of tags is made to explain; own sets begin with everything people decided. */
export function usualFilter(set: TagSet | undefined, runs: readonly TaggableRun[]): RoundFilter {
  const exact = runs.find(({ name }) => name === "Exact match") ?? runs[0];
  if (set?.key === "kamalloo" && exact) return { people: "accept", run: exact.id, said: "rejects" };
  if (set?.key === "efficientqa") return { people: "accept_or_possibly", beyond_gold: true };
  if (set?.key === "evouna-answers") return { people: "reject" };
  if (set?.subject === "verdict") return { run: runs[0]?.id ?? "", said: "errs" };
  return {};
}

/** A whole number above nothing; anything else is none. */
export function wholeNumber(text: string): number | null {
  return /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}

export function requestOf(form: RoundForm): RoundDraft {
  return {
    name: form.name.trim(),
    set: form.set,
    filter: form.filter,
    size: wholeNumber(form.size),
    seed: wholeNumber(form.seed) ?? 1,
    proposals: form.proposals,
    connection: form.proposals === "none" ? "" : form.connection,
    spend_cap: form.proposals === "none" || form.connection === "" ? null : form.cap.trim() || null,
    taggers: [...form.taggers],
  };
}
