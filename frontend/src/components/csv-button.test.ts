/** Every table of the pages that compare can be saved: whoever adds one adds its button, or a reason here. */
import { describe, expect, it } from "vitest";

const SOURCES = import.meta.glob<string>(
  [
    "../features/{agreement,compare,failures,leaderboard,overview,raters,runs}/**/*.tsx",
    "./{pair-grid,reference-scores}.tsx",
  ],
  { query: "?raw", import: "default", eager: true },
);

/** Tables whose button stands in the file that shows them, under the name of the file saved. */
const SAVED_BY: readonly (readonly [table: string, shownIn: string, name: string])[] = [
  ["pair-grid.tsx", "agreement/pair-matrix.tsx", "agreement-of-pairs"],
  ["pair-grid.tsx", "leaderboard/systems-page.tsx", "pairs-of-systems"],
  ["pair-grid.tsx", "runs/board/judge-pairs.tsx", "judges-beside-each-other"],
  ["leaderboard/board-table.tsx", "leaderboard/leaderboard-page.tsx", "leaderboard"],
  ["leaderboard/dumbbell-table.tsx", "leaderboard/dumbbell-section.tsx", "before-and-after"],
  ["leaderboard/moves-table.tsx", "leaderboard/amendments-page.tsx", "amendment-by-system"],
  ["leaderboard/right-by.tsx", "leaderboard/systems-page.tsx", "easy-and-hard-questions"],
  ["leaderboard/coverage-table.tsx", "leaderboard/systems-page.tsx", "coverage"],
  ["runs/verdict-table.tsx", "runs/verdict-section.tsx", "verdicts"],
];

const EXCEPTIONS: Readonly<Record<string, string>> = {
  "leaderboard/describe-systems.tsx": "a form: what leads write of systems, not figures",
};

function sourceOf(file: string): string {
  return Object.entries(SOURCES).find(([path]) => path.endsWith(`/${file}`))?.[1] ?? "";
}

function count(source: string, parts: RegExp): number {
  return source.match(parts)?.length ?? 0;
}

const TABLES = /<(?:Table\b|table\b)/g;
const BUTTONS = /<CsvButton\b/g;

const FILES = Object.keys(SOURCES)
  .map((path) => path.replace(/^(\.\.\/features|\.)\//, ""))
  .filter((file) => !file.includes(".test.") && count(sourceOf(file), TABLES) > 0);

describe("tables of the pages that compare", () => {
  it.each(FILES.filter((file) => SAVED_BY.every(([table]) => table !== file) && !(file in EXCEPTIONS)))(
    "%s saves each",
    (file) => {
      expect(count(sourceOf(file), BUTTONS)).toBeGreaterThanOrEqual(count(sourceOf(file), TABLES));
    },
  );

  it.each(SAVED_BY)("%s is saved in %s", (file, shownIn, name) => {
    expect(FILES).toContain(file);
    expect(sourceOf(shownIn)).toContain("<CsvButton");
    expect(sourceOf(shownIn)).toContain(`"${name}"`);
  });

  it.each(Object.keys(EXCEPTIONS))("%s is there, and needs its reason", (file) => {
    expect(FILES).toContain(file);
  });
});
