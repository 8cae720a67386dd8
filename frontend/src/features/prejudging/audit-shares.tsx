/** What other audit shares would cost people, and how precise scores would then be. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { ExpectedAtShare, PolicyPreview } from "../../api/schema";
import { numberColumn, type Column, Table } from "../../components/table";
import { formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import styles from "./prejudging.module.css";
import { costWords, hoursWords, inPercent, largerShareWords, widthsOf } from "./words";

interface AuditSharesProps {
  readonly slug: string;
  readonly preview: PolicyPreview;
  /** The share that was previewed, 0 to 1. */
  readonly chosen: number;
}

export function AuditShares({ slug, preview, chosen }: AuditSharesProps) {
  const overview = useQuery(read("/api/projects/{slug}/overview", { slug }));
  const { by_share: rows, scores } = preview;
  if (scores.length === 0 || preview.decided + preview.drawn === 0) return null;
  const perHour = overview.data?.forecast?.votes_per_hour ?? null;
  return (
    <section className={styles["tried"]}>
      <h3>Compare audit shares</h3>
      <p>{largerShareWords(rows, chosen)}</p>
      <Table
        caption="Audit shares compared"
        columns={columnsOf(preview, chosen, perHour).map((column) => stressed(column, chosen))}
        rows={rows}
        rowKey={keyOfShare}
        note={costWords(rows, perHour)}
        file={{ name: "audit-shares-compared" }}
        keepsOrder
      />
    </section>
  );
}

/** The width of each system’s interval at each share. */
export function WidthsByShare({ preview, chosen }: Pick<AuditSharesProps, "preview" | "chosen">) {
  const rows = preview.scores.map(({ system, label }, place) => ({ system, label, place }));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { key: "system", header: "System", value: ({ label }) => label, isRowHeader: true },
    ...preview.by_share.map((share) =>
      numberColumn<(typeof rows)[number]>(
        keyOfShare(share),
        shareWords(share, chosen),
        ({ place }) => share.half_widths[place],
        { cell: ({ place }) => widthWords(share.half_widths[place]), group: "± points at an audit share of" },
      ),
    ),
  ];
  return (
    <Table
      caption="Expected precision by audit share"
      columns={columns}
      rows={rows}
      rowKey={({ system }) => system}
      file={{ name: "expected-precision-by-audit-share" }}
    />
  );
}

function keyOfShare({ audit_share }: ExpectedAtShare): string {
  return `share_${inPercent(audit_share)}`;
}

function shareWords({ audit_share }: ExpectedAtShare, chosen: number): string {
  const share = formatPercent(audit_share, Number.isInteger(inPercent(audit_share)) ? 0 : 1);
  return audit_share === chosen ? `${share} (your choice)` : share;
}

function widthWords(width: number | null | undefined): string {
  return width == null ? "no score" : formatPoints(width);
}

function columnsOf(
  { scores, by_share }: PolicyPreview,
  chosen: number,
  perHour: number | null,
): readonly Column<ExpectedAtShare>[] {
  const hasSeveralVotes = by_share.some(({ judgments, to_people }) => judgments !== to_people);
  return [
    {
      key: "audit_share",
      header: "Audit share",
      value: ({ audit_share }) => audit_share,
      cell: (row) =>
        row.audit_share === 1 ? `${shareWords(row, chosen)}: people judge all` : shareWords(row, chosen),
      isRowHeader: true,
    },
    ...(scores.length === 1 ? ONE_SYSTEM : SEVERAL_SYSTEMS),
    numberColumn("to_people", "Answers people judge", ({ to_people }) => to_people, {
      cell: ({ to_people }) => formatCount(to_people),
    }),
    ...(hasSeveralVotes
      ? [
          numberColumn<ExpectedAtShare>("judgments", "Judgments", ({ judgments }) => judgments, {
            cell: ({ judgments }) => formatCount(judgments),
          }),
        ]
      : []),
    ...(perHour === null
      ? []
      : [
          numberColumn<ExpectedAtShare>("hours", "Hours", ({ judgments }) => judgments / perHour, {
            cell: ({ judgments }) => hoursWords(judgments / perHour),
          }),
        ]),
  ];
}

/** The row of the chosen share is bold: the preview is about it. */
function stressed(column: Column<ExpectedAtShare>, chosen: number): Column<ExpectedAtShare> {
  const { cell } = column;
  if (!cell || column.isRowHeader) return column;
  return {
    ...column,
    cell: (row) => (row.audit_share === chosen ? <strong>{cell(row)}</strong> : cell(row)),
  };
}

const ONE_SYSTEM: readonly Column<ExpectedAtShare>[] = [
  numberColumn("widest", "± points", (row) => widthsOf(row).widest, {
    cell: (row) => widthWords(widthsOf(row).widest),
  }),
];

const SEVERAL_SYSTEMS: readonly Column<ExpectedAtShare>[] = [
  numberColumn("median", "Median system", (row) => widthsOf(row).median, {
    cell: (row) => widthWords(widthsOf(row).median),
    group: "± points",
  }),
  numberColumn("widest", "Least certain system", (row) => widthsOf(row).widest, {
    cell: (row) => {
      const { widest, lacking } = widthsOf(row);
      return lacking > 0 && lacking < row.half_widths.length
        ? `${formatCount(lacking)} without a score`
        : widthWords(widest);
    },
    group: "± points",
  }),
];
