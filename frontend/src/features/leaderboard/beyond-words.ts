/** What people accept beyond exact match, in a sentence. */
import type { BeyondExactMatch } from "../../api/schema";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";

export function beyondWords({ answers, has_possible }: BeyondExactMatch): string {
  const rejected = `${countOf(answers.rejected, "different answer")} that exact match rejects`;
  if (answers.decided === 0) return `People have decided none of ${rejected} yet.`;
  const decided =
    answers.decided === answers.rejected
      ? rejected
      : `${rejected}, of which ${formatCount(answers.decided)} are decided`;
  const definitely = formatPercent(answers.definitely.share);
  if (!has_possible) return `Of ${decided}, people accept ${definitely}. Intervals are over questions.`;
  return `Of ${decided}, people call ${definitely} definitely and ${formatPercent(answers.possibly.share)} possibly correct. Intervals are over questions.`;
}
