/** What can be done with a run in the state it is in. */
import { useState } from "react";
import type { Run } from "../../api/contract";
import { cancelRun } from "../../api/runs/cancel-run";
import { continueRun } from "../../api/runs/continue-run";
import { pauseRun } from "../../api/runs/pause-run";
import { resumeRun } from "../../api/runs/resume-run";
import { retryRun } from "../../api/runs/retry-run";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import styles from "./run-list.module.css";
import { isAtWork, isRepeatable } from "./run-words";
import { useRunAction } from "./use-run-action";

interface RunActionsProps {
  readonly slug: string;
  readonly run: Run;
}

export function RunActions({ slug, run }: RunActionsProps) {
  const retry = useRunAction(slug, () => retryRun(slug, run.id));
  const cancel = useRunAction(slug, () => cancelRun(slug, run.id));
  const pause = useRunAction(slug, () => pauseRun(slug, run.id));
  const goOn = useRunAction(slug, () => continueRun(slug, run.id));
  if (run.state === "paused") return <ResumeForm slug={slug} run={run} />;
  if (isAtWork(run)) {
    return (
      <div className={styles["actions"]}>
        <Button size="small" busy={pause.isPending} onClick={() => pause.mutate()}>
          Pause
        </Button>
        <Button size="small" variant="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Stop
        </Button>
      </div>
    );
  }
  if (run.state === "sampled") {
    return (
      <div className={styles["actions"]}>
        <Button size="small" variant="primary" busy={goOn.isPending} onClick={() => goOn.mutate()}>
          Judge the rest
        </Button>
      </div>
    );
  }
  if (run.failed === 0 || !isRepeatable(run)) return null;
  return (
    <div className={styles["actions"]}>
      <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
        Try the failed answers again
      </Button>
    </div>
  );
}

function ResumeForm({ slug, run }: RunActionsProps) {
  const [cap, setCap] = useState(run.spend_cap ?? "");
  const resume = useRunAction(slug, () => resumeRun(slug, run.id, cap.trim() || null));
  const cancel = useRunAction(slug, () => cancelRun(slug, run.id));
  return (
    <div className={styles["actions"]}>
      {run.connection && (
        <TextField
          label="Spend at most (USD)"
          hint="Empty: no limit of its own."
          inputMode="decimal"
          value={cap}
          onChange={(event) => setCap(event.target.value)}
        />
      )}
      <Button variant="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
        Go on
      </Button>
      <Button variant="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Stop
      </Button>
    </div>
  );
}
