/** Why a judge decided so: each ground in words, with what it saw marked in the answer. */
import { type ReactNode } from "react";

import type { Reason } from "../api/schema";
import { t } from "../lib/i18n/t";
import styles from "./verdict-reasons.module.css";

interface VerdictReasonsProps {
  readonly reasons: readonly Reason[];
  readonly answer: string;
}

export function VerdictReasons({ reasons, answer }: VerdictReasonsProps) {
  if (reasons.length === 0) return null;
  return (
    <ul className={styles["reasons"]} aria-label={t("Reasons for this verdict")}>
      {reasons.map((reason) => (
        <li key={reason.ground}>
          <span>{inWords(reason)}</span>
          {reason.spans.length > 0 && (
            <q className={styles["answer"]} dir="auto">
              {marked(answer, reason.spans)}
            </q>
          )}
        </li>
      ))}
    </ul>
  );
}

export function inWords({ ground, about, missing }: Reason): string {
  const words = missing.join(", ");
  switch (ground) {
    case "equal":
      return t("The answer contains the gold answer “{gold}” and nothing else.", { gold: about });
    case "overlap":
      return missing.length === 0
        ? t("Every word of the gold answer “{gold}” is in the answer.", { gold: about })
        : t("The answer contains some words of the gold answer “{gold}” but not these: {words}.", {
            gold: about,
            words,
          });
    case "no_overlap":
      return t(
        "The answer contains no words of the gold answer “{gold}” except words that are also in the question.",
        { gold: about },
      );
    case "other_number":
      return t("The gold answer “{gold}” and the answer state different numbers.", { gold: about });
    case "denial":
      return t("A negation comes before the words of the gold answer.");
    case "refusal":
      return t("The system declined to answer or said that it does not know.");
    case "like_accepted":
      return t("“{answer}” is a similar answer that people accepted.", { answer: about });
    case "like_rejected":
      return t("“{answer}” is a similar answer that people rejected.", { answer: about });
  }
}

// Letters of a long answer that are shown before and behind what is marked.
const AROUND = 80;

export function marked(answer: string, spans: Reason["spans"]): ReactNode[] {
  // The server counts characters, JavaScript the halves of some of them.
  const letters = Array.from(answer);
  const cut = (start: number, end: number) => letters.slice(start, end).join("");
  const first = Math.max(0, (spans[0]?.start ?? 0) - AROUND);
  const last = Math.min(letters.length, (spans.at(-1)?.end ?? 0) + AROUND);
  const parts: ReactNode[] = first > 0 ? ["…"] : [];
  let at = first;
  for (const { start, end } of spans) {
    parts.push(cut(at, start), <mark key={start}>{cut(start, end)}</mark>);
    at = end;
  }
  parts.push(cut(at, last), last < letters.length ? "…" : "");
  return parts;
}
