/** What of the address a saved view keeps: filters, columns and order, but no place among the pages. */
import type { Query } from "../../api/client";
import type { SearchState } from "../../lib/search-state";
import { NARROWING } from "./narrowing";

/** The view that is open, in the address. */
export const VIEW = "view";

type AnswerQuery = Query<"/api/projects/{slug}/answers">;

const KEPT = [
  ...NARROWING,
  ...(["search", "state", "missing_votes", "labels", "check", "raters"] as const),
  ...(["errors_of", "accepted_by", "rejected_by", "unscored_by", "by", "part", "question"] as const),
  ...(["board", "set", "run", "system", "bands", "row", "column"] as const),
  ...(["sort", "columns"] as const),
] as const satisfies readonly (keyof AnswerQuery | "columns")[];

export type ViewQuery = Readonly<Record<string, string>>;

export function viewOf(search: SearchState): ViewQuery {
  const found = KEPT.flatMap((key) => {
    const value = search.read(key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(found);
}

export function isSameView(left: ViewQuery, right: ViewQuery): boolean {
  return KEPT.every((key) => left[key] === right[key]);
}
