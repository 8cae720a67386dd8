/** The lines of guidelines that came and went; told apart by words and signs, not by color alone. */
import styles from "./guideline-changes.module.css";

interface GuidelineChangesProps {
  readonly lines: readonly { readonly kind: "added" | "removed" | "same" | "gap"; readonly text: string }[];
}

export function GuidelineChanges({ lines }: GuidelineChangesProps) {
  return (
    <div className={styles["lines"]} dir="auto">
      {lines.map((line, index) => {
        if (line.kind === "added") return <ins key={index}>{line.text}</ins>;
        if (line.kind === "removed") return <del key={index}>{line.text}</del>;
        return (
          <p key={index} className={styles["soft"]}>
            {line.kind === "gap" ? "…" : line.text}
          </p>
        );
      })}
    </div>
  );
}
