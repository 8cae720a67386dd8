/** The study's guidelines beside the work. */
import { Button } from "../../components/button";
import { Markdown } from "../../components/markdown";
import { t } from "../../lib/i18n/t";
import styles from "./guidelines-panel.module.css";

interface GuidelinesPanelProps {
  readonly html: string;
  readonly closeKey: string | undefined;
  readonly onClose: () => void;
}

export function GuidelinesPanel({ html, closeKey, onClose }: GuidelinesPanelProps) {
  return (
    <aside className={styles["panel"]} aria-label={t("Guidelines")}>
      <header className={styles["header"]}>
        <h2>{t("Guidelines")}</h2>
        <Button variant="quiet" size="small" hint={closeKey} onClick={onClose}>
          {t("Close")}
        </Button>
      </header>
      {html ? <Markdown html={html} /> : <p>{t("This study has no written guidelines.")}</p>}
    </aside>
  );
}
