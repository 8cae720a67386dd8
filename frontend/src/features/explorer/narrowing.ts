/** What narrows the table of answers down, as the address has it, and how each part of it is called. */
import type { AnswerChoices } from "../../api/schema";
import type { Query } from "../../api/client";
import type { Option } from "../../components/form";
import { sourceWords } from "../../domain/decisions";
import { flagName } from "../../domain/flags";
import { labelName } from "../../domain/labels";
import { countOf } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import { BETWEEN } from "./which-columns";

type AnswerQuery = Query<"/api/projects/{slug}/answers">;

const TEXTS = [
  "label",
  "source",
  "given_by",
  "dataset",
  "tag",
  "flag",
  "judged_by",
  "said",
  "differing",
  "only_right",
  "only_wrong",
  "according_to",
] as const;
const NUMBERS = ["min_words", "max_words"] as const;
export const NARROWING = [...TEXTS, ...NUMBERS] as const;
export type Narrowing = (typeof NARROWING)[number];

/** Takes all of it out of an address. */
export const NOT_NARROWED = Object.fromEntries([...NARROWING, "cursor"].map((key) => [key, undefined]));

/** What the address asks the server for. */
export function narrowingOf(search: SearchState): Partial<AnswerQuery> {
  const found = NARROWING.flatMap((key) => {
    const value = search.read(key);
    return value === undefined ? [] : [[key, value]];
  });
  return Object.fromEntries(found) as Partial<AnswerQuery>;
}

export const PEOPLE = "people";
/** Stands before the pseudonym of an annotator whose votes are a column. */
export const RATER = "rater:";

export const VERDICTS = [
  { value: "accepted", name: "accepts" },
  { value: "rejected", name: "rejects" },
  { value: "unscored", name: "could not judge" },
  { value: "none", name: "has not judged" },
] as const satisfies readonly Option[];

export interface Says {
  readonly column: string;
  readonly verdict: string;
}

/** What columns say, as the address has it: "people~accepted,r1~rejected". */
export function saysOf(text: string | undefined): readonly Says[] {
  return (text?.split(",") ?? []).flatMap((pair) => {
    const [column, verdict] = pair.split(BETWEEN);
    return column && verdict ? [{ column, verdict }] : [];
  });
}

export function saysText(says: readonly Says[]): string | undefined {
  return says.map(({ column, verdict }) => `${column}${BETWEEN}${verdict}`).join(",") || undefined;
}

/** One thing that narrows the table, and what of the address goes when it is taken back. */
export interface Part {
  readonly words: string;
  readonly without: Readonly<Record<string, string | undefined>>;
}

/** Each part in words; a judge or a system that is gone keeps its id. */
export function partsOf(search: SearchState, choices: AnswerChoices | undefined): readonly Part[] {
  const nameOf = (id: string) =>
    id === PEOPLE
      ? "People"
      : (choices?.judges.find((judge) => judge.id === id)?.name ?? id.replace(RATER, ""));
  const systemOf = (id: string) => choices?.systems?.find((system) => system.id === id)?.name ?? id;
  const words: Readonly<Partial<Record<Narrowing, (value: string) => string>>> = {
    label: (value) => `Decision: ${labelName(value)}`,
    source: (value) => `Decision source: ${sourceWords(value)}`,
    given_by: (value) => `System: ${systemOf(value)}`,
    dataset: (value) => `Data set: ${value}`,
    tag: (value) => `Tag: ${value}`,
    flag: (value) => `Flag: ${flagName(value)}`,
    judged_by: (value) => `Judged by ${value}`,
    differing: (value) => `${value.split(BETWEEN).map(nameOf).join(" and ")} disagree`,
    min_words: (value) => `At least ${countOf(Number(value), "word")}`,
    max_words: (value) => `At most ${countOf(Number(value), "word")}`,
  };
  const simple = NARROWING.flatMap((key) => {
    const value = search.read(key);
    const say = words[key];
    return value === undefined || say === undefined
      ? []
      : [{ words: say(value), without: { [key]: undefined } }];
  });
  return [...simple, ...saidParts(search, nameOf), ...rightParts(search, { nameOf, systemOf })];
}

function saidParts(search: SearchState, nameOf: (id: string) => string): readonly Part[] {
  const all = saysOf(search.read("said"));
  return all.map((says) => ({
    words: verdictWords(says, nameOf),
    without: { said: saysText(all.filter((other) => other !== says)) },
  }));
}

function verdictWords({ column, verdict }: Says, nameOf: (id: string) => string): string {
  if (column === PEOPLE)
    return verdict === "none" ? "People have not decided" : `People ${pluralOf(verdict)}`;
  return `${nameOf(column)} ${VERDICTS.find(({ value }) => value === verdict)?.name ?? verdict}`;
}

function pluralOf(verdict: string): string {
  return { accepted: "accept", rejected: "reject", unscored: "could not judge" }[verdict] ?? verdict;
}

interface Names {
  readonly nameOf: (id: string) => string;
  readonly systemOf: (id: string) => string;
}

function rightParts(search: SearchState, { nameOf, systemOf }: Names): readonly Part[] {
  const [right, wrong] = [search.read("only_right"), search.read("only_wrong")];
  if (right === undefined || wrong === undefined) return [];
  const by = search.read("according_to");
  const words = `${systemOf(right)} correct, ${systemOf(wrong)} incorrect, according to ${by === undefined || by === PEOPLE ? "people" : nameOf(by)}`;
  return [{ words, without: { only_right: undefined, only_wrong: undefined, according_to: undefined } }];
}
