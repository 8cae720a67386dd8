/** What can be done with a run in the state it is in. */
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { Run } from "../../api/schema";
import { Button } from "../../components/button";
import { TextField } from "../../components/form";
import { useWrite } from "../../components/use-write";
import styles from "./run-page.module.css";
import { hasSpendingLimit, isAtWork, isRepeatable } from "./run-words";

interface RunActionsProps {
  readonly slug: string;
  readonly run: Run;
}

export function RunActions({ slug, run }: RunActionsProps) {
  const retry = useRunAction(slug, () =>
    post("/api/projects/{slug}/runs/{run_id}/retry", { slug, run_id: run.id }, { reason: null }),
  );
  const cancel = useRunAction(slug, () =>
    post("/api/projects/{slug}/runs/{run_id}/cancel", { slug, run_id: run.id }),
  );
  const pause = useRunAction(slug, () =>
    post("/api/projects/{slug}/runs/{run_id}/pause", { slug, run_id: run.id }),
  );
  const goOn = useRunAction(slug, () =>
    post("/api/projects/{slug}/runs/{run_id}/continue", { slug, run_id: run.id }),
  );
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
          Judge remaining answers
        </Button>
      </div>
    );
  }
  if (run.failed === 0 || !isRepeatable(run)) return null;
  return (
    <div className={styles["actions"]}>
      <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
        Retry failed answers
      </Button>
    </div>
  );
}

function ResumeForm({ slug, run }: RunActionsProps) {
  const [cap, setCap] = useState(run.spend_cap ?? "");
  const resume = useRunAction(slug, () =>
    post(
      "/api/projects/{slug}/runs/{run_id}/resume",
      { slug, run_id: run.id },
      { spend_cap: cap.trim() || null },
    ),
  );
  const cancel = useRunAction(slug, () =>
    post("/api/projects/{slug}/runs/{run_id}/cancel", { slug, run_id: run.id }),
  );
  return (
    <div className={styles["actions"]}>
      {hasSpendingLimit(run) && (
        <TextField
          label="Spending limit (USD)"
          hint="Leave empty to use only the connection’s limit."
          inputMode="decimal"
          value={cap}
          onChange={setCap}
        />
      )}
      <Button variant="primary" busy={resume.isPending} onClick={() => resume.mutate()}>
        Resume
      </Button>
      <Button variant="quiet" busy={cancel.isPending} onClick={() => cancel.mutate()}>
        Stop
      </Button>
    </div>
  );
}

/** Something done to a run: what it comes to is read anew, a refusal is said. */
export function useRunAction(slug: string, act: () => Promise<Run>) {
  return useWrite(act, { refusal: "note", stale: [keyOf("/api/projects/{slug}/runs", { slug })] });
}
