/** Which answers an address asks for, and how that and their states are called. */
import { useQuery } from "@tanstack/react-query";
import { read, type Query } from "../../api/client";
import type { AgreementDimensionEnum, FailureBoard } from "../../api/schema";
import { useProject } from "../../api/project";
import type { Tone } from "../../components/badge";
import { LABEL_VIEWS, MISSING_VOTES, ruleOf, viewOf } from "../../domain/vote-reading";
import { countOf } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";

type AnswerFilter = Query<"/api/projects/{slug}/answers">;

/** A run's id, or "people". */
export interface Said {
  readonly accepted_by?: string;
  readonly rejected_by?: string;
  readonly unscored_by?: string;
}

interface Chosen {
  readonly run: string | undefined;
  readonly said: Said;
  readonly question: string | undefined;
  readonly cell: BoardCell | undefined;
  readonly dispute: Dispute | undefined;
}

type NameOf = (run: string) => string;

export function whichWords({ run, said, question, cell, dispute }: Chosen, nameOf: NameOf): string {
  if (question !== undefined) return "to one question";
  if (cell) return cellWords(cell);
  if (dispute) return disputeWords(dispute);
  return run === undefined ? saidWords(said, nameOf) : `on which ${nameOf(run)} and people disagree`;
}

function saidWords({ accepted_by, rejected_by, unscored_by }: Said, nameOf: NameOf): string {
  const words = [
    accepted_by && (accepted_by === "people" ? "people accept" : `${nameOf(accepted_by)} accepts`),
    rejected_by && (rejected_by === "people" ? "people reject" : `${nameOf(rejected_by)} rejects`),
    unscored_by && `${nameOf(unscored_by)} could not judge`,
  ].filter(Boolean);
  return words.length === 0 ? "" : `that ${words.join(" and ")}`;
}

type BoardCell = Pick<AnswerFilter, "set" | "run" | "system" | "bands" | "row"> & {
  readonly board: FailureBoard["board"];
  readonly column: string;
};

const KINDS = [
  "misses",
  "repairs",
  "wrong",
  "errors",
  "length",
  "credit",
  "unattributable",
] as const satisfies readonly FailureBoard["board"][];

export const NO_CELL = {
  board: undefined,
  set: undefined,
  run: undefined,
  system: undefined,
  bands: undefined,
  row: undefined,
  column: undefined,
};

/** The cell that an address names, or none. */
export function cellOf(search: SearchState): BoardCell | undefined {
  const board = KINDS.find((kind) => kind === search.read("board"));
  const column = search.read("column");
  if (board === undefined || column === undefined) return undefined;
  const bands = search.read("bands");
  const more = { set: search.read("set"), run: search.read("run"), system: search.read("system") };
  return {
    board,
    column,
    row: search.read("row") ?? "",
    ...Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined)),
    ...((bands === "wide" || bands === "narrow") && { bands }),
  };
}

/** What the answers are: "behind “list” and “exact_match” of a failure board". */
export function cellWords({ board, row, column }: BoardCell): string {
  if (board === "length")
    return `on which “${column}” disagrees with people${row ? ` (${bandWords(row)})` : ""}`;
  return row
    ? `counted under “${row}” and “${column}” on a failure board`
    : `counted under “${column}” on a failure board`;
}

/** The lengths that a row's key names: "0-1", "6-10", or "11-" for all from there on. */
function bandWords(row: string): string {
  const [start = "", end = ""] = row.split("-");
  if (end === "") return `${start} or more words`;
  if (start === end) return countOf(Number(end), "word");
  if (start === "0") return end === "1" ? "1 word" : `up to ${end} words`;
  return `${start} to ${end} words`;
}

type Dispute = Pick<AnswerFilter, "missing_votes" | "labels" | "check" | "raters">;

export const NO_DISPUTE = {
  missing_votes: undefined,
  labels: undefined,
  check: undefined,
  raters: undefined,
};

/** How an address reads the votes; none where it asks for another state, or for the usual reading. */
export function disputeOf(search: SearchState): Dispute | undefined {
  if (search.read("state") !== "disagreement") return undefined;
  if (Object.keys(NO_DISPUTE).every((key) => search.read(key) === undefined)) return undefined;
  const check = search.read("check");
  const raters = search.read("raters");
  const read = { missing_votes: ruleOf(search.read("missing_votes")), labels: viewOf(search.read("labels")) };
  return { ...(check === undefined ? read : { check }), ...(raters !== undefined && { raters }) };
}

function disputeWords({ missing_votes, labels, check, raters }: Dispute): string {
  const who = raters === undefined ? "the first-round annotators" : raters.replace("~", " and ");
  if (check !== undefined) return `for which ${who} disagree on the check “${check}”`;
  const read = LABEL_VIEWS.find(({ value }) => value === labels)?.name.toLowerCase();
  const missing = MISSING_VOTES.find(({ value }) => value === missing_votes)?.name.toLowerCase();
  return `on which ${who} disagree (label grouping: ${read}; missing votes: ${missing})`;
}

export const ANSWER_STATES = [
  { value: "waiting", name: "Not started" },
  { value: "judging", name: "Judging in progress" },
  { value: "disputed", name: "Waiting for a decision" },
  { value: "decided", name: "Decided" },
  { value: "disagreement", name: "First-round annotators disagree" },
  { value: "flagged", name: "Question flagged" },
  { value: "unasked", name: "Question not chosen for judging" },
] as const;

/** The state an address names, or none where it names no state there is. */
export function stateOf(text: string | undefined): (typeof ANSWER_STATES)[number]["value"] | undefined {
  return ANSWER_STATES.find(({ value }) => value === text)?.value;
}

const DIMENSIONS = [
  "question_type",
  "answer_length",
  "exact_match",
  "system",
  "system_family",
  "rater",
  "week",
  "protocol_version",
  "dataset",
] as const satisfies readonly AgreementDimensionEnum[];

/** The way of cutting the study that an address names, or none where it names none there is. */
export function dimensionOf(text: string | undefined): AgreementDimensionEnum | undefined {
  return DIMENSIONS.find((dimension) => dimension === text);
}

const STATES: Readonly<Record<string, { readonly words: string; readonly tone: Tone }>> = {
  open: { words: "Not decided yet", tone: "neutral" },
  disputed: { words: "Waiting for a decision", tone: "warning" },
  decided: { words: "Decided", tone: "success" },
  unasked: { words: "Question not chosen for judging", tone: "neutral" },
};

export function stateWords(state: string): { readonly words: string; readonly tone: Tone } {
  return STATES[state] ?? { words: state.replaceAll("_", " "), tone: "neutral" };
}

/** Until it is known it is "the judge". Adjudicators may not list runs; what judges are called they read. */
export function useRunNames(named: readonly (string | undefined)[]): (run: string) => string {
  const { slug, role } = useProject();
  const isNamed = named.some((each) => each !== undefined && each !== "people");
  const { data: runs } = useQuery({
    ...read("/api/projects/{slug}/runs", { slug }),
    enabled: isNamed && role === "lead",
  });
  const { data: judges } = useQuery({
    ...read("/api/projects/{slug}/judge-board", { slug }, { common: false, intervals: false }),
    enabled: isNamed && role !== "lead",
  });
  const nameOf = (id: string) =>
    runs?.find((run) => run.id === id)?.name ?? judges?.find(({ run }) => run === id)?.name;
  return (run) => nameOf(run) ?? "the judge";
}
