/** Markdown that the server has rendered and cleaned. */
import styles from "./markdown.module.css";

export function Markdown({ html }: { readonly html: string }) {
  // The server passes guidelines through an allowlist before they are stored as HTML.
  return <div className={styles["text"]} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />;
}
