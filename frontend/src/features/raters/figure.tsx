/** A figure about a rater: the value with its interval, or words where votes are too few for one. */
import type { RaterFigure } from "../../api/schema";
import { IntervalBar } from "../../components/interval-bar";
import { formatCoefficient, formatPercent } from "../../lib/numbers";
import styles from "./raters.module.css";

interface FigureProps {
  readonly figure: RaterFigure;
  /** κ runs from −1 to 1 and is no percentage. */
  readonly isKappa?: boolean;
}

export function Figure({ figure, isKappa = false }: FigureProps) {
  if (figure.value === null) return <span className={styles["words"]}>{figure.words}</span>;
  const format = (value: number) => (isKappa ? formatCoefficient(value) : formatPercent(value, 0));
  return (
    <IntervalBar
      value={figure.value}
      low={figure.low}
      high={figure.high}
      from={isKappa ? -1 : 0}
      text={format(figure.value)}
      description={intervalWords(figure, format)}
    />
  );
}

function intervalWords({ low, high, words }: RaterFigure, format: (value: number) => string): string {
  if (words !== "") return words;
  return low === null || high === null ? "" : `95 % interval ${format(low)} to ${format(high)}`;
}

/** The same with its words in sight, for a page about one rater. */
export function FigureWords({ figure, isKappa = false }: FigureProps) {
  const format = (value: number) => (isKappa ? formatCoefficient(value) : formatPercent(value, 0));
  return <>{figure.value === null ? figure.words : intervalWords(figure, format)}</>;
}

export function figureValue({ value }: RaterFigure, isKappa = false): string {
  if (value === null) return "–";
  return isKappa ? formatCoefficient(value) : formatPercent(value, 0);
}
