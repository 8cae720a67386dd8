/** A failure board as bars with intervals: a panel for each judge, system or label, all on one scale. */
import type { FailureBoard } from "../../api/schema";
import { intervalWords } from "../../components/figure";
import { hasLongNames, inLines, namesAxis, roomForNames, type Drawn, type Plot } from "../../lib/chart-axes";
import { formatPercent } from "../../lib/numbers";
import { type BoardWords, taggedWords } from "./board-words";

export interface Bar {
  readonly row: string;
  readonly rowName: string;
  readonly column: string;
  readonly columnName: string;
  readonly share: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly items: number;
  readonly of: number;
}

/** What has a share, in the order of the table. */
export function barsOf(board: FailureBoard): Bar[] {
  const rows = new Map(board.rows.map(({ key, name }) => [key, name]));
  const columns = new Map(board.columns.map(({ key, name }) => [key, name]));
  return board.cells.flatMap(({ row, column, share: { value, low, high }, items, of }) =>
    value === null
      ? []
      : [
          {
            row,
            rowName: rows.get(row) ?? row,
            column,
            columnName: columns.get(column) ?? column,
            share: value * 100,
            low: low === null ? null : low * 100,
            high: high === null ? null : high * 100,
            items,
            of,
          },
        ],
  );
}

/** Rows worth a bar: tags that somebody gave, lengths and kinds that answers have. All others the table has. */
export function drawnRows({ board, rows, cells }: FailureBoard): FailureBoard["rows"] {
  const isOfTags = board !== "length" && board !== "unattributable";
  const told = new Set(cells.filter(({ items, of }) => (isOfTags ? items : of) > 0).map(({ row }) => row));
  return rows.filter(({ key }) => told.has(key));
}

const PANEL_WIDTH = 190;
const TICKS = 4;
const ROW_HEIGHT = 19;
/** Of names on two lines. */
const TALL_ROW_HEIGHT = 30;
const PANEL_HEAD = 48;
/** For a second line of a panel's name. */
const LINE_HEIGHT = 14;
/** Each panel has the numbers of its scale below it. */
const PANEL_FOOT = 22;

/** How many panels stand beside each other, and the room for the names of the rows. */
export function layoutOf(width: number, board: FailureBoard, panels: number) {
  const names = roomForNames(
    board.rows.map(({ name }) => name),
    width,
  );
  const most = Math.max(1, Math.min(panels, Math.floor((width - names) / PANEL_WIDTH)));
  const down = Math.ceil(panels / most);
  // Rows of equal length: six panels are three and three, not five and one.
  const across = Math.ceil(panels / down);
  const panel = (width - names) / across - 14;
  const titles = board.columns.map(({ name }) => name);
  const head = PANEL_HEAD + (titles.some((name) => inLines(name, panel) !== name) ? LINE_HEIGHT : 0);
  const isTall = hasLongNames(
    board.rows.map(({ name }) => name),
    names,
  );
  const rows = board.rows.length * (isTall ? TALL_ROW_HEIGHT : ROW_HEIGHT);
  const between = PANEL_FOOT + head;
  // Heads and margins take a part of their own, or the names of two or three rows would meet.
  const margins = head + 48;
  return {
    ...{ names, across, down, panel, head },
    height: down * (rows + between) + margins - PANEL_FOOT,
    padding: between / (rows + between),
  };
}

interface BoardChart {
  readonly board: FailureBoard;
  readonly words: Pick<BoardWords, "axis" | "row">;
  readonly onChoose: (bar: Bar) => void;
}

export function drawBoard(plot: Plot, width: number, { board: whole, words, onChoose }: BoardChart): Drawn {
  const rows = drawnRows(whole);
  const drawn = new Set(rows.map(({ key }) => key));
  const board = { ...whole, rows, cells: whole.cells.filter(({ row }) => drawn.has(row)) };
  const bars = barsOf(board);
  const shown = board.columns.filter(({ key }) => bars.some(({ column }) => column === key));
  const { names, across, down, panel, head, height, padding } = layoutOf(width, board, shown.length);
  const places = new Map(shown.map(({ key }, place) => [key, place]));
  const facet = {
    fx: ({ column }: { readonly column: string }) => (places.get(column) ?? 0) % across,
    fy: ({ column }: { readonly column: string }) => Math.floor((places.get(column) ?? 0) / across),
  };
  const titles = shown.map((column) => ({ ...column, column: column.key, board: board.board }));
  const known = bars.filter(({ low, high }) => low !== null && high !== null);
  const interval = { y: "rowName", x1: "low", x2: "high" } as const;
  const chart = plot.plot({
    width,
    height,
    marginLeft: names,
    marginTop: head,
    marginBottom: 44,
    marginRight: 12,
    fx: { axis: null, padding: 0.14, domain: range(across) },
    fy: { axis: null, padding, domain: range(down) },
    x: { domain: [0, largest(bars)], label: null, nice: true },
    y: { domain: board.rows.map(({ name }) => name), label: null, padding: 0.25 },
    marks: [
      plot.gridX({ ticks: TICKS, stroke: "var(--line)", strokeOpacity: 1 }),
      plot.axisX({
        anchor: "bottom",
        facetAnchor: null,
        ticks: TICKS,
        label: words.axis,
        labelAnchor: "left",
        labelArrow: "none",
      }),
      namesAxis(plot, { label: words.row, room: names }),
      // Pale, so that the line of the interval lies on the bar and does not split it.
      plot.barX(bars, { ...facet, y: "rowName", x: "share", fill: "var(--chart-1)", fillOpacity: 0.6 }),
      plot.ruleY(known, { ...facet, ...interval, stroke: "var(--ink)" }),
      plot.ruleX([0], { stroke: "var(--line-strong)" }),
      plot.text(titles, {
        ...facet,
        text: ({ name }) => inLines(name, panel),
        frameAnchor: "top-left",
        lineAnchor: "bottom",
        dy: -18,
        fontWeight: 600,
        fill: "var(--ink)",
      }),
      plot.text(titles, {
        ...facet,
        text: taggedWords,
        frameAnchor: "top-left",
        dy: -14,
        fill: "var(--ink-soft)",
      }),
      plot.tip(
        bars,
        plot.pointerY({
          ...facet,
          y: "rowName",
          x: "share",
          title: tipText,
          fill: "var(--paper-raised)",
          stroke: "var(--line-strong)",
        }),
      ),
    ],
  });
  openOnClick(chart, bars, onChoose);
  return chart;
}

const range = (size: number) => Array.from({ length: size }, (_, place) => place);

function largest(bars: readonly Bar[]): number {
  return Math.max(1, ...bars.map(({ share, high }) => high ?? share));
}

function tipText({ rowName, columnName, share, low, high, items, of }: Bar): string {
  const interval = intervalWords({ low, high }, (end) => formatPercent(end / 100));
  return `${columnName}\n${rowName}: ${formatPercent(share / 100)} (${items} of ${of})${interval && `\n${interval}`}`;
}

/** For the hand with a mouse; the table has the same as links. */
function openOnClick(chart: Element, bars: readonly Bar[], onChoose: (bar: Bar) => void) {
  for (const rectangle of chart.querySelectorAll<SVGRectElement & { readonly __data__?: number }>(
    '[aria-label="bar"] rect',
  )) {
    const bar = bars[rectangle.__data__ ?? -1];
    if (!bar) continue;
    rectangle.style.cursor = "pointer";
    rectangle.addEventListener("click", () => onChoose(bar));
  }
}
