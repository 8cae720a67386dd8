/** The slope chart: how each system's rank or score changes from way to way of judging. */
import type { LeaderboardColumn, SystemRow } from "../../api/schema";
import { CORRECTED } from "../../domain/judged";
import { AXIS_NAME_HEIGHT, HALO, inLines, type Drawn, type Plot } from "../../lib/chart-axes";
import { listOf } from "../../lib/lists";
import { countOf, formatCount, formatPoints } from "../../lib/numbers";
import { baselineColumn } from "./standings";

export type Measure = "rank" | "score";

export interface SlopePoint {
  readonly system: string;
  readonly label: string;
  readonly key: string;
  readonly way: string;
  readonly value: number;
  readonly text: string;
}

/**
 * The columns from exact match to people, in between the other judges in the order of the table.
 * Judging against amended gold repeats the human column and F1 has another unit, so both stay out.
 */
export function slopeColumns(
  columns: readonly LeaderboardColumn[],
  human: LeaderboardColumn | null,
): LeaderboardColumn[] {
  const judges = columns.filter(
    ({ kind, gold, unit }) => kind === "judge" && gold !== "amended" && unit !== "f1",
  );
  const first = baselineColumn(judges);
  const ordered = judges.toSorted((a, b) => Number(b === first) - Number(a === first));
  return human ? [...ordered, human] : ordered;
}

/** The name that fits over a column of the chart; the table beside it has the whole one. */
export function wayOf(column: LeaderboardColumn): string {
  if (column.key === CORRECTED) return "Corrected";
  if (column.kind === "human") return "People";
  return column.name.replace(/ \(recorded\)$/, "").replace(/^LLM judge, prompt /, "");
}

export function slopePoints(
  rows: readonly SystemRow[],
  columns: readonly LeaderboardColumn[],
  measure: Measure,
): SlopePoint[] {
  return rows.flatMap((row) =>
    columns.flatMap((column) => {
      const score = row.scores[column.key];
      const value = measure === "rank" ? score?.rank.value : score?.value;
      if (value === undefined || value === null) return [];
      const text = measure === "rank" ? formatCount(value) : formatPoints(value);
      return [{ system: row.system, label: row.label, key: column.key, way: wayOf(column), value, text }];
    }),
  );
}

/** All values of a system's line, in the order of the chart. */
export function lineWords(points: readonly SlopePoint[], system: string, measure: Measure): string {
  const own = points.filter((point) => point.system === system);
  const said = (text: string) => (measure === "rank" ? `rank ${text}` : `${text}%`);
  return own.length === 0
    ? "No values."
    : `${own.map(({ way, text }) => `${way}: ${said(text)}`).join("; ")}.`;
}

interface SlopeChart {
  readonly points: readonly SlopePoint[];
  readonly columns: readonly LeaderboardColumn[];
  readonly measure: Measure;
  readonly highlighted: readonly string[];
}

/** How a system's line looks. */
export interface LineLook {
  readonly color: string;
  /** Absent where it is unbroken. */
  readonly dashes?: string;
}

/** So that lines that end beside each other are told apart where they cross. */
const COLORS = [1, 2, 3, 4, 5, 6].map((number) => `var(--chart-${number})`);
/** For those whose color another line has already. */
const DASHES = [undefined, "7 4", "2 3"] as const;

function lookAt(place: number): LineLook {
  const color = COLORS[place % COLORS.length] ?? "currentColor";
  const dashes = DASHES[Math.floor(place / COLORS.length) % DASHES.length];
  return { color, ...(dashes && { dashes }) };
}

/**
 * Among scores each system has a look of its own. Among ranks, blue gains two places or more and rust loses as
 * many. Chosen systems stand out from all others.
 */
export function looksOf({
  points,
  columns,
  measure,
  highlighted,
}: SlopeChart): ReadonlyMap<string, LineLook> {
  const hasChoice = highlighted.some((system) => points.some((point) => point.system === system));
  const ends = points.filter(({ key }) => key === columns.at(-1)?.key).toSorted((a, b) => b.value - a.value);
  // A system without a score at the end comes after the last of them.
  const systems = [...new Set([...ends, ...points].map(({ system }) => system))];
  const valueAt = (system: string, key: string | undefined) =>
    points.find((point) => point.system === system && point.key === key)?.value;
  const lookOf = (system: string, place: number): LineLook => {
    if (hasChoice) return { color: highlighted.includes(system) ? "var(--chart-1)" : "var(--chart-muted)" };
    if (measure === "score") return lookAt(place);
    const [first, last] = [valueAt(system, columns[0]?.key), valueAt(system, columns.at(-1)?.key)];
    const gain = first === undefined || last === undefined ? 0 : first - last;
    if (Math.abs(gain) < 2) return { color: "var(--chart-muted)" };
    return { color: gain > 0 ? "var(--chart-1)" : "var(--chart-2)" };
  };
  return new Map(systems.map((system, place) => [system, lookOf(system, place)]));
}

/**
 * Labels that would print over each other are moved apart, each way alike, in the units of the scale; within
 * its ends as far as these have room.
 */
