/** What a file's own columns mean, where their names do not say it. */
import type { Import, ImportColumn } from "../../api/contract";
import { isRecord } from "../../lib/storage";

export const MEANINGS = [
  { value: "question", name: "Question" },
  { value: "gold", name: "Gold answer" },
  { value: "prediction", name: "Answer of the one system" },
  { value: "prediction:", name: "Answer of a system of its own" },
  { value: "system", name: "Name of the system" },
  { value: "id", name: "Id of the question" },
  { value: "dataset", name: "Data set" },
  { value: "tags", name: "Tags" },
  { value: "reference_count", name: "How many references hold an answer" },
  { value: "confidence", name: "Confidence" },
  { value: "metadata", name: "Further facts" },
  { value: "ignore", name: "Leave it out" },
] as const;

const OF_SYSTEM = "prediction:";

export type Mapping = Readonly<Record<string, string>>;

export function mappingOf(options: Readonly<Record<string, unknown>>): Mapping {
  const map = options["map"];
  if (!isRecord(map)) return {};
  return Object.fromEntries(Object.entries(map).map(([column, meaning]) => [column, String(meaning)]));
}

/** The meaning chosen for a column, without the name of its system. */
export function meaningOf(meaning: string): string {
  return meaning.startsWith(OF_SYSTEM) ? OF_SYSTEM : meaning;
}

/** The system whose answers a column holds, or null where it holds no system's own. */
export function systemOf(meaning: string): string | null {
  return meaning.startsWith(OF_SYSTEM) ? meaning.slice(OF_SYSTEM.length) : null;
}

/** What a column means once a meaning is chosen; a system's own answers are its who the column is named after. */
export function chosenMeaning(meaning: string, column: string): string {
  return meaning === OF_SYSTEM ? `${OF_SYSTEM}${column}` : meaning;
}

/** What was said of a column that nobody knows, with a value of it. */
export function wordsOnColumn(found: Pick<Import, "problems">, column: string): string | undefined {
  return found.problems.find((each) => each.code === "unknown_column" && each.column === column)?.message;
}

/** Columns a person has to explain: those a problem names, and those already explained. */
export function columnsToMap(found: Pick<Import, "problems" | "options">): string[] {
  const named = found.problems
    .filter(({ code, column }) => code === "unknown_column" && column)
    .map(({ column }) => column ?? "");
  return [...new Set([...Object.keys(mappingOf(found.options)), ...named])];
}

/** Columns whose names say what they mean, unless a person has said otherwise already. */
export function understoodColumns(found: Pick<Import, "columns" | "problems" | "options">): ImportColumn[] {
  const asked = new Set(columnsToMap(found));
  return found.columns.filter(({ name, meaning }) => meaning !== "" && !asked.has(name));
}

/** What the name of a column was taken to mean. */
export function understoodAs({ meaning, system }: Pick<ImportColumn, "meaning" | "system">): string {
  if (system !== "") return `Answer of “${system}”`;
  return MEANINGS.find(({ value }) => value === meaning)?.name ?? "not known";
}

/** The first values of a column, by which people know it sooner than by its name. */
export function valueWords({ values }: Pick<ImportColumn, "values">): string {
  if (values.length === 0) return "The first rows hold nothing here.";
  return `Holds ${values.map((value) => `“${value}”`).join(", ")}`;
}

/** The choice that a remark asks a person to make; these stand before the others. */
const ASKED_BY: Readonly<Record<string, string>> = { common_prefix: "system_names" };

/** Whether what was found asks for this choice, or it was made already. */
export function isAskedAbout(found: Pick<Import, "problems" | "options">, option: string): boolean {
  const asking = Object.entries(ASKED_BY).filter(([, name]) => name === option);
  const isMade = asking.length > 0 && found.options[option] === "without_common_prefix";
  return isMade || found.problems.some(({ code }) => asking.some(([cause]) => cause === code));
}

/** The options to check by: choices that were made, and the mapping where there is one. */
export function optionsWith(choices: Mapping, mapping: Mapping): Record<string, unknown> {
  const chosen = Object.entries(mapping).filter(([, meaning]) => meaning !== "" && meaning !== OF_SYSTEM);
  return { ...choices, ...(chosen.length > 0 && { map: Object.fromEntries(chosen) }) };
}
