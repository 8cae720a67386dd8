/** The training before the work: answers whose label is known, and after each sheet what is right and why. */
import type { Project, Training as TrainingState } from "../../api/contract";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { FormError } from "../../components/form";
import { QueryView } from "../../components/query-view";
import { formatPercent } from "../../lib/numbers";
import { useCommands } from "../../lib/use-commands";
import { printedKey } from "./judging-commands";
import { TrainingSheet } from "./training-sheet";
import styles from "./training.module.css";
import { type TrainingDesk, useTraining } from "./use-training";

interface TrainingProps {
  readonly project: Project;
  readonly onGuidelines: () => void;
  readonly onPassed: () => void;
}

export function Training({ project, onGuidelines, onPassed }: TrainingProps) {
  const desk = useTraining(project, onPassed);
  useCommands(desk.commands);
  return (
    <div className={styles["training"]}>
      <QueryView query={desk.query} level={1}>
        {(training) => (
          <Standing
            training={training}
            labels={project.labels}
            desk={desk}
            onGuidelines={onGuidelines}
            onPassed={onPassed}
          />
        )}
      </QueryView>
    </div>
  );
}

interface StandingProps extends Pick<TrainingProps, "onPassed" | "onGuidelines"> {
  readonly training: TrainingState;
  readonly labels: Project["labels"];
  readonly desk: TrainingDesk;
}

function Standing({ training, labels, desk, onGuidelines, onPassed }: StandingProps) {
  const { sheet } = training;
  if (training.state === "failed") return <Failed training={training} desk={desk} />;
  if (sheet === null) {
    return (
      <EmptyState
        level={1}
        title="The training is done"
        action={
          <Button variant="primary" onClick={onPassed}>
            Begin the work
          </Button>
        }
      />
    );
  }
  return (
    <>
      <Introduction training={training} onGuidelines={onGuidelines} />
      <TrainingSheet
        key={`${training.attempt} ${sheet.question_id}`}
        sheet={sheet}
        labels={labels}
        desk={desk}
      />
      {desk.error !== null && <FormError>{desk.error}</FormError>}
      <Bar training={training} desk={desk} />
    </>
  );
}

function Introduction({ training, onGuidelines }: Pick<StandingProps, "training" | "onGuidelines">) {
  return (
    <div className={styles["introduction"]}>
      <p className={styles["place"]}>
        Training · {training.done} of {training.total} answers judged
        {training.attempt > 1 && ` · time ${training.attempt}`}
        <Button variant="quiet" size="small" onClick={onGuidelines}>
          Guidelines
        </Button>
      </p>
      {training.done === 0 && (
        <p>
          Welcome. These answers have been judged before: after each question you see what is right and why.
          With {formatPercent(training.pass_share, 0)} right the work begins; otherwise you simply try again.
          Nothing here counts.
        </p>
      )}
    </div>
  );
}

function Failed({ training, desk }: Pick<StandingProps, "training" | "desk">) {
  const { result } = training;
  return (
    <EmptyState
      level={1}
      title="Not quite yet"
      action={
        <Button variant="primary" busy={desk.busy} onClick={desk.again}>
          Try once more
        </Button>
      }
    >
      {result && (
        <p>
          {result.right} of {result.total} were right; {formatPercent(training.pass_share, 0)} are needed.
          Have another look at the guidelines, then judge the same answers again, as often as you like.
        </p>
      )}
      <p>If you think an explanation is wrong, tell the lead, who may let you begin all the same.</p>
      {desk.error !== null && <FormError>{desk.error}</FormError>}
    </EmptyState>
  );
}

function Bar({ training, desk }: Pick<StandingProps, "training" | "desk">) {
  const left = (training.sheet?.answers ?? []).filter(
    (answer) => desk.choices[answer.id] === undefined,
  ).length;
  const hint = printedKey(desk.commands, "confirm");
  if (desk.feedback) {
    const passed = desk.feedback.training.state === "passed";
    return (
      <footer className={styles["bar"]}>
        {passed && <p role="status">You have passed. Thank you for taking the time.</p>}
        <Button variant="primary" hint={hint} onClick={desk.goOn}>
          {passed ? "Begin the work" : "Go on"}
        </Button>
      </footer>
    );
  }
  return (
    <footer className={styles["bar"]}>
      <Button
        variant={left === 0 ? "primary" : "secondary"}
        hint={hint}
        busy={desk.busy}
        aria-disabled={left > 0}
        onClick={desk.check}
      >
        {left === 0 ? "Check my answers" : `${left} to go`}
      </Button>
    </footer>
  );
}
