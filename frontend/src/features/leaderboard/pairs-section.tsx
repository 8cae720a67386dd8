/** All pairs of systems that one way of judging cannot tell apart, folded below the table. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Leaderboard, LeaderboardColumn } from "../../api/schema";
import { useProject } from "../../api/project";
import { CsvButton } from "../../components/csv-button";
import { More } from "../../components/list";
import { QueryView } from "../../components/query-view";
import { ComparedPairs } from "../../domain/compared-pairs";
import { openPairs, openPairsWords, pairsCsv } from "../../domain/pair-words";
import type { QuestionFilter } from "../../domain/question-filter";
import styles from "./leaderboard-page.module.css";

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
  const query = useQuery(
    read("/api/projects/{slug}/leaderboard/pairs", { slug }, { ...filter, column: column.key }),
  );
  const labels = new Map(board.rows.map(({ system, label }) => [system, label]));
  return (
    <QueryView query={query}>
      {({ pairs, signature }) => {
        return (
          <>
            <p className={styles["soft"]}>{openPairsWords(pairs, column.name)}</p>
            <ComparedPairs
              caption={`Pairs that ${column.name} cannot tell apart`}
              things="Systems"
              unit="question"
              pairs={openPairs(pairs)}
              nameOf={(system) => labels.get(system) ?? system}
            />
            <div>
              <CsvButton
                name="pairs-of-systems"
                rows={pairsCsv(pairs, column.key, "question")}
                signature={signature}
              />
            </div>
          </>
        );
      }}
    </QueryView>
  );
}
