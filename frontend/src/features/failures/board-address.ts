/** A failure board and its cells as addresses. */
import type { Query } from "../../api/client";
import type { FailureBoard } from "../../api/schema";
import type { SearchState } from "../../lib/search-state";
import { wordsOf } from "./board-words";

export type Bands = "wide" | "narrow";

/** The board that an address asks for; what does not belong to it is left out. */
export function wantedOf(
  search: SearchState,
): Query<"/api/projects/{slug}/failure-board"> & { readonly board: FailureBoard["board"] } {
  const board = wordsOf(search.read("board")).value;
  const [set, run, system] = [search.read("set"), search.read("run"), search.read("system")];
  const bands = bandsOf(search.read("bands"));
  if (board === "length") return { board, ...(system && { system }), ...(bands && { bands }) };
  if (board === "unattributable") return { board, ...(set && { set }), ...(system && { system }) };
  return { board, ...(set && { set }), ...(board === "errors" && run && { run }) };
}

function bandsOf(text: string | undefined): Bands | undefined {
  return text === "wide" || text === "narrow" ? text : undefined;
}

/** Whether the answers behind a cell are those of one system, which not every adjudicator may see. */
export function isBySystem({ system, systems }: FailureBoard, column: string): boolean {
  return system !== "" || systems.some(({ key }) => key === column);
}

/** Where the answers behind a cell are listed; without a row, those behind the column's rate. */
export function behindCell(board: FailureBoard, column: string, row?: string): Record<string, string> {
  const { board: kind, set, run, system, bands } = board;
  const address = { board: kind, set, run, system, bands, column, row: row ?? "" };
  return Object.fromEntries(Object.entries(address).filter(([, value]) => value !== ""));
}
