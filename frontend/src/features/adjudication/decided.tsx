/** Says that an answer is decided, and after deciding it here offers the way back. */
import type { QueueDetail } from "../../api/contract";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { labelName } from "../../lib/labels";
import { openCount } from "./stable-queue";
import type { LastDecision } from "./use-last-decision";
import type { QueueWork } from "./use-queue";

interface DecidedProps {
  readonly detail: QueueDetail;
  readonly work: QueueWork;
  readonly last: LastDecision;
}

export function Decided({ detail, work, last }: DecidedProps) {
  if (detail.decision === null) return null;
  const isLast = work.handled.at(-1) === detail.id;
  return (
    <Notice
      tone={isLast ? "success" : "info"}
      actions={
        isLast && (
          <Button size="small" hint="u" onClick={() => void last.undo()}>
            Take back
          </Button>
        )
      }
    >
      <p>
        Decided: {labelName(detail.decision.label)}.
        {isLast && openCount(work.lines) === 0 && " Nothing else here waits for a decision."}
      </p>
    </Notice>
  );
}
