/** Takes the selected answers, or all that the table shows, away as one file. */
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Choice, optionsOf } from "../../components/form";
import { useToast } from "../../components/toast";
import { useWrite } from "../../components/use-write";
import { countOf } from "../../lib/numbers";
import { downloadFrom } from "../../lib/save-file";
import type { SearchState } from "../../lib/search-state";
import type { Selection } from "./selection";
import { viewOf } from "./views";

interface ExportAnswersProps {
  /** How many answers the table shows on all its pages. */
  readonly count: number;
  readonly selection: Selection;
  readonly search: SearchState;
}

export function ExportAnswers({ count, selection: { lines }, search }: ExportAnswersProps) {
  const { role } = useProject();
  const [isOpen, setOpen] = useState(false);
  if (role !== "lead") return null;
  const answers = lines.map(({ id }) => id);
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {lines.length > 0 ? "Export selected answers" : "Export matching answers"}
      </Button>
      {isOpen && (
        <ExportDialog
          answers={answers}
          count={lines.length || count}
          search={search}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

const FORMATS = {
  "answers-csv": "CSV, for spreadsheets",
  "answers-jsonl": "JSON Lines, for programs",
} as const;

interface ExportDialogProps {
  readonly answers: readonly string[];
  readonly count: number;
  readonly search: SearchState;
  readonly onClose: () => void;
}

function ExportDialog({ answers, count, search, onClose }: ExportDialogProps) {
  const { slug } = useProject();
  const toast = useToast();
  const [format, setFormat] = useState<keyof typeof FORMATS>("answers-csv");
  // Columns are a matter of the page alone: a file has everything.
  const query = Object.fromEntries(Object.entries(viewOf(search)).filter(([key]) => key !== "columns"));
  const write = useWrite(
    () => post("/api/projects/{slug}/answer-exports", { slug }, { format, answers: [...answers], query }),
    {
      stale: [keyOf("/api/projects/{slug}/exports", { slug })],
      onDone: ({ id, state }) => {
        if (state === "finished") downloadFrom(`/api/exports/${id}/download`);
        else toast({ text: "Assay is creating the file. It will appear on the Export page." });
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={`Export ${countOf(count, "answer")}`}
      action="Create file"
      cancel="Cancel"
      write={write}
      onSubmit={() => write.mutate()}
      onClose={onClose}
    >
      <p>
        The file has one row for each answer, in the table’s order. Each row includes gold answers, systems,
        votes by pseudonym, the decision, and every judge’s verdict, even if the table hides these columns.
        You can also download the file from the Export page.
      </p>
      <Choice
        data-autofocus
        label="Format"
        value={format}
        options={optionsOf(FORMATS)}
        onChange={setFormat}
      />
    </FormDialog>
  );
}
