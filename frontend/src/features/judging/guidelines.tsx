/** The guidelines: read before the first sheet and after changes, and beside one. */
import { useEffect, useRef } from "react";
import type { Guidelines } from "../../api/schema";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { FormError } from "../../components/form";
import { Markdown } from "../../components/markdown";
import { QueryView } from "../../components/query-view";
import { GuidelineChanges } from "../../domain/guideline-changes";
import { t } from "../../lib/i18n/t";
import styles from "./guidelines.module.css";
import type { GuidelinesState } from "./use-judging";

interface GuidelinesPanelProps {
  readonly html: string;
  readonly closeKey: string | undefined;
  readonly onClose: () => void;
}

export function GuidelinesPanel({ html, closeKey, onClose }: GuidelinesPanelProps) {
  return (
    <aside className={styles["panel"]} aria-label={t("Guidelines")}>
      <header className={styles["header"]}>
        <h2>{t("Guidelines")}</h2>
        <Button variant="quiet" size="small" hint={closeKey} onClick={onClose}>
          {t("Close")}
        </Button>
      </header>
      {html ? <Markdown html={html} /> : <p>{t("This project has no guidelines.")}</p>}
    </aside>
  );
}

interface GuidelinesReadingProps {
  readonly guidelines: GuidelinesState;
  /** Whether a sheet waits for its rater. */
  readonly hasSheet: boolean;
  readonly readKey: string | undefined;
}

export function GuidelinesReading({ guidelines, hasSheet, readKey }: GuidelinesReadingProps) {
  return (
    <QueryView query={guidelines.reading} level={1}>
      {(text) => (
        <article className={styles["reading"]} aria-labelledby="guidelines">
          <Opening standing={text.standing} hasSheet={hasSheet} />
          {text.standing === "changed" && (
            <section aria-label={t("What changed")} className={styles["changes"]}>
              <GuidelineChanges lines={text.lines} />
            </section>
          )}
          <section aria-label={t("Full guidelines")} className={styles["whole"]}>
            {text.standing === "changed" && <h2>{t("Full guidelines")}</h2>}
            <Markdown html={text.html} />
          </section>
          <footer className={styles["bar"]}>
            {guidelines.problem !== null && <FormError>{messageOf(guidelines.problem)}</FormError>}
            <Button variant="primary" hint={readKey} busy={guidelines.isKeeping} onClick={guidelines.confirm}>
              {t("I have read the guidelines")}
            </Button>
          </footer>
        </article>
      )}
    </QueryView>
  );
}

function Opening({
  standing,
  hasSheet,
}: {
  readonly standing: Guidelines["standing"];
  readonly hasSheet: boolean;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  // A screen reader begins here, and keys scroll from the top.
  useEffect(() => heading.current?.focus(), []);
  const changed = standing === "changed";
  return (
    <header>
      <h1 id="guidelines" ref={heading} tabIndex={-1}>
        {changed ? t("The guidelines have changed") : t("Read the guidelines before you start")}
      </h1>
      <p className="ink-soft">
        {changed
          ? hasSheet
            ? t("This notice appears only once after each change. Your question is still open.")
            : t("This notice appears only once after each change.")
          : t("You can open the guidelines at any time while you judge.")}
      </p>
    </header>
  );
}
