/** Runs with progress counted from rows, failures by reason, and what can be done about them. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Run } from "../../api/contract";
import { messageOf } from "../../api/error";
import { cancelRun } from "../../api/runs/cancel-run";
import { retryRun } from "../../api/runs/retry-run";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ProgressBar } from "../../components/progress-bar";
import { RelativeTime } from "../../components/relative-time";
import { useToast } from "../../components/toast";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./run-list.module.css";
import { isAtWork, optionWords, paceWords, RUN_STATES } from "./run-words";

export function RunList({ slug, runs }: { readonly slug: string; readonly runs: readonly Run[] }) {
  return (
    <ul className={styles["list"]}>
      {runs.map((run) => (
        <RunRow key={run.id} slug={slug} run={run} />
      ))}
    </ul>
  );
}

function RunRow({ slug, run }: { readonly slug: string; readonly run: Run }) {
  const state = RUN_STATES[run.state] ?? { words: run.state, tone: "neutral" as const };
  const options = optionWords(run.options);
  return (
    <li className={styles["run"]}>
      <div className={styles["head"]}>
        <h3>{run.name}</h3>
        <Badge tone={state.tone}>{state.words}</Badge>
        {run.stale && <Badge tone="warning">Gold has changed since</Badge>}
        <span className={styles["when"]}>
          {run.finished_at ? (
            <RelativeTime at={run.finished_at} />
          ) : (
            run.started_at && <RelativeTime at={run.started_at} />
          )}
        </span>
      </div>
      {options && <p className={styles["soft"]}>{options}</p>}
      {isAtWork(run) ? (
        <ProgressBar
          label={`Progress of ${run.name}`}
          done={run.done}
          total={run.total}
          note={paceWords(run)}
        />
      ) : (
        <p className={styles["soft"]}>{resultWords(run)}</p>
      )}
      {run.message && <p className={styles["soft"]}>{run.message}</p>}
      <Failures run={run} />
      <code className={styles["signature"]}>{run.signature}</code>
      <RunActions slug={slug} run={run} />
    </li>
  );
}

function resultWords(run: Run): string {
  const words = [`${formatCount(run.done)} of ${countOf(run.total, "answer")} judged`];
  if (run.unscored > 0) words.push(`${formatCount(run.unscored)} could not be judged`);
  if (run.failed > 0) words.push(`${formatCount(run.failed)} failed`);
  return words.join(" · ");
}

function Failures({ run }: { readonly run: Run }) {
  if (run.failures.length === 0) return null;
  return (
    <ul
      className={styles["failures"]}
      data-failed={run.failed > 0}
      aria-label={`Answers without a verdict by ${run.name}`}
    >
      {run.failures.map((failure) => (
        <li key={failure.reason}>
          <span className={styles["count"]}>{formatCount(failure.count)}</span>{" "}
          {failure.reason.replaceAll("_", " ")}
        </li>
      ))}
    </ul>
  );
}

function RunActions({ slug, run }: { readonly slug: string; readonly run: Run }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const settle = {
    onError: (error: unknown) => toast({ text: messageOf(error), tone: "error" as const }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["project", slug, "runs"] }),
  };
  const retry = useMutation({ mutationFn: () => retryRun(slug, run.id), ...settle });
  const cancel = useMutation({ mutationFn: () => cancelRun(slug, run.id), ...settle });
  const mayRetry = !isAtWork(run) && (run.failed > 0 || run.state === "failed" || run.state === "cancelled");
  if (!isAtWork(run) && !mayRetry) return null;
  return (
    <div className={styles["actions"]}>
      {mayRetry && (
        <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
          {run.state === "cancelled" ? "Go on with the rest" : "Try the failed answers again"}
        </Button>
      )}
      {isAtWork(run) && (
        <Button size="small" busy={cancel.isPending} onClick={() => cancel.mutate()}>
          Stop
        </Button>
      )}
    </div>
  );
}
