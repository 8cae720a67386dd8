/** A row a data set and way of judging, a column a system; the best of each row is marked. */
import type { ByDataset, DatasetRow } from "../../api/schema";
import { BoundedFigure } from "../../components/bounded-number";
import { CsvButton } from "../../components/csv-button";
import { PublishedValue } from "../../domain/published";
import type { Published } from "../../domain/references";
import { classNames } from "../../lib/class-names";
import { countOf, formatCount, formatPoints } from "../../lib/numbers";
import styles from "./board-table.module.css";
import {
  datasetCsv,
  type DatasetGroup,
  datasetGroups,
  isBest,
  judgesOf,
  type PublishedColumn,
  publishedColumns,
  publishedScore,
  scoreOf,
  type SystemColumn,
  tablesOf,
  withPublishedPeople,
} from "./datasets";

interface DatasetsTableProps {
  readonly found: ByDataset;
  /** Published numbers of systems, in force. */
  readonly references: readonly Published[];
}

export function DatasetsTable({ found, references }: DatasetsTableProps) {
  return (
    <>
      {tablesOf(datasetGroups(withPublishedPeople(found, references), references)).map((groups) => (
        <GroupsTable key={groups[0]?.dataset.name} groups={groups} />
      ))}
      <div>
        <CsvButton
          name="by-data-set"
          rows={datasetCsv(withPublishedPeople(found, references), references)}
          signature={found.signature}
          judges={judgesOf(found)}
        />
      </div>
    </>
  );
}

function GroupsTable({ groups }: { readonly groups: readonly DatasetGroup[] }) {
  const columns = groups[0]?.columns ?? [];
  const published = publishedColumns(groups);
  const names = groups.map(({ dataset }) => dataset.name || NO_NAME).join(", ");
  const caption = `${names}: scores in percent by way of judging and system`;
  return (
    <div className={styles["scroll"]} role="region" aria-label={caption} tabIndex={0}>
      <table className={classNames(styles["table"], styles["narrow"])}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Data set</th>
            <th scope="col" className={styles["pinned"]}>
              Judged by
            </th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" className={classNames(styles["end"], styles["wrapped"])}>
                {label}
              </th>
            ))}
            {published.map(({ name, about }) => (
              <th
                key={JSON.stringify([name, about])}
                scope="col"
                className={classNames(styles["end"], styles["wrapped"])}
              >
                {name}
                <span className={styles["note"]}>{["published", about].filter(Boolean).join(" · ")}</span>
              </th>
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <GroupRows key={group.dataset.name} group={group} columns={columns} published={published} />
        ))}
      </table>
    </div>
  );
}

const NO_NAME = "(none named)";

interface GroupRowsProps {
  readonly group: DatasetGroup;
  readonly columns: readonly SystemColumn[];
  readonly published: readonly PublishedColumn[];
}

function GroupRows({ group, columns, published }: GroupRowsProps) {
  const { dataset, rows } = group;
  return (
    <tbody>
      {rows.map((row, place) => (
        <tr key={row.column}>
          {place === 0 && (
            <th scope="rowgroup" rowSpan={rows.length}>
              {dataset.name || NO_NAME}
              <span className={styles["note"]}>{countOf(dataset.questions, "question")}</span>
              {dataset.pending > 0 && (
                <span className={styles["note"]}>{countOf(dataset.pending, "answer")} undecided</span>
              )}
            </th>
          )}
          <th scope="row" className={styles["pinned"]} title={row.signature}>
            {row.name}
          </th>
          {columns.map((column) => (
            <Cell key={column.key} row={row} column={column} questions={dataset.questions} />
          ))}
          {published.map((column) => (
            <td key={JSON.stringify([column.name, column.about])} className={styles["end"]}>
              <PublishedValue score={publishedScore(group, column, row.column)} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

interface CellProps {
  readonly row: DatasetRow;
  readonly column: SystemColumn;
  readonly questions: number;
}

function Cell({ row, column, questions }: CellProps) {
  const score = scoreOf(row, column);
  const className = classNames(styles["end"], row.kind === "human" && styles["human"]);
  if (!score)
    return (
      <td className={className}>
        <span className={styles["none"]}>–</span>
      </td>
    );
  const best = isBest(row, score);
  return (
    <td className={className}>
      <BoundedFigure
        figure={score}
        text={
          <>
            {best ? <strong>{formatPoints(score.value)}</strong> : formatPoints(score.value)}
            {best && <span className="visually-hidden"> (best)</span>}
          </>
        }
        format={formatPoints}
        counts={score.n === questions ? undefined : `n ${formatCount(score.n)}`}
      />
    </td>
  );
}
