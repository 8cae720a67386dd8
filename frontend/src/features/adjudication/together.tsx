/** What is marked, and deciding it together; the keys for both stand here. */
import { useState } from "react";
import { Button } from "../../components/button";
import { formatCount } from "../../lib/numbers";
import { labelName } from "../../lib/labels";
import { useCommands } from "../../lib/use-commands";
import { markCommands } from "./commands";
import { markedLines } from "./marks";
import styles from "./queue-list.module.css";
import { TogetherDialog } from "./together-dialog";
import type { LastDecision } from "./use-last-decision";
import type { QueueWork } from "./use-queue";

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
          <span>{formatCount(marked.length)} marked</span>
          <Button size="small" hint="b" onClick={() => setDeciding(true)}>
            Decide together
          </Button>
          <Button size="small" hint="Esc" onClick={work.unmark}>
            Unmark
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
            last.made({ group }, `${formatCount(lines.length)} decided: ${labelName(label)}.`);
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
