/** One question of the training: its answers to label, then each with what is right. */
import type { LabelSpec, Training, TrainingFeedback } from "../../api/contract";
import { Badge } from "../../components/badge";
import { LabelMark } from "../../components/label-mark";
import { answerWords } from "../../lib/answer-words";
import { t } from "../../lib/i18n/t";
import { labelName } from "../../lib/labels";
import { ChoiceRow } from "./choice-row";
import { printedKey } from "./judging-commands";
import { References } from "./sheet-view";
import styles from "./training.module.css";
import type { TrainingDesk } from "./use-training";

interface TrainingSheetProps {
  readonly sheet: NonNullable<Training["sheet"]>;
  readonly labels: readonly LabelSpec[];
  readonly desk: TrainingDesk;
}

export function TrainingSheet({ sheet, labels, desk }: TrainingSheetProps) {
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
          {item.is_right ? t("Right") : t("Not right")}
        </Badge>
        <span>{t("You said")}</span> <LabelMark label={item.label} name={nameOf(item.label)} />
        {!item.is_right && (
          <>
            <span>{t("; known is")}</span>{" "}
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
