/** The slope chart of ranks or scores, with the same numbers in a table beside it. */
import { useCallback, useMemo } from "react";
import type { Leaderboard } from "../../api/schema";
import { PlotFigure } from "../../components/plot-figure";
import { SegmentedControl } from "../../components/segmented-control";
import { questionsWords } from "../../domain/judged";
import type { QuestionFilter } from "../../domain/question-filter";
import { classNames } from "../../lib/class-names";
import { countOf } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";
import styles from "./leaderboard-page.module.css";
import { drawSlope, type Measure, slopeColumns, slopePoints } from "./slope-chart";
import { SlopeTable } from "./slope-table";
import type { BoardView } from "./use-board";
import { levelWords } from "./words";

const MEASURES = [
  { value: "rank", name: "Ranks" },
  { value: "score", name: "Scores" },
] as const;

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
  const highlighted = view.pair.join("~");
  const draw = useCallback<Parameters<typeof PlotFigure>[0]["draw"]>(
    (plot, width) =>
      drawSlope(plot, width, { points, columns, measure, highlighted: highlighted.split("~") }),
    [points, columns, measure, highlighted],
  );
  if (columns.length < 2 || board.rows.length < 2)
    return <p className={styles["soft"]}>It takes two systems and two ways of judging to draw the slopes.</p>;
  const isLevel = points.every(({ value }) => value === points[0]?.value);
  if (isLevel) return <p className={styles["soft"]}>{levelWords(board, columns, measure)}</p>;
  const title = measure === "rank" ? "Rank of each system (1 is best)" : "Score of each system (percent)";
  return (
    <div className={styles["slope"]}>
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
      <div className={classNames(styles["beside"], styles["slopes"])}>
        <PlotFigure
          title={title}
          note={
            <>
              by way of judging, {countOf(board.rows.length, "system")}, {questionsWords(board)}.
              {measure === "rank" &&
                (view.pair.length > 0
                  ? " Blue are those chosen."
                  : " Blue gains two places or more, rust loses as many.")}
              <span data-screen-only>
                {" "}
                Systems chosen in the table stand out; it has the numbers by every way of judging.
              </span>
            </>
          }
          label={`${title}, from ${columns[0]?.name} to ${columns.at(-1)?.name}`}
          draw={draw}
          height={26}
        />
        <SlopeTable
          title={title}
          view={view}
          filter={filter}
          points={points}
          columns={columns}
          signature={board.signature}
        />
      </div>
    </div>
  );
}
