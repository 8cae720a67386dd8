/** Agreement with its interval, and how far amendment moved the scores. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Overview } from "../../api/contract";
import { useProject } from "../../api/project";
import { ProjectLink } from "../../components/project-link";
import { Stat } from "../../components/stat";
import { isPartlyJudged, judgedOf } from "../../lib/judged";
import { longAnswersRemark } from "../../lib/long-answers";
import { formatCoefficient, formatDifference } from "../../lib/numbers";
import styles from "./two-numbers.module.css";

/** The leaderboard as it opens. */
const UNFILTERED = { scope: "sample", part: "all", dataset: "", tag: "" } as const;

export function TwoNumbers({ overview }: { readonly overview: Overview }) {
  return (
    <div className={styles["numbers"]}>
      <AgreementStat agreement={overview.agreement} />
      <MovementStat movement={overview.movement} />
    </div>
  );
}

function AgreementStat({ agreement }: Pick<Overview, "agreement">) {
  if (agreement === null) {
    return (
      <Stat name="Agreement of raters" value="–">
        Known once two raters have judged the same answers.
      </Stat>
    );
  }
  const interval =
    agreement.low === null || agreement.high === null
      ? ""
      : `95 % interval ${formatCoefficient(agreement.low)} to ${formatCoefficient(agreement.high)}. `;
  return (
    <Stat name="Agreement of raters" value={formatCoefficient(agreement.value)}>
      {interval}
      {agreement.words} <ProjectLink page="agreement">See agreement</ProjectLink>
    </Stat>
  );
}

function MovementStat({ movement }: Pick<Overview, "movement">) {
  const { slug } = useProject();
  const gains = useQuery({
    ...read(
      "/api/projects/{slug}/leaderboard/gains",
      { slug },
      { ...UNFILTERED, column: (movement ? "exact_match" : undefined) ?? "" },
    ),
    enabled: (movement ? "exact_match" : undefined) !== undefined,
  });
  if (movement === null) {
    return (
      <Stat name="What amendment moved" value="–">
        Known once accepted answers have joined the gold list.
      </Stat>
    );
  }
  // A number that tells more of the answers' length than of amendment is no headline.
  if (movement.has_long_answers)
    return (
      <Stat name="What amendment moved" value="–">
        The largest step over exact match is that of {movement.label}. {longAnswersRemark(movement)}{" "}
        <ProjectLink page="leaderboard">See the leaderboard</ProjectLink>
      </Stat>
    );
  const gain = gains.data?.find(({ column, system }) => column === "human" && system === movement.system);
  const [low, high] = gain?.interval ?? [];
  return (
    <Stat name="What amendment moved" value={`${formatDifference(movement.largest_gain)} points`}>
      {low !== undefined &&
        high !== undefined &&
        `95 % interval ${formatDifference(low)} to ${formatDifference(high)}. `}
      The largest gain over exact match, of {movement.label}
      {isPartlyJudged(movement) && `, with ${judgedOf(movement)} judged so far`}.{" "}
      <ProjectLink page="leaderboard">See the leaderboard</ProjectLink>
    </Stat>
  );
}
