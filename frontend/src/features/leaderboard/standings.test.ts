import { describe, expect, it } from "vitest";
import type { LeaderboardColumn, SystemRow } from "../../api/schema";
import { makeFigure } from "../../components/figure";
import { makeScore } from "../../test/figures";
import { makeBarelyDecided } from "../../test/lead-cast";
import {
  chosenColumns,
  difference,
  gainIn,
  fewLast,
  humanColumn,
  isOfFew,
  isPeoples,
  nextSorting,
  parseSorting,
  peopleFirst,
  rankChange,
  scale,
  sortedRows,
  splittingColumn,
  toggledColumns,
  usualColumns,
  withScores,
} from "./standings";

function column(key: string, more: Partial<LeaderboardColumn> = {}): LeaderboardColumn {
  return {
    key,
    name: key,
    kind: "judge",
    gold: "original",
    signature: key,
    unit: "accuracy",
    kendall_tau_b: makeFigure(null),
    same_order: null,
    pairs: null,
    same: null,
    alike: null,
    fewest: 30,
    ...more,
  };
}

function row(system: string, values: Readonly<Record<string, [number, number] | null>>): SystemRow {
  const scores = Object.entries(values).map(([key, entry]) => [
    key,
    entry &&
      makeScore(entry[0], {
        low: entry[0] - 0.05,
        high: entry[0] + 0.05,
        rank: makeFigure(entry[1]),
      }),
  ]);
  return {
    system,
    label: system,
    description: {},
    n: 100,
    scores: Object.fromEntries(scores),
    median_words: 2,
    has_long_answers: false,
    decided_share: 1,
    range: null,
  };
}

const COLUMNS = [
  column("exact_match"),
  column("token_f1", { unit: "f1" }),
  column("human", { kind: "human", gold: "amended" }),
  column("decided", { kind: "human", gold: null }),
];
const ROWS = [
  row("B", { exact_match: [0.5, 1], human: [0.6, 3] }),
  row("A", { exact_match: [0.4, 2], human: [0.7, 2] }),
  row("C", { exact_match: [0.1, 3], human: [0.8, 1] }),
  row("D", { exact_match: null, human: null }),
];
const names = (rows: readonly SystemRow[]) => rows.map(({ system }) => system).join("");

describe("people", () => {
  it("stand before judges, each in the board's own order", () => {
    const columns = [column("em"), column("f1"), column("human", { kind: "human" })];
    expect(peopleFirst(columns, []).map(({ key }) => key)).toEqual(["human", "em", "f1"]);
  });
});

describe("sorting", () => {
  it("starts with the best by people on amended gold", () => {
    expect(parseSorting(undefined, COLUMNS, ROWS)).toEqual({ key: "human", direction: "descending" });
  });

  it("keeps a system without a score last in both directions", () => {
    expect(names(sortedRows(ROWS, { key: "human", direction: "descending" }))).toBe("CABD");
    expect(names(sortedRows(ROWS, { key: "human", direction: "ascending" }))).toBe("BACD");
  });

  it("orders equal scores by name", () => {
    const tied = [row("Z", { human: [0.5, 1] }), row("Y", { human: [0.5, 1] })];
    expect(names(sortedRows(tied, { key: "human", direction: "descending" }))).toBe("YZ");
  });

  it("turns round when the same heading is pressed again, and starts names with A", () => {
    expect(nextSorting({ key: "human", direction: "descending" }, "human").direction).toBe("ascending");
    expect(nextSorting({ key: "human", direction: "descending" }, "system").direction).toBe("ascending");
  });

  it("falls back where the address names a column that is gone", () => {
    expect(parseSorting("gone:ascending", COLUMNS, ROWS).key).toBe("human");
  });
});

