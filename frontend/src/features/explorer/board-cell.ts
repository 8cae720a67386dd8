/** A cell of a failure board as the list of answers is asked for it. */
import type { AnswerFilter, FailureBoardKind } from "../../api/contract";
import type { SearchState } from "../../lib/search-state";

export type BoardCell = Pick<AnswerFilter, "set" | "run" | "system" | "bands" | "row"> & {
  readonly board: FailureBoardKind;
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
] as const satisfies readonly FailureBoardKind[];

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
    return `that “${column}” judges otherwise than people${row ? `, of ${row} words` : ""}`;
  return row ? `behind “${row}” and “${column}” of a failure board` : `behind “${column}” of a failure board`;
}
