/** Which columns are shown, and whether as scores or as differences. */
import { useId } from "react";
import type { Leaderboard } from "../../api/schema";
import { Button } from "../../components/button";
import { Checkbox, Choice } from "../../components/form";
import { Term } from "../../components/term";
import { gainsWords } from "./gains";
import styles from "./leaderboard-page.module.css";
import { type BoardView, RELATIVE } from "./use-board";
import { fewLastWords, rankLegend, unrankedWords } from "./words";

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
        Columns: {shown.size === view.offered.length ? "all" : `${shown.size} of ${view.offered.length}`}
      </Button>
      <div id={menu} popover="auto" className={styles["menu"]}>
        {view.offered.map((column) => (
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
            label={`System: ${name.toLowerCase()}`}
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
            name: `Relative difference from ${name} (percent)`,
          })),
        ]}
        empty="Scores"
        onChange={view.compareWith}
      />
      <Checkbox label="Show ranks and details" checked={view.isDetailed} onChange={view.showDetails} />
      <p className="soft">
        <BoundsWords view={view} /> {view.bounding.isPending && "Computing rank ranges… "}
        {view.isDetailed && (
          <>
            Next to each score is its rank. If the rank is not clear, a{" "}
            <Term name="rank-range">range of ranks</Term> appears below it. {rankLegend(board, view)}{" "}
          </>
        )}
        {unrankedWords(board)} {fewLastWords(view.splitting)} Select two systems to compare them.
      </p>
    </div>
  );
}

/** What stands in the cells, and where its interval. */
function BoundsWords({ view: { compared, isRelative, bounding } }: { readonly view: BoardView }) {
  if (!compared)
    return (
      <>
        Scores are percentages, with one column for each <Term name="way-of-judging">way of judging</Term>.
        Below each score is its 95% <Term name="interval">interval</Term>.
      </>
    );
  const unit = isRelative ? `percent of the “${compared.name}” score` : "points";
  return `Differences are in ${unit}. ${gainsWords(bounding)}`;
}

function comparedValue({ compared, isRelative }: BoardView): string {
  if (!compared) return "";
  return isRelative ? `${compared.key}~${RELATIVE}` : compared.key;
}