export function spread(values: readonly number[], gap: number, [low, high] = ANYWHERE): number[] {
  const order = values.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const crowds: Crowd[] = [];
  for (const { value } of order) {
    let crowd: Crowd = { start: value, size: 1 };
    for (let before = crowds.at(-1); before && before.start + before.size * gap > crowd.start;) {
      crowd = merged(before, crowd, gap);
      crowds.pop();
      before = crowds.at(-1);
    }
    crowds.push(crowd);
  }
  const apart = crowds.flatMap(({ start, size }) =>
    Array.from({ length: size }, (_, place) => start + place * gap),
  );
  const placed = [...values];
  for (const [place, { index }] of order.entries()) {
    const latest = high - (order.length - 1 - place) * gap;
    placed[index] = Math.max(low + place * gap, Math.min(latest, apart[place] ?? 0));
  }
  return placed;
}

const ANYWHERE: readonly [number, number] = [-Infinity, Infinity];

/** Labels that stand a gap apart from each other. */
interface Crowd {
  readonly start: number;
  readonly size: number;
}

/** Each label asks for a start of the whole; their mean moves them least. */
function merged(before: Crowd, after: Crowd, gap: number): Crowd {
  const size = before.size + after.size;
  const wished = before.size * before.start + after.size * (after.start - before.size * gap);
  return { start: wished / size, size };
}

/** The two ends and, between them, as many of the others as there is room for: on a phone none. */
export function fitting<Way>(columns: readonly Way[], room: number): readonly Way[] {
  const between = Math.max(0, Math.floor(room / HEADING_WIDTH) - 1);
  return [...columns.slice(0, 1), ...columns.slice(1, -1).slice(0, between), ...columns.slice(1).slice(-1)];
}

/** What the picture says of the ways of judging that it has no room for; a narrow one has none for their names. */
export function leftOutWords(all: readonly string[], drawn: number, isNarrow = false): string {
  const count = all.length - drawn;
  if (count <= 0) return "";
  // Those between are drawn from the first on, and the last end always.
  const left = all.slice(drawn - 1, -1);
  const which = count > (isNarrow ? 0 : 2) ? countOf(count, "way") + " of judging" : listOf(left);
  return `Not shown: ${which}. See the systems table.`;
}

function fitted(chart: SlopeChart, room: number): SlopeChart {
  const columns = fitting(chart.columns, room);
  const keys = columns.map(({ key }) => key);
  return { ...chart, columns, points: chart.points.filter(({ key }) => keys.includes(key)) };
}

/** Room for the longest heading, whose lines break at `letters`. */
function headingHeight(names: readonly string[], letters: number): number {
  const lines = Math.max(...names.map((name) => Math.ceil((1.3 * name.length) / letters)));
  return 22 + 14 * Math.max(1, lines);
}

const LETTER_WIDTH = 7;
// "Containment" is the longest word of usual headings.
const HEADING_WIDTH = 80;

/** Room for the labels at the ends; a narrow chart has them at the right only. */
function marginsOf(width: number, points: readonly SlopePoint[]) {
  const longest = Math.max(...points.map(({ label, text }) => label.length + text.length + 2));
  const room = Math.min(longest * LETTER_WIDTH + BESIDE_LABELS, width * 0.58);
  return { marginLeft: width < NARROW ? 36 : room, marginRight: room, marginBottom: 12 };
}

function domainOf(points: readonly SlopePoint[], measure: Measure): [number, number] {
  const values = points.map(({ value }) => value);
  if (measure === "score") return [Math.min(...values), Math.max(...values)];
  // The best rank stands on top.
  return [Math.max(...values) + 0.4, 0.6];
}

const NARROW = 480;
const HEIGHT = 400;
const LABEL_HEIGHT = 16;
const BESIDE_LABELS = 12;

