/** The coefficients with their intervals, and how often each label was given: κ cannot be read without it. */
import { FIGURES } from "../../api/figures";
import type { SignedAgreement } from "../../api/schema";
import { type Figure, FigureCell, type FigureName, LOOKS, whyWords } from "../../components/figure";
import { IntervalBar } from "../../components/interval-bar";
import { Notice } from "../../components/notice";
import { Stat, Stats } from "../../components/stat";
import { Term } from "../../components/term";
import { LabelMark } from "../../domain/labels";
import { countOf, FEW, formatCoefficient, formatCount, formatPercent } from "../../lib/numbers";
import styles from "./agreement-page.module.css";
import { ac1Words, labelsOf, labelWords } from "./words";

export function Coefficients({ report }: { readonly report: SignedAgreement }) {
  // Two labels have no more order than none.
  const names = (Object.keys(report.figures) as FigureName[]).filter(
    (name) => name !== "krippendorff_alpha_ordinal" || labelsOf(report).length > 2,
  );
  return (
    <>
      <Stats>
        {names.map((name) => (
          <Coefficient key={name} name={name} report={report} />
        ))}
      </Stats>
      {report.is_paradox && (
        <Notice tone="warning" title="κ is low because one label is rare">
          <p>
            Annotators agree on most votes, but nearly all votes have the same label, so chance alone would
            produce almost as much agreement. AC1 and the label shares below are more informative than κ.
          </p>
        </Notice>
      )}
      <p className="soft">
        The 95% <Term name="interval">intervals</Term> are computed over questions because votes on the same
        question are not independent. κ is lower when one label is rare, so read it together with the label
        shares below.
      </p>
    </>
  );
}

interface CoefficientProps {
  readonly name: FigureName;
  readonly report: SignedAgreement;
}

function Coefficient({ name, report }: CoefficientProps) {
  const { plain, about, look } = FIGURES[name];
  const figure = report.figures[name];
  if (!figure || figure.value === null) {
    return (
      <Stat name={plain} value="Undefined">
        {figure && whyWords(figure)}
      </Stat>
    );
  }
  const format = (value: number) => (look === "share" ? formatPercent(value) : formatCoefficient(value, 3));
  return (
    <Stat name={plain} value={format(figure.value)}>
      <Interval figure={figure} isOfFew={report.items < FEW} format={format} />
      {about} {name === "gwet_ac1" && ac1Words(report)}
    </Stat>
  );
}

interface IntervalProps {
  readonly figure: Figure;
  readonly isOfFew: boolean;
  readonly format: (value: number) => string;
}

function Interval({ figure, isOfFew, format }: IntervalProps) {
  const { value, low, high } = figure;
  const words = isOfFew ? "Too few items for an interval." : whyWords(figure);
  if (words !== undefined) return <span className={styles["interval"]}>{words} </span>;
  if (value === null || low === null || high === null) return null;
  return (
    <span className={styles["interval"]}>
      <IntervalBar value={value} low={low} high={high} text={`${format(low)} to ${format(high)}`} />{" "}
    </span>
  );
}

export function LabelShares({ report }: { readonly report: SignedAgreement }) {
  const entries = Object.entries(report.distribution);
  const total = entries.reduce((sum, [, count]) => sum + count, 0);
  return (
    <>
      <p className="soft">
        The shares are based on {countOf(total, "vote")} by <Term name="first-round">first-round</Term>{" "}
        annotators, including missing votes.
      </p>
      <ul className={styles["shares"]}>
        {entries.map(([label, count]) => (
          <LabelShare key={label} label={label} count={count} share={report.label_shares[label]} />
        ))}
      </ul>
    </>
  );
}

interface LabelShareProps {
  readonly label: string;
  readonly count: number;
  readonly share: Figure | undefined;
}

function LabelShare({ label, count, share }: LabelShareProps) {
  const value = share?.value ?? null;
  return (
    <li className={styles["share"]}>
      <LabelMark label={label} name={labelWords(label)} />
      <span>
        <span className={styles["bar"]} style={{ width: `${100 * (value ?? 0)}%` }} aria-hidden="true" />
      </span>
      <span className={styles["count"]}>
        <FigureCell
          figure={share}
          look={LOOKS.percent}
          interval="below"
          text={(percent) => `${formatCount(count)} · ${percent}`}
        />
      </span>
    </li>
  );
}
