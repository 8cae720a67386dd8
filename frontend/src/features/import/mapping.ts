/** What a file's own columns mean, where their names do not say it. */
import type { Import } from "../../api/contract";
import { isRecord } from "../../lib/storage";

export const MEANINGS = [
  { value: "question", name: "Question" },
  { value: "gold", name: "Gold answer" },
  { value: "prediction", name: "Answer of a system" },
  { value: "system", name: "Name of the system" },
  { value: "id", name: "Id of the question" },
  { value: "dataset", name: "Data set" },
  { value: "tags", name: "Tags" },
  { value: "reference_count", name: "How many references hold an answer" },
  { value: "confidence", name: "Confidence" },
  { value: "metadata", name: "Further facts" },
  { value: "ignore", name: "Leave it out" },
] as const;

export type Mapping = Readonly<Record<string, string>>;

export function mappingOf(options: Readonly<Record<string, unknown>>): Mapping {
  const map = options["map"];
  if (!isRecord(map)) return {};
  return Object.fromEntries(Object.entries(map).map(([column, meaning]) => [column, String(meaning)]));
}

/** Columns a person has to explain: those a problem names, and those already explained. */
export function columnsToMap(found: Pick<Import, "problems" | "options">): string[] {
  const named = found.problems
    .filter(({ code, column }) => code === "unknown_column" && column)
    .map(({ column }) => column ?? "");
  return [...new Set([...Object.keys(mappingOf(found.options)), ...named])];
}

/** The options to check by: choices that were made, and the mapping where there is one. */
export function optionsWith(choices: Mapping, mapping: Mapping): Record<string, unknown> {
  const chosen = Object.entries(mapping).filter(([, meaning]) => meaning !== "");
  return { ...choices, ...(chosen.length > 0 && { map: Object.fromEntries(chosen) }) };
}
