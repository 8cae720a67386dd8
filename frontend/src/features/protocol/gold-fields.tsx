/** What raters see of gold answers, and whether these are judged themselves. */
import type { ApiError } from "../../api/error";
import { Checkbox } from "../../components/field";
import { FormError } from "../../components/form";
import type { Change, ProtocolDraft } from "./draft";

interface GoldFieldsProps {
  readonly draft: ProtocolDraft;
  readonly error: ApiError | null;
  readonly change: Change;
}

export function GoldFields({ draft, error, change }: GoldFieldsProps) {
  const complaint = error?.fieldMessage("gold_among_answers");
  return (
    <>
      <Checkbox
        label="Raters see the gold answers"
        checked={draft.gold_shown}
        onChange={(event) => change({ gold_shown: event.target.checked })}
      />
      <Checkbox
        label="Answers that equal a gold answer count as correct without being judged"
        hint="Equal but for case, punctuation and articles, as in SQuAD. Taking this back gives all of them to raters."
        checked={draft.gold_equal === "correct"}
        onChange={(event) => change({ gold_equal: event.target.checked ? "correct" : "judged" })}
      />
      <Checkbox
        label="Gold answers are judged among the answers"
        hint="Raters cannot tell them apart. The gold page says how many people reject; no system’s score has them."
        checked={draft.gold_among_answers}
        onChange={(event) => change({ gold_among_answers: event.target.checked })}
      />
      {complaint && <FormError>{complaint}</FormError>}
    </>
  );
}
