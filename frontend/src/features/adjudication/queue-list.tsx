/** One line an answer; the line under the hand stays where it is. */
import { useEffect, useRef } from "react";
import { LabelMark } from "../../components/label-mark";
import { RelativeTime } from "../../components/relative-time";
import { answerWords } from "../../lib/answer-words";
import { classNames } from "../../lib/class-names";
import { countOf } from "../../lib/numbers";
import styles from "./queue-list.module.css";
import type { Line } from "./stable-queue";
import type { QueueWork } from "./use-queue";
import { reasonWords } from "./words";

export function QueueList({ work }: { readonly work: QueueWork }) {
  return (
    <ol className={styles["list"]} aria-label="Answers that wait for a decision">
      {work.lines.map((line) => (
        <QueueLine
          key={line.item.id}
          line={line}
          isCurrent={line.item.id === work.current}
          isMarked={work.marks.has(line.item.id)}
          onMark={() => work.mark(line.item.id)}
          onSelect={() => work.select(line.item.id)}
        />
      ))}
    </ol>
  );
}

interface QueueLineProps {
  readonly line: Line;
  readonly isCurrent: boolean;
  readonly isMarked: boolean;
  readonly onMark: () => void;
  readonly onSelect: () => void;
}

function QueueLine({ line, isCurrent, isMarked, onMark, onSelect }: QueueLineProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent) button.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  const { item } = line;
  return (
    <li className={styles["item"]}>
      <input
        type="checkbox"
        className={styles["mark"]}
        aria-label={`Mark ${item.answer}`}
        checked={isMarked}
        disabled={line.state !== "open"}
        onChange={onMark}
      />
      <button
        ref={button}
        type="button"
        className={classNames(styles["line"], line.state !== "open" && styles["settled"])}
        aria-current={isCurrent}
        onClick={onSelect}
      >
        <span className={styles["question"]} dir="auto">
          {item.question}
        </span>
        <span className={styles["answer"]} dir="auto">
          {answerWords(item.answer)}
        </span>
        <span className={styles["facts"]}>
          <Standing line={line} />
        </span>
      </button>
    </li>
  );
}

function Standing({ line }: { readonly line: Line }) {
  if (line.state === "decided") return <LabelMark label={line.label ?? ""} />;
  if (line.state === "sent-back") return <span>Sent back to raters</span>;
  if (line.state === "elsewhere") return <span>Settled by somebody else</span>;
  const { item } = line;
  return (
    <>
      <span className={styles["votes"]}>
        {item.votes.map((vote) => (
          <span key={vote.letter} className={styles["vote"]}>
            {vote.letter}
            <LabelMark label={vote.label} compact />
          </span>
        ))}
        {item.votes.length === 0 && reasonWords(item.reason)}
      </span>
      {item.decided && (
        <span className={styles["vote"]}>
          decided <LabelMark label={item.decided} compact />
        </span>
      )}
      {item.systems && <span dir="auto">{item.systems.join(" · ")}</span>}
      {item.flags.length > 0 && <span>{countOf(item.flags.length, "flag")}</span>}
      {item.waiting_since && (
        <span className={styles["age"]}>
          <RelativeTime at={item.waiting_since} />
        </span>
      )}
    </>
  );
}
