/** A policy as it is edited: what is typed and chosen, before it is a request. */
import type { Policy, PolicyInputRequest } from "../../api/schema";
import { roundDown } from "./certificate-words";
import { inPercent, isSureness } from "./words";

type Condition = Policy["conditions"][number]["key"];

export interface RuleDraft {
  readonly runs: readonly string[];
  readonly condition: Condition;
  /** How sure the judge must be, as it is typed, in per cent; null where every verdict counts. */
  readonly sure: string | null;
  /** The one it carries; then that says how sure. */
  readonly certificate: string;
}

export interface PolicyDraft {
  readonly rules: readonly RuleDraft[];
  /** The share sampled for raters, as it is typed, in per cent. */
  readonly percent: string;
}

export function draftOf(policy: Policy): PolicyDraft {
  return { rules: rulesOf(policy), percent: String(inPercent(policy.audit_share)) };
}

export const USUALLY_SURE = "95";

const NEW_RULE: RuleDraft = { runs: [], condition: "any_accepts", sure: null, certificate: "" };

/** A judge that states probabilities is what a certificate is for: it says of each answer how sure it is. */
export function firstDraft({ runs }: Policy): RuleDraft {
  const probable = runs.find(({ sureness }) => sureness === "probability");
  if (!probable) return NEW_RULE;
  return { runs: [probable.id], condition: "all_agree", sure: USUALLY_SURE, certificate: "" };
}

function rulesOf(policy: Policy): readonly RuleDraft[] {
  return policy.rules.map(({ runs, condition, threshold, certificate }) => ({
    runs,
    condition,
    certificate,
    sure: threshold === null ? null : String(inPercent(certificate ? roundDown(threshold) : threshold)),
  }));
}

export function isComplete(rule: RuleDraft): boolean {
  const { runs, sure, certificate } = rule;
  return runs.length > 0 && !isAlone(rule) && (sure === null || certificate !== "" || isSureness(sure));
}

/** Whether one judge is to agree with others, and nothing says how sure it must be. */
export function isAlone({ runs, condition, sure, certificate }: RuleDraft): boolean {
  return condition === "all_agree" && runs.length === 1 && sure === null && certificate === "";
}

/** A rule with a certificate takes the certificate’s own, whatever is typed or not. */
function thresholdOf({ sure, certificate }: RuleDraft): number | null {
  if (sure === null || (certificate !== "" && !isSureness(sure))) return null;
  return Number(sure) / 100;
}

/** Whether what is typed is a share in per cent. */
export function isShare(percent: string): boolean {
  const share = Number(percent);
  return percent.trim() !== "" && share >= 0 && share <= 100;
}

/** The share is typed in per cent. */
export function requestOf(rules: readonly RuleDraft[], percent: string): PolicyInputRequest {
  return {
    rules: rules.map((rule) => ({
      runs: [...rule.runs],
      condition: rule.condition,
      certificate: rule.certificate,
      threshold: thresholdOf(rule),
    })),
    audit_share: Number(percent) / 100,
  };
}
