/** A key cap: what to press instead of pointing. */
import { keyWords } from "../lib/commands";
import styles from "./key-hint.module.css";

export function KeyHint({ name }: { readonly name: string }) {
  return (
    <kbd className={styles["key"]} aria-hidden="true">
      {keyWords(name)}
    </kbd>
  );
}
