/** Runs with progress counted from rows, failures by reason, and what can be done about them. */
import type { Run } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Entry, EntryHead, EntryList } from "../../components/list";
import { ProgressBar } from "../../components/progress-bar";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import { countOf, formatMoney } from "../../lib/numbers";
import { RunActions } from "./run-actions";
import styles from "./run-page.module.css";
import { optionWords } from "./option-words";
import { isAtWork, isLasting, paceWords, reasonWords, resultWords, RUN_STATES } from "./run-words";

export function RunList({ slug, runs }: { readonly slug: string; readonly runs: readonly Run[] }) {
  return (
    <EntryList>
      {runs.map((run) => (
        <RunRow key={run.id} slug={slug} run={run} />
      ))}
    </EntryList>
  );
}

function RunRow({ slug, run }: { readonly slug: string; readonly run: Run }) {
  const options = optionWords(run);
  return (
    <Entry>
      <EntryHead>
        <h3>
          <ProjectLink page={`runs/${run.id}`}>{run.name}</ProjectLink>
        </h3>
        <RunState run={run} />
        <span className={styles["when"]}>
          {run.finished_at ? (
            <RelativeTime at={run.finished_at} />
          ) : (
            run.started_at && <RelativeTime at={run.started_at} />
          )}
        </span>
      </EntryHead>
      {run.connection && (
        <p className="soft">
          {run.connection.model} through {run.connection.name} · {formatMoney(run.spent)} spent
          {run.spend_cap !== null && `, limit ${formatMoney(run.spend_cap)}`}
        </p>
      )}
      {options && <p className="soft">{options}</p>}
      {isAtWork(run) ? <RunProgress run={run} /> : <p className="soft">{resultWords(run)}</p>}
      {run.message && <p className="soft">{run.message}</p>}
      <Failures run={run} />
      <RunActions slug={slug} run={run} />
    </Entry>
  );
}

const STALE_WORDS: Readonly<Record<NonNullable<Run["stale"]>, string>> = {
  gold: "Outdated: gold list changed",
  members: "Outdated: one of its judges ran again",
  decisions: "Outdated: new decisions",
};

export function RunState({ run }: { readonly run: Run }) {
  const { tone, words } = RUN_STATES[run.state];
  return (
    <>
      <Badge tone={tone}>{words}</Badge>
      {run.stale && <Badge tone="warning">{STALE_WORDS[run.stale]}</Badge>}
    </>
  );
}

export function RunProgress({ run }: { readonly run: Run }) {
  const label = `Progress of ${run.name}`;
  return <ProgressBar label={label} done={run.done} total={run.total} note={paceWords(run)} />;
}

function Failures({ run }: { readonly run: Run }) {
  if (run.failures.length === 0) return null;
  return (
    <ul
      className={styles["reasons"]}
      data-failed={run.failed > 0}
      aria-label={`Answers without a verdict by ${run.name}`}
    >
      {run.failures.map((failure) => (
        <li key={failure.reason}>
          <span className={styles["count"]}>{countOf(failure.count, "answer")}</span>:{" "}
          {reasonWords(failure.reason)}
          {isLasting(failure.reason) && (
            <>
              .{" "}
              <ProjectLink page={`runs/${run.id}`} search={{ reason: failure.reason }}>
                View answers
              </ProjectLink>
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
