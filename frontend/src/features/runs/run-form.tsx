/** A judge's own options as a form, with what it needs besides: a connection, members, a limit. */
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ask, kept, keyOf, post, read } from "../../api/client";
import type { Judge, RunChoiceRequest, RunEstimate, RunScopes, RunStartRequest } from "../../api/schema";
import { ApiError, fieldMessage } from "../../api/error";
import { CommandLine } from "../../components/command-line";
import { Choice, FieldRow, fieldsOf, Form, optionsOf, Submit, TextField } from "../../components/form";
import { Notice } from "../../components/notice";
import { ErrorNotice } from "../../components/query-view";
import { explained } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { countOf, formatCount, formatMoney } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { formatDuration } from "../../lib/time";
import {
  BesideChoice,
  ConnectionChoice,
  defaultsOf,
  JudgeOptions,
  MemberChoice,
  valuesOf,
} from "./judge-options";
import { FollowingChoice } from "./following";
import { PromptChoice } from "./prompt-choice";
import styles from "./new-run.module.css";

interface RunFormProps {
  readonly slug: string;
  readonly judge: Judge;
}

export function RunForm({ slug, judge }: RunFormProps) {
  const navigate = useNavigate();
  const prompt = useSearchState().read("prompt");
  const [draft, setDraft] = useState<RunDraft>(prompt ? { ...EMPTY, texts: { prompt } } : EMPTY);
  const change = (changes: Partial<RunDraft>) => setDraft((before) => ({ ...before, ...changes }));
  const setOption = (name: string, text: string) =>
    setDraft((before) => ({ ...before, texts: { ...before.texts, [name]: text } }));
  const connections = useQuery({
    ...read("/api/projects/{slug}/connections", { slug }),
    enabled: judge.needs === "connection",
  });
  const chosen = connections.data?.find(({ id }) => id === draft.connection);
  // A local model costs nothing.
  const costs = judge.needs === "connection" && chosen?.api !== "transformers";
  const start = useWrite(() => post("/api/projects/{slug}/runs", { slug }, startOf(judge, draft, costs)), {
    stale: [keyOf("/api/projects/{slug}/runs", { slug })],
    onDone: (run) => navigate({ to: `/${slug}/runs/${run.id}` as "/" }),
  });
  const complaint = (name: string) => fieldMessage(start.error, name);
  const canStart = judge.available && isReady(judge, draft);
  const estimate = useQuery({
    ...kept(ask("/api/projects/{slug}/runs/estimate", { slug }, choiceOf(judge, draft))),
    retry: false,
    enabled: canStart,
  });
  const scopes = useQuery(read("/api/projects/{slug}/runs/scopes", { slug }));
  const isLoaded = scopes.isSuccess && (estimate.isSuccess || isRefused(estimate.error));
  if (!judge.available) return <NotInstalled judge={judge} />;
  return (
    <div className={styles["form"]}>
      <Form onSubmit={() => start.mutate()}>
        <h2>{judge.name}</h2>
        <p>
          {judge.summary} {judge.source && <span className="soft">{judge.source}</span>}
        </p>
        {judge.package && <p className="soft">From the package {judge.package}</p>}
        {judge.limit && <p className="soft">{judge.limit}</p>}
        {judge.needs === "connection" && (
          <>
            <ConnectionChoice
              slug={slug}
              value={draft.connection}
              onChange={(id) => change({ connection: id })}
            />
            <PromptChoice
              slug={slug}
              value={draft.texts["prompt"] ?? defaultsOf(judge)["prompt"] ?? ""}
              maxTokens={draft.texts["max_tokens"] ?? defaultsOf(judge)["max_tokens"] ?? ""}
              onChange={(prompt) => setOption("prompt", prompt)}
              onAllow={(tokens) => setOption("max_tokens", tokens)}
            />
          </>
        )}
        {judge.needs === "members" && (
          <MemberChoice
            slug={slug}
            value={draft.texts["members"] ?? ""}
            error={complaint("members")}
            onChange={(members) => setOption("members", members)}
          />
        )}
        {judge.needs === "decisions" && (
          <BesideChoice
            slug={slug}
            value={draft.texts["beside"] ?? ""}
            error={complaint("beside")}
            onChange={(run) => setOption("beside", run)}
          />
        )}
        <ScopeFields query={scopes} judge={judge} draft={draft} onChange={change} />
        {takesLong(judge) && (
          <LimitFields costs={costs} draft={draft} complaint={complaint("spend_cap")} onChange={change} />
        )}
        <JudgeOptions judge={judge} texts={draft.texts} complaint={complaint} onChange={setOption} />
        <FollowingChoice
          isOpen={canChooseToFollow(judge, draft)}
          costs={costs}
          value={draft.follows}
          onChange={(follows) => change({ follows })}
        />
        {canStart ? <Expected query={estimate} /> : <p className="soft">{lackWords(judge)}</p>}
        <Submit
          write={start}
          variant="primary"
          disabled={!canStart || !isLoaded || estimate.data?.answers === 0}
        >
          {startWords(draft)}
        </Submit>
      </Form>
    </div>
  );
}

