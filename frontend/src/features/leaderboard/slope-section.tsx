/** The slope chart of ranks or scores, with the same numbers in a table beside it. */
import { useId, useMemo, useState } from "react";
import type { Leaderboard, LeaderboardColumn, SystemRow } from "../../api/schema";
import { Button } from "../../components/button";
import type { KeyItem } from "../../components/chart-key";
import { PlotFigure } from "../../components/plot-figure";
import { SegmentedControl } from "../../components/segmented-control";
import { type Column, numberColumn, Table } from "../../components/table";
import { questionsWords } from "../../domain/judged";
import type { QuestionFilter } from "../../domain/question-filter";
import { countOf, formatCount } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import { SYSTEM } from "./board-table";
import { gainColumn, gainsWords, useGains } from "./gains";
import styles from "./leaderboard-page.module.css";
import {
  drawSlope,
  type LineLook,
  lineWords,
  looksOf,
  type Measure,
  slopeColumns,
  type SlopePoint,
  slopePoints,
} from "./slope-chart";
import { gainIn, rankChange } from "./standings";
import type { BoardView } from "./use-board";
import { levelWords } from "./words";

const MEASURES = [
  { value: "rank", name: "Ranks" },
  { value: "score", name: "Scores" },
] as const;

const OTHERS = { shape: "line", color: "var(--chart-muted)", look: "gray line", name: "other" } as const;
const GAINS: readonly KeyItem[] = [
  { shape: "line", color: "var(--chart-1)", look: "blue line", name: "2 or more ranks up" },
  { shape: "line", color: "var(--chart-2)", look: "rust-colored line", name: "2 or more ranks down" },
  OTHERS,
];
const SELECTED: readonly KeyItem[] = [
  { shape: "line", color: "var(--chart-1)", look: "blue line", name: "selected" },
  OTHERS,
];

interface SlopeSectionProps {
  readonly board: Leaderboard;
  readonly view: BoardView;
  readonly filter: QuestionFilter;
}

export function SlopeSection({ board, view, filter }: SlopeSectionProps) {
  // Without ranks by people there is only the scores' picture.
  const hasRanks =
    view.human !== null && board.rows.some((row) => row.scores[view.human?.key ?? ""]?.rank.value != null);
  const search = useSearchState();
  const measure: Measure = hasRanks && search.read("slope") !== "score" ? "rank" : "score";
  const columns = useMemo(() => slopeColumns(view.columns, view.human), [view.columns, view.human]);
  const points = useMemo(() => slopePoints(board.rows, columns, measure), [board.rows, columns, measure]);
  const [pointed, setPointed] = useState<string>();
  const highlighted = pointed ?? view.pair.join("~");
  const chart = useMemo(
    () => ({ points, columns, measure, highlighted: highlighted.split("~") }),
    [points, columns, measure, highlighted],
  );
  const looks = useMemo(() => looksOf(chart), [chart]);
  if (columns.length < 2 || board.rows.length < 2)
    return <p className="soft">This chart requires two systems and two ways of judging.</p>;
  const isLevel = points.every(({ value }) => value === points[0]?.value);
  if (isLevel) return <p className="soft">{levelWords(board, columns, measure)}</p>;
  const title = measure === "rank" ? "Rank of each system (1 is best)" : "Score of each system (percent)";
  return (
    <div className="fields">
      {hasRanks && (
        <div>
          <SegmentedControl
            label="Measure"
            value={measure}
            options={MEASURES}
            onChange={(chosen) => search.write({ slope: chosen === "rank" ? "" : chosen })}
          />
        </div>
      )}
      <div className="stack">
        <div className="stack">
          <PlotFigure
            title={title}
            note={`for each way of judging, ${countOf(board.rows.length, "system")}, ${questionsWords(board)}.`}
            marks={highlighted !== "" ? SELECTED : measure === "rank" ? GAINS : []}
            label={`${title}, from ${columns[0]?.name} to ${columns.at(-1)?.name}`}
            draw={drawSlope}
            of={chart}
            height={26}
          />
          <Lines points={points} measure={measure} looks={looks} pointed={pointed} onPoint={setPointed} />
        </div>
        <SlopeTable
          title={title}
          name={measure === "rank" ? "ranks" : "scores"}
          board={board}
          view={view}
          filter={filter}
          points={points}
          columns={columns}
        />
      </div>
    </div>
  );
}