describe("columns", () => {
  it("shows all where none was chosen or none of the chosen is left", () => {
    expect(chosenColumns(COLUMNS, undefined)).toHaveLength(4);
    expect(chosenColumns(COLUMNS, "gone")).toHaveLength(4);
  });

  it("are left out where they say nothing of any system", () => {
    const corrected = column("corrected", { kind: "human", gold: null });
    expect(withScores([...COLUMNS, corrected], ROWS)).not.toContain(corrected);
    const audited = [row("A", { exact_match: [0.6, 1], corrected: [0.4, 1] })];
    expect(withScores([...COLUMNS, corrected], audited).map(({ key }) => key)).toEqual([
      "exact_match",
      "corrected",
    ]);
  });

  it("say what people found once where all is decided", () => {
    const decided = column("human_decided", { kind: "human", gold: null });
    const keys = (rows: SystemRow[]) => withScores([...COLUMNS, decided], rows).map(({ key }) => key);
    expect(keys([row("A", { human: [0.6, 1], human_decided: [0.6, 1] })])).toEqual(["human"]);
    const open = row("B", { human: [0.6, 1], human_decided: [0.7, 1] });
    expect(keys([open])).toEqual(["human", "human_decided"]);
  });

  it("show one score of people once all is decided, unless somebody chose the other", () => {
    const decided = column("human_decided", { kind: "human", gold: null });
    const all = [column("human", { kind: "human", gold: "amended" }), decided];
    const keys = (rows: SystemRow[], chosen?: string) =>
      chosenColumns(all, chosen, usualColumns(all, rows)).map(({ key }) => key);
    const over = [row("A", { human: [0.6, 1], human_decided: [0.62, 1] })].map((each) => ({
      ...each,
      n: each.scores["human_decided"]?.n ?? 0,
    }));
    expect(keys(over)).toEqual(["human"]);
    expect(keys(over, "human,human_decided")).toEqual(["human", "human_decided"]);
    expect(keys(over.map((each) => ({ ...each, n: each.n + 1 })))).toEqual(["human", "human_decided"]);
    expect(toggledColumns(all, all, "human_decided", usualColumns(all, over))).toBeUndefined();
  });

  it("keeps the table's own order", () => {
    expect(chosenColumns(COLUMNS, "human,exact_match").map(({ key }) => key)).toEqual([
      "exact_match",
      "human",
    ]);
  });

  it("are written into the address, and left out when all are shown again", () => {
    const without = toggledColumns(COLUMNS, COLUMNS, "token_f1");
    expect(without).toBe("exact_match,human,decided");
    expect(toggledColumns(COLUMNS, chosenColumns(COLUMNS, without), "token_f1")).toBeUndefined();
  });

  it("name amended gold, which covers every answer, as what people say", () => {
    expect(humanColumn(COLUMNS, ROWS)?.key).toBe("human");
    const mixed = COLUMNS.map((each) => (each.key === "human" ? { ...each, kind: "mixed" as const } : each));
    const settled = [...mixed, column("corrected", { kind: "human", gold: null }), ...mixed];
    const audited = [row("A", { exact_match: [0.6, 1], corrected: [0.4, 1] })];
    expect(humanColumn(settled, audited)?.key).toBe("corrected");
    expect(
      peopleFirst(settled, ROWS)
        .map(({ kind }) => kind)
        .lastIndexOf("human"),
    ).toBeLessThan(peopleFirst(settled, ROWS).findIndex(({ kind }) => kind === "mixed"));
  });
});

describe("a board of which people decided little", () => {
  const { columns, rows } = makeBarelyDecided(0.05);

  it("begins with what was decided, and is sorted by it", () => {
    expect(humanColumn(columns, rows)?.key).toBe("human_decided");
    expect(parseSorting(undefined, columns, rows).key).toBe("human_decided");
    expect(peopleFirst(columns, rows).map(({ key }) => key)).toEqual([
      "human_decided",
      "human",
      "exact_match",
    ]);
    expect(columns.filter((column) => isPeoples(column, rows)).map(({ key }) => key)).toEqual([
      "human_decided",
    ]);
  });

  it("goes by the system of which least is decided", () => {
    const [first, ...rest] = makeBarelyDecided(1).rows;
    const [, last] = rows;
    if (!first || !last) throw new Error("The board lacks its rows.");
    expect(humanColumn(columns, [first, ...rest])?.key).toBe("human");
    expect(humanColumn(columns, [first, last])?.key).toBe("human_decided");
  });

  it("keeps what the audit corrects in front, which is an estimate over all", () => {
    const corrected = column("corrected", { kind: "human", gold: null });
    const audited = rows.map((each) => ({
      ...each,
      scores: { ...each.scores, corrected: each.scores["human_decided"] ?? null },
    }));
    expect(humanColumn([...columns, corrected], audited)?.key).toBe("corrected");
  });

  it("keeps what people decided in front until the audit corrects a score", () => {
    const corrected = column("corrected", { kind: "human", gold: null });
    expect(humanColumn([...columns, corrected], rows)?.key).toBe("human_decided");
  });
});

