/** What each page promises, and what not, once judges have settled answers without people. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../api/client";
import { useProject } from "../api/project";
import type { AuditReport } from "../api/schema";
import { ProjectLink } from "../components/project-link";
import { countOf } from "../lib/numbers";

const PROMISES = {
  agreement:
    "These figures cover only the answers that people judged. They say nothing about the settled answers.",
  answers:
    "A certificate and its audit cover all settled answers together. They promise nothing about a single answer.",
  export:
    "Only corrected scores have intervals that allow for judges’ errors. Counts, gold lists and labels in these files include judges’ decisions, and nothing is promised about a single answer.",
  failures:
    "Rounds and boards count only answers that people decided. They say nothing about the settled answers.",
  gold: "Answers that judges accepted are in this list, too, and some of them may be wrong. Corrected scores on the leaderboard allow for these errors; scores against this list do not.",
} as const;

interface SettledNoticeProps {
  readonly page: keyof typeof PROMISES;
}

/** One line under the title, for those who may see what judges settled; nothing where people decided it all. */
export function SettledNotice({ page }: SettledNoticeProps) {
  const { slug, role } = useProject();
  const audit = useQuery({
    ...read("/api/projects/{slug}/prejudging/audit", { slug }),
    enabled: role === "lead",
  });
  const settled = audit.data ? settledCount(audit.data) : 0;
  if (settled === 0) return null;
  return (
    <p className="soft">
      Judges settled {countOf(settled, "answer")} without people. {PROMISES[page]}{" "}
      <ProjectLink page="runs/prejudging">View pre-judging</ProjectLink>
    </p>
  );
}

/** How many answers rules settled and no audit sent to people. */
export function settledCount({ pooled, rules }: AuditReport): number {
  return rules.length === 0 ? 0 : pooled.settled - pooled.drawn;
}
