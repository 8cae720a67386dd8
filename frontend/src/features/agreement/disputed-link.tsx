/** The rows behind a number of agreement: the answers, or of a check the questions, on which raters differ. */
import type { ReactNode } from "react";
import type { AgreementDimensionEnum } from "../../api/schema";
import { useProject } from "../../api/project";
import { ProjectLink } from "../../components/project-link";
import { formatCount } from "../../lib/numbers";
import type { AgreementWay } from "./way";

interface DisputedLinkProps {
  readonly way: AgreementWay;
  readonly count: number;
  readonly part?: { readonly by: AgreementDimensionEnum; readonly part: string };
  /** Two raters, of whom alone the number is. */
  readonly pair?: { readonly a: string; readonly b: string };
  /** Words instead of the number. */
  readonly children?: ReactNode;
}

export function DisputedLink({ way, count, part, pair, children }: DisputedLinkProps) {
  const { role, sees_systems: seesSystems } = useProject();
  const isOfSystem = part?.by === "system" || part?.by === "system_family";
  const isOfRater = part?.by === "rater" || pair !== undefined;
  // Who decides without knowing systems, or raters, is led to no answers chosen by them.
  const isHidden = (isOfSystem && !seesSystems) || (isOfRater && role !== "lead");
  if (count === 0 || isHidden) return children ?? formatCount(count);
  const read: Readonly<Record<string, string>> =
    way.check === "" ? { missing_votes: way.missingVotes, labels: way.labels } : { check: way.check };
  const raters = pair && { raters: `${pair.a}~${pair.b}` };
  return (
    <ProjectLink page="answers" search={{ state: "disagreement", ...read, ...part, ...raters }}>
      {children ?? formatCount(count)}
    </ProjectLink>
  );
}
