/** The ledger in words. */
import type { GoldChange } from "../../api/contract";

export interface Day {
  readonly date: string;
  readonly changes: readonly GoldChange[];
}

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "long" });

/** Changes by day, in the order given. */
export function daysOf(changes: readonly GoldChange[]): Day[] {
  const days = new Map<string, GoldChange[]>();
  for (const change of changes) {
    const date = DATE.format(new Date(change.at));
    days.set(date, [...(days.get(date) ?? []), change]);
  }
  return [...days].map(([date, list]) => ({ date, changes: list }));
}

const RULE_WORDS: Readonly<Record<string, string>> = {
  amend: "Followed the decision on the answer.",
  unanimous: "All raters agreed.",
  majority: "A majority of raters decided.",
  two_of_three: "Two of three raters decided.",
  only_rater: "The rater decided.",
  adjudicated: "Decided in the queue.",
  imported: "Came with an import.",
};

/** Who or what made the change; a rule's key is shown as words where we know no better ones. */
export function ruleWords(change: Pick<GoldChange, "rule" | "by">): string {
  const words = RULE_WORDS[change.rule] ?? `${capitalized(change.rule.replaceAll(/[_-]+/g, " "))}.`;
  return change.by ? `${words} By ${change.by}.` : words;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
