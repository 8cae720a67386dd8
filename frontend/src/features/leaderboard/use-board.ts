/** What of the board is shown and how, kept in the address. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ColumnUncertainty, Leaderboard } from "../../api/schema";
import { useProject } from "../../api/project";
import { isBySize, type QuestionFilter } from "../../domain/question-filter";
import { useSearchState } from "../../lib/search-state";
import { knownAbout } from "./about";
import { gainFinder } from "./gains";
import {
  baselineColumn,
  chosenColumns,
  humanColumn,
  nextSorting,
  parseSorting,
  peopleFirst,
  sortedRows,
  toggledColumns,
  withScores,
  writeSorting,
} from "./standings";

/** Stands behind a column's key where differences are shares of that column's score. */
export const RELATIVE = "relative";

/** The order of EfficientQA's track of the smallest systems. */
const BY_SIZE = "about:size_bytes:ascending";

export function useBoard(board: Leaderboard, filter: QuestionFilter) {
  const search = useSearchState();
  const project = useProject();
  const uncertainty = useQuery(
    read("/api/projects/{slug}/leaderboard/uncertainty", { slug: project.slug }, filter),
  );
  const columns = peopleFirst(
    chosenColumns(withScores(board.columns, board.rows), search.read("columns")),
    board.rows,
  );
  const bySize = isBySize(filter);
  const sorting = parseSorting(
    search.read("sort") ?? (bySize ? BY_SIZE : undefined),
    board.columns,
    board.rows,
  );
  const human = humanColumn(board.columns, board.rows);
  const known = knownAbout(board.rows);
  const chosen = new Set((search.read("about") ?? (bySize ? "size_bytes" : "")).split(","));
  const about = known.filter(({ key }) => chosen.has(key));
  const [comparedKey, how] = (search.read("compare") ?? "").split("~");
  const compared = board.columns.find(({ key }) => key === comparedKey) ?? null;
  const gains = useQuery({
    ...read(
      "/api/projects/{slug}/leaderboard/gains",
      { slug: project.slug },
      { ...filter, column: compared?.key ?? "" },
    ),
    enabled: compared?.key !== undefined,
  });
  const pair = (search.read("pair") ?? "").split("~").filter((name) => name !== "");
  return {
    columns,
    sorting,
    dataset: filter.dataset,
    /** What is known of systems besides answers, and of it what has a column of its own. */
    known,
    about,
    toggleAbout: (key: string) => {
      const next = known.map((column) => column.key).filter((each) => chosen.has(each) !== (each === key));
      search.write({ about: next.join(",") });
    },
    rows: sortedRows(board.rows, sorting),
    baseline: baselineColumn(board.columns),
    human,
    /** The way of judging one looks at: the one the table is sorted by. */
    main: board.columns.find(({ key }) => key === sorting.key) ?? human ?? columns[0],
    /** The column from which the others are shown as differences. */
    compared,
    /** How sure a difference from that column is; nothing while that is being computed. */
    gainOf: gainFinder(gains.data),
    gains,
    isRelative: how === RELATIVE,
    /** How sure a column's ranks are; nothing while that is being computed. */
    uncertaintyOf: (key: string): ColumnUncertainty | undefined =>
      uncertainty.data?.find((column) => column.key === key),
    isResampling: uncertainty.isPending,
    pair,
    sortBy: (key: string) => search.write({ sort: writeSorting(nextSorting(sorting, key)) }),
    toggleColumn: (key: string) => search.write({ columns: toggledColumns(board.columns, columns, key) }),
    compareWith: (key: string) => search.write({ compare: key }),
    /** At most two systems: a third takes the place of the one chosen first. */
    togglePair: (system: string) => {
      const next = pair.includes(system)
        ? pair.filter((name) => name !== system)
        : [...pair, system].slice(-2);
      search.write({ pair: next.join("~") });
    },
  };
}

/** How sure the ranks by people are; nothing while that is being computed. */
export function useSureRanks(
  board: Leaderboard | undefined,
  filter: QuestionFilter,
): ColumnUncertainty | undefined {
  const { slug } = useProject();
  const uncertainty = useQuery(read("/api/projects/{slug}/leaderboard/uncertainty", { slug }, filter));
  const key = board && humanColumn(board.columns, board.rows)?.key;
  return uncertainty.data?.find((column) => column.key === key);
}

export type BoardView = ReturnType<typeof useBoard>;
