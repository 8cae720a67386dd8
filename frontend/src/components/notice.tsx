/** A remark that belongs to the page around it: something to know, to do or to repair. */
import type { ReactNode } from "react";
import styles from "./notice.module.css";

interface NoticeProps {
  readonly tone?: "info" | "warning" | "danger" | "success";
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}

export function Notice({ tone = "info", title, children, actions }: NoticeProps) {
  return (
    <div className={styles["notice"]} data-tone={tone} role={tone === "danger" ? "alert" : undefined}>
      <div className={styles["words"]}>
        {title && <p className={styles["title"]}>{title}</p>}
        {children}
      </div>
      {actions && <div className="row">{actions}</div>}
    </div>
  );
}
