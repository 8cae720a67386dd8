/** Each system's score before and after, drawn and in numbers; another way of judging can stand for after. */
import { useCallback, useMemo } from "react";
import type { Leaderboard, LeaderboardColumn } from "../../api/schema";
import { CsvButton } from "../../components/csv-button";
import { Select } from "../../components/form";
import { PlotFigure } from "../../components/plot-figure";
import { questionsWords } from "../../domain/judged";
import { longAnswersWords } from "../../domain/long-answers";
import type { QuestionFilter } from "../../domain/question-filter";
import { withPublished } from "../../domain/references";
import { csvRows } from "../../lib/csv";
import { countOf } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import { publishedCells } from "./beside";
import { useBoardReferences } from "./board-references";
import { chartHeight, comparable, drawDumbbells, dumbbells } from "./dumbbell-chart";
import { dumbbellColumns, DumbbellTable } from "./dumbbell-table";
import { gainsWords, useGains } from "./gains";
import styles from "./leaderboard-page.module.css";
import { baselineColumn } from "./standings";

interface DumbbellSectionProps {
  readonly board: Leaderboard;
  readonly filter: QuestionFilter;
  readonly search: SearchState;
}

export function DumbbellSection({ board, filter, search }: DumbbellSectionProps) {
  const from = baselineColumn(board.columns);
  const choices = from
    ? comparable(board.columns, from).filter(({ key }) => dumbbells(board.rows, from.key, key).length > 0)
    : [];
  const to = choices.find(({ key }) => key === search.read("after")) ?? choices[0];
  if (!from || !to)
    return (
      <p className={styles["soft"]}>
        It takes exact match and people’s decisions, or another judge, to set scores beside each other.
      </p>
    );
  return (
    <>
      <div className={styles["controls"]}>
        <Select
          label="After"
          value={to.key}
          onChange={(event) =>
            search.write({ after: event.target.value === choices[0]?.key ? undefined : event.target.value })
          }
        >
          {choices.map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </Select>
      </div>
      <Dumbbells board={board} filter={filter} from={from} to={to} />
    </>
  );
}

interface DumbbellsProps {
  readonly board: Leaderboard;
  readonly filter: QuestionFilter;
  readonly from: LeaderboardColumn;
  readonly to: LeaderboardColumn;
}

function Dumbbells({ board, filter, from, to }: DumbbellsProps) {
  const gains = useGains(filter, from.key);
  const published = useBoardReferences({ columns: [from, to], dataset: filter.dataset });
  const { rows } = gains.data ?? board;
  const pairs = useMemo(() => dumbbells(rows, from.key, to.key), [rows, from.key, to.key]);
  const columns = dumbbellColumns(from, to);
  const draw = useCallback<Parameters<typeof PlotFigure>[0]["draw"]>(
    (plot, width) => drawDumbbells(plot, width, { pairs, from: from.name, to: to.name }),
    [pairs, from.name, to.name],
  );
  if (pairs.length === 0) return <p className={styles["soft"]}>No system has a score by both.</p>;
  const title = `From ${from.name} to ${to.name}`;
  const remark = from.key === "exact_match" ? longAnswersWords(board.rows) : "";
  return (
    <>
      {remark && <p className={styles["soft"]}>{remark}</p>}
      <div className={styles["beside"]}>
        <PlotFigure
          title={title}
          note={`in percent, ${countOf(pairs.length, "system")}, ${to.kind === "human" ? questionsWords(board) : countOf(board.n_questions, "question")}. Open rings: ${from.name}; full dots: ${to.name}.`}
          draw={draw}
          height={chartHeight(pairs.length) / 16}
        />
        <div>
          <DumbbellTable
            caption={title}
            pairs={pairs}
            columns={columns}
            published={published}
            keys={[from.key, to.key]}
          />
          <p className={styles["soft"]}>{gainsWords(gains)}</p>
          <CsvButton
            name="before-and-after"
            rows={withPublished(csvRows(columns, pairs), published, publishedCells)}
            signature={board.signature}
            judges={[from, to]}
          />
        </div>
      </div>
    </>
  );
}
