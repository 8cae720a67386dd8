/** The dot plot: a row a system, people's score with its interval, and around it what judges say. */
import type { Leaderboard, LeaderboardColumn, Score, SystemRow } from "../../api/schema";
import type { KeyItem } from "../../components/chart-key";
import { endsWords, intervalWords } from "../../components/figure";
import { type Drawn, HALO, namedRows, NARROW, type Plot } from "../../lib/chart-axes";
import { countOf, formatCount, formatPercent, formatPoints, statistic } from "../../lib/numbers";
import { percentDomain } from "./dumbbell-chart";
import { wayOf } from "./slope-chart";
import { fewLast, isOfFew } from "./standings";

/** How judges are told apart, by shape and color: as many as a row can show. */
export const MARKS = [
  { symbol: "circle", name: "open circle", color: "var(--chart-2)" },
  { symbol: "diamond", name: "open diamond", color: "var(--chart-3)" },
  { symbol: "triangle", name: "open triangle", color: "var(--chart-4)" },
  { symbol: "square", name: "open square", color: "var(--ink-soft)" },
  { symbol: "times", name: "cross", color: "var(--chart-2)" },
] as const;

export interface DotChart {
  /** The way of judging that orders the rows. */
  readonly main: LeaderboardColumn;
  /** Those with a hollow mark each, in the order of `MARKS`. */
  readonly judges: readonly LeaderboardColumn[];
  /** Those that have no mark left. */
  readonly leftOut: readonly LeaderboardColumn[];
  /** With a score by the main way, the best first; those with scores over too few answers come last. */
  readonly rows: readonly SystemRow[];
}

/** Means of F1 have another unit, and amended gold says what people say. */
function isComparable({ kind, gold, unit }: LeaderboardColumn): boolean {
  return kind === "judge" && gold !== "amended" && unit === "accuracy";
}

/** Nothing where no system has a score by people, nor by any judge. */
export function dotChart(
  rows: readonly SystemRow[],
  columns: readonly LeaderboardColumn[],
  human: LeaderboardColumn | null,
): DotChart | null {
  const judges = columns.filter(isComparable).toSorted((a, b) => placeOf(a) - placeOf(b));
  const [main, ...others] = human ? [human, ...judges] : judges;
  if (!main) return null;
  const scored = rows.filter(({ scores }) => scores[main.key]);
  const valueOf = ({ scores }: SystemRow) => scores[main.key]?.value ?? 0;
  const best = scored.toSorted((a, b) => valueOf(b) - valueOf(a) || a.label.localeCompare(b.label, "en"));
  const inOrder = fewLast(best, main);
  if (inOrder.length === 0) return null;
  return {
    main,
    judges: others.slice(0, MARKS.length),
    leftOut: others.slice(MARKS.length),
    rows: inOrder,
  };
}

const placeOf = ({ key }: LeaderboardColumn) => (key === "exact_match" ? 0 : 1);

/** Each mark and whom it is of; short, as long as that tells them apart. */
export function marksOf({ main, judges, rows }: DotChart): KeyItem[] {
  const shown = [main, ...judges];
  const short = shown.map(wayOf);
  const nameOf = (column: LeaderboardColumn, place: number) =>
    short.filter((name) => name === short[place]).length > 1 ? column.name : (short[place] ?? column.name);
  const hollow = judges.flatMap((column, place) => {
    const mark = MARKS[place];
    if (!mark) return [];
    return [{ shape: mark.symbol, color: mark.color, look: mark.name, name: nameOf(column, place + 1) }];
  });
  const own = { color: "var(--chart-1)", name: `${nameOf(main, 0)}, 95% interval` } as const;
  const few = { shape: "dot", color: "var(--chart-1)", opacity: PALE, look: "pale, listed last" } as const;
  return [
    { shape: "bounded", look: "solid dot and bar", ...own },
    ...hollow,
    ...(rows.some((row) => isOfFew(row, main))
      ? [{ ...few, name: `fewer than ${countOf(main.fewest, "answer")}` }]
      : []),
  ];
}

/** The judges that the picture has no mark for. */
export function notShownWords({ leftOut }: Pick<DotChart, "leftOut">): string {
  return leftOut.length === 0 ? "" : ` Not shown: ${leftOut.map(({ name }) => name).join("; ")}.`;
}

/** All that a row shows, in numbers. */
export function rowWords(
  row: SystemRow,
  { main, judges }: Pick<DotChart, "main" | "judges">,
  { n_questions: questions }: Pick<Leaderboard, "n_questions">,
): string {
  const score = row.scores[main.key];
  if (!score) return row.label;
  const own = judges.flatMap((column) => {
    const found = row.scores[column.key];
    return found ? [`${column.name} ${scoreWords(found)}`] : [];
  });
  const size =
    score.n === questions ? "" : `, on ${formatCount(score.n)} of ${countOf(questions, "question")}`;
  const beside = own.length === 0 ? "" : ` ${own.join("; ")}.`;
  return `${main.name} ${scoreWords(score)}${size}${rankWords(score)}.${beside}`;
}

function scoreWords(score: Score): string {
  const interval = intervalWords(score);
  return `${formatPercent(score.value)}${interval && ` (${interval})`}`;
}

function rankWords({ rank: { value, low, high } }: Score): string {
  if (value === null) return "";
  const range = low === null || high === null || low === high ? "" : ` (${low} to ${high})`;
  return `, rank ${formatCount(value)}${range}`;
}

interface Dot {
  readonly system: string;
  readonly opacity: number;
  readonly percent: number;
  readonly low: number;
  readonly high: number;
}

/** Of systems whose score says too little: seen, but not at first. */
const PALE = 0.4;

