/** The frame of a page: its title, its head and its sections. */
import { type ReactNode, useEffect } from "react";
import { classNames } from "../lib/class-names";
import styles from "./page.module.css";

interface PageProps {
  /** "wide" for tables; "reading" for text and forms, which begin where tables do; "narrow" for doors. */
  readonly width?: "narrow" | "reading" | "wide";
  readonly children: ReactNode;
}

export function Page({ width = "wide", children }: PageProps) {
  return <div className={classNames(styles["page"], styles[width])}>{children}</div>;
}

/** One part of a page, under a heading of its own. */
export function Section({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) {
  return (
    <section className={styles["section"]}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

interface PageHeaderProps {
  readonly title: ReactNode;
  /** The first thing to see: the page's answer in words. */
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
}

export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  return (
    <header className={styles["header"]}>
      <div className={styles["words"]}>
        <h1>{title}</h1>
        {lead && <div className={styles["lead"]}>{lead}</div>}
      </div>
      {actions && <div className={styles["actions"]}>{actions}</div>}
    </header>
  );
}

export function useTitle(...parts: readonly (string | null | undefined)[]): void {
  const title = [...parts, "Assay"].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
