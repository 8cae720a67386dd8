/** The key of a chart: each mark as it is drawn, and what it stands for in a word or two. */
import type { ReactNode } from "react";
import styles from "./plot-figure.module.css";

export type Shape =
  | "dot"
  | "bounded"
  | "circle"
  | "diamond"
  | "triangle"
  | "square"
  | "times"
  | "line"
  | "dashed"
  | "bar"
  | "box"
  | "sizes";

export interface KeyItem {
  readonly shape: Shape;
  readonly color: string;
  /** How the mark looks, for those who do not see it and for saved files, such as "open circle". */
  readonly look: string;
  readonly name: string;
  /** The name, where words of it explain themselves. */
  readonly shown?: ReactNode;
  readonly opacity?: number;
}

/** Between the items of a list that is read as a sentence. */
const ends = (isLast: boolean) => <span className="visually-hidden">{isLast ? ". " : "; "}</span>;

export function ChartKey({ items }: { readonly items: readonly KeyItem[] }) {
  if (items.length === 0) return null;
  return (
    <span className={styles["key"]} role="list" aria-label="Key">
      {items.map(({ shape, color, look, name, shown = name, opacity = 1 }, place) => (
        <span key={look} role="listitem" className={styles["item"]}>
          <svg viewBox="0 0 26 14" aria-hidden="true" color={color} opacity={opacity}>
            {SHAPES[shape]}
          </svg>
          <span className="visually-hidden">{look}: </span>
          <span>{shown}</span>
          {ends(place === items.length - 1)}
        </span>
      ))}
    </span>
  );
}

const OPEN = { fill: "none", stroke: "currentColor", strokeWidth: 1.75 } as const;

const SHAPES: Readonly<Record<Shape, ReactNode>> = {
  dot: <circle cx="13" cy="7" r="4.5" fill="currentColor" />,
  bounded: (
    <>
      <path d="M1 7h24" stroke="currentColor" strokeWidth="3" opacity="0.55" />
      <circle cx="13" cy="7" r="4.5" fill="currentColor" />
    </>
  ),
  circle: <circle cx="13" cy="7" r="5" {...OPEN} />,
  diamond: <path d="M13 1l4 6-4 6-4-6z" {...OPEN} />,
  triangle: <path d="M13 1.5l5.5 10h-11z" {...OPEN} />,
  square: <path d="M8.5 2.5h9v9h-9z" {...OPEN} />,
  times: <path d="M8.5 2.5l9 9m0-9l-9 9" {...OPEN} />,
  line: <path d="M1 7h24" stroke="currentColor" strokeWidth="2" />,
  dashed: <path d="M1 7h24" stroke="currentColor" strokeWidth="2" strokeDasharray="4 3" />,
  bar: <path d="M13 0v14" stroke="currentColor" strokeWidth="3" />,
  box: <path d="M2 2h22v10h-22z" fill="currentColor" fillOpacity="0.6" />,
  sizes: (
    <g fill="currentColor" fillOpacity="0.3" stroke="currentColor">
      <circle cx="5" cy="7" r="2.5" />
      <circle cx="17" cy="7" r="6" />
    </g>
  ),
};
