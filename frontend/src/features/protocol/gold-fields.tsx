/** What raters see of gold answers. */
import { Checkbox } from "../../components/field";
import type { Change, ProtocolDraft } from "./draft";

interface GoldFieldsProps {
  readonly draft: ProtocolDraft;
  readonly change: Change;
}

export function GoldFields({ draft, change }: GoldFieldsProps) {
  return (
    <Checkbox
      label="Raters see the gold answers"
      checked={draft.gold_shown}
      onChange={(event) => change({ gold_shown: event.target.checked })}
    />
  );
}
