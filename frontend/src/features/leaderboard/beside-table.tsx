/** Each system over all questions and over the judged sample, where people's scores stand beside the judges'. */
import type { Leaderboard, LeaderboardColumn, LeaderboardRow } from "../../api/contract";
import { BoundedNumber } from "../../components/bounded-number";
import { CsvButton } from "../../components/csv-button";
import { classNames } from "../../lib/class-names";
import { countOf, formatCount, formatPoints } from "../../lib/numbers";
import { besideCsv, besideRows, entireColumns, sampleColumns } from "./beside";
import styles from "./board-table.module.css";
import { parseSorting, sortedRows } from "./standings";

interface BesideTableProps {
  readonly sample: Leaderboard;
  readonly entire: Leaderboard;
}

const CAPTION = "The judged sample beside all questions, in percent";

export function BesideTable({ sample, entire }: BesideTableProps) {
  const before = entireColumns(entire);
  const after = sampleColumns(sample, entire);
  const sorting = parseSorting(undefined, sample.columns);
  const rows = besideRows(sortedRows(sample.rows, sorting), entire.rows);
  return (
    <>
      <div className={styles["scroll"]} role="region" aria-label={CAPTION} tabIndex={0}>
        <table className={styles["table"]}>
          <caption className="visually-hidden">{CAPTION}</caption>
          <thead>
            <tr>
              <th scope="col" rowSpan={2} className={styles["pinned"]}>
                System
              </th>
              <th scope="colgroup" colSpan={before.length}>
                All {countOf(entire.n_questions, "question")}
              </th>
              <th scope="colgroup" colSpan={after.length} className={styles["parted"]}>
                Judged sample, {countOf(sample.n_questions, "question")}
              </th>
            </tr>
            <tr>
              <Heads columns={before} />
              <Heads columns={after} isParted />
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.system}>
                <th scope="row" className={styles["pinned"]}>
                  {row.label}
                </th>
                <Cells row={row.entire} columns={before} all={entire.n_questions} />
                <Cells row={row.sample} columns={after} all={sample.n_questions} isParted />
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div>
        <CsvButton
          name="sample-beside-all"
          rows={besideCsv(rows, sample, entire)}
          signature={sample.signature}
          judges={[{ name: "all questions", signature: entire.signature }, ...after]}
        />
      </div>
    </>
  );
}

interface HeadsProps {
  readonly columns: readonly LeaderboardColumn[];
  readonly isParted?: boolean;
}

function Heads({ columns, isParted = false }: HeadsProps) {
  return columns.map((column, place) => (
    <th
      key={column.key}
      scope="col"
      title={column.signature}
      className={classNames(
        styles["end"],
        styles["wrapped"],
        isParted && place === 0 && styles["parted"],
        column.kind === "human" && styles["human"],
      )}
    >
      {column.name}
    </th>
  ));
}

interface CellsProps extends HeadsProps {
  readonly row: LeaderboardRow | null;
  readonly all: number;
}

function Cells({ row, columns, all, isParted = false }: CellsProps) {
  return columns.map((column, place) => {
    const score = row?.scores[column.key];
    return (
      <td
        key={column.key}
        className={classNames(
          styles["end"],
          isParted && place === 0 && styles["parted"],
          column.kind === "human" && styles["human"],
        )}
      >
        {score ? (
          <BoundedNumber
            text={formatPoints(score.value)}
            interval={[score.low, score.high]}
            format={formatPoints}
            counts={score.n === all ? undefined : `n ${formatCount(score.n)}`}
          />
        ) : (
          <span className={styles["none"]}>–</span>
        )}
      </td>
    );
  });
}
