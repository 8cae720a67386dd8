/** One sheet: the question large, its answers below, and what can be done with them. */
import { type ReactNode, type Ref, useEffect, useRef } from "react";
import type { BlindAnswer, BlindPassage, BlindSheet } from "../../api/schema";
import { AnnotatorsTerm } from "../../components/annotators-term";
import { Button } from "../../components/button";
import { TextField } from "../../components/form";
import { KeyHint } from "../../components/key-hint";
import { answerWords } from "../../domain/answer";
import { PassageList } from "../../domain/passages";
import { LabelShape, toneOfCredit, type LabelSpec } from "../../domain/labels";
import { classNames } from "../../lib/class-names";
import { rich } from "../../lib/i18n/rich";
import { plural, t } from "../../lib/i18n/t";
import { isField } from "../../lib/use-commands";
import type { Notice } from "./desk";
import { labelCommand, printedKey } from "./judging-commands";
import styles from "./sheet-view.module.css";
import {
  answersAreHeldBack,
  answersAreSkipped,
  answerWork,
  changeAnswer,
  choose,
  isComplete,
  moveTo,
  openCount,
  rowsOf,
} from "./sheet-work";
import { type Judging, optionsOf } from "./use-judging";

/** Says why a question comes back, and nothing of what others said of it. */
const AGAIN_WORDS = {
  checks:
    "You have already judged this question. Decide again whether it belongs in this project. You can make the same choice as before.",
  answers: "You excluded this question, but it stays in the project. Judge its answers now.",
} as const;

interface SheetViewProps {
  readonly sheet: BlindSheet;
  readonly labels: readonly LabelSpec[];
  readonly judging: Judging;
}

/** Keeps the focus with the row that keys act on, so that a screen reader reads what the eye sees. */
function useFollowingFocus(row: number) {
  const rows = useRef<(HTMLElement | null)[]>([]);
  const question = useRef<HTMLHeadingElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (document.querySelector("dialog[open]") || isField(document.activeElement)) return;
    const element = isFirst.current ? question.current : rows.current[row];
    isFirst.current = false;
    element?.focus({ preventScroll: true });
    rows.current[row]?.scrollIntoView({ block: "nearest" });
  }, [row]);
  return { rows, question };
}

export function SheetView({ sheet, labels, judging }: SheetViewProps) {
  const { work, update, state } = judging;
  const { rows, question } = useFollowingFocus(work.row);
  return (
    <article className={styles["sheet"]} aria-labelledby="question">
      <header className={styles["head"]}>
        <h1 id="question" ref={question} tabIndex={-1} dir="auto" className={styles["question"]}>
          {sheet.question.text}
        </h1>
        <References references={sheet.question.references} />
        <Passages passages={sheet.question.passages} />
        <Tools judging={judging} flagged={sheet.question.flags.length > 0} />
      </header>
      <NoticeLine notice={state.notice} onClose={() => judging.desk.dismissNotice()} />
      {sheet.is_pilot && (
        <p className={styles["again"]} role="note">
          {rich(
            "{pilot}: all annotators judge the answers to these questions first. Pilot judgments do not count.",
            {
              pilot: <AnnotatorsTerm name="pilot">{t("Pilot")}</AnnotatorsTerm>,
            },
          )}
        </p>
      )}
      {sheet.asks_again !== "" && (
        <p className={styles["again"]} role="note">
          {t(AGAIN_WORDS[sheet.asks_again])}
        </p>
      )}
      <div className={styles["rows"]}>
        {rowsOf(sheet, work).map((row, index) => {
          const common = {
            options: optionsOf(row, { labels }).map((option, place) => ({
              ...option,
              hint: printedKey(judging.commands, labelCommand(place)),
            })),
            current: index === work.row,
            placeRef: (element: HTMLElement | null) => {
              rows.current[index] = element;
            },
            onEnter: () => update((before) => (before.row === index ? before : moveTo(sheet, before, index))),
            onChoose: (choice: string, advance: boolean) =>
              update((before) => choose(sheet, before, row.id, choice, advance)),
          };
          if (row.kind === "answer") {
            return <AnswerRow key={row.id} {...common} answer={row.answer} judging={judging} />;
          }
          return (
            <ChoiceRow
              key={row.id}
              {...common}
              name={row.check.text}
              text={row.check.text}
              choice={work.checks[row.id] === undefined ? null : work.checks[row.id] ? "yes" : "no"}
              kind="check"
            />
          );
        })}
        {answersAreHeldBack(sheet, work) && (
          <p className={styles["skipped"]}>
            {plural(
              sheet.answers.length,
              "{count} answer appears after you choose yes or no.",
              "{count} answers appear after you choose yes or no.",
            )}
          </p>
        )}
        {answersAreSkipped(sheet, work) && sheet.answers.length > 0 && (
          <p className={styles["skipped"]}>
            {plural(
              sheet.answers.length,
              "You chose yes, so you do not need to judge the answer for now.",
              "You chose yes, so you do not need to judge the {count} answers for now.",
            )}
          </p>
        )}
      </div>
      <ConfirmBar sheet={sheet} judging={judging} />
    </article>
  );
}

