/** The judges to choose from, each with what it does in a sentence. */
import type { Judge } from "../../api/schema";
import { Badge } from "../../components/badge";
import styles from "./new-run.module.css";

interface JudgeListProps {
  readonly judges: readonly Judge[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

/** On phones the list scrolls by itself; what was chosen by the address may stand far down. */
function bringIntoView(button: HTMLButtonElement | null): void {
  const list = button?.closest("ul");
  if (!button || !list) return;
  const isAbove = button.offsetTop < list.offsetTop + list.scrollTop;
  const isBelow =
    button.offsetTop + button.offsetHeight > list.offsetTop + list.scrollTop + list.clientHeight;
  if (isAbove || isBelow) list.scrollTop = button.offsetTop - list.offsetTop;
}

export function JudgeList({ judges, chosen, onChoose }: JudgeListProps) {
  return (
    <ul className={styles["judges"]} aria-label="Judges">
      {judges.map((judge) => (
        <li key={judge.key}>
          <button
            type="button"
            className={styles["judge"]}
            aria-current={judge.key === chosen || undefined}
            ref={judge.key === chosen ? bringIntoView : undefined}
            onClick={() => onChoose(judge.key)}
          >
            <span className={styles["name"]}>
              {judge.name}
              {!judge.available && <Badge tone="warning">Not installed</Badge>}
            </span>
            <span className={styles["soft"]}>{judge.summary}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}
