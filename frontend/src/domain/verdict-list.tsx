/** What each judge said of an answer, and by which signature. */
import type { AnswerVerdict } from "../api/schema";
import { Badge } from "../components/badge";
import { Entry, EntryHead, EntryList } from "../components/list";
import { t } from "../lib/i18n/t";
import { formatCoefficient } from "../lib/numbers";
import styles from "./verdict-list.module.css";
import { VerdictReasons } from "./verdict-reasons";

interface VerdictListProps {
  readonly verdicts: readonly AnswerVerdict[];
  readonly answer: string;
}

export function VerdictList({ verdicts, answer }: VerdictListProps) {
  if (verdicts.length === 0) return <p className="soft">{t("No judge has judged this answer yet.")}</p>;
  return (
    <EntryList>
      {verdicts.map((verdict) => (
        <Entry key={verdict.signature}>
          <EntryHead>
            <span className={styles["name"]}>{verdict.name}</span>
            <Outcome verdict={verdict} />
            {verdict.score !== null && (
              <span className="soft">{t("score {score}", { score: formatCoefficient(verdict.score) })}</span>
            )}
          </EntryHead>
          {verdict.reason && <p dir="auto">{verdict.reason}</p>}
          <VerdictReasons reasons={verdict.reasons} answer={answer} />
          {verdict.raw_reply && (
            <details className={styles["reply"]}>
              <summary>{t("Full reply")}</summary>
              <pre dir="auto">{verdict.raw_reply}</pre>
            </details>
          )}
          <details className={styles["reply"]}>
            <summary>{t("Signature")}</summary>
            <code className={styles["signature"]}>{verdict.signature}</code>
          </details>
        </Entry>
      ))}
    </EntryList>
  );
}

function Outcome({ verdict }: { readonly verdict: AnswerVerdict }) {
  if (verdict.accepted === null) return <Badge tone="warning">{t("Could not judge")}</Badge>;
  return verdict.accepted ? <Badge tone="success">{t("Accepts")}</Badge> : <Badge>{t("Rejects")}</Badge>;
}
