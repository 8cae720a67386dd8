/** How many questions are answered right by none, by one, … by all of the systems. */
import { useRef } from "react";
import type { SystemsBoard } from "../../api/schema";
import { ChartDownload } from "../../components/plot-figure";
import type { QuestionFilter } from "../../domain/question-filter";
import { countOf, formatCount, formatPercent, formatPoints } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import { drawRightBy } from "./right-by-chart";
import { RightByQuestions } from "./right-by-questions";
import styles from "./right-by.module.css";
import type { Bounds, SystemBounds } from "./systems-bounds";
import { intervalWords } from "./words";

interface RightByProps {
  readonly board: SystemsBoard;
  readonly bounds: SystemBounds;
  readonly filter: QuestionFilter;
  readonly search: SearchState;
}

export function RightBy({ board, bounds, filter, search }: RightByProps) {
  const { right_by: counts, answered_by_all: all } = board;
  const place = useRef<HTMLTableElement>(null);
  if (counts.length === 0) return <p>No question was answered by every system.</p>;
  const most = Math.max(...counts, 1);
  const chosen = chosenOf(search, counts);
  const bars = counts.map((count, systems) => {
    const [low, high] = bounds.rightBy[systems] ?? [];
    const percent = (share: number | undefined) => (share === undefined ? null : share * 100);
    return {
      name: nameOf(systems, counts.length - 1),
      share: (count / all) * 100,
      low: percent(low),
      high: percent(high),
    };
  });
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
            {counts.map((count, systems) => (
              <tr key={systems}>
                <th scope="row">{nameOf(systems, counts.length - 1)}</th>
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
                    {formatPercent(count / all)}
                    <Range bounds={bounds.rightBy[systems]} />
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
          name={nameOf(chosen, counts.length - 1)}
          filter={filter}
          search={search}
        />
      )}
    </>
  );
}

function Range({ bounds }: { readonly bounds: Bounds }) {
  const [low, high] = bounds ?? [];
  if (low === undefined || high === undefined) return null;
  const ends = `${formatPoints(low)}–${formatPoints(high)}`;
  return (
    <small className={styles["range"]} title={intervalWords(low, high)}>
      {ends}
    </small>
  );
}

/** The row that the address opens, where the table has it and it has questions. */
function chosenOf(search: SearchState, counts: readonly number[]): number | null {
  const text = search.read("right_by");
  const chosen = text === undefined ? -1 : Number(text);
  return counts[chosen] ? chosen : null;
}

function nameOf(systems: number, all: number): string {
  if (systems === 0) return "none (hard)";
  return systems === all ? `all ${formatCount(all)} (easy)` : formatCount(systems);
}
