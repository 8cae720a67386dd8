/** The leaderboard's first picture: each system's score with its interval, and its numbers row by row. */
import { useId, useMemo, useState } from "react";
import type { Leaderboard } from "../../api/schema";
import { PlotFigure } from "../../components/plot-figure";
import { TermsIn } from "../../components/term";
import { questionsWords } from "../../domain/judged";
import { AXIS_NAME_HEIGHT, BELOW, rowsLayout } from "../../lib/chart-axes";
import { countOf } from "../../lib/numbers";
import { type DotChart, dotChart, drawDots, marksOf, notShownWords, rowWords } from "./dot-chart";
import styles from "./dot-section.module.css";
import { isUndecided } from "./standings";
import type { BoardView } from "./use-board";

interface DotSectionProps {
  readonly board: Leaderboard;
  readonly view: Pick<BoardView, "columns" | "human">;
}

export function DotSection({ board, view: { columns, human } }: DotSectionProps) {
  const chart = useMemo(() => dotChart(board.rows, columns, human), [board.rows, columns, human]);
  return chart && <Dots board={board} chart={chart} />;
}

/** They lie over the rows of the picture, however high it is. */
const ROWS = { top: AXIS_NAME_HEIGHT, bottom: BELOW };

const withTerms = (text: string) => (
  <TermsIn text={text} terms={{ "Learned judge": "learned-judge", interval: "interval" }} />
);

interface DotsProps {
  readonly board: Leaderboard;
  readonly chart: DotChart;
}

function Dots({ board, chart }: DotsProps) {
  const [pointed, setPointed] = useState<string>();
  const words = useId();
  const { main, rows } = chart;
  // Before people decide, the first row is no winner to be highlighted.
  const row = rows.find(({ system }) => system === pointed) ?? (isUndecided(board) ? undefined : rows[0]);
  const longest = useMemo(() => longestWords(chart, board), [chart, board]);
  const marks = marksOf(chart).map((mark) => ({ ...mark, shown: withTerms(mark.name) }));
  const title = `${isUndecided(board) ? "Automatic scores, not checked by people" : "Scores and intervals"}: ${main.name}`;
  return (
    <div>
      <PlotFigure
        title={title}
        note={`in percent, ${countOf(rows.length, "system")}, ${questionsWords(board)}.${notShownWords(chart)}`}
        marks={marks}
        draw={drawDots}
        of={chart}
        height={rowsLayout(rows.length).height / 16}
        narrowHeight={rowsLayout(rows.length, { isStacked: true }).height / 16}
      >
        <ul className={styles["rows"]} style={ROWS}>
          {rows.map((each) => (
            <li key={each.system}>
              <button
                type="button"
                aria-pressed={each === row}
                aria-describedby={each === row ? words : undefined}
                onMouseEnter={() => setPointed(each.system)}
                onFocus={() => setPointed(each.system)}
                onClick={() => setPointed(each.system)}
              >
                <span className="visually-hidden">Numbers for {each.label}</span>
              </button>
            </li>
          ))}
        </ul>
      </PlotFigure>
      <div className={styles["room"]}>
        {/* Holds as much room as any row needs, so that nothing below moves with the pointer. */}
        <p className={styles["longest"]} aria-hidden="true">
          {longest}
        </p>
        {row && (
          <p id={words}>
            {/* What judges say is in the table, too; here it is told of a row that is asked for. */}
            <strong>{row.label}.</strong>{" "}
            {rowWords(row, pointed === undefined ? { main, judges: [] } : chart, board)}
          </p>
        )}
      </div>
    </div>
  );
}

/** What is told of the row of which most is told. */
function longestWords(chart: DotChart, board: Leaderboard): string {
  const told = chart.rows.map((row) => `${row.label}. ${rowWords(row, chart, board)}`);
  return told.reduce((longest, words) => (words.length > longest.length ? words : longest), "");
}
