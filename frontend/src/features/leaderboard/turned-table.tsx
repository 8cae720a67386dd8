/** The answers that amendment turned right or wrong, each with the systems that gave it. */
import type { Amendments, TurnedAnswer } from "../../api/schema";
import { Badge } from "../../components/badge";
import { CsvButton } from "../../components/csv-button";
import { ProjectLink } from "../../components/project-link";
import { type Column, Table } from "../../components/table";
import { AnswerCell } from "../../domain/answer";
import { namePage } from "../../lib/csv";
import { countOf, formatCount } from "../../lib/numbers";
import styles from "./leaderboard-page.module.css";

const MOST_NAMED = 4;

export function TurnedTable({ found }: { readonly found: Amendments }) {
  if (found.count === 0) return <p className={styles["soft"]}>{nothingWords(found)}</p>;
  return (
    <>
      <Table
        caption="Answers that amendment turned right or wrong"
        folds
        rows={found.turned}
        rowKey={({ answer, is_right, question }) => `${question} ${answer} ${String(is_right)}`}
        columns={shownColumns(found.turned)}
      />
      <div>
        <CsvButton
          name={namePage("answers-that-turned", found)}
          rows={found.turned.map(csvRow)}
          signature={found.signature}
        />
      </div>
    </>
  );
}

function csvRow({ question_text, answer, text, is_right, systems, changes }: TurnedAnswer) {
  return {
    question: question_text,
    answer: text,
    id: answer,
    turned: is_right ? "right" : "wrong",
    ...(systems && { systems: systems.join(" | ") }),
    gold_changes: changes.join(" | "),
  };
}

function nothingWords({ pending }: Amendments): string {
  if (pending === 0) return "No answer of a system turned: gold lists say what people decided.";
  return `No answer has turned yet; ${countOf(pending, "answer")} of systems are not decided.`;
}

const COLUMNS: readonly Column<TurnedAnswer>[] = [
  {
    key: "answer",
    header: "Answer",
    isRowHeader: true,
    cell: (row) => <AnswerCell id={row.answer} answer={row.text} question={row.question_text} />,
  },
  {
    key: "turned",
    header: "Turned",
    cell: ({ is_right }) =>
      is_right ? <Badge tone="success">right</Badge> : <Badge tone="danger">wrong</Badge>,
  },
  { key: "count", header: "Systems", align: "end", cell: ({ systems }) => formatCount(systems?.length ?? 0) },
  { key: "systems", header: "Which", cell: ({ systems }) => systemsWords(systems ?? []) },
  {
    key: "ledger",
    header: "Gold list",
    cell: (row) =>
      row.changes.length === 0 ? (
        "of a file of its own"
      ) : (
        <ProjectLink page="gold" search={{ question: row.question }}>
          {row.is_right ? "added" : "removed"}
        </ProjectLink>
      ),
  },
];

/** Adjudicators may not see systems; then there is nothing to say of them. */
function shownColumns(turned: readonly TurnedAnswer[]) {
  const areHidden = turned.some(({ systems }) => systems === null);
  return areHidden ? COLUMNS.filter(({ key }) => key !== "count" && key !== "systems") : COLUMNS;
}

function systemsWords(systems: readonly string[]): string {
  const named = systems.slice(0, MOST_NAMED).join(", ");
  const more = systems.length - MOST_NAMED;
  return more > 0 ? `${named} and ${formatCount(more)} more` : named;
}
