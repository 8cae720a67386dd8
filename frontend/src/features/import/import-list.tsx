/** Every import, one line each. */
import type { Import } from "../../api/contract";
import { Badge } from "../../components/badge";
import { RelativeTime } from "../../components/relative-time";
import styles from "./import.module.css";
import { countWords, fileWords, STATES } from "./states";

interface ImportListProps {
  readonly imports: readonly Import[];
  readonly onOpen: (id: string) => void;
}

export function ImportList({ imports, onOpen }: ImportListProps) {
  if (imports.length === 0) {
    return (
      <p className={styles["soft"]}>None yet. Drop the first file above; each import will be listed here.</p>
    );
  }
  return (
    <ul className={styles["list"]}>
      {imports.map((found) => (
        <li key={found.id}>
          <button type="button" className={styles["line"]} onClick={() => onOpen(found.id)}>
            <span className={styles["words"]}>
              <span className={styles["name"]}>{fileWords(found.files)}</span>
              <span className={styles["soft"]}>{countWords(found.counts) || found.format_name}</span>
            </span>
            <Badge tone={STATES[found.state].tone}>{STATES[found.state].words}</Badge>
            <span className={styles["soft"]}>
              <RelativeTime at={found.created_at} />
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
