/** The figures of one rater side by side, each with its interval and what it means. */
import type { RaterDetail, RaterFigure } from "../../api/schema";
import { Stat } from "../../components/stat";
import { FigureWords, figureValue } from "./figure";
import styles from "./raters.module.css";

interface Named {
  readonly name: string;
  readonly figure: RaterFigure;
  readonly meaning: string;
  readonly isKappa?: boolean;
}

function figuresOf(rater: RaterDetail): Named[] {
  const isRepeated = (rater.self_agreement.tally?.total ?? 0) > 0;
  return [
    {
      name: "Agrees",
      figure: rater.without_own,
      meaning: "With what answers came to without this rater.",
    },
    {
      name: "Agrees with decisions",
      figure: rater.with_decisions,
      meaning: "As they are, the rater’s own vote among those that made them.",
    },
    {
      name: "κ with others",
      figure: rater.kappa,
      meaning: "Cohen’s, the mean over the other raters, beyond chance.",
      isKappa: true,
    },
    {
      name: "Right, estimated",
      figure: rater.dawid_skene,
      meaning: "Dawid and Skene: errors of its own for each label.",
    },
    { name: "Right, one coin", figure: rater.one_coin, meaning: "One accuracy whatever the label." },
    { name: "Same again", figure: rater.self_agreement, meaning: "When an answer came a second time." },
    {
      name: "κ with oneself",
      figure: rater.self_kappa,
      meaning: "The first and the second time, beyond chance.",
      isKappa: true,
    },
    { name: "Known answers", figure: rater.known_answers, meaning: "Hidden among the others." },
  ].filter(({ figure }) => figure.tally?.total !== 0 && (figure !== rater.self_kappa || isRepeated));
}

export function RaterFigures({ rater }: { readonly rater: RaterDetail }) {
  return (
    <div className={styles["figures"]}>
      {figuresOf(rater).map(({ name, figure, meaning, isKappa = false }) => (
        <Stat key={name} name={name} value={figureValue(figure, isKappa)}>
          <p>
            <FigureWords figure={figure} isKappa={isKappa} />
          </p>
          <p>{meaning}</p>
        </Stat>
      ))}
    </div>
  );
}
