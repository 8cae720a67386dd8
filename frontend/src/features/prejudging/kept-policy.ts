/** A policy that is not applied yet, kept in this browser while its lead looks at other pages. */
import { useState } from "react";
import type { Policy } from "../../api/schema";
import { isRecord, readStored, removeStored, writeStored } from "../../lib/storage";
import { type PolicyDraft, draftOf, type RuleDraft } from "./draft";

const PREFIX = "assay.policy.";

interface KeptPolicy {
  /** When the policy that it changes was saved. */
  readonly savedAt: string | null;
  readonly draft: PolicyDraft;
}

export function useKeptPolicy(slug: string, policy: Policy) {
  const [draft, setDraft] = useState<PolicyDraft>(() => readKept(slug, policy) ?? draftOf(policy));
  const isChanged = !isSame(draft, draftOf(policy));
  const change = (next: PolicyDraft) => {
    setDraft(next);
    if (isSame(next, draftOf(policy))) forgetPolicy(slug);
    else writeStored(PREFIX + slug, { savedAt: policy.saved_at, draft: next } satisfies KeptPolicy);
  };
  return { draft, change, isChanged };
}

export function forgetPolicy(slug: string): void {
  removeStored(PREFIX + slug);
}

/** Null where somebody has saved another policy since, or a judge that it reads is gone. */
function readKept(slug: string, { saved_at, runs, conditions }: Policy): PolicyDraft | null {
  const kept = readStored(PREFIX + slug, isKept);
  if (kept?.savedAt !== saved_at) return null;
  const known = new Set(runs.map(({ id }) => id));
  const keys = new Set<string>(conditions.map(({ key }) => key));
  const isUsable = kept.draft.rules.every(
    (rule) => rule.runs.every((run) => known.has(run)) && keys.has(rule.condition),
  );
  return isUsable ? kept.draft : null;
}

function isSame(left: PolicyDraft, right: PolicyDraft): boolean {
  return left.percent === right.percent && textOf(left.rules) === textOf(right.rules);
}

/** In one order of fields, whichever came first into a rule. */
function textOf(rules: readonly RuleDraft[]): string {
  return JSON.stringify(
    rules.map(({ runs, condition, sure, certificate }) => [runs, condition, sure, certificate]),
  );
}

function isKept(value: unknown): value is KeptPolicy {
  if (!isRecord(value) || !(value["savedAt"] === null || typeof value["savedAt"] === "string")) return false;
  const { draft } = value;
  if (!isRecord(draft) || typeof draft["percent"] !== "string") return false;
  return Array.isArray(draft["rules"]) && draft["rules"].every(isRule);
}

function isRule(value: unknown): value is RuleDraft {
  return (
    isRecord(value) &&
    Array.isArray(value["runs"]) &&
    value["runs"].every((run) => typeof run === "string") &&
    typeof value["condition"] === "string" &&
    (value["sure"] === null || typeof value["sure"] === "string") &&
    typeof value["certificate"] === "string"
  );
}
