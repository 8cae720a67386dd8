/** The training before the work: answers whose label is known, and after each sheet what is right and why. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { post, read } from "../../api/client";
import type { ProjectDetail, Training as TrainingState, TrainingFeedback } from "../../api/schema";
import { messageOf } from "../../api/error";
import { AnnotatorsTerm } from "../../components/annotators-term";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { FormError } from "../../components/form";
import { EmptyState, QueryView } from "../../components/query-view";
import { useWrite } from "../../components/use-write";
import { answerWords } from "../../domain/answer";
import { LabelMark, labelName, type LabelSpec } from "../../domain/labels";
import type { Command } from "../../lib/commands";
import { rich } from "../../lib/i18n/rich";
import { t } from "../../lib/i18n/t";
import { withChosenKeys } from "../../lib/key-settings";
import { formatPercent } from "../../lib/numbers";
import { useCommands } from "../../lib/use-commands";
import { printedKey } from "./judging-commands";
import { ChoiceRow, Passages, References } from "./sheet-view";
import styles from "./training.module.css";

interface TrainingProps {
  readonly project: ProjectDetail;
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
  readonly labels: ProjectDetail["labels"];
  readonly desk: TrainingDesk;
}

function Standing({ training, labels, desk, onGuidelines, onPassed }: StandingProps) {
  const { sheet } = training;
  if (training.state === "failed") return <Failed training={training} desk={desk} />;
  if (sheet === null) {
    return (
      <EmptyState
        level={1}
        title={t("Training complete")}
        action={
          <Button variant="primary" onClick={onPassed}>
            {t("Start judging")}
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
      <p className="soft">
        {rich("{training} · {done} of {total} answers judged", {
          training: <AnnotatorsTerm name="training">{t("Training")}</AnnotatorsTerm>,
          done: training.done,
          total: training.total,
        })}
        {training.attempt > 1 && t(" · attempt {attempt}", { attempt: training.attempt })}
        <Button variant="quiet" size="small" onClick={onGuidelines}>
          {t("Guidelines")}
        </Button>
      </p>
      {training.done === 0 && (
        <p>
          {t(
            "Welcome. People have already labeled these answers. After each question, you see which label is correct and why. To start judging, label at least {share} of the answers correctly. You can try again. Training labels do not count.",
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
      title={t("Not passed yet")}
      action={
        <Button variant="primary" busy={desk.busy} onClick={desk.again}>
          {t("Try again")}
        </Button>
      }
    >
      {result && (
        <p>
          {t(
            "You labeled {right} of {total} answers correctly. You need {share}. Read the guidelines, then judge the same answers again. You can try as often as you like.",
            { right: result.right, total: result.total, share: formatPercent(training.pass_share, 0) },
          )}
        </p>
      )}
      <p>
        {t(
          "If you think an explanation is incorrect, tell the lead, who can let you start judging without passing the training.",
        )}
      </p>
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
        {passed && <p role="status">{t("You have passed. Thank you.")}</p>}
        <Button variant="primary" hint={hint} onClick={desk.goOn}>
          {passed ? t("Start judging") : t("Continue")}
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
        {left === 0 ? t("Check my labels") : t("{count} left, then check", { count: left })}
      </Button>
    </footer>
  );
}

interface TrainingSheetProps {
  readonly sheet: NonNullable<TrainingState["sheet"]>;
  readonly labels: readonly LabelSpec[];
  readonly desk: TrainingDesk;
}

function TrainingSheet({ sheet, labels, desk }: TrainingSheetProps) {
  const nameOf = (key: string) => labels.find((label) => label.key === key)?.name ?? labelName(key);
  const options = labels.map((label, index) => ({
    ...label,
    hint: printedKey(desk.commands, `label-${index + 1}`),
  }));
  return (
    <article aria-labelledby="question">
      <h1 id="question" dir="auto" className={styles["question"]}>
        {sheet.question}
      </h1>
      <References references={sheet.references} />
      <Passages passages={sheet.passages} />
      <div className={styles["rows"]} role={desk.feedback ? "status" : undefined}>
        {desk.feedback
          ? desk.feedback.feedback.map((item) => <Told key={item.id} item={item} nameOf={nameOf} />)
          : sheet.answers.map((answer, index) => (
              <ChoiceRow
                key={answer.id}
                kind="answer"
                name={answerWords(answer.text)}
                text={answerWords(answer.text)}
                options={options}
                choice={desk.choices[answer.id] ?? null}
                current={index === desk.row}
                placeRef={null}
                onEnter={() => desk.enter(index)}
                onChoose={(label, advance) => desk.choose(answer.id, label, advance)}
              />
            ))}
      </div>
    </article>
  );
}

interface ToldProps {
  readonly item: TrainingFeedback["feedback"][number];
  readonly nameOf: (label: string) => string;
}

function Told({ item, nameOf }: ToldProps) {
  return (
    <div className={styles["told"]}>
      <p className={styles["text"]} dir="auto">
        {answerWords(item.text)}
      </p>
      <p className={styles["verdict"]}>
        <Badge tone={item.is_right ? "success" : "warning"}>
          {item.is_right ? t("Correct label") : t("Incorrect label")}
        </Badge>
        <span>{t("Your label:")}</span> <LabelMark label={item.label} name={nameOf(item.label)} />
        {!item.is_right && (
          <>
            <span>{t("; correct label:")}</span>{" "}
            <LabelMark label={item.known_label} name={nameOf(item.known_label)} />
          </>
        )}
      </p>
      {item.explanation !== "" && (
        <p className={styles["explanation"]} dir="auto">
          {item.explanation}
        </p>
      )}
    </div>
  );
}

interface TrainingActions {
  readonly label: (label: LabelSpec) => void;
  readonly move: (step: 1 | -1) => void;
  readonly check: () => void;
  readonly goOn: () => void;
}

function trainingCommands(
  labels: readonly LabelSpec[],
  actions: TrainingActions,
  isChecked: boolean,
): Command[] {
  return [
    ...labels.slice(0, 5).map((label, index): Command => ({
      id: `label-${index + 1}`,
      label: label.name,
      keys: [String(index + 1)],
      when: () => !isChecked,
      run: () => actions.label(label),
    })),
    { id: "next", label: t("Next answer"), keys: ["j", "ArrowDown"], run: () => actions.move(1) },
    { id: "previous", label: t("Previous answer"), keys: ["k", "ArrowUp"], run: () => actions.move(-1) },
    {
      id: "confirm",
      label: isChecked ? t("Continue") : t("Check my labels"),
      keys: ["Enter"],
      run: isChecked ? actions.goOn : actions.check,
    },
  ];
}

type TrainingWork = NonNullable<TrainingState["sheet"]>;
type Choices = Readonly<Record<string, string>>;

interface TrainingDesk {
  readonly query: ReturnType<typeof useQuery<TrainingState>>;
  readonly choices: Choices;
  readonly row: number;
  readonly feedback: TrainingFeedback | null;
  readonly error: string | null;
  readonly busy: boolean;
  readonly commands: readonly Command[];
  readonly enter: (row: number) => void;
  readonly choose: (answerId: string, label: string, advance: boolean) => void;
  readonly check: () => void;
  readonly goOn: () => void;
  readonly again: () => void;
}

function isJudged(sheet: TrainingWork, choices: Choices): boolean {
  return sheet.answers.every((answer) => choices[answer.id] !== undefined);
}

/** The row after this one that has no label yet; the last stays. */
function nextOpen(sheet: TrainingWork, choices: Choices, row: number): number {
  const open = sheet.answers.findIndex((answer, index) => index > row && choices[answer.id] === undefined);
  return open === -1 ? row : open;
}

