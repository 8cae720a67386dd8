/** Markdown that the server has rendered and cleaned. */
import { useEffect, useRef } from "react";
import styles from "./markdown.module.css";
import { frameWideParts } from "./sideways";

export function Markdown({ html }: { readonly html: string }) {
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => (text.current ? frameWideParts(text.current) : undefined), [html]);
  return (
    // The server passes guidelines through an allowlist before they are stored as HTML.
    <div ref={text} className={styles["text"]} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
  );
}
