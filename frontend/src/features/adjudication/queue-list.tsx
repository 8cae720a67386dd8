/** One line an answer; the line under the hand stays where it is. */
import { memo, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import type { Queue, QueueChoice } from "../../api/schema";
import { Button } from "../../components/button";
import { Checkbox, Choice } from "../../components/form";
import { RelativeTime } from "../../components/relative-time";
import { answerWords } from "../../domain/answer";
import { flagName } from "../../domain/flags";
import { LabelMark } from "../../domain/labels";
import { classNames } from "../../lib/class-names";
import { countOf, formatCount } from "../../lib/numbers";
import { useCommands } from "../../lib/use-commands";
import { filterCommands } from "./commands";
import { filterCount, isFiltered, type Line, type QueueWork, reasonWords } from "./queue";
import styles from "./queue.module.css";

export function QueueList({ work }: { readonly work: QueueWork }) {
  return (
    <ol className={styles["lines"]} aria-label="Answers waiting for a decision">
      {work.lines.map((line) => (
        <QueueLine
          key={line.item.id}
          line={line}
          isCurrent={line.item.id === work.current}
          isMarked={work.marks.has(line.item.id)}
          onMark={work.mark}
          onSelect={work.select}
        />
      ))}
    </ol>
  );
}

interface QueueLineProps {
  readonly line: Line;
  readonly isCurrent: boolean;
  readonly isMarked: boolean;
  readonly onMark: (id: string) => void;
  readonly onSelect: (id: string) => void;
}

/** Drawn again only where it changed: a decision changes two lines of some hundred. */
const QueueLine = memo(function QueueLine({ line, isCurrent, isMarked, onMark, onSelect }: QueueLineProps) {
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
        aria-label={`Select ${item.answer}`}
        checked={isMarked}
        disabled={line.state !== "open"}
        onChange={() => onMark(item.id)}
      />
      <button
        ref={button}
        type="button"
        className={classNames(styles["line"], line.state !== "open" && styles["settled"])}
        aria-current={isCurrent}
        onClick={() => onSelect(item.id)}
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
});

function Standing({ line }: { readonly line: Line }) {
  if (line.state === "decided") return <LabelMark label={line.label ?? ""} />;
  if (line.state === "sent-back") return <span>Sent back to annotators</span>;
  if (line.state === "elsewhere") return <span>Decided by someone else</span>;
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

const NOTHING = { reason: undefined, flag: undefined, pair: undefined, judge: undefined };
/** A judge's conflicts are no reason to wait: neither can be asked for beside the other. */
const ALONE: Readonly<Record<string, Readonly<Record<string, undefined>>>> = {
  reason: { judge: undefined },
  judge: { reason: undefined },
};
const PANEL = "queue-filters";
const FIRST_FILTER = "queue-filter-reason";
const FILTERS: readonly FilterKind[] = [
  { part: "reason", label: "Reason for waiting", any: "All waiting answers", words: reasonWords },
  { part: "flag", label: "Question flag", any: "Any", words: flagWords },
  { part: "pair", label: "Annotators who disagree", any: "Any", words: pairWords },
  { part: "judge", label: "Judge that disagrees", any: "Any", words: String },
];

interface FoldProps {
  readonly work: QueueWork;
  readonly unfolded: boolean;
  readonly setUnfolded: (unfolded: boolean) => void;
}

export function FiltersButton({ work, unfolded, setUnfolded }: FoldProps) {
  const count = filterCount(work.filter);
  return (
    <Button
      size="small"
      aria-expanded={unfolded}
      aria-controls={PANEL}
      onClick={() => setUnfolded(!unfolded)}
    >
      Filters{count > 0 && ` (${formatCount(count)})`}
    </Button>
  );
}

interface QueueFiltersProps extends FoldProps {
  readonly queue: Queue;
}

export function QueueFilters({ work, queue, unfolded, setUnfolded }: QueueFiltersProps) {
  const { choices, shows_systems: shown, may_show_systems: mayShow } = queue;
  useCommands(
    filterCommands({
      focusFilters: () => {
        // What is folded cannot have the focus.
        flushSync(() => setUnfolded(true));
        document.getElementById(FIRST_FILTER)?.focus();
      },
      mayShow: () => mayShow,
      toggleSystems: () => work.showSystems(!shown),
    }),
  );
  return (
    <div id={PANEL} className={styles["filters"]} role="group" aria-label="Filters" data-unfolded={unfolded}>
      {FILTERS.map((filter) => (
        <Filter key={filter.part} {...filter} choices={choices[filter.part]} work={work} />
      ))}
      {mayShow && <Checkbox label="Show systems" checked={shown} onChange={work.showSystems} />}
      {isFiltered(work.filter) && (
        <Button size="small" onClick={() => work.choose(NOTHING)}>
          Show all waiting answers
        </Button>
      )}
    </div>
  );
}

interface FilterKind {
  readonly part: "reason" | "flag" | "pair" | "judge";
  readonly label: string;
  readonly any: string;
  readonly words: (value: string) => string;
}

interface FilterProps extends FilterKind {
  readonly choices: readonly QueueChoice[];
  readonly work: QueueWork;
}

function Filter({ part, label, any, words, choices, work }: FilterProps) {
  const chosen = work.filter[part] ?? "";
  // What is chosen stays to be seen when nothing is left of it.
  const missing = chosen !== "" && !choices.some(({ value }) => value === chosen);
  if (choices.length === 0 && !missing && part !== "reason") return null;
  return (
    <Choice
      id={part === "reason" ? FIRST_FILTER : undefined}
      label={label}
      value={chosen}
      empty={any}
      options={[
        ...(missing ? [{ value: chosen, name: `${words(chosen)} (0)` }] : []),
        ...choices.map(({ value, name, count }) => ({
          value,
          name: `${name || words(value)} (${formatCount(count)})`,
        })),
      ]}
      onChange={(value) => work.choose({ ...ALONE[part], [part]: value || undefined })}
    />
  );
}

function flagWords(kind: string): string {
  return flagName(kind);
}

function pairWords(pair: string): string {
  return pair.replace("~", " and ");
}
