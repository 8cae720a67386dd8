/** How much waits, and how much was done. */
import { PageHeader } from "../../components/page-header";
import { countOf, formatCount } from "../../lib/numbers";
import { openCount } from "./stable-queue";
import type { QueueWork } from "./use-queue";

export function QueueHeader({ work }: { readonly work: QueueWork }) {
  const queue = work.query.data;
  if (!queue) return <PageHeader title="Adjudicate" />;
  const done = work.lines.filter(({ state }) => state === "decided").length;
  const today = formatCount(Math.max(queue.decided_today, done));
  const unseen = queue.total - queue.items.length;
  const open = openCount(work.lines) + unseen;
  const wanted =
    work.filter.reason === "conflict" || work.filter.judge
      ? countOf(open, "decided answer is judged otherwise", "decided answers are judged otherwise")
      : `${countOf(open, "answer waits", "answers wait")} for a decision`;
  const first = unseen > 0 ? ` · the first ${formatCount(queue.items.length)} are listed, more follow` : "";
  return <PageHeader title="Adjudicate" lead={`${wanted}${first} · ${today} decided today`} />;
}
