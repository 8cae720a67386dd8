/** A run while it is set up, and what of it is sent. */
import type { Judge, RunChoice, RunStart } from "../../api/contract";
import { valuesOf } from "./option-values";

export interface RunDraft {
  readonly texts: Readonly<Record<string, string>>;
  readonly connection: string;
  readonly sampleSize: string;
  readonly spendCap: string;
  /** Null: as the judge and the study have it. */
  readonly onlyJudged: boolean | null;
  readonly dataset: string;
  readonly system: string;
}

export const EMPTY: RunDraft = {
  texts: {},
  connection: "",
  sampleSize: "",
  spendCap: "",
  onlyJudged: null,
  dataset: "",
  system: "",
};

export function choiceOf(judge: Judge, draft: RunDraft): RunChoice {
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

export function startOf(judge: Judge, draft: RunDraft): RunStart {
  return { ...choiceOf(judge, draft), spend_cap: draft.spendCap.trim() || null };
}

/** Whether everything is chosen that the run cannot do without. */
export function isReady(judge: Judge, draft: RunDraft): boolean {
  if (judge.needs === "connection") return draft.connection !== "";
  if (judge.needs === "members") return (draft.texts["members"] ?? "").includes(",");
  return true;
}

/** Whether a sample is worth a try: every answer costs a call, or a model's time. */
export function takesLong({ needs, extra }: Judge): boolean {
  return needs === "connection" || extra !== null;
}

/** What is still to be chosen, where something is. */
export function lackWords({ needs }: Judge): string {
  return needs === "members" ? "Choose at least two members." : "Choose the connection over which to ask.";
}
