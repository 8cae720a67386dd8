/** How many questions are answered right by none, by one, … by all of the systems. */
import { useRef } from "react";
import type { SystemsBoard } from "../../api/schema";
import type { Figure } from "../../components/figure";
import { ChartDownload } from "../../components/plot-figure";
import type { QuestionFilter } from "../../domain/question-filter";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import { drawRightBy } from "./right-by-chart";
import { RightByQuestions } from "./right-by-questions";
import styles from "./right-by.module.css";
import { intervalWords } from "./words";

interface RightByProps {
  readonly board: SystemsBoard;
  readonly filter: QuestionFilter;
  readonly search: SearchState;
}

export function RightBy({ board, filter, search }: RightByProps) {
  const { right_by: rows, answered_by_all: all } = board;
  const place = useRef<HTMLTableElement>(null);
  if (rows.length === 0) return <p>No question was answered by every system.</p>;
  const most = Math.max(...rows.map(({ questions }) => questions), 1);
  const chosen = chosenOf(search, rows);
  const nameOf = (systems: number) => rightByName(systems, rows.length - 1);
  const percent = (share: number | null) => (share === null ? null : share * 100);
  const bars = rows.map(({ systems, share }) => ({
    name: nameOf(systems),
    share: (share.value ?? 0) * 100,
    low: percent(share.low),
    high: percent(share.high),
  }));
  return (
    <>
      <figure className={styles["figure"]}>
        <figcaption>
          <strong>Questions by how many systems have them right</strong>{" "}
          <span className={styles["soft"]}>Of {countOf(all, "question")} that every system answered.</span>
        </figcaption>
        <table ref={place} className={styles["table"]}>
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
            {rows.map(({ systems, questions: count, share }) => (
              <tr key={systems}>
                <th scope="row">{nameOf(systems)}</th>
                <td className={styles["end"]}>
                  {count === 0 ? (
                    "0"
                  ) : (
                    <button
                      type="button"
                      className={styles["open"]}
                      aria-expanded={systems === chosen}
                      onClick={() =>
                        search.write({ right_by: systems === chosen ? undefined : systems, page: undefined })
                      }
                    >
                      {formatCount(count)}
                      <span className="visually-hidden"> questions, list them</span>
                    </button>
                  )}
                </td>
                <td>
                  <span className={styles["bar"]}>
                    <span style={{ inlineSize: `calc(${count / most} * min(10rem, 18vw))` }} />
                    {formatPercent(share.value)}
                    <Range figure={share} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <ChartDownload
          label="Questions by how many systems have them right"
          draw={(plot, width) => drawRightBy(plot, width, bars)}
          place={place}
        />
      </figure>
      {chosen !== null && (
        <RightByQuestions
          key={chosen}
          rightBy={chosen}
          name={nameOf(chosen)}
          filter={filter}
          search={search}
        />
      )}
    </>
  );
}

function Range({ figure: { low, high } }: { readonly figure: Figure }) {
  if (low === null || high === null) return null;
  return (
    <small className={styles["range"]} title={intervalWords(low, high)}>
      {`${formatPoints(low)}–${formatPoints(high)}`}
    </small>
  );
}

/** The row that the address opens, where the table has it and it has questions. */
function chosenOf(search: SearchState, rows: SystemsBoard["right_by"]): number | null {
  const text = search.read("right_by");
  const chosen = text === undefined ? -1 : Number(text);
  return rows[chosen]?.questions ? chosen : null;
}

function rightByName(systems: number, all: number): string {
  if (systems === 0) return "none (hard)";
  return systems === all ? `all ${formatCount(all)} (easy)` : formatCount(systems);
}
