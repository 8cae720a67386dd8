/** Every table of the pages that leads read can be saved: whoever adds one adds its button, or a reason here. */
import { describe, expect, it } from "vitest";

const SOURCES = import.meta.glob<string>(
  [
    "../features/{agreement,compare,failures,gold,known-answers,leaderboard,overview,people,prejudging,protocol,raters,runs,work}/**/*.tsx",
    "./pair-grid.tsx",
    "../domain/{compared-pairs,reference-scores}.tsx",
  ],
  { query: "?raw", import: "default", eager: true },
);

/** Tables whose file is named in the file that shows them. */
const SAVED_BY: readonly (readonly [table: string, shownIn: string, name: string])[] = [
  ["compared-pairs.tsx", "leaderboard/pairs.tsx", "pairs-of-systems"],
  ["compared-pairs.tsx", "runs/board/pairs-section.tsx", "differences-of-judges"],
  ["pair-grid.tsx", "agreement/pairs.tsx", "agreement-of-pairs"],
  ["pair-grid.tsx", "leaderboard/systems-page.tsx", "pairs-of-systems"],
];

/** Files saved without a line of how their numbers came about, each with the reason. */
const UNSIGNED: Readonly<Record<string, string>> = {
  "published-numbers": "published elsewhere: each row has its source",
  "published-numbers-taken-out": "published elsewhere: each row has its source",
  annotators: "how much is done so far, not what came out of it",
  "annotators-in-the-pilot": "how much is done so far, not what came out of it",
  "work-by-annotator": "how much is done so far, not what came out of it",
  "training-results": "how far each annotator is, not what came out of it",
  members: "who takes part",
  "who-has-read-the-guidelines": "who has read what",
  "known-answers": "answers with the labels that leads chose",
  "gold-answers": "the list itself",
  "settled-answers": "answers one by one, by the rules above them",
  "who-decided-the-answers": "counts of all answers",
  "audit-by-rule": "what one policy did, rule by rule, in full",
  "error-rates-and-risk-certificate-": "one certificate: its file is named after it",
  "share-settled-and-error-rate-certificate-": "one certificate: its file is named after it",
  "audit-shares-compared": "expected of a policy that is not applied yet",
  "expected-precision": "expected of a policy that is not applied yet",
  "expected-precision-by-audit-share": "expected of a policy that is not applied yet",
  "tags-proposed-and-said": "what one round's people and proposals said, item by item",
  "tags-": "what one round's people said, item by item",
  "questions-of-two-": "what two systems answered, question by question",
  "questions-right-by-": "questions by their words, without a figure",
  verdicts: "verdicts one by one, under the signature of their run above them",
};

const EXCEPTIONS: Readonly<Record<string, string>> = {
  "leaderboard/systems-form.tsx": "a form: what leads write of systems, not figures",
  "work/part-table.tsx": "a form: what leads plan for each annotator",
};

function sourceOf(file: string): string {
  return Object.entries(SOURCES).find(([path]) => path.endsWith(`/${file}`))?.[1] ?? "";
}

function count(source: string, parts: RegExp): number {
  return source.match(parts)?.length ?? 0;
}

const TABLES = /<(?:Table\b|table\b)/g;
/** A table's own file, or a button beside it; the attributes of none hold their ending. */
const FILE = /<CsvButton\b[\s\S]*?\/>|\bfile=\{\{[\s\S]*?\}\}/g;
const FILES_BEGIN = /<CsvButton\b|\bfile=\{\{/g;
/** What a component is given to save its table by, or what a table gives its own button. */
const HANDED_ON = /\.\.\.file\b/;
const NAME = /\bname(?:=|:)[^"`}]*["`]([a-z-]+)/;

interface Saved {
  readonly name: string;
  readonly isSigned: boolean;
}

const SAVED: readonly Saved[] = Object.entries(SOURCES).flatMap(([path, source]) =>
  path.includes(".test.")
    ? []
    : [...source.matchAll(FILE)]
        .filter(([tag]) => !HANDED_ON.test(tag))
        .map(([tag]) => ({
          name: NAME.exec(tag)?.[1] ?? tag,
          isSigned: /\b(?:signature|judges)\b/.test(tag),
        })),
);

const FILES = Object.keys(SOURCES)
  .map((path) => path.replace(/^(\.\.\/features|\.\.\/domain|\.)\//, ""))
  .filter((file) => !file.includes(".test.") && count(sourceOf(file), TABLES) > 0);

describe("tables of the pages that leads read", () => {
  it.each(FILES.filter((file) => SAVED_BY.every(([table]) => table !== file) && !(file in EXCEPTIONS)))(
    "%s saves each",
    (file) => {
      expect(count(sourceOf(file), FILES_BEGIN)).toBeGreaterThanOrEqual(count(sourceOf(file), TABLES));
    },
  );

  it.each(SAVED_BY)("%s is saved in %s", (file, shownIn, name) => {
    expect(FILES).toContain(file);
    expect([...sourceOf(shownIn).matchAll(FILE)].map(([tag]) => NAME.exec(tag)?.[1])).toContain(name);
  });

  it("are all read here, whatever their tags look like", () => {
    const sources = Object.entries(SOURCES).flatMap(([path, source]) =>
      path.includes(".test.") ? [] : [source],
    );
    const found = sources.flatMap((source) => [...source.matchAll(FILE)]);
    expect(found).toHaveLength(sources.reduce((sum, source) => sum + count(source, FILES_BEGIN), 0));
  });

  it.each(SAVED.filter(({ name }) => !(name in UNSIGNED)))(
    "$name says how its numbers came about",
    ({ isSigned }) => {
      expect(isSigned).toBe(true);
    },
  );

  it.each(Object.keys(UNSIGNED))("%s is saved, and needs its reason", (name) => {
    const found = SAVED.filter((button) => button.name === name);
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter(({ isSigned }) => isSigned)).toEqual([]);
  });

  it.each(Object.keys(EXCEPTIONS))("%s is there, and needs its reason", (file) => {
    expect(FILES).toContain(file);
  });
});
