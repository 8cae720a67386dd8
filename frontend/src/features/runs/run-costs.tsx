/** What a run that asks a model has cost so far, how fast it is answered, and what the rest after a sample would take. */
import type { Run } from "../../api/schema";
import { Stat } from "../../components/stat";
import { formatCount, formatMoney } from "../../lib/numbers";
import styles from "./run-page.module.css";
import { restWords } from "./run-words";

export function RunCosts({ run }: { readonly run: Run }) {
  if (!run.connection) return <Rest run={run} />;
  const { calls, cache_hits, input_tokens, output_tokens, mean_seconds } = run.calls;
  return (
    <>
      <div className={styles["stats"]}>
        <Stat name="Spent" value={formatMoney(run.spent)}>
          {run.spend_cap === null ? "no limit" : `of at most ${formatMoney(run.spend_cap)}`}; a call whose
          price the provider did not tell counts at the most it could cost
        </Stat>
        <Stat name="Calls" value={formatCount(calls)}>
          {formatCount(cache_hits)} answered from earlier ones
        </Stat>
        <Stat name="Tokens" value={formatCount(input_tokens + output_tokens)}>
          {formatCount(input_tokens)} in, {formatCount(output_tokens)} out
        </Stat>
        <Stat name="A reply takes" value={mean_seconds === null ? "–" : `${mean_seconds.toFixed(1)} s`} />
      </div>
      <Rest run={run} />
    </>
  );
}

function Rest({ run }: { readonly run: Run }) {
  const words = restWords(run);
  return words && <p>{words}</p>;
}
