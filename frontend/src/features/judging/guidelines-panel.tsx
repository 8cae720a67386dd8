/** The study's guidelines beside the work. */
import { Button } from "../../components/button";
import { Markdown } from "../../components/markdown";
import type { Seen } from "./guidelines-seen";
import styles from "./guidelines-panel.module.css";

interface GuidelinesPanelProps {
  readonly html: string;
  /** Whether this person knows the text as it stands. */
  readonly seen: Seen;
  readonly closeKey: string | undefined;
  readonly onClose: () => void;
}

export function GuidelinesPanel({ html, seen, closeKey, onClose }: GuidelinesPanelProps) {
  return (
    <aside className={styles["panel"]} aria-label="Guidelines">
      <header className={styles["header"]}>
        <h2>Guidelines</h2>
        <Button variant="quiet" size="small" hint={closeKey} onClick={onClose}>
          Close
        </Button>
      </header>
      {seen === "changed" && (
        <p className={styles["changed"]}>These guidelines have changed since you last read them.</p>
      )}
      {html ? <Markdown html={html} /> : <p>This study has no written guidelines.</p>}
      {seen !== "seen" && (
        <Button variant="primary" className={styles["start"]} onClick={onClose}>
          I have read them
        </Button>
      )}
    </aside>
  );
}
