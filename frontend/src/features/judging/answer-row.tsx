/** One answer with its choices, comment and evidence. */
import type { Ref } from "react";
import type { SheetAnswer } from "../../api/contract";
import { Button } from "../../components/button";
import { TextField } from "../../components/field";
import { answerWords } from "../../lib/answer-words";
import { t } from "../../lib/i18n/t";
import styles from "./answer-row.module.css";
import { ChoiceRow, type ChoiceRowProps } from "./choice-row";
import { printedKey } from "./judging-commands";
import { answerWork, changeAnswer } from "./sheet-work";
import type { Judging } from "./use-judging";

interface AnswerRowProps {
  readonly answer: SheetAnswer;
  readonly options: ChoiceRowProps["options"];
  readonly current: boolean;
  readonly placeRef: Ref<HTMLDivElement>;
  readonly onEnter: () => void;
  readonly onChoose: (choice: string, advance: boolean) => void;
  readonly judging: Judging;
}

export function AnswerRow({ answer, judging, ...row }: AnswerRowProps) {
  const { work, writing, run, commands } = judging;
  const { label, comment, evidenceUrl, evidenceQuote } = answerWork(work, answer.id);
  const open = writing?.answerId === answer.id ? writing.field : null;
  const hasEvidence = evidenceUrl !== "" || evidenceQuote !== "";
  return (
    <ChoiceRow
      {...row}
      kind="answer"
      name={answerWords(answer.text)}
      text={answerWords(answer.text)}
      choice={label}
      beside={
        <Button
          variant="quiet"
          size="small"
          className={styles["add"]}
          data-shown={row.current && comment === "" && open !== "comment"}
          hint={printedKey(commands, "comment")}
          onClick={() => run("comment")}
        >
          {t("Comment")}
        </Button>
      }
    >
      {(comment !== "" || open === "comment") && <CommentField answerId={answer.id} judging={judging} />}
      {(hasEvidence || open === "evidence") && <EvidenceFields answerId={answer.id} judging={judging} />}
    </ChoiceRow>
  );
}

interface FieldProps {
  readonly answerId: string;
  readonly judging: Judging;
}

/** Enter keeps what was written and gives the keys back to the sheet. */
function leaveOnEnter(event: React.KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
  event.preventDefault();
  // Otherwise the same press would go on to confirm the sheet.
  event.stopPropagation();
  event.currentTarget.blur();
}

function CommentField({ answerId, judging }: FieldProps) {
  const { work, update, writing, setWriting } = judging;
  return (
    <div className={styles["field"]}>
      <TextField
        label={t("Comment")}
        hint={t("Enter keeps it")}
        dir="auto"
        maxLength={2000}
        autoFocus={writing?.field === "comment"}
        value={answerWork(work, answerId).comment}
        onChange={(event) => {
          const comment = event.target.value;
          update((before) => changeAnswer(before, answerId, { comment }));
        }}
        onKeyDown={leaveOnEnter}
        onBlur={() => setWriting(null)}
      />
    </div>
  );
}

function EvidenceFields({ answerId, judging }: FieldProps) {
  const { work, update, writing } = judging;
  const { evidenceUrl, evidenceQuote } = answerWork(work, answerId);
  const keep = (change: { evidenceUrl?: string; evidenceQuote?: string }) =>
    update((before) => changeAnswer(before, answerId, change));
  return (
    <div className={styles["evidence"]}>
      <TextField
        label={t("Address of the page")}
        type="url"
        inputMode="url"
        placeholder="https://"
        maxLength={2000}
        autoFocus={writing?.field === "evidence"}
        value={evidenceUrl}
        onChange={(event) => keep({ evidenceUrl: event.target.value })}
        onKeyDown={leaveOnEnter}
      />
      <TextField
        label={t("What it says")}
        dir="auto"
        maxLength={4000}
        value={evidenceQuote}
        onChange={(event) => keep({ evidenceQuote: event.target.value })}
        onKeyDown={leaveOnEnter}
      />
    </div>
  );
}
