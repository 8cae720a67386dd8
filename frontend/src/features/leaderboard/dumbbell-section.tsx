/** Each system's score before and after, drawn and in numbers; another way of judging can stand for after. */
import { useMemo } from "react";
import type { Leaderboard, LeaderboardColumn } from "../../api/schema";
import { boundedColumn, makeFigure } from "../../components/figure";
import { Choice } from "../../components/form";
import { PlotFigure } from "../../components/plot-figure";
import { type Column, Table } from "../../components/table";
import { partlyJudgedWords, questionsWords } from "../../domain/judged";
import { longAnswersWords } from "../../domain/long-answers";
import { PublishedRows } from "../../domain/published";
import type { QuestionFilter } from "../../domain/question-filter";
import { byMeasure, publishedLine, systemNames } from "../../domain/references";
import { rowsLayout } from "../../lib/chart-axes";
import { countOf, formatCount, statistic } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import { SYSTEM, useBoardReferences } from "./board-table";
import { comparable, type Dumbbell, drawDumbbells, dumbbells } from "./dumbbell-chart";
import { gainColumn, gainsWords, useGains } from "./gains";
import styles from "./leaderboard-page.module.css";
import { baselineColumn, humanColumn, scoreCells } from "./standings";
import { programsWords } from "./words";

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
  // The score that the leaderboard calls people's, so that both pages have one gain.
  const people = humanColumn(board.columns, board.rows);
  const usual = choices.find(({ key }) => key === people?.key) ?? choices[0];
  const to = choices.find(({ key }) => key === search.read("after")) ?? usual;
  if (!from || !to)
    return (
      <p className="soft">This chart requires scores from exact match and from people or another judge.</p>
    );
  // Only people's score that covers every answer says of undecided ones what exact match says.
  const isMatched = to.kind === "human" && to.gold === "amended";
  const remark = programsWords(board).trim() || partlyJudgedWords(board, { isMatched });
  return (
    <>
      {remark && <p className="soft">{remark}</p>}
      <div className={styles["controls"]}>
        <Choice
          label="Compare with"
          value={to.key}
          options={choices.map(({ key, name }) => ({ value: key, name }))}
          onChange={(value) => search.write({ after: value === usual?.key ? undefined : value })}
        />
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
  const published = useBoardReferences(filter.dataset, byMeasure([from.key, to.key]));
  const { rows } = gains.data ?? board;
  const chart = useMemo(
    () => ({ pairs: dumbbells(rows, from.key, to.key), from: from.name, to: to.name }),
    [rows, from, to],
  );
  const { pairs } = chart;
  const columns = dumbbellColumns(from, to);
  if (pairs.length === 0) return <p className="soft">No system has both scores.</p>;
  const title = `Changes from ${from.name} to ${to.name}`;
  const remark = from.key === "exact_match" ? longAnswersWords(board.rows) : "";
  return (
    <>
      {remark && <p className="soft">{remark}</p>}
      <div className={styles["beside"]}>
        <PlotFigure
          title={title}
          note={`in percent, ${countOf(pairs.length, "system")}, ${to.kind === "human" ? questionsWords(board) : countOf(board.n_questions, "question")}.`}
          marks={[
            { shape: "circle", color: "var(--chart-2)", look: "open ring", name: from.name },
            { shape: "dot", color: "var(--chart-1)", look: "solid dot", name: to.name },
          ]}
          draw={drawDumbbells}
          of={chart}
          height={rowsLayout(pairs.length).height / 16}
          narrowHeight={rowsLayout(pairs.length, { isStacked: true }).height / 16}
        />
        <div>
          <Table
            caption={title}
            rows={pairs}
            rowKey={({ system }) => system}
            columns={columns}
            // They may be of other questions, so there is no way from one to the other.
            footer={<PublishedRows rows={published} columns={columns} />}
            note={gainsWords(gains)}
            file={{
              name: "before-and-after",
              signature: board.signature,
              judges: [from, to],
              published: published.map((row) => publishedLine(row, systemNames(row))),
            }}
          />
        </div>
      </div>
    </>
  );
}

export function dumbbellColumns(
  before: LeaderboardColumn,
  after: LeaderboardColumn,
): readonly Column<Dumbbell>[] {
  return [
    { ...SYSTEM, header: "System" },
    gainColumn(
      "gain",
      ({ from, to }) => to.gain ?? makeFigure(pointsOf(from, to)),
      `Gain over ${before.name} (points)`,
    ),
    scoreColumn(before, ({ from }) => from),
    scoreColumn(after, ({ to }) => to),
    gainColumn("relative", ({ to }) => to.relative ?? makeFigure(null)),
  ];
}

function scoreColumn(
  { key, name }: LeaderboardColumn,
  scoreOf: (pair: Dumbbell) => Dumbbell["from"],
): Column<Dumbbell> {
  return boundedColumn(key, name, scoreOf, {
    interval: "below",
    counts: (pair) => countWords(scoreOf(pair)),
    csv: (pair) => scoreCells(key, scoreOf(pair)),
  });
}

/** Over the same questions the difference is known before its interval. */
function pointsOf(from: Dumbbell["from"], to: Dumbbell["to"]): number | null {
  return from.n === to.n ? to.value - from.value : null;
}

/** How many were right of how many; a mean of scores has no number right. */
function countWords({ correct, n }: Dumbbell["from"]): string {
  return correct === null ? statistic("n", formatCount(n)) : `${formatCount(correct)} of ${formatCount(n)}`;
}
