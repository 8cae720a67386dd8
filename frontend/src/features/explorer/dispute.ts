/** Where raters differ, as the list of answers is asked for it, and in words. */
import type { AnswerFilter } from "../../api/contract";
import type { SearchState } from "../../lib/search-state";
import { LABEL_VIEWS, MISSING_VOTES, ruleOf, viewOf } from "../../lib/vote-reading";

export type Dispute = Pick<AnswerFilter, "missing_votes" | "labels" | "check" | "raters">;

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

export function disputeWords({ missing_votes, labels, check, raters }: Dispute): string {
  const who = raters === undefined ? "the first raters" : raters.replace("~", " and ");
  if (check !== undefined) return `on which ${who} differ in the check “${check}”`;
  const read = LABEL_VIEWS.find(({ value }) => value === labels)?.name;
  const missing = MISSING_VOTES.find(({ value }) => value === missing_votes)?.name;
  return `on which ${who} differ (labels read ${read}; a missing vote counts as ${missing})`;
}
