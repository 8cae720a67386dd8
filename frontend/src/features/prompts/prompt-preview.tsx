/** A prompt filled in with an answer of the project, as the model would get it. */
import type { PromptPreview as Preview } from "../../api/contract";
import { Notice } from "../../components/notice";
import styles from "./prompts.module.css";

export function PromptPreview({ preview }: { readonly preview: Preview }) {
  return (
    <Notice title="The model would get">
      {preview.messages.map((message, index) => (
        <div key={index}>
          <p className={styles["soft"]}>{message.role}</p>
          <pre className={styles["text"]}>{message.content}</pre>
        </div>
      ))}
      {preview.settled && (
        <p>It would not be asked about this answer: {preview.settled.replaceAll("_", " ")}.</p>
      )}
    </Notice>
  );
}
