/** The coefficients with their intervals; one that is undefined says why. */
import type { AgreementReport } from "../../api/contract";
import { IntervalBar } from "../../components/interval-bar";
import { Stat } from "../../components/stat";
import { formatCoefficient, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { type Coefficient, coefficientsOf, formatValue } from "./words";

export function Coefficients({ report }: { readonly report: AgreementReport }) {
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
      <p className={styles["soft"]}>
        Intervals are 95 % bootstrap intervals over questions, since votes on one question are not
        independent. κ falls when one label is rare; read it beside the shares below.
      </p>
    </>
  );
}

function Interval({
  coefficient,
  report,
}: {
  readonly coefficient: Coefficient;
  readonly report: AgreementReport;
}) {
  const [low, high] = report.interval[coefficient.key] ?? [];
  if (coefficient.value === null || low === undefined || high === undefined) return null;
  const format = (value: number) => (coefficient.isShare ? formatPercent(value) : formatCoefficient(value));
  const text = `${format(low)} to ${format(high)}`;
  return (
    <span className={styles["interval"]}>
      <IntervalBar value={coefficient.value} low={low} high={high} text={text} />{" "}
    </span>
  );
}
