/** One run: how far it is and what it costs, why answers have no verdict, and every verdict with its reply. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { post, read } from "../../api/client";
import type { Run } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { EntryHead } from "../../components/list";
import { Notice } from "../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { Stat, Stats } from "../../components/stat";
import { Term } from "../../components/term";
import { WorkerNotice } from "../../domain/worker-notice";
import { countOf, formatCount, formatMoney } from "../../lib/numbers";
import { FollowingSetting } from "./following";
import { JudgedParts } from "./judged-parts";
import { RunActions, useRunAction } from "./run-actions";
import { RunProgress, RunState } from "./run-list";
import styles from "./run-page.module.css";
import { optionWords } from "./option-words";
import {
  adviceWords,
  holdupWords,
  isLasting,
  isAtWork,
  isRepeatable,
  reasonWords,
  restWords,
  resultWords,
  RUN_STATES,
  scopeWords,
  servedTitle,
  servedWords,
} from "./run-words";
import { VerdictSection } from "./verdict-section";

const ASK_AGAIN_AFTER = 1_000;

export function RunPage() {
  const project = useProject();
  const id = useParams({ strict: false }).run ?? "";
  const query = useQuery({
    ...read("/api/projects/{slug}/runs/{run_id}", { slug: project.slug, run_id: id }),
    refetchInterval: ({ state }) => (state.data && isAtWork(state.data) ? ASK_AGAIN_AFTER : false),
  });
  useTitle(query.data?.name ?? "Run", project.name);
  return (
    <Page>
      <PageHeader
        title={query.data?.name ?? "Run"}
        lead={query.data && resultWords(query.data)}
        actions={<ProjectButtonLink page="runs">All runs</ProjectButtonLink>}
      />
      <QueryView query={query}>{(run) => <Found slug={project.slug} run={run} />}</QueryView>
    </Page>
  );
}

function Found({ slug, run }: { readonly slug: string; readonly run: Run }) {
  const { tone } = RUN_STATES[run.state];
  return (
    <>
      <WorkerNotice waiting={isAtWork(run)} />
      <div className={styles["run"]}>
        <EntryHead>
          <RunState run={run} />
          {run.connection && <span className="soft">{run.connection.model}</span>}
        </EntryHead>
        <p>{run.summary}</p>
        {isAtWork(run) && <RunProgress run={run} />}
        {run.holdup && <Notice tone="warning">{holdupWords(run)}</Notice>}
        {run.message && <Notice tone={tone === "danger" ? "danger" : "warning"}>{run.message}</Notice>}
        {scopeWords(run) && <p className="soft">{scopeWords(run)}</p>}
        <ServedModels run={run} />
        <RunCosts run={run} />
        <RunActions slug={slug} run={run} />
        <FollowingSetting slug={slug} run={run} />
        <details className="soft">
          <summary>Options and signature</summary>
          <p>{optionWords(run)}</p>
          <code className={styles["signature"]}>{run.signature}</code>
        </details>
      </div>
      {run.failures.length > 0 && (
        <Section title="Answers without a verdict">
          <RunFailures slug={slug} run={run} />
        </Section>
      )}
      {run.purpose === "verdicts" && (
        <>
          {run.state !== "cancelled" && <JudgedParts slug={slug} run={run} />}
          <Section title={<Term name="verdict">Verdicts</Term>}>
            <VerdictSection slug={slug} run={run} />
          </Section>
        </>
      )}
    </>
  );
}

/** What the provider calls the model it served may be another than was asked for, and may change meanwhile. */
function ServedModels({ run }: { readonly run: Run }) {
  const words = servedWords(run);
  if (!words) return null;
  if (run.served.length === 1) return <p className="soft">{words}</p>;
  return (
    <Notice tone="warning" title={servedTitle(run)}>
      <p>{words}</p>
    </Notice>
  );
}

/** What a run that asks a model has cost so far, how fast it is answered, and what the rest after a sample would take. */
function RunCosts({ run }: { readonly run: Run }) {
  if (!run.connection) return <Rest run={run} />;
  const { calls, cache_hits, input_tokens, output_tokens, cached_tokens, mean_seconds } = run.calls;
  return (
    <>
      <Stats>
        <Stat name="Spent" value={formatMoney(run.spent)}>
          {run.spend_cap === null ? "No limit." : `Limit: ${formatMoney(run.spend_cap)}.`} Calls for which the
          provider reports no price are counted at their maximum cost.
        </Stat>
        <Stat name="Calls" value={formatCount(calls)}>
          {formatCount(cache_hits)} reused
        </Stat>
        <Stat name="Tokens" value={formatCount(input_tokens + output_tokens)}>
          {formatCount(input_tokens)} input
          {cached_tokens > 0 && ` (${formatCount(cached_tokens)} from the provider’s cache)`},{" "}
          {formatCount(output_tokens)} output
        </Stat>
        <Stat name="Time per reply" value={mean_seconds === null ? "–" : `${mean_seconds.toFixed(1)} s`} />
      </Stats>
      <Rest run={run} />
    </>
  );
}

function Rest({ run }: { readonly run: Run }) {
  const words = restWords(run);
  return words && <p>{words}</p>;
}

/** Why answers have no verdict, reason by reason, each tried again with one click. */
function RunFailures({ slug, run }: { readonly slug: string; readonly run: Run }) {
  return (
    <ul className="ruled" aria-label={`Answers without a verdict by ${run.name}`}>
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
      <span className={styles["count"]}>{countOf(count, "answer")}</span>
      <span className={styles["reason"]}>
        {reasonWords(reason)}
        {advice && <span className={styles["advice"]}>{advice}</span>}
      </span>
      {!isAtWork(run) && isRepeatable(run) && !isLasting(reason) && (
        <Button size="small" busy={retry.isPending} onClick={() => retry.mutate()}>
          Try again<span className="visually-hidden">: {reasonWords(reason)}</span>
        </Button>
      )}
    </li>
  );
}
