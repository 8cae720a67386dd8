/** A short state in words. */
import type { ReactNode } from "react";
import { classNames } from "../lib/class-names";
import styles from "./badge.module.css";

export type Tone = "neutral" | "accent" | "success" | "warning" | "danger";

export function Badge({
  tone = "neutral",
  children,
}: {
  readonly tone?: Tone;
  readonly children: ReactNode;
}) {
  return <span className={classNames(styles["badge"], styles[tone])}>{children}</span>;
}
