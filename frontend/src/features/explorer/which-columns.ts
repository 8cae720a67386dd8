/** Which columns the table of answers has, in which order, and how its rows are sorted: all of it is in the address. */
import type { AnswerChoices } from "../../api/schema";
import type { Option } from "../../components/form";
import type { SearchState } from "../../lib/search-state";

/** What stands between the names of one value of an address, as the server reads it. */
export const BETWEEN = "~";

export const OWN_COLUMNS = [
  { value: "votes", name: "Votes" },
  { value: "label", name: "Decision" },
  { value: "systems", name: "Systems" },
  { value: "words", name: "Words" },
  { value: "dataset", name: "Data set" },
  { value: "tags", name: "Tags" },
  { value: "flags", name: "Flags" },
] as const satisfies readonly Option[];

const USUAL = ["votes", "label", "systems"];

/** Undefined: nobody has chosen any. */
export function columnsOf(search: SearchState): readonly string[] | undefined {
  return search.read("columns")?.split(BETWEEN);
}

/** What is shown: the columns that were chosen, else the usual ones with the judges that the server chose. */
export function shownColumns(
  chosen: readonly string[] | undefined,
  judges: readonly string[],
): readonly string[] {
  return chosen ?? [...USUAL, ...judges];
}

/** The judges whose verdicts are asked for; undefined where the server chooses. */
export function judgesOf(chosen: readonly string[] | undefined): string | undefined {
  if (chosen === undefined) return undefined;
  const judges = chosen.filter((key) => OWN_COLUMNS.every(({ value }) => value !== key));
  return judges.join(BETWEEN) || "none";
}

export function columnOptions({ judges, systems }: AnswerChoices): readonly Option[] {
  const own = OWN_COLUMNS.filter(({ value }) => value !== "systems" || systems !== null);
  return [...own, ...judges.map(({ id, name }) => ({ value: id, name }))];
}

export interface RowOrder {
  readonly key: string;
  readonly descending: boolean;
}

/** Undefined: in the order of the study. */
export function orderOf(search: SearchState): RowOrder | undefined {
  const sort = search.read("sort");
  if (sort === undefined) return undefined;
  return { key: sort.replace(/^-/, ""), descending: sort.startsWith("-") };
}

/** A header sorts by its column, then the other way, then not at all; undefined is the order of the study. */
export function nextOrder(order: RowOrder | undefined, key: string, isNumeric: boolean): string | undefined {
  if (order?.key !== key) return orderWords({ key, descending: isNumeric });
  return order.descending === isNumeric ? orderWords({ key, descending: !isNumeric }) : undefined;
}

/** As the address has it. */
export function orderWords({ key, descending }: RowOrder): string {
  return descending ? `-${key}` : key;
}