function startWords({ sampleSize }: RunDraft): string {
  const size = sampleSize.trim();
  if (size === "") return "Start";
  return `Judge ${size === "1" ? "1 answer" : `${size} answers`} first`;
}

function NotInstalled({ judge }: { readonly judge: Judge }) {
  return (
    <div className={styles["form"]}>
      <h2>{judge.name}</h2>
      <p>{judge.summary}</p>
      <Notice tone="warning" title="This judge needs an extra package">
        <p>The administrator of this server can install it with this command:</p>
        <CommandLine command={judge.installation} />
      </Notice>
    </div>
  );
}

interface ScopeFieldsProps {
  readonly query: UseQueryResult<RunScopes>;
  readonly judge: Judge;
  readonly draft: RunDraft;
  readonly onChange: (changes: Partial<RunDraft>) => void;
}

function ScopeFields({ query, judge, draft, onChange }: ScopeFieldsProps) {
  const { data } = query;
  if (!data) return query.isError && <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />;
  const onlyJudged = draft.onlyJudged ?? (data.is_sampled && !judge.is_lexical);
  const count = (part: { answers: number; judged: number }) =>
    formatCount(onlyJudged ? part.judged : part.answers);
  return (
    <FieldRow columns={3}>
      {data.is_sampled && (
        <Choice
          label="Answers"
          hint="You can compare the judge with people only on answers that people judge."
          value={onlyJudged ? "judged" : "all"}
          options={optionsOf({
            judged: `Answers that people judge (${formatCount(data.judged)})`,
            all: `All answers (${formatCount(data.answers)})`,
          })}
          onChange={(which) => onChange({ onlyJudged: which === "judged" })}
        />
      )}
      {data.datasets.length > 0 && (
        <Parts
          label="Data set"
          parts={data.datasets}
          count={count}
          value={draft.dataset}
          onChoose={(dataset) => onChange({ dataset })}
        />
      )}
      {data.systems.length > 1 && (
        <Parts
          label="System"
          parts={data.systems}
          count={count}
          value={draft.system}
          onChoose={(system) => onChange({ system })}
        />
      )}
    </FieldRow>
  );
}

interface PartsProps {
  readonly label: string;
  readonly parts: RunScopes["datasets"];
  readonly count: (part: RunScopes["datasets"][number]) => string;
  readonly value: string;
  readonly onChoose: (id: string) => void;
}

function Parts({ label, parts, count, value, onChoose }: PartsProps) {
  return (
    <Choice
      label={label}
      value={value}
      options={parts.map((part) => ({ value: part.id, name: `${part.name} (${count(part)})` }))}
      onChange={onChoose}
      empty="All"
    />
  );
}

