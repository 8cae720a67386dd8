/** Changes under the day on which they were made. */
import type { GoldChange } from "../../api/contract";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ProjectLink } from "../../components/project-link";
import { RelativeTime } from "../../components/relative-time";
import styles from "./gold-page.module.css";
import { daysOf, ruleWords } from "./ledger";

interface LedgerDaysProps {
  readonly changes: readonly GoldChange[];
  readonly onUndo: ((change: GoldChange) => void) | null;
}

export function LedgerDays({ changes, onUndo }: LedgerDaysProps) {
  return daysOf(changes).map((day) => (
    <section key={day.date} className={styles["day"]}>
      <h2 className={styles["date"]}>{day.date}</h2>
      <ul>
        {day.changes.map((change) => (
          <ChangeRow key={change.id} change={change} onUndo={onUndo} />
        ))}
      </ul>
    </section>
  ));
}

interface ChangeRowProps {
  readonly change: GoldChange;
  readonly onUndo: LedgerDaysProps["onUndo"];
}

function ChangeRow({ change, onUndo }: ChangeRowProps) {
  const isUndone = change.undone_at !== null;
  return (
    <li className={styles["change"]} data-undone={isUndone}>
      <span className={styles["sign"]} data-action={change.action} aria-hidden="true">
        {change.action === "added" ? "+" : "−"}
      </span>
      <div className={styles["words"]}>
        <p>
          <span className="visually-hidden">{change.action === "added" ? "Added: " : "Removed: "}</span>
          <span className={styles["text"]} dir="auto">
            {change.text}
          </span>
        </p>
        <p className={styles["question"]}>
          <ProjectLink page="gold" search={{ question: change.question_id }}>
            <span dir="auto">{change.question}</span>
          </ProjectLink>
        </p>
        <p className={styles["why"]}>
          {ruleWords(change)}
          {change.reason && <span dir="auto"> “{change.reason}”</span>} <RelativeTime at={change.at} />
          {change.answer_id !== null && (
            <>
              {" · "}
              <ProjectLink page={`answers/${change.answer_id}`}>The answer’s history</ProjectLink>
            </>
          )}
        </p>
        {change.undone_at && (
          <p className={styles["why"]}>
            <Badge>Undone</Badge> <span dir="auto">{change.undo_reason}</span>{" "}
            <RelativeTime at={change.undone_at} />
          </p>
        )}
      </div>
      {onUndo && !isUndone && (
        <Button
          size="small"
          variant="quiet"
          onClick={() => onUndo(change)}
          aria-label={`Undo: ${change.text}`}
        >
          Undo
        </Button>
      )}
    </li>
  );
}
