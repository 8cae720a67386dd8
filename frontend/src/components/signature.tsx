/** What produced a table's numbers, in lines that a paper can quote: folded, since few read them. */
import { CopyButton } from "./button";
import { More } from "./list";
import styles from "./signature.module.css";
import { Term } from "./term";

/** Somebody whose numbers stand in a table, with the line of their own. */
export interface Signed {
  readonly name: string;
  readonly signature: string;
}

interface SignaturesProps {
  /** The table's own line, which names those of its judges by their hashes alone. */
  readonly own?: string | undefined;
  readonly judges: readonly Signed[];
}

export function Signatures({ own, judges }: SignaturesProps) {
  return (
    <div className={styles["signatures"]}>
      <More summary="Signature of these numbers">
        <p className="soft">
          <Term name="signature">About signatures</Term>
        </p>
        {own !== undefined && <Line text={own} />}
        {judges.map(({ name, signature }, place) => (
          <Line key={place} text={signature} of={name} />
        ))}
      </More>
    </div>
  );
}

function Line({ text, of }: { readonly text: string; readonly of?: string }) {
  return (
    <p className={styles["line"]}>
      {of && `${of}: `}
      <code translate="no">{text}</code>{" "}
      <CopyButton text={text} name={of ? `the signature of ${of}` : "the signature"} />
    </p>
  );
}
