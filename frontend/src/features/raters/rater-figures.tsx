/** The figures of one rater side by side, each with its interval and what it means. */
import type { RaterDetail, RaterFigure } from "../../api/schema";
import type { Look } from "../../components/figure";
import { Stat, Stats } from "../../components/stat";
import { figureWords, KAPPA, SHARE } from "./figure";

type Named = readonly [name: string, figure: RaterFigure, meaning: string, look?: Look];

function figuresOf(rater: RaterDetail): Named[] {
  const isRepeated = (rater.self_agreement.tally?.total ?? 0) > 0;
  const all: Named[] = [
    ["Agrees", rater.without_own, "With what answers came to without this rater."],
    [
      "Agrees with decisions",
      rater.with_decisions,
      "As they are, the rater’s own vote among those that made them.",
    ],
    ["κ with others", rater.kappa, "Cohen’s, the mean over the other raters, beyond chance.", KAPPA],
    ["Right, estimated", rater.dawid_skene, "Dawid and Skene: errors of its own for each label."],
    ["Right, one coin", rater.one_coin, "One accuracy whatever the label."],
    ["Same again", rater.self_agreement, "When an answer came a second time."],
    ["κ with oneself", rater.self_kappa, "The first and the second time, beyond chance.", KAPPA],
    ["Known answers", rater.known_answers, "Hidden among the others."],
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
