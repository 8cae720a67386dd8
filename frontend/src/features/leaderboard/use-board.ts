/** What of the board is shown and how, kept in the address. */
import type { Leaderboard } from "../../api/contract";
import { useSearchState } from "../../lib/search-state";
import {
  baselineColumn,
  chosenColumns,
  humanColumn,
  nextSorting,
  parseSorting,
  peopleFirst,
  sortedRows,
  toggledColumns,
  writeSorting,
} from "./standings";

export function useBoard(board: Leaderboard) {
  const search = useSearchState();
  const columns = peopleFirst(chosenColumns(board.columns, search.read("columns")));
  const sorting = parseSorting(search.read("sort"), board.columns);
  const comparedKey = search.read("compare");
  const pair = (search.read("pair") ?? "").split("~").filter((name) => name !== "");
  return {
    columns,
    sorting,
    rows: sortedRows(board.rows, sorting),
    baseline: baselineColumn(board.columns),
    human: humanColumn(board.columns),
    /** The column from which the others are shown as differences. */
    compared: board.columns.find(({ key }) => key === comparedKey) ?? null,
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

export type BoardView = ReturnType<typeof useBoard>;
