/** Labels: their names and order, and the mark that shows one. */
import type { LabelChoice } from "../api/schema";
import { classNames } from "../lib/class-names";
import { capitalized } from "../lib/lists";
import styles from "./label-mark.module.css";

/** A label by its key and name; a project's own labels also say what they are taken in only with. */
export type LabelSpec = Pick<LabelChoice, "key" | "name"> & { readonly credit: string };

const SHAPES: Readonly<Record<LabelTone, React.ReactNode>> = {
  correct: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" />
      <path className={styles["glyph"]} d="m4.9 8.3 2.2 2.2 4-4.6" />
    </>
  ),
  possibly: (
    <>
      <path d="M8 .6 15.4 8 8 15.4.6 8Z" fill="currentColor" />
      <path className={styles["glyph"]} d="M4.8 8.6c1.2-1.7 2.1-1.5 3.2-.6s2 1.1 3.2-.6" />
    </>
  ),
  incorrect: (
    <>
      <rect x="1.2" y="1.2" width="13.6" height="13.6" rx="2.4" fill="currentColor" />
      <path className={styles["glyph"]} d="m5.3 5.3 5.4 5.4m0-5.4-5.4 5.4" />
    </>
  ),
  other: (
    <>
      <circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M5.2 8h5.6" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" />
    </>
  ),
};

export function LabelShape({ tone }: { readonly tone: LabelTone }) {
  return (
    <svg className={styles["shape"]} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[tone]}
    </svg>
  );
}

interface LabelMarkProps {
  readonly label: string;
  /** The protocol's word for it; otherwise the key in words. */
  readonly name?: string;
  /** Shape alone in a dense cell; the word stays for screen readers and on hover. */
  readonly compact?: boolean;
}

export function LabelMark({ label, name = labelName(label), compact }: LabelMarkProps) {
  return (
    <span className={classNames(styles["mark"], styles[labelTone(label)])} title={compact ? name : undefined}>
      <LabelShape tone={labelTone(label)} />
      <span className={compact ? "visually-hidden" : undefined}>{name}</span>
    </span>
  );
}

type LabelTone = "correct" | "possibly" | "incorrect" | "other";

function labelTone(label: string): LabelTone {
  const key = label.toLowerCase();
  if (key.includes("possibly")) return "possibly";
  if (key.includes("incorrect")) return "incorrect";
  if (key.includes("correct")) return "correct";
  return "other";
}

/** "definitely_correct" as "Definitely correct". */
export function labelName(label: string): string {
  return capitalized(label.replaceAll(/[_-]+/g, " "));
}

/** The tone of what a label is worth in its protocol. */
export function toneOfCredit(credit: string): LabelTone {
  if (credit === "definite") return "correct";
  if (credit === "possible") return "possibly";
  return credit === "none" ? "incorrect" : "other";
}
