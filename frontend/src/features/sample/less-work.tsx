/** What a lead can do to whom judging takes too long, and about how much each way saves or costs. */
import type { Setup } from "../../api/schema";
import { Button } from "../../components/button";
import { More } from "../../components/list";
import { ProjectLink } from "../../components/project-link";
import {
  ENOUGH_TO_SAVE,
  halfMargin,
  workOfOne,
  USUAL_CALIBRATION,
  workBasisWords,
  workWords,
} from "../../domain/sample";
import { countOf, formatCount } from "../../lib/numbers";

/** What the choice on the page comes to; null: not known before it is saved. */
export interface Amount {
  readonly questions: number;
  readonly answers: number;
  /** Of the answers, those that equal a gold answer; null where these count as correct already. */
  readonly matching: number | null;
}

interface LessWorkProps {
  readonly setup: Setup;
  readonly amount: Amount | null;
}

interface WaysProps extends LessWorkProps {
  /** Chooses so many questions at random. */
  readonly onSample: (questions: number) => void;
}

export function LessWork({ setup, amount, onSample }: WaysProps) {
  const half = amount ? halfOf(amount) : 0;
  return (
    <More summary={summaryWords(amount, setup)}>
      <div className="fields soft-regular">
        <p>
          Judge half as many questions, in a random sample: {halfWords(amount, setup)}{" "}
          {half > 0 && (
            <Button size="small" onClick={() => onSample(half)}>
              Sample {countOf(half, "question")}
            </Button>
          )}
        </p>
        <p>
          <Matching amount={amount} setup={setup} />
        </p>
        <p>
          Let an automatic judge settle answers: {prejudgingWords(amount, setup)}{" "}
          <ProjectLink page="prejudging">Set up pre-judging</ProjectLink>
        </p>
        {setup.raters_per_answer > 0 && <p>{workBasisWords(setup)}</p>}
      </div>
    </More>
  );
}

/** A sample whose scores are within six points. */
const USUAL_SAMPLE = 300;

/** With what would help most: on few questions, half of them. */
export function summaryWords(amount: Amount | null, setup: Setup): string {
  const ways = "Ways to reduce the work";
  const half = amount ? halfOf(amount) : 0;
  if (!amount || half === 0) return ways;
  const size = Math.min(USUAL_SAMPLE, half);
  const time = workOfOne(Math.round((amount.answers * size) / amount.questions), setup);
  return time
    ? `${ways}: ${time} each with a sample of ${countOf(size, "question")} (scores within ±${halfMargin(size)} points)`
    : ways;
}

function Matching({ amount, setup }: LessWorkProps) {
  if (amount?.matching === null)
    return "Answers that match a gold answer already count as correct without being judged.";
  return (
    <>
      Count answers that match a gold answer as correct: {matchingWords(amount, setup)}{" "}
      <ProjectLink page="protocol" search={{ field: "gold_equal" }}>
        Change the protocol
      </ProjectLink>
    </>
  );
}

/** Half of the questions; 0 where that saves nothing. */
function halfOf({ questions, answers }: Amount): number {
  return answers === 0 ? 0 : Math.round(questions / 2);
}

const LATER = "Assay estimates this once you save your choice.";

export function halfWords(amount: Amount | null, setup: Setup): string {
  if (amount === null) return LATER;
  const { questions, answers } = amount;
  const half = halfOf(amount);
  if (half === 0) return "saves nothing here.";
  const saved = workWords(answers - Math.round((answers * half) / questions), setup);
  return `saves ${saved || "half of the work"}, but scores are less precise (±${halfMargin(half)} points).`;
}

export function matchingWords(amount: Amount | null, setup: Setup): string {
  if (amount === null) return LATER;
  const { answers, matching } = amount;
  if (!matching) return "no answers here match one.";
  const time = workWords(matching, setup);
  return `about ${formatCount(matching)} of ${formatCount(answers)}${time && `, which saves ${time}`}.`;
}

/** How much judges settle shows once people have judged what they are compared with. */
export function prejudgingWords(amount: Amount | null, setup: Setup): string {
  if (amount === null) return LATER;
  const { answers } = amount;
  const first = `people first judge about ${formatCount(USUAL_CALIBRATION)} answers`;
  if (answers < ENOUGH_TO_SAVE)
    return `${first}, so with only ${formatCount(answers)} to judge, this saves hardly any time.`;
  const cost = workWords(USUAL_CALIBRATION, setup);
  return `${first}${cost && ` (${cost})`}, which shows how many of the others the judge can settle. Judges are compared with people on the answers that people judge. Set this up before people start.`;
}
