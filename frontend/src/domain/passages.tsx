/** Passages beside a question: short ones as they are, long ones folded, many behind the first few. */
import type { ReactNode } from "react";
import { isWebAddress } from "../lib/addresses";
import { plural, t } from "../lib/i18n/t";
import styles from "./passages.module.css";

export interface ShownPassage {
  readonly text: string;
  readonly title: string;
  readonly source: string;
}

interface PassageListProps<Passage extends ShownPassage> {
  readonly passages: readonly Passage[];
  /** What there is to say of one besides, under its text. */
  readonly note?: (passage: Passage) => ReactNode;
}

/** Of a passage that is longer than this its beginning shows. */
const SHORT = 400;
const BEGINNING = 160;
const SHOWN_AT_ONCE = 3;

export function PassageList<Passage extends ShownPassage>({ passages, note }: PassageListProps<Passage>) {
  const rest = passages.slice(SHOWN_AT_ONCE);
  return (
    <>
      <PassageItems passages={passages.slice(0, SHOWN_AT_ONCE)} note={note} />
      {rest.length > 0 && (
        <details className={styles["rest"]}>
          <summary>{plural(rest.length, "{count} more passage", "{count} more passages")}</summary>
          <PassageItems passages={rest} note={note} />
        </details>
      )}
    </>
  );
}

function PassageItems<Passage extends ShownPassage>({ passages, note }: PassageListProps<Passage>) {
  return (
    <ul className={styles["list"]}>
      {passages.map((passage) => (
        <li key={`${passage.title}\n${passage.source}\n${passage.text}`} className={styles["passage"]}>
          <Body passage={passage} />
          <Source source={passage.source} />
          {note?.(passage)}
        </li>
      ))}
    </ul>
  );
}

function Body({ passage: { title, text } }: { readonly passage: ShownPassage }) {
  if (text.length <= SHORT) {
    return (
      <>
        {title !== "" && <Title title={title} />}
        {text !== "" && <Text text={text} />}
      </>
    );
  }
  return (
    <details className={styles["long"]}>
      <summary>
        {title !== "" && <Title title={title} />}
        <span className={styles["beginning"]} dir="auto">
          {beginningOf(text)}
        </span>
      </summary>
      <Text text={text} />
    </details>
  );
}

function Title({ title }: { readonly title: string }) {
  return (
    <strong className={styles["title"]} dir="auto">
      {title}
    </strong>
  );
}

function Text({ text }: { readonly text: string }) {
  return (
    <p className={styles["text"]} dir="auto">
      {text}
    </p>
  );
}

/** Where a passage comes from: a link only where a browser would ask a web server for it. */
function Source({ source }: { readonly source: string }) {
  if (source === "") return null;
  return (
    <p className={styles["source"]}>
      <span className="visually-hidden">{t("Source:")} </span>
      {isWebAddress(source) ? (
        <a href={source} target="_blank" rel="noreferrer noopener">
          {source}
        </a>
      ) : (
        <span dir="auto">{source}</span>
      )}
    </p>
  );
}

/** How a text begins, cut between words where it has any. */
export function beginningOf(text: string): string {
  const line = text.slice(0, 2 * BEGINNING).replaceAll(/\s+/g, " ");
  if (line.length <= BEGINNING) return line;
  const cut = line.slice(0, BEGINNING);
  const end = cut.lastIndexOf(" ");
  return `${end > BEGINNING / 2 ? cut.slice(0, end) : cut}…`;
}
