/** How many questions are answered right by none, by one, … by all of the systems. */
import type { SystemsBoard } from "../../api/contract";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import styles from "./right-by.module.css";

export function RightBy({ board }: { readonly board: SystemsBoard }) {
  const { right_by: counts, answered_by_all: all } = board;
  if (counts.length === 0) return <p>No question was answered by every system.</p>;
  const most = Math.max(...counts, 1);
  return (
    <>
      <p className={styles["soft"]}>Of {countOf(all, "question")} that every system answered.</p>
      <table className={styles["table"]}>
        <caption className="visually-hidden">Questions by how many systems have them right</caption>
        <thead>
          <tr>
            <th scope="col">Right by</th>
            <th scope="col" className={styles["end"]}>
              Questions
            </th>
            <th scope="col">Share</th>
          </tr>
        </thead>
        <tbody>
          {counts.map((count, systems) => (
            <tr key={systems}>
              <th scope="row">{nameOf(systems, counts.length - 1)}</th>
              <td className={styles["end"]}>{formatCount(count)}</td>
              <td>
                <span className={styles["bar"]}>
                  <span style={{ inlineSize: `calc(${count / most} * min(10rem, 28vw))` }} />
                  {formatPercent(count / all)}
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function nameOf(systems: number, all: number): string {
  if (systems === 0) return "none (hard)";
  return systems === all ? `all ${formatCount(all)} (easy)` : formatCount(systems);
}
