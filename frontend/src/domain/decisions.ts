/** How decisions were made, and what the rows of a decision's history say that are no decisions. */
import { capitalized } from "../lib/lists";

const STEPS: Readonly<Record<string, string>> = {
  sent_back: "Sent back to annotators",
  called_back: "Recalled from annotators",
};

export function stepWords({ rule }: { readonly rule: string }): string {
  return STEPS[rule] ?? "Reopened";
}

const SOURCES = {
  unanimous: "all annotators agreed",
  majority: "majority of annotators",
  adjudicated: "adjudicated",
  routed: "one annotator and a judge agreed",
  prejudged: "settled by a judge",
  imported: "imported",
  reused: "decided in another project",
} as const;

/** How an answer may have been decided, to choose by. */
export const SOURCE_OPTIONS = Object.entries(SOURCES).map(([value, words]) => ({
  value,
  name: capitalized(words),
}));

export function sourceWords(source: string | null): string {
  if (source === null || source === "") return "";
  return (SOURCES as Readonly<Record<string, string>>)[source] ?? source.replaceAll("_", " ");
}
