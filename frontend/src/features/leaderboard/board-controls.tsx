/** Which columns are shown, and whether as scores or as differences. */
import { useId } from "react";
import type { Leaderboard } from "../../api/schema";
import { Button } from "../../components/button";
import { Checkbox, Choice } from "../../components/form";
import { gainsWords } from "./gains";
import styles from "./leaderboard-page.module.css";
import { type BoardView, RELATIVE } from "./use-board";

interface BoardControlsProps {
  readonly board: Leaderboard;
  readonly view: BoardView;
}

export function BoardControls({ board, view }: BoardControlsProps) {
  const menu = useId();
  const shown = new Set(view.columns.map(({ key }) => key));
  return (
    <div className={styles["controls"]}>
      <Button size="small" popoverTarget={menu}>
        Columns: {shown.size === board.columns.length ? "all" : `${shown.size} of ${board.columns.length}`}
      </Button>
      <div id={menu} popover="auto" className={styles["menu"]}>
        {board.columns.map((column) => (
          <Checkbox
            key={column.key}
            label={column.name}
            checked={shown.has(column.key)}
            onChange={() => view.toggleColumn(column.key)}
          />
        ))}
        {view.known.map(({ key, name }) => (
          <Checkbox
            key={key}
            label={`${name} of the system`}
            checked={view.about.some((column) => column.key === key)}
            onChange={() => view.toggleAbout(key)}
          />
        ))}
      </div>
      <Choice
        label="Show as"
        hideLabel
        value={comparedValue(view)}
        options={[
          ...board.columns.map(({ key, name }) => ({ value: key, name: `Difference from ${name}` })),
          ...board.columns.map(({ key, name }) => ({
            value: `${key}~${RELATIVE}`,
            name: `Difference in percent of ${name}`,
          })),
        ]}
        empty="Scores"
        onChange={view.compareWith}
      />
      <p className="soft">
        {boundsWords(view)}{" "}
        {view.bounding.isPending
          ? "Intervals of ranks are being computed …"
          : "Beside a score stands its rank. “rank 2–3” below it means that the rank may be any of these (95 %)."}{" "}
        Choose two systems to compare them.
      </p>
    </div>
  );
}

/** What stands in the cells, and where its interval. */
function boundsWords({ compared, isRelative, bounding }: BoardView): string {
  if (!compared) return "Scores in percent, below each its 95 % interval, as a bar and in numbers.";
  const unit = isRelative ? `percent of ${compared.name}` : "points";
  return `Differences in ${unit}. ${gainsWords(bounding)}`;
}

function comparedValue({ compared, isRelative }: BoardView): string {
  if (!compared) return "";
  return isRelative ? `${compared.key}~${RELATIVE}` : compared.key;
}
