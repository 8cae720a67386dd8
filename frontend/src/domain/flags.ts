/** What raters may remark about a question, as leads read it. */
export const FLAGS = [
  { value: "ambiguous", name: "Ambiguous" },
  { value: "time_dependent", name: "Time-dependent" },
  { value: "list", name: "Asks for a list" },
  { value: "gold_improper", name: "Incorrect gold answer" },
  { value: "unclear", name: "Unclear" },
] as const;

export function flagName(kind: string): string {
  return FLAGS.find(({ value }) => value === kind)?.name ?? kind;
}