export function drawSlope(plot: Plot, width: number, whole: SlopeChart): Drawn {
  const isNarrow = width < NARROW;
  const margins = marginsOf(width, whole.points);
  const room = width - margins.marginLeft - margins.marginRight;
  const chart = fitted(whole, isNarrow ? 0 : room);
  const { points, columns, measure } = chart;
  const names = columns.map(wayOf);
  const domain = domainOf(points, measure);
  const looks = looksOf(chart);
  const color = (point: SlopePoint) => looks.get(point.system)?.color ?? "currentColor";
  // A narrow chart has long labels on two lines.
  const labelRoom = margins.marginRight - BESIDE_LABELS;
  const labelHeight = LABEL_HEIGHT * (hasLongLabels(points, labelRoom) ? 2 : 1);
  const height = heightOf(points, labelHeight);
  const gap = (labelHeight * Math.abs(domain[1] - domain[0])) / (height - 56);
  const labelWidth = Math.max(4, room / Math.max(1, names.length - 1) / 15);
  const leftOut = leftOutWords(whole.columns.map(wayOf), columns.length, isNarrow);
  const marginTop = headingHeight(names, labelWidth * 2) + AXIS_NAME_HEIGHT;
  const place = { x: "way", y: "value" } as const;
  const lines = linesOf(points);
  const drawn = plot.plot({
    width,
    height: height + marginTop + (leftOut ? LABEL_HEIGHT : 0),
    ...margins,
    marginBottom: margins.marginBottom + (leftOut ? LABEL_HEIGHT : 0),
    marginTop,
    x: { type: "point", domain: names, axis: null, padding: 0.02 },
    y: { domain, axis: null, inset: 8 },
    marks: [
      ...axes(plot, measure, labelWidth),
      ...(leftOut ? [leftOutNote(plot, leftOut, margins.marginLeft)] : []),
      plot.ruleX(names, { stroke: "var(--line)" }),
      ...lines.map((own) => {
        const { dashes } = looks.get(own[0]?.system ?? "") ?? {};
        const dashed = dashes && { strokeDasharray: dashes };
        return plot.line(own, { ...place, z: "system", stroke: color, strokeWidth: 2, ...dashed });
      }),
      plot.dot(points, { ...place, r: 3.5, fill: color, stroke: "var(--paper)" }),
      ...(isNarrow ? [] : [endLabels(plot, chart, { end: "start", gap, room: labelRoom })]),
      endLabels(plot, chart, { end: "end", gap, room: labelRoom }),
      plot.tip(points, plot.pointer({ ...place, title: tipText, ...TIP_LOOK })),
    ],
  });
  lightPointed(
    drawn,
    lines.map(([first]) => first?.system),
  );
  return drawn;
}

/** The points of each system, in the order in which their lines are drawn. */
function linesOf(points: readonly SlopePoint[]): readonly (readonly SlopePoint[])[] {
  const systems = [...new Set(points.map(({ system }) => system))];
  return systems.map((own) => points.filter(({ system }) => system === own));
}

/** The whole line of the system that the pointer is at stands out, not the one point alone. */
function lightPointed(
  chart: Drawn & { readonly value?: SlopePoint | null },
  systems: readonly (string | undefined)[],
) {
  const lines = [...chart.querySelectorAll('[aria-label="line"]')];
  chart.addEventListener("input", () => {
    for (const [place, line] of lines.entries())
      line.toggleAttribute("data-lit", chart.value != null && systems[place] === chart.value.system);
  });
}

/** With many systems the chart grows, so that every label at its ends has a line. */
function heightOf(points: readonly SlopePoint[], labelHeight: number): number {
  return Math.max(HEIGHT, new Set(points.map(({ system }) => system)).size * labelHeight + 56);
}

/** The ways of judging over their columns; the values stand beside the systems, so their axis is its name alone. */
function axes(plot: Plot, measure: Measure, labelWidth: number) {
  const name = measure === "rank" ? "Rank (1 is best)" : "Score (percent)";
  return [
    plot.axisX({
      anchor: "top",
      label: "Way of judging",
      labelAnchor: "right",
      labelArrow: "none",
      tickSize: 0,
      lineWidth: labelWidth,
      fill: "var(--ink-soft)",
    }),
    plot.axisY({ label: name, labelAnchor: "top", labelArrow: "none", ticks: [], fill: "var(--ink-soft)" }),
  ];
}

function leftOutNote(plot: Plot, words: string, marginLeft: number) {
  return plot.text([words], {
    frameAnchor: "bottom-left",
    dx: 2 - marginLeft,
    dy: 20,
    lineAnchor: "bottom",
    fill: "var(--ink-soft)",
  });
}

const TIP_LOOK = { fill: "var(--paper-raised)", stroke: "var(--line-strong)" } as const;

function tipText(point: SlopePoint): string {
  return `${point.label}\n${point.way}: ${point.text}`;
}

function labelOf({ text, label }: SlopePoint, end: "start" | "end"): string {
  return end === "start" ? `${label} ${text}` : `${text} ${label}`;
}

function hasLongLabels(points: readonly SlopePoint[], room: number): boolean {
  return points.some((point) => labelOf(point, "end").length * LETTER_WIDTH > room);
}

interface EndLabels {
  readonly end: "start" | "end";
  /** Between labels, in the units of the scale. */
  readonly gap: number;
  /** The width that a label has. */
  readonly room: number;
}

function endLabels(plot: Plot, chart: SlopeChart, { end, gap, room }: EndLabels) {
  const column = end === "start" ? chart.columns[0] : chart.columns.at(-1);
  const own = chart.points.filter(({ key }) => key === column?.key);
  const [one, other] = domainOf(chart.points, chart.measure);
  const places = spread(
    own.map(({ value }) => value),
    gap,
    [Math.min(one, other), Math.max(one, other)],
  );
  return plot.text(
    own.map((point, index) => ({ ...point, place: places[index] ?? point.value })),
    {
      x: "way",
      y: "place",
      text: (point: SlopePoint) => {
        const words = labelOf(point, end);
        return words.length * LETTER_WIDTH > room ? inLines(words, room) : words;
      },
      textAnchor: end === "start" ? "end" : "start",
      dx: end === "start" ? -9 : 9,
      ...HALO,
      fill: "var(--ink)",
    },
  );
}
