/** The training before the work: answers whose label is known, and after each sheet what is right and why. */
import type { Project, Training as TrainingState } from "../../api/contract";
import { Button } from "../../components/button";
import { EmptyState } from "../../components/empty-state";
import { FormError } from "../../components/form";
import { QueryView } from "../../components/query-view";
import { t } from "../../lib/i18n/t";
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
        title={t("The training is done")}
        action={
          <Button variant="primary" onClick={onPassed}>
            {t("Begin the work")}
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
        {t("Training · {done} of {total} answers judged", { done: training.done, total: training.total })}
        {training.attempt > 1 && t(" · time {attempt}", { attempt: training.attempt })}
        <Button variant="quiet" size="small" onClick={onGuidelines}>
          {t("Guidelines")}
        </Button>
      </p>
      {training.done === 0 && (
        <p>
          {t(
            "Welcome. These answers have been judged before: after each question you see what is right and why. With {share} right the work begins; otherwise you simply try again. Nothing here counts.",
            { share: formatPercent(training.pass_share, 0) },
          )}
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
      title={t("Not quite yet")}
      action={
        <Button variant="primary" busy={desk.busy} onClick={desk.again}>
          {t("Try once more")}
        </Button>
      }
    >
      {result && (
        <p>
          {t(
            "{right} of {total} were right; {share} are needed. Have another look at the guidelines, then judge the same answers again, as often as you like.",
            { right: result.right, total: result.total, share: formatPercent(training.pass_share, 0) },
          )}
        </p>
      )}
      <p>{t("If you think an explanation is wrong, tell the lead, who may let you begin all the same.")}</p>
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
        {passed && <p role="status">{t("You have passed. Thank you for taking the time.")}</p>}
        <Button variant="primary" hint={hint} onClick={desk.goOn}>
          {passed ? t("Begin the work") : t("Go on")}
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
        {left === 0 ? t("Check my answers") : t("{count} to go", { count: left })}
      </Button>
    </footer>
  );
}
