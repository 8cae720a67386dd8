/** One run: how far it is and what it costs, why answers have no verdict, and every verdict with its reply. */
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { read } from "../../api/client";
import type { Run } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { EntryHead } from "../../components/list";
import { Notice } from "../../components/notice";
import { Page, PageHeader, Section, useTitle } from "../../components/page";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { WorkerNotice } from "../../domain/worker-notice";
import { JudgedParts } from "./judged-parts";
import { RunActions } from "./run-actions";
import { RunCosts } from "./run-costs";
import { RunFailures } from "./run-failures";
import styles from "./run-list.module.css";
import {
  holdupWords,
  isAtWork,
  optionWords,
  paceWords,
  resultWords,
  RUN_STATES,
  scopeWords,
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
      <QueryView query={query} level={1}>
        {(run) => <Found slug={project.slug} run={run} />}
      </QueryView>
    </Page>
  );
}

function Found({ slug, run }: { readonly slug: string; readonly run: Run }) {
  const state = RUN_STATES[run.state];
  return (
    <>
      <PageHeader
        title={run.name}
        lead={resultWords(run)}
        actions={<ProjectLink page="runs">All runs, and how far they agree with people</ProjectLink>}
      />
      <WorkerNotice waiting={isAtWork(run)} />
      <div className={styles["run"]}>
        <EntryHead>
          <Badge tone={state.tone}>{state.words}</Badge>
          {run.stale && <Badge tone="warning">Gold has changed since</Badge>}
          {run.connection && <span className={styles["soft"]}>{run.connection.model}</span>}
        </EntryHead>
        {isAtWork(run) && (
          <ProgressBar
            label={`Progress of ${run.name}`}
            done={run.done}
            total={run.total}
            note={paceWords(run)}
          />
        )}
        {run.holdup && <Notice tone="warning">{holdupWords(run)}</Notice>}
        {run.message && <Notice tone={state.tone === "danger" ? "danger" : "warning"}>{run.message}</Notice>}
        {scopeWords(run) && <p className={styles["soft"]}>{scopeWords(run)}</p>}
        <ServedModels run={run} />
        <RunCosts run={run} />
        <RunActions slug={slug} run={run} />
        <details className={styles["soft"]}>
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
          <Section title="Verdicts">
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
  if (run.served.length === 1) return <p className={styles["soft"]}>{words}</p>;
  return (
    <Notice tone="warning" title="The provider changed the model while this run was at work.">
      <p>{words}</p>
    </Notice>
  );
}
