/** Who has read which version of the guidelines. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Reader } from "../../api/contract";
import { QueryView } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import styles from "./protocol.module.css";

const COLUMNS: readonly Column<Reader>[] = [
  {
    key: "name",
    header: "Rater",
    isRowHeader: true,
    cell: (reader) => reader.name,
    sortBy: ({ name }) => name,
  },
  {
    key: "number",
    header: "Last read",
    cell: ({ number }) => (number === null ? "not yet" : `Version ${number}`),
    sortBy: ({ number }) => number,
  },
  {
    key: "read_at",
    header: "When",
    cell: ({ read_at: at }) => (at === null ? "–" : <RelativeTime at={at} />),
    sortBy: ({ read_at: at }) => at,
  },
  {
    key: "standing",
    header: "Knows them as they stand",
    cell: ({ is_up_to_date: known }) => (known ? "Yes" : "No: shown before the next sheet"),
    sortBy: ({ is_up_to_date: known }) => Number(known),
  },
];

export function ReaderTable({ slug }: { readonly slug: string }) {
  const readers = useQuery(read("/api/projects/{slug}/protocol/readers", { slug }));
  return (
    <QueryView query={readers}>
      {(all) =>
        all.length === 0 ? (
          <p className={styles["soft"]}>Nobody judges in this project yet.</p>
        ) : (
          <Table
            folds
            caption="Who has read the guidelines"
            columns={COLUMNS}
            rows={all}
            rowKey={({ public_id: id }) => id}
          />
        )
      }
    </QueryView>
  );
}
