/** A page of verdicts: what was asked, what the judge was given, what it said and how it was read. */
import type { RunVerdict } from "../../api/schema";
import { Badge } from "../../components/badge";
import { type Column, Table } from "../../components/table";
import { AnswerCell } from "../../domain/answer";
import { countOf, formatMoney } from "../../lib/numbers";
import styles from "./run-page.module.css";
import { reasonWords } from "./run-words";

const COLUMNS: readonly Column<RunVerdict>[] = [
  {
    key: "answer",
    header: "Answer",
    isRowHeader: true,
    cell: (row) => <AnswerCell id={row.answer_id} answer={row.answer} question={row.question} />,
  },
  {
    key: "golds",
    header: "Gold answers",
    cell: (row) => <span dir="auto">{row.golds.join(" · ") || "–"}</span>,
  },
  { key: "verdict", header: "Verdict", cell: (row) => <VerdictCell row={row} /> },
  {
    key: "score",
    header: "Score",
    align: "end",
    cell: (row) => (row.score === null ? "–" : row.score.toFixed(3)),
  },
  { key: "reply", header: "Reply", cell: (row) => <Reply row={row} /> },
];

export function VerdictTable({ verdicts }: { readonly verdicts: readonly RunVerdict[] }) {
  return <Table folds caption="Verdicts" columns={COLUMNS} rows={verdicts} rowKey={(row) => row.answer_id} />;
}

/** What the judge was given and said, as it stands in a file. */
export function verdictCsv(row: RunVerdict) {
  return {
    id: row.answer_id,
    question: row.question,
    answer: row.answer,
    gold: row.golds.join(" | "),
    verdict: row.accepted === null ? "unscored" : row.accepted ? "accepted" : "rejected",
    reason: row.unscored_reason,
    score: row.score,
    flags: row.flags.join(" | "),
    reply: row.raw_reply,
  };
}

function VerdictCell({ row }: { readonly row: RunVerdict }) {
  return (
    <span className={styles["verdict"]}>
      {row.accepted === null ? (
        <Badge tone="warning">{reasonWords(row.unscored_reason)}</Badge>
      ) : (
        <span>{row.accepted ? "Accepted" : "Rejected"}</span>
      )}
      {row.flags.map((flag) => (
        <Badge key={flag} tone="danger">
          {reasonWords(flag)}
        </Badge>
      ))}
    </span>
  );
}

function Reply({ row }: { readonly row: RunVerdict }) {
  if (!row.raw_reply && row.calls.length === 0) return "–";
  return (
    <>
      {row.raw_reply && (
        <pre className={styles["reply"]} dir="auto">
          {row.raw_reply}
        </pre>
      )}
      {row.calls.length > 0 && <p className={styles["soft"]}>{callWords(row.calls)}</p>}
    </>
  );
}

function callWords(calls: RunVerdict["calls"]): string {
  const cost = calls.reduce((sum, { cost }) => sum + Number(cost), 0);
  const tokens = calls.reduce((sum, call) => sum + call.input_tokens + call.output_tokens, 0);
  const errors = calls.filter(({ error }) => error).length;
  const words = [countOf(calls.length, "call"), countOf(tokens, "token"), formatMoney(cost)];
  if (errors > 0) words.push(`${errors} failed`);
  return words.join(" · ");
}
