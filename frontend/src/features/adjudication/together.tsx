/** What is marked, and deciding it together; the keys for both stand here. */
import { useState } from "react";
import { post } from "../../api/client";
import type { CategoryEnum } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Checkbox, Choice, TextArea } from "../../components/form";
import { useWrite } from "../../components/use-write";
import { labelName, type LabelSpec } from "../../domain/labels";
import { countOf, formatCount } from "../../lib/numbers";
import { useCommands } from "../../lib/use-commands";
import { markCommands } from "./commands";
import type { LastDecision } from "./decision-form";
import { ALL_CATEGORIES, forecast, type Line, markedLines, type QueueWork } from "./queue";
import styles from "./queue.module.css";

interface TogetherProps {
  readonly work: QueueWork;
  readonly last: LastDecision;
}

export function Together({ work, last }: TogetherProps) {
  const [deciding, setDeciding] = useState(false);
  const marked = markedLines(work.lines, work.marks);
  useTogetherKeys({ work, last }, marked.length > 0, () => setDeciding(true));
  return (
    <>
      {marked.length > 0 && (
        <p className={styles["together"]}>
          <span>{formatCount(marked.length)} selected</span>
          <Button size="small" hint="b" onClick={() => setDeciding(true)}>
            Decide selected
          </Button>
          <Button size="small" hint="Esc" onClick={work.unmark}>
            Clear selection
          </Button>
        </p>
      )}
      {deciding && (
        <TogetherDialog
          lines={marked}
          onClose={() => setDeciding(false)}
          onDecided={(group, label, lines) => {
            setDeciding(false);
            work.decided(
              lines.map(({ item }) => item.id),
              label,
            );
            last.made({ group }, `${countOf(lines.length, "answer")} decided: ${labelName(label)}.`);
          }}
        />
      )}
    </>
  );
}

function useTogetherKeys({ work, last }: TogetherProps, hasMarks: boolean, open: () => void): void {
  const mark = () => {
    const line = work.lines.find(({ item }) => item.id === work.current);
    if (line?.state === "open") work.mark(line.item.id);
  };
  useCommands(
    markCommands({
      mark,
      markAnd: (step) => {
        if (work.current !== null && !work.marks.has(work.current)) mark();
        work.move(step);
      },
      unmark: work.unmark,
      hasMarks: () => hasMarks,
      decideTogether: open,
      undo: () => void last.undo(),
    }),
  );
}

interface TogetherDialogProps {
  readonly lines: readonly Line[];
  readonly onClose: () => void;
  readonly onDecided: (group: string, label: string, lines: readonly Line[]) => void;
}

function useTogether({ lines, onDecided }: TogetherDialogProps) {
  const { slug } = useProject();
  const [label, setLabel] = useState("");
  const [category, setCategory] = useState<CategoryEnum | "">("");
  const [reason, setReason] = useState("");
  const [isShown, setShown] = useState(false);
  const mutation = useWrite(
    () =>
      post(
        "/api/projects/{slug}/queue/decide",
        { slug },
        {
          answers: lines.map(({ item }) => ({ id: item.id, seen_number: item.number })),
          label,
          category,
          reason: reason.trim(),
          is_reason_shown: isShown,
        },
      ),
    { onDone: ({ group }) => onDecided(group, label, lines) },
  );
  const isReady = label !== "" && (category !== "" || reason.trim() !== "");
  const send = () => {
    if (isReady && !mutation.isPending) mutation.mutate();
  };
  return {
    label,
    setLabel,
    category,
    setCategory,
    reason,
    setReason,
    isShown,
    setShown,
    mutation,
    isReady,
    send,
  };
}

function TogetherDialog(props: TogetherDialogProps) {
  const labels = useProject().labels.filter(({ credit }) => credit !== "missing");
  const form = useTogether(props);
  return (
    <FormDialog
      title={`Decide ${countOf(props.lines.length, "answer")}`}
      action={`Decide ${countOf(props.lines.length, "answer")}`}
      write={form.mutation}
      isReady={form.isReady}
      onSubmit={form.send}
      onClose={props.onClose}
    >
      <Choice
        data-autofocus
        label="Label for all answers"
        value={form.label}
        options={labels.map(({ key, name }) => ({ value: key, name }))}
        onChange={form.setLabel}
        empty="Choose a label"
      />
      <Choice
        label="Reason"
        value={form.category}
        options={ALL_CATEGORIES}
        onChange={form.setCategory}
        empty="None"
      />
      <TextArea
        label="Explanation (optional if you chose a reason)"
        rows={2}
        value={form.reason}
        onChange={form.setReason}
      />
      <Checkbox label="Annotators may read this" checked={form.isShown} onChange={form.setShown} />
      <Forecast lines={props.lines} label={labels.find(({ key }) => key === form.label)} />
    </FormDialog>
  );
}

function Forecast({
  lines,
  label,
}: {
  readonly lines: readonly Line[];
  readonly label: LabelSpec | undefined;
}) {
  if (!label) return null;
  return (
    <div role="status">
      {forecast(lines, label.key, label.name).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}
