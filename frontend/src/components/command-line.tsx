/** A command to run in a terminal, easy to take along. */
import { t } from "../lib/i18n/t";
import { CopyButton } from "./button";
import styles from "./command-line.module.css";

export function CommandLine({ command }: { readonly command: string }) {
  return (
    <div className={styles["line"]}>
      <code className={styles["code"]}>{command}</code>
      <CopyButton text={command} name={t("command")} />
    </div>
  );
}
