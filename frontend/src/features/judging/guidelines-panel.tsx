/** The study's guidelines beside the work. */
import { Button } from "../../components/button";
import { Markdown } from "../../components/markdown";
import styles from "./guidelines-panel.module.css";

interface GuidelinesPanelProps {
  readonly html: string;
  /** The text differs from what this person last saw. */
  readonly changed: boolean;
  readonly onClose: () => void;
}

export function GuidelinesPanel({ html, changed, onClose }: GuidelinesPanelProps) {
  return (
    <aside className={styles["panel"]} aria-label="Guidelines">
      <header className={styles["header"]}>
        <h2>Guidelines</h2>
        <Button variant="quiet" size="small" hint="g" onClick={onClose}>
          Close
        </Button>
      </header>
      {changed && (
        <p className={styles["changed"]}>These guidelines have changed since you last read them.</p>
      )}
      {html ? <Markdown html={html} /> : <p>This study has no written guidelines.</p>}
    </aside>
  );
}
