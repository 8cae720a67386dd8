/** What each page promises, and what not, once judges have settled answers without people. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/client";
import { useMayOpen, useProject } from "../api/project";
import type { AuditReport, SampleProgress } from "../api/schema";
import { ProjectLink } from "../components/project-link";
import { TermsIn } from "../components/term";
import { countOf, formatCount } from "../lib/numbers";

const PROMISES = {
  agreement:
    "These figures cover only the answers that people judged. They say nothing about the settled answers.",
  answers:
    "A certificate and its audit cover all settled answers together. They guarantee nothing about any individual answer.",
  export:
    "Only corrected scores have intervals that account for automatic judges’ errors. Counts, gold lists, and labels in these files include automatic judges’ decisions, so individual answers may be labeled incorrectly.",
  failures:
    "Rounds and boards count only answers that people decided. They say nothing about the settled answers.",
  gold: "Answers that automatic judges accepted are in this list, too, and some of them may be incorrect. Corrected scores on the leaderboard account for these errors; scores against this list do not.",
} as const;

interface SettledNoticeProps {
  readonly page: keyof typeof PROMISES;
}

/** One line under the title, for those who may see what judges settled; nothing where people decided it all. */
export function SettledNotice({ page }: SettledNoticeProps) {
  const { slug, role } = useProject();
  const mayOpen = useMayOpen();
  const audit = useQuery({
    ...read("/api/projects/{slug}/prejudging/audit", { slug }),
    enabled: role === "lead" || role === "viewer",
  });
  const settled = audit.data ? settledCount(audit.data) : 0;
  if (settled === 0) return null;
  return (
    <p className="soft">
      Automatic judges settled {countOf(settled, "answer")} without human review.{" "}
      <TermsIn
        text={PROMISES[page]}
        terms={{ certificate: "certificate", audit: "audit", intervals: "interval" }}
      />{" "}
      {mayOpen("prejudging") && <ProjectLink page="prejudging">View pre-judging</ProjectLink>}
    </p>
  );
}

const ASK_AGAIN_AFTER = 60_000;

/** One line while people judge a calibration sample or an audit: how far they are; for leads alone. */
export function RunningNotice() {
  const { slug, role } = useProject();
  const asked = { enabled: role === "lead", refetchInterval: ASK_AGAIN_AFTER };
  const audit = useQuery({ ...read("/api/projects/{slug}/prejudging/audit", { slug }), ...asked });
  const calibration = useQuery({
    ...read("/api/projects/{slug}/prejudging/calibration", { slug }),
    ...asked,
  });
  const sample = calibration.data?.sample;
  const words = [
    sample && sample.open > 0 ? calibrationWords(sample) : "",
    audit.data ? auditWords(audit.data) : "",
  ].filter((each) => each !== "");
  if (words.length === 0) return null;
  return (
    <p className="soft">
      <TermsIn
        text={words.join(" ")}
        terms={{ "calibration sample": "calibration-sample", audit: "audit" }}
      />{" "}
      <ProjectLink page="prejudging">View pre-judging</ProjectLink>
    </p>
  );
}

/** How much of the calibration sample people have decided. */
export function calibrationWords({ decided, open }: Pick<SampleProgress, "decided" | "open">): string {
  return `A calibration sample is in progress: people have decided ${formatCount(decided)} of its ${countOf(decided + open, "answer")}.`;
}

/** How much of the audit people have decided; empty where none of it is left. */
export function auditWords({ rules, pooled }: AuditReport): string {
  if (rules.length === 0 || pooled.open === 0) return "";
  return `An audit of settled answers is in progress: people have decided ${formatCount(pooled.drawn - pooled.open)} of its ${countOf(pooled.drawn, "answer")}.`;
}

/** How many answers rules settled and no audit sent to people. */
export function settledCount({ pooled, rules }: AuditReport): number {
  return rules.length === 0 ? 0 : pooled.settled - pooled.drawn;
}

/** How the audit fits the certificates of the rules, as the server and the methods text say it. */
export function besideCertificates({ rules }: AuditReport): readonly string[] {
  return rules.map(({ beside_certificate: words }) => words).filter((words) => words !== "");
}
