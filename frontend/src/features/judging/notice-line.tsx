/** What just happened, in words, read out by screen readers. */
import { Button } from "../../components/button";
import { t } from "../../lib/i18n/t";
import type { Notice } from "./desk-state";
import styles from "./notice-line.module.css";

interface NoticeLineProps {
  readonly notice: Notice | null;
  readonly onClose: () => void;
}

export function NoticeLine({ notice, onClose }: NoticeLineProps) {
  return (
    <div role={notice?.tone === "error" ? "alert" : "status"}>
      {notice && (
        <div className={styles["notice"]} data-tone={notice.tone}>
          <p>{notice.text}</p>
          <Button variant="quiet" size="small" onClick={onClose}>
            {t("Close")}
          </Button>
        </div>
      )}
    </div>
  );
}
