/** By system: how many answers matched before and after, and how many turned. */
import type { SystemMove } from "../../api/schema";
import { type Column, Table } from "../../components/table";
import { type GainOf, moved } from "./gains";
import { pointsColumn } from "./points-column";

interface MovesTableProps {
  readonly moves: readonly SystemMove[];
  readonly gainOf: (system: string) => ReturnType<GainOf>;
}

export function MovesTable({ moves, gainOf }: MovesTableProps) {
  return (
    <Table
      caption="Answers of each system that amendment turned"
      rows={moves}
      rowKey={({ system }) => system}
      initialSort={{ key: "points", descending: true }}
      columns={[
        {
          key: "system",
          header: "System",
          isRowHeader: true,
          value: ({ label }) => label,
        },
        count("n", "n"),
        count("before", "Right before"),
        count("turned_right", "Turned right"),
        count("turned_wrong", "Turned wrong"),
        count("after", "Right after"),
        pointsColumn(moved, gainOf),
      ]}
    />
  );
}

function count(
  key: "n" | "before" | "after" | "turned_right" | "turned_wrong",
  header: string,
): Column<SystemMove> {
  return {
    key,
    header,
    align: "end",
    value: (move) => move[key],
  };
}
