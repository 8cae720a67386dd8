/** What the run would take, asked of the server while it is set up. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask } from "../../api/client";
import type { RunChoice, RunEstimate } from "../../api/contract";
import { messageOf } from "../../api/error";
import { countOf, formatCount, formatMoney } from "../../lib/numbers";
import { formatDuration } from "../../lib/time";
import styles from "./new-run.module.css";

interface ExpectedProps {
  readonly slug: string;
  readonly choice: RunChoice;
}

export function Expected({ slug, choice }: ExpectedProps) {
  const query = useQuery({
    ...ask("/api/projects/{slug}/runs/estimate", { slug }, choice),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (query.isError) return <p className={styles["soft"]}>{messageOf(query.error)}</p>;
  if (!query.data) return <p className={styles["soft"]}>Counting what there is to do …</p>;
  return <p className={styles["expected"]}>{expectedWords(query.data)}</p>;
}

function expectedWords(estimate: RunEstimate): string {
  if (estimate.answers === 0) return "Nothing is left to judge with these options.";
  const words = [countOf(estimate.answers, "answer") + " to judge"];
  if (estimate.calls > 0) {
    const tokens = formatCount(estimate.input_tokens + estimate.output_tokens);
    words.push(
      `${countOf(estimate.calls, "call")} and about ${tokens} tokens`,
      `about ${formatMoney(estimate.cost)}, at most ${formatMoney(estimate.most_cost)}`,
    );
  }
  if (estimate.seconds !== null) words.push(`about ${formatDuration(estimate.seconds)}`);
  return `${words.join(" · ")}.`;
}
