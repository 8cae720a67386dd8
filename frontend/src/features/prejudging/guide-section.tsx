/** The way from imported answers to scores that are fit to publish, and what of it comes next. */
import type { AuditReport, CalibrationState, Policy } from "../../api/schema";
import { GUIDE_PROMISE, guideSteps, NOTHING_TO_SETTLE } from "./guide-words";
import { withTerms } from "../../components/term";
import styles from "./prejudging.module.css";

interface GuideSectionProps {
  readonly policy: Policy;
  readonly calibration: CalibrationState;
  /** Undefined while it is on its way. */
  readonly audit: AuditReport | undefined;
}

export function GuideSection({ policy, calibration, audit }: GuideSectionProps) {
  const steps = guideSteps(policy, calibration, audit);
  const said = withTerms(
    steps.map(({ words }) => words),
    { policy: "policy", "calibration sample": "calibration-sample", audit: "audit" },
  );
  return (
    <div className={styles["form"]}>
      <p>{GUIDE_PROMISE}</p>
      <ol className={styles["steps"]}>
        {steps.map(({ words, state }, place) => (
          <li
            key={words}
            className={state === "next" ? undefined : styles["other"]}
            aria-current={state === "next" ? "step" : undefined}
          >
            {state === "next" ? <strong>{said[place]}</strong> : said[place]}
            {state === "done" && " Done."}
          </li>
        ))}
      </ol>
      {steps.every(({ state }) => state !== "next") && steps.some(({ state }) => state !== "done") && (
        <p>{NOTHING_TO_SETTLE}</p>
      )}
    </div>
  );
}