export function References({ references }: { readonly references: readonly string[] | null }) {
  if (!references || references.length === 0) return null;
  return (
    <dl className={styles["references"]}>
      <dt>
        <AnnotatorsTerm name="reference-answer">{t("Reference answers")}</AnnotatorsTerm>
      </dt>
      {references.map((reference) => (
        <dd key={reference} dir="auto">
          {reference}
        </dd>
      ))}
    </dl>
  );
}

/** Passages scroll in a box of their own, so that the answers stay in sight. */
export function Passages({ passages }: { readonly passages: readonly BlindPassage[] | null }) {
  if (passages === null) return null;
  if (passages.length === 0) return <p className="soft">{t("There are no passages for this question.")}</p>;
  return (
    <section className={styles["passages"]} aria-labelledby="passages">
      <h2 id="passages" className={styles["passagesName"]}>
        {t("Passages")}
      </h2>
      <div className={styles["passagesBox"]} role="group" aria-labelledby="passages" tabIndex={0}>
        <PassageList passages={passages} />
      </div>
    </section>
  );
}

function Tools({ judging, flagged }: { readonly judging: Judging; readonly flagged: boolean }) {
  const { commands, run } = judging;
  const tool = (id: string, name: string) => (
    <Button variant="quiet" size="small" hint={printedKey(commands, id)} onClick={() => run(id)}>
      {name}
    </Button>
  );
  return (
    <div className={styles["tools"]}>
      {tool("evidence", t("Search the web"))}
      {tool("flag", flagged ? t("Flagged") : t("Flag question"))}
      {tool("guidelines", t("Guidelines"))}
    </div>
  );
}

function ConfirmBar({ sheet, judging }: { readonly sheet: BlindSheet; readonly judging: Judging }) {
  const { commands, run, work } = judging;
  const complete = isComplete(sheet, work);
  const canUndo = commands.find((command) => command.id === "undo")?.when?.() ?? false;
  return (
    <footer className={styles["bar"]}>
      <Button
        variant={complete ? "primary" : "secondary"}
        hint={printedKey(commands, "confirm")}
        aria-disabled={!complete}
        className={styles["confirm"]}
        onClick={() => run("confirm")}
      >
        {complete ? (
          <ShortOnPhone short={t("Confirm")} rest={t(" and continue")} />
        ) : (
          t("{count} left, then confirm", { count: openCount(sheet, work) })
        )}
      </Button>
      <Button variant="quiet" className={styles["onPhone"]} onClick={() => run("comment")}>
        {t("Comment")}
      </Button>
      <Button
        variant="quiet"
        hint={printedKey(commands, "undo")}
        disabled={!canUndo}
        onClick={() => run("undo")}
      >
        <ShortOnPhone short={t("Undo")} rest={t(" last submission")} />
      </Button>
      <Button variant="quiet" hint={printedKey(commands, "skip")} onClick={() => run("skip")}>
        {t("Skip")}
      </Button>
    </footer>
  );
}

