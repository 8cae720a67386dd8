/** What the rater's desk shows, and what it asks of the server. */
import type { Progress, Sheet, Skip, Submission, Work } from "../../api/contract";
import type { ApiError } from "../../api/error";
import { countOf } from "../../lib/numbers";

export interface SheetOperations {
  readonly next: (ahead: number) => Promise<Work>;
  readonly submit: (sheetId: string, body: Submission) => Promise<Work>;
  readonly skip: (sheetId: string, body: Skip) => Promise<Work>;
  readonly undo: (ahead: number) => Promise<Work>;
}

export interface Notice {
  readonly text: string;
  readonly tone: "info" | "error";
}

export interface DeskState {
  readonly sheets: readonly Sheet[];
  readonly progress: Progress | null;
  readonly nothingLeft: boolean;
  readonly loading: boolean;
  readonly loadError: unknown;
  /** Handed in, not yet acknowledged. */
  readonly waiting: number;
  /** Why waiting work does not move; null while it does. */
  readonly trouble: ApiError | null;
  readonly notice: Notice | null;
  readonly undoing: boolean;
  /** Names guidelines to be read before going on; empty where there are none. */
  readonly guidelinesUnread: string;
}

export const INITIAL: DeskState = {
  sheets: [],
  progress: null,
  nothingLeft: false,
  loading: true,
  loadError: null,
  waiting: 0,
  trouble: null,
  notice: null,
  undoing: false,
  guidelinesUnread: "",
};

/** The desk's one line on where the work is. */
export function savedWords({ waiting, trouble }: DeskState): string {
  if (trouble === null) return waiting === 0 ? "saved" : "saving";
  const sheets = countOf(waiting, "sheet");
  if (trouble.kind === "network" && waiting === 0) return "no connection: go on, your work is kept here";
  if (trouble.kind === "network") return `no connection: ${sheets} kept here, sent later`;
  if (trouble.kind === "signed_out") return `signed out: ${sheets} kept here`;
  return `not saved yet: ${sheets} kept here`;
}
