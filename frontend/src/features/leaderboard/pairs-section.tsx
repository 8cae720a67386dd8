/** All pairs of systems that one way of judging cannot tell apart, folded below the table. */
import { useQuery } from "@tanstack/react-query";
import type { Leaderboard, LeaderboardColumn } from "../../api/contract";
import { pairsQuery } from "../../api/leaderboard/pairs";
import { useProject } from "../../api/projects/project";
import { BoundedNumber } from "../../components/bounded-number";
import { CsvButton } from "../../components/csv-button";
import { More } from "../../components/more";
import { QueryView } from "../../components/query-view";
import { type Column, Table } from "../../components/table";
import { formatCount, formatDifference } from "../../lib/numbers";
import type { QuestionFilter } from "../../lib/question-filter";
import styles from "./leaderboard-page.module.css";
import { type OpenPair, openPairs, openPairsWords, pairsCsv, probabilityWords } from "./pairs";

interface PairsSectionProps {
  readonly board: Leaderboard;
  /** The way of judging one looks at. */
  readonly column: LeaderboardColumn | undefined;
  readonly filter: QuestionFilter;
}

export function PairsSection({ board, column, filter }: PairsSectionProps) {
  if (board.rows.length < 2 || !column) return null;
  return (
    <More summary="Pairs that cannot be told apart" isLate>
      <OpenPairs board={board} column={column} filter={filter} />
    </More>
  );
}

function OpenPairs({ board, column, filter }: PairsSectionProps & { readonly column: LeaderboardColumn }) {
  const { slug } = useProject();
  const query = useQuery(pairsQuery(slug, filter, column.key));
  const labels = new Map(board.rows.map(({ system, label }) => [system, label]));
  return (
    <QueryView query={query}>
      {({ pairs, signature }) => {
        const open = openPairs(pairs);
        return (
          <>
            <p className={styles["soft"]}>{openPairsWords(pairs, column.name)}</p>
            {open.length > 0 && (
              <Table
                caption={`Pairs that ${column.name} cannot tell apart`}
                rows={open}
                rowKey={({ key }) => key}
                columns={columnsOf((system) => labels.get(system) ?? system)}
              />
            )}
            <div>
              <CsvButton name="pairs-of-systems" rows={pairsCsv(pairs, column.key)} signature={signature} />
            </div>
          </>
        );
      }}
    </QueryView>
  );
}

function columnsOf(labelOf: (system: string) => string): readonly Column<OpenPair>[] {
  return [
    {
      key: "pair",
      header: "Systems, the higher one first",
      isRowHeader: true,
      cell: ({ ahead, behind }) => `${labelOf(ahead)} and ${labelOf(behind)}`,
      sortBy: ({ ahead }) => labelOf(ahead),
    },
    {
      key: "difference",
      header: "Difference (points)",
      align: "end",
      cell: ({ difference, interval, words }) => (
        <BoundedNumber
          text={formatDifference(difference)}
          interval={interval}
          format={formatDifference}
          words={interval ? undefined : words || undefined}
        />
      ),
      sortBy: ({ difference }) => difference,
    },
    {
      key: "p",
      header: "p (Holm)",
      align: "end",
      cell: ({ p }) => (p === null ? "–" : probabilityWords(p)),
      sortBy: ({ p }) => p,
    },
    {
      key: "questions",
      header: "Questions",
      align: "end",
      cell: ({ questions }) => formatCount(questions),
      sortBy: ({ questions }) => questions,
    },
  ];
}
