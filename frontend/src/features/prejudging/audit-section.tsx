/** How often people decided otherwise than the machine, rule by rule and together, and the way back. */
import { useState } from "react";
import type { Audit } from "../../api/contract";
import { Button } from "../../components/button";
import { type Column, Table } from "../../components/table";
import { formatCount, formatPercent } from "../../lib/numbers";
import { UndoDialog } from "./undo-dialog";

type AuditRow = Audit["rules"][number];

interface AuditSectionProps {
  readonly slug: string;
  readonly audit: Audit;
}

export function AuditSection({ slug, audit }: AuditSectionProps) {
  const [undoing, setUndoing] = useState<AuditRow | null>(null);
  const columns: readonly Column<AuditRow>[] = [
    ...COLUMNS,
    {
      key: "undo",
      header: <span className="visually-hidden">Undo</span>,
      cell: (row) =>
        row.settled > 0 && (
          <Button size="small" variant="quiet" onClick={() => setUndoing(row)}>
            Undo<span className="visually-hidden"> rule {row.number}</span>
          </Button>
        ),
    },
  ];
  return (
    <>
      <Table
        caption="Audit of the settled answers by rule"
        columns={columns}
        rows={audit.rules}
        rowKey={(row) => String(row.number)}
      />
      {undoing && audit.application && (
        <UndoDialog
          slug={slug}
          application={audit.application}
          rule={undoing.number}
          what={`What rule ${undoing.number} settled (${formatCount(undoing.settled)} answers)`}
          onClose={() => setUndoing(null)}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<AuditRow>[] = [
  { key: "rule", header: "Rule", isRowHeader: true, cell: (row) => `${row.number}. ${row.text}` },
  { key: "settled", header: "Settled", align: "end", cell: (row) => formatCount(row.settled) },
  { key: "drawn", header: "Drawn for raters", align: "end", cell: (row) => formatCount(row.drawn) },
  { key: "open", header: "Still open", align: "end", cell: (row) => formatCount(row.open) },
  { key: "disagreed", header: "People disagreed", align: "end", cell: (row) => formatCount(row.disagreed) },
  {
    key: "share",
    header: "Share",
    headerTitle: "Of the drawn answers that people have decided",
    align: "end",
    cell: (row) => <span title={row.words}>{formatPercent(row.share)}</span>,
  },
  {
    key: "interval",
    header: "95 % interval",
    align: "end",
    cell: (row) => (row.low === null ? "–" : `${formatPercent(row.low)} to ${formatPercent(row.high)}`),
  },
];
