/** What produced a table's numbers, in the one line that a paper can quote. */
import { CopyButton } from "./copy-button";
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
