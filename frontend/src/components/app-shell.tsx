/** What stands around every page: skip link, one line of orientation, the account, one main. */
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { t } from "../lib/i18n/t";
import styles from "./app-shell.module.css";

interface AppShellProps {
  /** Where we are, after the product's name. */
  readonly place?: ReactNode;
  readonly account?: ReactNode;
  readonly nav?: ReactNode;
  /** Of the content, where it is not what the rest speaks. */
  readonly lang?: string | undefined;
  readonly children: ReactNode;
}

export function AppShell({ place, account, nav, lang, children }: AppShellProps) {
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#main">
        {t("Skip to the content")}
      </a>
      <header className={styles["header"]}>
        <Link to="/" className={styles["brand"]}>
          Assay
        </Link>
        {place && <div className={styles["place"]}>{place}</div>}
        {account && <div className={styles["account"]}>{account}</div>}
      </header>
      {nav}
      <main id="main" lang={lang} tabIndex={-1} className={styles["main"]}>
        {children}
      </main>
    </div>
  );
}
