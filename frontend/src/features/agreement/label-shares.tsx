/** How often each label was given: κ cannot be read without it. */
import type { Agreement } from "../../api/schema";
import { BoundedNumber } from "../../components/bounded-number";
import { LabelMark } from "../../domain/labels";
import { countOf, formatCount, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { labelWords } from "./words";

export function LabelShares({ report }: { readonly report: Agreement }) {
  const entries = Object.entries(report.distribution);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      <p className={styles["soft"]}>
        Of {countOf(total, "vote")} of first-round raters, missing ones counted.
      </p>
      <ul className={styles["shares"]}>
        {entries.map(([label, count]) => (
          <li key={label} className={styles["share"]}>
            <LabelMark label={label} name={labelWords(label)} />
            <span>
              <span
                className={styles["bar"]}
                style={{ width: `${total === 0 ? 0 : (100 * count) / total}%` }}
                aria-hidden="true"
              />
            </span>
            <span className={styles["count"]}>
              <BoundedNumber
                text={`${formatCount(count)} · ${formatPercent(total === 0 ? null : count / total)}`}
                interval={report.interval[`share_${label}`]}
                format={formatPercent}
                words={total === 0 ? undefined : report.words[`interval.share_${label}`]}
              />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
