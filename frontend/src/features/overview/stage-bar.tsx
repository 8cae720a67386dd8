/** Where the items of a project stand: one bar, one clickable part a stage. */
import { Link } from "@tanstack/react-router";
import { formatCount } from "../../lib/numbers";
import styles from "./stage-bar.module.css";

export interface Stage {
  readonly key: string;
  readonly name: string;
  readonly count: number;
  /** Where a click leads; absent means nowhere. */
  readonly href?: string;
}

interface StageBarProps {
  readonly label: string;
  readonly stages: readonly Stage[];
}

/** From pale to full: later stages are darker. */
function shadeOf(index: number, count: number): string {
  const strength = count < 2 ? 100 : Math.round(18 + (82 * index) / (count - 1));
  return `color-mix(in oklab, var(--accent) ${strength}%, var(--line))`;
}

export function StageBar({ label, stages }: StageBarProps) {
  const total = stages.reduce((sum, stage) => sum + stage.count, 0);
  return (
    <figure className="stack" aria-label={label}>
      <div className={styles["bar"]} aria-hidden="true">
        {stages.map(
          (stage, index) =>
            (stage.count > 0 || total === 0) && (
              <span
                key={stage.key}
                className={styles["part"]}
                style={{ flexGrow: total === 0 ? 1 : stage.count, background: shadeOf(index, stages.length) }}
              />
            ),
        )}
      </div>
      <ol className={styles["legend"]}>
        {stages.map((stage, index) => (
          <li key={stage.key} className={styles["stage"]}>
            <span
              className={styles["swatch"]}
              style={{ background: shadeOf(index, stages.length) }}
              aria-hidden="true"
            />
            {stage.href === undefined ? <span>{stage.name}</span> : <Link to={stage.href}>{stage.name}</Link>}
            <span className={styles["count"]}>{formatCount(stage.count)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}
