/** Why answers have no verdict, reason by reason, each tried again with one click. */
import { post } from "../../api/client";
import type { Run } from "../../api/schema";
import { Button } from "../../components/button";
import { formatCount } from "../../lib/numbers";
import styles from "./run-page.module.css";
import { adviceWords, isAtWork, isRepeatable, reasonWords } from "./run-words";
import { useRunAction } from "./use-run-action";

export function RunFailures({ slug, run }: { readonly slug: string; readonly run: Run }) {
  return (
    <ul className={styles["failures"]} aria-label={`Answers without a verdict by ${run.name}`}>
      {run.failures.map(({ reason, count }) => (
        <FailureRow key={reason} slug={slug} run={run} reason={reason} count={count} />
      ))}
    </ul>
  );
}

interface FailureRowProps {
  readonly slug: string;
  readonly run: Run;
  readonly reason: string;
  readonly count: number;
}

function FailureRow({ slug, run, reason, count }: FailureRowProps) {
  const advice = adviceWords(reason, run);
  const retry = useRunAction(slug, () =>
    post("/api/projects/{slug}/runs/{run_id}/retry", { slug, run_id: run.id }, { reason }),
  );
  return (
    <li className={styles["failure"]}>
      <span className={styles["count"]}>{formatCount(count)}</span>
      <span className={styles["reason"]}>
        {reasonWords(reason)}
        {advice && <span className={styles["advice"]}>{advice}</span>}
      </span>
      {!isAtWork(run) && isRepeatable(run) && (
        <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
          Try again<span className="visually-hidden">: {reasonWords(reason)}</span>
        </Button>
      )}
    </li>
  );
}
