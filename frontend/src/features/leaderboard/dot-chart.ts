/** The dot plot: a row a system, people's score with its interval, and around it what judges say. */
import type { Leaderboard, LeaderboardColumn, Score, SystemRow } from "../../api/schema";
import { endsWords, intervalWords } from "../../components/figure";
import { type Drawn, HALO, namedRows, type Plot } from "../../lib/chart-axes";
import { countOf, formatCount, formatPercent, formatPoints, statistic } from "../../lib/numbers";
import { percentDomain } from "./dumbbell-chart";
import { fewLast, isOfFew } from "./standings";
import { fewAnswersWords } from "./words";

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

/** What each mark is, as the end of a sentence about the picture. */
export function marksWords({ main, judges, leftOut, rows }: DotChart): string {
  const hollow = judges.map(({ name }, place) => `${MARKS[place]?.name ?? ""}: ${name}`);
  const words = [`Solid dot: ${main.name}, with its 95% interval`, ...hollow].join("; ");
  const lacking = leftOut.length === 0 ? "" : ` Not shown: ${leftOut.map(({ name }) => name).join("; ")}.`;
  const few = rows.some((row) => isOfFew(row, main)) ? ` Pale, listed last: ${fewAnswersWords(main)}.` : "";
  return `${words}.${few}${lacking}`;
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

const NARROW = 480;

export function drawDots(plot: Plot, width: number, { main, judges, rows }: DotChart): Drawn {
  const systems = rows.map((row) => ({ key: row.system, name: nameOf(row, main) }));
  const { frame, axis } = namedRows(plot, width, "System", systems);
  const own = dotsOf(rows, main.key, main);
  const marks = judges.map(({ key }, place) => ({ dots: dotsOf(rows, key, main), mark: MARKS[place] }));
  const ends = [
    ...own.flatMap(({ low, high }) => [low, high]),
    ...marks.flatMap(({ dots }) => dots.map(({ percent }) => percent)),
  ];
  const isNarrow = width < NARROW;
  const hollow = (dots: readonly Dot[], mark: (typeof MARKS)[number] | undefined, line: object) =>
    plot.dot(dots, {
      x: "percent",
      y: "system",
      r: 5.5,
      symbol: mark?.symbol ?? "circle",
      fill: "none",
      strokeOpacity: "opacity",
      ...line,
    });
  return plot.plot({
    ...frame,
    marginRight: isNarrow ? 42 : 126,
    x: {
      label: "Score in percent",
      labelAnchor: "center",
      labelArrow: "none",
      domain: percentDomain(ends.map((percent) => ({ percent }))),
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
        stroke: "var(--chart-1)",
        strokeWidth: 3,
        strokeOpacity: ({ opacity }: Dot) => 0.55 * opacity,
      }),
      // Their halos first: the solid dot is seen inside the hollow marks, which are wider.
      ...marks.map(({ dots, mark }) => hollow(dots, mark, HALO)),
      plot.dot(own, {
        x: "percent",
        y: "system",
        r: 4.5,
        fill: "var(--chart-1)",
        fillOpacity: "opacity",
        stroke: "var(--paper)",
      }),
      ...marks.map(({ dots, mark }) =>
        hollow(dots, mark, { stroke: mark?.color ?? "currentColor", strokeWidth: 1.75 }),
      ),
      plot.text(own, {
        y: "system",
        frameAnchor: "right",
        textAnchor: "start",
        dx: 8,
        text: ({ percent, low, high }: Dot) => directWords({ percent, low, high }, isNarrow),
        fill: "var(--ink)",
        ...HALO,
      }),
    ],
  });
}

/** At the end of a row: the score, and its interval where there is room. */
function directWords(
  { percent, low, high }: Pick<Dot, "percent" | "low" | "high">,
  isNarrow: boolean,
): string {
  const score = formatPoints(percent / 100);
  const ends = endsWords({ low: low / 100, high: high / 100 });
  return isNarrow || low === high ? score : `${score} (${ends})`;
}
