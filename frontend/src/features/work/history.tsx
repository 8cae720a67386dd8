/** What leads did to the work in people's hands, the newest first. */
import type { WorkEvent } from "../../api/contract";
import { Entry, EntryList } from "../../components/entry-list";
import { More } from "../../components/more";
import { RelativeTime } from "../../components/relative-time";
import { countOf } from "../../lib/numbers";

export function History({ events }: { readonly events: readonly WorkEvent[] }) {
  if (events.length === 0) return null;
  return (
    <More summary="What leads did">
      <EntryList>
        {events.map((event) => (
          <Entry key={`${event.at} ${event.kind}`}>
            <p>
              <span dir="auto">{event.by}</span> {wordsOf(event)} · <RelativeTime at={event.at} />
            </p>
          </Entry>
        ))}
      </EntryList>
    </More>
  );
}

function wordsOf(event: WorkEvent): string {
  const taken = `${countOf(event.sheets, "sheet")} with ${countOf(event.answers, "answer")}`;
  switch (event.kind) {
    case "paused":
      return `paused ${event.rater}`;
    case "resumed":
      return `let ${event.rater} go on`;
    case "taken_back":
      return `took back ${taken} from ${event.rater}`;
    case "pilot_begun":
      return "began the pilot";
    case "pilot_ended":
      return "ended the pilot";
  }
}
