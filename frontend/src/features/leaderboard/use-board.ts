/** What of the board is shown and how, kept in the address. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Leaderboard } from "../../api/schema";
import { useProject } from "../../api/project";
import { toggled } from "../../components/form";
import { isBySize, type QuestionFilter } from "../../domain/question-filter";
import { type SearchState, useSearchState } from "../../lib/search-state";
import { knownAbout } from "./about";
import { useGains } from "./gains";
import {
  baselineColumn,
  chosenColumns,
  fewLast,
  humanColumn,
  nextSorting,
  parseSorting,
  peopleFirst,
  sortedRows,
  splittingColumn,
  toggledColumns,
  usualColumns,
  withScores,
  writeSorting,
} from "./standings";

/** Stands behind a column's key where differences are shares of that column's score. */
export const RELATIVE = "relative";

/** The order of EfficientQA's track of the smallest systems. */
const BY_SIZE = "about:size_bytes:ascending";

/** The column from which the others are shown as differences, as the address has it. */
export function comparedKey(search: SearchState): [key: string | undefined, how: string | undefined] {
  const [key, how] = (search.read("compare") ?? "").split("~");
  return [key, how];
}

/** The board's points at once, then the same with the bounds of ranks and with gains over one of its columns. */
export function useLeaderboard(filter: QuestionFilter & { readonly gold?: string }, compared?: string) {
  const { slug } = useProject();
  const points = useQuery(read("/api/projects/{slug}/leaderboard", { slug }, filter));
  const known = points.data?.columns.find(({ key }) => key === compared)?.key ?? "";
  const bounded = useGains(filter, points.data && known);
  return { points, board: bounded.data ?? points.data, bounded };
}

export type Bounding = Pick<ReturnType<typeof useLeaderboard>["bounded"], "isPending" | "isError">;

export function useBoard(board: Leaderboard, filter: QuestionFilter, bounding: Bounding) {
  const search = useSearchState();
  const offered = withScores(board.columns, board.rows);
  const usual = usualColumns(offered, board.rows);
  const columns = peopleFirst(chosenColumns(offered, search.read("columns"), usual), board.rows);
  const bySize = isBySize(filter);
  const order = search.read("sort") ?? (bySize ? BY_SIZE : undefined);
  const sorting = parseSorting(order, board.columns, board.rows);
  const splitting = splittingColumn(order, board.columns, board.rows);
  const sorted = sortedRows(board.rows, sorting);
  const human = humanColumn(board.columns, board.rows);
  const known = knownAbout(board.rows);
  const chosen = new Set((search.read("about") ?? (bySize ? "size_bytes" : "")).split(","));
  const about = known.filter(({ key }) => chosen.has(key));
  const [key, how] = comparedKey(search);
  const compared = board.columns.find((column) => column.key === key) ?? null;
  const isDetailed = search.read("details") !== undefined;
  const main = board.columns.find((column) => column.key === sorting.key) ?? human ?? columns[0];
  const pair = (search.read("pair") ?? "").split("~").filter((name) => name !== "");
  return {
    /** The columns that one can choose, and those chosen. */
    offered,
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
    rows: splitting ? fewLast(sorted, splitting) : sorted,
    /** Where nobody chose an order: the column by which systems of too few answers come last. */
    splitting,
    baseline: baselineColumn(board.columns),
    human,
    /** The way of judging one looks at: the one the table is sorted by. */
    main,
    /** Whether each cell has its rank, too, and what that changed. */
    isDetailed,
    showDetails: (isOn: boolean) => search.write({ details: isOn ? "ranks" : undefined }),
    /** The column from which the others are shown as differences. */
    compared,
    isRelative: how === RELATIVE,
    /** Whether the bounds of ranks and gains are being computed, or could not be. */
    bounding,
    pair,
    sortBy: (key: string) => search.write({ sort: writeSorting(nextSorting(sorting, key)) }),
    toggleColumn: (key: string) => search.write({ columns: toggledColumns(offered, columns, key, usual) }),
    compareWith: (key: string) => search.write({ compare: key }),
    /** At most two systems: a third takes the place of the one chosen first. */
    togglePair: (system: string) => search.write({ pair: toggled(pair, system).slice(-2).join("~") }),
  };
}

export type BoardView = ReturnType<typeof useBoard>;
