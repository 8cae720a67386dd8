/** One sheet: the question large, its answers below, and what can be done with them. */
import { useEffect, useRef } from "react";
import type { LabelSpec, Sheet } from "../../api/contract";
import { Button } from "../../components/button";
import { plural, t } from "../../lib/i18n/t";
import { isField } from "../../lib/use-commands";
import { AnswerRow } from "./answer-row";
import { ChoiceRow } from "./choice-row";
import { labelCommand, printedKey } from "./judging-commands";
import { NoticeLine } from "./notice-line";
import styles from "./sheet-view.module.css";
import {
  answersAreHeldBack,
  answersAreSkipped,
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
    "You have judged this question. Please look at it once more: is it a question for this study? Answer as you see it, even if that is what you said before.",
  answers:
    "You left this question out. It stays in the study, so please judge its answers now, by the question as it is.",
} as const;

interface SheetViewProps {
  readonly sheet: Sheet;
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
        <Tools judging={judging} flagged={sheet.question.flags.length > 0} />
      </header>
      <NoticeLine notice={state.notice} onClose={() => judging.desk.dismissNotice()} />
      {sheet.is_pilot && (
        <p className={styles["again"]} role="note">
          {t("Pilot: everybody judges these questions first, and what is said here does not count.")}
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
              "{count} answer will be shown once this is answered.",
              "{count} answers will be shown once this is answered.",
            )}
          </p>
        )}
        {answersAreSkipped(sheet, work) && sheet.answers.length > 0 && (
          <p className={styles["skipped"]}>
            {plural(
              sheet.answers.length,
              "After a yes nothing else is asked: {count} answer needs no judging for now.",
              "After a yes nothing else is asked: {count} answers need no judging for now.",
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
      <dt>{t("Reference answers")}</dt>
      {references.map((reference) => (
        <dd key={reference} dir="auto">
          {reference}
        </dd>
      ))}
    </dl>
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
      {tool("evidence", t("Look it up"))}
      {tool("flag", flagged ? t("Flagged") : t("Flag question"))}
      {tool("guidelines", t("Guidelines"))}
    </div>
  );
}

function ConfirmBar({ sheet, judging }: { readonly sheet: Sheet; readonly judging: Judging }) {
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
          <ShortOnPhone short={t("Confirm")} rest={t(" and next")} />
        ) : (
          openWords(openCount(sheet, work))
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
        <ShortOnPhone short={t("Undo")} rest={t(" last sheet")} />
      </Button>
      <Button variant="quiet" hint={printedKey(commands, "skip")} onClick={() => run("skip")}>
        {t("Skip")}
      </Button>
    </footer>
  );
}

function openWords(count: number): string {
  return t("{count} to go", { count });
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
