/** What people accept of the answers that exact match rejects: a sentence, and the counts behind it. */
import type { Beyond, BeyondExactMatch } from "../../api/schema";
import { CsvButton } from "../../components/csv-button";
import { IntervalBar } from "../../components/interval-bar";
import { type Column, Table } from "../../components/table";
import { formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import { beyondWords } from "./beyond-words";
import styles from "./leaderboard-page.module.css";

interface Row extends Beyond {
  readonly key: string;
  readonly name: string;
}

type ShareName = "definitely" | "possibly" | "either";

export function BeyondSection({ found }: { readonly found: BeyondExactMatch }) {
  const rows = rowsOf(found);
  return (
    <>
      <p className={styles["soft"]}>{beyondWords(found)}</p>
      <Table
        caption="What people accept of the answers that exact match rejects"
        rows={rows}
        rowKey={({ key }) => key}
        columns={found.has_possible ? [...COUNTS, ...THREE] : [...COUNTS, ACCEPTED]}
      />
      <div>
        <CsvButton
          name="beyond-exact-match"
          rows={rows.map((row) => csvRow(row, found))}
          signature={found.signature}
        />
      </div>
    </>
  );
}

/** Without systems there are only the answers themselves; one system's are not all systems' once more. */
function rowsOf({ systems, predictions, answers }: BeyondExactMatch): Row[] {
  const own = systems.map((row) => ({ ...row, key: row.system, name: row.label }));
  const all = { ...predictions, key: " predictions", name: "All systems" };
  const different = { ...answers, key: " answers", name: "Every different answer once" };
  return [...own, ...(own.length > 1 ? [all] : []), different];
}

const COUNTS: readonly Column<Row>[] = [
  { key: "name", header: "Answers of", isRowHeader: true, cell: ({ name }) => name },
  count("rejected", "Exact match rejects"),
  count("decided", "Decided by people"),
];
const THREE: readonly Column<Row>[] = [
  share("definitely", "Definitely correct (%)"),
  share("possibly", "Possibly correct (%)"),
  share("either", "Possibly or better (%)"),
];
const ACCEPTED = share("definitely", "People accept (%)");

function count(key: "rejected" | "decided", header: string): Column<Row> {
  return { key, header, align: "end", cell: (row) => formatCount(row[key]) };
}

function share(key: ShareName, header: string): Column<Row> {
  return { key, header, align: "end", cell: (row) => <Share of={row[key]} /> };
}

function Share({ of }: { readonly of: Beyond[ShareName] }) {
  if (of.share === null)
    return (
      <span title={of.words}>
        –<span className="visually-hidden"> {of.words}</span>
      </span>
    );
  const [low, high] = of.interval ?? [];
  if (low === undefined || high === undefined) return formatPoints(of.share);
  return (
    <IntervalBar
      value={of.share}
      low={low}
      high={high}
      text={formatPoints(of.share)}
      description={`95 % interval ${formatPercent(low)} to ${formatPercent(high)}`}
    />
  );
}

function csvRow({ name, rejected, decided, definite, possible, ...shares }: Row, found: BeyondExactMatch) {
  const names: readonly ShareName[] = found.has_possible
    ? ["definitely", "possibly", "either"]
    : ["definitely"];
  return {
    answers: name,
    rejected,
    decided,
    definite,
    ...(found.has_possible && { possible }),
    ...Object.fromEntries(
      names.flatMap((key) => [
        [key, shares[key].share],
        [`${key} low`, shares[key].interval?.[0]],
        [`${key} high`, shares[key].interval?.[1]],
      ]),
    ),
  };
}