function dotsOf(rows: readonly SystemRow[], key: string, main: LeaderboardColumn): Dot[] {
  return rows.flatMap((row) => {
    const score = row.scores[key];
    if (!score) return [];
    const [value, low, high] = [score.value, score.low ?? score.value, score.high ?? score.value];
    const opacity = isOfFew(row, main) ? PALE : 1;
    return [{ system: row.system, percent: 100 * value, low: 100 * low, high: 100 * high, opacity }];
  });
}

/** A score over too few answers is not read without saying over how many. */
function nameOf(row: SystemRow, main: LeaderboardColumn): string {
  return isOfFew(row, main)
    ? `${row.label} (${statistic("n", formatCount(row.scores[main.key]?.n ?? 0))})`
    : row.label;
}

/** Between the middles of marks that stand apart, and between the lines they take where they do not. */
const MARK_WIDTH = 13;
const LINE_HEIGHT = 13;

interface Marks {
  /** Undefined: people's own. */
  readonly mark: (typeof MARKS)[number] | undefined;
  readonly dots: readonly Dot[];
}

/** On which line of its row a mark stands: the first on which it covers none; people’s is on the first. */
export function linesOf(own: readonly Dot[], marks: readonly Marks[], distance: number): Map<Dot, number> {
  const lines = new Map<Dot, number>(own.map((dot) => [dot, 0]));
  for (const { system } of own) {
    const inRow = marks.flatMap(({ dots }) => dots.filter((dot) => dot.system === system));
    for (const dot of inRow.toSorted((a, b) => a.percent - b.percent)) {
      const taken = [...lines].filter(
        ([other]) => other.system === system && Math.abs(other.percent - dot.percent) < distance,
      );
      const free = [0, 1, 2, 3, 4, 5].find((line) => taken.every(([, other]) => other !== line));
      lines.set(dot, free ?? 0);
    }
  }
  return lines;
}

/** The scale’s ends, of all that is drawn. */
function domainOf(own: readonly Dot[], marks: readonly Marks[]): [number, number] {
  const ends = own.flatMap(({ low, high }) => [low, high]);
  const values = marks.flatMap(({ dots }) => dots.map(({ percent }) => percent));
  return percentDomain([...ends, ...values].map((percent) => ({ percent })));
}

export function drawDots(plot: Plot, width: number, { main, judges, rows }: DotChart): Drawn {
  const systems = rows.map((row) => ({ key: row.system, name: nameOf(row, main) }));
  const own = dotsOf(rows, main.key, main);
  const marks = judges.map(({ key }, place) => ({ dots: dotsOf(rows, key, main), mark: MARKS[place] }));
  const domain = domainOf(own, marks);
  const isNarrow = width < NARROW;
  const distance = (MARK_WIDTH * (domain[1] - domain[0])) / (width - 40);
  const lines = isNarrow ? linesOf(own, marks, distance) : new Map<Dot, number>();
  const most = Math.max(0, ...lines.values());
  const layout = namedRows(plot, width, "System", systems, { more: most * LINE_HEIGHT, free: FREE });
  const { frame, axis, dy, nameDy } = layout;
  const each = marks.flatMap(({ dots, mark }) =>
    Array.from({ length: most + 1 }, (_, line) => ({
      mark,
      dy: dy + line * LINE_HEIGHT,
      dots: dots.filter((dot) => (lines.get(dot) ?? 0) === line),
    })).filter((drawn) => drawn.dots.length > 0),
  );
  const hollow = ({ dots, mark, dy }: (typeof each)[number], line: object) =>
    plot.dot(dots, {
      x: "percent",
      y: "system",
      dy,
      r: isNarrow ? 4.5 : 5.5,
      symbol: mark?.symbol ?? "circle",
      fill: "none",
      strokeOpacity: "opacity",
      ...line,
    });
  return plot.plot({
    ...frame,
    ...(!isNarrow && { marginRight: 126 }),
    x: {
      label: "Score in percent",
      labelAnchor: "center",
      labelArrow: "none",
      domain,
      grid: true,
      nice: true,
      insetLeft: 8,
      ...(isNarrow && { ticks: 4 }),
    },
    marks: [
      axis,
      plot.ruleY(own, {
        y: "system",
        x1: "low",
        x2: "high",
        dy,
        stroke: "var(--chart-1)",
        strokeWidth: 3,
        strokeOpacity: ({ opacity }: Dot) => 0.55 * opacity,
      }),
      // Their halos first: the solid dot is seen inside the hollow marks, which are wider.
      ...each.map((drawn) => hollow(drawn, HALO)),
      plot.dot(own, {
        x: "percent",
        y: "system",
        dy,
        r: 4.5,
        fill: "var(--chart-1)",
        fillOpacity: "opacity",
        stroke: "var(--paper)",
      }),
      ...each.map((drawn) =>
        hollow(drawn, { stroke: drawn.mark?.color ?? "currentColor", strokeWidth: 1.75 }),
      ),
      plot.text(own, {
        y: "system",
        frameAnchor: "right",
        ...(isNarrow ? { textAnchor: "end", dx: 8, dy: nameDy } : { textAnchor: "start", dx: 8 }),
        text: directWords,
        fill: "var(--ink)",
        ...HALO,
      }),
    ],
  });
}

/** On a narrow chart the numbers stand at the end of the line of the name. */
const FREE = 126;

/** At the end of a row: the score, and its interval. */
function directWords({ percent, low, high }: Pick<Dot, "percent" | "low" | "high">): string {
  const score = formatPoints(percent / 100);
  const ends = endsWords({ low: low / 100, high: high / 100 });
  return low === high ? score : `${score} (${ends})`;
}
