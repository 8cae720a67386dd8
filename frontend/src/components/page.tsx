/** The frame of a page's content: its width and the distance between its parts. */
import type { ReactNode } from "react";
import { classNames } from "../lib/class-names";
import styles from "./page.module.css";

interface PageProps {
  /** "reading" for text and forms, "wide" for tables, "full" for panes side by side. */
  readonly width?: "narrow" | "reading" | "wide" | "full";
  readonly children: ReactNode;
}

export function Page({ width = "wide", children }: PageProps) {
  return <div className={classNames(styles["page"], styles[width])}>{children}</div>;
}

/** One part of a page, under a heading of its own. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles["section"]}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