describe("movement", () => {
  it("counts places gained as positive", () => {
    expect(ROWS.map((entry) => rankChange(entry, "exact_match", "human"))).toEqual([-2, 0, 2, null]);
  });

  it("is unknown where a score is missing", () => {
    expect(difference(ROWS[3] as SystemRow, "exact_match", "human")).toBeNull();
    expect(difference(ROWS[2] as SystemRow, "exact_match", "human")).toBeCloseTo(0.7);
  });

  it("is unknown between scores of different questions", () => {
    const partly = row("A", { exact_match: [0.6, 1], human_decided: [0.4, 1] });
    const decided = partly.scores["human_decided"];
    if (!decided) throw new Error("The row lacks its score.");
    const fewer = { ...partly, scores: { ...partly.scores, human_decided: { ...decided, n: 50 } } };
    expect(difference(partly, "exact_match", "human_decided")).toBeCloseTo(-0.2);
    expect(difference(fewer, "exact_match", "human_decided")).toBeNull();
    expect(gainIn(fewer, "exact_match", "human_decided").value).toBeNull();
  });

  it("is what the server computes of the same questions, with its interval, once that is there", () => {
    const entry = row("A", { exact_match: [0.5, 1], human: [0.75, 1] });
    expect(gainIn(entry, "exact_match", "human")).toEqual(makeFigure(0.25));
    const gain = makeFigure(0.1, { low: 0, high: 0.2 });
    const human = makeScore(0.75, { n: 50, gain });
    expect(gainIn({ ...entry, scores: { ...entry.scores, human } }, "exact_match", "human")).toEqual(gain);
  });
});

describe("the scale of the bars", () => {
  it("covers every interval shown", () => {
    expect(scale(ROWS, COLUMNS)).toEqual([0, 0.9]);
  });

  it("is the whole range where nothing is scored", () => {
    expect(scale([], COLUMNS)).toEqual([0, 1]);
  });
});

describe("scores over too few answers", () => {
  const human = column("human_decided", { kind: "human", gold: null });
  const few = row("Few", { human_decided: [1, 1], exact_match: [0.9, 1] });
  const many = row("Many", { human_decided: [0.7, 2], exact_match: [0.5, 2] });
  const rows = [few, many].map((each) => ({
    ...each,
    scores: {
      ...each.scores,
      human_decided: makeScore(each === few ? 1 : 0.7, { n: each === few ? 6 : 80 }),
    },
  }));
  const columns = [column("exact_match"), human];

  it("come last, however high they are", () => {
    const sorted = sortedRows(rows, parseSorting(undefined, columns, rows));
    expect(sorted.map(({ label }) => label)).toEqual(["Few", "Many"]);
    expect(fewLast(sorted, human).map(({ label }) => label)).toEqual(["Many", "Few"]);
    expect(rows.map((each) => isOfFew(each, human))).toEqual([true, false]);
    expect(rows.map((each) => isOfFew(each, column("exact_match")))).toEqual([false, false]);
    expect(rows.map((each) => isOfFew(each, column("unknown")))).toEqual([false, false]);
  });

  it("stand by their height in an order that somebody chose", () => {
    expect(splittingColumn(undefined, columns, rows)).toBe(human);
    expect(splittingColumn("nonsense", columns, rows)).toBe(human);
    expect(splittingColumn("human_decided:descending", columns, rows)).toBeNull();
    expect(splittingColumn("exact_match", columns, rows)).toBeNull();
    expect(splittingColumn(undefined, columns, rows.slice(1))).toBeNull();
  });
});
