/** Which questions and systems a page of comparison is about, as its address says. */
import type { SearchState } from "./search-state";

export interface QuestionFilter {
  readonly scope: "sample" | "entire";
  readonly part: "all" | "unambiguous";
  readonly dataset: string;
  readonly tag: string;
  readonly largest_bytes?: number;
  readonly least_share?: number;
}

const GIB = 1_073_741_824;

/** The tracks of EfficientQA: the most a system may weigh, or the least it must have right. */
export const TRACKS = [
  { value: "6gib", name: "Up to 6 GiB", limits: { largest_bytes: 6 * GIB } },
  { value: "500mib", name: "Up to 500 MiB", limits: { largest_bytes: 500 * 1_048_576 } },
  { value: "smallest", name: "Smallest with 25 % right", limits: { least_share: 0.25 } },
] as const;

/** Whether systems are ranked by their size. */
export function isBySize(filter: QuestionFilter): boolean {
  return filter.least_share !== undefined;
}

export function readFilter(search: SearchState): QuestionFilter {
  const track = TRACKS.find(({ value }) => value === search.read("track"));
  return {
    scope: search.read("scope") === "entire" ? "entire" : "sample",
    part: search.read("questions") === "unambiguous" ? "unambiguous" : "all",
    dataset: search.read("dataset") ?? "",
    tag: search.read("tag") ?? "",
    ...track?.limits,
  };
}
