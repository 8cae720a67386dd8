/** A figure about a rater: the value with its interval, or words where votes are too few for one. */
import type { RaterFigure } from "../../api/schema";
import { endsWords, intervalWords, type Look, LOOKS } from "../../components/figure";
import { IntervalBar } from "../../components/interval-bar";
import { formatPercent } from "../../lib/numbers";
import styles from "./raters.module.css";

/** Of so few votes in whole percents. */
export const SHARE: Look = { format: (value) => formatPercent(value, 0), from: 0, to: 1 };
/** κ is no percentage. */
export const KAPPA: Look = LOOKS.coefficient;

interface FigureProps {
  readonly figure: RaterFigure;
  readonly look?: Look;
}

export function Figure({ figure, look = SHARE }: FigureProps) {
  if (figure.value === null) return <span className={styles["words"]}>{figure.words}</span>;
  return (
    <IntervalBar
      {...figure}
      value={figure.value}
      from={look.from}
      to={look.to}
      text={look.format(figure.value)}
      description={figureWords(figure, look)}
      ends={endsWords(figure, look.format)}
    />
  );
}

export function figureWords(figure: RaterFigure, look: Look): string {
  return figure.words || intervalWords(figure, look.format);
}
