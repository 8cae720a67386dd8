/** What is known of systems besides their answers: columns of the board, and words. */
import type { SystemRow } from "../../api/schema";
import { formatCount, formatFixedNumber } from "../../lib/numbers";

type Description = SystemRow["description"];

export interface AboutColumn {
  /** Stands in the address and sorts by it. */
  readonly key: string;
  readonly name: string;
  /** As a cell of a column of its own. */
  readonly cell: (value: unknown) => string;
  /** In a line of several, where no heading says what it is. */
  readonly words: (value: unknown) => string;
}

export const MIB = 1_048_576;
export const GIB = 1024 * MIB;

/** Sizes as EfficientQA's tracks have them: 1 MiB is 1,048,576 bytes. */
export function sizeWords(bytes: number): string {
  if (bytes >= GIB) return `${formatFixedNumber(bytes / GIB, 2)}\u00a0GiB`;
  return `${formatFixedNumber(bytes / MIB, bytes < MIB ? 2 : 0)}\u00a0MiB`;
}

function bookWords(value: unknown): string {
  if (typeof value !== "boolean") return "";
  return value ? "closed" : "open";
}

export const ABOUT: readonly AboutColumn[] = [
  {
    key: "size_bytes",
    name: "Size",
    cell: (value) => (typeof value === "number" ? sizeWords(value) : ""),
    words: (value) => (typeof value === "number" ? sizeWords(value) : ""),
  },
  {
    key: "retrieval_depth",
    name: "Retrieved passages",
    cell: (value) => (typeof value === "number" ? formatCount(value) : ""),
    words: (value) => (typeof value === "number" ? `${formatCount(value)} passages` : ""),
  },
  {
    key: "closed_book",
    name: "Open or closed book",
    cell: bookWords,
    words: (value) => (bookWords(value) === "" ? "" : `${bookWords(value)} book`),
  },
  { key: "track", name: "Track", cell: textOf, words: textOf },
];

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const PREFIX = "about:";

export function sortKeyOf({ key }: AboutColumn): string {
  return `${PREFIX}${key}`;
}

/** What a row is sorted by under such a key; undefined for a key of another kind. */
export function aboutSorting(key: string): ((row: SystemRow) => number | string | null) | undefined {
  const column = ABOUT.find((each) => sortKeyOf(each) === key);
  if (!column) return undefined;
  return ({ description }) => {
    const value = description[column.key];
    return typeof value === "number" ? value : column.cell(value) || null;
  };
}

/** The columns that any of the rows has something for. */
export function knownAbout(rows: readonly SystemRow[]): AboutColumn[] {
  return ABOUT.filter(({ key, cell }) => rows.some(({ description }) => cell(description[key]) !== ""));
}

/** What stands in no column of its own, in one line. */
export function descriptionWords(description: Description, shown: readonly AboutColumn[]): string {
  return ABOUT.filter((column) => !shown.includes(column))
    .map(({ key, words }) => words(description[key]))
    .filter((words) => words !== "")
    .join(" · ");
}
