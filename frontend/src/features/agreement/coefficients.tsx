/** The coefficients with their intervals; one that is undefined says why. */
import type { AgreementFigures } from "../../api/schema";
import { IntervalBar } from "../../components/interval-bar";
import { Notice } from "../../components/notice";
import { Stat } from "../../components/stat";
import { FEW, formatCoefficient, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { type Coefficient, coefficientsOf, formatValue } from "./words";

export function Coefficients({ report }: { readonly report: AgreementFigures }) {
  return (
    <>
      <div className={styles["coefficients"]}>
        {coefficientsOf(report).map((coefficient) => (
          <Stat
            key={coefficient.key}
            name={coefficient.name}
            value={coefficient.value === null ? "Undefined" : formatValue(coefficient)}
          >
            <Interval coefficient={coefficient} report={report} />
            {coefficient.value === null ? report.words[coefficient.key] : coefficient.note}
          </Stat>
        ))}
      </div>
      {report.is_paradox && (
        <Notice tone="warning" title="κ is low here because one label is rare">
          <p>
            Raters agree on most votes, but nearly all votes are the same label, so that chance alone would
            agree almost as often. AC1 and the shares below say more than κ.
          </p>
        </Notice>
      )}
      <p className={styles["soft"]}>
        Intervals are 95 % intervals over questions, since votes on one question are not independent. κ falls
        when one label is rare; read it beside the shares below.
      </p>
    </>
  );
}

function Interval({
  coefficient,
  report,
}: {
  readonly coefficient: Coefficient;
  readonly report: AgreementFigures;
}) {
  const [low, high] = report.interval[coefficient.key] ?? [];
  const words = report.words[`interval.${coefficient.key}`];
  if (coefficient.value !== null && report.items < FEW)
    return <span className={styles["interval"]}>Too few for an interval. </span>;
  if (coefficient.value === null) return null;
  if (words !== undefined) return <span className={styles["interval"]}>{words} </span>;
  if (low === undefined || high === undefined) return null;
  const format = (value: number) =>
    coefficient.isShare ? formatPercent(value) : formatCoefficient(value, 3);
  const text = `${format(low)} to ${format(high)}`;
  return (
    <span className={styles["interval"]}>
      <IntervalBar value={coefficient.value} low={low} high={high} text={text} />{" "}
    </span>
  );
}
