/** The guidelines as they are written and, beside that, as raters will see them. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ask } from "../../api/client";
import { TextArea } from "../../components/field";
import { Markdown } from "../../components/markdown";
import styles from "./protocol.module.css";
import { useSettled } from "./use-settled";

interface GuidelineFieldsProps {
  readonly slug: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

export function GuidelineFields({ slug, text, onChange }: GuidelineFieldsProps) {
  const settled = useSettled(text);
  const preview = useQuery({
    ...ask("/api/projects/{slug}/protocol/guidelines-preview", { slug }, { text: settled }),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
  });
  return (
    <div className={styles["guidelines"]}>
      <TextArea
        label="Guidelines (Markdown)"
        hint="Raters have them beside their work, and see them once after a change."
        className={styles["writing"] ?? ""}
        rows={18}
        dir="auto"
        value={text}
        onChange={(event) => onChange(event.target.value)}
      />
      <section aria-label="As raters see them" className={styles["preview"]}>
        <h3 className={styles["previewTitle"]}>As raters see them</h3>
        {preview.data === undefined || preview.data.html === "" ? (
          <p className={styles["soft"]}>What you write appears here.</p>
        ) : (
          <Markdown html={preview.data.html} />
        )}
      </section>
    </div>
  );
}
