/** Known answers one a row, each to be taken back. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { del, keyOf } from "../../api/client";
import type { KnownAnswer } from "../../api/contract";
import { useProject } from "../../api/project";
import { AnswerCell } from "../../components/answer-cell";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/confirm-dialog";
import { KnownMarkDialog } from "../../components/known-mark-dialog";
import { LabelMark } from "../../components/label-mark";
import { type Column, Table } from "../../components/table";
import { wordsOfUse } from "../../lib/known-uses";
import { labelName } from "../../lib/labels";

interface KnownTableProps {
  readonly slug: string;
  readonly rows: readonly KnownAnswer[];
}

export function KnownTable({ slug, rows }: KnownTableProps) {
  const { labels } = useProject();
  const queryClient = useQueryClient();
  const [withdrawing, setWithdrawing] = useState<KnownAnswer | null>(null);
  const [changing, setChanging] = useState<KnownAnswer | null>(null);
  const nameOf = (key: string) => labels.find((label) => label.key === key)?.name ?? labelName(key);
  const withdraw = async (known: KnownAnswer) => {
    await del("/api/projects/{slug}/known-answers/{known_id}", { slug, known_id: known.id });
    await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug }) });
  };
  return (
    <>
      <Table
        folds
        caption="Known answers"
        columns={columnsOf(nameOf, setChanging, setWithdrawing)}
        rows={rows}
        rowKey={(known) => known.id}
      />
      {changing && (
        <KnownMarkDialog
          slug={slug}
          answer={{ id: changing.answer, label: changing.label }}
          known={changing}
          onClose={() => setChanging(null)}
        />
      )}
      {withdrawing && (
        <ConfirmDialog
          title="Use it as a known answer no longer"
          confirm="Take it back"
          onConfirm={() => withdraw(withdrawing)}
          onClose={() => setWithdrawing(null)}
        >
          <p>
            “{withdrawing.text}” is no longer handed out as a known answer, and what raters said of it counts
            for none of them.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function columnsOf(
  nameOf: (label: string) => string,
  onChange: (known: KnownAnswer) => void,
  onWithdraw: (known: KnownAnswer) => void,
): Column<KnownAnswer>[] {
  return [
    {
      key: "answer",
      header: "Answer",
      isRowHeader: true,
      cell: ({ answer, text, question }) => <AnswerCell id={answer} answer={text} question={question} />,
    },
    {
      key: "label",
      header: "Known label",
      cell: ({ label }) => <LabelMark label={label} name={nameOf(label)} />,
      sortBy: ({ label }) => label,
    },
    { key: "use", header: "Use", cell: ({ use }) => wordsOfUse(use), sortBy: ({ use }) => use },
    {
      key: "explanation",
      header: "Explanation",
      cell: ({ explanation }) => <span dir="auto">{explanation || "–"}</span>,
    },
    {
      key: "acts",
      header: <span className="visually-hidden">Change</span>,
      cell: (known) => (
        <>
          <Button size="small" variant="quiet" onClick={() => onChange(known)}>
            {known.explanation === "" ? "Explain" : "Change"}
            <span className="visually-hidden"> “{known.text}”</span>
          </Button>
          <Button size="small" variant="quiet" onClick={() => onWithdraw(known)}>
            Take back<span className="visually-hidden"> “{known.text}”</span>
          </Button>
        </>
      ),
    },
  ];
}
