/** Each system over all questions and over the judged sample, where people's scores stand beside the judges'. */
import type { ReactNode } from "react";
import type { Leaderboard, LeaderboardColumn, Score } from "../../api/schema";
import { BoundedFigure } from "../../components/bounded-number";
import { CsvButton } from "../../components/csv-button";
import { PublishedValue } from "../../domain/published";
import { type ReferenceRow, withPublished } from "../../domain/references";
import { classNames } from "../../lib/class-names";
import { countOf, formatCount, formatPoints } from "../../lib/numbers";
import { besideCsv, besidePublishedCells, besideRows, entireColumns, isOfAll, sampleColumns } from "./beside";
import { ReferenceName, useBoardReferences } from "./board-references";
import styles from "./board-table.module.css";
import { parseSorting, sortedRows } from "./standings";

interface BesideTableProps {
  readonly sample: Leaderboard;
  readonly entire: Leaderboard;
  /** The data set chosen; empty: all. */
  readonly dataset: string;
}

const CAPTION = "The judged sample beside all questions, in percent";

export function BesideTable({ sample, entire, dataset }: BesideTableProps) {
  const before = entireColumns(entire);
  const after = sampleColumns(sample, entire);
  const sorting = parseSorting(undefined, sample.columns, sample.rows);
  const published = useBoardReferences({ columns: after, dataset });
  const scoreOf = ({ scores }: ReferenceRow, key: string, ofAll: boolean) => {
    const score = scores[key];
    return score && isOfAll(score, entire) === ofAll ? score : undefined;
  };
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
                <Cells columns={before}>
                  {({ key }) => <Score score={row.entire?.scores[key]} all={entire.n_questions} />}
                </Cells>
                <Cells columns={after} isParted>
                  {({ key }) => <Score score={row.sample?.scores[key]} all={sample.n_questions} />}
                </Cells>
              </tr>
            ))}
          </tbody>
          {published.length > 0 && (
            <tbody>
              {published.map((row) => (
                <tr key={row.key} className={styles["reference"]}>
                  <ReferenceName row={row} />
                  <Cells columns={before}>
                    {({ key }) => <PublishedValue score={scoreOf(row, key, true)} />}
                  </Cells>
                  <Cells columns={after} isParted>
                    {({ key }) => <PublishedValue score={scoreOf(row, key, false)} />}
                  </Cells>
                </tr>
              ))}
            </tbody>
          )}
        </table>
      </div>
      <div>
        <CsvButton
          name="sample-beside-all"
          rows={withPublished(besideCsv(rows, sample, entire), published, (row) =>
            besidePublishedCells(row, entire),
          )}
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
  readonly children: (column: LeaderboardColumn) => ReactNode;
}

function Cells({ columns, children, isParted = false }: CellsProps) {
  return columns.map((column, place) => (
    <td
      key={column.key}
      className={classNames(
        styles["end"],
        isParted && place === 0 && styles["parted"],
        column.kind === "human" && styles["human"],
      )}
    >
      {children(column)}
    </td>
  ));
}

interface ScoreProps {
  readonly score: Score | null | undefined;
  /** How many questions there are. */
  readonly all: number;
}

function Score({ score, all }: ScoreProps) {
  if (!score) return <span className={styles["none"]}>–</span>;
  return (
    <BoundedFigure
      figure={score}
      format={formatPoints}
      counts={score.n === all ? undefined : `n ${formatCount(score.n)}`}
    />
  );
}