interface LinesProps {
  readonly points: readonly SlopePoint[];
  readonly measure: Measure;
  readonly looks: ReadonlyMap<string, LineLook>;
  /** The system whose line stands out. */
  readonly pointed: string | undefined;
  readonly onPoint: (system: string | undefined) => void;
}

/** The legend, and each line by keyboard or finger, as the pointer has it in the picture. */
function Lines({ points, measure, looks, pointed, onPoint }: LinesProps) {
  const words = useId();
  const names = new Map(points.map(({ system, label }) => [system, label]));
  return (
    <>
      <p className="soft">Select a system to highlight its line and read its values.</p>
      <ul className={styles["lines"]} aria-label="Lines of the chart" onBlur={() => onPoint(undefined)}>
        {[...names].map(([system, label]) => (
          <li key={system}>
            <Button
              size="small"
              variant="quiet"
              aria-pressed={system === pointed}
              aria-describedby={system === pointed ? words : undefined}
              onFocus={() => onPoint(system)}
              onClick={() => onPoint(system)}
            >
              <Swatch look={looks.get(system)} />
              {label}
            </Button>
          </li>
        ))}
      </ul>
      <p id={words} className={styles["lineWords"]}>
        {pointed !== undefined && (
          <>
            <strong>{names.get(pointed)}.</strong> {lineWords(points, pointed, measure)}
          </>
        )}
      </p>
    </>
  );
}

/** A piece of the line, as it is drawn. */
function Swatch({ look }: { readonly look: LineLook | undefined }) {
  return (
    <svg className={styles["swatch"]} viewBox="0 0 28 4" aria-hidden="true">
      <line x2="28" y1="2" y2="2" stroke={look?.color} strokeWidth="2" strokeDasharray={look?.dashes} />
    </svg>
  );
}

interface SlopeTableProps extends SlopeSectionProps {
  readonly title: string;
  /** The file's. */
  readonly name: string;
  readonly points: readonly SlopePoint[];
  readonly columns: readonly LeaderboardColumn[];
}

/** The ends of the slopes in numbers; the file has every column between them, too. */
function SlopeTable({ title, name, board, view, filter, points, columns }: SlopeTableProps) {
  const [first, last] = [columns[0], columns.at(-1)];
  const gains = useGains(filter, first?.key);
  if (!first || !last) return null;
  const bounded = new Map(gains.data?.rows.map((row) => [row.system, row]));
  const ways = columns.map((column) => wayColumn(column, points));
  const places = placesColumn(first, last);
  const hasPlaces = view.rows.some((row) => places.value?.(row) != null);
  return (
    <div>
      <Table
        folds
        caption={`${title}: ${first.name} and ${last.name}`}
        rows={view.rows}
        rowKey={(row) => row.system}
        columns={[
          { ...SYSTEM, header: "System" },
          ...ways.filter(({ key }) => key === first.key || key === last.key),
          ...(hasPlaces ? [places] : []),
          gainColumn<SystemRow>("gain", (row) => gainIn(bounded.get(row.system) ?? row, first.key, last.key)),
        ]}
        note={gainsWords(gains)}
        file={{
          name,
          columns: [SYSTEM, { key: "n", value: ({ n }) => n }, ...ways],
          signature: board.signature,
          judges: columns,
        }}
      />
    </div>
  );
}

function wayColumn({ key: way, name }: LeaderboardColumn, points: readonly SlopePoint[]): Column<SystemRow> {
  const pointOf = (row: SystemRow) => points.find(({ system, key }) => system === row.system && key === way);
  return numberColumn(way, name, (row) => pointOf(row)?.value ?? null, {
    cell: (row) => pointOf(row)?.text ?? "–",
  });
}

function placesColumn(first: LeaderboardColumn, last: LeaderboardColumn): Column<SystemRow> {
  return numberColumn("places", "Rank change", (row) => rankChange(row, first.key, last.key), {
    format: placesWords,
  });
}

function placesWords(moved: number): string {
  return moved === 0 ? "0" : `${moved > 0 ? "+" : "\u2212"}${formatCount(Math.abs(moved))}`;
}