/** The rest of the words stays for screen readers where there is no room for it. */
function ShortOnPhone({ short, rest }: { readonly short: string; readonly rest: string }) {
  return (
    <span>
      {short}
      <span className={styles["rest"]}>{rest}</span>
    </span>
  );
}

interface NoticeLineProps {
  readonly notice: Notice | null;
  readonly onClose: () => void;
}

export function NoticeLine({ notice, onClose }: NoticeLineProps) {
  return (
    <div role={notice?.tone === "error" ? "alert" : "status"}>
      {notice && (
        <div className={styles["notice"]} data-tone={notice.tone}>
          <p>{notice.text}</p>
          <Button variant="quiet" size="small" onClick={onClose}>
            {t("Close")}
          </Button>
        </div>
      )}
    </div>
  );
}

interface AnswerRowProps extends Pick<
  ChoiceRowProps,
  "options" | "current" | "placeRef" | "onEnter" | "onChoose"
> {
  readonly answer: BlindAnswer;
  readonly judging: Judging;
}

function AnswerRow({ answer, judging, ...row }: AnswerRowProps) {
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
        hint={t("Press Enter to save.")}
        dir="auto"
        maxLength={2000}
        autoFocus={writing?.field === "comment"}
        value={answerWork(work, answerId).comment}
        onChange={(comment) => update((before) => changeAnswer(before, answerId, { comment }))}
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
        label={t("Web address")}
        type="url"
        inputMode="url"
        placeholder="https://"
        maxLength={2000}
        autoFocus={writing?.field === "evidence"}
        value={evidenceUrl}
        onChange={(evidenceUrl) => keep({ evidenceUrl })}
        onKeyDown={leaveOnEnter}
      />
      <TextField
        label={t("Quote")}
        dir="auto"
        maxLength={4000}
        value={evidenceQuote}
        onChange={(evidenceQuote) => keep({ evidenceQuote })}
        onKeyDown={leaveOnEnter}
      />
    </div>
  );
}

interface ChoiceRowProps {
  /** What a screen reader calls the group. */
  readonly name: string;
  readonly text: string;
  readonly kind: "check" | "answer";
  readonly options: readonly {
    readonly key: string;
    readonly name: string;
    readonly credit: string;
    /** The key that chooses it, as it is set now; none where keys are off. */
    readonly hint: string | undefined;
  }[];
  readonly choice: string | null;
  readonly current: boolean;
  readonly placeRef: Ref<HTMLDivElement>;
  readonly onEnter: () => void;
  /** `advance` is false where the browser's own arrow keys walk through the choices. */
  readonly onChoose: (choice: string, advance: boolean) => void;
  /** What stands beside the text. */
  readonly beside?: ReactNode;
  readonly children?: ReactNode;
}

export function ChoiceRow(props: ChoiceRowProps) {
  const { name, text, kind, options, choice, current, placeRef, onEnter, onChoose, beside, children } = props;
  return (
    <div
      ref={placeRef}
      role="radiogroup"
      tabIndex={-1}
      aria-label={name}
      aria-current={current || undefined}
      className={classNames(styles["row"], current && styles["current"])}
      onPointerDown={onEnter}
      onFocus={onEnter}
    >
      <div className={styles["words"]}>
        <p className={classNames(styles["text"], kind === "check" && "ink-soft")} dir="auto">
          {text}
        </p>
        {beside}
      </div>
      <div className={styles["options"]}>
        {options.map((option) => (
          <label key={option.key} className={styles["option"]} data-tone={toneOfCredit(option.credit)}>
            <input
              type="radio"
              className={styles["input"]}
              name={name}
              checked={choice === option.key}
              onChange={(event) => onChoose(option.key, (event.nativeEvent as MouseEvent).detail > 0)}
            />
            <span className={styles["face"]}>
              {option.hint && <KeyHint name={option.hint} />}
              {kind === "answer" && <LabelShape tone={toneOfCredit(option.credit)} />}
              {option.name}
            </span>
          </label>
        ))}
      </div>
      {children}
    </div>
  );
}
