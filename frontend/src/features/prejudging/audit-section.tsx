/** How often people decided otherwise than programs, rule by rule, over all applications in force. */
import type { Audit } from "../../api/contract";
import { type Column, Table } from "../../components/table";
import { formatCount, formatPercent } from "../../lib/numbers";
import styles from "./prejudging.module.css";
import { watchedWords } from "./words";

type AuditRow = Audit["rules"][number];

/** What is undone is undone where applications are listed: who undoes beside a result keeps the lucky rules. */
export function AuditSection({ audit }: { readonly audit: Audit }) {
  return (
    <>
      <Table
        folds
        caption="Audit of the settled answers by rule"
        columns={COLUMNS}
        rows={audit.rules}
        rowKey={(row) => String(row.number)}
      />
      <p className={styles["soft"]}>{watchedWords(audit)}</p>
    </>
  );
}

const COLUMNS: readonly Column<AuditRow>[] = [
  { key: "rule", header: "Rule", isRowHeader: true, cell: (row) => `${row.number}. ${row.text}` },
  { key: "settled", header: "Settled or drawn", align: "end", cell: (row) => formatCount(row.settled) },
  { key: "drawn", header: "Drawn for raters", align: "end", cell: (row) => formatCount(row.drawn) },
  { key: "open", header: "Still open", align: "end", cell: (row) => formatCount(row.open) },
  { key: "disagreed", header: "People disagreed", align: "end", cell: (row) => formatCount(row.disagreed) },
  {
    key: "share",
    header: "Share",
    headerTitle: "Of the drawn answers that people have decided, each by one over its probability",
    align: "end",
    cell: (row) => <span title={row.words}>{isUnaudited(row) ? "unaudited" : formatPercent(row.share)}</span>,
  },
  {
    key: "interval",
    header: "95 % interval",
    align: "end",
    cell: (row) => (row.low === null ? "–" : `${formatPercent(row.low)} to ${formatPercent(row.high)}`),
  },
];

function isUnaudited({ settled, unaudited }: AuditRow): boolean {
  return settled > 0 && unaudited === settled;
}
