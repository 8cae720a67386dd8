/** The figures of one rater side by side, each with its interval and what it means. */
import type { RaterDetail, RaterFigure } from "../../api/schema";
import type { Look } from "../../components/figure";
import { Stat, Stats } from "../../components/stat";
import { figureWords, KAPPA, SHARE } from "./figure";

type Named = readonly [name: string, figure: RaterFigure, meaning: string, look?: Look];

function figuresOf(rater: RaterDetail): Named[] {
  const isRepeated = (rater.self_agreement.tally?.total ?? 0) > 0;
  const all: Named[] = [
    [
      "Agreement with others",
      rater.without_own,
      "With a lead’s or adjudicator’s decision, or else with the majority of other annotators.",
    ],
    [
      "Agreement with decisions",
      rater.with_decisions,
      "With final decisions, which include this annotator’s votes.",
    ],
    ["κ with others", rater.kappa, "Cohen’s κ with every other annotator, averaged.", KAPPA],
    [
      "Estimated accuracy",
      rater.dawid_skene,
      "From Dawid and Skene’s model, with error rates for each label.",
    ],
    ["Accuracy (one-parameter model)", rater.one_coin, "From a model with one accuracy for all labels."],
    ["Self-agreement", rater.self_agreement, "On answers judged twice."],
    ["κ with self", rater.self_kappa, "Between first and second labels.", KAPPA],
    ["Known answers", rater.known_answers, "Accuracy on hidden known answers."],
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
