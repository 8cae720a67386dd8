/** What produced a table's numbers, in the one line that a paper can quote. */
import { CopyButton } from "./copy-button";
import { More } from "./more";
import styles from "./signature.module.css";

interface SignatureProps {
  readonly text: string;
  /** Whose numbers they are, where a table has several. */
  readonly of?: string;
}

export function Signature({ text, of }: SignatureProps) {
  return (
    <span className={styles["signature"]}>
      How these numbers came about{of && ` (${of})`}: <code translate="no">{text}</code>{" "}
      <CopyButton text={text} name={of ? `the line of ${of}` : "the line"} />
    </span>
  );
}

/** Somebody whose numbers stand in a table, with the line of their own. */
export interface Signed {
  readonly name: string;
  readonly signature: string;
}

/** The lines of all whose numbers a table has; the table's own line names them by their hashes alone. */
export function Signatures({ of }: { readonly of: readonly Signed[] }) {
  return (
    <More summary="How these numbers came about, one by one">
      {of.map(({ name, signature }) => (
        <Signature key={`${name} ${signature}`} text={signature} of={name} />
      ))}
    </More>
  );
}
