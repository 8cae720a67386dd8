/** What the rows of a decision's history say that are no decisions. */

const STEPS: Readonly<Record<string, string>> = {
  sent_back: "Sent back to raters",
  called_back: "Recalled from raters",
};

export function stepWords({ rule }: { readonly rule: string }): string {
  return STEPS[rule] ?? "Reopened";
}
