/** The policy while it is edited. */
import type { Policy, PolicyDraft } from "../../api/contract";

export type Condition = Policy["conditions"][number]["key"];

export interface RuleDraft {
  readonly runs: readonly string[];
  readonly condition: Condition;
}

export function rulesOf(policy: Policy): readonly RuleDraft[] {
  return policy.rules.map(({ runs, condition }) => ({ runs, condition }));
}

export function toggled(runs: readonly string[], run: string): readonly string[] {
  return runs.includes(run) ? runs.filter((each) => each !== run) : [...runs, run];
}

/** Whether what is typed is a share in per cent. */
export function isShare(percent: string): boolean {
  const share = Number(percent);
  return percent.trim() !== "" && share >= 0 && share <= 100;
}

/** The share is typed in per cent. */
export function requestOf(rules: readonly RuleDraft[], percent: string): PolicyDraft {
  return {
    rules: rules.map(({ runs, condition }) => ({ runs: [...runs], condition })),
    audit_share: Number(percent) / 100,
  };
}
