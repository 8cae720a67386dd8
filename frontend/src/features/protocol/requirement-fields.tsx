/** With which labels raters must give evidence or a comment. */
import { Checkbox } from "../../components/field";
import { type Change, type Credit, CREDITS, type ProtocolDraft } from "./draft";
import styles from "./protocol.module.css";
import { LABELS_THAT } from "./words";

interface RequirementFieldsProps {
  readonly draft: ProtocolDraft;
  readonly change: Change;
}

export function RequirementFields({ draft, change }: RequirementFieldsProps) {
  return (
    <>
      <CreditChoice
        legend="Evidence (a page’s address, or what it says) must come with labels that mean"
        name="evidence"
        draft={draft}
        chosen={draft.evidence_required_for}
        onChange={(evidence_required_for) => change({ evidence_required_for })}
      />
      <CreditChoice
        legend="A comment must come with labels that mean"
        name="comment"
        draft={draft}
        chosen={draft.comment_required_for}
        onChange={(comment_required_for) => change({ comment_required_for })}
      />
    </>
  );
}

interface CreditChoiceProps {
  readonly legend: string;
  readonly name: string;
  readonly draft: ProtocolDraft;
  readonly chosen: readonly Credit[];
  readonly onChange: (chosen: readonly Credit[]) => void;
}

function CreditChoice({ legend, name, draft, chosen, onChange }: CreditChoiceProps) {
  const worths = CREDITS.filter((credit) => draft.labels.some((label) => label.credit === credit));
  return (
    <fieldset className={styles["choices"]}>
      <legend>{legend}</legend>
      {worths.map((credit) => (
        <Checkbox
          key={credit}
          label={LABELS_THAT[credit]}
          aria-label={`${LABELS_THAT[credit]}: ${name}`}
          checked={chosen.includes(credit)}
          onChange={(event) =>
            onChange(
              CREDITS.filter((each) => (each === credit ? event.target.checked : chosen.includes(each))),
            )
          }
        />
      ))}
    </fieldset>
  );
}