function useTraining(project: ProjectDetail, onPassed: () => void): TrainingDesk {
  const queryClient = useQueryClient();
  const query = useQuery(read("/api/projects/{slug}/training", { slug: project.slug }));
  const [choices, setChoices] = useState<Choices>({});
  const [row, setRow] = useState(0);
  const sheet = query.data?.sheet ?? null;
  const put = (training: TrainingState) => {
    setChoices({});
    setRow(0);
    checking.reset();
    queryClient.setQueryData(
      read("/api/projects/{slug}/training", { slug: project.slug }).queryKey,
      training,
    );
  };
  const checking = useWrite((body: { sheet: TrainingWork; choices: Choices }) =>
    post(
      "/api/projects/{slug}/training/answers",
      { slug: project.slug },
      {
        question_id: body.sheet.question_id,
        answers: body.sheet.answers.map(({ id }) => ({ id, label: body.choices[id] ?? "" })),
      },
    ),
  );
  const starting = useWrite(() => post("/api/projects/{slug}/training/again", { slug: project.slug }), {
    onDone: put,
  });
  const feedback = checking.data ?? null;

  const choose = (answerId: string, label: string, advance: boolean) => {
    if (!sheet || feedback) return;
    const chosen = { ...choices, [answerId]: label };
    setChoices(chosen);
    if (advance) setRow(nextOpen(sheet, chosen, row));
  };
  const check = () => {
    if (sheet && !feedback && !checking.isPending && isJudged(sheet, choices)) {
      checking.mutate({ sheet, choices });
    }
  };
  const goOn = () => {
    if (!feedback) return;
    if (feedback.training.state === "passed") onPassed();
    else put(feedback.training);
  };
  const label = (option: LabelSpec) => {
    const answer = sheet?.answers[row];
    if (answer) choose(answer.id, option.key, true);
  };
  const move = (step: 1 | -1) => {
    const last = (sheet?.answers.length ?? 1) - 1;
    setRow(Math.min(last, Math.max(0, row + step)));
  };
  const problem = checking.error ?? starting.error;
  return {
    query,
    choices,
    row,
    feedback,
    error: problem ? messageOf(problem) : null,
    busy: checking.isPending || starting.isPending,
    commands: withChosenKeys(
      trainingCommands(project.labels, { label, move, check, goOn }, feedback !== null),
    ),
    enter: setRow,
    choose,
    check,
    goOn,
    again: () => starting.mutate(),
  };
}
