/** The figures of one rater side by side, each with its interval and what it means. */
import type { RaterDetail, RaterFigure } from "../../api/schema";
import type { Look } from "../../components/figure";
import { Stat, Stats } from "../../components/stat";
import { figureWords, KAPPA, SHARE } from "./figure";

type Named = readonly [name: string, figure: RaterFigure, meaning: string, look?: Look];

function figuresOf(rater: RaterDetail): Named[] {
  const isRepeated = (rater.self_agreement.tally?.total ?? 0) > 0;
  const all: Named[] = [
    ["Agrees", rater.without_own, "With the label answers got without this rater."],
    ["Agrees with decisions", rater.with_decisions, "With final decisions, this rater’s votes included."],
    ["κ with others", rater.kappa, "Cohen’s κ, the mean over the other raters.", KAPPA],
    ["Estimated accuracy", rater.dawid_skene, "Dawid and Skene’s model, with error rates for each label."],
    ["Accuracy (one-parameter model)", rater.one_coin, "One accuracy for all labels."],
    ["Self-agreement", rater.self_agreement, "When an answer was shown a second time."],
    ["κ with self", rater.self_kappa, "Between the first and the second time.", KAPPA],
    ["Known answers", rater.known_answers, "Hidden among other answers."],
  ];
  return all.filter(([, figure]) => figure.tally?.total !== 0 && (figure !== rater.self_kappa || isRepeated));
}

export function RaterFigures({ rater }: { readonly rater: RaterDetail }) {
  return (
    <Stats>
      {figuresOf(rater).map(([name, figure, meaning, look = SHARE]) => (
        <Stat key={name} name={name} value={figure.value === null ? "–" : look.format(figure.value)}>
          <p>{figureWords(figure, look)}</p>
          <p>{meaning}</p>
        </Stat>
      ))}
    </Stats>
  );
}