interface LimitFieldsProps {
  readonly costs: boolean;
  readonly draft: RunDraft;
  readonly complaint: string | null;
  readonly onChange: (changes: Partial<RunDraft>) => void;
}

function LimitFields({ costs, draft, complaint, onChange }: LimitFieldsProps) {
  const field = fieldsOf(draft, onChange);
  return (
    <FieldRow>
      <TextField
        label="Sample size (optional)"
        hint="To try the judge first, enter the number of answers to sample at random. The run then shows the estimated time and cost for the rest. Leave empty to judge all answers."
        inputMode="numeric"
        {...field("sampleSize")}
      />
      {costs && (
        <TextField
          label="Spending limit (USD)"
          explains={explained("spending-limit")}
          hint="The run pauses before it exceeds this limit. Leave empty to use only the connection’s limit."
          inputMode="decimal"
          {...field("spendCap")}
          error={complaint}
        />
      )}
    </FieldRow>
  );
}

function Expected({ query }: { readonly query: UseQueryResult<RunEstimate> }) {
  if (query.isError) {
    const retry = isRefused(query.error) ? undefined : () => void query.refetch();
    return <ErrorNotice error={query.error} onRetry={retry} />;
  }
  if (!query.data) return <p className="soft">Counting answers…</p>;
  return <p className={styles["expected"]}>{expectedWords(query.data)}</p>;
}

/** What was typed cannot be; where it stands, the field says once the run is to start. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.kind === "invalid";
}

function expectedWords(estimate: RunEstimate): string {
  if (estimate.answers === 0)
    return "There are no answers to judge with these options. Change an option, or import answers.";
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

interface RunDraft {
  readonly texts: Readonly<Record<string, string>>;
  readonly connection: string;
  readonly sampleSize: string;
  readonly spendCap: string;
  readonly follows: boolean;
  /** Null: as the judge and the study have it. */
  readonly onlyJudged: boolean | null;
  readonly dataset: string;
  readonly system: string;
}

const EMPTY: RunDraft = {
  texts: {},
  connection: "",
  sampleSize: "",
  spendCap: "",
  follows: false,
  onlyJudged: null,
  dataset: "",
  system: "",
};

function choiceOf(judge: Judge, draft: RunDraft): RunChoiceRequest {
  const sample = Number(draft.sampleSize);
  return {
    judge: judge.key,
    options: valuesOf(judge, draft.texts),
    connection: draft.connection,
    sample_size: Number.isInteger(sample) && sample > 0 ? sample : null,
    only_judged: draft.onlyJudged,
    dataset: draft.dataset,
    system: draft.system,
  };
}

function startOf(judge: Judge, draft: RunDraft, costs: boolean): RunStartRequest {
  return {
    ...choiceOf(judge, draft),
    spend_cap: (costs && draft.spendCap.trim()) || null,
    // What is not chosen stays as it is, where the run is one that was started before.
    follows: (canChooseToFollow(judge, draft) && draft.follows) || null,
  };
}

/** A judge that costs nothing follows anyway, and no sample does, nor what hears others. */
function canChooseToFollow({ needs, is_lexical }: Judge, { texts, sampleSize }: RunDraft): boolean {
  if (sampleSize.trim() !== "" || needs === "members" || needs === "decisions") return false;
  return !is_lexical || texts["gold"] === "amended";
}

/** Whether everything is chosen that the run cannot do without. */
function isReady(judge: Judge, draft: RunDraft): boolean {
  if (judge.needs === "connection") return draft.connection !== "";
  if (judge.needs === "members") return (draft.texts["members"] ?? "").includes(",");
  return true;
}

/** Whether a sample is worth a try: every answer costs a call, or a model's time. */
export function takesLong({ needs, extra }: Judge): boolean {
  return needs === "connection" || extra !== null;
}

/** What is still to be chosen, where something is. */
function lackWords({ needs }: Judge): string {
  return needs === "members" ? "Choose at least two judges." : "Choose a connection.";
}
