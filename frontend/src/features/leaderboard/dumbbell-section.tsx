/** Each system's score before and after, drawn and in numbers; another way of judging can stand for after. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { read } from "../../api/client";
import type { Leaderboard, LeaderboardColumn } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { Select } from "../../components/form";
import { PlotFigure } from "../../components/plot-figure";
import { questionsWords } from "../../domain/judged";
import { longAnswersWords } from "../../domain/long-answers";
import type { QuestionFilter } from "../../domain/question-filter";
import { withPublished } from "../../domain/references";
import { countOf } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import { publishedCells } from "./beside";
import { useBoardReferences } from "./board-references";
import { chartHeight, comparable, drawDumbbells, dumbbells } from "./dumbbell-chart";
import { DumbbellTable } from "./dumbbell-table";
import { beforeAfterCsv, gainFinder, gainsWords } from "./gains";
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
  const { slug } = useProject();
  const gains = useQuery({
    ...read("/api/projects/{slug}/leaderboard/gains", { slug }, { ...filter, column: from.key ?? "" }),
    enabled: from.key !== undefined,
  });
  const gainOf = gainFinder(gains.data);
  const published = useBoardReferences({ columns: [from, to], dataset: filter.dataset });
  const pairs = useMemo(() => dumbbells(board.rows, from.key, to.key), [board.rows, from.key, to.key]);
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
            names={[from.name, to.name]}
            gainOf={(system) => gainOf(to.key, system)}
            published={published}
            keys={[from.key, to.key]}
          />
          <p className={styles["soft"]}>{gainsWords(gains)}</p>
          <CsvButton
            name="before-and-after"
            rows={withPublished(
              pairs.map((pair) => beforeAfterCsv(pair, from.key, to.key, gainOf(to.key, pair.system))),
              published,
              publishedCells,
            )}
            signature={board.signature}
            judges={[from, to]}
          />
        </div>
      </div>
    </>
  );
}
