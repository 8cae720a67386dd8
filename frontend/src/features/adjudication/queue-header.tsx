/** How much waits, how much was done, and which part of the queue is shown. */
import { PageHeader } from "../../components/page-header";
import { SegmentedControl } from "../../components/segmented-control";
import { countOf, formatCount } from "../../lib/numbers";
import { openCount } from "./stable-queue";
import type { QueueWork } from "./use-queue";
import { QUEUE_REASONS } from "./words";

export function QueueHeader({ work }: { readonly work: QueueWork }) {
  const done = work.lines.filter(({ state }) => state === "decided").length;
  const today = Math.max(work.query.data?.decided_today ?? 0, done);
  const lead = work.query.data
    ? `${countOf(openCount(work.lines), "answer waits", "answers wait")} for a decision · ${formatCount(today)} decided today`
    : undefined;
  return (
    <PageHeader
      title="Adjudicate"
      lead={lead}
      actions={
        <SegmentedControl
          label="Why answers wait"
          value={work.reason ?? "all"}
          options={QUEUE_REASONS}
          onChange={work.chooseReason}
        />
      }
    />
  );
}
