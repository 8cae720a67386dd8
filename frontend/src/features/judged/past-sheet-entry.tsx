/** A sheet that was handed in: its question, and what was said of each answer. */
import type { HowDecided, LabelSpec, PastAnswer, PastSheet } from "../../api/contract";
import { Button } from "../../components/button";
import { Entry, EntryHead } from "../../components/entry-list";
import { LabelShape } from "../../components/label-mark";
import { RelativeTime } from "../../components/relative-time";
import { answerWords } from "../../lib/answer-words";
import { rich } from "../../lib/i18n/rich";
import { t } from "../../lib/i18n/t";
import { toneOfCredit } from "../../lib/labels";
import { isWebAddress } from "../../lib/web-address";
import styles from "./judged.module.css";

interface PastSheetEntryProps {
  readonly sheet: PastSheet;
  readonly labels: readonly LabelSpec[];
  readonly onChange: (answer: PastAnswer) => void;
}

export function PastSheetEntry({ sheet, labels, onChange }: PastSheetEntryProps) {
  return (
    <Entry>
      <EntryHead>
        <h2 className={styles["question"]} dir="auto">
          {sheet.question.text}
        </h2>
        <span className={styles["soft"]}>
          <RelativeTime at={sheet.handed_in_at} />
        </span>
      </EntryHead>
      {sheet.question.references && sheet.question.references.length > 0 && (
        <p className={styles["soft"]}>
          {rich("Reference answers: {answers}", {
            answers: <span dir="auto">{sheet.question.references.join(" · ")}</span>,
          })}
        </p>
      )}
      {sheet.checks.map((check) => (
        <p key={check.text} className={styles["soft"]}>
          <span dir="auto">{check.text}</span> <strong>{check.answer ? t("Yes") : t("No")}</strong>
        </p>
      ))}
      <ul className={styles["answers"]}>
        {sheet.answers.map((answer) => (
          <li key={answer.id} className={styles["answer"]}>
            <JudgedAnswer answer={answer} labels={labels} />
            <Button
              variant="quiet"
              size="small"
              aria-label={t("Change your judgment of: {answer}", { answer: answerWords(answer.text) })}
              onClick={() => onChange(answer)}
            >
              {t("Change")}
            </Button>
          </li>
        ))}
      </ul>
    </Entry>
  );
}

function JudgedAnswer({
  answer,
  labels,
}: {
  readonly answer: PastAnswer;
  readonly labels: readonly LabelSpec[];
}) {
  const { label, comment, evidence_url, evidence_quote } = answer.said;
  const spec = labels.find(({ key }) => key === label);
  return (
    <div className={styles["said"]}>
      <p dir="auto">{answerWords(answer.text)}</p>
      <p className={styles["label"]} data-tone={toneOfCredit(spec?.credit ?? "")}>
        <LabelShape tone={toneOfCredit(spec?.credit ?? "")} />
        {spec?.name ?? label}
      </p>
      {comment && (
        <p className={styles["soft"]} dir="auto">
          {comment}
        </p>
      )}
      {evidence_url && (
        <p className={styles["soft"]}>
          {isWebAddress(evidence_url) ? (
            <a href={evidence_url} target="_blank" rel="noreferrer noopener">
              {evidence_url}
            </a>
          ) : (
            evidence_url
          )}
        </p>
      )}
      {evidence_quote && (
        <blockquote className={styles["soft"]} dir="auto">
          {evidence_quote}
        </blockquote>
      )}
      {answer.decided && <Decided decided={answer.decided} labels={labels} />}
    </div>
  );
}

/** What a person decided, where the protocol lets raters read it. */
function Decided({
  decided,
  labels,
}: {
  readonly decided: HowDecided;
  readonly labels: readonly LabelSpec[];
}) {
  const spec = labels.find(({ key }) => key === decided.label);
  const tone = toneOfCredit(spec?.credit ?? "");
  return (
    <div className={styles["decided"]}>
      <p className={styles["label"]}>
        {rich("Decided: {label}", {
          label: (
            <span className={styles["label"]} data-tone={tone}>
              <LabelShape tone={tone} />
              {spec?.name ?? decided.label}
            </span>
          ),
        })}
      </p>
      {decided.words && (
        <p className={styles["soft"]} dir="auto">
          {decided.words}
        </p>
      )}
    </div>
  );
}
