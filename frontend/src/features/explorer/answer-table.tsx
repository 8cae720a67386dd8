/** The table of answers with the columns that the address names, and the way through its pages. */
import type { AnswerChoices, AnswerLine, AnswerPage } from "../../api/schema";
import { useProject } from "../../api/project";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { Several } from "../../components/form";
import { type Column, numberColumn, type SortOrder, Table } from "../../components/table";
import { explained } from "../../components/term";
import { AnswerCell, answerWords } from "../../domain/answer";
import { sourceWords } from "../../domain/decisions";
import { flagName } from "../../domain/flags";
import { LabelMark } from "../../domain/labels";
import { countOf, formatCoefficient } from "../../lib/numbers";
import type { SearchState } from "../../lib/search-state";
import styles from "./explorer.module.css";
import type { Selection } from "./selection";
import { stateWords } from "./which-answers";
import {
  BETWEEN,
  columnOptions,
  columnsOf,
  nextOrder,
  orderOf,
  orderWords,
  shownColumns,
} from "./which-columns";

interface AnswerTableProps {
  readonly page: AnswerPage;
  readonly choices: AnswerChoices | undefined;
  readonly search: SearchState;
  /** Absent where nothing can be done with several answers. */
  readonly selection: Selection | undefined;
}

export function AnswerTable({ page, choices, search, selection }: AnswerTableProps) {
  const { sees_systems: seesSystems } = useProject();
  const order = orderOf(search);
  const sortBy = (key: string, chosen?: SortOrder) =>
    search.write({
      sort: chosen ? orderWords(chosen) : nextOrder(order, key, !BY_ALPHABET.has(key)),
      cursor: undefined,
    });
  const nameOf = (run: string) => choices?.judges.find(({ id }) => id === run)?.name ?? "Judge";
  const shown = shownColumns(columnsOf(search), page.judges);
  const columns = shown
    .filter((key) => seesSystems || key !== "systems")
    .flatMap((key) => OWN[key] ?? (page.judges.includes(key) ? verdictColumn(key, nameOf(key)) : []));
  return (
    <Table
      folds
      caption="Answers"
      columns={[...(selection ? [selectColumn(selection, page)] : []), ANSWER, ...columns]}
      rows={page.answers}
      rowKey={(line) => line.id}
      {...(selection && { isSelected: selection.has })}
      {...(order && { sort: order })}
      onSort={sortBy}
      note={
        shown.includes("votes") &&
        page.answers.some(({ votes }) => votes.length > 0) &&
        "Each letter stands for an annotator of that answer. Letters are assigned separately for each answer, so A may be a different annotator in the next row."
      }
    />
  );
}

/** All others are sorted from the most to the least first. */
const BY_ALPHABET: ReadonlySet<string> = new Set(["answer", "label"]);

const ANSWER: Column<AnswerLine> = {
  key: "answer",
  header: "Answer",
  isRowHeader: true,
  value: ({ answer }) => answer,
  cell: ({ id, answer, question }) => <AnswerCell {...{ id, answer, question }} />,
};

function selectColumn(selection: Selection, { answers }: AnswerPage): Column<AnswerLine> {
  return {
    key: "select",
    header: (
      <input
        type="checkbox"
        aria-label="Select all on this page"
        checked={answers.every(selection.has)}
        onChange={() => selection.toggle(answers)}
      />
    ),
    cell: (line) => (
      <input
        type="checkbox"
        aria-label={`Select “${answerWords(line.answer)}”`}
        checked={selection.has(line)}
        onChange={() => selection.toggle([line])}
      />
    ),
  };
}

const OWN: Readonly<Record<string, Column<AnswerLine>>> = {
  votes: {
    key: "votes",
    header: "Votes",
    value: ({ votes }) => votes.length,
    cell: ({ votes }) => <Votes votes={votes} />,
  },
  label: {
    key: "label",
    header: "Decision",
    value: ({ label }) => label,
    cell: (line) => <Decision line={line} />,
  },
  systems: {
    key: "systems",
    header: "Systems",
    value: ({ systems }) => systems?.length,
    cell: ({ systems }) => (
      <span title={systems?.join(", ")}>
        {systems && systems.length > 2 ? countOf(systems.length, "system") : systems?.join(", ") || "–"}
      </span>
    ),
  },
  words: numberColumn("words", "Words", ({ words }) => words),
  dataset: { key: "dataset", header: "Data set", cell: ({ dataset }) => dataset || "–" },
  tags: { key: "tags", header: "Tags", cell: ({ tags }) => tags.join(", ") || "–" },
  flags: {
    key: "flags",
    header: "Flags",
    explains: explained("flag"),
    cell: ({ flags }) => flags.map(flagName).join(", ") || "–",
  },
};

function Votes({ votes }: Pick<AnswerLine, "votes">) {
  if (votes.length === 0) return "–";
  return (
    <span className={styles["votes"]}>
      {votes.map((vote, index) => (
        <span key={`${vote.letter} ${index}`} className={styles["vote"]}>
          {vote.letter}
          <LabelMark label={vote.label} compact />
        </span>
      ))}
    </span>
  );
}

function Decision({ line }: { readonly line: AnswerLine }) {
  if (!line.label) {
    const state = stateWords(line.state);
    return <Badge tone={state.tone}>{state.words}</Badge>;
  }
  return (
    <span className={styles["decision"]}>
      <LabelMark label={line.label} />
      <span className="soft-regular">{sourceWords(line.source)}</span>
    </span>
  );
}

type Verdict = AnswerLine["verdicts"][number];

function verdictColumn(run: string, name: string): Column<AnswerLine> {
  const find = ({ verdicts }: AnswerLine) => verdicts.find((verdict) => verdict.run === run);
  return numberColumn(run, name, (line) => find(line)?.score, {
    cell: (line) => <VerdictMark verdict={find(line)} />,
  });
}

function VerdictMark({ verdict }: { readonly verdict: Verdict | undefined }) {
  if (verdict === undefined) return "–";
  if (verdict.accepted === null) return <span title={verdict.reason}>Could not judge</span>;
  return (
    <span className={styles["verdict"]}>
      {verdict.score !== null && <span className="number">{formatCoefficient(verdict.score)}</span>}
      <LabelMark
        compact
        label={verdict.accepted ? "correct" : "incorrect"}
        name={verdict.accepted ? "Accepts" : "Rejects"}
      />
    </span>
  );
}

interface ColumnChoiceProps {
  readonly choices: AnswerChoices;
  readonly page: AnswerPage;
  readonly search: SearchState;
}

/** Which columns are shown, in the order in which they were chosen. */
export function ColumnChoice({ choices, page, search }: ColumnChoiceProps) {
  const options = columnOptions(choices);
  const shown = shownColumns(columnsOf(search), page.judges).filter((key) =>
    options.some(({ value }) => value === key),
  );
  return (
    <details className={styles["more"]}>
      <summary>Columns</summary>
      <Several
        legend={<span className="soft-regular">Columns that you add appear last.</span>}
        options={options}
        chosen={shown}
        onChange={(chosen) => search.write({ columns: chosen.join(BETWEEN) || "none" })}
      />
      {columnsOf(search) && (
        <p>
          <Button size="small" onClick={() => search.write({ columns: undefined })}>
            Reset columns
          </Button>
        </p>
      )}
    </details>
  );
}
