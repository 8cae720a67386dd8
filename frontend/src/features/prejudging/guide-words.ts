/** The steps of pre-judging in words. */
import type { AuditReport, CalibrationState, Policy } from "../../api/schema";
import { countOf, formatCount } from "../../lib/numbers";
import { isAtWork } from "./words";

/** What is promised on this way, and what is not. */
export const GUIDE_PROMISE =
  "Automatic judges can settle answers so that people have fewer to judge. If you follow these steps, you can publish the corrected scores with their intervals: in 95 of 100 studies, such an interval contains the score that the system would have if people judged all its answers. These intervals guarantee nothing about any individual answer or about a rule without a certificate.";

export const NOTHING_TO_SETTLE =
  "There are no open answers that a rule could settle. Import more answers to continue.";

interface Step {
  readonly words: string;
  readonly state: "done" | "next" | "later";
}

/** Whether people have decided every answer that was drawn for the audit. */
function isAudited(audit: AuditReport | undefined): boolean {
  return audit !== undefined && audit.rules.length > 0 && audit.pooled.drawn > 0 && audit.pooled.open === 0;
}

export function guideSteps(
  policy: Policy,
  calibration: CalibrationState,
  audit?: AuditReport,
): readonly Step[] {
  const { sample, certificates, drawable } = calibration;
  const holding = certificates.some(({ threshold, lapse }) => threshold !== null && lapse === "");
  const isApplied = policy.applications.some(({ state }) => state !== "undone") && !isAtWork(policy);
  const isJudged = holding || sample?.open === 0;
  const steps = [
    {
      words: "Create a calibration sample under “Certificates” below.",
      isDone: sample !== null || holding,
      needsOpen: true,
    },
    {
      words: `Let people judge the sample. Annotators get it first${judgedWords(sample)}.`,
      isDone: isJudged,
      needsOpen: false,
    },
    {
      words: "Add a rule, choose its judge, then choose “Certify this rule.”",
      isDone: holding,
      needsOpen: true,
    },
    {
      words: `Preview the policy, then save and apply it with an audit share above 0.${applyingWords(policy)}`,
      isDone: isApplied,
      needsOpen: !isAtWork(policy),
    },
    {
      words:
        "Let people judge the audited answers. The leaderboard then shows corrected scores, and the Export page shows “Methods and results” for your paper.",
      isDone: isApplied && isAudited(audit),
      needsOpen: false,
    },
  ];
  const place = steps.findIndex(({ isDone }) => !isDone);
  const next = steps[place]?.needsOpen && drawable === 0 ? null : place;
  return steps.map(({ words, isDone }, place) => ({
    words,
    state: isDone ? "done" : place === next ? "next" : "later",
  }));
}

/** How far a policy is while it is applied; empty otherwise. */
function applyingWords({ applications }: Policy): string {
  const found = applications.find(({ state }) => state === "queued" || state === "running");
  if (!found) return "";
  return ` Applying: ${countOf(found.decided + found.drawn, "answer")} matched so far. This page updates itself.`;
}

function judgedWords(sample: CalibrationState["sample"]): string {
  if (!sample || sample.open === 0) return "";
  return ` (${formatCount(sample.decided)} of ${formatCount(sample.decided + sample.open)} judged)`;
}
