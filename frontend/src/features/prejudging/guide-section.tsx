/** The way from imported answers to scores that are fit to publish, and what of it comes next. */
import type { ComponentProps } from "react";
import type { AuditReport, CalibrationState, Policy } from "../../api/schema";
import { GUIDE_PROMISE, guideSteps, NOTHING_TO_SETTLE } from "./guide-words";
import { termsByText, TermsIn } from "../../components/term";
import styles from "./prejudging.module.css";

interface GuideSectionProps {
  readonly policy: Policy;
  readonly calibration: CalibrationState;
  /** Undefined while it is on its way. */
  readonly audit: AuditReport | undefined;
}

export function GuideSection({ policy, calibration, audit }: GuideSectionProps) {
  const steps = guideSteps(policy, calibration, audit);
  const terms = termsByText([GUIDE_PROMISE, ...steps.map(({ words }) => words)], {
    policy: "policy",
    "calibration sample": "calibration-sample",
    audit: "audit",
  });
  return (
    <div className={styles["form"]}>
      <p>
        <TermsIn text={GUIDE_PROMISE} terms={terms[0] ?? {}} />
      </p>
      <ol className={styles["steps"]}>
        {steps.map(({ words, state }, place) => (
          <li
            key={words}
            className={state === "next" ? undefined : styles["other"]}
            aria-current={state === "next" ? "step" : undefined}
          >
            <StepWords words={words} isNext={state === "next"} terms={terms[place + 1] ?? {}} />
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

interface StepWordsProps {
  readonly words: string;
  readonly isNext: boolean;
  readonly terms: ComponentProps<typeof TermsIn>["terms"];
}

function StepWords({ words, isNext, terms }: StepWordsProps) {
  const said = <TermsIn text={words} terms={terms} />;
  return isNext ? <strong>{said}</strong> : said;
}
