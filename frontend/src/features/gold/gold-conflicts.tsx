/** Equal answers that people decided differently, to be settled. */
import type { GoldLedger } from "../../api/contract";
import { Notice } from "../../components/notice";
import { ProjectLink } from "../../components/project-link";
import { countOf } from "../../lib/numbers";

interface GoldConflictsProps {
  readonly ledger: GoldLedger;
}

export function GoldConflicts({ ledger }: GoldConflictsProps) {
  const { conflict_count: count, conflicts } = ledger;
  if (count === 0) return null;
  const further = count - conflicts.length;
  return (
    <Notice tone="warning" title={`${countOf(count, "answer")} rejected, an equal one accepted`}>
      <p>
        Exact match holds these answers equal, but people accepted one and rejected the other. Rejecting one
        does not take the accepted one off the gold list. Open either and decide it anew to settle this.
      </p>
      <ul>
        {conflicts.map((conflict) => (
          <li key={conflict.rejected_id}>
            <span dir="auto">{conflict.question}</span>: accepted{" "}
            <ProjectLink page={`answers/${conflict.accepted_id}`}>
              <span dir="auto">{conflict.accepted}</span>
            </ProjectLink>
            , rejected{" "}
            <ProjectLink page={`answers/${conflict.rejected_id}`}>
              <span dir="auto">{conflict.rejected}</span>
            </ProjectLink>
          </li>
        ))}
      </ul>
      {further > 0 && <p>{countOf(further, "further answer")} not shown; settle these first.</p>}
    </Notice>
  );
}
